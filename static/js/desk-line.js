// The desk line. What is typed is asked about at each pause; what it means is shown; Enter sends the mark of what was shown, and the server
// goes on only if the line still means that. An Enter that comes before the answer waits for it. The key of a sending stays the
// same until it is answered, so that Enter twice, or an answer that was lost, records nothing twice.
const PAUSE = 90;
const PATIENCE = 15000;

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const typing = (node) => node.closest?.("input, textarea, select, [contenteditable], dialog");

class DeskLine {
  constructor(form) {
    this.form = form;
    this.texts = form.dataset;
    this.field = form.querySelector("input[name=line]");
    this.heard = form.querySelector(".desk-line-heard");
    this.list = form.querySelector(".desk-line-choices");
    this.shape = null;
    this.active = -1;
    this.key = newKey();
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.send(this.shape.meanings[Number(option.dataset.index)]);
    });
    document.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      if (event.key === "/" && plain && !typing(event.target)) {
        event.preventDefault();
        this.field.focus();
        this.field.select();
      }
    });
    if (this.field.value) this.typed();
  }

  typed() {
    if (this.busy) return;
    clearTimeout(this.timer);
    this.request?.abort();
    this.waiting = false;
    this.shape = null;
    this.key = newKey();
    if (this.field.value.trim()) this.timer = setTimeout(() => this.ask(), PAUSE);
    else this.clear();
  }

  async ask() {
    clearTimeout(this.timer);
    const line = this.field.value;
    const url = new URL(this.form.action);
    url.searchParams.set("line", line);
    this.request?.abort();
    this.request = new AbortController();
    try {
      const answer = await this.fetch(url, { signal: this.request.signal });
      if (!answer || line !== this.field.value) return;
      this.show(await answer.json());
      if (this.waiting) this.enter();
    } catch (error) {
      if (error.name !== "AbortError") this.say(this.texts.lost, "bad");
    }
  }

  async fetch(url, options) {
    const headers = { "X-Requested-With": "desk", Accept: "application/json" };
    const answer = await fetch(url, { ...options, headers, cache: "no-store", redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status === 403) {
      this.say(this.texts.signedOut, "bad");
      return null;
    }
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) throw new Error(String(answer.status));
    return answer;
  }

  enter() {
    if (this.busy || !this.field.value.trim()) return;
    if (!this.shape) {
      this.waiting = true;
      this.ask();
      return;
    }
    this.waiting = false;
    const { meanings } = this.shape;
    if (meanings.length === 1) this.send(meanings[0]);
    else if (this.active >= 0) this.send(meanings[this.active]);
    else if (meanings.length) this.choose(0);
  }

  async send(meaning) {
    if (!meaning || this.busy) return;
    if (meaning.go) {
      location.assign(meaning.go);
      return;
    }
    this.busy = true;
    this.field.readOnly = true;
    this.field.setAttribute("aria-busy", "true");
    const data = new FormData(this.form);
    data.set("line", this.shape.line);
    data.set("mark", meaning.mark);
    data.set("submission_key", this.key);
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const answer = await this.fetch(this.form.action, { method: "POST", body: data, signal: patience.signal });
      if (answer) this.answered(await answer.json());
    } catch {
      this.say(this.texts.lost, "bad"); // the same Enter sends the same key
    } finally {
      clearTimeout(late);
      this.busy = false;
      this.field.readOnly = false;
      this.field.removeAttribute("aria-busy");
    }
  }

  answered(answer) {
    if (answer.go && !answer.meanings) {
      location.assign(answer.go);
      return;
    }
    if (answer.done) {
      this.field.value = "";
      this.shape = null;
      this.key = newKey();
      this.choices([]);
      this.mark("");
      this.say(answer.done, "done");
    } else {
      this.key = newKey();
      this.show(answer, "bad");
    }
    document.dispatchEvent(new CustomEvent("crawford:ask"));
  }

  show(shape, tone = "") {
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
      link.setAttribute("aria-label", shape.about || shape.sentences[0]);
      parts.push(link);
    }
    if (shape.more) parts.push(this.part("span", this.texts.more));
    this.tell(parts, tone || (meanings.length === 1 ? "ready" : meanings.length ? "choose" : "hint"));
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

  say(text, tone) {
    this.tell([this.part("span", text)], tone);
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
    if (match) document.querySelector(`[data-match="${CSS.escape(match)}"]`)?.classList.add("is-meant");
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
        this.field.value = "";
        this.typed();
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
