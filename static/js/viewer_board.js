// Draws a board as SVG, the same as games/web/drawing.py. Attributes and classes only; colours stand in css/pages/games.css.
const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 640;
const HEIGHT = 480;
const COLUMN = 44;
const TOP = 34;
const BOTTOM = 446;
const LEFT = 12;
const RADIUS = 19;
const MIDDLE = HEIGHT / 2;
const SHOWN = 5;
const BAR = 25;
const SIDES = ["white", "black"];
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

const make = (name, values, words) => {
  const node = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(values)) node.setAttribute(key, value);
  if (words !== undefined) node.textContent = words;
  return node;
};

// board: 26 signed counts seen by White: white's positive on own points 1–24 and 25 (bar), black's negative, 0 black's bar.
export const countsOf = (board, side) => {
  const counts = new Array(26).fill(0);
  for (let place = 1; place <= BAR; place += 1) {
    counts[place] = Math.max(0, side === 0 ? board[place] : -board[BAR - place]);
  }
  counts[0] = 15 - counts.reduce((sum, count) => sum + count, 0);
  return counts;
};

const columnX = (column) => LEFT + COLUMN * (column + 0.5);
const barX = (look) => columnX(look.homeLeft ? 7 : 6);
const halfX = (look, right) => LEFT + COLUMN * ((right ? 10 : 3) + (look.homeLeft ? 1 : 0));

const placeOf = (look, side, place) => {
  const low = side === look.bottom;
  if (place === BAR) return [barX(look), !low];
  if (place === 0) return [columnX(look.homeLeft ? 0 : 13), low];
  const point = low ? place : BAR - place;
  const lower = point <= 12;
  const inner = lower ? point - 1 : 24 - point;
  const column = inner < 6 ? 12 - inner : 11 - inner;
  return [columnX(look.homeLeft ? 13 - column : column), lower];
};

const spot = (look, side, place, index) => {
  const [x, lower] = placeOf(look, side, place);
  if (place === BAR) return [x, MIDDLE + (lower ? 1 : -1) * (46 + 33 * Math.min(index, 3))];
  if (place === 0) {
    const step = Math.min(index, 14) * 11;
    return [x, lower ? BOTTOM - 8 - step : TOP + 8 + step];
  }
  const step = Math.min(index, SHOWN - 1) * 2 * RADIUS;
  return [x, lower ? BOTTOM - RADIUS - step : TOP + RADIUS + step];
};

const field = (look, labels) => {
  const parts = [
    make("rect", { class: "board-frame", width: WIDTH, height: HEIGHT, rx: 14 }),
    make("rect", { class: "board-field", x: LEFT, y: TOP, width: COLUMN * 14, height: BOTTOM - TOP }),
  ];
  for (const x of [barX(look), columnX(look.homeLeft ? 0 : 13)]) {
    parts.push(make("rect", { class: "board-bar", x: x - COLUMN / 2, y: TOP, width: COLUMN, height: BOTTOM - TOP }));
  }
  for (let point = 1; point < BAR; point += 1) {
    const [x, lower] = placeOf(look, look.bottom, point);
    const [edge, tip] = lower ? [BOTTOM, BOTTOM - 176] : [TOP, TOP + 176];
    const points = `${x - COLUMN / 2 + 1},${edge} ${x + COLUMN / 2 - 1},${edge} ${x},${tip}`;
    parts.push(make("polygon", { class: point % 2 ? "board-dark" : "board-light", points }));
    parts.push(make("text", { class: "board-label", x, y: lower ? BOTTOM + 23 : TOP - 12 }, labels[look.bottom][point]));
  }
  return parts;
};

const checkers = (look, board, side) => {
  const parts = [];
  const kind = `board-${SIDES[side]}`;
  countsOf(board, side).forEach((count, place) => {
    if (place === 0) {
      for (let index = 0; index < count; index += 1) {
        const [x, y] = spot(look, side, 0, index);
        parts.push(make("rect", { class: `${kind} is-off`, x: x - 17, y: y - 5, width: 34, height: 10, rx: 2 }));
      }
      return;
    }
    const most = place === BAR ? 4 : SHOWN;
    for (let index = 0; index < Math.min(count, most); index += 1) {
      const [cx, cy] = spot(look, side, place, index);
      parts.push(make("circle", { class: kind, cx, cy, r: RADIUS, "data-place": place }));
    }
    if (count > most) {
      const [x, y] = spot(look, side, place, most - 1);
      parts.push(make("text", { class: `board-count is-${SIDES[side]}`, x, y: y + 6 }, count));
    }
  });
  return parts;
};

const arrows = (look, frame) => {
  if (!frame.m) return [];
  const counts = countsOf(frame.b, frame.s);
  return frame.m.map(([source, target]) => {
    const [x1, y1] = spot(look, frame.s, source, Math.max(counts[source] - 1, 0));
    const [x2, y2] = spot(look, frame.s, target, counts[target]);
    counts[source] = Math.max(counts[source] - 1, 0);
    counts[target] += 1;
    const group = make("g", { class: "board-move" });
    group.append(make("path", { d: `M${x1} ${y1}L${x2} ${y2}` }), make("circle", { cx: x2, cy: y2, r: RADIUS - 3 }));
    return group;
  });
};

const dice = (look, frame) => {
  if (!frame.d) return [];
  const middle = halfX(look, frame.s === look.bottom); // R9: in the roller's right half
  return frame.d.map((die, index) => {
    const x = middle + (index ? 24 : -24);
    const group = make("g", { class: `board-die is-${SIDES[frame.s]}` });
    group.append(make("rect", { x: x - 18, y: MIDDLE - 18, width: 36, height: 36, rx: 7 }));
    for (const [dx, dy] of PIPS[die]) group.append(make("circle", { cx: x + 9.5 * dx, cy: MIDDLE + 9.5 * dy, r: 3.6 }));
    return group;
  });
};

const cube = (look, frame) => {
  const [value, owner, offered] = frame.c;
  const words = value > 1 ? String(value) : "64"; // R35
  let [x, y] = [barX(look), MIDDLE];
  if (offered) {
    const by = frame.k === "double" || frame.k === "beaver" ? frame.s : 1 - (frame.s ?? 0);
    x = halfX(look, by !== look.bottom);
  } else if (owner >= 0) {
    y = owner === look.bottom ? BOTTOM - 24 : TOP + 24;
  }
  const size = words.length < 3 ? 20 : words.length < 4 ? 15 : 11;
  const group = make("g", { class: "board-cube" });
  group.append(
    make("rect", { x: x - 19, y: y - 19, width: 38, height: 38, rx: 5 }),
    make("text", { x, y: y + size * 0.36, "font-size": size }, words),
  );
  return [group];
};

// frame: a row of the page's data; look: {bottom: 0|1, homeLeft}; labels: [white's, black's] names of own places.
export const draw = (frame, look, labels, title) => {
  const picture = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "board", role: "img", "aria-label": title });
  picture.append(
    ...field(look, labels),
    ...checkers(look, frame.b, 0),
    ...checkers(look, frame.b, 1),
    ...arrows(look, frame),
    ...dice(look, frame),
    ...cube(look, frame),
  );
  return picture;
};
