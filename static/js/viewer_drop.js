// The drop field: a file dropped anywhere on it is the file of its input.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const input = zone.querySelector('input[type="file"]');
  const name = zone.querySelector("[data-drop-name]");
  const show = () => {
    name.textContent = input.files[0]?.name ?? name.dataset.empty;
  };
  input.addEventListener("change", show);
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("is-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) {
      const one = new DataTransfer();
      one.items.add(event.dataTransfer.files[0]);
      input.files = one.files;
      show();
    }
  });
  show();
}
