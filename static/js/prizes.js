// The page of prizes: sums as one types, worked out by the server so that there is one rule for them; arrows go from place to place.
const form = document.querySelector("[data-prizes]");
const PAUSE = 350;
let waiting = 0;
let asked = 0;

const swap = (page) => {
  for (const shown of form.querySelectorAll("[data-live]")) {
    const now = page.getElementById(shown.id);
    if (now && now.innerHTML !== shown.innerHTML) shown.replaceChildren(...now.childNodes);
  }
  // A part always has empty rows at its end.
  for (const rows of form.querySelectorAll("[data-rows]")) {
    const now = page.getElementById(rows.id);
    for (const row of now ? [...now.rows].slice(rows.rows.length) : []) rows.append(row);
  }
};

const ask = async () => {
  const mine = (asked += 1);
  const body = new FormData(form);
  body.set("do", "again");
  try {
    const answer = await fetch(form.action, { method: "POST", body });
    if (!answer.ok || mine !== asked) return;
    swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // Without network the sums stay as they are until it is back.
  }
};

const later = () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, PAUSE);
};

form.addEventListener("input", later);
form.addEventListener("change", later);
form.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const cell = event.target.closest("td");
  if (!step || !cell || event.target.tagName !== "INPUT") return;
  const rows = [...cell.closest("tbody").rows];
  const next = rows[rows.indexOf(cell.parentElement) + step]?.cells[cell.cellIndex].querySelector("input");
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
});
