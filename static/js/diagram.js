// The rows of the sequence diagram: which one is lit, which are loaded, which are folded.
const lab = document.querySelector(".lab"), scroller = document.getElementById("scroller"), frame = document.getElementById("window");
const list = () => document.getElementById("messages"), start = document.getElementById("start");
const MOST = 1200, NEAR_END = 160;
const newest = () => Number(document.getElementById("head").dataset.seq);
let following = true;

scroller.addEventListener("scroll", () => { following = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END; }, { passive: true });

function light(seq, gently) {
  for (const row of list().querySelectorAll(".now")) { row.classList.remove("now"); row.removeAttribute("aria-current"); row.querySelector(".label").tabIndex = -1; }
  const row = document.getElementById(`m-${seq}`);
  if (!row) return false;
  row.classList.add("now");
  row.setAttribute("aria-current", "step");
  row.querySelector(".label").tabIndex = 0;
  if (!gently) row.scrollIntoView({ block: "nearest" });
  return true;
}

// A part of the diagram. What is pushed while it is on its way, and follows it, is put to its end.
const pushed = new Set();
document.addEventListener("htmx:oobBeforeSwap", event => {
  if (event.detail.target.id === "messages") for (const rows of pushed) rows.push(...[...event.detail.fragment.children].map(row => row.cloneNode(true)));
});
async function fetchWindow(query) {
  const rows = [], box = document.createElement("template");
  pushed.add(rows);
  try {
    const answer = await fetch(`${lab.dataset.root}messages/?${query}`);
    if (!answer.ok) return null;
    box.innerHTML = await answer.text();
  } finally { pushed.delete(rows); }
  const found = box.content.querySelector("#messages");
  if (!box.content.querySelector("[data-more=after]")) found.append(...rows.filter(row => Number(row.id.slice(2)) > Number(found.dataset.last)));
  return box.content;
}

async function more(button) {
  button.disabled = true;
  const side = button.dataset.more, found = await fetchWindow(`${side}=${button.dataset.seq}`);
  if (!found) { button.disabled = false; return; }
  const rows = [...found.querySelector("#messages").children], anchor = side === "before" ? list().firstElementChild : null, top = anchor?.offsetTop;
  if (side === "before") list().prepend(...rows); else list().append(...rows);
  const next = found.querySelector(`[data-more=${side}]`);
  if (next) button.replaceWith(next); else button.remove();
  if (anchor) scroller.scrollTop += anchor.offsetTop - top;
  fold();
}

async function show(seq) {
  if (seq ? light(seq) : !document.querySelector("[data-more=after]") && light(newest())) return;
  const found = await fetchWindow(seq ? `at=${seq}` : "");
  if (!found) return;
  frame.replaceChildren(found);
  fold();
  light(seq || newest());
  list().classList.toggle("looking-back", lab.dataset.at !== undefined);
}

// One Pod of each owner: the others' messages are hidden, and a badge says how many Pods there are.
function fold() {
  const on = document.getElementById("fold-pods").checked, pods = new Map();
  const rows = list().querySelectorAll(".m[data-pod]");
  for (const row of rows) { const owner = row.dataset.owner; if (!pods.has(owner)) pods.set(owner, []); if (!pods.get(owner).includes(row.dataset.pod)) pods.get(owner).push(row.dataset.pod); }
  for (const row of rows) {
    const all = pods.get(row.dataset.owner), first = all[0] === row.dataset.pod;
    row.classList.toggle("folded", on && !first);
    if (on && first && all.length > 1) row.dataset.count = `×${all.length}`; else delete row.dataset.count;
  }
}

function trim() {
  const rows = list().children, many = rows.length - MOST;
  if (many <= 0 || lab.dataset.at !== undefined) return;
  for (let number = 0; number < many; number++) rows[0].remove();
  let button = frame.querySelector("[data-more=before]");
  if (!button) { button = Object.assign(document.createElement("button"), { type: "button", className: "more", textContent: "⋯" }); button.dataset.more = "before"; frame.prepend(button); }
  button.dataset.seq = list().querySelector(".m").dataset.seq;
}

function moved() {
  start.hidden = newest() > 0;
  fold();
  if (lab.dataset.at !== undefined) return;
  trim();
  light(newest(), true);
  if (following) scroller.scrollTop = scroller.scrollHeight;
}

document.addEventListener("lab:moved", moved);
document.addEventListener("lab:look", event => {
  list().classList.toggle("looking-back", event.detail > 0);
  if (event.detail) { show(event.detail); return; }
  following = true;
  show(0).then(moved);
});
frame.addEventListener("click", event => {
  const button = event.target.closest("[data-more]"), row = event.target.closest(".m");
  if (button) more(button);
  else if (row && !getSelection().toString()) document.dispatchEvent(new CustomEvent("lab:look", { detail: Number(row.dataset.seq) }));
});
for (const name of ["hide-events", "hide-storage"]) document.getElementById(name).addEventListener("change", event => { frame.classList.toggle(name, event.target.checked); if (following) scroller.scrollTop = scroller.scrollHeight; });
document.getElementById("fold-pods").addEventListener("change", fold);
document.addEventListener("DOMContentLoaded", moved);
