// Numbers are dragged, and what comes of them stands there at once. Nothing is saved; without scripts a button works it out.
const form = document.querySelector("[data-how-long]");
const place = form.querySelector("[data-answer]");

const address = () => {
  const given = new URLSearchParams(new FormData(form));
  for (const name of ["csrfmiddlewaretoken", "seen"]) given.delete(name);
  return given;
};

let asked = null;
let waits = false;

const ask = async () => {
  waits = false;
  asked?.abort();
  const mine = (asked = new AbortController());
  const given = address();
  history.replaceState(null, "", `?${given}`);
  given.set("answer", "1");
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.action}?${given}`, { signal: mine.signal, headers: { "X-Requested-With": "fetch" } });
    if (answer.redirected || !(answer.ok || answer.status === 422)) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(...page.body.childNodes);
  } catch (error) {
    if (error.name === "AbortError") return;
    form.querySelector(".no-js-only")?.classList.remove("no-js-only"); // no network: the button says what the browser says
  }
  if (asked === mine) place.removeAttribute("aria-busy");
};

// One question for each picture on the screen, however often a finger moves.
const soon = () => {
  if (waits) return;
  waits = true;
  requestAnimationFrame(ask);
};

for (const field of form.querySelectorAll("input[data-drag]")) {
  const slider = Object.assign(document.createElement("input"), { type: "range", tabIndex: -1 });
  slider.min = field.min;
  slider.max = Math.max(Number(field.dataset.drag), Number(field.value));
  slider.value = field.value;
  slider.setAttribute("aria-label", field.labels[0]?.textContent.trim() ?? "");
  slider.addEventListener("input", () => {
    field.value = slider.value;
    soon();
  });
  field.addEventListener("input", () => {
    if (field.validity.valid && field.value) slider.value = field.value;
  });
  field.before(slider);
}
form.addEventListener("input", (event) => {
  if (event.target.name) soon();
});
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.type === "submit") return;
  event.preventDefault(); // nobody takes over a plan by typing a number
  soon();
});
