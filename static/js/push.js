// “Tell me on this phone”: asks the browser to be woken, and says so to the site; or takes it back. An element [data-push] holds the address
// that is told, the site's key, and a sentence for each reason why it cannot be. The permission is asked for by the button alone.
// A page that was opened by a notice (?notice=…) says that somebody has seen it.
import { PUSH as KEY, base64url } from "./keeping.js"; // KEY: the addresses that were told, so that what is chosen off here stays off

const PATIENCE = 10000; // ms until a service worker must be there

const texts = (place, name) => place.querySelector(`[data-push-why="${name}"]`);
const remembered = () => {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
};
// The address for an account is the same for all of them, so the account stands beside it: another one is not subscribed unasked.
const nameOf = (place) => (place.dataset.pushFor ? `${place.dataset.push}#${place.dataset.pushFor}` : place.dataset.push);
const remember = (url, on) => {
  try {
    localStorage.setItem(KEY, JSON.stringify([...remembered().filter((one) => one !== url), ...(on ? [url] : [])].slice(-40)));
  } catch {
    // it is asked again then
  }
};
const post = (place, url, fields) => {
  const body = new URLSearchParams(fields);
  body.set("csrfmiddlewaretoken", place.querySelector("[name=csrfmiddlewaretoken]").value);
  return fetch(url, { method: "POST", body, credentials: "same-origin" });
};
const read = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

// Why this browser cannot be woken; nothing if it can.
const reason = () => {
  const apple = /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  const installed = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  if (!isSecureContext) return "insecure";
  if (apple && !installed) return "install";
  if (!("serviceWorker" in navigator && "PushManager" in window && window.Notification)) return "unable";
  return Notification.permission === "denied" ? "denied" : "";
};

// Brought here, too: not every page on which one asks to be told has a service worker.
const worker = () =>
  Promise.race([
    navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready),
    new Promise((_done, failed) => setTimeout(() => failed(new Error("no service worker")), PATIENCE)),
  ]);

const say = (place, name) => {
  for (const one of place.querySelectorAll("[data-push-why]")) one.hidden = one.dataset.pushWhy !== name;
};
const show = (place, state) => {
  place.querySelector("[data-push-on]").hidden = state !== "off";
  place.querySelector("[data-push-off]").hidden = state !== "on";
  say(place, state === "on" ? "on" : "");
};

const hand = async (place, subscription) => {
  const fields = {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey("p256dh")),
    auth: base64url(subscription.getKey("auth")),
  };
  const answer = await post(place, place.dataset.push, fields);
  if (!answer.ok) {
    const reply = await answer.json().catch(() => ({}));
    const words = texts(place, "refused");
    if (words && reply.detail) words.textContent = reply.detail;
    throw new Error("refused");
  }
  remember(nameOf(place), true);
  show(place, "on");
  // Only the browser and the site know the secret: by it the service worker proves what it was, should its address change.
  (await navigator.serviceWorker.ready).active?.postMessage({ woken: fields });
};

// The browser's subscription by the site's present key; one by another key is of no use any more.
const subscribed = async (manager, key, anew) => {
  const found = await manager.getSubscription();
  const with_ = found?.options?.applicationServerKey;
  if (found && with_ && base64url(with_) === key) return found;
  if (!anew) return null;
  await found?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: read(key) });
};

const on = async (place) => {
  if ((await Notification.requestPermission()) !== "granted") {
    say(place, "denied");
    return;
  }
  try {
    const { pushManager } = await worker();
    await hand(place, await subscribed(pushManager, place.dataset.pushKey, true));
  } catch (error) {
    say(place, error.message === "refused" ? "refused" : "failed");
  }
};

const off = async (place) => {
  const found = await worker().then(({ pushManager }) => pushManager.getSubscription()).catch(() => null);
  if (found) await post(place, place.dataset.push, { endpoint: found.endpoint, off: "1" }).catch(() => null);
  remember(nameOf(place), false);
  show(place, "off");
};

const start = async (place) => {
  const why = reason();
  if (why) {
    say(place, why);
    return;
  }
  show(place, "off");
  place.querySelector("[data-push-on]").addEventListener("click", () => on(place));
  place.querySelector("[data-push-off]").addEventListener("click", () => off(place));
  if (Notification.permission !== "granted" || !remembered().includes(nameOf(place))) return;
  // What the site knows is put right with each visit: it may have lost it, or have another key by now.
  const found = await worker().then(({ pushManager }) => subscribed(pushManager, place.dataset.pushKey, true)).catch(() => null);
  if (found) await hand(place, found).catch(() => null);
};

for (const place of document.querySelectorAll("[data-push]")) start(place);

const noteOpened = (address) => {
  const notice = address.searchParams.get("notice");
  const place = document.querySelector("[data-push-opened]");
  if (notice && place) post(place, place.dataset.pushOpened, { notice }).catch(() => null);
  return Boolean(notice);
};
const here = new URL(location.href);
if (noteOpened(here)) {
  here.searchParams.delete("notice");
  history.replaceState(history.state, "", here);
}
// The page was open already when the notice was tapped: the service worker says so.
navigator.serviceWorker?.addEventListener("message", ({ data }) => data?.opened && noteOpened(new URL(data.opened)));
