// Ctrl-K or ⌘K anywhere: the search of the whole site in a dialog. Its field is a combobox; Enter without a choice opens the page. And the search in long tables.
const dialog = document.getElementById("site-search");
const field = dialog?.querySelector("input[name=q]");

document.addEventListener("keydown", (event) => {
  const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  if (!wanted || !dialog?.showModal) return;
  event.preventDefault();
  if (dialog.open) {
    dialog.close();
    return;
  }
  dialog.showModal();
  field.select();
});

// Beside a long table or the matches of a round: rows without what is typed in their name are hidden, also after the page has renewed itself.
const texts = document.getElementById("interface-texts")?.dataset ?? {};
const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
const narrow = (place) => {
  place.hidden = false;
  const words = plain(place.firstElementChild.value);
  const rows = [...place.parentElement.querySelectorAll("tbody tr, .pairings > li")];
  for (const row of rows) row.hidden = !plain((row.querySelector("th") ?? row).textContent).includes(words);
  return rows.filter((row) => !row.hidden).length;
};
const narrowAll = () => document.querySelectorAll("[data-find-rows]").forEach(narrow);
document.addEventListener("input", ({ target }) => {
  const place = target.closest?.("[data-find-rows]");
  if (!place) return;
  const found = narrow(place);
  document.getElementById("announcer").textContent = found ? `${found} ${texts.found ?? "found"}` : texts.none ?? "0";
});
document.addEventListener("crawford:swapped", narrowAll);
narrowAll();
