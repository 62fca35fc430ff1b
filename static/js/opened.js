// Whoever follows a link to something that is folded away finds it open.
const open = () => {
  const goal = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = goal && goal.closest("details:not([open])");
  if (!fold) return;
  fold.open = true;
  goal.scrollIntoView();
};
addEventListener("hashchange", open);
open();
