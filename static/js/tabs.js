// Tab lists after the ARIA pattern; each list remembers its choice by its data-tabs name. A panel that comes into view gets a "shown" event.
const key = list => `tabs.${list.dataset.tabs}`;
const remembered = list => { try { return sessionStorage.getItem(key(list)); } catch { return null; } };

function choose(tab, told = true) {
  const list = tab.closest("[role=tablist]");
  for (const other of list.querySelectorAll("[role=tab]")) {
    const on = other === tab, panel = document.getElementById(other.getAttribute("aria-controls"));
    other.setAttribute("aria-selected", on);
    other.tabIndex = on ? 0 : -1;
    if (panel) panel.hidden = !on;
  }
  try { sessionStorage.setItem(key(list), tab.id); } catch { /* not remembered */ }
  if (told) document.getElementById(tab.getAttribute("aria-controls"))?.dispatchEvent(new Event("shown"));
}

function restore(root) {
  for (const list of root.querySelectorAll("[role=tablist]")) {
    const tab = document.getElementById(remembered(list)) || list.querySelector("[aria-selected=true]");
    if (tab && list.contains(tab)) choose(tab);
  }
}

document.addEventListener("click", event => {
  const tab = event.target.closest("[role=tab]");
  if (tab) choose(tab);
});
document.addEventListener("keydown", event => {
  const tab = event.target.closest?.("[role=tab]");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!tab || !step) return;
  const tabs = [...tab.closest("[role=tablist]").querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  choose(next);
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}, true);
document.addEventListener("lab:tab", event => {
  const tab = document.getElementById(`t-${event.detail}`);
  if (tab) choose(tab);
});
document.addEventListener("DOMContentLoaded", () => restore(document));
document.addEventListener("htmx:oobAfterSwap", event => { if (event.detail.target.id === "explanation") restore(event.detail.target); });
