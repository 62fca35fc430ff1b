// The board on the wall (.wall) by pages: names and tables in turn, then what comes next, then who plays. A page stands
// for some seconds; nothing slides. Announcements (.notice) take turns above the pages, each for as long. A list is laid out in columns of the height of the screen (wall.css), a page is as many
// of them as fit beside each other, so no name is cut however many there are. The button and the space bar pause, arrows
// turn. On a phone, and where the wall has no lists, all stands in a row and scrolls.
const main = document.getElementById("event-live");
const STANDS = 1000 * (Number(main?.dataset.wallSeconds) || 8);
const small = matchMedia("(max-width: 40rem)");
const language = document.documentElement.lang || undefined;
let part = "";
let page = 0;
let notice = ""; // the announcement that shows
let heard = new Set();
let paused = false;
let turned = performance.now();

const parts = () => [...document.querySelectorAll(".wall-part")];
const pagesOf = (section) => {
  const list = section.querySelector(".wall-list");
  const gap = parseFloat(getComputedStyle(list).columnGap) || 0;
  const step = list.clientWidth + gap;
  return { list, step, pages: Math.max(1, Math.ceil((list.scrollWidth + gap - 2) / step)) };
};

const tell = (by) => {
  const all = [...document.querySelectorAll(".notice")];
  const fresh = all.find((one) => !heard.has(one.dataset.key)); // what is new comes first
  heard = new Set(all.map((one) => one.dataset.key));
  const at = all.indexOf(fresh ?? all.find((one) => one.dataset.key === notice));
  const now = all[(Math.max(at, 0) + (fresh ? 0 : by)) % all.length];
  notice = now?.dataset.key ?? "";
  for (const one of all) one.classList.toggle("is-shown", one === now);
  return all.length > 1;
};

const show = () => {
  const all = parts();
  const paged = all.length > 0 && !small.matches;
  document.body.classList.toggle("is-paged", paged);
  const talks = tell(0);
  const button = document.querySelector("[data-wall-pause]");
  let several = all.length > 1 || talks;
  const now = all.find((section) => section.dataset.key === part) ?? all[0];
  if (now && part !== now.dataset.key) page = 0;
  part = now?.dataset.key ?? "";
  for (const section of all) {
    section.classList.toggle("is-shown", section === now);
    const list = section.querySelector(".wall-list");
    if (!paged) list.style.translate = "";
    section.querySelector("[data-wall-page]").textContent = "";
  }
  if (paged) {
    const { list, step, pages } = pagesOf(now);
    page = Math.min(page, pages - 1);
    list.style.translate = page ? `${-page * step}px` : "";
    now.querySelector("[data-wall-page]").textContent = pages > 1 ? `${page + 1} / ${pages}` : "";
    several ||= pages > 1;
  }
  if (button) {
    button.hidden = !paged || !several;
    button.textContent = paused ? button.dataset.on : button.dataset.pause;
    button.setAttribute("aria-pressed", String(paused));
  }
};

const turn = (by) => {
  const all = parts();
  if (!document.body.classList.contains("is-paged")) return;
  const at = Math.max(0, all.findIndex((section) => section.dataset.key === part));
  page += by;
  if (page < 0 || page >= pagesOf(all[at]).pages) {
    part = all[(at + by + all.length) % all.length].dataset.key;
    page = 0;
    if (by < 0) {
      show();
      page = pagesOf(all[(at + by + all.length) % all.length]).pages - 1;
    }
  }
  turned = performance.now();
  show();
};

const tick = () => {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const timeZone = clock.dataset.clock;
    const shown = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone }).format();
    if (clock.textContent !== shown) clock.textContent = shown;
  }
  if (!paused && performance.now() - turned >= STANDS) {
    turned = performance.now();
    tell(1);
    turn(1);
  }
};

const pause = () => {
  paused = !paused;
  turned = performance.now();
  show();
};

if (main) {
  document.addEventListener("click", (event) => event.target.closest("[data-wall-pause]") && pause());
  addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") turn(event.key === "ArrowRight" ? 1 : -1);
    else if (event.key === " " && !event.target.closest("a, button, input, select, textarea, summary")) pause();
    else return;
    if (event.key !== " " || !event.target.closest("a, button")) event.preventDefault();
  });
  document.addEventListener("crawford:swapped", show);
  addEventListener("resize", show);
  document.fonts?.ready.then(show);
  show();
  tick();
  setInterval(tick, 500);
}
