// Draws one picture into `box`; `data` is what `ui.graph_view.network` makes. Names from
// specifications arrive as data and are drawn on a canvas or set as text, never as HTML.
function drawPicture(box, data, theme, onClick, onOpen) {
  const ink = theme.dark
    ? { text: "#e8edf2", mute: "#9aa7b6", line: "#66758a", accent: "#3cc7b4", soft: "rgba(255,255,255,0.035)", paper: "#151d29", alarm: "#ff8a80", onKind: "#0c131c" }
    : { text: "#1a2230", mute: "#566070", line: "#8a94a3", accent: "#0f766e", soft: "rgba(15,35,60,0.035)", paper: "#ffffff", alarm: "#b3261e", onKind: "#ffffff" };
  const colour = (kind) => data.kinds[kind][theme.dark ? "dark" : "light"];
  const blend = (hex, share) => {
    const part = (s, at) => parseInt(s.slice(at, at + 2), 16);
    const mix = [1, 3, 5].map((at) => Math.round(part(hex, at) * share + part(ink.paper, at) * (1 - share)));
    return `rgb(${mix.join(",")})`;
  };

  // With the reach of a change, what it does not reach stands back, and the way there stands out.
  const look = (node) => {
    if (!data.reach) return looks(node);
    if (!node.reach) return { ...looks(node), opacity: 0.3 };
    return { ...looks(node), borderWidth: 3, opacity: 1 };
  };
  const looks = (node) => {
    const kind = colour(node.kind);
    const base = {
      ...node, fixed: true, widthConstraint: { minimum: data.width, maximum: data.width },
      margin: { top: 9, bottom: 9, left: 10, right: 10 }, borderWidth: 1.5, borderWidthSelected: 3.5,
      shapeProperties: { borderRadius: 7 }, chosen: { label: false },
      font: { color: ink.text, size: 16, face: theme.font, align: "left" },
      color: shade(blend(kind, 0.16), kind),
    };
    if (node.role === "primary") {
      return { ...base, color: shade(kind, kind), font: { ...base.font, color: ink.onKind } };
    }
    if (node.role === "reference") return base;
    if (node.role === "added") return { ...base, shapeProperties: { borderRadius: 7, borderDashes: [2, 3] } };
    const edge = node.role === "missing" ? ink.alarm : ink.line;
    return {
      ...base, opacity: 0.72,
      color: shade(ink.paper, edge), font: { ...base.font, color: node.role === "missing" ? ink.alarm : ink.mute },
      shapeProperties: { borderRadius: 7, borderDashes: [5, 4] },
    };
  };
  const shade = (background, border) => ({
    background, border, highlight: { background, border: ink.text }, hover: { background, border: ink.text },
  });

  const strokes = {
    followed: { color: ink.line, width: 1.6 },
    also: { color: ink.line, width: 0.8, opacity: 0.55 },
    cycle: { color: ink.alarm, width: 1.6, dashes: [7, 4] },
    impact: { color: ink.accent, width: 2.6 },
    cut: { color: ink.line, width: 0.9, dashes: [3, 4], opacity: 0.7 },
  };
  const dashes = { dashed: [8, 5], dotted: [2, 4] };
  const at = new Map(data.nodes.map((node) => [node.id, node]));
  const stroke = (edge, index) => {
    const style = strokes[edge.line];
    const plain = edge.line === "followed" || edge.line === "also";
    const relation = plain && data.relations[edge.relation];
    const hue = relation ? relation[theme.dark ? "dark" : "light"] : style.color;
    const ahead = at.get(edge.from).x < at.get(edge.to).x;
    const named = data.labels && edge.line === "followed";
    return {
      id: index, from: edge.from, to: edge.to, aside: crowded && (edge.line === "also" || edge.line === "cycle"),
      title: edge.title || undefined,
      label: named && edge.title ? shorten(edge.title) : undefined,
      font: { color: ink.mute, size: 11, face: theme.font, strokeWidth: 4, strokeColor: theme.paper, align: "middle" },
      arrows: { to: { enabled: true, scaleFactor: 0.5 } }, dashes: style.dashes || (relation && dashes[relation.dash]) || false,
      width: style.width, selectionWidth: 1.5,
      color: { color: hue, highlight: relation ? hue : ink.text, hover: ink.text, opacity: data.reach && edge.line !== "impact" ? 0.15 : relation ? 1 : style.opacity || 1 },
      smooth: ahead
        ? { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.45 }
        : { enabled: true, type: "curvedCW", roundness: 0.35 },
    };
  };
  const crowded = data.edges.length > 80; // then only the chosen node shows what else it refers to
  const shorten = (text) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);

  const network = new vis.Network(
    box,
    { nodes: new vis.DataSet(data.nodes.map(look)), edges: new vis.DataSet(data.edges.map(stroke)) },
    {
      physics: false, layout: { improvedLayout: false },
      interaction: { hover: true, tooltipDelay: 120, keyboard: false, zoomSpeed: 0.5, selectConnectedEdges: true },
    },
  );

  network.on("beforeDrawing", (context) => {
    const { top, bottom } = rows(data);
    data.columns.forEach((column, index) => {
      context.fillStyle = index % 2 ? "transparent" : ink.soft;
      context.fillRect(column.left, top, column.right - column.left, bottom - top);
      context.fillStyle = ink.mute;
      context.font = `600 17px ${theme.font}`;
      context.textAlign = "center";
      context.fillText(column.title, (column.left + column.right) / 2, top + 26);
    });
  });
  network.on("click", (event) => {
    if (event.nodes.length === 1 && onClick) onClick(event.nodes[0]);
  });
  network.on("doubleClick", (event) => {
    if (event.nodes.length === 1 && onOpen) onOpen(event.nodes[0]);
  });
  network.on("hoverNode", () => { box.style.cursor = "pointer"; });
  network.on("blurNode", () => { box.style.cursor = "default"; });
  fitPicture(network, data);
  choosePicture(network, data.selected);
  network.on("select", (event) => choosePicture(network, event.nodes[0]));
  return network;
}

// The whole picture where it stays readable, else its beginning, the results and the first steps,
// unless what is chosen stands further to the right.
function fitPicture(network, data) {
  network.fit({ animation: false, maxZoomLevel: data.most || 1 });
  network.moveTo({ offset: { x: 0, y: 14 }, position: network.getViewPosition(), scale: network.getScale() }); // for the titles
  const wide = data.columns.length ? data.columns[data.columns.length - 1].right : 0;
  if (network.getScale() >= 0.5 || !wide) return;
  const scale = 0.62;
  const half = network.canvas.frame.clientWidth / 2 / scale;
  const first = Math.min(half, wide / 2);
  const chosen = data.nodes.find((node) => node.id === data.selected);
  const far = chosen && chosen.x + data.width / 2 > first + half;
  const x = far ? Math.max(first, Math.min(chosen.x, wide - half)) : first;
  network.moveTo({ position: { x, y: network.getViewPosition().y }, scale, animation: false });
}

function choosePicture(network, id) {
  const { nodes, edges } = network.body.data;
  const known = id && nodes.get(id);
  edges.update(
    edges.get({ filter: (edge) => edge.aside })
      .map(({ id: edge, from, to }) => ({ id: edge, hidden: from !== id && to !== id })),
  );
  network.setSelection({ nodes: known ? [id] : [], edges: [] }, { highlightEdges: true });
  if (known) network.selectNodes([id], true);
}

// The whole picture, whatever part of it is on the screen, drawn anew where nobody sees it.
function savePicture(network, data, theme, name) {
  const { top, bottom } = rows(data);
  const right = data.columns[data.columns.length - 1].right;
  const scale = Math.min(1, SIDE / Math.max(right, bottom - top));
  const box = document.createElement("div");
  const size = { width: `${right * scale}px`, height: `${(bottom - top) * scale}px` };
  Object.assign(box.style, { position: "fixed", left: "-99999px", top: 0, ...size });
  document.body.append(box);
  const whole = drawPicture(box, { ...data, selected: network.getSelectedNodes()[0] }, theme, null);
  whole.moveTo({ position: { x: right / 2, y: (top + bottom) / 2 }, scale, animation: false });
  whole.redraw();
  const drawn = whole.canvas.frame.canvas;
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [drawn.width, drawn.height];
  const context = copy.getContext("2d");
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(drawn, 0, 0);
  whole.destroy();
  box.remove();
  const link = document.createElement("a");
  link.download = name;
  link.href = copy.toDataURL("image/png");
  link.click();
}

const SIDE = 8000; // pixels that a canvas may have in every browser

// Where the columns begin and end, with room for their titles.
function rows(data) {
  const ys = data.nodes.map((node) => node.y);
  return { top: Math.min(0, ...ys) - 78, bottom: Math.max(0, ...ys) + 44 };
}
