// Says the newest message to screen readers, at most once in a while: what came in between can be read in the list.
const box = document.getElementById("newest"), head = () => document.getElementById("head").dataset;
const PAUSE = 2500;
let due = null, last = 0, told = head().seq;

function say() {
  due = null;
  const seq = head().seq, row = document.getElementById(`m-${seq}`);
  if (seq === told || !row) return;
  told = seq;
  last = Date.now();
  box.textContent = row.querySelector(".label").textContent.replace(/\s+/g, " ").trim();
}
document.addEventListener("lab:moved", () => { due ??= setTimeout(say, Math.max(0, last + PAUSE - Date.now())); });
