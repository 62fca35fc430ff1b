// The hall screen (body.is-hall) scrolls a page that is too long by itself: slowly down, a rest, back to the top.
// A button and the space bar pause it; whoever scrolls, points or types takes over for a while. Where less motion is
// wished it stands still until the button is pressed. On a phone nobody stands back from it: there a thumb scrolls.
const PIXELS_A_SECOND = 28; // about a row of a board in three seconds
const REST = 6000;
const TAKEN_OVER = 20000;
const texts = document.getElementById("interface-texts")?.dataset ?? {};
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const root = document.scrollingElement;
const wide = matchMedia("(min-width: 40.01rem)"); // as wall.css

if (document.body.classList.contains("is-hall") && root) {
  let paused = calm.matches;
  let rest = performance.now() + REST;
  let place = root.scrollTop;
  let before = performance.now();

  const button = document.createElement("button");
  button.type = "button";
  button.className = "hall-pause";
  const tell = () => {
    button.hidden = !wide.matches || root.scrollHeight <= innerHeight + 8;
    button.textContent = paused ? texts.scroll ?? "Scroll" : texts.pause ?? "Pause";
    button.setAttribute("aria-pressed", String(!paused));
  };
  const toggle = () => {
    paused = !paused;
    rest = performance.now();
    place = root.scrollTop;
    tell();
  };
  button.addEventListener("click", toggle);
  document.body.append(button);

  const takeOver = (event) => {
    if (!button.contains(event.target)) rest = performance.now() + TAKEN_OVER;
  };
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(kind, takeOver, { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target.closest("a, button, input, select, textarea, summary")) return;
    event.preventDefault();
    toggle();
  });
  calm.addEventListener("change", () => calm.matches && !paused && toggle());
  document.addEventListener("crawford:swapped", tell);
  addEventListener("resize", tell);

  const step = (now) => {
    const passed = Math.min(now - before, 100);
    before = now;
    const end = root.scrollHeight - innerHeight;
    if (wide.matches && !paused && now > rest && end > 8) {
      if (Math.abs(place - root.scrollTop) > 2) place = root.scrollTop; // somebody moved it
      if (place >= end - 1) {
        place = 0;
        rest = now + REST;
      } else {
        place = Math.min(end, place + (PIXELS_A_SECOND * passed) / 1000);
        if (place >= end - 1) rest = now + REST;
      }
      root.scrollTo({ top: place, behavior: "instant" });
    }
    requestAnimationFrame(step);
  };
  tell();
  requestAnimationFrame(step);
}
