// Comfort for brackets: jumping to a round keeps the page still, the drawing zooms, a player is found and
// followed through the rounds. All of it is extra: the drawing and its jump links work without.
const texts = document.getElementById("interface-texts")?.dataset ?? {};
const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

const mark = (bracket, test) => {
  const found = [];
  for (const side of bracket.querySelectorAll(".bracket-side")) {
    const hit = test(side);
    side.classList.toggle("is-found", hit);
    if (hit) found.push(side);
  }
  return found;
};

document.addEventListener("click", (event) => {
  const jump = event.target.closest?.(".bracket-jump a");
  if (jump) {
    const view = jump.closest(".bracket").querySelector(".bracket-view");
    requestAnimationFrame(() => {
      view.scrollTo({ left: 0, top: 0 });
      view.closest(".bracket").scrollIntoView({ block: "nearest" });
    });
  }
  const zoom = event.target.closest?.("[data-bracket-zoom]");
  if (zoom) {
    const bracket = zoom.closest(".bracket");
    const sizes = ["small", "medium", "large"];
    const now = sizes.indexOf(bracket.dataset.zoom ?? "medium");
    bracket.dataset.zoom = sizes[Math.min(2, Math.max(0, now + Number(zoom.dataset.bracketZoom)))];
  }
});

const showPlace = () => {
  for (const link of document.querySelectorAll(".bracket-jump a")) {
    if (link.hash === (location.hash || "#bracket")) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};
addEventListener("hashchange", showPlace);
document.addEventListener("crawford:swapped", showPlace);
showPlace();

document.addEventListener("input", (event) => {
  if (!event.target.matches?.("[data-bracket-find]")) return;
  const bracket = event.target.closest(".bracket");
  const words = plain(event.target.value);
  const found = mark(bracket, (side) => words.length > 1 && plain(side.textContent).includes(words));
  const region = document.getElementById("announcer");
  if (region && words.length > 1) region.textContent = `${found.length} ${texts.found ?? "found"}`;
  found.filter((side) => side.offsetParent).at(-1)?.scrollIntoView({ block: "center", inline: "center" });
});

document.addEventListener("pointerover", (event) => {
  const side = event.target.closest?.(".bracket-side[data-entry]");
  const bracket = event.target.closest?.(".bracket");
  if (!bracket || event.pointerType === "touch") return;
  if (bracket.querySelector("[data-bracket-find]")?.value) return;
  mark(bracket, (other) => Boolean(side) && other.dataset.entry === side.dataset.entry);
});
