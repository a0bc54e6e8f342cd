// The keys of the desk, in the order in which they are pressed.
//
// Streamlit's own shortcuts hand on every key at once. One that comes while the page is still drawn
// for the key before is taken together with it, in another order or not at all. So a key waits here
// until the page shows what the one before did, or the click, and means what the page shows then.
const KEYS = /^([0-9sgntmu]|Enter)$/i;
const FIELDS = "input, textarea, select, [contenteditable], [role='listbox'], [role='dialog']";
const CONTROLS = "button, a, summary, [role='tab'], [tabindex='0']";
const ACTIONS = ".st-key-desk :is([class*='st-key-candidate-'], [class*='st-key-press-']) button";
const LOOK = 25; // milliseconds between two looks whether the page shows it
const LOST = 5000; // milliseconds after which a key that set nothing going holds up the next no longer

export default function ({ data }) {
  const keys = (window.specloupeLabelKeys ??= listening());
  keys.drawn = data.done;
}

function listening() {
  document.documentElement.dataset.labelKeys = "on";
  const keys = { drawn: 0, asked: 0, waiting: [], since: 0, isAtWork: false };

  window.addEventListener("keydown", (event) => {
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || !desk()) return;
    const box = desk().querySelector(".st-key-label_search input");
    if (event.target === box && /^(Escape|Enter)$/.test(event.key)) {
      setTimeout(() => box.blur()); // for while it has the focus the other keys are letters
    } else if (event.key === "/" && box && !event.target.closest(FIELDS)) {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (KEYS.test(event.key) && !isOf(event.target, event.key)) {
      event.preventDefault();
      if (!event.repeat) keys.waiting.push(event.key);
      if (!keys.isAtWork) press();
    }
  }, true);

  // A click does not keep the focus: Enter is the next question then, and not that button again.
  window.addEventListener("click", (event) => {
    if (event.target.closest(ACTIONS)) [keys.asked, keys.since] = [Math.max(keys.asked, keys.drawn) + 1, Date.now()];
    if (event.detail > 0) event.target.closest(".st-key-desk button")?.blur();
  });

  function press() {
    if (isShown() && keys.waiting.length) {
      buttonOf(keys.waiting.shift())?.click();
    }
    keys.isAtWork = keys.waiting.length > 0;
    if (keys.isAtWork) setTimeout(press, LOOK);
  }

  function isShown() {
    if (Date.now() - keys.since > LOST && !isRunning()) keys.asked = keys.drawn;
    return keys.drawn >= keys.asked;
  }

  return keys;
}

const isRunning = () => document.querySelector("[data-testid='stApp']")?.dataset.testScriptState === "running";
const desk = () => document.querySelector(".st-key-desk");

// Whether a key belongs to what has the focus: letters to a field, Enter to a button or link.
const isOf = (target, key) => target.closest(FIELDS) || (key === "Enter" && target.closest(CONTROLS));

function buttonOf(key) {
  const name = /[1-9]/.test(key) ? `candidate-${key}` : `press-${key.length === 1 ? key.toLowerCase() : key}`;
  return desk()?.querySelector(`.st-key-${name} button:not([disabled])`);
}
