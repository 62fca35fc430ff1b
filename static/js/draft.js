// A half-filled form (data-draft) survives a reload and a closed tab: what was typed is kept on the phone until it is sent or thrown away.
// Under the form's address, which holds the link of one player: two who share a phone do not see each other's.
const PREFIX = "crawford-draft-";
const KEPT = 7 * 24 * 3600 * 1000; // ms
const MOST = 20;
const NEVER = new Set(["csrfmiddlewaretoken", "submission_key", "phone_code", "version", "record_key"]);
const words = document.querySelector("[data-kept]")?.dataset ?? {};

const nameOf = (path) => PREFIX + path;
const pathOf = (form) => new URL(form.action, location.href).pathname;

const stored = () => {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
};

const read = (name) => {
  try {
    const found = JSON.parse(localStorage.getItem(name));
    return found && Date.now() - found.at < KEPT ? found : null;
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
  const found = stored().map((name) => ({ name, draft: read(name) }));
  const old = found.filter(({ draft }) => !draft);
  const kept = found.filter(({ draft }) => draft).sort((a, b) => b.draft.at - a.draft.at);
  for (const { name } of [...old, ...kept.slice(MOST)]) localStorage.removeItem(name);
};

const keep = (path, fields) => {
  try {
    localStorage.setItem(nameOf(path), JSON.stringify({ at: Date.now(), fields }));
  } catch {
    // it is not kept then
  }
};

const typed = (form) => {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && !NEVER.has(name) && value.length < 200_000) found[name] = value;
  }
  return found;
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
    one?.closest("details")?.setAttribute("open", "");
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
    forget(pathOf(form));
    message.remove();
    form.querySelector("input:not([type=hidden]), textarea")?.focus();
  });
  message.append(text, button);
  form.prepend(message);
};

const start = (root) => {
  for (const form of root.querySelectorAll("form[data-draft]:not([data-ready])")) {
    form.dataset.ready = "";
    // A form that came back with faults holds what was typed already.
    const draft = form.querySelector("[role=alert], .has-error") ? null : read(nameOf(pathOf(form)));
    const before = typed(form);
    if (draft && fill(form, draft.fields)) tell(form, before);
  }
};

let timer = 0;
const changed = ({ target }) => {
  const form = target.closest?.("form[data-draft]");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => keep(pathOf(form), typed(form)), 300);
};
document.addEventListener("input", changed);
document.addEventListener("change", changed);
const done = (form) => {
  clearTimeout(timer);
  forget(pathOf(form));
  form.querySelector("[data-back]")?.remove();
};
document.addEventListener("submit", ({ target: form }) => {
  if (form.matches("[data-draft]") && form.dataset.reached) done(form);
});
document.addEventListener("crawford:kept", ({ detail }) => done(detail.form));
document.addEventListener("crawford:draft", ({ detail }) => keep(detail.path, detail.fields));
document.addEventListener("crawford:swapped", ({ target }) => start(target));
tidy();
start(document);
