// Sizes of the parts, by mouse or keys, remembered; on a phone one part at a time.
const lab = document.querySelector(".lab"), root = document.documentElement;
const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* not remembered */ } };
const stored = name => { try { return localStorage.getItem(name); } catch { return null; } };

const NARROWEST = 200, FOLDS = 120;          // a column that is pushed below this is folded away; its edge brings it back
function size(name, value) {
  root.style.setProperty(name, `${value}px`);
  lab.classList.toggle(`folded${name}`, Number(value) === 0);
}
function unfold(name) { if (lab.classList.contains(`folded${name}`)) { size(name, 288); store(`size${name}`, 288); } }
for (const name of ["--dock-height", "--do-width", "--side-width"]) { const value = stored(`size${name}`); if (value) size(name, value); }

function drag(grip, name, measure, least, most) {
  const set = value => {
    const kept = least === NARROWEST && value < FOLDS ? 0 : Math.round(Math.min(Math.max(value, least), most()));
    size(name, kept);
    store(`size${name}`, kept);
    if (grip.hasAttribute("aria-valuenow")) grip.setAttribute("aria-valuenow", Math.round(kept / 16));
  };
  grip.addEventListener("pointerdown", event => {
    const move = moved => set(measure(moved));
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  });
  return set;
}
const grip = document.getElementById("grip"), dock = document.querySelector(".dock");
const set = drag(grip, "--dock-height", event => innerHeight - event.clientY, 40, () => innerHeight * .7);
grip.addEventListener("keydown", event => {
  const step = { ArrowUp: 32, ArrowDown: -32 }[event.key];
  if (step) { set(dock.offsetHeight + step); event.preventDefault(); event.stopPropagation(); }
});
for (const [part, name, measure] of [["do", "--do-width", event => event.clientX], ["side", "--side-width", event => innerWidth - event.clientX]]) {
  const column = document.getElementById(part);
  if (!column) continue;
  const edge = Object.assign(document.createElement("div"), { className: `grip-x grip-${part}` });
  lab.append(edge);
  drag(edge, name, measure, NARROWEST, () => innerWidth * .45);
  edge.addEventListener("dblclick", () => { if (lab.classList.contains(`folded${name}`)) unfold(name); else { size(name, 0); store(`size${name}`, 0); } });
}

function view(name) {
  lab.dataset.view = name;
  for (const button of document.querySelectorAll(".phone-tabs button")) button.toggleAttribute("aria-current", button.dataset.view === name);
  document.querySelector(".phone-tabs [aria-current]")?.setAttribute("aria-current", "true");
}
document.querySelector(".phone-tabs").addEventListener("click", event => { const button = event.target.closest("button"); if (button) view(button.dataset.view); });
document.addEventListener("lab:part", event => {
  if (matchMedia("(max-width: 900px)").matches) view(event.detail);
  else if (event.detail === "do") unfold("--do-width");
});
