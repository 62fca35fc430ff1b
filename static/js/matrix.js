// People and divisions: arrows walk from cell to cell, what is typed above hides other rows, and what is changed is marked and counted.
const form = document.querySelector("[data-matrix]");
const find = document.querySelector("[data-matrix-find]");
const status = document.querySelector("[data-matrix-status]");
const ARROWS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const rows = [...(form?.querySelectorAll("[data-matrix-row]") ?? [])];
const FIELDS = ".matrix-box input, .matrix-note input[type=text], .matrix-own input[type=text]";
const boxes = (row) => [...row.querySelectorAll(FIELDS)];
const isChanged = (field) => {
  // What the page proposes, or shows again after a refusal, is not saved yet.
  if (field.type === "checkbox") return field.checked !== (field.defaultChecked !== ("unsaved" in field.dataset));
  if (field.type === "select-one") return field.value !== ([...field.options].find((one) => one.defaultSelected)?.value ?? "");
  return field.value !== field.defaultValue;
};

for (const box of form?.querySelectorAll("[data-part]") ?? []) box.indeterminate = !box.checked;

const count = () => {
  let changed = 0;
  for (const field of form.querySelectorAll("input[type=checkbox], input[type=text], select")) {
    const differs = isChanged(field) && field.name !== "name" && field.name !== "overrule";
    field.closest("td")?.classList.toggle("is-changed", differs);
    changed += differs;
  }
  status.textContent = changed ? `${form.dataset.matrixChanged}${changed}` : "";
};

const narrow = () => {
  const words = plain(find.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    row.hidden = !words.every((word) => plain(row.dataset.matrixRow).includes(word));
    shown += !row.hidden;
  }
  status.textContent = shown || !rows.length ? "" : form.dataset.matrixNone;
};

// The field of another row in the same column, or the next one in this row.
const go = (field, key) => {
  const row = field.closest("tr");
  const own = boxes(row);
  if (key === "ArrowLeft" || key === "ArrowRight") return own[own.indexOf(field) + (key === "ArrowRight" ? 1 : -1)];
  const column = field.closest("td").cellIndex;
  const seen = rows.filter((one) => !one.hidden);
  for (let at = seen.indexOf(row); ; ) {
    at += key === "ArrowDown" ? 1 : -1;
    if (!seen[at]) return undefined;
    const found = seen[at].cells[column]?.querySelector(".matrix-box input, input[type=text]");
    if (found) return found;
  }
};

form?.addEventListener("keydown", (event) => {
  const field = event.target.closest?.(FIELDS);
  if (!field || !field.closest("[data-matrix-row]") || !ARROWS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (field.type === "text" && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    const end = event.key === "ArrowLeft" ? 0 : field.value.length;
    if (field.selectionStart !== end || field.selectionEnd !== end) return;
  }
  event.preventDefault();
  const next = go(field, event.key);
  next?.focus();
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
});
form?.addEventListener("input", count);
find?.addEventListener("input", narrow);
find?.addEventListener("keydown", (event) => {
  const first = rows.find((row) => !row.hidden);
  if ((event.key !== "Enter" && event.key !== "ArrowDown") || !first) return;
  event.preventDefault();
  boxes(first)[0]?.focus();
});
let leaving = false;
form?.addEventListener("submit", () => { leaving = true; });
addEventListener("beforeunload", (event) => {
  if (!leaving && form?.querySelector(".is-changed")) event.preventDefault();
});
if (form) count();
