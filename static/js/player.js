// The player: where in the history the page stands, and how the cluster goes on.
const lab = document.querySelector(".lab"), slider = document.getElementById("slider"), counter = document.getElementById("counter");
const play = document.getElementById("play"), pace = document.getElementById("pace-choice"), live = document.getElementById("live");
const head = () => document.getElementById("head").dataset, newest = () => Number(head().seq);
const place = () => lab.dataset.at === undefined ? newest() : Number(lab.dataset.at);
const look = seq => document.dispatchEvent(new CustomEvent("lab:look", { detail: seq }));
const oldest = () => Number(slider.min) || 1;

function show() {
  slider.max = newest();
  slider.value = place();
  const row = document.getElementById(`m-${place()}`), at = lab.dataset.at === undefined ? head().clock : row ? (row.dataset.at / 1000).toFixed(3) : "";
  counter.textContent = `${place()} / ${newest()}` + (at ? ` · ${at} s` : "");
  live.setAttribute("aria-pressed", lab.dataset.at === undefined);
  lab.classList.toggle("running", head().running === "1");
  if (play) play.setAttribute("aria-label", head().running === "1" ? play.dataset.pause : play.dataset.play);
  if (pace && head().running === "1" && document.activeElement !== pace) pace.value = `${head().pace}:${head().speed}`;
}

const post = (name, values = {}) => fetch(`${lab.dataset.root}${name}/`, { method: "POST", headers: JSON.parse(document.body.getAttribute("hx-headers")), body: new URLSearchParams(values) });
const setPace = choice => post("pace", { choice });
async function toggle() {
  if (!play) return;
  if (head().running === "1") return setPace("paused");
  if (lab.dataset.at !== undefined) look(0);
  return setPace(pace.value);
}
function go(seq) {
  if (seq >= newest()) look(0); else look(Math.max(seq, oldest()));
}
async function next() {
  if (lab.dataset.at !== undefined) return go(place() + 1);
  if (!play) return;
  if (head().running === "1") await setPace("paused");
  return post("next");
}

play?.addEventListener("click", toggle);
document.getElementById("next").addEventListener("click", next);
document.getElementById("previous").addEventListener("click", () => go(place() - 1));
document.getElementById("to-first").addEventListener("click", () => go(oldest()));
live.addEventListener("click", () => look(0));
slider.addEventListener("input", () => go(Number(slider.value)));
document.addEventListener("lab:moved", show);
document.addEventListener("lab:look", () => setTimeout(show));
document.addEventListener("htmx:oobAfterSwap", show);
document.addEventListener("lab:player", event => ({ toggle, next, previous: () => go(place() - 1), on: () => lab.dataset.at === undefined ? next() : go(place() + 10), back: () => go(place() - 10), first: () => go(oldest()), live: () => look(0) })[event.detail]());
document.addEventListener("DOMContentLoaded", show);
