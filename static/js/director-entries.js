// A player chosen from the list is entered at once; the page that follows waits for the next name.
const form = document.querySelector("[data-add-player]");
form?.addEventListener("crawford:chosen", () => form.requestSubmit());

// Several entries: how many are chosen, all of them, and from the last one to this with Shift.
const several = document.querySelector("[data-several]");
const boxes = () => [...several.querySelectorAll("[name=chosen]")];

const count = () => {
  const place = several.querySelector("[data-count]");
  const chosen = boxes().filter((box) => box.checked).length;
  place.textContent = chosen ? String(chosen) : place.dataset.none;
  several.classList.toggle("has-chosen", chosen > 0);
  const all = several.querySelector("[data-all]");
  all.checked = chosen > 0 && chosen === boxes().length;
  all.indeterminate = chosen > 0 && !all.checked;
};

// What the list shows is sent as soon as it is chosen.
for (const field of document.querySelectorAll("[data-sends]")) field.addEventListener("change", () => field.form.requestSubmit());

let last = null;
several?.addEventListener("click", (event) => {
  if (event.target.name !== "chosen") return;
  const all = boxes();
  if (event.shiftKey && last) {
    const [from, to] = [all.indexOf(last), all.indexOf(event.target)].sort((a, b) => a - b);
    for (const box of all.slice(from, to + 1)) box.checked = event.target.checked;
  }
  last = event.target;
});
several?.addEventListener("change", (event) => {
  if (event.target.matches("[data-all]")) for (const box of boxes()) box.checked = event.target.checked;
  count();
});
if (several) count();
