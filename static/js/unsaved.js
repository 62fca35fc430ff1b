// Settings that were changed and not saved: which, from what to what, in a bar that stays in view.
for (const form of document.querySelectorAll("form[data-unsaved]")) {
  const bar = form.querySelector("[data-unsaved-words]");
  const count = bar.querySelector("[data-unsaved-count]");
  const list = bar.querySelector("[data-unsaved-list]");
  const discard = form.querySelector("button[type=reset]");
  const wordsOf = (field, before) => {
    if (field instanceof HTMLSelectElement) {
      const chosen = [...field.options].find((option) => (before ? option.defaultSelected : option.selected));
      return chosen?.textContent.trim() ?? "";
    }
    return before ? field.defaultValue : field.value;
  };

  const changes = () => {
    const found = [];
    for (const field of form.elements) {
      if (!field.name || field.type === "hidden") continue;
      const label = [...(field.labels?.[0]?.childNodes ?? [])].find((node) => node.textContent.trim())?.textContent.trim() ?? "";
      if (field.type === "checkbox" || field.type === "radio") {
        if (field.checked && !field.defaultChecked) found.push([label, "", "✓"]);
        else if (field.type === "checkbox" && !field.checked && field.defaultChecked) found.push([label, "✓", ""]);
      } else if (wordsOf(field, true) !== wordsOf(field, false)) found.push([label, wordsOf(field, true), wordsOf(field, false)]);
    }
    return found;
  };

  const element = (tag, words) => Object.assign(document.createElement(tag), { textContent: words });

  const show = () => {
    const found = changes();
    bar.hidden = discard.hidden = !found.length;
    form.classList.toggle("is-unsaved", found.length > 0);
    if (!found.length) return;
    count.textContent = found.length === 1 ? count.dataset.one : count.dataset.many.replace("{count}", found.length);
    const short = (words) => (words.length > 40 ? `${words.slice(0, 39)}…` : words);
    list.replaceChildren(
      ...found.flatMap(([label, before, after], index) => [
        index ? "; " : "",
        `${label} `,
        ...(before ? [element("del", short(before)), " → "] : []),
        ...(after ? [element("ins", short(after))] : ["–"]),
      ]),
    );
  };

  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  show();
}
