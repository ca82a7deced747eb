// The words on the picture of the graph: names of groups from afar, titles of nodes from near, none over another.

/** Up to so many nodes in sight each may have its title; more get the names of their groups first. */
const FEW = 60;

class Labels {
  constructor(picture) {
    this.picture = picture;
  }

  draw() {
    const { picture } = this;
    const boxes = this.drawnBoxes();
    this.taken = boxes.length > 160 ? [] : boxes;
    const crowded = boxes.length > FEW;
    if (crowded) this.regionNames();
    const weight = picture.vertices.map((_, index) => this.weight(index));
    const order = [...weight.keys()].filter((index) => picture.scene.alive[index] && picture.strength(index) > 0.2);
    order.sort((a, b) => weight[b] - weight[a] || a - b);
    const room = crowded ? Math.max(8, Math.round(3600 / boxes.length)) : FEW;
    const least = boxes.length > 400 ? 60 : 0;
    let written = 0;
    for (const index of order) {
      if (written >= room || weight[index] < least) break;
      if (this.title(index, weight[index] >= 1000)) written++;
    }
  }

  /** Who gets a label first: what the reader points at, finds or asks about, then disputes, then the well linked. */
  weight(index) {
    const { scene, vertices } = this.picture;
    const marks = scene.marks.get(index) ?? {};
    const chosen = index === scene.selected || index === scene.hovered ? 1000 : 0;
    const found = scene.dimmed?.has(index) ? 80 : 0;
    return chosen + found + (marks.injected ? 60 : 0) + (marks.disputed ? 30 : 0) + vertices[index].degree;
  }

  /** A node's title below, above or beside it; `always` writes it even where there is no room. */
  title(index, always) {
    const { picture } = this;
    const vertex = picture.vertices[index];
    const [x, y] = picture.toScreen(vertex);
    if (x < 0 || y < 0 || x > picture.width || y > picture.height) return false;
    picture.pen.font = `${always ? 600 : 450} 12px ${picture.ink.font}`;
    vertex.wide ??= picture.pen.measureText(vertex.label).width;
    const [reach, half] = [picture.radius(vertex) + 4, vertex.wide / 2];
    const places = [
      [x, y + reach + 10],
      [x, y - reach - 1],
      [x + reach + half + 2, y + 4],
      [x - reach - half - 2, y + 4],
    ];
    const free = places.find(([centre, base]) => this.claim(centre - half, base - 11, vertex.wide, 14));
    if (!free && !always) return false;
    const [centre, base] = free ?? places[0];
    this.write(vertex.label, this.within(centre, half), base, always ? 1 : Math.max(0.6, picture.strength(index)));
    return true;
  }

  /** Boxes of the vertices in sight; while they are few no label may cover one. */
  drawnBoxes() {
    const { picture } = this;
    const boxes = [];
    for (const [index, vertex] of picture.vertices.entries()) {
      if (!picture.scene.alive[index]) continue;
      const [x, y] = picture.toScreen(vertex);
      if (x < 0 || y < 0 || x > picture.width || y > picture.height) continue;
      const reach = picture.radius(vertex);
      boxes.push([x - reach, y - reach, x + reach, y + reach]);
    }
    return boxes;
  }

  regionNames() {
    const { picture } = this;
    for (const region of picture.scene.regions) {
      if (!region.name || region.members.length < 4) continue;
      const points = region.members.map((index) => picture.toScreen(picture.vertices[index]));
      const base = Math.min(...points.map((point) => point[1])) - 9;
      picture.pen.font = `650 ${region.members.length > 30 ? 13.5 : 12}px ${picture.ink.font}`;
      const wide = picture.pen.measureText(region.name).width;
      const middle = points.reduce((sum, point) => sum + point[0], 0) / points.length;
      if (middle < 0 || middle > picture.width) continue;
      const centre = this.within(middle, wide / 2);
      if (this.claim(centre - wide / 2, base - 12, wide, 16))
        this.write(region.name, centre, base, picture.scene.dimmed ? 0.4 : 0.95);
    }
  }

  /** Takes the box for a label; false when another one or the edge is in the way. */
  claim(x, y, width, height) {
    const [left, top, right, bottom] = [x - 3, y - 1, x + width + 3, y + height + 1];
    if (left < 0 || top < 0 || right > this.picture.width || bottom > this.picture.height) return false;
    if (this.taken.some(([l, t, r, b]) => left < r && right > l && top < b && bottom > t)) return false;
    this.taken.push([left, top, right, bottom]);
    return true;
  }

  /** A centre near `x` from which a text of half the width `half` stays in the picture. */
  within(x, half) {
    return Math.max(half + 6, Math.min(this.picture.width - half - 6, x));
  }

  write(text, x, y, strength) {
    const { pen, ink } = this.picture;
    pen.globalAlpha = strength;
    pen.textAlign = "center";
    pen.lineJoin = "round";
    [pen.strokeStyle, pen.lineWidth] = [ink.canvas, 3.5];
    pen.strokeText(text, x, y);
    pen.fillStyle = ink.ink;
    pen.fillText(text, x, y);
    pen.globalAlpha = 1;
  }
}
