// What ends what the browser keeps: a sign-out, for the account; the button that removes a phone's data, for everybody. Colours, sounds and the
// place on a page say nothing of a person and stay.
import { DRAFT, KEPT, LINE, LINE_DRAFT, PUSH, base64url, namesWith, removeAll } from "./keeping.js";

const OWN = [LINE, LINE_DRAFT, DRAFT, KEPT, PUSH, "crawford-mine", "crawford-start", "crawford-matches", "crawford-shown-"];
const SIGN_OUT = "form[data-sign-out]";
const texts = document.getElementById("interface-texts")?.dataset ?? {};
const button = document.querySelector("[data-remove-mine]");

const waiting = (account) =>
  namesWith(LINE).filter((name) => {
    try {
      const job = JSON.parse(localStorage.getItem(name));
      return !job.refused && (account === null || job.account === account);
    } catch {
      return false;
    }
  });

const question = (count) => (texts.lost ?? "").replace("{count}", () => count);

// --- sign-out ----------------------------------------------------------------------------------------------------------

const linesOf = (account) => namesWith(LINE).filter((name) => localStorage.getItem(name).includes(`"account":"${account}"`));

const endOf = (account) => {
  removeAll([...linesOf(account), ...namesWith(`${LINE_DRAFT}${account}-`, `${DRAFT}${account}:`)]);
  const others = JSON.parse(localStorage.getItem(PUSH) ?? "[]").filter((one) => !one.endsWith(`#${account}`));
  if (others.length) localStorage.setItem(PUSH, JSON.stringify(others));
  else localStorage.removeItem(PUSH);
};

// The question that js/dialog.js asks when the form is sent, if lines would be lost.
document.addEventListener(
  "click",
  ({ target }) => {
    const form = target.closest?.("button")?.form;
    if (!form?.matches(SIGN_OUT)) return;
    const count = target.closest("button").name === "others" ? 0 : waiting(form.dataset.signOut).length;
    if (count) form.dataset.confirm = question(count);
    else delete form.dataset.confirm;
  },
  true,
);

document.addEventListener("submit", ({ target: form, submitter, defaultPrevented }) => {
  if (defaultPrevented || !form.matches(SIGN_OUT) || submitter?.name === "others") return;
  try {
    endOf(form.dataset.signOut);
  } catch {
    // storage is off, so nothing was kept
  }
});

// --- The button that removes a phone's data ----------------------------------------------------------------------------------

const subscription = async () => {
  const worker = await navigator.serviceWorker?.getRegistration();
  return (await worker?.pushManager?.getSubscription()) ?? null;
};

const endPush = async () => {
  const found = await subscription();
  if (!found) return;
  // Ended at the push service too: without network the site hears of it from there.
  const body = new URLSearchParams({ endpoint: found.endpoint, auth: base64url(found.getKey("auth")) });
  await fetch(button.dataset.removePush, { method: "POST", body, credentials: "omit" }).catch(() => null);
  await found.unsubscribe();
};

const show = async () => {
  button.hidden = !namesWith(...OWN).length && !(await subscription().catch(() => null));
};

const remove = async () => {
  const count = waiting(null).length + namesWith(KEPT).length;
  if (count && !confirm(question(count))) return;
  removeAll(namesWith(...OWN));
  navigator.serviceWorker?.controller?.postMessage({ forget: "own" });
  for (const name of ["crawford-keys", "crawford-kept"]) indexedDB.deleteDatabase(name);
  await Promise.all([endPush().catch(() => null), globalThis.caches?.delete("crawford-woken")]);
  document.dispatchEvent(new CustomEvent("crawford:removed"));
  button.hidden = true;
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = button.dataset.removeMine;
  document.querySelector("main")?.focus({ preventScroll: true });
};

if (button) {
  button.addEventListener("click", remove);
  show();
  document.addEventListener("crawford:marked", show);
  document.addEventListener("focusout", () => setTimeout(show)); // what was typed is saved by now
}
