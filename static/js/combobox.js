// Player search. <div data-combobox="URL" data-combobox-target="#hidden"> around a text field: answers of
// URL?q=… are {"results": [{"id", "text", "note", "url"}]}. The chosen id goes into the hidden field; with
// data-combobox-go a chosen result's url is opened instead. Without scripts the text field alone is sent.
const texts = document.getElementById("interface-texts")?.dataset ?? {};
let serial = 0;

const announce = (words) => {
  const region = document.getElementById("announcer");
  if (region) region.textContent = words;
};

class Combobox {
  constructor(box) {
    this.box = box;
    this.field = box.querySelector("input:not([type=hidden])");
    this.hidden = box.dataset.comboboxTarget ? document.querySelector(box.dataset.comboboxTarget) : null;
    this.results = [];
    this.active = -1;
    this.list = document.createElement("ul");
    this.list.className = "combobox-list";
    this.list.id = `combobox-${(serial += 1)}`;
    this.list.hidden = true;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", this.field.labels?.[0]?.textContent.trim() ?? "");
    box.append(this.list);
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-expanded", "false"],
      ["aria-controls", this.list.id],
      ["autocomplete", "off"],
      ["spellcheck", "false"],
    ]) this.field.setAttribute(name, value);
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.choose(Number(option.dataset.index));
    });
  }

  typed() {
    if (this.hidden) this.hidden.value = "";
    clearTimeout(this.timer);
    const words = this.field.value.trim();
    if (words.length < Number(this.box.dataset.comboboxMin ?? 2)) {
      this.close();
      return;
    }
    this.timer = setTimeout(() => this.search(words), 180);
  }

  async search(words) {
    this.request?.abort();
    this.request = new AbortController();
    const url = new URL(this.box.dataset.combobox, location.href);
    url.searchParams.set("q", words);
    try {
      const answer = await fetch(url, { headers: { Accept: "application/json" }, signal: this.request.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      this.show((await answer.json()).results ?? []);
    } catch (error) {
      if (error.name !== "AbortError") this.close();
    }
  }

  show(results) {
    this.results = results;
    this.active = -1;
    this.field.removeAttribute("aria-activedescendant");
    this.list.replaceChildren(...results.map((result, index) => this.option(result, index)));
    if (!results.length) {
      const none = document.createElement("li");
      none.className = "combobox-empty";
      none.textContent = this.box.dataset.comboboxNone ?? texts.none ?? "Nothing found";
      this.list.append(none);
    }
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    announce(results.length ? `${results.length} ${texts.found ?? "found"}` : this.list.textContent);
  }

  option(result, index) {
    const item = document.createElement("li");
    item.className = "combobox-option";
    item.id = `${this.list.id}-${index}`;
    item.dataset.index = index;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    const name = document.createElement("span");
    name.textContent = result.text;
    item.append(name);
    if (result.note) {
      const note = document.createElement("span");
      note.className = "combobox-note";
      note.textContent = result.note;
      item.append(note);
    }
    return item;
  }

  move(step) {
    if (!this.results.length) return;
    this.active = (this.active + step + this.results.length) % this.results.length;
    for (const [index, item] of [...this.list.children].entries()) {
      item.setAttribute("aria-selected", String(index === this.active));
      if (index === this.active) {
        item.scrollIntoView({ block: "nearest" });
        this.field.setAttribute("aria-activedescendant", item.id);
      }
    }
  }

  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) this.typed();
      else this.move(event.key === "ArrowDown" ? 1 : this.active < 0 ? 0 : -1);
    } else if (event.key === "Enter" && !this.list.hidden && this.active >= 0) {
      event.preventDefault();
      this.choose(this.active);
    } else if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.close();
    }
  }

  choose(index) {
    const result = this.results[index];
    if (!result) return;
    this.close();
    if ("comboboxGo" in this.box.dataset && result.url) {
      location.assign(result.url);
      return;
    }
    this.field.value = result.text;
    if (this.hidden) this.hidden.value = result.id;
    this.box.dispatchEvent(new CustomEvent("crawford:chosen", { bubbles: true, detail: result }));
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}

const equip = (root) => {
  for (const box of root.querySelectorAll("[data-combobox]:not([data-ready])")) {
    box.dataset.ready = "";
    new Combobox(box);
  }
};
document.addEventListener("crawford:swapped", (event) => equip(event.target));
equip(document);
