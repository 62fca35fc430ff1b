// The list of a check-in: letters jump to a name, x or Enter marks it, j and k walk, u takes the last mark back. A scanner types much quicker than
// people do: what comes within a breath and ends with Enter is a code, wherever the focus is, and none of its letters is a key of the page.
import { film } from "./scanning.js";

const BREATH = 100; // ms between two keys of a scanner at most
const STALLED = 500; // the same once it is plain that a scanner types: the page may be busy meanwhile
const PERSON = 4; // more keys in a breath than anybody presses
const CODE = 12; // characters of the shortest code
const WORD = 900; // ms in which letters belong to one name
const lists = document.getElementById("check-in-lists");
const act = document.getElementById("check-in-act");
const outcome = document.querySelector("[data-outcome]");
const scan = document.querySelector("[data-scan]");
const single = document.querySelector("[data-single-keys]");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const missing = () => [...(lists?.querySelectorAll(".guest[data-guest]:not(.is-here, .is-sent)") ?? [])];

const say = (text, { fault = false } = {}) => {
  outcome.textContent = text;
  outcome.classList.toggle("is-error", fault);
};

// --- sending: one after the other, in the order in which they were pressed ------------------------------------------------

const SETTLED = 1500; // ms after the last press: a line that is pressed twice is still the same one
let queue = Promise.resolve();
let waiting = 0;
let renewal = 0;

const post = async (url, body) => {
  try {
    const answer = await fetch(url, { method: "POST", body, headers: { "X-Requested-With": "desk" }, cache: "no-store" });
    const found = await answer.json();
    say(answer.ok ? found.message : found.reasons.join(" "), { fault: !answer.ok });
    return answer.ok ? found : null;
  } catch {
    say(outcome.dataset.failed, { fault: true });
    return null;
  }
};

const send = (url, fields) => {
  const body = new URLSearchParams(new FormData(act));
  for (const [name, value] of fields) body.append(name, value);
  waiting += 1;
  queue = queue.then(() => post(url, body)).then((found) => {
    waiting -= 1;
    clearTimeout(renewal);
    renewal = setTimeout(() => !waiting && document.dispatchEvent(new CustomEvent("crawford:ask")), SETTLED);
    return found;
  });
  return queue;
};

const address = (action) => new URL(`${action}/`, new URL(scan.action).href.replace(/code\/$/, "")).href;

const mark = async (row) => {
  if (row.matches(".is-here, .is-sent")) return;
  const all = missing();
  const next = all[all.indexOf(row) + 1] ?? all[all.indexOf(row) - 1];
  row.classList.add("is-sent");
  next?.focus();
  if (!(await send(address("here"), [["entry", row.dataset.guest]]))) row.classList.remove("is-sent");
};

const scanned = (code) => send(scan.action, [["code", code]]);

// --- keys -----------------------------------------------------------------------------------------------------------

let typed = ""; // what came within a breath
let last = 0;
let timer = 0;
let word = "";
let wordAt = 0;

const patience = () => (typed.length > PERSON ? STALLED : BREATH);

const current = () => document.activeElement?.closest?.(".guest[data-guest]");

const walk = (by) => {
  const rows = missing();
  const at = rows.indexOf(current());
  rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))]?.focus();
};

// Whose name, or a part of it, begins so.
const named = (letters) => {
  const begins = (row) => plain(row.dataset.name).split(/[\s-]+/).some((part) => part.startsWith(letters));
  const rows = missing();
  return rows.find((row) => plain(row.dataset.name).startsWith(letters)) ?? rows.find(begins);
};

const jump = (letters) => {
  const found = named(letters);
  found?.focus();
  found?.scrollIntoView({ block: "nearest" });
};

const pressed = (key) => {
  const letter = plain(key);
  const goesOn = word && Date.now() - wordAt < WORD && named(word + letter);
  if (!goesOn && letter === "x") return void (current() && mark(current()));
  if (!goesOn && (letter === "j" || letter === "k")) return walk(letter === "j" ? 1 : -1);
  if (!goesOn && letter === "u") return document.querySelector("[data-undo]")?.click();
  word = goesOn ? word + letter : letter;
  wordAt = Date.now();
  jump(word);
};

const inField = (target) => target.matches?.("input:not([type=checkbox]), select, textarea, [contenteditable]");

// What came within a breath: a code, or keys of a person; half of a code is nothing.
const settle = () => {
  const keys = typed;
  clearTimeout(timer);
  typed = "";
  if (keys.length >= CODE) scanned(keys); // also of a scanner that sends no Enter
  else if (keys.length <= PERSON && single?.checked !== false) for (const key of keys) pressed(key);
};

addEventListener(
  "keydown",
  (event) => {
    if (!lists || event.ctrlKey || event.metaKey || event.altKey || inField(event.target) || document.querySelector("dialog[open]")) return;
    const quick = typed && event.timeStamp - last < patience();
    if (!quick) settle(); // a busy page hears of the next key before its timer: the one before counts all the same
    if (event.key === "Enter") {
      if (typed.length > PERSON) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return settle();
      }
      settle();
      const row = document.activeElement.matches(".guest[data-guest]") ? document.activeElement : null;
      if (!row) return;
      event.preventDefault();
      return void mark(row);
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      settle();
      if (!current()) return;
      event.preventDefault();
      return walk(event.key === "ArrowDown" ? 1 : -1);
    }
    if (event.key.length !== 1 || event.key === " " || event.key === "?" && !quick) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // none of its letters goes to another page
    typed += event.key;
    last = event.timeStamp;
    clearTimeout(timer);
    timer = setTimeout(settle, patience());
  },
  { capture: true },
);

// Lists that change keep the name that one is at: a line that moves loses the focus.
let at = null;
lists?.addEventListener("focusin", ({ target }) => {
  at = target.closest(".guest[data-guest]")?.dataset.guest ?? null;
});
document.addEventListener("focusin", ({ target }) => {
  if (!lists?.contains(target)) at = null;
});
document.addEventListener("crawford:swapped", () => {
  if (at && document.activeElement === document.body) document.getElementById(`g-${at}`)?.focus({ preventScroll: true });
});

// --- buttons ----------------------------------------------------------------------------------------------------------

lists?.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=entry]");
  if (!button) return;
  event.preventDefault();
  const row = button.closest(".guest");
  if (!row.classList.contains("is-here")) return mark(row);
  send(address("not-here"), [["entry", row.dataset.guest]]);
});

scan?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = scan.elements.code;
  if (field.value.trim()) scanned(field.value);
  field.value = "";
});

// --- camera -----------------------------------------------------------------------------------------------------------

const camera = document.querySelector("[data-camera]");
const video = document.querySelector("[data-film]");
let stop = null;
let before = "";

if (camera && globalThis.isSecureContext && navigator.mediaDevices) {
  camera.hidden = false;
  camera.addEventListener("click", async () => {
    if (stop) {
      stop();
      stop = null;
      video.hidden = true;
      return;
    }
    video.hidden = false;
    try {
      stop = await film(video, async (text) => {
        if (text !== before) {
          before = text;
          await scanned(text);
        }
        return false; // the next one, please
      });
    } catch {
      video.hidden = true;
      say(outcome.dataset.noCamera, { fault: true });
    }
  });
}
