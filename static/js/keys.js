// Passkeys and keys: what the browser refuses is said on the page. The work itself is done by django-allauth's scripts.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const fault = document.querySelector("[data-key-fault]");
  if (fault) fault.hidden = false;
});
