// The size of a drawing: buttons, + − 0, pinching, Ctrl and wheel; dragged by a mouse, scrolled by a finger. The size is
// one number (--zoom of the canvas) or "fit": as wide as the window. It is remembered for all drawings.
import { isNarrow, isOverview, land, layAll, onWall } from "./bracket-rounds.js";

const KEY = "crawford-bracket-zoom";
const LEAST = 0.2;
const MOST = 2.5;
const STEP = 1.25;
const OVERVIEW = 0.8125; // 13 px, the least that is read; on a phone that is the only size below its own
const bounded = (zoom) => Math.min(MOST, Math.max(isNarrow() ? 1 : LEAST, zoom));

const remembered = () => {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "fit" ? "fit" : bounded(Number(kept) || 1);
  } catch {
    return 1;
  }
};
let wanted = remembered();

const canvasOf = (view) => view.querySelector(".bracket-canvas");
const zoomOf = (view) => Number(view.dataset.zoomed ?? 1);
const views = () => [...document.querySelectorAll(".bracket-view")];

const set = (view, zoom) => {
  view.dataset.zoomed = zoom;
  canvasOf(view).style.setProperty("--zoom", zoom);
};

const fitting = (view) => {
  if (isNarrow()) return OVERVIEW;
  const canvas = canvasOf(view);
  const room = view.parentElement.clientWidth - 2;
  const wide = canvas.querySelector(".bracket-body").scrollWidth / zoomOf(view);
  return bounded(Math.min(1, Math.floor((room / wide) * 1000) / 1000));
};

// What the measure could not know (rounds out of sight are drawn late, half pixels are rounded up) is taken off afterwards.
const tighten = () => {
  if (wanted !== "fit" || isNarrow() || onWall()) return;
  for (const view of views()) {
    if (view.scrollWidth > view.clientWidth) set(view, bounded((zoomOf(view) * view.clientWidth) / (view.scrollWidth + 1)));
  }
};
const drawn = new ResizeObserver(tighten);

export const zoomAll = () => {
  if (onWall()) return;
  const all = views();
  document.documentElement.dataset.bracket = isNarrow() && wanted === "fit" ? "overview" : "";
  for (const view of all) set(view, wanted === "fit" ? zoomOf(view) : bounded(wanted));
  if (wanted === "fit") all.map((view) => [view, fitting(view)]).forEach(([view, zoom]) => set(view, zoom));
  drawn.disconnect();
  if (wanted === "fit") for (const view of all) drawn.observe(canvasOf(view).querySelector(".bracket-body"));
  for (const button of document.querySelectorAll('[data-bracket-zoom="fit"]')) {
    button.setAttribute("aria-pressed", String(wanted === "fit"));
  }
};

const keep = (zoom) => {
  wanted = zoom;
  try {
    localStorage.setItem(KEY, zoom);
  } catch {
    // a private window forgets
  }
  zoomAll();
  layAll();
  if (!isOverview()) return;
  const [open] = views().map(land).filter(Boolean);
  open?.closest(".bracket-section").scrollIntoView({ block: "start", behavior: "instant" });
};

// The point under the fingers stays where it is.
const zoomAt = (view, zoom, x, y) => {
  const box = view.getBoundingClientRect();
  const [left, top] = [x - box.left, y - box.top];
  const grows = zoom / zoomOf(view);
  const goal = [(view.scrollLeft + left) * grows - left, (view.scrollTop + top) * grows - top];
  set(view, zoom);
  view.scrollTo({ left: goal[0], top: goal[1], behavior: "instant" });
};

const step = (view, way) => {
  if (isNarrow() && (wanted === "fit" || (way < 0 && zoomOf(view) <= 1))) return keep(way < 0 ? "fit" : 1);
  const box = view.getBoundingClientRect();
  const zoom = bounded(zoomOf(view) * STEP ** way);
  // The middle stays where it is; a corner that is in sight stays in sight.
  const [x, y] = [view.scrollLeft && box.width / 2, view.scrollTop && Math.min(box.height, innerHeight) / 2];
  zoomAt(view, zoom, box.left + x, box.top + y);
  keep(zoom);
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-bracket-zoom]");
  if (!button) return;
  const how = button.dataset.bracketZoom;
  if (how === "fit") return keep(wanted === "fit" ? 1 : "fit");
  step(button.closest("[data-bracket]").querySelector(".bracket-view"), how === "in" ? 1 : -1);
});

document.addEventListener("keydown", (event) => {
  const view = event.target.closest?.(".bracket-view");
  if (!view || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "0") keep(1);
  else if (event.key === "+" || event.key === "=") step(view, 1);
  else if (event.key === "-") step(view, -1);
  else return;
  event.preventDefault();
});

document.addEventListener(
  "wheel",
  (event) => {
    const view = event.ctrlKey && event.target.closest?.(".bracket-view");
    if (!view) return;
    event.preventDefault();
    zoomAt(view, bounded(zoomOf(view) * Math.exp(-event.deltaY / 200)), event.clientX, event.clientY);
    keepSoon(view);
  },
  { passive: false },
);
let soon = 0;
const keepSoon = (view) => {
  clearTimeout(soon);
  soon = setTimeout(() => keep(zoomOf(view)), 250);
};

// Two fingers: while they move the sheet is only stretched, when they leave it is drawn anew in its size.
const spread = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
let pinch = null;

document.addEventListener(
  "touchstart",
  (event) => {
    const view = event.touches.length === 2 && event.target.closest?.(".bracket-view");
    if (!view) return;
    event.preventDefault();
    const [a, b] = event.touches;
    const [x, y] = [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
    const canvas = canvasOf(view);
    const box = canvas.getBoundingClientRect();
    pinch = { view, canvas, x, y, from: spread(event.touches), zoom: zoomOf(view) };
    canvas.style.setProperty("transform-origin", `${x - box.left}px ${y - box.top}px`);
  },
  { passive: false },
);
document.addEventListener(
  "touchmove",
  (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    pinch.zoom = Math.min(MOST, Math.max(LEAST, (zoomOf(pinch.view) * spread(event.touches)) / pinch.from));
    pinch.canvas.style.setProperty("transform", `scale(${pinch.zoom / zoomOf(pinch.view)})`);
  },
  { passive: false },
);
const release = () => {
  if (!pinch) return;
  const { view, canvas, zoom, x, y } = pinch;
  pinch = null;
  canvas.style.removeProperty("transform");
  canvas.style.removeProperty("transform-origin");
  if (isNarrow() && zoom < 1) return keep("fit");
  zoomAt(view, zoom, x, y);
  keep(zoom);
};
document.addEventListener("touchend", release);
document.addEventListener("touchcancel", release);

// A mouse takes hold of the sheet; a short press is still a click.
let drag = null;
document.addEventListener("pointerdown", (event) => {
  const view = event.pointerType === "mouse" && event.button === 0 && event.target.closest?.(".bracket-view");
  if (!view || event.target.closest("input, button, .bracket-heads")) return;
  drag = { view, x: event.clientX, y: event.clientY, left: view.scrollLeft, top: view.scrollTop, moved: false };
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(x, y) < 6) return;
  drag.moved = true;
  drag.view.classList.add("is-dragged");
  drag.view.scrollTo({ left: drag.left - x, top: drag.top - y, behavior: "instant" });
});
document.addEventListener("pointerup", () => {
  drag?.view.classList.remove("is-dragged");
  setTimeout(() => (drag = null)); // after the click that belongs to it
});
document.addEventListener("click", (event) => drag?.moved && event.preventDefault(), { capture: true });
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.(".bracket-view")) event.preventDefault();
});

addEventListener("resize", () => wanted === "fit" && zoomAll());
document.addEventListener("crawford:swapped", zoomAll);
zoomAll();
