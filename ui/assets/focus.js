// When what has the focus leaves the page or is switched off, a keyboard would have to begin at the
// top of the page: its neighbour gets the focus instead.
const STOPS = "a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), summary, [tabindex='0']";
const SOON = 150; // milliseconds in which a dialog gives the focus back itself

export default function () {
  if (window.specloupeFocus) return;
  window.specloupeFocus = true;
  let last = null; // where the focus was, and what stood around it
  let waiting = 0;
  document.addEventListener("focusin", ({ target }) => { last = { target, around: around(target) }; });
  document.addEventListener("focusout", ({ target }) => setTimeout(() => {
    const left = !isGone(target) && document.activeElement === document.body;
    if (left && last && last.target === target) last = null; // somebody clicked beside it
  }));
  const look = () => {
    if (!last || !isGone(last.target) || document.activeElement !== document.body) return;
    const next = neighbour(last.around);
    last = null;
    if (next) next.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    if (!last || !isGone(last.target)) return;
    clearTimeout(waiting);
    waiting = setTimeout(look, SOON);
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
}

const isGone = (element) => !element.isConnected || element.disabled;

// Each element that the target stands in, and the how manieth stop of it the target is.
function around(target) {
  const found = [];
  for (let box = target.parentElement; box && box !== document.body; box = box.parentElement) {
    found.push({ box, at: [...box.querySelectorAll(STOPS)].indexOf(target) });
  }
  return found;
}

function neighbour(boxes) {
  for (const { box, at } of boxes) {
    const stops = box.isConnected ? [...box.querySelectorAll(STOPS)].filter((stop) => stop.offsetParent) : [];
    if (stops.length) return stops[Math.max(0, Math.min(at, stops.length - 1))];
  }
  return null;
}
