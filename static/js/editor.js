// The manifest's editor: line numbers, the line of an error, and ready-made texts.
const LINE = 18, TOP = 6;

function dress(editor) {
  const text = editor.querySelector("textarea"), gutter = editor.querySelector(".gutter"), mark = editor.querySelector(".mark"), select = document.getElementById("example");
  const number = () => { gutter.textContent = Array.from({ length: text.value.split("\n").length }, (_, line) => line + 1).join("\n"); };
  const place = () => {
    gutter.scrollTop = text.scrollTop;
    mark.hidden = !editor.dataset.line;
    mark.style.top = `${TOP + (editor.dataset.line - 1) * LINE - text.scrollTop}px`;
  };
  const goTo = line => {
    const lines = text.value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    text.focus();
    text.setSelectionRange(from, from + (lines[line - 1] || "").length);
    text.scrollTop = Math.max(0, (line - 5) * LINE);
    editor.dataset.line = line;
    place();
  };
  text.addEventListener("input", () => { select.value = ""; delete editor.dataset.line; number(); place(); });
  text.addEventListener("scroll", place);
  text.addEventListener("keydown", event => {          // a new line begins where the last one did
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey) return;
    const before = text.value.slice(0, text.selectionStart), indent = /(?:^|\n)( *(?:- )?)[^\n]*$/.exec(before)[1].replace("-", " ") + (/:\s*$/.test(before) ? "  " : "");
    event.preventDefault();
    text.setRangeText(`\n${indent}`, text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
  });
  select.addEventListener("change", async () => {
    const name = select.value;
    if (!name) { text.focus(); return; }
    const answer = await fetch(select.dataset.root.replace("NAME", name)), manifest = await answer.text();
    if (!answer.ok || select.value !== name) return;          // another one was chosen meanwhile
    text.value = manifest;
    text.scrollTop = 0;
    delete editor.dataset.line;
    number();
    place();
  });
  editor.closest("form").addEventListener("click", event => { const line = event.target.closest("#manifest-errors [data-line]"); if (line) goTo(Number(line.dataset.line)); });
  number();
  if (editor.dataset.line) text.scrollTop = Math.max(0, (editor.dataset.line - 5) * LINE);
  place();
}

const dressAll = () => { for (const editor of document.querySelectorAll(".editor:not([data-dressed])")) { editor.dataset.dressed = "1"; dress(editor); } };
document.addEventListener("htmx:afterSettle", dressAll);
dressAll();
