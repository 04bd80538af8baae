// The socket: catches up from the last message that was seen, lets nothing in twice, and tells the rest of the page when the cluster has moved.
const lab = document.querySelector(".lab"), connection = document.getElementById("connection");
const head = () => document.getElementById("head").dataset;
const RETRIED = [1006, 1011, 1012, 1013];
const OFTEN = 100;               // messages after which the server is told that they have been shown
const SILENCE = 20_000, ANSWER = 10_000;     // ms without a word after which the server is asked for one, and that it then has
let pushing = false, wrapper = null, socket = null, behind = false, told = Number(head().seq), heard = 0, deadline = null;

htmx.createWebSocket = address => {
  const url = new URL(address);
  url.searchParams.set("since", head().seq);
  socket = new WebSocket(url);
  socket.binaryType = htmx.config.wsBinaryType;
  deadline = wrapper && Date.now() + ANSWER;         // the first one may take its time: the page has only just come
  return socket;
};
const say = word => { told = Number(head().seq); wrapper?.send(JSON.stringify({ [word]: told })); };
const hear = () => { heard = Date.now(); deadline = null; };
function lost(words) {
  delete lab.dataset.connected;
  connection.textContent = words;
}

document.addEventListener("htmx:wsOpen", event => { hear(); wrapper = event.detail.socketWrapper; connection.textContent = ""; lab.dataset.connected = "1"; });
document.addEventListener("htmx:wsClose", event => {
  deadline = null;
  lost(RETRIED.includes(event.detail.event?.code) ? connection.dataset.lost : connection.dataset.refused);
});

// After a sleep, or a change of networks, a socket may be dead and nobody says so: who hears nothing asks, and who gets no answer opens another.
function ask() {
  if (!lab.dataset.connected || deadline) return;
  deadline = Date.now() + ANSWER;
  say("answer");
}
function connectAnew() {
  socket.onclose = socket.onerror = null;         // the old one is forgotten, not opened again when its end is noticed at last
  socket.close();
  lost(connection.dataset.lost);
  wrapper.reconnect();
}
setInterval(() => {
  if (deadline && Date.now() > deadline) connectAnew();
  else if (Date.now() - heard > SILENCE) ask();
}, 1000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
window.addEventListener("online", ask);

document.addEventListener("htmx:wsBeforeMessage", event => {
  hear();
  if (event.detail.message.startsWith("{")) { event.preventDefault(); return; }          // the answer
  const from = /id="head"[^>]*data-from="(\d*)"/.exec(event.detail.message)?.[1], seq = /id="head"[^>]*data-seq="(\d+)"/.exec(event.detail.message)?.[1];
  behind = from !== "" && Number(from) > Number(head().seq);
  if (seq && Number(seq) < Number(head().seq)) { event.preventDefault(); return; }
  pushing = true;
});
document.addEventListener("htmx:oobBeforeSwap", event => {
  if (!pushing) return;
  const { target, fragment } = event.detail, looking = lab.dataset.at !== undefined;
  if (looking && (target.closest("#nodes") || target.id === "explanation")) event.detail.shouldSwap = false;
  if (target.id === "messages" || target.id === "commands" || target.id.startsWith("out-")) {
    for (const element of fragment.querySelectorAll("[id]")) if (element !== target && document.getElementById(element.id)) element.remove();
  }
  if (target.id === "messages" && document.querySelector("[data-more=after]")) event.detail.shouldSwap = false;
  if (target.querySelector?.("[data-behind]") || fragment.querySelector?.("[data-behind]")) behind = true;
});
document.addEventListener("htmx:wsAfterMessage", () => {
  pushing = false;
  if (Number(head().seq) - told >= OFTEN) say("since");
  document.dispatchEvent(new CustomEvent("lab:moved", { detail: { behind } }));
  behind = false;
});
document.addEventListener("lab:moved", event => {
  if (lab.dataset.at !== undefined) return;
  if (event.detail.behind) document.dispatchEvent(new CustomEvent("lab:look", { detail: 0 }));
  due ??= setTimeout(refresh, Math.max(0, refreshed + PATIENCE - Date.now()));
});

// What is in view besides the diagram is asked for again at most once a second, and once more after the last change.
const PATIENCE = 1000;
let due = null, refreshed = 0;
function refresh() {
  due = null;
  refreshed = Date.now();
  document.dispatchEvent(new Event("lab:stale"));
  if (lab.dataset.at === undefined) for (const panel of document.querySelectorAll("[role=tabpanel]:not([hidden])")) panel.dispatchEvent(new Event("stale"));
}

// Panels are asked for the moment that is looked at.
document.addEventListener("htmx:configRequest", event => {
  if (event.detail.path.includes("/tab/") && lab.dataset.at) event.detail.parameters.at = lab.dataset.at;
});

// What was open or scrolled stays so when it is drawn anew.
const open = new Set(), scrolled = new Map();
document.addEventListener("toggle", event => {
  const name = event.target.dataset?.keep;
  if (name) event.target.open ? open.add(name) : open.delete(name);
}, true);
const reopen = root => { for (const details of root.querySelectorAll?.("details[data-keep]") || []) if (open.has(details.dataset.keep)) details.open = true; };
document.addEventListener("htmx:oobAfterSwap", () => reopen(document.getElementById("nodes")));
const swapped = event => event.detail.target || event.target;
document.addEventListener("htmx:beforeSwap", event => { for (const part of swapped(event).querySelectorAll("[data-keep-scroll]")) scrolled.set(part.id, part.scrollTop); });
document.addEventListener("htmx:afterSwap", event => {
  for (const part of swapped(event).querySelectorAll("[data-keep-scroll]")) part.scrollTop = scrolled.get(part.id) || 0;
  for (const part of swapped(event).querySelectorAll(".keep-end")) part.scrollTop = part.scrollHeight;
});

// A list that is being chosen from is left alone; what was chosen stays chosen.
document.addEventListener("htmx:beforeSwap", event => {
  const { target } = event.detail;
  if (target?.matches("select")) { event.detail.shouldSwap = document.activeElement !== target; scrolled.set(target.id, target.value); }
});
document.addEventListener("htmx:afterSwap", event => {
  for (const select of swapped(event).parentElement?.querySelectorAll("select[id]") || []) {
    const before = scrolled.get(select.id);
    if ([...select.options].some(option => option.value === before)) select.value = before;
  }
});

// Objects and containers are chosen by buttons wherever they are named.
document.addEventListener("click", event => {
  const button = event.target.closest("[data-object]"), box = event.target.closest("[data-choose]");
  if (button) {
    const name = button.dataset.container ? "logs" : "objects", panel = document.getElementById(`p-${name}`);
    panel.setAttribute("hx-vals", JSON.stringify({ ...values(panel), key: button.dataset.object, container: button.dataset.container || "" }));
    if (panel.hidden) document.dispatchEvent(new CustomEvent("lab:tab", { detail: name }));
    else panel.dispatchEvent(new Event("chosen"));
  } else if (box) {
    const panel = box.closest("[role=tabpanel]"), { all: _, ...rest } = values(panel);
    panel.setAttribute("hx-vals", JSON.stringify(box.checked ? { ...rest, all: "1" } : rest));
    panel.dispatchEvent(new Event("chosen"));
  }
});
const values = panel => JSON.parse(panel.getAttribute("hx-vals") || "{}");
