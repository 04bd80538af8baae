// The lesson's panel: only the parts that differ are drawn anew, so that nobody loses a half-given answer; what is new is said to screen readers.
const panel = document.getElementById("lesson"), said = document.getElementById("lesson-said");
const MOST_SAID = 20;
const announced = new Set([...document.querySelectorAll("#lesson [data-announce]")].map(each => each.dataset.announce));

function patch(old, fresh) {
  if (old.dataset.mark !== fresh.dataset.mark) { replace(old, fresh); return; }
  for (const part of fresh.querySelectorAll("[data-part]")) {
    if (part.parentElement.closest("[data-part]") !== fresh) continue;
    const known = document.getElementById(part.id);
    if (known) patch(known, part);
  }
}
function replace(old, fresh) {
  const focus = old.contains(document.activeElement) ? document.activeElement.id : null;
  old.replaceWith(fresh);
  if (focus !== null) (document.getElementById(focus) || fresh.querySelector("[aria-current] h3") || panel.querySelector("[aria-current] h3"))?.focus({ preventScroll: true });
  if (fresh.id !== "lesson-tasks") return;
  if (panel.offsetParent) lead(); else document.getElementById("p-lesson").addEventListener("shown", lead, { once: true });
}
// What has been seen is read before the next task.
function lead() {
  const tasks = document.getElementById("lesson-tasks");
  (tasks.querySelector(".done:has(> [open])") || tasks).scrollIntoView({ block: "start" });
}
function announce() {
  for (const each of panel.querySelectorAll("[data-announce]")) {
    if (announced.has(each.dataset.announce)) continue;
    announced.add(each.dataset.announce);
    const label = each.querySelector("[aria-label]")?.getAttribute("aria-label") || each.querySelector(".vh")?.textContent.replace(/[:：]\s*$/, "");
    const words = each.querySelector(".announced").textContent.replace(/\s+/g, " ").trim();
    said.append(Object.assign(document.createElement("p"), { textContent: label ? `${label}: ${words}` : words }));
  }
  while (said.children.length > MOST_SAID) said.firstElementChild.remove();
}

function take(root) {
  const fresh = root.querySelector("#lesson-panel");
  if (panel && fresh) { patch(document.getElementById("lesson-panel"), fresh); announce(); }
}
document.addEventListener("htmx:oobBeforeSwap", event => {
  if (event.detail.target.id !== "lesson-fresh") return;
  event.detail.shouldSwap = false;
  take(event.detail.fragment);
});

// What the learner does there is answered with the panel anew, or with why it could not be done. (The socket may be quicker, and the form gone by then.)
async function send(form, button = form.querySelector("button")) {
  const body = new URLSearchParams(new FormData(form, button));
  button.disabled = true;
  const answer = await fetch(form.action, { method: "POST", headers: JSON.parse(document.body.getAttribute("hx-headers")), body }).catch(() => null);
  button.disabled = false;
  const box = document.createElement("template"), refused = document.getElementById("lesson-refused");
  box.innerHTML = answer ? await answer.text() : "";
  if (answer?.ok) take(box.content);
  if (refused) refused.replaceChildren(...answer?.status === 422 ? box.content.children : []);
}
panel?.addEventListener("submit", event => {
  if (!event.target.closest("#lesson-panel")) return;
  event.preventDefault();
  send(event.target, event.submitter || undefined);
});

// A manifest of the lesson goes into the editor; a message that answered a prediction is looked at in the diagram.
async function open(address) {
  const answer = await fetch(address);
  if (!answer.ok) return;
  document.dispatchEvent(new CustomEvent("lab:part", { detail: "do" }));
  document.dispatchEvent(new CustomEvent("lab:tab", { detail: "create" }));
  const text = document.getElementById("manifest");
  text.value = await answer.text();
  text.dispatchEvent(new Event("input"));
  text.focus();
}
panel?.addEventListener("click", event => {
  const manifest = event.target.closest("[data-manifest]"), look = event.target.closest("[data-look]");
  if (manifest) open(manifest.dataset.manifest);
  if (!look) return;
  document.dispatchEvent(new CustomEvent("lab:part", { detail: "diagram" }));
  document.dispatchEvent(new CustomEvent("lab:look", { detail: Number(look.dataset.look) }));
});

// A kind of message that a text names is a button: it leads to the newest one in the diagram and, pressed again, to the one before.
const help = document.getElementById("kind-help");
async function newest(kind, before) {
  const answer = await fetch(`${document.querySelector(".lab").dataset.root}newest/${kind}/${before ? `?before=${before}` : ""}`).catch(() => null);
  return answer?.ok ? Number(await answer.text()) : null;
}
async function find(button) {
  const { kind } = button.dataset, lit = document.querySelector("#messages .now");
  const earlier = lit?.dataset.reason === kind && await newest(kind, lit.dataset.seq), seq = earlier || await newest(kind);
  panel.querySelector(".no-kind")?.remove();
  if (seq === 0) button.after(Object.assign(document.createElement("small"), { className: "no-kind soft", role: "status", textContent: ` ${help.dataset.none}` }));
  if (!seq) return;
  document.dispatchEvent(new CustomEvent("lab:part", { detail: "diagram" }));
  document.dispatchEvent(new CustomEvent("lab:look", { detail: seq }));
}
panel?.addEventListener("click", event => {
  const button = event.target.closest("[data-kind]");
  if (button) find(button);
});
panel?.addEventListener("pointerover", event => {
  const button = event.target.closest("[data-kind]");
  if (button) button.title = help.textContent;
});

// On a phone the lesson has a tab of its own, though it shares its place with the forms.
document.querySelector(".phone-tabs").addEventListener("click", event => {
  const view = event.target.closest("button")?.dataset.view;
  if (view === "lesson") document.dispatchEvent(new CustomEvent("lab:tab", { detail: "lesson" }));
  if (view === "do" && !document.getElementById("p-lesson").hidden) document.dispatchEvent(new CustomEvent("lab:tab", { detail: "create" }));
});
