// The replay viewer: steps through the games of a record by keys, buttons, swipes and links. Everything it shows comes from the
// page's own data (#viewer-data); without this script every control is a link to the same place.
import { countsOf, draw } from "./viewer_board.js";

const SIDES = ["white", "black"];
const SHORT = { none: "cannot", unplayed: "gives_up", double: "doubles", take: "takes", pass: "passes", beaver: "beavers", setup: "set_up" };

const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, key) => values[key] ?? "");

class Viewer {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.path = root.dataset.path;
    this.part = (name) => root.querySelector(`[data-v="${name}"]`);
    this.timer = 0;
    const query = new URLSearchParams(this.path ? location.search : "");
    this.look = {
      bottom: query.get("view") === "black" ? 1 : 0,
      homeLeft: query.get("home") === "left",
      numbering: data.labels[query.get("numbering")] ? query.get("numbering") : "own",
    };
    this.drawnGame = -1;
    this.go(Number(query.get("game") ?? 1) - 1 || 0, Number(query.get("turn") ?? 1) - 1 || 0, { quiet: true });
    this.listen();
    root.classList.add("is-ready");
    root.viewer = this; // for what else stands on the page
  }

  get frame() {
    return this.data.games[this.game].frames[this.turn];
  }

  // Numbers are clamped, so that an address made by hand never leads nowhere.
  go(game, turn, { quiet = false } = {}) {
    this.game = Math.min(Math.max(game, 0), this.data.games.length - 1);
    this.turn = Math.min(Math.max(turn, 0), this.data.games[this.game].frames.length - 1);
    this.show();
    if (!quiet) this.remember();
  }

  step(by) {
    const frames = this.data.games[this.game].frames;
    const next = this.turn + by;
    if (next >= 0 && next < frames.length) this.go(this.game, next);
    else if (by > 0 && this.game + 1 < this.data.games.length) this.go(this.game + 1, 0);
    else if (by < 0 && this.game > 0) this.go(this.game - 1, this.data.games[this.game - 1].frames.length - 1);
    else return false;
    return true;
  }

  move(name) {
    if (name !== "auto") this.stop();
    if (name === "back") this.step(-1);
    else if (name === "forward") this.step(1);
    else if (name === "first") this.go(0, 0);
    else if (name === "last") this.go(this.data.games.length - 1, Infinity);
    else if (name === "game-back") this.go(this.turn > 0 ? this.game : this.game - 1, 0);
    else if (name === "game-on") {
      const last = this.game + 1 >= this.data.games.length;
      this.go(last ? this.game : this.game + 1, last ? Infinity : 0);
    } else if (name === "auto") this.toggle();
  }

  toggle() {
    if (this.timer) this.stop();
    else {
      this.mark(true);
      const tick = () => {
        this.timer = setTimeout(() => (this.step(1) ? tick() : this.stop()), Number(this.part("speed").value));
      };
      tick();
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.mark(false);
  }

  mark(playing) {
    this.root.classList.toggle("is-playing", playing);
    this.root.querySelector('[data-step="auto"]').setAttribute("aria-pressed", String(playing));
  }

  numbered(frame) {
    const table = this.data.labels[this.look.numbering][frame.s];
    return (frame.n ?? "").replace(/(\(\d\))|\d+/g, (all, times) => times ?? table[Number(all)]);
  }

  short(frame) {
    return SHORT[frame.k] ? this.data.texts[SHORT[frame.k]] : this.numbered(frame);
  }

  words(frame) {
    if (frame.k === "end") return this.data.games[this.game].result;
    const key = frame.k === "play" && !frame.d ? "no_dice" : frame.k;
    return fill(this.data.texts[key], {
      name: this.data.players[frame.s ?? 0],
      dice: frame.d ? frame.d.join("-") : "–",
      play: this.numbered(frame),
    });
  }

  show() {
    const { data, frame, look } = this;
    const game = data.games[this.game];
    const words = this.words(frame);
    this.part("board").replaceChildren(draw(frame, look, data.labels[look.numbering], words));
    this.part("words").textContent = words;
    for (const [place, side] of [["top", 1 - look.bottom], ["bottom", look.bottom]]) {
      const bar = this.part(place);
      bar.dataset.side = SIDES[side];
      bar.classList.toggle("is-acting", frame.s === side);
      bar.querySelector(".viewer-name").textContent = data.players[side];
      bar.querySelector('[data-v="pips"]').textContent = frame.p[side];
      bar.querySelector('[data-v="score"]').textContent = game.score[side];
    }
    this.part("game").textContent = fill(data.texts.game, { number: game.number });
    this.part("crawford").hidden = !game.crawford;
    const [value, owner, offered] = frame.c;
    const cube = offered ? "cube_offered" : owner < 0 ? "cube_middle" : "cube_owned";
    this.part("cube").textContent = fill(data.texts[cube], { value, name: data.players[owner] });
    this.showFindings(frame);
    this.showMoves(game);
    this.showText(frame);
    this.part("id").value = frame.i;
    this.part("xgid").value = frame.x;
    const image = this.part("image");
    image.href = image.href.replace(/[^/]*\.svg$/, `${frame.x.slice("XGID=".length)}.svg`);
    for (const link of this.root.querySelectorAll(".viewer-game-link")) {
      if (Number(link.dataset.game) === this.game + 1) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const address = this.address();
    if (this.part("link")) this.part("link").value = new URL(address, location.href).href;
    this.root.dataset.game = this.game + 1;
    this.root.dataset.turn = this.turn + 1;
    this.root.dispatchEvent(new CustomEvent("shown", { detail: this }));
  }

  // Other arrows on the same board: a play that was not made.
  showSteps(steps, words) {
    this.part("board").replaceChildren(draw({ ...this.frame, m: steps }, this.look, this.data.labels[this.look.numbering], words));
  }

  // How bad it was, where an analysis knows it: "error", "blunder" or nothing.
  wrong(index) {
    const found = this.data.analysis?.[`${this.game + 1}:${index + 1}`] ?? [];
    return ["blunder", "error"].find((kind) => found.some((decision) => decision.k === kind)) ?? "";
  }

  showFindings(frame) {
    this.part("found").replaceChildren(
      ...(frame.f ?? []).map((index) => {
        const found = this.data.findings[index];
        const line = document.createElement("p");
        line.className = `viewer-finding${found.fault ? " is-fault" : ""}`;
        const head = document.createElement("strong");
        head.textContent = found.rule ? `${found.label} · ${found.rule}` : found.label;
        line.append(head, ` ${found.words}`);
        return line;
      }),
    );
  }

  showMoves(game) {
    const list = this.part("moves");
    const key = `${this.game}:${this.look.numbering}`;
    if (this.drawnGame !== key) {
      this.drawnGame = key;
      list.replaceChildren(
        ...game.frames.map((frame, index) => {
          const row = document.createElement("li");
          row.className = `viewer-move is-${frame.k === "end" ? "end" : SIDES[frame.s ?? 0]}${frame.f ? " is-marked" : ""}`;
          const link = document.createElement("a");
          link.href = this.address(this.game, index);
          link.dataset.turn = index + 1;
          if (frame.k === "end") link.textContent = game.result;
          else {
            const dice = document.createElement("span");
            dice.className = "viewer-dice";
            dice.textContent = frame.d ? frame.d.join("") : "";
            link.append(dice, ` ${this.short(frame)}`);
          }
          const wrong = this.wrong(index);
          if (wrong) {
            row.classList.add(`has-${wrong}`);
            const sign = document.createElement("span");
            sign.className = "viewer-error";
            sign.textContent = wrong === "blunder" ? " ??" : " ?";
            link.append(sign);
          }
          row.append(link);
          return row;
        }),
      );
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.children[this.turn]?.firstElementChild;
    now?.setAttribute("aria-current", "step");
    // Only the list itself scrolls: the page must not jump while somebody steps.
    const row = list.children[this.turn];
    if (row) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2 + row.offsetHeight / 2;
  }

  showText(frame) {
    this.part("text").replaceChildren(
      ...this.data.players.map((name, side) => {
        const counts = countsOf(frame.b, side);
        const points = [];
        for (let point = 24; point > 0; point -= 1) if (counts[point]) points.push(`${point}: ${counts[point]}`);
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = name;
        row.append(head);
        for (const [index, value] of [points.join(", "), counts[25], counts[0], frame.p[side]].entries()) {
          const cell = document.createElement("td");
          if (index) cell.className = "is-num";
          cell.textContent = value;
          row.append(cell);
        }
        return row;
      }),
    );
  }

  address(game = this.game, turn = this.turn) {
    if (!this.path) return "#viewer";
    const query = new URLSearchParams({ game: game + 1, turn: turn + 1 });
    if (this.look.bottom) query.set("view", "black");
    if (this.look.homeLeft) query.set("home", "left");
    if (this.look.numbering !== "own") query.set("numbering", this.look.numbering);
    return `${this.path}?${query}`;
  }

  // The address bar follows, so that a reload or a bookmark comes back here; it makes no history of every step.
  remember() {
    if (!this.path) return;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", this.address()), 120); // browsers limit how often
  }

  turnLook(changes) {
    Object.assign(this.look, changes);
    this.drawnGame = -1;
    const form = this.part("options");
    form.elements.view.value = SIDES[this.look.bottom];
    form.elements.home.value = this.look.homeLeft ? "left" : "right";
    form.elements.numbering.value = this.look.numbering;
    this.go(this.game, this.turn);
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const control = event.target.closest("[data-step], .viewer-game-link, .viewer-moves [data-turn]");
      if (!control || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      if (control.dataset.step) this.move(control.dataset.step);
      else {
        this.stop();
        if (control.dataset.game) this.go(Number(control.dataset.game) - 1, 0);
        else this.go(this.game, Number(control.dataset.turn) - 1);
      }
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("[data-jump]");
      if (!link || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const [game, turn] = link.dataset.jump.split(":").map(Number);
      this.stop();
      this.go(game - 1, turn - 1);
      this.root.scrollIntoView({ block: "start" });
      this.root.focus({ preventScroll: true });
    });
    this.part("options").addEventListener("change", ({ target }) => {
      if (target.name === "view") this.turnLook({ bottom: SIDES.indexOf(target.value) });
      if (target.name === "home") this.turnLook({ homeLeft: target.value === "left" });
      if (target.name === "numbering") this.turnLook({ numbering: target.value });
    });
    this.part("options").addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
    this.swipes();
  }

  // Somebody who reads elsewhere on the page keeps their keys for scrolling.
  listensToKeys(target) {
    if (this.root.contains(target)) return true;
    const box = this.part("board").getBoundingClientRect();
    const nothingChosen = target === document.body || target.id === "main" || target === document.documentElement;
    return nothingChosen && box.bottom > 0 && box.top < innerHeight;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea, summary") || !this.listensToKeys(event.target)) return;
    const name = {
      ArrowLeft: "back",
      ArrowRight: "forward",
      Home: "first",
      End: "last",
      PageUp: "game-back",
      PageDown: "game-on",
      " ": "auto",
    }[event.key];
    if (event.key === " " && event.target.closest?.("a, button")) return; // there it presses what has the focus
    if (event.key === "f" || event.key === "F") this.turnLook({ bottom: 1 - this.look.bottom });
    else if (name) this.move(name);
    else return;
    event.preventDefault();
  }

  swipes() {
    const board = this.part("board");
    let from = null;
    board.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY };
    });
    board.addEventListener("pointerup", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      from = null;
      if (Math.abs(x) > 30 && Math.abs(x) > 1.5 * Math.abs(y)) this.move(x < 0 ? "forward" : "back");
      else if (Math.hypot(x, y) < 10) {
        const box = board.getBoundingClientRect(); // a tap: the right half goes on, the left half back
        this.move(event.clientX - box.left > box.width / 2 ? "forward" : "back");
      }
    });
    board.addEventListener("pointercancel", () => {
      from = null;
    });
  }
}

const root = document.querySelector("[data-viewer]");
const data = document.getElementById("viewer-data");
if (root && data) new Viewer(root, JSON.parse(data.textContent));
