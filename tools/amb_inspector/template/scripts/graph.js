// The graph view: the picture, the list of its nodes for the keyboard, the legend, and the slider below.

const COLOUR_WAYS = ["group", "source", "tool"];

/** Vertices for every node that ever was, and edges: links, contradictions, and what was merged into what. */
function graphModel() {
  const ids = [...NODES.keys()];
  const index = new Map(ids.map((id, at) => [id, at]));
  const edge = (kind, a, b, more = {}) => ({ kind, from: index.get(a), to: index.get(b), ...more });
  const edges = LINKS.map((link) => edge("related", link.a, link.b));
  for (const { id, node_ids: sides } of DISPUTES) {
    const known = sides.filter((side) => index.has(side));
    for (let at = 1; at < known.length; at++)
      edges.push(edge("conflict", known[at - 1], known[at], { conflict: CONFLICTS.get(id), sides }));
  }
  for (const event of BANK.merges)
    for (const old of event.merged_node_ids)
      if (!event.undone && index.has(old) && index.has(event.new_node_id))
        edges.push(edge("merged", old, event.new_node_id));
  const degree = ids.map((id) => (LINKS_OF.get(id) ?? []).length);
  const vertices = ids.map((id, at) => ({ id, degree: degree[at], label: clip(shortTitle(NODES.get(id)), 34) }));
  return { ids, index, edges, vertices };
}

/** A contradiction is drawn while it is open, between the sides it has as of the step. */
function disputeShown({ conflict, sides }, step) {
  const then = conflictAt(conflict, step).node_ids;
  return isOpen(statusAt(conflict, step)) && sides.every((side) => then.includes(side));
}

/** Edges for the layout: besides those drawn, a weak thread through the nodes of one source keeps them together. */
function layoutEdges(model) {
  const weights = { related: 1, conflict: 1, merged: 2 };
  const threads = grouped(model.ids.map((id, at) => [nodeSource(NODES.get(id)), at]));
  const weak = [...threads.values()].flatMap((members) =>
    members.slice(1).map((at, before) => [members[before], at, 0.25]),
  );
  return [...model.edges.map((edge) => [edge.from, edge.to, weights[edge.kind]]), ...weak];
}

/** Names a group by the keywords that are frequent in it and rare elsewhere. */
function regionNames(model, group) {
  const wordsOf = (at) => NODES.get(model.ids[at]).keywords.filter((word) => /\p{L}{2}/u.test(word));
  const total = new Map();
  for (const at of model.ids.keys()) for (const word of wordsOf(at)) total.set(word, (total.get(word) ?? 0) + 1);
  const members = grouped(group.map((label, at) => [label, at]));
  return [...members]
    .sort((a, b) => a[0] - b[0])
    .map(([label, indices]) => {
      const counts = new Map();
      for (const at of indices) for (const word of wordsOf(at)) counts.set(word, (counts.get(word) ?? 0) + 1);
      const telling = ([word, count]) => (count * count) / total.get(word);
      const best = [...counts]
        .filter(([, count]) => count > 1)
        .sort((a, b) => telling(b) - telling(a) || (a[0] < b[0] ? -1 : 1));
      const name = best
        .slice(0, 2)
        .map(([word]) => clip(word, 22))
        .join(" · ");
      const central = indices.reduce(
        (most, at) => (model.vertices[at].degree > model.vertices[most].degree ? at : most),
        indices[0],
      );
      return { label, indices, colour: label % COLOURS, name: name || model.vertices[central].label };
    });
}

/** Colour by source or tool: the most frequent get one of their own, the rest share grey. */
function colourKey(model, way) {
  const entryOf = (node) => ENTRIES.get(node.sources.at(-1)?.entry_id);
  const keyOf = (id) =>
    way === "source"
      ? nodeSource(NODES.get(id))
      : meta(entryOf(NODES.get(id)), "tool") || meta(entryOf(NODES.get(id)), "kind") || "–";
  const keys = model.ids.map(keyOf);
  const counts = [...grouped(keys.map((key) => [key, 1]))].map(([key, ones]) => [key, ones.length]);
  const top = counts
    .sort((a, b) => b[1] - a[1])
    .slice(0, COLOURS)
    .map(([key]) => key);
  return {
    top,
    rest: counts.length > COLOURS,
    colour: (index) => (top.includes(keys[index]) ? top.indexOf(keys[index]) : COLOURS),
  };
}

const FILTERS = ["all", "prompt", "fresh", "disputed", "stale", "past"];

class GraphView {
  constructor() {
    this.model = graphModel();
    this.regions = [];
    this.options = { way: "group", past: true, filter: "all" };
    this.picture = new GraphCanvas({
      onOpen: (index) => ((this.fromCanvas = true), openRecord("node", this.model.ids[index], this.picture.canvas)),
      onHover: (index, x, y) => this.hover(index, x, y),
    });
    this.list = listbox({
      label: t("graph.list"),
      row: (id) => this.row(id),
      onMove: (id) => this.picture.show({ hovered: this.model.index.get(id) }),
      onOpen: (id, row) => openRecord("node", id, row),
      none: t("graph.none"),
    });
    this.build();
    this.start();
  }

  build() {
    const filter = h(
      "select",
      { "aria-label": t("graph.filter"), change: () => ((this.options.filter = filter.value), this.update(state)) },
      FILTERS.map((name) => h("option", { value: name }, t(`filter.${name}`))),
    );
    const way = h(
      "select",
      {
        "aria-label": t("graph.colour"),
        change: () => ((this.options.way = way.value), this.paint(), this.update(state)),
      },
      COLOUR_WAYS.map((name) => h("option", { value: name }, t(`colour.${name}`))),
    );
    const past = h("input", {
      type: "checkbox",
      checked: true,
      change: () => ((this.options.past = past.checked), this.update(state)),
    });
    this.count = h("span.muted.count");
    this.legend = h("div.legend");
    this.card = h("div.hover-card", { hidden: true });
    this.progress = h("div.settling", t("graph.settling"));
    const zoom = (sign, name, act) => button(sign, act, { "aria-label": t(name), title: t(name) });
    const tools = h(
      "div.graph-tools",
      h("label.field", h("span", t("graph.colour")), way),
      h("label.check", past, t("graph.past")),
      h(
        "div.zoom",
        zoom("+", "graph.in", () => this.picture.zoomBy(1.35)),
        zoom("−", "graph.out", () => this.picture.zoomBy(1 / 1.35)),
        zoom("⤢", "graph.fit", () => ((this.picture.touched = false), this.picture.fit())),
      ),
    );
    this.stage = h("div.stage", this.picture.canvas, tools, this.legend, this.card, this.progress);
    this.slider = timeline((step) => go({ step }, { replace: true }));
    this.element = h(
      "div.graph-view",
      h(
        "aside.node-list",
        { "aria-label": t("graph.list") },
        h("div.list-head", filter, this.count),
        this.list.element,
      ),
      this.stage,
      LAST_STEP > 0 && this.slider.element,
    );
    new ResizeObserver(() => this.picture.resize()).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.picture.later());
  }

  /** Lets the layout settle in short slices of time; a change of language finds it done. */
  start() {
    if (GraphView.layout) return this.settled(GraphView.layout);
    const layout = settle(this.model.ids.length, layoutEdges(this.model));
    const slice = () => {
      const until = performance.now() + 24;
      let step = layout.next();
      while (!step.done && performance.now() < until) step = layout.next();
      if (!step.done) return setTimeout(slice);
      this.settled((GraphView.layout = step.value));
    };
    slice();
  }

  settled({ x, y, group }) {
    this.progress.remove();
    this.model.vertices.forEach((vertex, at) => Object.assign(vertex, { x: x[at], y: y[at], group: group[at] }));
    this.regions = regionNames(this.model, group);
    this.picture.place(this.model.vertices, this.model.edges);
    this.ready = true;
    this.paint();
    this.update(state);
    this.picture.fit();
    this.stage.dataset.ready = "true";
  }

  paint() {
    const { way } = this.options;
    this.key =
      way === "group" ? { colour: (index) => this.model.vertices[index].group % COLOURS } : colourKey(this.model, way);
    this.picture.show({ colour: this.key.colour });
    this.drawLegend();
  }

  drawLegend() {
    const mark = (kind) => h("li", h(`i.sample.${kind}`), t(`legend.${kind}`));
    const colour = (name, at) => h("li", h(`i.sample.series-${at}`), said(clip(name, 30)));
    this.legend.replaceChildren(
      h("ul", ["injected", "fresh", "disputed", "stale", "past", "contradiction"].map(mark)),
      ...(this.key.top
        ? [h("ul.colours", this.key.top.map(colour), this.key.rest && colour(t("legend.rest"), COLOURS))]
        : []),
    );
  }

  // --- following the state ---

  update({ step, query, detail }) {
    this.slider.update(step);
    if (!this.ready) return;
    const marks = this.marksAt(step);
    const alive = this.model.ids.map(
      (id, at) => aliveAt(id, step) || (this.options.past && marks.get(at)?.past === true),
    );
    for (const edge of this.model.edges) {
      if (edge.kind === "conflict") edge.hidden = !disputeShown(edge, step);
      if (edge.kind === "related") edge.hidden = marks.get(edge.from)?.past || marks.get(edge.to)?.past;
    }
    const found = query.trim() ? new Set(matches("node", query).map((id) => this.model.index.get(id))) : null;
    const tint = (region) => (this.options.way === "group" ? region.colour : COLOURS);
    const regions = this.regions.map((region) => ({
      ...region,
      colour: tint(region),
      members: region.indices.filter((at) => alive[at]),
    }));
    for (const region of regions)
      region.outline = region.members.length > 2 ? hull(region.members, this.model.vertices) : [];
    const selected = detail?.[0] === "node" ? (this.model.index.get(detail[1]) ?? null) : null;
    if (selected !== null && selected !== this.picture.scene.selected && !this.fromCanvas)
      this.picture.reveal(selected);
    this.fromCanvas = false;
    this.picture.show({ alive, marks, dimmed: found, regions, selected, hovered: null });
    this.fillList(alive, marks, found, step);
  }

  marksAt(step) {
    const injected = new Set((INJECTIONS[step]?.receipts ?? []).map((receipt) => receipt.node_id));
    return new Map(
      this.model.ids.map((id, at) => {
        const node = NODES.get(id);
        const past = !aliveAt(id, step) && time(node) <= cutOf(step) && endedBy(id) !== undefined;
        return [
          at,
          {
            injected: injected.has(id),
            fresh: !past && isNew(time(node), step),
            disputed: !past && disputedAt(id, step),
            stale: !past && node.stale,
            past,
          },
        ];
      }),
    );
  }

  fillList(alive, marks, found, step) {
    const kept = {
      all: () => true,
      prompt: (mark) => mark.injected,
      fresh: (mark) => mark.fresh,
      disputed: (mark) => mark.disputed,
      stale: (mark) => mark.stale,
      past: (mark) => mark.past,
    }[this.options.filter];
    const rank = new Map((INJECTIONS[step]?.receipts ?? []).map((receipt) => [receipt.node_id, receipt.rank]));
    const shown = this.model.ids.filter((_, at) => alive[at] && kept(marks.get(at)) && (!found || found.has(at)));
    shown.sort((a, b) => (rank.get(a) ?? 1e9) - (rank.get(b) ?? 1e9) || time(NODES.get(b)) - time(NODES.get(a)));
    this.marks = marks;
    const key = shown.join("\n") + step;
    if (key === this.listed) return;
    this.listed = key;
    this.list.fill(shown);
    this.count.replaceChildren(plural("graph.count", shown.length));
  }

  row(id) {
    const marks = this.marks.get(this.model.index.get(id));
    const dots = ["injected", "fresh", "disputed", "stale", "past"].filter((kind) => marks[kind]);
    return [
      h("span.row-id", said(id)),
      h("span.row-title", { title: nodeTitle(NODES.get(id)) }, said(shortTitle(NODES.get(id)))),
      h(
        "span.dots",
        dots.map((kind) =>
          h(`i.sample.${kind}`, { title: t(`legend.${kind}`), role: "img", "aria-label": t(`legend.${kind}`) }),
        ),
      ),
    ];
  }

  hover(index, x, y) {
    this.picture.canvas.classList.toggle("over", index !== null);
    if (this.picture.scene.hovered !== index) this.picture.show({ hovered: index });
    this.card.hidden = index === null;
    if (index === null) return;
    const id = this.model.ids[index];
    const node = NODES.get(id);
    this.card.replaceChildren(
      h("p.card-head", h("b", said(id)), nodeBadges(id)),
      said(clip(nodeTitle(node), 120), "p.card-title"),
      said(clip(node.summary, 180), "p.muted"),
      h("p.muted", plural("graph.degree", (LINKS_OF.get(id) ?? []).length), " · ", said(clip(nodeSource(node), 40))),
    );
    const right = x + 300 > this.picture.width;
    this.card.style.left = `${right ? Math.max(8, x - 296) : x + 16}px`;
    this.card.style.top = `${Math.min(y + 14, Math.max(8, this.picture.height - this.card.offsetHeight - 8))}px`;
  }
}
