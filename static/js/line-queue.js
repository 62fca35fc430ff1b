// The queue of the command bar: each line is kept in localStorage under a key until the server has answered it, and sent from whichever page
// of the event is open, one after the other. The server remembers the key, so a line that is sent twice is done once. Lines belong to the
// account that typed them: under another account they are shown and not sent.
//
// A line that needs an answer stops the queue. After a rejected line those go on whose meaning was shown, and results; any other line
// ("undo", "call") may mean something else by then: it waits, and so does what follows it.
import { LINE, csrfToken, namesWith, newKey } from "./keeping.js";
import { sentenceOf } from "./refusal.js";

const KEPT = 12 * 3600 * 1000; // ms
const PATIENCE = 20_000; // ms until a request counts as lost
const PAUSES = [1, 2, 5, 10, 20, 30]; // s between attempts
const STALE = 10 * 60_000; // ms after which a line whose meaning was not shown is confirmed first
const LEASE = 8000; // ms for which a tab without navigator.locks may send

const panel = document.querySelector("[data-line-queue]");
const texts = panel?.dataset ?? {};
const { account, event } = texts;
const inMemory = new Map(); // where storage is off or full
const here = new Set(); // keys of lines that were entered on this page

// --- the store ---------------------------------------------------------------------------------------------------------

const read = (name) => {
  try {
    const job = JSON.parse(localStorage.getItem(name));
    return job?.key && LINE + job.key === name ? job : null;
  } catch {
    return null;
  }
};

const write = (job) => {
  try {
    localStorage.setItem(LINE + job.key, JSON.stringify(job));
    inMemory.delete(job.key);
  } catch {
    inMemory.set(job.key, job);
  }
};

const remove = (job) => {
  inMemory.delete(job.key);
  try {
    localStorage.removeItem(LINE + job.key);
  } catch {
    // it was in memory
  }
};

const all = () => {
  const stored = namesWith(LINE).map(read).filter(Boolean);
  for (const old of stored) if (Date.now() - old.at > KEPT) remove(old);
  return [...stored, ...inMemory.values()]
    .filter((job) => job.event === event && Date.now() - job.at <= KEPT)
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
};

const mine = () => all().filter((job) => job.account === account);

const isThere = (job) => mine().some((one) => one.key === job.key);

const change = (job, fields) => {
  if (isThere(job)) write(Object.assign(job, fields)); // if not, it was cancelled, or another tab had its answer
};

const NEW = { tries: 0, fails: 0, next: 0, sentAs: "", asked: null, refused: null, held: false };

// A line with another meaning is another sending, in the same place.
const renewed = (job, fields) => {
  const next = { ...job, key: newKey(), ...NEW, ...fields };
  if (here.delete(job.key)) here.add(next.key);
  if (isThere(job)) write(next);
  remove(job);
  return next;
};

// Nothing stands in the way of these any more; if something does, the server says so again.
const release = () => {
  for (const held of mine().filter((one) => one.held)) change(held, { held: false });
};

// --- for the command bar -----------------------------------------------------------------------------------------------

// `meaning`: of what was shown before Enter. `instead`: the line that needed an answer, which this one is.
export const enqueue = ({ line, meaning = null, instead = null }) => {
  const fields = { line, mark: meaning?.mark ?? "" };
  const before = instead && mine().find((job) => job.key === instead);
  if (before) {
    renewed(before, { ...fields, typed: Date.now() });
    release();
  } else {
    const last = mine().at(-1);
    const at = Math.max(Date.now(), (last?.at ?? 0) + 1);
    const job = { key: newKey(), account, name: texts.name, event, at, typed: Date.now(), ...NEW, ...fields };
    here.add(job.key);
    write(job);
  }
  show();
  send();
};

export const cancel = (key) => {
  const job = mine().find((one) => one.key === key);
  if (!job || !isOurs(job)) return;
  remove(job);
  release();
  show();
  send();
};

// What may be thrown away: what was not sent yet, or was answered.
const isOurs = (job) => job.asked || job.refused || !job.tries;

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`crawford:line-${name}`, { detail }));

// --- sending -----------------------------------------------------------------------------------------------------------

let state = ""; // why nothing is sent: "signed-out", "other-account", "offline"
let timer = 0;
let running = false;

const nextJob = () => {
  const jobs = mine();
  for (const job of jobs) {
    if (job.refused) continue;
    if (job.asked || job.held) return null;
    return job;
  }
  return null;
};

const request = (url, options = {}) =>
  fetch(url, {
    ...options,
    headers: { "X-Requested-With": "desk", Accept: "application/json" },
    cache: "no-store",
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE),
  });

const later = (job, seconds, why) => {
  state = why;
  const pause = seconds || PAUSES[Math.min(job.fails, PAUSES.length - 1)];
  change(job, { fails: job.fails + 1, next: Date.now() + pause * 1000 });
};

const markOf = (job) => job.mark || (mine().some((one) => one.refused) ? "typed-result" : "typed");

const post = (job) => {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", csrfToken() || panel.querySelector("[name=csrfmiddlewaretoken]").value);
  body.set("line", job.line);
  body.set("mark", job.sentAs);
  body.set("submission_key", job.key);
  body.set("account", job.account);
  return request(texts.lineQueue, { method: "POST", body });
};

const look = (job) => request(`${texts.lineQueue}?${new URLSearchParams({ line: job.line })}`);

// Whether the queue goes on at once.
const attempt = async (job) => {
  const isStale = !job.mark && !job.tries && Date.now() - job.typed > STALE;
  let answer;
  let reply;
  // From now on it may have arrived, and is sent again as it was.
  if (!isStale) change(job, { tries: job.tries + 1, next: Date.now(), sentAs: job.sentAs || markOf(job) });
  try {
    answer = await (isStale ? look(job) : post(job));
    if (answer.type === "opaqueredirect") {
      later(job, 30, "signed-out");
      return false;
    }
    if (answer.status >= 500 || answer.status === 429) {
      later(job, Number(answer.headers.get("Retry-After")), (await sentenceOf(answer)) || "offline");
      return false;
    }
    if (answer.status === 403 && job.fails < 2) {
      later(job, 2, ""); // its answer brought the cookie that was missing
      return false;
    }
    if (answer.headers.get("Content-Type")?.startsWith("application/json")) reply = await answer.json();
    else if (answer.status < 400) {
      later(job, 0, "offline"); // the page of a network that wants to be signed in to
      return false;
    }
  } catch {
    later(job, 0, "offline");
    return false;
  }
  state = "";
  return settle(job, reply, isStale);
};

const settle = (job, reply, isStale) => {
  if (reply?.other_account) {
    state = "other-account";
    change(job, { next: Date.now() + 60_000 });
    return false;
  }
  if (reply?.done) {
    remove(job);
    tell("done", { words: reply.done });
    document.dispatchEvent(new CustomEvent("crawford:ask"));
    return true;
  }
  if (reply?.go && !reply.meanings) {
    // a page of its own; beside meanings it is a hint
    remove(job);
    if (here.has(job.key)) location.assign(reply.go);
    return true;
  }
  if (reply?.waits) {
    renewed(job, { held: true });
    return false;
  }
  const sentences = reply?.sentences?.length ? reply.sentences : [isStale ? texts.stale : texts.refused];
  const shape = reply?.meanings ? { ...reply, sentences } : null;
  const stopped = renewed(job, shape?.meanings.length ? { asked: shape } : { refused: shape ?? { line: job.line, meanings: [], sentences } });
  tell("stopped", { job: stopped, isHere: here.has(stopped.key) });
  document.dispatchEvent(new CustomEvent("crawford:ask"));
  return Boolean(stopped.refused);
};

const sendAll = async () => {
  for (let job = nextJob(); job; job = nextJob()) {
    const wait = job.next - Date.now();
    if (wait > 0) {
      clearTimeout(timer);
      timer = setTimeout(send, wait);
      return;
    }
    show(job.key);
    const goesOn = await attempt(job);
    show();
    if (!goesOn) {
      const left = nextJob();
      clearTimeout(timer);
      if (left) timer = setTimeout(send, Math.max(200, left.next - Date.now()));
      return;
    }
  }
};

// One tab sends at a time; whether it was this one. Without navigator.locks (plain http) a lease in localStorage says which; the key alone keeps a line from being
// done twice, should two tabs take it in the same moment.
const alone = async (work) => {
  const name = `crawford-sending-${event}-${account}`;
  if (navigator.locks) {
    await navigator.locks.request(name, work);
    return true;
  }
  const me = newKey();
  const held = () => JSON.parse(localStorage.getItem(name) ?? "{}");
  const take = () => localStorage.setItem(name, JSON.stringify({ me, until: Date.now() + LEASE }));
  try {
    if ((held().until ?? 0) <= Date.now()) {
      take();
      await new Promise((resolve) => setTimeout(resolve, 50)); // a tab that took it in the same moment has written by then
    }
    if (held().me !== me) {
      clearTimeout(timer);
      timer = setTimeout(send, LEASE / 8);
      return false;
    }
  } catch {
    await work(); // no storage, so no other tab has these lines
    return true;
  }
  const renewing = setInterval(take, LEASE / 4);
  try {
    await work();
  } finally {
    clearInterval(renewing);
    localStorage.removeItem(name);
  }
  return true;
};

const send = async () => {
  if (running || !panel || !nextJob()) return;
  running = true;
  let sent = false;
  try {
    sent = await alone(sendAll);
  } finally {
    running = false;
  }
  const left = nextJob();
  if (sent && left && left.next <= Date.now()) send(); // entered while the last one was on its way
};

// --- on the page -------------------------------------------------------------------------------------------------------

const node = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text });

const button = (text, work) => {
  const made = node("button", "button is-quiet", text);
  made.type = "button";
  made.addEventListener("click", work);
  return made;
};

const row = (job, sending) => {
  const made = node("li", "line-queue-row", "");
  made.dataset.key = job.key;
  made.append(node("code", "", job.line));
  const stopped = job.refused ?? job.asked;
  const words = stopped ? stopped.sentences.join(" ") : job.account !== account ? "" : job.key === sending ? texts.sending : job.held ? texts.held : job.tries ? texts.unanswered : "";
  if (words) made.append(node("span", "", words));
  if (job.account !== account) return made;
  if (stopped && document.querySelector("[data-desk-line] [name=line]")?.offsetParent) made.append(button(texts.answer, () => tell("answer", { job })));
  if (isOurs(job) && job.key !== sending) made.append(button(job.refused ? texts.dismiss : texts.cancel, () => cancel(job.key)));
  return made;
};

const counted = (jobs) => (jobs.length === 1 ? texts.one : texts.many).replace("{count}", () => jobs.length);

const show = (sending = "") => {
  if (!panel) return;
  const jobs = all();
  const own = jobs.filter((job) => job.account === account);
  const others = jobs.filter((job) => job.account !== account);
  const refused = own.filter((job) => job.refused);
  const open = own.filter((job) => !job.refused);
  panel.hidden = !jobs.length;
  panel.dataset.count = open.length;
  panel.querySelector("[data-count]").textContent = [
    open.length ? counted(open) : "",
    refused.length ? (refused.length === 1 ? texts.refusedOne : texts.refusedMany).replace("{count}", () => refused.length) : "",
    others.length ? counted(others) : "",
  ].filter(Boolean).join(" · ");
  const notes = { "signed-out": texts.sessionOver, "other-account": texts.otherAccount, offline: texts.offline };
  const owners = [...new Set(others.map((job) => job.name))].map((name) => texts.theirs.replaceAll("{name}", () => name));
  const note = [open.length ? (notes[state] ?? state) : "", inMemory.size ? texts.unkept : "", ...owners].filter(Boolean).join(" ");
  panel.querySelector("[data-note]").textContent = note;
  panel.querySelector("[data-sign-in]").hidden = state !== "signed-out" || !open.length;
  panel.querySelector("ol").replaceChildren(...jobs.map((job) => row(job, sending)));
  if (note || own.some((job) => job.asked || job.refused)) panel.querySelector("details").open = true;
};

const wake = () => {
  const job = nextJob();
  if (job && !running) change(job, { next: 0 });
  send();
};

if (panel) {
  addEventListener("storage", ({ key }) => {
    if (key !== null && !key.startsWith(LINE)) return;
    show();
    send();
  });
  addEventListener("online", wake);
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  document.addEventListener("visibilitychange", () => document.hidden || send());
  // Only what no storage keeps can be lost.
  addEventListener("beforeunload", (leaving) => inMemory.size && leaving.preventDefault());
  show();
  wake();
}
