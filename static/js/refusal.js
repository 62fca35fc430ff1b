// Why the site did nothing (a status of 500 and more), in its own words: a problem as JSON, or a line. Empty where there is but a page.
export const sentenceOf = async (answer) => {
  const kind = answer.headers.get("Content-Type") ?? "";
  try {
    if (kind.includes("json")) return (await answer.json()).detail ?? "";
    if (kind.startsWith("text/plain")) return (await answer.text()).trim().slice(0, 300);
  } catch {
    // It broke off: nobody knows why.
  }
  return "";
};
