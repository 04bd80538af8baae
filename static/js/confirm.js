// Asks before a button with data-confirm does its work.
document.addEventListener("submit", event => {
  const words = event.submitter?.dataset.confirm;
  if (words && !confirm(words)) event.preventDefault();
});
