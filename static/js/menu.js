// Menus are <details class="menu">: they open by themselves; here they learn to close.
const close = (menu, refocus) => {
  menu.open = false;
  if (refocus) menu.querySelector("summary")?.focus();
};

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) close(menu, false);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (menu) close(menu, menu.contains(document.activeElement));
});

document.addEventListener("focusout", (event) => {
  const menu = event.target.closest?.("details.menu[open]");
  if (menu && event.relatedTarget && !menu.contains(event.relatedTarget)) close(menu, false);
});

// A notice can be put away.
document.addEventListener("click", (event) => {
  event.target.closest?.("[data-dismiss]")?.closest(".message")?.remove();
});
