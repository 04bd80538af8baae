// A key for everything; never while somebody types.
const KEYS = { " ": "toggle", ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "live" }, SHIFTED = { ArrowRight: "on", ArrowLeft: "back" };
const help = document.getElementById("help");
const part = view => document.dispatchEvent(new CustomEvent("lab:part", { detail: view }));
const tab = name => document.dispatchEvent(new CustomEvent("lab:tab", { detail: name }));
const PLACES = {
  c: () => { part("do"); tab("create"); document.getElementById("example")?.focus(); },
  d: () => { part("do"); tab("delete"); document.getElementById("t-delete")?.focus(); },
  k: () => { part("console"); tab("console"); document.getElementById("command")?.focus(); },
  "?": () => help.showModal(),
};

document.addEventListener("keydown", event => {
  if (event.key === "Escape" && event.target.matches?.("input, textarea, select")) { event.target.blur(); document.getElementById("scroller").focus(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || help.open || event.target.closest?.("input, textarea, select, [role=separator]")) return;
  if (event.key === " " && event.target.closest?.("button, a, summary") && !event.target.closest("dialog")) return;      // a closed dialog keeps the focus for a moment
  const name = (event.shiftKey ? SHIFTED : KEYS)[event.key];
  if (name) document.dispatchEvent(new CustomEvent("lab:player", { detail: name }));
  else if (PLACES[event.key]) PLACES[event.key]();
  else return;
  event.preventDefault();
});
document.addEventListener("click", event => {
  const key = event.target.closest("[data-key]")?.dataset.key, opens = event.target.closest("[data-open]")?.dataset.open;
  if (key) PLACES[key]();
  if (opens) document.getElementById(opens).showModal();
});
