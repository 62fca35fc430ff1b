// What is mine on pages that are the same for everybody. The phone remembers the entries whose personal link was opened on it (of
// several players, if they share it); who is signed in is told theirs by /me.json. Nothing of it leaves the phone. Rows, matches and
// sides of drawings carry the public id of an entry: what is mine gets the attribute data-mine, and the name a word beside it that is
// drawn by css/components/match.css and read by screen readers.
const KEY = "crawford-mine";
const MOST = 40;
const KEPT = 400 * 24 * 3600 * 1000; // ms
const NAMES = ".match-side-name, .versus-name";
const texts = document.getElementById("interface-texts")?.dataset ?? {};
const forget = document.querySelector("[data-forget-mine]");
const signedIn = new Set();

const remembered = () => {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => /^[a-z0-9]{1,16}$/.test(one?.id) && Date.now() - one.at < KEPT) : [];
  } catch {
    return []; // storage is off, or holds what is not ours
  }
};

const keep = (kept) => {
  try {
    if (kept.length) localStorage.setItem(KEY, JSON.stringify(kept.slice(-MOST)));
    else localStorage.removeItem(KEY);
  } catch {
    // it is not remembered then
  }
};

const clear = () => {
  for (const node of document.querySelectorAll("[data-mine]")) node.removeAttribute("data-mine");
  for (const node of document.querySelectorAll("[data-mine-word]")) node.removeAttribute("data-mine-word");
  for (const node of document.querySelectorAll("[aria-description][data-mine-said]")) {
    node.removeAttribute("aria-description");
    node.removeAttribute("data-mine-said");
  }
};

const say = (node, word) => {
  if (node) node.dataset.mineWord = word;
};

// A side of a drawing is silent: the link over its match says it all in one sentence.
const markSide = (side) => {
  side.dataset.mine = "";
  say(side.matches(".pairing-side") ? side : side.querySelector(NAMES), texts.you);
  const link = side.closest(".bracket-match")?.querySelector(".bracket-link[href]");
  link?.setAttribute("aria-description", texts.yourMatch);
  if (link) link.dataset.mineSaid = "";
  const match = side.closest(".match-card, .pairing");
  if (match) match.dataset.mine = "";
  say(match?.querySelector(".match-card-head > :first-child"), texts.yourMatch);
};

const markRow = (row) => {
  row.dataset.mine = "";
  say(row.querySelector(".is-title, .list-main") ?? row, texts.you);
};

const mark = () => {
  if (!document.querySelector("[data-marks-mine]")) return;
  clear();
  const kept = remembered();
  for (const id of new Set([...kept.map((one) => one.id), ...signedIn])) {
    for (const row of document.querySelectorAll(`:is(tr, li)[data-key$="-${id}"]`)) markRow(row);
    for (const side of document.querySelectorAll(`[data-entry="${id}"]`)) markSide(side);
  }
  if (forget) forget.hidden = !kept.length;
};

const own = document.querySelector("[data-own-entry]")?.dataset.ownEntry;
if (own) keep([...remembered().filter((one) => one.id !== own), { id: own, at: Date.now() }]);

mark();
document.addEventListener("crawford:swapped", mark);
document.addEventListener("crawford:me", ({ detail }) => {
  for (const id of detail.entries ?? []) signedIn.add(id);
  mark();
});
addEventListener("storage", ({ key }) => key === KEY && mark());

forget?.addEventListener("click", () => {
  keep([]);
  mark();
  forget.hidden = true;
  const said = document.getElementById("announcer");
  if (said) said.textContent = forget.dataset.forgetMine;
  document.querySelector("main")?.focus({ preventScroll: true });
});
