// The picture of the graph: a canvas with zoom, pan, labels that keep out of each other's way, and states by shape.

const COLOURS = 8;

class GraphCanvas {
  /** `vertices`: [{id, x, y, group, label, degree}]; `edges`: [{from, to, kind, link?}] by vertex index. */
  constructor({ onOpen, onHover }) {
    this.canvas = h("canvas.graph", { tabindex: "0", role: "application", "aria-label": t("graph.canvas") });
    this.pen = this.canvas.getContext("2d");
    this.labels = new Labels(this);
    this.vertices = [];
    this.edges = [];
    this.view = { x: 0, y: 0, zoom: 1 };
    this.scene = {
      alive: [],
      marks: new Map(),
      selected: null,
      hovered: null,
      dimmed: null,
      colour: () => 0,
      regions: [],
    };
    this.touched = false;
    this.listen(onOpen, onHover);
  }

  place(vertices, edges) {
    [this.vertices, this.edges] = [vertices, edges];
    this.near = grouped(
      edges.flatMap((edge) => [
        [edge.from, edge],
        [edge.to, edge],
      ]),
    );
    if (!this.touched) this.fit();
  }

  show(changes) {
    Object.assign(this.scene, changes);
    this.later();
  }

  later() {
    this.frame ??= requestAnimationFrame(() => ((this.frame = undefined), this.draw()));
  }

  // --- view ---

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const scale = window.devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    [this.width, this.height, this.scale] = [width, height, scale];
    if (!this.touched) this.fit();
    this.later();
  }

  /** Shows every vertex that is drawn, with room for the labels. */
  fit() {
    const shown = this.vertices.filter((_, index) => this.scene.alive[index] ?? true);
    if (!shown.length || !this.width) return;
    const [left, right] = [Math.min(...shown.map((v) => v.x)), Math.max(...shown.map((v) => v.x))];
    const [top, bottom] = [Math.min(...shown.map((v) => v.y)), Math.max(...shown.map((v) => v.y))];
    // Room for the labels at the sides and for the tools above.
    const zoom = Math.max(
      0.02,
      Math.min((this.width - 150) / (right - left || 1), (this.height - 130) / (bottom - top || 1), 2.4),
    );
    this.view = { x: (left + right) / 2, y: (top + bottom) / 2 - 22 / zoom, zoom };
    this.later();
  }

  zoomBy(factor, atX = this.width / 2, atY = this.height / 2) {
    const zoom = Math.min(8, Math.max(0.02, this.view.zoom * factor));
    const [x, y] = this.toWorld(atX, atY);
    this.view = { x: x - (atX - this.width / 2) / zoom, y: y - (atY - this.height / 2) / zoom, zoom };
    this.touched = true;
    this.later();
  }

  panBy(dx, dy) {
    this.view.x -= dx / this.view.zoom;
    this.view.y -= dy / this.view.zoom;
    this.touched = true;
    this.later();
  }

  /** Brings a vertex into the picture when it is outside or too small to tell from its neighbours. */
  reveal(index) {
    const vertex = this.vertices[index];
    if (!vertex || !this.width) return;
    const [x, y] = this.toScreen(vertex);
    const inside = x > 60 && x < this.width - 60 && y > 40 && y < this.height - 60;
    if (!inside || this.view.zoom < 0.5) {
      this.view = { x: vertex.x, y: vertex.y, zoom: Math.max(this.view.zoom, 0.9) };
      this.touched = true;
    }
    this.later();
  }

  toScreen({ x, y }) {
    return [(x - this.view.x) * this.view.zoom + this.width / 2, (y - this.view.y) * this.view.zoom + this.height / 2];
  }

  toWorld(x, y) {
    return [(x - this.width / 2) / this.view.zoom + this.view.x, (y - this.height / 2) / this.view.zoom + this.view.y];
  }

  radius(vertex) {
    return Math.max(
      1.8,
      (3.4 + 1.15 * Math.sqrt(vertex.degree)) * Math.min(1.7, Math.max(0.45, Math.sqrt(this.view.zoom))),
    );
  }

  hit(x, y) {
    let [best, bestDistance] = [null, Infinity];
    this.vertices.forEach((vertex, index) => {
      if (!this.scene.alive[index]) return;
      const [vx, vy] = this.toScreen(vertex);
      const distance = Math.hypot(vx - x, vy - y);
      if (distance < Math.max(9, this.radius(vertex) + 3) && distance < bestDistance)
        [best, bestDistance] = [index, distance];
    });
    return best;
  }

  // --- hands ---

  listen(onOpen, onHover) {
    const canvas = this.canvas;
    let drag = null;
    const at = (event) => [event.offsetX, event.offsetY];
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return onHover(this.hit(...at(event)), ...at(event));
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
      this.panBy(dx, dy);
    });
    canvas.addEventListener("pointerup", (event) => {
      const index = drag && !drag.moved ? this.hit(...at(event)) : null;
      drag = null;
      if (index !== null) onOpen(index);
    });
    canvas.addEventListener("pointercancel", () => (drag = null));
    canvas.addEventListener("pointerleave", () => onHover(null));
    canvas.addEventListener("dblclick", (event) => this.zoomBy(1.8, ...at(event)));
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...at(event));
      },
      { passive: false },
    );
    const KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in KEYS) this.panBy(...KEYS[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoomBy(1.3);
      else if (event.key === "-") this.zoomBy(1 / 1.3);
      else if (event.key === "0") ((this.touched = false), this.fit());
      else return;
      event.preventDefault();
    });
  }

  // --- drawing ---

  draw() {
    if (!this.width) return this.resize();
    const { pen, scale } = this;
    this.ink = paints();
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    this.focus = this.scene.hovered ?? this.scene.selected;
    this.lit =
      this.focus === null
        ? null
        : new Set([this.focus, ...(this.near.get(this.focus) ?? []).flatMap((edge) => [edge.from, edge.to])]);
    this.drawRegions();
    this.drawEdges();
    this.vertices.forEach((vertex, index) => this.scene.alive[index] && this.drawVertex(vertex, index));
    this.labels.draw();
  }

  /** How strongly a vertex is drawn: faint when the search or a neighbourhood leaves it out. */
  strength(index) {
    if (this.scene.dimmed && !this.scene.dimmed.has(index)) return 0.13;
    return this.lit && !this.lit.has(index) ? 0.4 : 1;
  }

  drawRegions() {
    const { pen } = this;
    for (const region of this.scene.regions) {
      const outline = region.outline.map((index) => this.toScreen(this.vertices[index]));
      if (outline.length === 0) continue;
      traceAround(pen, outline, Math.min(26 * this.view.zoom, 44));
      pen.globalAlpha = this.scene.dimmed ? 0.04 : 0.085;
      pen.fillStyle = this.ink.series[region.colour];
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  drawEdges() {
    const { pen, ink } = this;
    const styles = {
      related: [ink.edge, 1, []],
      conflict: [ink.bad, 1.8, [5, 4]],
      merged: [ink.edge, 1.2, [1.5, 3.5]],
    };
    for (const [kind, [stroke, width, dash]] of Object.entries(styles)) {
      for (const lit of [false, true]) {
        pen.beginPath();
        for (const edge of this.edges) if (edge.kind === kind && this.edgeLit(edge) === lit) this.traceEdge(edge);
        pen.setLineDash(dash);
        pen.lineWidth = lit ? width + 0.6 : width * Math.min(1, 0.45 + this.view.zoom * 0.4);
        pen.strokeStyle = lit && kind === "related" ? ink.accent : stroke;
        pen.globalAlpha = lit ? 0.95 : this.lit || this.scene.dimmed ? 0.25 : kind === "related" ? 0.6 : 0.9;
        pen.stroke();
      }
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  edgeLit(edge) {
    return this.focus !== null && (edge.from === this.focus || edge.to === this.focus);
  }

  traceEdge(edge) {
    if (!this.scene.alive[edge.from] || !this.scene.alive[edge.to] || edge.hidden) return;
    this.pen.moveTo(...this.toScreen(this.vertices[edge.from]));
    this.pen.lineTo(...this.toScreen(this.vertices[edge.to]));
  }

  drawVertex(vertex, index) {
    const { pen, ink } = this;
    const [x, y] = this.toScreen(vertex);
    if (x < -40 || y < -40 || x > this.width + 40 || y > this.height + 40) return;
    const marks = this.scene.marks.get(index) ?? {};
    const radius = this.radius(vertex);
    const ring = (reach, colour, width, dash = []) => {
      pen.beginPath();
      pen.arc(x, y, reach, 0, 2 * Math.PI);
      pen.setLineDash(dash);
      [pen.strokeStyle, pen.lineWidth] = [colour, width];
      pen.stroke();
      pen.setLineDash([]);
    };
    pen.globalAlpha = this.strength(index);
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = marks.past ? ink.surface : ink.series[this.scene.colour(index)];
    pen.fill();
    if (marks.past) ring(radius, ink.edge, 1.4);
    if (marks.stale) ring(radius + 2.4, ink.warn, 1.5, [2.5, 2.5]);
    if (marks.disputed) ring(radius + 2.6, ink.bad, 2);
    if (marks.injected) ring(radius + 5.4, ink.accent, 2.2);
    if (marks.fresh) this.drawSpark(x, y, radius);
    if (index === this.scene.selected) ring(radius + 8, ink.ink, 1.8);
    pen.globalAlpha = 1;
  }

  /** A light core: this node is new in the step shown. */
  drawSpark(x, y, radius) {
    this.pen.beginPath();
    this.pen.arc(x, y, Math.max(1.1, radius * 0.42), 0, 2 * Math.PI);
    this.pen.fillStyle = this.ink.surface;
    this.pen.fill();
  }
}

/** A rounded outline at a distance around a convex polygon given clockwise (on the screen); one or two points do as well. */
function traceAround(pen, points, reach) {
  const away = ([ax, ay], [bx, by]) => Math.atan2(ax - bx, by - ay);
  pen.beginPath();
  points.forEach((point, at) => {
    const before = points[(at + points.length - 1) % points.length];
    const after = points[(at + 1) % points.length];
    if (points.length === 1) pen.arc(...point, reach, 0, 2 * Math.PI);
    else pen.arc(...point, reach, away(before, point), away(point, after));
  });
  pen.closePath();
}

/** The colours of the style sheet, as the canvas needs them; read anew so that light and dark follow the system. */
function paints() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ...Object.fromEntries(
      ["ink", "surface", "canvas", "edge", "accent", "bad", "warn"].map((name) => [name, value(name)]),
    ),
    series: Array.from({ length: COLOURS + 1 }, (_, index) => value(`series-${index}`)),
    font: getComputedStyle(document.body).fontFamily,
  };
}
