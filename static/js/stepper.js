// A number field inside [data-stepper] gets a big minus and a big plus. Without scripts it stays a number field.
const texts = document.getElementById("interface-texts")?.dataset ?? {};

const limit = (field, name, fallback) => (field.getAttribute(name) ? Number(field.getAttribute(name)) : fallback);

const refresh = (box) => {
  const field = box.querySelector('input[type="number"]');
  const value = Number(field.value || 0);
  box.querySelector('[data-step="-1"]').disabled = field.disabled || value <= limit(field, "min", 0);
  box.querySelector('[data-step="1"]').disabled = field.disabled || value >= limit(field, "max", Infinity);
};

const make = (step, words, field) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "stepper-button";
  button.dataset.step = step;
  button.textContent = step < 0 ? "−" : "+";
  const name = field.labels?.[0]?.textContent.trim() ?? "";
  button.setAttribute("aria-label", `${words} ${name}`.trim());
  return button;
};

export const equip = (root) => {
  for (const box of root.querySelectorAll("[data-stepper]:not(.is-ready)")) {
    const field = box.querySelector('input[type="number"]');
    if (!field) continue;
    field.inputMode = "numeric";
    field.before(make(-1, texts.less ?? "Less:", field));
    field.after(make(1, texts.more ?? "More:", field));
    box.classList.add("is-ready");
    refresh(box);
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-step]");
  const box = button?.closest("[data-stepper]");
  if (!box) return;
  const field = box.querySelector('input[type="number"]');
  const next = Number(field.value || 0) + Number(button.dataset.step);
  field.value = Math.min(limit(field, "max", Infinity), Math.max(limit(field, "min", 0), next));
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
});
document.addEventListener("input", (event) => {
  const box = event.target.closest?.("[data-stepper].is-ready");
  if (box) refresh(box);
});
document.addEventListener("focusin", (event) => {
  if (event.target.matches?.("[data-stepper] input")) event.target.select();
});
document.addEventListener("crawford:swapped", (event) => equip(event.target));
equip(document);
