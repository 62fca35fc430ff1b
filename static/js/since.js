// <time datetime data-since>: how long ago, in minutes or as 1:05 h, counted here so that an unchanged page costs the server nothing.
// An ancestor's data-over is the moment from which it is too long; the style sheet then shows what is to be said.
const language = document.documentElement.lang || undefined;
const words = (value, unit) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);

const tick = () => {
  const now = Date.now();
  for (const time of document.querySelectorAll("time[data-since]")) {
    const minutes = Math.max(0, Math.floor((now - Date.parse(time.dateTime)) / 60000));
    const shown = minutes < 60 ? words(minutes, "minute") : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
    if (minutes < 24 * 60 && time.textContent !== shown) {
      time.title ||= time.textContent;
      time.textContent = shown;
    }
    const over = time.closest("[data-over]")?.dataset.over;
    time.classList.toggle("is-over", Boolean(over) && now >= Date.parse(over));
  }
};

tick();
setInterval(tick, 10000);
document.addEventListener("crawford:swapped", tick);
document.addEventListener("visibilitychange", tick);
