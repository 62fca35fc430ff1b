// The result form of a director: it shows the fields that the chosen kind of result asks for, and what it counts for.
const rules = () => JSON.parse(document.getElementById("result-rules")?.textContent ?? "[]");

const refresh = (box) => {
  const form = box.closest("form");
  const rule = rules().find((one) => one.kind === form.elements.kind.value);
  if (!rule) return;
  box.querySelector("[data-result-hint]").textContent = rule.hint;
  box.querySelector("[data-result-counts]").textContent = rule.counts;
  const named = rule.winner && rule.shape !== "to_length";
  box.querySelector("[data-result-winner]").hidden = !named;
  if (!named) form.elements.winner.value = "";
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
});
const start = (root) => {
  for (const box of root.querySelectorAll("[data-result]")) refresh(box);
};
document.addEventListener("crawford:swapped", (event) => start(event.target));
start(document);
