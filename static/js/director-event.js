// The event form: which round gets which length, told while typing; the browser's own time zone as a first guess.
const MOST = 99;
const hint = document.querySelector("[data-lengths-hint]");
const lengths = document.querySelector("[data-lengths]");
const system = document.querySelector("[name=system]");

const roundName = (back, words) => {
  if (back === 0) return words.final;
  if (back === 1) return words.semifinal;
  if (back === 2) return words.quarterfinal;
  return `${words.last} ${2 ** (back + 1)}`;
};

const chip = (name, length) => {
  const made = document.createElement("span");
  const number = document.createElement("b");
  number.textContent = length;
  made.append(`${name} `, number);
  return made;
};

const tell = () => {
  const typed = lengths.value.split(/[\s,;/–-]+/).filter(Boolean);
  const fine = typed.every((word) => /^\d{1,3}$/.test(word) && Number(word) >= 1 && Number(word) <= MOST);
  // Only a bracket has a final and semifinals.
  hint.hidden = typed.length === 0 || (system && system.value !== "single_elimination");
  if (!fine) {
    hint.textContent = hint.dataset.odd;
    return;
  }
  const rounds = [...typed].reverse().map((length, back) => chip(roundName(back, hint.dataset), length));
  if (typed.length) rounds.push(chip(hint.dataset.earlier, typed[0]));
  hint.replaceChildren(...rounds.reverse());
};

if (hint && lengths) {
  lengths.addEventListener("input", tell);
  system?.addEventListener("change", tell);
  tell();
}

const zone = document.querySelector("[data-guess-zone] input");
if (zone) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (own && document.querySelector(`#timezones option[value="${CSS.escape(own)}"]`)) zone.value = own;
}

// The last day follows the first one until somebody sets it.
const first = document.getElementById("id_starts_on");
const last = document.getElementById("id_ends_on");
if (first && last) {
  let before = first.value;
  first.addEventListener("change", () => {
    if (!last.value || last.value === before || last.value < first.value) last.value = first.value;
    before = first.value;
  });
}
