// What people expect of every page: keys and a list of them, a tour on the first visit, a sidebar
// that stays as it was left, and the page that a link named after logging in.
const FIELDS = "input, textarea, select, [contenteditable], [role='listbox'], [role='dialog'], dialog";
const LETTERS = 1500; // milliseconds in which the second key of two has to follow
const TOURED = "specloupe toured", WANTED = "specloupe wanted";

export default function ({ data }) {
  const manners = (window.specloupeManners ??= begin());
  manners.data = data;
  manners.arrive();
}

function begin() {
  const manners = { data: null, first: -Infinity, arrive };
  window.addEventListener("keydown", (event) => pressed(manners, event), true);
  // Streamlit has no event for it: what the sidebar is after a click on one of its two buttons.
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(SIDEBAR)) onceItIsNot(isCollapsed());
  }, true);
  return manners;
}

const SIDEBAR = "[data-testid='stSidebarCollapseButton'], [data-testid='stExpandSidebarButton']";

function arrive() {
  document.documentElement.dataset.manners = "on";
  const wanted = sessionStorage.getItem(WANTED);
  if (this.data.asks) {
    sessionStorage.setItem(WANTED, wanted ?? location.href);
    return;
  }
  sessionStorage.removeItem(WANTED);
  if (wanted && wanted !== location.href) location.replace(wanted);
  else if (!localStorage.getItem(TOURED) && !navigator.webdriver && !document.querySelector("dialog.sl-tour")) tour(this.data.tour, 0);
}

const isCollapsed = () => document.querySelector("[data-testid='stSidebar']")?.dataset.collapsed;

// A busy machine takes a while to move the sidebar.
function onceItIsNot(was, triesLeft = 50) {
  if (isCollapsed() !== was) remember();
  else if (triesLeft) setTimeout(onceItIsNot, 100, was, triesLeft - 1);
}

// Read by the server when the next page is opened.
function remember() {
  const is = isCollapsed();
  if (is) document.cookie = `specloupe_sidebar=${is === "true" ? "collapsed" : "expanded"}; path=/; max-age=31536000; samesite=lax`;
}

function pressed(manners, event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !manners.data || manners.data.asks) return;
  if (target.closest?.(FIELDS)) {
    if (key === "Escape" && !target.closest("dialog, [role='dialog']")) target.blur();
    return;
  }
  const isSecond = event.timeStamp - manners.first < LETTERS; // when it was pressed: a busy page hears of it later
  manners.first = -Infinity;
  if (isSecond && go(manners.data.pages, key)) taken(event);
  else if (key === "?") show(manners.data);
  else if (document.querySelector(".st-key-desk")) return; // whose keys are its own
  else if (key === "g") manners.first = event.timeStamp;
  else if (key === "/" && find()) taken(event);
  else if (key === "[") document.querySelector(`${SIDEBAR.split(",").map((one) => `${one} button, button${one.trim()}`).join(",")}`)?.click();
}

// Streamlit has keys of its own: `r` runs the page again, `c` asks whether to forget what is cached.
function taken(event) {
  event.preventDefault();
  event.stopPropagation();
}

// The link of the bar, so that the question goes along.
function go(pages, key) {
  const name = pages.find(([letter]) => letter === key)?.[1];
  const links = [...document.querySelectorAll(".st-key-bar a")];
  const link = links.find((one) => one.textContent.trim().endsWith(name));
  link?.click();
  return Boolean(name && link);
}

function find() {
  const box = [...document.querySelectorAll("[data-testid='stMain'] :is(input[type='text'], input[type='search'], textarea)")].find((one) => one.offsetParent && !one.closest("[role='combobox']"));
  box?.focus();
  box?.select();
  return Boolean(box);
}

function show(data) {
  const rows = [
    ["/", "Go to the first box to type in"], ["Esc", "Leave it, or close what is open"],
    ["[", "Open or close the sidebar"], ["?", "These keys"],
    ...data.pages.map(([letter, name]) => [`g ${letter}`, name]),
  ];
  const list = make("dl", {}, rows.flatMap(([keys, what]) => [
    make("dt", {}, keys.split(" ").map((one) => make("kbd", { textContent: one }))),
    make("dd", { textContent: what }),
  ]));
  const again = make("button", { textContent: "Show the tour", onclick: () => { box.close(); tour(data.tour, 0); } });
  const close = make("button", { textContent: "Close", autofocus: true, onclick: () => box.close() });
  const note = make("p", { textContent: "On Label, the desk has keys of its own; they stand below it." });
  const box = dialog("Keys", [list, note, make("div", { className: "sl-does" }, [again, close])]);
  box.showModal();
}

// A card in the corner: whoever does not want it goes on as if it were not there.
function tour(steps, at) {
  document.querySelector("dialog.sl-tour")?.close();
  const end = () => { localStorage.setItem(TOURED, "yes"); box.close(); };
  const last = at === steps.length - 1;
  const skip = make("button", { textContent: "Skip the tour", onclick: end });
  const next = make("button", { textContent: last ? "Done" : "Next", onclick: () => (last ? end() : tour(steps, at + 1)) });
  const text = make("p", { textContent: steps[at][1] });
  const place = make("p", { className: "sl-place", textContent: `${at + 1} of ${steps.length}` });
  const box = dialog(steps[at][0], [text, place, make("div", { className: "sl-does" }, last ? [next] : [skip, next])]);
  box.classList.add("sl-tour");
  box.show();
}

function dialog(title, inside) {
  document.querySelectorAll("dialog.sl-dialog").forEach((one) => one.remove());
  const heading = make("h2", { textContent: title, id: "sl-dialog-title" });
  const box = make("dialog", { className: "sl-dialog" }, [heading, ...inside]);
  box.setAttribute("aria-labelledby", heading.id);
  const app = getComputedStyle(document.querySelector("[data-testid='stApp']"));
  Object.assign(box.style, { background: app.backgroundColor, color: app.color, fontFamily: app.fontFamily });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  return box;
}

function make(name, values, inside = []) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...inside);
  return made;
}
