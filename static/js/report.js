// The result form of a player: who won and the loser's points make the score, a sentence says what will be sent, and what is missing is said
// before anything is sent. The fields of both scores are for a match that was not finished; they follow the two choices, and the other way round.
const chosen = (form, name) => form.querySelector(`select[name="${name}"], [name="${name}"]:checked`)?.value ?? "";
const finished = (form) => form.elements.kind.value === "played";

const choose = (form, name, value) => {
  for (const radio of form.querySelectorAll(`[name="${name}"]`)) {
    if (radio.matches("select")) radio.value = value;
    else radio.checked = radio.value === value;
  }
};

const set = (field, value) => {
  if (field.value === String(value)) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true })); // the stepper and the draft listen
};

// The winner has the length; the loser's points are not below what that side starts with.
const fromChoices = (form) => {
  const winner = chosen(form, "winner");
  if (!finished(form) || !winner) return;
  const [won, lost] = winner === "me" ? ["mine", "theirs"] : ["theirs", "mine"];
  const least = Number(form.elements[lost].min) || 0;
  for (const radio of form.querySelectorAll('[type="radio"][name="loser"]')) {
    radio.disabled = Number(radio.value) < least;
    if (radio.disabled) radio.checked = false;
  }
  set(form.elements[won], form.dataset.length);
  set(form.elements[lost], chosen(form, "loser"));
};

const fromPoints = (form) => {
  const [mine, theirs] = ["mine", "theirs"].map((name) => form.elements[name].value);
  const length = Number(form.dataset.length);
  if (!finished(form) || mine === "" || theirs === "") return;
  const [more, less] = [Math.max(mine, theirs), Math.min(mine, theirs)];
  if (more === length && less < length) {
    choose(form, "winner", Number(mine) === length ? "me" : "them");
    choose(form, "loser", String(less));
  } else {
    choose(form, "loser", "");
  }
};

const words = (form) => {
  const place = form.querySelector("[data-report-words]");
  const [mine, theirs] = ["mine", "theirs"].map((name) => form.elements[name].value);
  const winner = chosen(form, "winner");
  form.querySelector("[data-loser]").hidden = !finished(form);
  place.replaceChildren();
  if (!finished(form) || !winner || !chosen(form, "loser")) return;
  const score = Object.assign(document.createElement("b"), { textContent: `${mine}–${theirs}` });
  place.append(winner === "me" ? form.dataset.won : form.dataset.lost, " ", score);
};

const mark = (form, missing) => {
  for (const line of form.querySelectorAll("[data-missing]")) {
    line.hidden = line.dataset.missing !== missing;
    line.closest("fieldset").classList.toggle("has-error", !line.hidden);
  }
};

let busy = false;
const follow = (form, name) => {
  if (busy) return;
  busy = true;
  if (name === "mine" || name === "theirs") fromPoints(form);
  else fromChoices(form);
  busy = false;
  mark(form, "");
  words(form);
};

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    const form = target.closest?.("[data-report]");
    if (form && ["winner", "loser", "mine", "theirs", "kind"].includes(target.name)) follow(form, target.name);
  });
}

// Before the form is kept or sent: what is missing is said beside it.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!form.matches("[data-report]") || event.submitter?.name || !finished(form)) return;
    const missing = chosen(form, "winner") ? (chosen(form, "loser") ? "" : "loser") : "winner";
    const [mine, theirs] = ["mine", "theirs"].map((name) => form.elements[name].value);
    if (!missing || (mine !== "" && theirs !== "")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    mark(form, missing);
    const line = form.querySelector(`[data-missing="${missing}"]`);
    const announcer = document.getElementById("announcer");
    if (announcer) announcer.textContent = line.textContent.trim();
    (form.querySelector(`[name="${missing}"]:not(:disabled)`) ?? form).focus();
    line.scrollIntoView({ block: "nearest" });
  },
  true,
);

// One tap a game: the sheet and the score follow at once, without asking the site.
const rowsOf = (form) => [...form.elements.sheet.value.matchAll(/(\d{1,3})\s*[-\u2013\u2014:]\s*(\d{1,3})/g)].map((row) => [Number(row[1]), Number(row[2])]);

const tap = (form, tapped) => {
  const rows = rowsOf(form);
  const length = Number(form.dataset.length);
  const begin = ["mine", "theirs"].map((name) => Number(form.elements[name].min) || 0);
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
  busy = true;
  set(form.elements.mine, mine);
  set(form.elements.theirs, theirs);
  busy = false;
  follow(form, "theirs");
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.('[data-sheet] button[name="game"]');
  if (!button?.form) return;
  event.preventDefault();
  tap(button.form, button.value);
});

const start = (root) => {
  for (const form of root.querySelectorAll("[data-report]")) words(form);
};
document.addEventListener("crawford:swapped", (event) => {
  start(event.target);
  document.querySelector(".messages")?.remove(); // “Sent” is no news any more
});
start(document);
