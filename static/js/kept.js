// What a player says of a match (forms with data-keeps) is kept on the phone before it is sent: text in localStorage, a file in IndexedDB.
// A form that reaches the site is sent as any form. What did not reach it is sent from here, with the key that it had at first, so the site
// takes it once: on load, when there is network again, when the page is looked at, and after pauses, until the site has answered.
// A cookie that the site sets says which key it has answered on a page of its own.
import { KEPT as PREFIX, csrfToken, namesWith, newKey } from "./keeping.js";

const KEPT = 60 * 24 * 3600 * 1000; // ms; links are dead by then
const PATIENCE = 20_000; // ms
const PAUSES = [5, 15, 30, 60, 120, 300]; // s
const SHOWN_FOR = 8_000; // ms
const UNDER_WAY = 30_000; // ms in which the tab that sent a form hears of it itself
const place = document.querySelector("[data-kept]");
const words = place?.dataset ?? {};
const own = words.kept || null; // the entry whose page this is
const homeOf = (path) => path.split("/").slice(0, 3).join("/") + "/";
const here = homeOf(location.pathname);
const isMine = (claim) => claim.entry === own || claim.home === here;

// --- the store ---------------------------------------------------------------------------------------------------------

const read = (key) => {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + key));
    return found?.key === key && found.url?.startsWith("/my/") ? found : null;
  } catch {
    return null; // storage is off, or holds what is not ours
  }
};

const write = (claim) => {
  try {
    localStorage.setItem(PREFIX + claim.key, JSON.stringify(claim));
    return true;
  } catch {
    return false;
  }
};

// What was thrown away while it was on its way stays away, whatever the site answers.
const update = (claim) => {
  if (read(claim.key)) write(claim);
};

export const waiting = () => {
  const found = namesWith(PREFIX).map((name) => read(name.slice(PREFIX.length))).filter(Boolean);
  for (const old of found) if (Date.now() - old.at > KEPT) drop(old);
  return found.filter((claim) => Date.now() - claim.at <= KEPT).sort((a, b) => a.at - b.at);
};

// Files, and what the service worker sends while no page is open: it does not see localStorage.
const inBase = (name, mode, work) =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("crawford-kept", 1);
    opening.onupgradeneeded = () => ["files", "claims"].forEach((one) => opening.result.createObjectStore(one));
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const doing = opening.result.transaction(name, mode);
      const asked = work(doing.objectStore(name));
      doing.oncomplete = () => {
        opening.result.close();
        resolve(asked.result);
      };
      doing.onabort = () => reject(doing.error);
    };
  });

export const drop = (claim) => {
  try {
    localStorage.removeItem(PREFIX + claim.key);
  } catch {
    return;
  }
  if (claim.file) inBase("files", "readwrite", (store) => store.delete(claim.key)).catch(() => {});
  if (claim.synced) inBase("claims", "readwrite", (store) => store.delete(claim.key)).catch(() => {});
};

// --- keeping -----------------------------------------------------------------------------------------------------------

const fieldsOf = (form) => {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && name !== "csrfmiddlewaretoken" && value.length < 200_000) found[name] = value;
  }
  return found;
};

const keep = (form) => {
  const fields = fieldsOf(form);
  if (!fields.submission_key || !own) return null;
  const { pathname } = new URL(form.action, location.href);
  const file = form.querySelector('input[type="file"]')?.files[0] ?? null;
  const claim = {
    key: fields.submission_key,
    url: pathname,
    home: homeOf(pathname),
    entry: own,
    match: form.dataset.keeps,
    fields,
    label: form.dataset.label ?? "",
    score: fields.mine === undefined ? "" : `${fields.mine}–${fields.theirs}`,
    file: file ? file.name : "",
    at: Date.now(),
    tries: 0,
    next: Date.now() + UNDER_WAY,
    leaving: true, // as a form, with the page
  };
  // What was said last counts.
  for (const before of waiting()) {
    if (before.key !== claim.key && before.entry === claim.entry && before.match === claim.match) drop(before);
  }
  if (!write(claim)) return null;
  if (file) {
    inBase("files", "readwrite", (store) => store.put(file, claim.key)).catch(() => {
      claim.lostFile = true;
      update(claim);
      show();
    });
  }
  return claim;
};

document.addEventListener("submit", ({ target: form, submitter }) => {
  if (form.matches("[data-keeps]") && !submitter?.name) keep(form);
});

// The queue alone sends a word that was not sent as a form: one that is handed from phone to phone.
export const put = (word) => {
  const claim = { tries: 0, file: "", ...word, at: Date.now(), next: Date.now(), synced: Boolean(navigator.serviceWorker?.controller) };
  for (const before of waiting()) {
    if (before.key !== claim.key && before.entry === claim.entry && before.match === claim.match) drop(before);
  }
  if (!write(claim)) return false;
  if (claim.synced) syncLater(claim);
  show();
  flush();
  return true;
};

// What stands in a form, kept and sent by the queue.
export const queue = (form) => {
  const claim = keep(form);
  if (!claim) return;
  put({ ...claim, leaving: false });
  form.elements.submission_key.value = newKey();
  document.dispatchEvent(new CustomEvent("crawford:kept", { detail: { claim, form } }));
};

// The site did not answer, so the form was not sent (js/dialog.js): from now on this is the queue's.
document.addEventListener("crawford:unsent", (event) => {
  const { form } = event.detail;
  const claim = form.matches("[data-keeps]") && !event.detail.submitter?.name && read(form.elements.submission_key.value);
  if (!claim) return;
  event.preventDefault();
  claim.next = Date.now() + PAUSES[0] * 1000;
  claim.leaving = false;
  claim.synced = Boolean(navigator.serviceWorker?.controller);
  write(claim);
  if (claim.synced) syncLater(claim);
  form.elements.submission_key.value = newKey(); // whatever is sent from here next is another word
  document.dispatchEvent(new CustomEvent("crawford:kept", { detail: { claim, form } }));
  show();
  place?.querySelector(`[data-key="${claim.key}"]`)?.scrollIntoView({ block: "nearest" });
  plan();
});

// Where the browser can it sends by the service worker, also while no page is open (Background Sync).
const syncLater = async (claim) => {
  try {
    await inBase("claims", "readwrite", (store) => store.put(claim, claim.key));
    await (await navigator.serviceWorker.ready).sync?.register("crawford-kept");
  } catch {
    // it is sent from a page
  }
};
navigator.serviceWorker?.addEventListener("message", ({ data }) => data === "flush" && flush({ now: true }));

// --- sending -----------------------------------------------------------------------------------------------------------

const later = (claim, seconds) => {
  claim.tries += 1;
  claim.next = Date.now() + (seconds || PAUSES[Math.min(claim.tries, PAUSES.length) - 1]) * 1000 * (0.9 + Math.random() * 0.2);
  update(claim);
};

const token = async (claim) => {
  if (!csrfToken()) await fetch(claim.home, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  return csrfToken();
};

// A page of this site, and not one that a network in a hotel puts in its place.
const isOurs = (page) => page.getElementById("interface-texts") !== null;

const sentences = (page, selector) =>
  [...new Set([...page.querySelectorAll(selector)].map((node) => node.textContent.trim().replace(/\s+/g, " ")))].filter(Boolean).join(" ");

const post = async (claim) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(claim.fields)) body.append(name, value);
  body.append("csrfmiddlewaretoken", await token(claim));
  if (claim.file && !claim.lostFile) {
    const file = await inBase("files", "readonly", (store) => store.get(claim.key)).catch(() => null);
    if (file) body.append("record", file, claim.file);
  }
  return fetch(claim.url, { method: "POST", body, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
};

const send = async (claim) => {
  let answer;
  let page;
  try {
    answer = await post(claim);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return later(claim);
  }
  if (!isOurs(page) || answer.status >= 500 || answer.status === 429) return later(claim, Number(answer.headers.get("Retry-After")));
  if (answer.ok && answer.redirected && new URL(answer.url).pathname === claim.home) return taken(claim, page);
  if (answer.ok) return later(claim);
  if (answer.status === 403 && page.getElementById("door")) {
    // Another phone speaks by this link; the desk was asked, and may let this one in at any moment.
    claim.words = sentences(page, "#door [role=alert]");
    return later(claim, 20);
  }
  if (answer.status === 403 && claim.tries < 2) return later(claim, 2); // its answer brought the cookie that was missing
  claim.refused = answer.status;
  claim.words = sentences(page, "[data-dead-link] .lead, main [role=alert], main .field-error") || words.refused;
  update(claim);
};

const taken = (claim, page) => {
  drop(claim);
  // Said once; how far the result is from now on, the page itself says.
  const sentence = sentences(page, ".messages .message-text") || words.sent;
  const stack = document.querySelector(".toast-stack");
  if (stack && place && isMine(claim)) {
    const toast = Object.assign(document.createElement("p"), { className: "toast", textContent: sentence });
    stack.append(toast);
    setTimeout(() => toast.remove(), SHOWN_FOR);
  }
  document.dispatchEvent(new CustomEvent("crawford:ask"));
};

let timer = 0;
let busy = false;

export const flush = async ({ now = false } = {}) => {
  if (busy) return;
  busy = true;
  try {
    for (const claim of waiting()) {
      if (!claim.refused && ((now && !claim.leaving) || claim.next <= Date.now())) {
        await send(claim);
        show();
      }
    }
  } finally {
    busy = false;
  }
  plan();
};

const plan = () => {
  clearTimeout(timer);
  const open = waiting().filter((claim) => !claim.refused);
  if (open.length) timer = setTimeout(flush, Math.max(1000, Math.min(...open.map((claim) => claim.next)) - Date.now()));
};

// --- on the page -------------------------------------------------------------------------------------------------------

const time = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const draw = (claim) => {
  const card = place.querySelector("template").content.firstElementChild.cloneNode(true);
  card.dataset.key = claim.key;
  card.dataset.state = claim.refused ? "refused" : "kept";
  const fill = (name, text) => (card.querySelector(`[data-${name}]`).textContent = text);
  fill("what", [claim.label, claim.score, claim.file].filter(Boolean).join(" · "));
  fill("when", claim.refused ? "" : words.since.replace("{time}", () => time.format(claim.at)));
  fill("why", [claim.words, claim.lostFile ? words.lostFile : ""].filter(Boolean).join(" "));
  for (const part of card.querySelectorAll("[data-in]")) part.hidden = !part.dataset.in.split(" ").includes(card.dataset.state);
  card.querySelector("[data-change]").hidden ||= claim.refused !== 422;
  return card;
};

// While a result of a match waits here, there is no form for another one.
const close = (claims) => {
  for (const section of document.querySelectorAll(".my-match[data-match]")) {
    section.toggleAttribute("data-waits", claims.some((claim) => !claim.refused && claim.match === section.dataset.match));
  }
};

const show = () => {
  if (!place) return;
  const claims = waiting().filter((claim) => isMine(claim) && !claim.leaving);
  for (const card of place.querySelectorAll(".kept")) {
    if (!claims.some((claim) => claim.key === card.dataset.key)) card.remove();
  }
  for (const claim of claims) {
    const before = place.querySelector(`[data-key="${claim.key}"]`);
    const card = draw(claim);
    if (!before) place.append(card);
    else if (!before.isEqualNode(card)) before.replaceWith(card);
  }
  place.hidden = !place.querySelector(".kept");
  close(claims);
};

place?.addEventListener("click", ({ target }) => {
  const claim = read(target.closest(".kept")?.dataset.key);
  if (!claim) return;
  if (target.closest("[data-now]")) flush({ now: true });
  if (target.closest("[data-change]")) {
    document.dispatchEvent(new CustomEvent("crawford:draft", { detail: { path: claim.url, fields: claim.fields } }));
    drop(claim);
    location.assign(claim.url);
  }
  if (target.closest("[data-drop]")) {
    drop(claim);
    show();
    document.querySelector("main")?.focus({ preventScroll: true });
  }
});

const answered = /(?:^|; )answered=([\w-]+)/.exec(document.cookie)?.[1];
if (answered && read(answered)) drop(read(answered));
// A form that was on its way when its page was left has been heard of by now, or never will be.
for (const claim of waiting()) {
  if (claim.leaving) write({ ...claim, leaving: false });
  // A link that was made anew speaks for the same entry: what the old one could not send goes by it.
  if (own && claim.entry === own && claim.home !== here) {
    write({ ...claim, leaving: false, refused: 0, words: "", home: here, url: claim.url.replace(claim.home, here) });
  }
}
addEventListener("online", () => flush({ now: true }));
document.addEventListener("visibilitychange", () => document.hidden || flush());
addEventListener("storage", ({ key }) => key?.startsWith(PREFIX) && show());
document.addEventListener("crawford:swapped", show);
show();
flush({ now: true });
