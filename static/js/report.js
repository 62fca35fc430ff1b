// The result form of a player: “I won” sets my points to the length, and a sentence says what will be sent.
const points = (form, name) => form.elements[name];

const words = (form) => {
  const place = form.querySelector("[data-report-words]");
  const length = Number(form.dataset.length);
  const [mine, theirs] = [Number(points(form, "mine").value), Number(points(form, "theirs").value)];
  const won = mine === length && theirs < length;
  const lost = theirs === length && mine < length;
  const text = won ? form.dataset.won : lost ? form.dataset.lost : "";
  place.textContent = text ? `${text} ${mine}–${theirs}` : "";
  if (form.elements.kind.value === "played" && (won || lost)) {
    for (const radio of form.querySelectorAll('[name="winner"]')) radio.checked = radio.value === (won ? "me" : "them");
  }
};

const set = (field, value) => {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true })); // the stepper listens
};

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-report]");
  if (!form) return;
  if (event.target.name === "winner" && form.elements.kind.value === "played") {
    const length = Number(form.dataset.length);
    const [winner, loser] = event.target.value === "me" ? ["mine", "theirs"] : ["theirs", "mine"];
    const before = Number(points(form, loser).value);
    set(points(form, winner), length);
    if (before >= length) set(points(form, loser), 0);
  }
  words(form);
});

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("[data-report]");
  if (form && event.target.type === "number") words(form);
});

const start = (root) => {
  for (const form of root.querySelectorAll("[data-report]")) words(form);
};
document.addEventListener("crawford:swapped", (event) => {
  start(event.target);
  document.querySelector(".messages")?.remove(); // “Sent” is no news any more
});
start(document);
