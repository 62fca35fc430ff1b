// On a phone places and tabs are wider than the page: bring the present one into view, without moving the page itself.
for (const tabs of document.querySelectorAll(".places, .tabs")) {
  const here = tabs.querySelector("[aria-current]");
  if (!here || tabs.scrollWidth <= tabs.clientWidth) continue;
  const own = tabs.getBoundingClientRect();
  const link = here.getBoundingClientRect();
  tabs.scrollLeft += link.left + link.width / 2 - own.left - own.width / 2;
}
