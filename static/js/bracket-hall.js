// A bracket on the hall screen: what is over is folded away but for one round, so that the rest is large. That a long
// page moves by itself is the work of hall.js.
import { onWall } from "./bracket-rounds.js";

const COLUMNS = 5; // so many rounds are read from afar
const DONE = '.is-bye, [data-status="confirmed"], [data-status="void"]';

const depthOf = (node) => Number(node.dataset.depth);

const tidy = () => {
  for (const section of document.querySelectorAll(".bracket-section")) {
    const rounds = [...section.querySelectorAll(".bracket-round")];
    const last = Math.max(...rounds.map(depthOf));
    const open = rounds.filter((round) => round.querySelector(`.bracket-match:not(${DONE})`));
    const from = Math.max(1, Math.min(Math.min(last, ...open.map(depthOf)) - 1, last - 3));
    const to = Math.min(last, from + COLUMNS - 1);
    for (const part of section.querySelectorAll("[data-depth]")) part.hidden = depthOf(part) < from || depthOf(part) > to;
    for (const parts of section.querySelectorAll(".bracket-parts, .bracket-later")) {
      parts.hidden = !parts.querySelector(".bracket-round:not([hidden])");
    }
    const rows = rounds.filter((round) => depthOf(round) === from).map((round) => round.querySelectorAll(".bracket-cell").length);
    section.style.setProperty("--cols", to - from + 1);
    section.style.setProperty("--fit", rows.reduce((sum, count) => sum + count, 0));
  }
};

if (onWall()) {
  tidy();
  document.addEventListener("crawford:swapped", tidy);
}
