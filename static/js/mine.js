// What is mine on pages that are the same for everybody. The phone remembers the entries whose personal link was opened on it (of
// several players, if they share it), with that link; who is signed in is told theirs by /me.json. Nothing of it leaves the phone. Rows,
// matches and sides of drawings carry the public id of an entry: what is mine gets the attribute data-mine, and the name a word beside it
// that is drawn by css/components/match.css and read by screen readers. A bar leads to my own page from each page of my event.
const KEY = "crawford-mine";
const MOST = 40;
const KEPT = 400 * 24 * 3600 * 1000; // ms
const NAMES = ".match-side-name, .match-row-name, .versus-name";
const FRESH = 21 * 24 * 3600 * 1000; // ms; so long pages without an event lead to the page of mine that was opened last
const PAGE = /^\/my\/[\w:.=~-]{8,200}\/$/; // a personal link of this site, and nothing else
const texts = document.getElementById("interface-texts")?.dataset ?? {};
const bar = document.querySelector("[data-my-bar]");
const signedIn = new Set();
let account = []; // events in which whoever is signed in plays

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
  for (const node of document.querySelectorAll("[aria-description][data-mine-described]")) {
    node.removeAttribute("aria-description");
    node.removeAttribute("data-mine-described");
  }
};

const say = (node, word) => {
  if (node) node.dataset.mineWord = word;
};

// A side of a drawing is silent: the link over its match says it all in one sentence.
const markSide = (side) => {
  side.dataset.mine = "";
  say(side.matches(".pairing-side, .result-side") ? side : side.querySelector(NAMES), texts.you);
  const link = side.closest(".bracket-match")?.querySelector(".bracket-link[href]");
  link?.setAttribute("aria-description", texts.yourMatch);
  if (link) link.dataset.mineDescribed = "";
  const match = side.closest(".match-card, .match-row, .pairing");
  if (match) match.dataset.mine = "";
  say(match?.querySelector(".match-card-head > :first-child"), texts.yourMatch);
};

const markRow = (row) => {
  row.dataset.mine = "";
  say(row.querySelector(".is-title, .list-main") ?? row, texts.you);
};

const link = (href, words, of) => {
  const made = Object.assign(document.createElement("a"), { className: "my-bar-link", href, textContent: words });
  if (of) made.append(Object.assign(document.createElement("span"), { className: "my-bar-name", textContent: of }));
  return made;
};

// One tap to my own page: of this event, of each player who shares the phone; where there is no event, of the last one opened.
const lead = (kept) => {
  if (!bar) return;
  const own = kept.filter((one) => PAGE.test(one.page ?? ""));
  const event = bar.dataset.event;
  const last = own.at(-1);
  const shown = event ? own.filter((one) => one.event === event) : last && Date.now() - last.at < FRESH ? [last] : [];
  const named = (one) => (shown.length > 1 || !event ? one.name : "");
  const links = shown.flatMap((one) => [
    link(one.page, texts.myPage, named(one)),
    ...(event ? [link(bar.dataset.way.replace(/entry\/$/, `${one.id}/`), texts.myWay, named(one))] : []),
  ]);
  if (!links.length && account.includes(event)) links.push(link(bar.dataset.myBar, texts.myPage));
  bar.replaceChildren(...links);
  bar.hidden = !links.length;
};

const mark = () => {
  if (!document.querySelector("[data-marks-mine]")) return;
  clear();
  const kept = remembered();
  for (const id of new Set([...kept.map((one) => one.id), ...signedIn])) {
    for (const row of document.querySelectorAll(`:is(tr, li)[data-key$="-${id}"]`)) markRow(row);
    for (const side of document.querySelectorAll(`[data-entry="${id}"]`)) markSide(side);
  }
  lead(kept);
  document.dispatchEvent(new CustomEvent("crawford:marked"));
};

const own = document.querySelector("[data-own-entry]")?.dataset;
if (own) {
  const { ownEntry: id, ownEvent: event, ownName: name, ownPage: page } = own;
  keep([...remembered().filter((one) => one.id !== id), { id, event, name, page, at: Date.now() }]);
}
// A link that is good no longer leads nobody here again; what it entered stays marked.
if (document.querySelector(".error-page[data-gone]")) {
  keep(remembered().map((one) => (location.pathname.startsWith(one.page ?? "/?") ? { id: one.id, at: one.at } : one)));
}

mark();
document.addEventListener("crawford:swapped", mark);
document.addEventListener("crawford:me", ({ detail }) => {
  for (const id of detail.entries ?? []) signedIn.add(id);
  account = detail.events ?? [];
  mark();
});
addEventListener("storage", ({ key }) => key === KEY && mark());

document.addEventListener("crawford:removed", mark);
