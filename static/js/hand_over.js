// A result from phone to phone, also while neither has network: the winner's phone shows a code, the loser's reads it and agrees, and whichever has
// network first sends what both have signed (tournaments/matches/services/hand_over.py). The keys are made here, cannot be taken out of the
// browser, and are certified by the site while the page is open with network. All of it needs https.
import { base64url } from "./keeping.js";
import { put, queue } from "./kept.js";
import { film } from "./scanning.js";

const dialog = document.getElementById("hand-over");
const words = dialog?.dataset ?? {};
const MATCHES = "crawford-matches";
const SHOWN = "crawford-shown-";
const KEPT = 14 * 24 * 3600 * 1000; // ms
const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const part = (name) => dialog.querySelector(`[data-${name}]`);

// --- what the phone remembers ------------------------------------------------------------------------------------------

const load = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
};

const save = (name, value) => {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // it works as long as the page is open
  }
};

// By the site's clock, as far as it is known.
const now = () => Math.round((Date.now() + (load("crawford-clock").ahead ?? 0)) / 1000);

const keys = (mode, work) =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("crawford-keys", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const doing = opening.result.transaction("keys", mode);
      const asked = work(doing.objectStore("keys"));
      doing.oncomplete = () => {
        opening.result.close();
        resolve(asked.result);
      };
      doing.onabort = () => reject(doing.error);
    };
  });


// The key of a personal page with its certificate; made and certified where there is network, null where there is none yet.
const keyOf = async (home) => {
  const known = await keys("readonly", (store) => store.get(home));
  if (known) return known;
  const token = /(?:^|; )csrftoken=(\w+)/.exec(document.cookie)?.[1];
  if (!token) return null;
  const pair = await crypto.subtle.generateKey(CURVE, false, ["sign"]);
  const body = new URLSearchParams({ key: base64url(await crypto.subtle.exportKey("raw", pair.publicKey)), csrfmiddlewaretoken: token });
  const answer = await fetch(`${home}key/`, { method: "POST", body, cache: "no-store" });
  if (!answer.ok) return null;
  const { certificate } = await answer.json();
  save("crawford-clock", { ahead: Date.parse(answer.headers.get("date")) - Date.now() || 0 });
  await keys("readwrite", (store) => store.put({ pair, certificate }, home));
  return { pair, certificate };
};

const sign = async ({ pair }, text) => base64url(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, new TextEncoder().encode(text)));

const entryOf = (certificate) => certificate.split("-")[0];

const remember = () => {
  const known = load(MATCHES);
  for (const [name, one] of Object.entries(known)) if (Date.now() - one.at > KEPT) delete known[name];
  for (const { dataset } of document.querySelectorAll("[data-hand-over]")) {
    const { match, entry, otherEntry: other, length, opponent } = dataset;
    known[`${match}:${entry}`] = { match, entry, other, length: Number(length), opponent, home: location.pathname, at: Date.now() };
  }
  save(MATCHES, known);
};

// --- the code ----------------------------------------------------------------------------------------------------------

const draw = async (place, text) => {
  const { encodeQR } = await import("../vendor/qr/encode.js");
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  picture.setAttribute("shape-rendering", "crispEdges");
  picture.setAttribute("aria-hidden", "true");
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  for (const [fill, d] of [["#fff", `M0 0h${rows.length}v${rows.length}H0z`], ["#000", path]]) {
    const drawn = document.createElementNS(space, "path");
    drawn.setAttribute("fill", fill);
    drawn.setAttribute("d", d);
    picture.append(drawn);
  }
  place.replaceChildren(picture);
};

const addressOf = (payload) => `${location.origin}/h/#${payload}`;

const say = (text, { fault = false } = {}) => {
  const line = part("outcome");
  line.textContent = text;
  line.classList.toggle("is-error", fault);
};

const show = async (payload, text, { answer = false } = {}) => {
  stop();
  const address = addressOf(payload);
  say(text);
  part("link").value = address;
  part("ask").hidden = true;
  part("film").hidden = true;
  part("code").hidden = false;
  part("read-answer").hidden = answer;
  if (!dialog.open) dialog.showModal();
  await draw(part("picture"), address);
};

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);

// The winner: what stands in the form, signed. The form's own word is kept as well, so nothing hangs on the other phone.
const showMine = async (section) => {
  const form = section.querySelector("form[data-report]");
  const { match, length, opponent } = section.dataset;
  const [mine, theirs] = ["mine", "theirs"].map((name) => Number(form.elements[name].value));
  if (form.elements.kind.value !== "played" || form.elements.theirs.value === "" || mine !== Number(length) || !(theirs >= 0 && theirs < mine)) {
    part("code").hidden = part("ask").hidden = part("film").hidden = true;
    say(words.first, { fault: true });
    return dialog.showModal();
  }
  const key = await keyOf(location.pathname);
  if (!key) return;
  const won = [match, mine, theirs, now(), form.elements.submission_key.value.replaceAll("-", "")].join(".");
  const signature = await sign(key, `crawford won 1\n${won}`);
  form.elements.submission_key.value = won.split(".")[4];
  save(SHOWN + won.split(".")[4], { won, certificate: key.certificate, signature, match, home: location.pathname, opponent, at: Date.now() });
  queue(form);
  await show(["w", won, key.certificate, signature].join("~"), fill(words.show, { name: opponent, mine, theirs }));
};

const isAgreed = (payload) => payload.startsWith("a~");

// What was read: of the winner, to be agreed to; of the loser, to be sent by the winner's phone as well.
const take = async (payload) => (isAgreed(payload) ? takeAnswer(payload) : takeWon(payload));

const takeAnswer = async (payload) => {
  const [, key, at, certificate, signature] = payload.split("~");
  const shown = load(SHOWN + key);
  if (!shown.won || !signature) return say(words.unknown, { fault: true });
  const [, mine, theirs] = shown.won.split(".");
  put({
    key,
    url: `${shown.home}hand-over/${shown.match}/`,
    home: shown.home,
    entry: entryOf(shown.certificate),
    match: shown.match,
    fields: {
      submission_key: key,
      won: shown.won,
      certificate: shown.certificate,
      signature: shown.signature,
      agreed_at: at,
      agreed_certificate: certificate,
      agreed_signature: signature,
    },
    label: fill(words.agreed, { name: shown.opponent }),
    score: `${mine}–${theirs}`,
  });
  dialog.close();
  if (location.pathname !== shown.home) location.assign(shown.home);
};

const takeWon = async (payload) => {
  const [, won, certificate, signature] = payload.split("~");
  const [match, points, mine, , key] = won?.split(".") ?? [];
  const known = Object.values(load(MATCHES)).find((one) => one.match === match && one.other === entryOf(certificate ?? "") && one.length === Number(points));
  part("code").hidden = part("film").hidden = part("ask").hidden = true;
  if (!dialog.open) dialog.showModal();
  if (!known || !signature || !key) return say(words.unknown, { fault: true });
  const own = await keyOf(known.home).catch(() => null);
  if (!own) return say(words.noKey, { fault: true });
  say(fill(words.ask, { name: known.opponent, mine, theirs: points }));
  part("ask").hidden = false;
  part("yes").onclick = async () => {
    const at = now();
    const agreed = await sign(own, `crawford agreed 1\n${won}\n${at}`);
    put({
      key: `${key}-agreed`,
      url: `${known.home}hand-over/${match}/`,
      home: known.home,
      entry: known.entry,
      match,
      fields: {
        submission_key: `${key}-agreed`,
        won,
        certificate,
        signature,
        agreed_at: String(at),
        agreed_certificate: own.certificate,
        agreed_signature: agreed,
      },
      label: fill(words.agreed, { name: known.opponent }),
      score: `${mine}–${points}`,
    });
    part("home").href = known.home;
    part("home").hidden = location.pathname === known.home;
    await show(["a", key, at, own.certificate, agreed].join("~"), fill(words.back, { name: known.opponent }), { answer: true });
  };
};

// --- the camera --------------------------------------------------------------------------------------------------------

let halt = null;

const stop = () => {
  halt?.();
  halt = null;
};

const scan = async () => {
  part("code").hidden = part("ask").hidden = true;
  part("film").hidden = false;
  say(words.look);
  if (!dialog.open) dialog.showModal();
  try {
    halt = await film(part("video"), (text) => {
      const payload = text.startsWith(`${location.origin}/h/#`) ? text.split("#")[1] : "";
      if (payload) setTimeout(() => take(payload));
      return Boolean(payload);
    });
  } catch {
    part("film").hidden = true;
    say(words.noCamera, { fault: true });
  }
};

// --- beginning ---------------------------------------------------------------------------------------------------------

const begin = async () => {
  let own = null;
  const reveal = () => {
    for (const row of document.querySelectorAll("[data-code-row]")) row.hidden = !own;
  };
  const look = async () => {
    remember();
    // A key is made when there is something to sign.
    if (!own && document.querySelector("[data-hand-over]")) own = await keyOf(location.pathname).catch(() => null);
    reveal();
  };
  document.addEventListener("crawford:swapped", look);
  await look();
};

if (dialog && globalThis.isSecureContext && crypto.subtle) {
  document.addEventListener("click", ({ target }) => {
    const shows = target.closest("[data-show-code]");
    if (shows) showMine(shows.closest("[data-hand-over]"));
    if (target.closest("[data-scan-code], [data-read-answer]")) scan();
  });
  dialog.addEventListener("close", stop);
  begin();
  const opened = () => location.hash.length > 1 && take(location.hash.slice(1));
  if (document.querySelector("[data-opened-code]")) {
    addEventListener("hashchange", opened);
    opened();
  }
}
