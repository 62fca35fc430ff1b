// On a personal page: the service worker that opens it without network (js/worker.js), where the address allows it, and how to put it on the
// first screen. On an address without https there is neither, and the page says so.
const box = document.querySelector("[data-installing]");
const isGone = document.querySelector("[data-dead-link]") !== null;
const can = globalThis.isSecureContext && "serviceWorker" in navigator;
const isOwn = document.querySelector("[data-own-entry]") !== null;

const unhide = (name) => {
  const part = box?.querySelector(`[data-installing-${name}]`);
  if (part) part.hidden = false;
  return part;
};

const forgetStart = () => {
  try {
    if (localStorage.getItem("crawford-start") === location.pathname) localStorage.removeItem("crawford-start");
  } catch {
    // nothing was remembered
  }
  navigator.serviceWorker?.controller?.postMessage({ forget: "link" });
};

const begin = async () => {
  const { href } = location;
  const registered = await navigator.serviceWorker.register("/worker.js");
  const controlled = navigator.serviceWorker.controller;
  const { active } = await navigator.serviceWorker.ready;
  if (isOwn && !controlled) active.postMessage({ keep: href });
  return registered;
};

if (isOwn) {
  try {
    localStorage.setItem("crawford-start", location.pathname);
  } catch {
    // it starts with the events then
  }
}
if (isGone) forgetStart();
document.addEventListener("crawford:ended", forgetStart);
if (can) begin().catch(() => {}); // where it is switched off everything works as without
else unhide("plain");

// What a first visit has no need of is brought when it is wanted: notifications with their row, or where they are on or brought the visitor here.
const hasPush = () => {
  try {
    return localStorage.getItem("crawford-push") !== null;
  } catch {
    return false;
  }
};
const bringHallCode = () => document.querySelector("[data-hall-camera]") && import("./hall-code.js");
const notifications = document.querySelector("[data-push]")?.closest("details");
const bringPush = () => import("./push.js");
if (notifications && (notifications.open || hasPush() || new URLSearchParams(location.search).has("notice"))) bringPush();
else notifications?.addEventListener("toggle", bringPush, { once: true });
document.addEventListener("crawford:swapped", bringHallCode);
bringHallCode();

const isInstalled = matchMedia("(display-mode: standalone)").matches || navigator.standalone;
if (can && box && !isInstalled) {
  if (/iPhone|iPad/.test(navigator.userAgent) || navigator.standalone === false) unhide("apple");
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    const part = unhide("button");
    part.querySelector("button").addEventListener("click", () => event.prompt());
    addEventListener("appinstalled", () => (part.hidden = true));
  });
}
