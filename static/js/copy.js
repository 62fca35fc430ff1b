// <button data-copy="#field"> copies a field's value (or an element's text).
const texts = document.getElementById("interface-texts")?.dataset ?? {};

export const toast = (words) => {
  const stack = document.querySelector(".toast-stack");
  const note = document.createElement("p");
  note.className = "toast";
  note.textContent = words;
  stack?.append(note);
  setTimeout(() => note.remove(), 2600);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    toast(texts.copied ?? "Copied");
  } catch {
    source.select?.(); // no clipboard on plain http: leave the text marked
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) print();
});
