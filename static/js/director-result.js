// The result form of a director: who won has the length, so that the loser's points are all there is to type; it shows the
// fields that the chosen kind of result asks for, and what it counts for.
const rules = () => JSON.parse(document.getElementById("result-rules")?.textContent ?? "[]");
const ruleOf = (form) => rules().find((one) => one.kind === form.elements.kind.value);
const other = (side) => (side === "a" ? "b" : "a");

const set = (field, value) => {
  if (field.value === String(value)) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true })); // the stepper listens
};

// The winner that the score tells.
const follow = (box) => {
  const form = box.closest("form");
  if (ruleOf(form)?.shape !== "to_length") return;
  const length = Number(box.dataset.length);
  const points = (side) => Number(form.elements[`score_${side}`].value || 0);
  for (const side of ["a", "b"]) {
    const radio = box.querySelector(`[name=winner][value=${side}]`);
    radio.checked = points(side) === length && points(other(side)) < length;
  }
};

const award = (box, winner) => {
  const form = box.closest("form");
  if (ruleOf(form)?.shape !== "to_length") return;
  const length = Number(box.dataset.length);
  const [won, lost] = [form.elements[`score_${winner}`], form.elements[`score_${other(winner)}`]];
  const before = Number(won.value || 0);
  const turned = Number(lost.value || 0) >= length; // the other one had won: the score is turned round
  set(won, length);
  if (turned) set(lost, before < length ? before : box.dataset[winner === "a" ? "startB" : "startA"]);
};

const refresh = (box) => {
  const form = box.closest("form");
  const rule = ruleOf(form);
  if (!rule) return;
  box.querySelector("[data-result-hint]").textContent = rule.hint;
  box.querySelector("[data-result-counts]").textContent = rule.counts;
  box.querySelector("[data-result-winner]").hidden = !rule.winner;
  if (!rule.winner) for (const radio of box.querySelectorAll("[name=winner]")) radio.checked = false;
  const scored = rule.shape !== "start";
  box.querySelector("[data-result-score]").hidden = !scored;
  if (!scored) {
    form.elements.score_a.value = box.dataset.startA;
    form.elements.score_b.value = box.dataset.startB;
  }
};

document.addEventListener("change", (event) => {
  const box = event.target.closest?.("[data-result]");
  if (box && event.target.name === "kind") refresh(box);
  if (box && event.target.name === "winner") award(box, event.target.value);
});
document.addEventListener("input", (event) => {
  const box = event.target.closest?.("[data-result]");
  if (box && event.target.name?.startsWith("score_")) follow(box);
});
const start = (root) => {
  for (const box of root.querySelectorAll("[data-result]")) {
    refresh(box);
    follow(box);
  }
};
document.addEventListener("crawford:swapped", (event) => start(event.target));
start(document);
