// What the browser keeps for people, and how all of it ends: at a sign-out what belongs to the account, with "Remove my data from this
// phone" everything. Names in localStorage begin with one of these prefixes.
export const LINE = "crawford-line-"; // lines of the command bar that were not answered (js/line-queue.js)
export const LINE_DRAFT = "crawford-typing-"; // what stands in the command bar
export const DRAFT = "crawford-draft-"; // half-filled forms (js/draft.js)
export const KEPT = "crawford-kept-"; // reports of players (js/kept.js)
export const PUSH = "crawford-push"; // notifications that were switched on (js/push.js)

export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const base64url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

export const csrfToken = () => /(?:^|; )csrftoken=(\w+)/.exec(document.cookie)?.[1] ?? "";

export const namesWith = (...prefixes) => {
  try {
    return Object.keys(localStorage).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  } catch {
    return []; // storage is off
  }
};

export const removeAll = (names) => {
  for (const name of names) localStorage.removeItem(name);
};
