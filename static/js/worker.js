// The service worker, sent from /worker.js with what only the server knows in front (tournaments/site/web/installing.py). It opens the pages of this phone without
// network, as they were last, and shows notices. Everything else goes past it: what is sent, sign-in, directors' pages, the API, live updates.
//
// Own pages (personal links) lie apart from public ones, so that they can be thrown away alone: at a sign-out, when somebody lets the phone
// forget what is theirs, and when their link is dead. A page is kept with all the files that it needs, whose names carry a hash: pages of two
// releases live side by side, and a file that no page needs goes with the last one that did. Nothing of it depends on which worker
// wrote it, so a new one takes over at once.
const [OWN, OPEN, FILES] = ["crawford-own", "crawford-open", "crawford-files"];
const MOST = { [OWN]: 4, [OPEN]: 12 };
const LARGEST = 500_000; // characters of a page that is kept; a bracket of 1,024 has more and is not
const PATIENCE = 8000; // ms until a page that is kept is shown in the place of one that does not come
const START = "/start/";
const SHELL = [START, "/h/"]; // kept from the beginning: where the site starts, and where codes of results lead
const WOKEN = "crawford-woken"; // by which address and secret this browser is woken, for when it gets others
const QUEUE = "crawford-kept";
const HASHED = /\.[0-9a-f]{12}\.\w+$/;
const LANGUAGE = new RegExp(`^/(${LANGUAGES.join("|")})(?=/)`);

const bare = (url) => url.pathname.replace(LANGUAGE, "");

const storeOf = (url) => {
  if (url.origin !== location.origin) return null;
  const path = bare(url);
  if (/^\/my\/[^/]+\/$/.test(path)) return url.search ? null : OWN;
  const read = SHELL.includes(path) || /^\/(e\/[\w-]+\/(bracket\/|entries\/)?|m\/[\w-]+\/)?$/.test(path);
  // Screens of the hall have keys in their addresses, searches belong to nobody.
  return read && [...url.searchParams.keys()].every((name) => ["division", "stage"].includes(name)) ? OPEN : null;
};

const keyOf = (url) => (SHELL.includes(bare(url)) ? url.origin + bare(url) : url.origin + url.pathname + url.search);

// --- keeping -----------------------------------------------------------------------------------------------------------

const named = (text, base) => {
  const found = new Set();
  for (const [, path] of text.matchAll(/["'(](\/static\/[^"'()#?\s]+\.\w+)/g)) found.add(path);
  if (base) {
    // What style sheets and modules load: beside them.
    for (const [, path] of text.matchAll(/(?:url\(|\bfrom\s*|\bimport\s*\(?\s*)["']?(\.{1,2}\/[^"')#?\s]+)/g)) found.add(new URL(path, base).pathname);
  }
  return found;
};

// Everything that a page needs, into the store of files; what is there already under a name with a hash is not asked for again.
const filesOf = async (html) => {
  const store = await caches.open(FILES);
  const open = [...named(html)];
  const all = new Set(open);
  while (open.length) {
    const path = open.pop();
    let answer = HASHED.test(path) ? await store.match(path) : undefined;
    if (!answer) {
      answer = await fetch(path);
      if (!answer.ok) continue; // a page may name what is not there
      await store.put(path, answer.clone());
    }
    if (!/\.(css|js)$/.test(path)) continue;
    for (const next of named(await answer.text(), new URL(path, location.origin))) {
      if (!all.has(next)) {
        all.add(next);
        open.push(next);
      }
    }
  }
  return [...all];
};

const entriesOf = async (name) => {
  const store = await caches.open(name);
  const found = await Promise.all((await store.keys()).map(async (request) => ({ request, kept: JSON.parse((await store.match(request)).headers.get("X-Kept")) })));
  return found.sort((a, b) => b.kept.at - a.kept.at);
};

const tidy = async () => {
  const needed = new Set();
  for (const name of [OWN, OPEN]) {
    const store = await caches.open(name);
    // The shell was not looked at.
    const entries = await entriesOf(name);
    const looked = entries.filter(({ request }) => !SHELL.includes(new URL(request.url).pathname));
    const old = looked.slice(MOST[name]);
    for (const { request } of old) await store.delete(request);
    for (const one of entries) if (!old.includes(one)) one.kept.files.forEach((path) => needed.add(path));
  }
  const files = await caches.open(FILES);
  for (const request of await files.keys()) if (!needed.has(new URL(request.url).pathname)) await files.delete(request);
};

// One at a time: what one tidies away another may just have written.
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work).catch(() => {}));

const keep = (url, answer) => inTurn(async () => {
  const name = storeOf(url);
  const isHtml = (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
  if (!name || !answer.ok || !isHtml) return;
  // A public page for one visitor alone, as a draft that its director sees.
  if (name === OPEN && /private/.test(answer.headers.get("Cache-Control") ?? "")) return;
  const html = await answer.text();
  if (html.length > LARGEST || !html.includes('id="interface-texts"')) return;
  const headers = { "Content-Type": "text/html; charset=utf-8", "X-Kept": JSON.stringify({ at: Date.now(), files: await filesOf(html) }) };
  for (const name of ["Content-Security-Policy", "Permissions-Policy", "Referrer-Policy"]) {
    if (answer.headers.has(name)) headers[name] = answer.headers.get(name);
  }
  await (await caches.open(name)).put(keyOf(url), new Response(html, { headers }));
  await tidy();
});

const forgetOwn = () => inTurn(() => caches.delete(OWN));

// A dead link: its pages go, and so do those below it.
const forgetLink = (url) => inTurn(async () => {
  const link = url.pathname.split("/").slice(0, 3).join("/") + "/";
  const store = await caches.open(OWN);
  for (const request of await store.keys()) if (new URL(request.url).pathname.startsWith(link)) await store.delete(request);
  await tidy();
});

// --- opening -----------------------------------------------------------------------------------------------------------

const asItWas = async (url) => {
  const name = storeOf(url);
  const kept = name && (await (await caches.open(name)).match(keyOf(url)));
  const shown = kept ?? (await (await caches.open(OPEN)).match(location.origin + START));
  if (!shown) return null;
  const { at } = JSON.parse(shown.headers.get("X-Kept"));
  const html = (await shown.text()).replace("<html ", kept ? `<html data-as-of="${at}" ` : '<html data-not-kept ');
  return { isPage: Boolean(kept), answer: new Response(html, { headers: shown.headers }) };
};

const open = async (event, url) => {
  const asked = fetch(event.request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    let answer = await Promise.race([asked, late]);
    if (!answer) {
      const kept = await asItWas(url);
      if (kept?.isPage) {
        asked.catch(() => {});
        return kept.answer;
      }
      answer = await asked;
    }
    if (answer.status === 404 || answer.status === 410) {
      if (storeOf(url) === OWN) event.waitUntil(forgetLink(url));
    } else if (answer.ok && answer.type === "basic") {
      event.waitUntil(keep(url, answer.clone()));
    }
    return answer;
  } catch (error) {
    const kept = await asItWas(url);
    if (kept) return kept.answer;
    throw error;
  }
};

const file = async (request, url) => {
  const kept = await (await caches.open(FILES)).match(url.pathname);
  if (kept && HASHED.test(url.pathname)) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
};

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  const { method, mode } = event.request;
  if (mode === "navigate" && method === "POST" && /^\/account\/(logout|delete)/.test(bare(url))) event.waitUntil(forgetOwn());
  if (method !== "GET") return;
  if (mode === "navigate") {
    const own = /^\/(account|direct|admin|operators|api|i18n|clubs|me|claim|invitation|join|registered)\b/.test(bare(url));
    if (!own) event.respondWith(open(event, url));
  } else if (url.pathname.startsWith("/static/")) event.respondWith(file(event.request, url));
});

// --- living ------------------------------------------------------------------------------------------------------------

addEventListener("install", (event) => {
  // Pages come from the network first and files carry hashes, so a new worker breaks no page that is open.
  skipWaiting();
  event.waitUntil(Promise.all(SHELL.map((path) => fetch(path).then((answer) => keep(new URL(path, location.origin), answer)))));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim().then(() => inTurn(tidy))));

addEventListener("message", (event) => {
  // The page that brought the worker was not opened by it.
  const url = new URL(event.data?.keep ?? "", location.origin);
  if (event.data?.keep && storeOf(url)) event.waitUntil(fetch(url, { cache: "no-store" }).then((answer) => keep(url, answer)));
  if (event.data?.woken) event.waitUntil(rememberWoken(event.data.woken));
  if (event.data?.forget === "own") event.waitUntil(forgetOwn());
  if (event.data?.forget === "link") event.waitUntil(forgetLink(new URL(event.source.url)));
});

// --- notices -----------------------------------------------------------------------------------------------------------

addEventListener("push", (event) => {
  let sent = {};
  try {
    sent = event.data?.json() ?? {};
  } catch {
    return; // not from this site
  }
  const { title, body = "", tag, url = "/", lang, kind = "" } = sent;
  if (!title) return;
  const shown = { body, tag, lang, renotify: Boolean(tag), icon: ICON, data: { url, kind } };
  event.waitUntil(registration.showNotification(title, shown));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? "/", location.origin);
  if (url.origin !== location.origin) return;
  event.waitUntil(
    (async () => {
      const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
      const there = windows.find((one) => new URL(one.url).pathname === url.pathname);
      there?.postMessage({ opened: url.href });
      return there ? there.focus() : clients.openWindow(url.href);
    })(),
  );
});

// The push service gives this browser another address, and no page need be open: the site hears of it by the secret of the old one.
const rememberWoken = async (woken) => (await caches.open(WOKEN)).put(RENEWED, new Response(JSON.stringify(woken)));
const lastWoken = async () => (await caches.match(RENEWED, { cacheName: WOKEN }))?.json();

const letters = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const wokenBy = (one) => ({ endpoint: one.endpoint, p256dh: letters(one.getKey("p256dh")), auth: letters(one.getKey("auth")) });

const renew = async (before, given) => {
  const old = before?.getKey("auth") ? wokenBy(before) : await lastWoken();
  if (!old) return;
  const now = given ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(PUSH_KEY) }));
  const body = new URLSearchParams({ ...wokenBy(now), old: old.endpoint, old_auth: old.auth });
  const answer = await fetch(RENEWED, { method: "POST", body, credentials: "omit" });
  if (answer.ok) await rememberWoken(wokenBy(now));
};

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.oldSubscription, event.newSubscription)));

// --- sending what was kept while no page is open (Background Sync) -----------------------------------------------------

const claims = (mode, work) =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(QUEUE, 1);
    opening.onupgradeneeded = () => ["files", "claims"].forEach((name) => opening.result.createObjectStore(name));
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const doing = opening.result.transaction(["files", "claims"], mode);
      const asked = work(doing);
      doing.oncomplete = () => {
        opening.result.close();
        resolve(asked.result);
      };
      doing.onabort = () => reject(doing.error);
    };
  });

// The same as js/kept.js sends; the page hears of it when it sends it again, with the same key.
const send = async (claim) => {
  const token = await self.cookieStore?.get("csrftoken");
  if (!token) return;
  const body = new FormData();
  for (const [name, value] of Object.entries(claim.fields)) body.append(name, value);
  body.append("csrfmiddlewaretoken", token.value);
  const kept = claim.file && (await claims("readonly", (doing) => doing.objectStore("files").get(claim.key)));
  if (kept) body.append("record", kept, claim.file);
  const answer = await fetch(claim.url, { method: "POST", body });
  if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
  await claims("readwrite", (doing) => doing.objectStore("claims").delete(claim.key));
};

addEventListener("sync", (event) => {
  if (event.tag !== QUEUE) return;
  event.waitUntil(
    (async () => {
      const pages = (await clients.matchAll({ type: "window" })).filter((one) => /\/my\//.test(one.url));
      if (pages.length) return pages.forEach((one) => one.postMessage("flush"));
      for (const claim of await claims("readonly", (doing) => doing.objectStore("claims").getAll())) await send(claim);
    })(),
  );
});
