// What an analysis says of the turn that is shown, and the ways from error to error. Without it the server draws the same, a page a turn.
const root = document.querySelector("[data-viewer]");
const place = root?.querySelector('[data-a="decisions"]');
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

const line = (row, frame) => {
  const node = make("tr", row.x ? "is-chosen" : "");
  const head = make("th");
  head.scope = "row";
  if (row.m) {
    const words = numbered(row.w, frame.s ?? 0);
    const button = make("button", "button is-quiet is-small", words);
    button.type = "button";
    button.addEventListener("click", () => viewer.showSteps(row.m, words));
    head.append(button);
  } else head.textContent = row.w;
  if (row.x) head.append(" ", make("span", "badge", "✓"));
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
    const body = make("tbody");
    body.append(...decision.r.map((row) => line(row, frame)));
    table.append(body);
    section.append(table);
  }
  if (decision.u) section.append(make("p", "small muted", decision.u));
  return section;
};

const errorPlaces = () =>
  Object.entries(viewer.data.analysis)
    .filter(([, decisions]) => decisions.some((one) => one.k !== "fine"))
    .map(([key]) => key.split(":").map(Number))
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);

const jump = (event) => {
  const link = event.target.closest?.('[data-a="before"], [data-a="after"]');
  if (!link || !viewer || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [game, turn] = [viewer.game + 1, viewer.turn + 1];
  const after = link.dataset.a === "after";
  const places = errorPlaces().filter(([g, t]) => (after ? g > game || (g === game && t > turn) : g < game || (g === game && t < turn)));
  const next = after ? places[0] : places.at(-1);
  if (next) viewer.go(next[0] - 1, next[1] - 1);
};

root?.addEventListener("shown", ({ detail }) => {
  viewer = detail;
  const found = viewer.data.analysis?.[`${viewer.game + 1}:${viewer.turn + 1}`] ?? [];
  place?.replaceChildren(...found.map((decision) => panel(decision, viewer.frame)));
});
document.addEventListener("click", jump);
