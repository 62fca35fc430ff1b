// Where the installed site starts: at the page of one's own that was opened last, else at the events. Sent by the service worker in the place of
// a page that is not kept, while there is no network, it names those that are.
const section = document.querySelector("[data-start]");
const isStart = /^(\/[a-z]{2})?\/start\/$/.test(location.pathname);

const lastOwn = () => {
  try {
    const path = localStorage.getItem("crawford-start");
    return /^\/my\/[\w.-]+\/$/.test(path ?? "") ? path : "";
  } catch {
    return "";
  }
};

const kept = async () => {
  const found = [];
  for (const name of ["crawford-own", "crawford-open"]) {
    if (!(await caches.has(name))) continue;
    const store = await caches.open(name);
    for (const request of await store.keys()) {
      if (["/start/", "/h/"].includes(new URL(request.url).pathname)) continue;
      const page = new DOMParser().parseFromString(await (await store.match(request)).text(), "text/html");
      found.push({ url: request.url, title: page.title.split(" · ").slice(0, -1).join(" · ").trim() });
    }
  }
  return found;
};

const list = async () => {
  const title = document.querySelector("[data-start-title]");
  title.textContent = title.dataset.notKept;
  const pages = await kept();
  document.querySelector("[data-start-lead]").hidden = !pages.length;
  for (const { url, title: words } of pages) {
    const link = document.createElement("a");
    link.href = url;
    link.textContent = words;
    const line = document.createElement("li");
    line.append(link);
    document.querySelector("[data-start-pages]").append(line);
  }
};

if (isStart && !document.documentElement.hasAttribute("data-as-of")) location.replace(lastOwn() || section.dataset.home);
else if (isStart && lastOwn()) location.replace(lastOwn());
else if (globalThis.caches) list();
