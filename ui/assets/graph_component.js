export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".graph");
  const style = getComputedStyle(box);
  const paper = style.getPropertyValue("--st-background-color").trim() || "#ffffff";
  const theme = { dark: isDark(paper), paper, font: style.fontFamily || "sans-serif" };
  const { selected, ...drawn } = data;
  const mark = JSON.stringify([drawn, theme]);
  const last = parentElement.specloupe;
  if (last && last.mark === mark) {
    last.click = (id) => setTriggerValue("clicked", id);
    last.open = (id) => setTriggerValue("opened", id);
    choosePicture(last.network, selected);
    return () => release(parentElement);
  }
  if (last) last.network.destroy();
  box.style.height = `${data.height}px`;
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", data.alt);
  const now = {
    mark,
    click: (id) => setTriggerValue("clicked", id),
    open: (id) => setTriggerValue("opened", id),
  };
  now.network = drawPicture(box, data, theme, (id) => now.click(id), (id) => now.open(id));
  now.network.once("afterDrawing", () => performance.mark("specloupe picture")); // for benchmarks
  box.querySelector(".vis-network")?.setAttribute("tabindex", "-1"); // it answers no key: the list below does
  box.specloupe = now.network; // for tests: where a node is on the screen
  parentElement.specloupe = now;
  box.addEventListener("wheel", letPageScroll, { capture: true, passive: true });
  tools(parentElement, now.network, data, theme);
  return () => release(parentElement);
}

// The wheel zooms only with Ctrl: who scrolls down the page is not held up by the picture.
function letPageScroll(event) {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}

function release(parent) {
  if (parent.specloupe && !parent.isConnected && !(parent.host && parent.host.isConnected)) {
    parent.specloupe.network.destroy();
    delete parent.specloupe;
  }
}

function tools(parent, network, data, theme) {
  parent.querySelector(".tools")?.remove();
  const bar = document.createElement("div");
  bar.className = "tools";
  const zoom = (by) => () => network.moveTo({ scale: network.getScale() * by, animation: { duration: 150 } });
  const buttons = [
    ["Whole picture", () => network.fit({ animation: { duration: 200 }, maxZoomLevel: data.most })],
    ["+", zoom(1.3), "Zoom in (Ctrl and wheel)"],
    ["−", zoom(1 / 1.3), "Zoom out (Ctrl and wheel)"],
    ["PNG", () => savePicture(network, data, theme, "specloupe-graph.png"), "Download as PNG"],
  ];
  for (const [label, action, name] of buttons) {
    const button = document.createElement("button");
    button.textContent = label;
    button.title = name || label;
    button.setAttribute("aria-label", name || label);
    button.onclick = action;
    bar.append(button);
  }
  parent.append(bar);
}

function isDark(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}
