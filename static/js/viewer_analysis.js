// What an analysis says of the turn that is shown, the ways from error to error, and trying other plays. Without it the server draws the
// same, a page a turn.
const root = document.querySelector("[data-viewer]");
const place = root?.querySelector('[data-a="decisions"]');
const course = document.querySelector(".course[data-turns]");
let viewer = root?.viewer ?? null;

const make = (name, kind, words) => {
  const node = document.createElement(name);
  if (kind) node.className = kind;
  if (words !== undefined) node.textContent = words;
  return node;
};

const numbered = (words, side) => {
  const table = viewer.data.labels[viewer.look.numbering][side];
  return words.replace(/(\(\d\))|\d+/g, (all, times) => times ?? table[Number(all)]);
};

const headed = (words) => {
  const node = make("th", "", words);
  node.scope = "col";
  return node;
};

// Another play on the board, in sight and in words: on a phone the board is far above what was pressed.
const draw = (steps, words, sentence) => {
  const board = viewer.part("board");
  viewer.stop();
  viewer.showSteps(steps, words);
  viewer.part("words").textContent = sentence;
  board.scrollIntoView({ block: "nearest" });
};

const line = (row, frame) => {
  const node = make("tr", row.x ? "is-chosen" : "");
  const head = make("th");
  head.scope = "row";
  if (row.m) {
    const words = numbered(row.w, frame.s ?? 0);
    const button = make("button", "button is-quiet is-small", words);
    button.type = "button";
    button.addEventListener("click", () => draw(row.m, words, `${words}: ${row.e}`));
    head.append(button);
  } else head.textContent = row.w;
  if (row.x) head.append(" ", make("span", "badge", place.dataset.played));
  if (row.c) head.append(make("span", "decision-chances", row.c));
  node.append(head, make("td", "is-num", row.e), make("td", "is-num", row.l ?? ""));
  return node;
};

const panel = (decision, frame) => {
  const section = make("section", `decision is-${decision.k}`);
  const title = make("h2", "decision-title", `${decision.t} `);
  title.append(make("span", "decision-cost", decision.w));
  section.append(title);
  if (decision.r.length) {
    const table = make("table", "decision-table");
    const heads = make("thead", "visually-hidden");
    const names = make("tr");
    names.append(...["play", "equity", "less"].map((name) => headed(place.dataset[name])));
    heads.append(names);
    const body = make("tbody");
    body.append(...decision.r.map((row) => line(row, frame)));
    table.append(make("caption", "visually-hidden", place.dataset.caption), heads, body);
    section.append(table);
  }
  for (const words of [decision.h, decision.u]) if (words) section.append(make("p", "small muted", words));
  return section;
};

// Any legal play of the roll, with what is known of it. The server lists them for one turn: the form of the page that is open, and of
// another turn once somebody asks for it.
const forms = new Map();

const tries = (form, status) => {
  const select = form.querySelector("select");
  const show = () => {
    const { steps, words } = select.selectedOptions[0].dataset;
    draw(JSON.parse(steps), words, words);
    status.textContent = words;
    status.hidden = false;
  };
  select.addEventListener("change", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  return [form, status];
};

const keep = (address, page) => {
  const [form, status] = [".decision-try", '[data-a="tried"]'].map((name) => page?.querySelector(name));
  if (form && status) forms.set(address, tries(document.adoptNode(form), document.adoptNode(status)));
};

const fetched = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  keep(address, new DOMParser().parseFromString(await answer.text(), "text/html"));
};

const asked = async (event, button, address) => {
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  try {
    await fetched(address);
    if (!button.isConnected || !forms.has(address)) return; // somebody went on meanwhile
    button.replaceWith(...forms.get(address));
    place.querySelector(".decision-try select").focus();
  } catch {
    button.removeAttribute("aria-disabled");
  }
};

const ways = (frame) => {
  const address = viewer.address();
  if (forms.has(address)) {
    const [form, status] = forms.get(address);
    status.hidden = true; // the board shows what was played
    return [form, status];
  }
  const button = make("a", "button is-quiet decision-more", place.dataset.try);
  button.href = viewer.path ? `${address}#decision` : `${place.dataset.positions}?xgid=${encodeURIComponent(frame.x.slice("XGID=".length))}`;
  if (viewer.path) button.addEventListener("click", (event) => asked(event, button, address));
  else [button.target, button.rel] = ["_blank", "noopener"]; // what was checked stands on this page alone
  return [button];
};

// The errors before and after the turn that is shown, as [game, turn], and the place of the one that is shown among all.
const around = () => {
  const { errors } = viewer.data;
  const passed = ([game, turn]) => game < viewer.game + 1 || (game === viewer.game + 1 && turn <= viewer.turn + 1);
  const count = errors.filter(passed).length;
  const [game, turn] = errors[count - 1] ?? [];
  const here = game === viewer.game + 1 && turn === viewer.turn + 1;
  return { before: errors[count - (here ? 2 : 1)], after: errors[count], number: here ? count : 0 };
};

const toError = (next) => {
  if (!next) return;
  viewer.stop();
  viewer.go(next[0] - 1, next[1] - 1);
};

const jumps = () => {
  const words = root.querySelector('[data-a="error-place"]');
  if (!words) return;
  const { errors, error_texts: texts } = viewer.data;
  const near = around();
  words.textContent = near.number ? texts.here.replace("%(number)s", near.number).replace("%(count)s", errors.length) : texts.all;
  for (const name of ["before", "after"]) {
    const link = root.querySelector(`[data-a="${name}"]`);
    const next = near[name];
    link.href = next ? viewer.address(next[0] - 1, next[1] - 1) : "#viewer"; // what has the focus keeps it
    if (next) link.removeAttribute("aria-disabled");
    else link.setAttribute("aria-disabled", "true");
  }
};

// Where one is in the course of the match: at the last moment of it that is not after the turn.
const mark = () => {
  const at = course?.querySelector(".course-here");
  if (!at) return;
  const here = [viewer.game + 1, viewer.turn + 1];
  const turns = course.dataset.turns.split(" ").map((one) => one.split(":").map(Number));
  const passed = turns.filter(([game, turn]) => game < here[0] || (game === here[0] && turn <= here[1])).length;
  const { x } = course.querySelector(".course-line").points.getItem(Math.max(passed - 1, 0));
  at.setAttribute("x1", x);
  at.setAttribute("x2", x);
};

const shown = () => {
  const { frame } = viewer;
  const found = viewer.data.analysis?.[`${viewer.game + 1}:${viewer.turn + 1}`] ?? [];
  const parts = found.map((decision) => panel(decision, frame));
  if (found.some((decision) => decision.r.some((row) => row.m))) parts.push(...ways(frame));
  place.replaceChildren(...parts);
  jumps();
  mark();
};

if (root && place) {
  root.addEventListener("shown", ({ detail }) => {
    viewer = detail;
    shown();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('[data-a="before"], [data-a="after"]');
    if (!link || !viewer || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    toError(around()[link.dataset.a]);
  });
  document.addEventListener("keydown", (event) => {
    if (!viewer || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "e") return;
    if (event.target.closest?.("input, select, textarea, summary") || !viewer.listensToKeys(event.target)) return;
    event.preventDefault();
    toError(around()[event.shiftKey ? "before" : "after"]);
  });
  if (viewer) {
    const tried = place.querySelector('[data-a="tried"]:not([hidden])');
    keep(viewer.address(), place);
    shown();
    if (tried) place.querySelector(".decision-try select").dispatchEvent(new Event("change"));
  }
}
