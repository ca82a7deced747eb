// Step by step: what memory put into each request, why each passage was chosen, where it is from, and what came next.

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

// --- passages --------------------------------------------------------------------------------------------------------

const LONGEST_PASSAGE = 700;

/** The places of words in a text, for marking. */
function placesOf(words, text) {
  const low = text.toLowerCase();
  return words.flatMap((word) => {
    const found = [];
    for (let at = low.indexOf(word.toLowerCase()); at >= 0; at = low.indexOf(word.toLowerCase(), at + word.length))
      if (low.length === text.length) found.push({ start: at, end: at + word.length });
    return found;
  });
}

/** What is shown of one source: its stretches word for word, and a link to where they stand. */
function passageSource(id, spans, shared) {
  const entry = ENTRIES.get(id);
  if (!entry) return h("p.passage-from", t("passage.from"), " ", chip("entry", id));
  const [first, last] = [spans[0], spans.at(-1)];
  const whole = { ...first, end: last.end };
  const link = stepLink(id, { span: whole, label: `${stepLabel(id)} · ${clip(callText(entry) || sourceOf(entry), 90)}` });
  if (entry.forgotten) return h("p.tombstone", t("entry.forgotten.note"));
  const text = spans.map((span) => entry.text.slice(span.start, span.end)).join("\n…\n");
  const place = said("", "blockquote.passage-text");
  const shown = (upTo) => place.replaceChildren(marked(text.slice(0, upTo), placesOf(shared, text.slice(0, upTo))));
  const [, end] = wholeChars(text, 0, Math.min(LONGEST_PASSAGE, text.length));
  shown(end);
  return [
    place,
    end < text.length && button(plural("raw.more", text.length - end), (event) => (shown(text.length), event.currentTarget.remove()), { class: "quiet" }),
    h("p.passage-from", t("passage.from"), " ", link, " ", !isCall(entry) && said(sourceOf(entry))),
  ];
}

/** One passage: what it is, why it was chosen, its words, and its source. */
function passageCard(receipt, place, shared, uses) {
  const node = NODES.get(receipt.node_id);
  const sources = grouped(receipt.spans.map((span) => [span.entry_id, span]));
  const text = receipt.spans.map((span) => ENTRIES.get(span.entry_id)?.text.slice(span.start, span.end)).join("\n");
  const isUsed = uses.some((use) => use.there && text.includes(use.value));
  return h(
    "li.passage",
    h(
      "p.passage-head",
      h("span.rank", { title: t("receipts.rank") }, number(place + 1)),
      node ? nodeLine(receipt.node_id) : stepLink(receipt.node_id),
      receipt.disputed && badge("is-open", t("mark.disputed")),
      receipt.stale && badge("is-stale", t("mark.stale")),
      isUsed && badge("is-success", t("passage.used")),
      h("span.muted", t(`form.${receipt.form}`), " · ", plural("turn.tokens", receipt.tokens)),
    ),
    h("p.why-chosen", h("b.label", t("passage.why")), " ", whyChosen(receipt, text, shared), " ", h("span.muted", t("passage.score", { score: receipt.score.toFixed(2) }))),
    [...sources].map(([id, spans]) => passageSource(id, [...spans].sort((a, b) => a.start - b.start), shared)),
    !sources.size && node && receipt.form === "summary" && said(clip(node.summary, LONGEST_PASSAGE), "blockquote.passage-text"),
    !sources.size && node && node.sources.length > 0 && h("p.passage-from", t("passage.from"), " ", [...new Set(node.sources.map((span) => span.entry_id))].map((id) => [stepLink(id), " "])),
  );
}

/** What memory put in, best first. */
function passages(step) {
  const turn = INJECTIONS[step];
  if (!turn.receipts.length) return empty(t(turn.block.trim() ? "receipts.none" : "receipts.nothing"));
  const rows = turn.receipts.map((receipt, at) => [receipt, DATA.words[step][at]]).sort(([a], [b]) => a.rank - b.rank);
  return longList("ol.passages", rows.map(([receipt, shared], place) => passageCard(receipt, place, shared, USES_OF.get(step) ?? [])), 12);
}

// --- before and after ------------------------------------------------------------------------------------------------

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
  const named = (records, key) => records.map((one) => one[key]);
  const lines = [
    line("change.entries", "entry", named(entries, "entry_id")),
    line("change.nodes", "node", named(nodes, "id")),
    line("change.conflicts", "conflict", named(conflicts, "id")),
    line("change.merges", "merge", named(merges, "event_id")),
  ].filter(Boolean);
  return lines.length ? h("ul.changes", lines) : empty(t("change.none"));
}

const sinceSection = (step) =>
  section(
    t("turn.since"),
    changeList(step),
    button(t("turn.inGraph"), () => go({ view: "graph", step }), { class: "quiet" }),
  );

/** What the agent did after a request, and what of it stood in the block. */
function nextPart(step) {
  const next = FOLLOWING[step];
  if (!next.length) return h("p.muted", t("next.none"));
  const line = (entry) => {
    const used = (USES_OF.get(step) ?? []).filter((use) => use.call === entry.entry_id);
    return h(
      "li",
      stepLink(entry.entry_id),
      " ",
      said(clip(callText(entry) || sourceOf(entry), 160), "span.call"),
      used.map((use) => [" ", h(`span.badge.is-${use.there ? "success" : "stale"}`, t(use.there ? "next.used" : "next.missing", { value: clip(use.value, 60) }))]),
    );
  };
  return longList("ul.plain.next-calls", next.map(line), 5);
}

/** Prompt against raw tokens as two bars on one scale. */
function costBars(turn) {
  const bar = (kind, value) => {
    const fill = h(`i.${kind}-bar`);
    fill.style.width = `${Math.max(0.6, (100 * value) / (Math.max(turn.raw_tokens, turn.prompt_tokens) || 1))}%`;
    return h("div.cost-row", h("span", t(`chart.${kind}`)), h("span.cost-rail", fill), h("b", number(value)));
  };
  return h("div.costs", bar("prompt", turn.prompt_tokens), bar("raw", turn.raw_tokens));
}

/** What followed a request, in few words: "open(…)", or "… step 9 · read" where several steps did. */
function followedBy(step) {
  const next = FOLLOWING[step];
  if (!next.length) return t("next.none");
  const tools = [...new Set(next.map((entry) => meta(entry, "tool") || sourceOf(entry)))];
  return next.length > 1 ? `… ${stepLabel(next.at(-1).entry_id)} · ${clip(tools.join(", "), 70)}` : clip(callText(next[0]) || tools[0], 70);
}

/** What memory was asked for: a question as a title, longer texts in the size of text. */
function askedFor(query) {
  const [, end] = wholeChars(query, 0, Math.min(1_000, query.length));
  return said(query.slice(0, end), query.length > 160 ? "span.asked" : "bdi");
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
    this.detail = h("div.turn-detail", { role: "region", "aria-label": t("turn.detail"), tabindex: "-1" });
    this.slider = timeline((step) => go({ step }, { replace: true }));
    this.start = () => (this.list.element.offsetParent ? this.list.element : this.slider.range);
    this.element = h(
      "div.turns-view",
      h("aside.turn-list", h("p.turn-help.muted", t("turns.help")), this.list.element),
      this.detail,
      INJECTIONS.length > 0 && this.slider.element,
    );
  }

  row(step) {
    const turn = INJECTIONS[step];
    if (!turn) return [h("span.row-id", t("turn.now")), h("span.row-title.muted", t("turn.now.note"))];
    return [
      h("span.row-id", stepName(step)),
      h("span.row-note", plural("turn.nodes", turn.receipts.length)),
      h("span.row-title", h("span.muted", { "aria-hidden": "true" }, "→ "), said(followedBy(step))),
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
    const many = [plural("turn.nodes", turn.receipts.length), plural("turn.tokens", tokens)].join(" · ");
    return [
      h(
        "header.turn-head",
        h("p.eyebrow", stepName(step), h("span.muted", `${clock(turn.timestamp)} · ${elapsed(time(turn) - START)}`)),
        h("h2", h("span.why", t("turn.query")), askedFor(turn.query.trim())),
        costBars(turn),
        h("h3", t("turn.next")),
        nextPart(step),
      ),
      h(
        "div.turn-body.stack",
        section([t("turn.receipts"), h("span.muted", many)], passages(step)),
        section(
          [t("turn.block"), h("span.muted", plural("turn.chars", turn.block.length)), copyButton(turn.block)],
          blockText(turn),
        ),
        sinceSection(step),
      ),
    ];
  }

  final() {
    const title = INJECTIONS.length ? "turn.now.title" : "note.noTurns";
    const text = INJECTIONS.length ? "turn.now.long" : "turn.none.long";
    return [
      h("header.turn-head", h("p.eyebrow", t("turn.now")), h("h2", t(title)), h("p.muted", t(text))),
      INJECTIONS.length > 0 && h("div.turn-body", sinceSection(LAST_STEP)),
    ].filter(Boolean);
  }
}
