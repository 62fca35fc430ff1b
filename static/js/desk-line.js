// The command bar. What is typed is interpreted at each pause and its meaning shown; Enter hands the line to the queue (js/line-queue.js)
// with the mark of what was shown, and the field is free at once. The server goes on only if the line still means that. An Enter that is
// quicker than the preview is done if the line has one meaning. A line that was not done comes back into the field if that is empty.
import { LINE_DRAFT } from "./keeping.js";
import { cancel, enqueue } from "./line-queue.js";
import { sentenceOf } from "./refusal.js";

const PAUSE = 90;
const KEPT = 12 * 3600 * 1000; // ms

const typing = (node) => node.closest?.("input, textarea, select, [contenteditable], dialog");

class DeskLine {
  constructor(form) {
    this.form = form;
    this.texts = form.dataset;
    this.field = form.querySelector("input[name=line]");
    this.heard = form.querySelector(".desk-line-heard");
    this.answer = form.querySelector(".desk-line-answer");
    this.list = form.querySelector(".desk-line-choices");
    this.shape = null;
    this.active = -1;
    this.answering = null; // the key of the line of the queue that stands in the field
    this.interrupted = ""; // what stood there before
    const { account, event } = document.querySelector("[data-line-queue]").dataset;
    this.draft = `${LINE_DRAFT}${account}-${event}`;
    this.field.addEventListener("input", () => {
      if (this.answer.dataset.tone === "bad") this.say("", "");
      this.typed();
    });
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    addEventListener("online", () => {
      if (this.answer.dataset.tone === "bad") this.say("", "");
      if (this.field.value.trim()) this.ask();
    });
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.choosing(this.shape.meanings[Number(option.dataset.index)]);
    });
    document.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      const off = document.querySelector("[data-single-keys]")?.checked === false; // switched off in the board's list of keys
      if (event.key === "/" && plain && !off && !typing(event.target)) {
        event.preventDefault();
        this.field.focus();
        this.field.select();
      }
    });
    document.addEventListener("crawford:line-done", ({ detail }) => {
      this.say(detail.words, "done");
      if (this.field.value.trim()) this.ask(); // it may mean something else now
    });
    document.addEventListener("crawford:line-stopped", ({ detail }) => detail.isHere && this.field.offsetParent && this.back(detail.job));
    document.addEventListener("crawford:line-answer", ({ detail }) => {
      if (!this.answering) this.interrupted = this.field.value;
      this.field.value = "";
      this.back(detail.job);
      this.field.focus();
    });
    this.field.value ||= this.typedBefore();
    if (this.field.value) this.typed();
  }

  typedBefore() {
    try {
      const { line, at } = JSON.parse(localStorage.getItem(this.draft)) ?? {};
      return Date.now() - at < KEPT ? line : "";
    } catch {
      return "";
    }
  }

  keepTyped() {
    try {
      if (this.field.value.trim() && !this.answering) localStorage.setItem(this.draft, JSON.stringify({ line: this.field.value, at: Date.now() }));
      else localStorage.removeItem(this.draft);
    } catch {
      // it is not kept then
    }
  }

  typed() {
    clearTimeout(this.timer);
    this.request?.abort();
    this.shape = null;
    this.keepTyped();
    if (this.field.value.trim()) this.timer = setTimeout(() => this.ask(), PAUSE);
    else this.clear();
  }

  address(line) {
    const url = new URL(this.form.action);
    url.searchParams.set("line", line);
    return url;
  }

  async ask() {
    clearTimeout(this.timer);
    const line = this.field.value;
    this.request?.abort();
    this.request = new AbortController();
    try {
      const answer = await this.fetch(this.address(line), { signal: this.request.signal });
      const shape = answer && (await answer.json());
      if (shape && line === this.field.value) this.show(shape);
    } catch (error) {
      if (error.name !== "AbortError") this.say(error.sentence || this.texts.offline, "bad");
    }
  }

  async fetch(url, options) {
    const headers = { "X-Requested-With": "desk", Accept: "application/json" };
    const answer = await fetch(url, { ...options, headers, cache: "no-store", redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 403) {
      this.say(this.texts.sessionOver, "bad");
      return null;
    }
    if (answer.status >= 500) throw Object.assign(new Error(String(answer.status)), { sentence: await sentenceOf(answer) });
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) throw new Error(String(answer.status));
    return answer;
  }

  enter() {
    const line = this.field.value;
    if (!line.trim()) return;
    const { shape } = this;
    if (!shape) {
      this.send(line, null);
      return;
    }
    const { meanings } = shape;
    if (meanings.length > 1 && this.active < 0) this.choose(0);
    else if (meanings.length) this.choosing(meanings[Math.max(this.active, 0)]);
  }

  choosing(meaning) {
    if (!meaning.go) this.send(this.shape.line, meaning);
    else {
      if (this.answering) cancel(this.answering);
      this.empty();
      location.assign(meaning.go);
    }
  }

  send(line, meaning) {
    enqueue({ line, meaning, instead: this.answering });
    this.empty();
  }

  empty() {
    if (this.answer.dataset.tone === "bad") this.say("", "");
    this.answering = null;
    [this.field.value, this.interrupted] = [this.interrupted, ""];
    this.typed();
  }

  // It was not done: why, and the line stands in the field again unless something else does.
  back(job) {
    const shape = job.asked ?? job.refused;
    if (this.field.value) {
      this.say([job.line, shape.about, ...shape.sentences].filter(Boolean).join(" · "), "bad");
      return;
    }
    this.answering = job.key;
    this.field.value = job.line;
    this.show(shape);
  }

  show(shape) {
    this.shape = shape;
    const { meanings } = shape;
    const [one] = meanings;
    const parts = [];
    if (shape.about) parts.push(this.part("span", `${shape.about}. `));
    for (const sentence of shape.sentences) parts.push(this.part("span", `${sentence} `));
    if (meanings.length === 1) parts.push(...this.words(one), ...(one.follows ?? []).map((words, place) => this.part("span", `${place ? "; " : " → "}${words}`)));
    if (shape.go) {
      const link = this.part("a", "→");
      link.href = shape.go;
      link.addEventListener("click", () => this.answering && cancel(this.answering)); // it is seen to there
      link.setAttribute("aria-label", shape.about || shape.sentences[0]);
      parts.push(link);
    }
    if (shape.more) parts.push(this.part("span", this.texts.more));
    this.tell(parts, meanings.length === 1 ? "ready" : meanings.length ? "choose" : "hint");
    this.choices(meanings.length > 1 ? meanings : []);
    this.mark(meanings.length === 1 ? one.match : "");
  }

  words(meaning) {
    const strong = this.part("strong", meaning.strong);
    strong.className = "desk-line-strong";
    return [this.part("span", meaning.before ? `${meaning.before} · ` : ""), strong, this.part("span", ` ${meaning.after}`)];
  }

  part(name, text) {
    const node = document.createElement(name);
    node.textContent = text;
    return node;
  }

  // What was done, or why not: it stays until the next answer.
  say(text, tone) {
    this.answer.textContent = text;
    this.answer.dataset.tone = tone;
    this.answer.hidden = !text;
  }

  tell(parts, tone) {
    this.heard.replaceChildren(...parts);
    this.heard.dataset.tone = tone;
    this.heard.hidden = !parts.length;
  }

  choices(meanings) {
    this.active = -1;
    this.field.removeAttribute("aria-activedescendant");
    this.field.setAttribute("aria-expanded", String(meanings.length > 0));
    this.list.hidden = !meanings.length;
    this.list.replaceChildren(...meanings.map((meaning, index) => {
      const item = document.createElement("li");
      item.className = "desk-line-choice";
      item.id = `desk-line-choice-${index}`;
      item.dataset.index = index;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const number = this.part("span", index + 1);
      number.className = "desk-line-number";
      item.append(number, ...this.words(meaning), ...(meaning.line ? [this.part("code", meaning.line)] : []));
      return item;
    }));
  }

  choose(index) {
    const count = this.list.children.length;
    if (!count) return;
    this.active = (index + count) % count;
    for (const [place, item] of [...this.list.children].entries()) {
      item.setAttribute("aria-selected", String(place === this.active));
      if (place === this.active) {
        item.scrollIntoView({ block: "nearest" });
        this.field.setAttribute("aria-activedescendant", item.id);
      }
    }
    this.mark(this.shape.meanings[this.active].match);
  }

  mark(match) {
    for (const node of document.querySelectorAll(".is-meant")) node.classList.remove("is-meant");
    if (match) document.getElementById(`m-${match}`)?.classList.add("is-meant");
  }

  pressed(event) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.list.hidden) return;
      event.preventDefault();
      this.choose(event.key === "ArrowDown" ? this.active + 1 : this.active < 0 ? -1 : this.active - 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (this.field.value) {
        if (this.answering) cancel(this.answering);
        this.empty();
      } else {
        this.clear();
        this.field.blur();
      }
    } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !this.field.value) {
      event.preventDefault();
      this.field.value = this.texts.undo;
      this.typed();
    }
  }

  clear() {
    this.shape = null;
    this.choices([]);
    this.mark("");
    this.tell([], "");
  }
}

for (const form of document.querySelectorAll("[data-desk-line]:not([data-ready])")) {
  form.dataset.ready = "";
  new DeskLine(form);
}
