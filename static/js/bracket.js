// Comfort for brackets: a player is found and followed through all parts of the draw, the ways between the parts show
// themselves, jumping to a round folds the earlier ones away, arrows lead from match to match. All of it is extra: the
// drawing and its links work without.
import { begin, layAll, onNarrow, onWall, reveal, turns } from "./bracket-rounds.js";
import { zoomAll } from "./bracket-zoom.js";
import "./bracket-hall.js";

const texts = document.getElementById("interface-texts")?.dataset ?? {};
const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
const marks = ["is-found", "is-meant", "is-way-in", "is-way-out"];
const clear = (bracket, ...names) => {
  for (const name of names) for (const node of bracket.querySelectorAll(`.${name}`)) node.classList.remove(name);
};

// The lines between two matches of one entry in one part of the draw, and the entry in each of them.
const follow = (bracket, test, mark = "is-found") => {
  clear(bracket, "is-found", "is-way-in", "is-way-out");
  const found = [];
  const last = new Map();
  for (const side of bracket.querySelectorAll(".bracket-side[data-entry]")) {
    if (!test(side)) continue;
    found.push(side);
    if (mark) side.classList.add(mark);
    const cell = side.closest(".bracket-cell");
    const place = `${side.dataset.entry} ${side.closest(".bracket-section").id}`;
    if (!cell.classList.contains("is-start") && last.has(place)) {
      last.get(place).classList.add("is-way-out");
      cell.classList.add("is-way-in");
    }
    last.set(place, cell);
  }
  return found;
};

const find = (bracket) => {
  const words = plain(bracket.querySelector("[data-bracket-find]")?.value ?? "");
  if (words.length < 2) {
    follow(bracket, (side) => side.hasAttribute("data-mine"), ""); // what mine.js has marked is a line through the draw
    return null;
  }
  return follow(bracket, (side) => plain(side.querySelector(".bracket-name").textContent).includes(words));
};

document.addEventListener("input", (event) => {
  if (!event.target.matches?.("[data-bracket-find]")) return;
  const found = find(event.target.closest("[data-bracket]"));
  const region = document.getElementById("announcer");
  if (region && found) region.textContent = `${new Set(found.map((side) => side.dataset.entry)).size} ${texts.found ?? "found"}`;
  if (!found?.length) return;
  reveal(found.at(-1));
  found.at(-1).scrollIntoView({ block: "center", inline: turns() ? "nearest" : "center" });
});

// Hovered or focused: a name lights up everywhere, a way lights up the match that it leads to.
const show = (event) => {
  const bracket = event.target.closest?.("[data-bracket]");
  if (!bracket || event.pointerType === "touch") return;
  clear(bracket, "is-meant");
  const way = event.target.closest(".bracket-way, .bracket-from, a.bracket-name");
  if (way) document.getElementById(way.hash.slice(1))?.classList.add("is-meant");
  const side = event.target.closest(".bracket-side[data-entry]");
  if (!side || way) return;
  for (const other of bracket.querySelectorAll(`[data-entry="${side.dataset.entry}"]`)) other.classList.add("is-meant");
};
document.addEventListener("pointerover", show);
document.addEventListener("focusin", show);
document.addEventListener("focusout", show);

// #…-r3 names a round: earlier ones of that part of the draw are folded away, so that later ones stand close together.
const fold = () => {
  if (onWall()) return;
  const goal = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  for (const section of document.querySelectorAll(".bracket-section")) {
    const round = goal?.matches(".bracket-round") && section.contains(goal) ? goal : null;
    const depth = turns() ? 1 : Number(round?.dataset.depth ?? 1);
    for (const part of section.querySelectorAll("[data-depth]")) part.hidden = Number(part.dataset.depth) < depth;
    for (const parts of section.querySelectorAll(".bracket-parts")) {
      parts.hidden = !parts.querySelector(".bracket-round:not([hidden])");
    }
    for (const link of section.querySelectorAll(".bracket-heads a")) {
      if (round && link.hash === location.hash) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
};

document.addEventListener("click", (event) => {
  const head = event.target.closest?.(".bracket-heads a");
  if (!head || turns()) return;
  event.preventDefault();
  const first = !head.closest("li").previousElementSibling;
  const open = first || head.hasAttribute("aria-current"); // a second tap shows all rounds again
  const view = head.closest(".bracket-view");
  history.replaceState(null, "", open ? `#${view.closest(".bracket-section").id}` : head.hash);
  fold();
  zoomAll();
  view.scrollTo({ left: 0, top: 0 });
});

// Arrows on a match: to the next one above or below, along its line, or back.
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
document.addEventListener("keydown", (event) => {
  const link = event.target.closest?.("a.bracket-link");
  const [right, down] = ARROWS[event.key] ?? [];
  if (!link || right === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const section = link.closest(".bracket-section");
  const depth = Number(link.closest(".bracket-round")?.dataset.depth);
  const cells = (of) => [...section.querySelectorAll(`.bracket-round[data-depth="${of}"]:not([hidden]) .bracket-cell`)];
  const here = cells(depth);
  const there = cells(depth + right);
  if (!there.length) return;
  const place = here.indexOf(link.closest(".bracket-cell"));
  const step = down || (right < 0 ? 1 : -1);
  let at = right ? Math.floor((place * there.length) / here.length) : place + down;
  for (; there[at]; at += step) {
    const next = there[at].querySelector("a.bracket-link");
    if (!next) continue;
    reveal(next);
    next.focus();
    return;
  }
});

const again = () => {
  fold();
  layAll();
  for (const bracket of document.querySelectorAll("[data-bracket]")) find(bracket);
};
document.addEventListener("crawford:marked", () => {
  again();
  begin();
});
onNarrow(() => {
  zoomAll();
  again();
});
addEventListener("hashchange", fold);
addEventListener("afterprint", fold);
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll(".bracket-section :is([data-depth], .bracket-parts)")) part.hidden = false;
});
document.addEventListener("crawford:swapped", (event) => {
  for (const bracket of event.target.querySelectorAll("[data-bracket]")) clear(bracket, ...marks);
  again();
});
again();
if (!document.querySelector("[data-marks-mine]")) begin();
if (turns() && location.hash) {
  const goal = document.getElementById(location.hash.slice(1));
  if (goal) reveal(goal);
}
