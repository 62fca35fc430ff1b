// Runs before the first paint: says that scripts run, and sets the visitor's own choice of light or dark.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const read = () => {
    try {
      return localStorage.getItem("crawford-theme");
    } catch {
      return null; // storage may be forbidden
    }
  };
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  apply(read());

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-toggle]")) return;
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
    const choice = next === system ? null : next; // back to what the system wishes: forget the choice
    apply(choice);
    try {
      if (choice) localStorage.setItem("crawford-theme", choice);
      else localStorage.removeItem("crawford-theme");
    } catch {
      // the choice lasts for this page
    }
  });
})();
