// On a phone the tabs are wider than the page: bring the present one into view.
const tabs = document.querySelector(".tabs");
const here = tabs?.querySelector("[aria-current]");
if (here && tabs.scrollWidth > tabs.clientWidth) here.scrollIntoView({ block: "nearest", inline: "center" });
