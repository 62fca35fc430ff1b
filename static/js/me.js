// A page for everybody names nobody. Whoever has a session (the cookie crawford_in says so, and nothing else) asks who they are:
// the account's menu comes in the place of the link to the sign-in, and what only they may use is shown: [data-signed-in] instead of
// [data-signed-out], and [data-directs="club"] where they direct that club.
const place = document.querySelector("[data-me]");
const mayBeIn = /(?:^|; )crawford_in=1(?:;|$)/.test(document.cookie);
let me = null;

const show = () => {
  for (const node of document.querySelectorAll("[data-signed-in]")) node.hidden = false;
  for (const node of document.querySelectorAll("[data-signed-out]")) node.hidden = true;
  for (const node of document.querySelectorAll("[data-directs]")) node.hidden = !me.directs.includes(node.dataset.directs);
};

const menu = () => {
  const filled = document.getElementById("account-menu").content.cloneNode(true);
  for (const field of filled.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.value = me.token;
  for (const form of filled.querySelectorAll("[data-sign-out]")) form.dataset.signOut = me.account;
  const note = filled.querySelector("[data-me-name]");
  note.textContent = note.textContent.trim().replace("{name}", () => me.name);
  return filled;
};

const ask = async () => {
  const answer = await fetch(place.dataset.me, { cache: "no-store", redirect: "error" }).catch(() => null);
  me = answer?.ok ? await answer.json().catch(() => null) : null;
  if (!me?.signed_in) return;
  place.replaceWith(menu());
  show();
  document.dispatchEvent(new CustomEvent("crawford:me", { detail: me }));
  // What live.js has merged is as everybody gets it.
  document.addEventListener("crawford:swapped", show);
};

if (place && mayBeIn) ask();
