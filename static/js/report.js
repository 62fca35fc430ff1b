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

// One tap a game: the sheet and the score follow at once, without asking the site.
const rowsOf = (form) => [...form.elements.sheet.value.matchAll(/(\d{1,3})\s*[-\u2013\u2014:]\s*(\d{1,3})/g)].map((row) => [Number(row[1]), Number(row[2])]);

const tap = (form, tapped) => {
  const rows = rowsOf(form);
  const length = Number(form.dataset.length);
  const begin = ["mine", "theirs"].map((name) => Number(points(form, name).min) || 0);
  if (tapped === "back") rows.pop();
  else {
    const [who, more] = tapped.split(":");
    const row = [...(rows.at(-1) ?? begin)];
    const side = who === "me" ? 0 : 1;
    row[side] = Math.min(row[side] + Number(more), length);
    rows.push(row);
  }
  set(form.elements.sheet, rows.map((row) => row.join("-")).join(" "));
  const [mine, theirs] = rows.at(-1) ?? begin;
  set(points(form, "mine"), mine);
  set(points(form, "theirs"), theirs);
  words(form);
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('[data-sheet] button[name="game"]');
  if (!button?.form) return;
  event.preventDefault();
  tap(button.form, button.value);
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
