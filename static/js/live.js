// <main data-live="URL" data-live-interval="5">: asks URL with the last ETag; an unchanged page is a 304 and costs
// nothing; a changed one is merged into every [data-live-region] of the same id. Merging keeps what the visitor
// holds: focus, typed text, open details, scroll places, the round jumped to. A page may look at what comes before it is
// merged (crawford:swapping, detail.fresh), is told when it was (crawford:swapped), and may ask at once (crawford:ask).
// A hidden page is silent, unless a region says with data-live-hidden that somebody waits for it, and how many seconds apart it may ask. What
// is read aloud of a change a page says itself (crawford:changed, detail.words).
// With data-live-ends a 404 is the end of it: the page of a link that is dead says so and asks no more.
const main = document.querySelector("[data-live]");
const texts = document.getElementById("interface-texts")?.dataset ?? {};

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key || null : null);
const held = new Set(["open", "data-ready", "data-zoom", "aria-busy", "tabindex"]);

const mergeAttributes = (from, to) => {
  for (const { name, value } of [...to.attributes]) {
    if (!held.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!held.has(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
};

// What has changed, for who does not see it: the innermost things that have a key, each in its own words.
const MOST_READ = 3;
const LONGEST_READ = 140;
let news = [];
const saysOf = (node) =>
  (node.querySelector(".bracket-link[aria-label]")?.getAttribute("aria-label") ?? node.textContent.replace(/\s+/g, " ").trim()).slice(0, LONGEST_READ);
const newsInWords = () => {
  const inner = news.filter((node) => node.isConnected && !news.some((other) => other !== node && node.contains(other)));
  const lines = [...new Set(inner.map(saysOf))].filter(Boolean);
  const more = lines.length > MOST_READ ? ` +${lines.length - MOST_READ}` : "";
  return lines.length ? `: ${lines.slice(0, MOST_READ).join(". ")}${more}` : "";
};

const same = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

const merge = (from, to) => {
  if (from.isEqualNode(to)) return;
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.matches("[data-live-keep]") || (from.matches("form") && from.contains(document.activeElement))) return;
  const words = from.dataset.key || from.hasAttribute("data-glows") ? from.textContent : null;
  mergeAttributes(from, to);
  const known = new Map();
  for (const child of from.childNodes) if (keyOf(child)) known.set(keyOf(child), child);
  let place = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const key = keyOf(wanted);
    const found = key ? known.get(key) : place;
    if (found && same(found, wanted)) {
      if (found === place) place = place.nextSibling;
      else from.insertBefore(found, place);
      merge(found, wanted);
    } else {
      const made = document.importNode(wanted, true);
      from.insertBefore(made, place);
      if (made.dataset?.key) news.push(made);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
  if (words === null || words === from.textContent) return;
  from.classList.add("is-fresh"); // a short glow, see content.css
  news.push(from);
};

document.addEventListener("animationend", (event) => {
  if (event.animationName === "fresh") event.target.classList.remove("is-fresh");
});

class Live {
  constructor(element) {
    this.element = element;
    this.url = new URL(element.dataset.live || location.href, location.href);
    this.interval = Math.max(1, Number(element.dataset.liveInterval || 5)) * 1000;
    this.etag = element.dataset.liveEtag ?? null;
    this.failures = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.ask()));
    addEventListener("online", () => this.ask());
    addEventListener("offline", () => this.ended || this.say("offline"));
    document.addEventListener("crawford:ask", () => this.ask());
    this.plan(this.interval);
  }

  stop() {
    clearTimeout(this.timer);
    this.request?.abort();
  }

  rest() {
    this.stop();
    if (!this.ended) this.plan(this.interval);
  }

  plan(delay) {
    clearTimeout(this.timer);
    const hidden = Number(document.querySelector("[data-live-region][data-live-hidden]")?.dataset.liveHidden ?? 0) * 1000;
    if (document.hidden && !hidden) return;
    const wait = document.hidden ? Math.max(delay, hidden) : delay;
    // Jitter: a hall full of phones must not ask in one breath.
    this.timer = setTimeout(() => this.ask(), wait * (0.85 + Math.random() * 0.3));
  }

  async ask() {
    if (this.ended) return;
    this.stop();
    this.request = new AbortController();
    const mine = this.request;
    const patience = setTimeout(() => mine.abort("late"), 15000);
    try {
      const headers = { "X-Requested-With": "live" };
      if (this.etag) headers["If-None-Match"] = this.etag;
      const answer = await fetch(this.url, { headers, signal: mine.signal, cache: "no-store", redirect: "error" });
      if (answer.status === 200) {
        const first = !this.etag;
        this.etag = answer.headers.get("ETag");
        this.take(await answer.text(), first);
      } else if (answer.status === 404 || answer.status === 410) {
        if (this.element.hasAttribute("data-live-ends") && this.end(await answer.text())) return;
        this.empty();
        return; // it is asked again: what an operator hid may come back
      } else if (answer.status !== 304) {
        throw new Error(String(answer.status));
      }
      this.failures = 0;
      this.say("online");
    } catch (error) {
      if (mine.signal.aborted && mine.signal.reason !== "late") return;
      this.failures += 1;
      if (this.failures > 1 || !navigator.onLine) this.say("offline");
    } finally {
      clearTimeout(patience);
      if (this.request === mine && !this.ended) this.plan(Math.min(60000, this.interval * 2 ** Math.min(this.failures, 5)));
    }
  }

  // The link is dead: why, and what to do, stands above what the visitor sees and types, which stays; nothing is sent from here.
  // False for an answer that is not of this site, but of a network that wants to be signed in to.
  end(html) {
    const dead = new DOMParser().parseFromString(html, "text/html").querySelector("[data-dead-link]");
    if (!dead) return false;
    this.ended = true;
    this.say("ended");
    const box = document.createElement("div");
    box.className = "message is-error";
    box.setAttribute("role", "alert");
    const text = document.createElement("div");
    text.className = "message-text stack is-tight";
    for (const node of dead.querySelectorAll("h1, p")) {
      const line = document.createElement("p");
      const inner = node.nodeName === "H1" ? line.appendChild(document.createElement("strong")) : line;
      if (!node.querySelector("a")) text.append(line);
      inner.textContent = node.textContent.trim();
    }
    box.append(text);
    document.querySelector("[data-live-region]")?.before(box);
    for (const button of this.element.querySelectorAll('form[method="post"] [type="submit"]')) button.disabled = true;
    document.dispatchEvent(new CustomEvent("crawford:ended"));
    box.scrollIntoView({ block: "nearest" });
    return true;
  }

  // What is not there any more is shown no longer; but nobody loses what they are typing.
  empty() {
    this.etag = null;
    for (const region of document.querySelectorAll("[data-live-region]")) {
      if (region.contains(document.activeElement) && document.activeElement.form) continue;
      region.replaceChildren(Object.assign(document.createElement("p"), { className: "muted", textContent: texts.gone }));
    }
  }

  take(html, first) {
    const page = new DOMParser().parseFromString(html, "text/html");
    let changed = false;
    news = [];
    for (const region of document.querySelectorAll("[data-live-region]")) {
      const fresh = region.id && page.getElementById(region.id);
      if (!fresh || region.isEqualNode(fresh)) continue;
      const before = region.textContent;
      region.dispatchEvent(new CustomEvent("crawford:swapping", { bubbles: true, detail: { fresh } }));
      merge(region, fresh);
      changed ||= before !== region.textContent;
      region.dispatchEvent(new CustomEvent("crawford:swapped", { bubbles: true }));
    }
    if (page.title && page.title !== document.title) document.title = page.title;
    if (changed && !first) {
      const region = document.getElementById("announcer");
      const detail = { words: `${texts.updated ?? "Updated"}${newsInWords()}` };
      document.dispatchEvent(new CustomEvent("crawford:changed", { detail }));
      if (region) region.textContent = detail.words;
      setTimeout(() => region && (region.textContent = ""), 5000);
    }
  }

  say(state) {
    if (state === "online") document.querySelector("[data-as-of-note]")?.remove();
    for (const badge of document.querySelectorAll("[data-live-state]")) {
      if (badge.dataset.state !== state) badge.dataset.state = state;
    }
  }
}

// A page that the service worker kept, shown without network: the time at which it was so.
const asOf = Number(document.documentElement.dataset.asOf);
if (asOf) {
  const today = new Date(asOf).toDateString() === new Date().toDateString();
  const shape = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(today ? {} : { day: "numeric", month: "long" }) };
  const time = new Intl.DateTimeFormat(document.documentElement.lang, shape).format(asOf);
  const note = Object.assign(document.createElement("p"), { className: "message is-warning" });
  note.setAttribute("role", "status");
  note.dataset.asOfNote = "";
  const again = Object.assign(document.createElement("a"), { href: location.href, textContent: texts.look });
  note.append((texts.asOf ?? "").replace("{time}", () => time), " ", again);
  document.querySelector("#main > .wrap")?.prepend(note);
}

if (main) new Live(main);
