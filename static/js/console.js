// The console's prompt: earlier lines by the arrow keys, and always the newest output in view.
const box = document.getElementById("console"), form = document.getElementById("prompt"), input = document.getElementById("command");
const lines = [...document.querySelectorAll("#commands .cmd > b")].map(each => each.textContent.slice(2));
let place = lines.length;
const end = () => { box.scrollTop = box.scrollHeight; if (document.querySelector("#commands .cmd")) document.getElementById("console-empty")?.remove(); };

document.addEventListener("lab:moved", end);
document.getElementById("p-console").addEventListener("shown", end);
form?.addEventListener("htmx:afterRequest", event => {
  if (!event.detail.successful) return;
  lines.push(input.value);
  place = lines.length;
  input.value = "";
});
input?.addEventListener("keydown", event => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  place = Math.min(Math.max(place + step, 0), lines.length);
  input.value = lines[place] || "";
  event.preventDefault();
});
box.addEventListener("click", () => { if (!getSelection().toString()) input?.focus({ preventScroll: true }); });
end();
