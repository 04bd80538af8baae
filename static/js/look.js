// Looking back: the page shows everything as it was at one message; `data-at` on the page says which, none is live.
const lab = document.querySelector(".lab");
let waiting = null;

document.addEventListener("lab:look", event => {
  const seq = event.detail;
  if (seq) lab.dataset.at = seq; else delete lab.dataset.at;
  lab.classList.toggle("looking", seq > 0);
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    htmx.ajax("GET", `${lab.dataset.root}at/${seq}/`, { source: "#player", target: "#sink", swap: "none" });
    for (const panel of document.querySelectorAll("[role=tabpanel]:not([hidden])")) panel.dispatchEvent(new Event("stale"));
  }, 40);
});
