// Check-in on a player's own page: the camera reads the hall's code from the wall into the field. Needs https; without it the code is typed.
import { film } from "./scanning.js";

let stop = null;

const reveal = () => {
  const button = document.querySelector("[data-hall-camera]");
  if (button) button.hidden = !(globalThis.isSecureContext && navigator.mediaDevices);
};

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-hall-camera]");
  if (!button) return;
  const form = button.closest("form");
  const video = form.querySelector("[data-hall-film]");
  if (stop) {
    stop();
    stop = null;
    video.hidden = true;
    return;
  }
  video.hidden = false;
  try {
    stop = await film(video, (text) => {
      if (!/^[0-9A-Z]{4,8}$/.test(text)) return false;
      form.elements.code.value = text;
      video.hidden = true;
      stop = null;
      form.requestSubmit();
      return true;
    });
  } catch {
    video.hidden = true;
    button.hidden = true; // no camera, or nobody allows it: the code is typed
  }
});
document.addEventListener("crawford:swapped", reveal);
reveal();
