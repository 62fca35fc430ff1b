// A half-filled form survives a reload, a closed tab and a new sign-in: what was typed stays in the browser until it is sent or discarded.
// Forms of players (data-draft) for a week, under their address, which holds the link of one player: two who share a phone do not see each
// other's. On the pages of an event every form that is sent, for 12 hours, under the account and the address, which holds the event.
import { DRAFT as PREFIX, namesWith } from "./keeping.js";

const WEEK = 7 * 24 * 3600 * 1000; // ms
const HALF_A_DAY = 12 * 3600 * 1000; // ms
const MOST = 20;
const NEVER = new Set(["csrfmiddlewaretoken", "submission_key", "phone_code", "version", "seen", "record_key", "back"]);
const SECRET = /passw|secret|otp|credential|(^|[_-])codes?$/i;
const desk = document.querySelector("[data-line-queue]")?.dataset; // a page of an event that somebody directs
const words = document.querySelector("[data-kept]")?.dataset ?? desk ?? {};

const pathOf = (form) => new URL(form.getAttribute("action") || location.href, location.href).pathname;
const FORMS = desk ? 'form[method="post"]:not([data-desk-line]), form[data-draft]' : "form[data-draft]";
const isOfDesk = (form) => Boolean(desk) && !form.matches("[data-draft]");
const hidden = (form) => [...form.querySelectorAll("input[type=hidden]")].filter(({ name }) => !NEVER.has(name)).map(({ name, value }) => `&${name}=${value}`);
const placeOf = (form) => (isOfDesk(form) ? `${desk.account}:${pathOf(form)}${hidden(form).join("")}` : pathOf(form));
const nameOf = (place) => PREFIX + place;

const read = (name) => {
  try {
    const found = JSON.parse(localStorage.getItem(name));
    return found && Date.now() - found.at < (found.desk ? HALF_A_DAY : WEEK) ? found : null;
  } catch {
    return null;
  }
};

const forget = (path) => {
  try {
    localStorage.removeItem(nameOf(path));
  } catch {
    // there is nothing then
  }
};

const tidy = () => {
  const found = namesWith(PREFIX).map((name) => ({ name, draft: read(name) }));
  const old = found.filter(({ draft }) => !draft);
  const kept = found.filter(({ draft }) => draft).sort((a, b) => b.draft.at - a.draft.at);
  for (const { name } of [...old, ...kept.slice(MOST)]) localStorage.removeItem(name);
};

const put = (place, draft) => {
  try {
    localStorage.setItem(nameOf(place), JSON.stringify({ at: Date.now(), ...draft }));
  } catch {
    // it is not kept then
  }
};

const keep = (path, fields) => put(path, { fields });

const typed = (form) => {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && !NEVER.has(name) && value.length < 200_000) found[name] = value;
  }
  return found;
};

// Of a director's form what differs from what the server had sent: the rest may be changed by others meanwhile.
const changes = (form, { all = false } = {}) => {
  const found = {};
  for (const field of form.elements) {
    const isText = field.matches("textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=password], [type=file], [type=submit], [autocomplete=one-time-code])");
    const differs = isText ? field.value !== field.defaultValue : field.matches("select:not([multiple])") && !field.selectedOptions[0]?.defaultSelected;
    const isKept = (isText && all && field.value) || differs;
    if (isKept && field.name && !NEVER.has(field.name) && !SECRET.test(field.name) && field.value.length < 200_000) found[field.name] = field.value;
  }
  return found;
};

const save = (form) => {
  if (!isOfDesk(form)) return keep(placeOf(form), typed(form));
  const fields = changes(form);
  if (Object.keys(fields).length) put(placeOf(form), { fields, desk: true });
  else forget(placeOf(form));
};

const fill = (form, fields) => {
  let changed = false;
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements[name];
    if (!field || NEVER.has(name) || field.type === "file" || field.value === value) continue;
    field.value = value;
    changed = true;
    const [one] = field instanceof RadioNodeList ? [...field].filter((radio) => radio.checked) : [field];
    one?.dispatchEvent(new Event("input", { bubbles: true }));
    if (one && !one.hasAttribute("data-follows")) one.closest("details")?.setAttribute("open", "");
  }
  return changed;
};

const tell = (form, before) => {
  const message = document.createElement("p");
  message.className = "message is-info";
  message.dataset.back = "";
  const text = document.createElement("span");
  text.className = "message-text";
  text.textContent = words.back ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button is-quiet";
  button.textContent = words.discard ?? "";
  button.addEventListener("click", () => {
    fill(form, before);
    forget(placeOf(form));
    message.remove();
    form.querySelector("input:not([type=hidden]), textarea")?.focus();
  });
  message.append(text, button);
  form.prepend(message);
};

const start = (root) => {
  for (const form of root.querySelectorAll(FORMS)) {
    if (form.dataset.drafted !== undefined || form.method !== "post") continue;
    form.dataset.drafted = "";
    const place = placeOf(form);
    // A form that came back with faults holds what was typed already.
    const hasFaults = form.querySelector("[role=alert], .has-error") !== null;
    if (hasFaults && isOfDesk(form)) put(place, { fields: changes(form, { all: true }), desk: true });
    const draft = hasFaults ? null : read(nameOf(place));
    const before = typed(form);
    if (draft && fill(form, draft.fields)) tell(form, before);
  }
};

// What was typed last is not lost to the pause: it is saved as soon as the field or the page is left.
let timer = 0;
let unsaved = null;
const saveNow = () => {
  clearTimeout(timer);
  if (unsaved?.isConnected) save(unsaved);
  unsaved = null;
};
const changed = ({ target }) => {
  const form = target.closest?.(FORMS);
  if (!form || form.method !== "post") return;
  if (unsaved !== form) saveNow();
  unsaved = form;
  clearTimeout(timer);
  timer = setTimeout(saveNow, 300);
};
document.addEventListener("input", changed);
document.addEventListener("change", changed);
document.addEventListener("focusout", saveNow);
addEventListener("pagehide", saveNow);
document.addEventListener("visibilitychange", () => document.hidden && saveNow());
const done = (form) => {
  clearTimeout(timer);
  unsaved = null;
  forget(placeOf(form));
  form.querySelector("[data-back]")?.remove();
};
document.addEventListener("submit", ({ target: form, defaultPrevented }) => {
  if (form.matches("[data-draft]") && form.dataset.reached) done(form);
  else if (form.matches(FORMS) && isOfDesk(form) && !defaultPrevented) {
    saveNow();
    const draft = read(nameOf(placeOf(form)));
    if (draft) put(placeOf(form), { ...draft, sent: true });
  }
});
// The page that answered a form comes from a page of this site. Whoever went back, or opened an address, saw no answer.
const sentBefore = () => {
  const hasAnswer = performance.getEntriesByType("navigation")[0]?.type === "navigate" && document.referrer.startsWith(location.origin);
  for (const name of namesWith(PREFIX)) {
    const draft = read(name);
    if (!draft?.sent) continue;
    if (hasAnswer) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify({ ...draft, sent: false }));
  }
};
document.addEventListener("crawford:kept", ({ detail }) => done(detail.form));
document.addEventListener("crawford:draft", ({ detail }) => keep(detail.path, detail.fields));
document.addEventListener("crawford:swapped", ({ target }) => start(target));
tidy();
sentBefore();
start(document);
