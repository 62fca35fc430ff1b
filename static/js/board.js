// The director's board: lines are walked with j and k, a result is typed where it stands, buttons answer in a line.
// Nothing moves under the hand: while the page renews itself the line with the focus, or else the first one in view, stays
// where it is on the screen. Without scripts every line leads to the form of its result, and back.
import { enqueue } from "./line-queue.js";
import { sentenceOf } from "./refusal.js";

const words = document.getElementById("desk-words")?.dataset ?? {};
const act = document.getElementById("desk-act");
const fine = matchMedia("(pointer: fine)");

const rows = () => [...document.querySelectorAll(".desk-row")];
const rowOf = (node) => node?.closest?.(".desk-row") ?? null;
const editing = () => document.querySelector(".desk-row.is-editing");

// --- one stop for Tab: the present line and what it offers -----------------------------------------------------------

let present = null; // the id of the line that has, or last had, the focus

const stops = (row, on) => {
  row.tabIndex = on ? 0 : -1;
  for (const node of row.querySelectorAll(":scope > :not(.desk-edit) :is(a, button)")) {
    if (on) node.removeAttribute("tabindex");
    else node.tabIndex = -1;
  }
};

const settle = () => {
  const all = rows();
  const here = all.find((row) => row.id === present) ?? all[0];
  for (const row of all) stops(row, row === here);
  if (here) present = here.id;
};

const go = (row, { scroll = true } = {}) => {
  if (!row) return;
  const before = document.getElementById(present);
  if (before?.matches(".desk-row")) stops(before, false);
  present = row.id;
  stops(row, true);
  row.focus({ preventScroll: true });
  if (scroll) row.scrollIntoView({ block: "nearest" });
};

const step = (from, by) => {
  const all = rows();
  const place = all.indexOf(from);
  go(all[Math.min(all.length - 1, Math.max(0, place + by))]);
};

// --- words that stay for a moment ------------------------------------------------------------------------------------

const stack = document.querySelector(".toast-stack");
const say = (text, { bad = false, link = "", undo = false } = {}) => {
  if (!stack || !text) return;
  const toast = document.createElement("div");
  toast.className = bad ? "toast is-bad" : "toast";
  toast.textContent = text;
  if (link) {
    const look = document.createElement("a");
    look.href = link;
    look.textContent = words.look ?? "";
    toast.append(" ", look);
  }
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.undo ?? "";
    button.addEventListener("click", () => {
      toast.remove();
      enqueue({ line: document.querySelector("[data-desk-line]").dataset.undo });
    });
    toast.append(" ", button);
  }
  stack.replaceChildren(toast);
  setTimeout(() => toast.remove(), bad || undo ? 12000 : 6000);
};

// “undo” undoes what its director did last. Once something else was done or sent, the button would undo that: it goes.
for (const name of ["submit", "crawford:line-done"]) {
  document.addEventListener(name, () => stack?.querySelector("button")?.remove(), true);
}

// An action or a result, sent by the page itself. {message} or {reasons, now}; anything else is a page: it is opened.
const send = async (address, data) => {
  let answer;
  try {
    answer = await fetch(address, { method: "POST", body: data, headers: { "X-Requested-With": "desk" }, redirect: "manual" });
  } catch {
    return { reasons: [words.unsent ?? ""], now: "" };
  }
  // The site is busy, or a stopped one stands behind one that runs: nothing typed is lost.
  if (answer.status >= 500) return { reasons: [(await sentenceOf(answer)) || (words.unsent ?? "")], now: "" };
  if (!answer.headers.get("Content-Type")?.startsWith("application/json")) {
    location.reload();
    return null;
  }
  return answer.json();
};

const sentence = ({ reasons = [], now = "" }) => [...reasons, now && `(${now})`].filter(Boolean).join(" ");
const renew = () => document.dispatchEvent(new CustomEvent("crawford:ask"));
const newKey = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`.slice(0, 40);

act?.addEventListener("submit", async (event) => {
  const { submitter } = event;
  if (!submitter) return;
  event.preventDefault();
  event.stopPropagation(); // dialog.js would take the form for sent
  if (submitter.getAttribute("aria-busy")) return;
  submitter.setAttribute("aria-busy", "true");
  act.elements.submission_key.value = newKey();
  const answer = await send(submitter.formAction, new FormData(act, submitter));
  submitter.removeAttribute("aria-busy");
  submitter.closest("details.menu")?.removeAttribute("open");
  if (!answer) return;
  const row = rowOf(submitter);
  if (row) go(row, { scroll: false });
  if (answer.message) say(answer.message);
  else say(sentence(answer), { bad: true });
  renew();
});

// --- a result in its line --------------------------------------------------------------------------------------------

const least = (row) => (row.dataset.least || "0-0").split("-").map(Number);
const nameOf = (row, side) => row.querySelector(`.desk-${side} .desk-name`)?.textContent ?? "";
const chosen = (form) => form.querySelector("[name=who]:checked")?.value ?? "";
const MOST_BUTTONS = 25;

const show = (form, row) => {
  const who = chosen(form);
  const lost = form.elements.loser.value;
  const length = row.dataset.length;
  for (const label of form.querySelectorAll(".desk-who")) {
    const side = label.querySelector("input").value;
    label.querySelector("[data-score]").textContent = who ? (side === who ? length : lost) : "";
  }
  const from = who ? least(row)[who === "a" ? 1 : 0] : 0;
  for (const button of form.querySelectorAll(".desk-numbers button")) {
    button.setAttribute("aria-pressed", String(button.textContent === lost));
    button.hidden = Number(button.textContent) < from;
  }
};

const open = (row, who = "") => {
  if (!row?.hasAttribute("data-report")) return false;
  const other = editing();
  if (other === row) return true;
  if (other) close(other, { focus: false });
  const cell = document.getElementById("desk-editor").content.firstElementChild.cloneNode(true);
  const form = cell.querySelector("form");
  const address = row.querySelector(".desk-number a").getAttribute("href");
  form.action = `${address}result/`;
  form.dataset.key = newKey();
  cell.querySelector("[data-other]").href = row.querySelector("[data-result]")?.getAttribute("href") ?? address;
  for (const label of cell.querySelectorAll(".desk-who")) {
    label.querySelector("[data-name]").textContent = nameOf(row, label.querySelector("input").value);
  }
  const numbers = cell.querySelector(".desk-numbers");
  const length = Number(row.dataset.length);
  if (length <= MOST_BUTTONS) form.elements.loser.type = "hidden"; // its value, chosen by the buttons and by digits
  for (let points = 0; points < length && length <= MOST_BUTTONS; points += 1) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = String(points);
    numbers.append(button);
  }
  go(row, { scroll: false });
  row.classList.add("is-editing");
  row.dataset.liveKeep = ""; // live.js leaves it alone
  row.append(cell);
  if (who) form.querySelector(`[name=who][value=${who}]`).checked = true;
  show(form, row);
  form.querySelector(who ? `[name=who][value=${who}]` : "[name=who]").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  return true;
};

const close = (row, { focus = true } = {}) => {
  row.classList.remove("is-editing");
  delete row.dataset.liveKeep;
  row.querySelector(".desk-edit")?.remove();
  if (row.dataset.gone) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    if (focus) go(rowOf(next) ?? rows()[0], { scroll: false });
  } else if (focus) {
    go(row, { scroll: false });
  }
};

const lose = (form, points) => {
  form.elements.loser.value = points;
  form.elements.loser.dispatchEvent(new Event("input", { bubbles: true }));
};

const fault = (form, text) => {
  form.querySelector(".desk-fault").textContent = text;
};

const record = async (form, row) => {
  const who = chosen(form);
  const lost = form.elements.loser.value.trim();
  if (!who) {
    fault(form, words.who ?? "");
    form.querySelector("[name=who]").focus();
    return;
  }
  if (!/^\d{1,3}$/.test(lost)) {
    fault(form, words.points ?? "");
    return;
  }
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  delete form.dataset.refused;
  const data = new FormData();
  const score = who === "a" ? [row.dataset.length, lost] : [lost, row.dataset.length];
  const fields = { score_a: score[0], score_b: score[1], kind: "played", winner: "", submission_key: form.dataset.key };
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set("csrfmiddlewaretoken", act.elements.csrfmiddlewaretoken.value);
  const answer = await send(form.action, data);
  delete form.dataset.sent;
  if (!answer) return;
  if (answer.message) {
    say(answer.message, { link: row.querySelector(".desk-number a").getAttribute("href"), undo: true });
    close(row);
  } else {
    if (answer.now) form.dataset.refused = "yes"; // it says what stands there now: nothing less takes its place
    fault(form, sentence(answer));
  }
  renew();
};

// Caught on its way down, before dialog.js takes the form for sent.
document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.matches?.(".desk-form")) return;
    event.preventDefault();
    event.stopPropagation();
    record(event.target, rowOf(event.target));
  },
  true,
);

document.addEventListener("input", (event) => {
  const form = event.target.closest?.(".desk-form");
  if (!form) return;
  fault(form, "");
  show(form, rowOf(form));
});

document.addEventListener("click", (event) => {
  const row = rowOf(event.target);
  if (!row || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const form = event.target.closest(".desk-form");
  if (event.target.closest("[data-cancel]")) return close(row);
  const number = event.target.closest(".desk-numbers button");
  if (number) return lose(form, number.textContent);
  if (form) return;
  if (event.target.closest("[data-result]")) {
    if (open(row)) event.preventDefault();
  } else if (!event.target.closest("a, button")) {
    const side = event.target.closest(".desk-a") ? "a" : event.target.closest(".desk-b") ? "b" : "";
    if (getSelection()?.isCollapsed === false) return;
    if (side && fine.matches) open(row, side);
    else if (!fine.matches) open(row);
    else go(row, { scroll: false });
  }
});

// --- keys ------------------------------------------------------------------------------------------------------------

const single = document.querySelector("[data-single-keys]"); // director-keys.js

const inForm = (event, form, row) => {
  const who = { ArrowLeft: "a", ArrowUp: "a", ArrowRight: "b", ArrowDown: "b" }[event.key];
  if (event.key === "Escape") {
    close(row);
  } else if (who && !event.target.matches("a")) {
    const radio = form.querySelector(`[name=who][value=${who}]`);
    radio.checked = true;
    if (!event.target.matches("[name=loser]")) radio.focus();
    fault(form, "");
    show(form, row);
  } else if (/^\d$/.test(event.key) && !event.target.matches("[name=loser]")) {
    const both = `${form.elements.loser.value}${event.key}`; // 1 and 2 are 12, where so many can be lost
    lose(form, Number(both) < Number(row.dataset.length) ? String(Number(both)) : event.key);
  } else if (event.key === "Backspace" && !event.target.matches("[name=loser]")) {
    lose(form, "");
  } else if (event.key === "Enter" && event.target.matches("[name=who]")) {
    form.requestSubmit();
  } else {
    return;
  }
  event.preventDefault();
};

const ACTIONS = {
  j: (row) => step(row, 1),
  k: (row) => step(row, -1),
  a: (row) => row?.querySelector(".desk-do :is(.desk-button:not(.is-second))")?.click(),
  o: (row) => row?.querySelector(".desk-number a")?.click(),
  c: () => document.querySelector("[data-call-next]")?.click(),
  f: () => document.getElementById("q")?.focus(),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const form = event.target.closest?.(".desk-form");
  if (form) return inForm(event, form, rowOf(form));
  if (event.target.id === "q" && event.key === "Escape" && !event.target.value) {
    event.preventDefault();
    return go(document.getElementById(present) ?? rows()[0]);
  }
  if (event.target.matches?.("input, select, textarea, [contenteditable]")) return;
  const on = rowOf(event.target);
  const here = on ?? document.getElementById(present);
  if (on) {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (move) {
      event.preventDefault();
      return step(on, move);
    }
    if (event.key === "Enter" && event.target === on) {
      event.preventDefault();
      if (!open(on)) on.querySelector(".desk-number a").click();
      return;
    }
  }
  const action = single?.checked && ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  if (!on && (event.key === "j" || event.key === "k")) go(here ?? rows()[0]);
  else action(here);
});

document.addEventListener("focusin", (event) => {
  const row = rowOf(event.target);
  if (!row || row.id === present) return;
  const before = document.getElementById(present);
  if (before?.matches(".desk-row")) stops(before, false);
  present = row.id;
  stops(row, true);
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-sends]")) event.target.form.requestSubmit();
});

// --- the page renews itself ------------------------------------------------------------------------------------------

let hold = null;

document.addEventListener("crawford:swapping", (event) => {
  const all = rows();
  const row = editing();
  const focused = rowOf(document.activeElement);
  const top = document.querySelector(".app-header")?.getBoundingClientRect().bottom ?? 0;
  const anchor = row ?? focused ?? (scrollY > 0 ? all.find((one) => one.getBoundingClientRect().bottom > top) : null);
  hold = { anchor, y: anchor?.getBoundingClientRect().top, lost: focused?.id, place: focused ? all.indexOf(focused) : -1 };
  if (!row || event.target.id !== "board-live") return;
  const { fresh } = event.detail;
  const now = fresh.ownerDocument.getElementById(row.id);
  if (now?.hasAttribute("data-report")) return;
  // Decided elsewhere while it was being typed: the line stays until it is closed, and says so.
  const form = row.querySelector("form");
  if (!row.dataset.gone && !form.dataset.refused) fault(form, words.gone ?? "");
  row.dataset.gone = "yes";
  now?.remove();
  const body = fresh.querySelector(`[data-key="${row.parentNode.dataset.key}"]`) ?? fresh.querySelector(".desk tbody");
  const before = [...(body?.children ?? [])].find((one) => all.findIndex((old) => old.id === one.id) > all.indexOf(row));
  if (body) body.insertBefore(fresh.ownerDocument.importNode(row, true), before ?? null);
});

document.addEventListener("crawford:swapped", (event) => {
  if (event.target.id === "board-live") settle();
  if (!hold) return;
  const { anchor, y, lost, place } = hold;
  hold = null;
  if (anchor?.isConnected) scrollBy(0, anchor.getBoundingClientRect().top - y);
  if (lost && !document.getElementById(lost)) go(rows()[Math.min(place, rows().length - 1)], { scroll: false });
});

// --- the place is kept from page to page -----------------------------------------------------------------------------

const PLACE = `crawford-board:${location.pathname}`;
addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ query: location.search, y: scrollY, present }));
  } catch {
    // the browser keeps it for reload and back
  }
});

const restore = () => {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  } catch {
    kept = null;
  }
  const named = location.hash.startsWith("#m-") && document.getElementById(location.hash.slice(1));
  if (kept?.query === location.search) {
    present = kept.present;
    if (!named) scrollTo(0, kept.y);
  }
  if (named) go(named);
};

restore();
settle();
