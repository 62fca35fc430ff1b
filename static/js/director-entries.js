// A player chosen from the list is entered at once, and the next name can be typed.
const form = document.querySelector("[data-add-player]");
if (form) {
  form.addEventListener("crawford:chosen", () => form.requestSubmit());
  if (location.hash === "#add") form.querySelector("#id_name")?.focus();
}
