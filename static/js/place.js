// Back where one was: a form that is sent from a page and leads back to it finds the page scrolled as it was, with the focus where it was.
// A page says so with data-keep-place; what is kept is of this tab alone and used once.
const KEY = "crawford-place";
const SOON = 30000;
const path = location.pathname;

const named = (node) => {
  if (!node || node === document.body) return "";
  if (node.id) return `#${CSS.escape(node.id)}`;
  const row = node.closest("[id]");
  const own = node.name ? `[name="${CSS.escape(node.name)}"]:not([type=hidden])${node.value ? `[value="${CSS.escape(node.value)}"]` : ""}` : node.tagName.toLowerCase();
  return row ? `#${CSS.escape(row.id)} ${own}` : own;
};

const restore = () => {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
  } catch {
    return;
  }
  if (!kept || kept.path !== path || Date.now() - kept.at > SOON || location.hash) return;
  if (!document.querySelector("main :is(input, textarea, select)[autofocus]")) {
    try {
      document.querySelector(kept.focus || ":not(*)")?.focus({ preventScroll: true });
    } catch { /* the field is called otherwise now */ }
  }
  scrollTo({ top: kept.top, behavior: "instant" });
};

if (document.querySelector("[data-keep-place]")) {
  restore();
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("[data-keep-place]")) return;
    const focus = named(event.submitter ?? document.activeElement);
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ path, top: scrollY, focus, at: Date.now() }));
    } catch { /* no storage: the page begins at its top */ }
  });
}
