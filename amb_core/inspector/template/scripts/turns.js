// The turns: what was put into each request, why, and what had come in before it.

/** The injected block, exactly; ids of the nodes in it are buttons, and hidden characters are shown. */
function blockText(turn) {
  const ids = turn.receipts
    .map((receipt) => receipt.node_id)
    .filter((id) => NODES.has(id))
    .sort((a, b) => b.length - a.length);
  const place = said("", "pre.injected-block");
  setAttributes(place, { tabindex: "0", "aria-label": t("turn.block") });
  if (!ids.length) return (place.append(visible(turn.block)), place);
  const pattern = new RegExp(
    `(?<![\\w])(?:${ids.map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?![\\w])`,
    "g",
  );
  const spans = Array.from(turn.block.matchAll(pattern), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    id: found[0],
  }));
  const open = (id) =>
    h("button", {
      type: "button",
      class: "idref",
      title: nodeTitle(NODES.get(id)),
      click: (event) => openRecord("node", id, event.currentTarget),
    });
  place.append(marked(turn.block, spans, (span) => open(span.id)));
  return place;
}

function receiptTable(turn) {
  if (!turn.receipts.length) return empty(t("receipts.none"));
  const rows = [...turn.receipts].sort((a, b) => a.rank - b.rank);
  const marks = (receipt) => [
    receipt.disputed && badge("is-open", t("mark.disputed")),
    receipt.stale && badge("is-stale", t("mark.stale")),
  ];
  const cells = (receipt) => [
    h("td.num", number(receipt.rank + 1)),
    h("td.wide", nodeLine(receipt.node_id), marks(receipt)),
    h("td.score", scoreBar(receipt.score)),
    h("td.reason", said(receipt.reason)),
    h(
      "td",
      t(`form.${receipt.form}`),
      receipt.spans.length > 0 &&
        h(
          "div.muted",
          [...new Set(receipt.spans.map((span) => span.entry_id))].map((id) => [chip("entry", id), " "]),
        ),
    ),
    h("td.num", number(receipt.tokens)),
  ];
  return table(
    ["receipts.rank#", "table.node", "receipts.score", "receipts.reason", "receipts.form", "table.tokens#"],
    rows,
    cells,
    40,
  );
}

function scoreBar(score) {
  const fill = h("i");
  fill.style.width = `${Math.round(100 * Math.max(0, Math.min(1, score)))}%`;
  return h("span.score-bar", fill, h("span", score.toFixed(2)));
}

/** What came in since the request before. */
function changeList(step) {
  const { entries, nodes, conflicts, merges } = changesAt(step);
  const line = (key, kind, ids) =>
    ids.length > 0 &&
    h(
      "li",
      h("span.change-name", plural(key, ids.length)),
      h(
        "span.chips",
        ids.slice(0, 40).map((id) => [chip(kind, id), " "]),
        ids.length > 40 && h("span.muted", `+${ids.length - 40}`),
      ),
    );
  const lines = [
    line(
      "change.entries",
      "entry",
      entries.map((one) => one.entry_id),
    ),
    line(
      "change.nodes",
      "node",
      nodes.map((one) => one.id),
    ),
    line(
      "change.conflicts",
      "conflict",
      conflicts.map((one) => one.id),
    ),
    line(
      "change.merges",
      "merge",
      merges.map((one) => one.event_id),
    ),
  ].filter(Boolean);
  return lines.length ? h("ul.changes", lines) : empty(t("change.none"));
}

/** Prompt against raw tokens as two bars on one scale. */
function costBars(turn) {
  const bar = (kind, value) => {
    const fill = h(`i.${kind}-bar`);
    fill.style.width = `${Math.max(0.6, (100 * value) / (Math.max(turn.raw_tokens, turn.prompt_tokens) || 1))}%`;
    return h("div.cost", h("span", t(`chart.${kind}`)), h("span.cost-rail", fill), h("b", number(value)));
  };
  return h("div.costs", bar("prompt", turn.prompt_tokens), bar("raw", turn.raw_tokens));
}

class TurnsView {
  constructor() {
    this.steps = INJECTIONS.length ? [...INJECTIONS.keys(), LAST_STEP] : [];
    this.list = listbox({
      label: t("turns.list"),
      row: (step) => this.row(step),
      onMove: (step) => go({ step }, { replace: true }),
      onOpen: (step) => go({ step }, { replace: true }),
      none: t("note.noTurns"),
    });
    this.list.fill(this.steps);
    this.detail = h("div.turn-detail", { role: "region", "aria-label": t("turn.detail") });
    this.slider = timeline((step) => go({ step }, { replace: true }));
    this.element = h(
      "div.turns-view",
      h("aside.turn-list", this.list.element),
      this.detail,
      INJECTIONS.length > 0 && this.slider.element,
    );
  }

  row(step) {
    const turn = INJECTIONS[step];
    if (!turn) return [h("span.row-id", t("turn.now")), h("span.row-title.muted", t("turn.now.note"))];
    return [
      h("span.row-id", stepName(step)),
      said(clip(turn.query, 110), "span.row-title"),
      h(
        "span.row-note",
        { title: t("turn.cost", { prompt: number(turn.prompt_tokens), raw: number(turn.raw_tokens) }) },
        `${short(turn.prompt_tokens)} / ${short(turn.raw_tokens)} · ${plural("turn.nodes", turn.receipts.length)}`,
      ),
    ];
  }

  update({ step }) {
    this.slider.update(step);
    this.list.select(step);
    if (this.shown === step) return;
    this.shown = step;
    this.detail.scrollTop = 0;
    this.detail.replaceChildren(...(INJECTIONS[step] ? this.turn(step) : this.final()));
  }

  turn(step) {
    const turn = INJECTIONS[step];
    const tokens = turn.receipts.reduce((sum, receipt) => sum + receipt.tokens, 0);
    return [
      h(
        "header.turn-head",
        h("p.eyebrow", stepName(step), h("span.muted", `${clock(turn.timestamp)} · ${elapsed(time(turn) - START)}`)),
        h("h2", h("span.why", t("turn.query")), said(turn.query, "bdi")),
        costBars(turn),
      ),
      h(
        "div.turn-body",
        section(
          t("turn.since"),
          changeList(step),
          button(t("turn.inGraph"), () => go({ view: "graph", step }), { class: "quiet" }),
        ),
        section(
          [
            t("turn.receipts"),
            h("span.muted", `${plural("turn.nodes", turn.receipts.length)} · ${plural("turn.tokens", tokens)}`),
          ],
          receiptTable(turn),
        ),
        section(
          [t("turn.block"), h("span.muted", plural("turn.chars", turn.block.length)), copyButton(turn.block)],
          blockText(turn),
        ),
      ),
    ];
  }

  final() {
    if (!INJECTIONS.length)
      return [h("header.turn-head", h("h2", t("note.noTurns")), h("p.muted", t("turn.none.long")))];
    return [
      h(
        "header.turn-head",
        h("p.eyebrow", t("turn.now")),
        h("h2", t("turn.now.title")),
        h("p.muted", t("turn.now.long")),
      ),
      h(
        "div.turn-body",
        section(
          t("turn.since"),
          changeList(LAST_STEP),
          button(t("turn.inGraph"), () => go({ view: "graph", step: LAST_STEP }), { class: "quiet" }),
        ),
      ),
    ];
  }
}
