// Looking back: the page shows everything as it was at one message; `data-at` on the page says which, none is live.
const lab = document.querySelector(".lab");
let waiting = null, busy = false, wanted = null;

// One question at a time; whoever moves on meanwhile is shown the last place only.
async function show(seq) {
  wanted = seq;
  if (busy) return;
  busy = true;
  while (wanted !== null) {
    const place = wanted;
    wanted = null;
    for (const panel of document.querySelectorAll("[role=tabpanel]:not([hidden])")) panel.dispatchEvent(new Event("stale"));
    const answer = await fetch(`${lab.dataset.root}at/${place}/`).catch(() => null);
    if (answer?.ok && Number(lab.dataset.at || 0) === place) htmx.swap("#sink", await answer.text(), { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
  }
  busy = false;
}

document.addEventListener("lab:look", event => {
  const seq = event.detail;
  if (seq) lab.dataset.at = seq; else delete lab.dataset.at;
  lab.classList.toggle("looking", seq > 0);
  clearTimeout(waiting);
  waiting = setTimeout(show, 40, seq);
});

// A link to a message, such as #m-12, opens the page there.
function linked() {
  const seq = Number(location.hash.match(/^#m-(\d+)$/)?.[1]);
  if (seq) document.dispatchEvent(new CustomEvent("lab:look", { detail: seq }));
}
addEventListener("hashchange", linked);
document.addEventListener("DOMContentLoaded", linked);
