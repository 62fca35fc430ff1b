// A player's own page rings when their match is called, and once, softly, when it is near: #my-live says so in data-ring (a key, one for
// each call), data-ring-kind and data-ring-words. Sound needs a tap (the button #ring); vibration, title, badge and words do not. What
// has rung on this phone is remembered, so a reload or a second window is silent. Minutes of <time data-until> are counted here.
const region = document.getElementById("my-live");
const box = document.getElementById("ring");
const button = box?.querySelector("button");
const language = document.documentElement.lang || undefined;
const TONES = {
  called: [[880, 0, 0.22], [660, 0.3, 0.22], [880, 0.6, 0.22], [660, 0.9, 0.5]], // hertz, from, for seconds
  near: [[660, 0, 0.25]],
};
const SHAKES = { called: [400, 200, 400, 200, 400], near: [200] };
let sound = null;
let words = "";

// What this phone remembers of ringing: whether it may sound, and what it has rung for last. Without storage as long as the page is open.
const here = {};

const read = (name) => {
  try {
    return localStorage.getItem(`crawford-ring-${name}`) ?? here[name] ?? "";
  } catch {
    return here[name] ?? "";
  }
};

const write = (name, value) => {
  here[name] = value;
  try {
    localStorage.setItem(`crawford-ring-${name}`, value);
  } catch {
    // storage is off
  }
};

const tone = (hertz, from, length) => {
  const [wave, volume, at] = [sound.createOscillator(), sound.createGain(), sound.currentTime + from];
  wave.frequency.value = hertz;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(volume).connect(sound.destination);
  wave.start(at);
  wave.stop(at + length);
};

const play = (kind) => {
  if (read("on") !== "yes" || sound?.state !== "running") return;
  for (const [hertz, from, length] of TONES[kind]) tone(hertz, from, length);
};

// A browser lets a page sound only after a tap on it: after a reload any tap will do.
const wake = async () => {
  try {
    sound ??= new AudioContext();
    if (sound.state !== "running") await sound.resume();
  } catch {
    sound = null; // no sound here
  }
  show();
};

const show = () => {
  if (!button) return;
  const on = read("on") === "yes";
  button.setAttribute("aria-pressed", String(on));
  for (const line of box.querySelectorAll("[data-ring-state]")) {
    line.hidden = line.dataset.ringState !== (!on ? "off" : sound?.state === "running" ? "on" : "asleep");
  }
};

button?.addEventListener("click", async () => {
  const on = read("on") !== "yes";
  write("on", on ? "yes" : "");
  if (on) {
    await wake();
    play("near");
  }
  show();
});
for (const tap of ["pointerdown", "keydown"]) {
  addEventListener(tap, (event) => {
    if (read("on") === "yes" && sound?.state !== "running" && !button?.contains(event.target)) wake();
  });
}

const badge = (is) => {
  const done = is ? navigator.setAppBadge?.(1) : navigator.clearAppBadge?.();
  done?.catch?.(() => {}); // only an installed page has one
};

const ring = (kind, first) => {
  play(kind);
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(SHAKES[kind]);
  if (first || kind !== "called") return;
  // Who types goes on typing; everybody else reads the call first.
  const place = document.activeElement;
  if (!place?.closest("form, dialog")) region.querySelector("[data-ring-place]")?.focus();
};

const look = (first = false) => {
  const { ring: key = "", ringKind: kind = "", ringWords = "" } = region.dataset;
  badge(kind === "called");
  if (!key || key === read("done") || !(kind in TONES)) return;
  write("done", key);
  words = ringWords;
  ring(kind, first);
};

// What is read aloud is what has happened, and not that something has.
document.addEventListener("crawford:changed", (event) => {
  if (!words) return;
  event.detail.words = words;
  words = "";
});

const minutes = (count) =>
  new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "long" }).format(count);

const count = () => {
  for (const time of region.querySelectorAll("time[data-until]")) {
    const left = Math.round((Date.parse(time.dateTime) - Date.now()) / 60000);
    if (left >= 90) continue; // a time of day says more
    time.title ||= time.textContent;
    const shown = left < 1 ? time.dataset.untilNow : time.dataset.until.replace("{time}", minutes(left));
    if (time.textContent !== shown) time.textContent = shown;
  }
};

if (region) {
  look(true);
  count();
  show();
  if (read("on") === "yes") wake();
  setInterval(count, 10000);
  document.addEventListener("crawford:swapped", () => {
    look();
    count();
  });
  document.addEventListener("visibilitychange", count);
}
