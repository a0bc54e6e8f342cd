// `/` goes to the search box, as it does in many applications; Escape leaves it, for while it has
// the focus the other keys are letters. Streamlit's own shortcuts know neither.
export default function () {
  if (window.specloupeLabelKeys) return;
  window.specloupeLabelKeys = true;
  document.addEventListener("keydown", (event) => {
    const box = document.querySelector(".st-key-label_search input");
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !event.target.closest("input, textarea, select, [contenteditable]")) {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.target === box && (event.key === "Escape" || event.key === "Enter")) {
      setTimeout(() => box.blur());
    }
  });
}
