// Keys of an event's pages: g and a letter opens a tab, ? tells all of them. They can be switched off in that list (also those of the
// board and of the line), for whoever speaks to the computer instead of typing. In a list of events j and k walk, and what has data-press is
// pressed by its letter: that of the event one is at, else the first. Loaded before board.js, which leaves alone what is done here.
const SINGLE = "crawford-board-keys";
const PAUSE = 1500; // between g and the letter
const single = document.querySelector("[data-single-keys]");
const list = document.getElementById("desk-keys");
const rows = [...document.querySelectorAll(".event-row")];
let going = 0;

try {
  if (single && localStorage.getItem(SINGLE) === "off") single.checked = false;
} catch {
  // storage may be forbidden
}
single?.addEventListener("change", () => {
  try {
    if (single.checked) localStorage.removeItem(SINGLE);
    else localStorage.setItem(SINGLE, "off");
  } catch {
    // it holds for this page
  }
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (!single?.checked || event.target.matches?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]")) return;
  if (event.target.closest?.(".desk-form")) return; // a result is being typed
  if (Date.now() < going) {
    going = 0;
    const tab = /^[a-z]$/.test(event.key) && document.querySelector(`[data-go="${event.key}"]`);
    if (!tab) return;
    event.preventDefault();
    tab.click();
  } else if (event.key === "g") {
    event.preventDefault();
    going = Date.now() + PAUSE;
  } else if (event.key === "?") {
    event.preventDefault();
    list?.showModal();
  } else if (/^[jk]$/.test(event.key) && rows.length) {
    event.preventDefault();
    const at = rows.findIndex((row) => row.contains(event.target));
    rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + (event.key === "j" ? 1 : -1)))].querySelector("a").focus();
  } else if (/^[a-z]$/.test(event.key)) {
    const pressed = `[data-press="${event.key}"]`;
    const found = event.target.closest?.(".event-row")?.querySelector(pressed) ?? document.querySelector(pressed);
    if (!found) return;
    event.preventDefault();
    found.click();
  }
});
