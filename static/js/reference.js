// Finds words on the page: hides every entry whose words do not have what was typed, and groups in which nothing is left.
const box = document.querySelector("[data-filter]"), input = document.getElementById("find"), status = box?.querySelector("[role=status]");

function find() {
  const wanted = input.value.trim().toLowerCase();
  for (const entry of document.querySelectorAll("[data-words]")) entry.hidden = !entry.dataset.words.includes(wanted);
  for (const group of document.querySelectorAll("[data-group]")) group.hidden = !group.querySelector("[data-words]:not([hidden])");
  status.textContent = document.querySelector("[data-words]:not([hidden])") ? "" : status.dataset.none;
}

// Whoever follows a link to an entry that is hidden wants to see it.
function reveal() {
  input.value = "";
  find();
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

if (box) {
  box.hidden = false;
  input.addEventListener("input", find);
  addEventListener("hashchange", reveal);
}
