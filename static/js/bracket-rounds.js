// Rounds as pages, on a phone: swiped, by the buttons beside a round's name, by arrow keys on the drawing. What lies more than one round
// behind takes no room, so later rounds stand close together; where somebody looks stays in the middle while the sheet grows or shrinks.
// All of it is extra: the rounds snap to the screen and the buttons are links without.
const narrow = matchMedia("(max-width: 40rem)");
const DONE = '.is-bye, [data-status="confirmed"], [data-status="void"]';
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export const isNarrow = () => narrow.matches;
export const onWall = () => document.body.classList.contains("is-hall") && !isNarrow(); // in a hand it is a bracket like any other
export const turns = () => isNarrow() && document.documentElement.dataset.bracket !== "overview";
export const isOverview = () => isNarrow() && document.documentElement.dataset.bracket === "overview";
export const onNarrow = (what) => narrow.addEventListener("change", what);

const depthOf = (node) => Number(node.closest("[data-depth]")?.dataset.depth ?? 1);
const columnOf = (view) => (isOverview() ? view.querySelector(".bracket-round")?.offsetWidth : view.clientWidth) || 1;
const shownIn = (view) => Math.round(view.scrollLeft / columnOf(view)) + 1;

// The sheet as it is read at this round: in the overview without what lies to the left of it. The share of its height at which somebody looks stays the same: columns are equally tall.
const lay = (view, depth) => {
  const body = view.querySelector(".bracket-body");
  const middle = view.clientHeight / 2;
  const share = (view.scrollTop + middle) / body.scrollHeight;
  const tall = body.scrollHeight;
  for (const round of body.querySelectorAll(".bracket-round")) {
    round.classList.toggle("is-behind", isNarrow() && !onWall() && depthOf(round) < depth - Number(turns()));
  }
  if (body.scrollHeight !== tall) view.scrollTo({ top: share * body.scrollHeight - middle, behavior: "instant" });
  for (const head of view.querySelectorAll(".bracket-heads li")) {
    if (turns() && depthOf(head) === depth) head.setAttribute("aria-current", "true");
    else head.removeAttribute("aria-current");
  }
};

export const turnTo = (view, depth, behavior = calm.matches ? "instant" : "smooth") => {
  view.scrollTo({ left: (depth - 1) * view.clientWidth, behavior });
  if (behavior === "instant") lay(view, depth);
};

// Before something is looked for, or gets the focus, it must stand where it will be seen.
export const reveal = (node) => {
  const view = turns() && node.closest(".bracket-view");
  if (view) turnTo(view, depthOf(node), "instant");
};

// Where a visitor begins: at what is theirs, else where it is played.
const first = (view) => {
  const mine = [...view.querySelectorAll(".bracket-side[data-mine]")].at(-1);
  const open = view.querySelector(`.bracket-match:not(${DONE})`);
  const goal = mine ?? open;
  if (!goal) return;
  reveal(goal);
  const box = goal.closest(".bracket-match").getBoundingClientRect();
  const heads = view.querySelector(".bracket-heads")?.offsetHeight ?? 0;
  view.scrollBy({ top: box.top - view.getBoundingClientRect().top - heads - box.height / 4, behavior: "instant" });
};

export const layAll = () => {
  for (const view of document.querySelectorAll(".bracket-view")) lay(view, isNarrow() ? shownIn(view) : 1);
};

// The overview begins at the first match that is not decided, as long as its column and the next one show six cards together.
const FILLED = 4;
export const land = (view) => {
  const cards = [...view.querySelectorAll(".bracket-match")];
  const open = cards.filter((card) => !card.matches(DONE)).sort((a, b) => depthOf(a) - depthOf(b));
  const goal = open[0] ?? cards.at(-1);
  if (!goal) return null;
  let depth = depthOf(goal);
  const filled = (at) => view.querySelectorAll(`.bracket-round[data-depth="${at}"] .bracket-match`).length;
  while (depth > 1 && filled(depth) < FILLED) depth -= 1;
  lay(view, depth);
  const heads = view.querySelector(".bracket-heads")?.offsetHeight ?? 0;
  const box = goal.getBoundingClientRect();
  view.scrollTo({
    left: (depth - 1) * columnOf(view),
    top: view.scrollTop + box.top - view.getBoundingClientRect().top - heads - box.height / 2,
    behavior: "instant",
  });
  return open[0] ?? null;
};

const settling = new WeakMap();
document.addEventListener(
  "scroll",
  ({ target }) => {
    if (!target.matches?.(".bracket-view") || !isNarrow()) return;
    clearTimeout(settling.get(target));
    settling.set(
      target,
      setTimeout(() => lay(target, shownIn(target)), 120),
    );
  },
  { capture: true, passive: true },
);

document.addEventListener("click", (event) => {
  const link = turns() && event.target.closest?.('.bracket-view a[href^="#"]');
  const goal = link && document.getElementById(link.hash.slice(1));
  if (!goal) return;
  if (link.matches(".bracket-heads a")) {
    event.preventDefault();
    turnTo(link.closest(".bracket-view"), depthOf(goal));
    // The button that was pressed leaves the screen; the one that follows it takes its place.
    const there = link.closest(".bracket-heads").querySelector(`li[data-depth="${depthOf(goal)}"] .bracket-this`);
    there?.focus({ preventScroll: true });
  } else {
    reveal(goal); // and the link leads there
  }
});

document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const view = way && turns() && event.target.closest?.(".bracket-view");
  if (!view || event.target.closest(".bracket-link") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const most = view.querySelectorAll(".bracket-heads li").length;
  turnTo(view, Math.min(most, Math.max(1, shownIn(view) + way)));
});

let begun = false;
export const begin = () => {
  if (begun || !isNarrow() || onWall() || location.hash) return;
  begun = true;
  for (const view of document.querySelectorAll(".bracket-view")) (isOverview() ? land : first)(view);
};
