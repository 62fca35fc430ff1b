// Ctrl-K or ⌘K anywhere: the search of the whole site in a dialog. Its field is a combobox; Enter without a choice opens the page.
const dialog = document.getElementById("site-search");
const field = dialog?.querySelector("input[name=q]");

document.addEventListener("keydown", (event) => {
  const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  if (!wanted || !dialog?.showModal) return;
  event.preventDefault();
  if (dialog.open) {
    dialog.close();
    return;
  }
  dialog.showModal();
  field.select();
});
