// A player chosen from the list is entered at once; the page that follows waits for the next name.
const form = document.querySelector("[data-add-player]");
form?.addEventListener("crawford:chosen", () => form.requestSubmit());
