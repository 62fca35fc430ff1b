// Who chooses a language by a link keeps it: addresses without one, and pages of one's own, are then read in it, too. The same
// cookie as Django's own form sets, until the browser is closed.
const links = document.querySelector("[data-languages]");

links?.addEventListener("click", ({ target }) => {
  const link = target.closest("a[hreflang]");
  if (!link) return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${links.dataset.languages}=${link.hreflang}; Path=/; SameSite=Lax${secure}`;
});
