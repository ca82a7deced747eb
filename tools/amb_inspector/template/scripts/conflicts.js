// Contradictions and merges: what was said, who won and on what evidence, and how to undo it.

/** The sentence of the raw text that states the value, and where it stands; the summary when there is none. */
function statement(node, value) {
  for (const span of value ? node.sources : []) {
    const entry = ENTRIES.get(span.entry_id);
    const at = entry?.text.slice(span.start, span.end).indexOf(value) ?? -1;
    if (at < 0) continue;
    const found = { start: span.start + at, end: span.start + at + value.length };
    const [from, to] = sentenceAround(entry.text, found, span);
    const text = said("", "span");
    text.append(marked(entry.text.slice(from, to), [{ start: found.start - from, end: found.end - from }]));
    return h("p.muted.side-source", text, h("span.from", t("conflict.from"), said(sourceOf(entry))));
  }
  const text = said(clip(node.summary, 260), "span");
  return h("p.muted.side-source", text, h("span.from", t("conflict.from"), said(nodeSource(node))));
}

/** The bounds of the sentence around a piece of text, inside the span and at most 180 characters to either side. */
function sentenceAround(text, piece, span) {
  const before = text.slice(Math.max(span.start, piece.start - 180), piece.start);
  const after = text.slice(piece.end, Math.min(span.end, piece.end + 180));
  const begin = /(?:^|[。！？；\n]|[.!?]\s)(?!.*(?:[。！？；\n]|[.!?]\s))\s*/s.exec(before);
  const end = /[。！？；\n]|[.!?](?=\s|$)/.exec(after);
  const from = piece.start - before.length + (begin ? begin.index + begin[0].length : 0);
  return wholeChars(text, from, end ? piece.end + end.index + 1 : piece.end + after.length);
}

/** One side of a contradiction: its value, its node and source, and whether it was kept. */
function side(conflict, at) {
  const id = conflict.node_ids[at];
  const outcome = DATA.outcomes[conflict.id];
  const fate = !outcome || outcome.kept === null ? "" : outcome.kept === at ? "kept" : "dropped";
  const value = conflict.values[at];
  return h(
    `div.side${fate && "." + fate}`,
    h("p.side-head", nodeLine(id)),
    value &&
      h("p.side-value", said(value, fate === "dropped" ? "del" : "bdi"), fate && h("span.fate", t(`fate.${fate}`))),
    NODES.has(id) && statement(NODES.get(id), value),
  );
}

/** What is known of the end: the merge, its evidence, or what happens next. */
function outcomePart(conflict) {
  const outcome = DATA.outcomes[conflict.id];
  const planned = BANK.insight.pending_tasks.find((task) => task.conflict_id === conflict.id);
  return [
    conflict.resolution && h("p.resolution", h("b", t("conflict.resolution")), said(conflict.resolution)),
    planned && h("p.resolution", h("b", t("conflict.planned")), said(planned.description)),
    conflict.status === "unresolved" && h("p.muted", t("conflict.unresolved.note")),
    outcome && [
      h(
        "p.resolution",
        h("b", t("conflict.settledBy")),
        chip("merge", outcome.event),
        "→ ",
        nodeLine(MERGES.get(outcome.event).new_node_id),
      ),
      outcome.evidence.length > 0 &&
        h("details.evidence", { open: true }, h("summary", t("conflict.evidence")), sourceList(outcome.evidence)),
      undoHint(MERGES.get(outcome.event)),
    ],
  ];
}

function conflictCard(conflict) {
  return h(
    "article.card",
    { "data-record": conflict.id },
    h(
      "header.card-head",
      chip("conflict", conflict.id),
      statusBadge(conflict.status),
      said(conflict.subject || conflict.description, "h3"),
    ),
    h(
      "div.sides",
      conflict.node_ids.map((_, at) => side(conflict, at)),
    ),
    conflict.subject && h("p.muted", said(conflict.description)),
    outcomePart(conflict),
  );
}

/** How to take a merge back, and what has to be taken back before it. */
function undoHint(event) {
  if (event.undone) return h("p.muted", t("merge.undone.note"));
  const later = endedBy(event.new_node_id);
  if (later) return h("p.undo.muted", t("merge.undo.first"), chip("merge", later.event_id));
  const call = `bank.undo_merge(${JSON.stringify(event.event_id)})`;
  return h("p.undo", h("span.muted", t("merge.undo")), h("code", call), copyButton(call));
}

/** What a merge changed in the topics of the neighbours. */
function neighbourChanges(event) {
  const lines = event.neighbours_before.flatMap((before) => {
    const after = NODES.get(before.id);
    if (!after || (after.context === before.context && after.keywords.join() === before.keywords.join())) return [];
    return [h("li", chip("node", before.id), said(before.context, "del"), " → ", said(after.context, "ins"))];
  });
  return lines.length > 0 && h("div.neighbours", h("p.minor", t("merge.neighbours")), h("ul", lines));
}

function mergeCard(event) {
  return h(
    `article.card${event.undone ? ".undone" : ""}`,
    { "data-record": event.event_id },
    h(
      "header.card-head",
      chip("merge", event.event_id),
      event.undone && badge("is-archived", t("note.undone.mark")),
      h("span.muted", `${clock(event.timestamp)} · ${elapsed(time(event) - START)}`),
    ),
    h(
      "div.flow",
      h(
        "ul",
        event.merged_node_ids.map((id) => h("li", nodeLine(id))),
      ),
      h("span.arrow", { "aria-hidden": "true" }, "→"),
      h("p", nodeLine(event.new_node_id)),
    ),
    said(event.description, "p"),
    event.conflict_ids.length > 0 &&
      h(
        "p.muted",
        t("merge.settled"),
        event.conflict_ids.map((id) => [" ", chip("conflict", id)]),
      ),
    neighbourChanges(event),
    undoHint(event),
  );
}

class ConflictsView {
  constructor() {
    this.chosen = "all";
    this.conflicts = h("div.cards");
    const order = (one) => STATUSES.indexOf(one.status);
    this.sorted = [...BANK.conflicts].sort((a, b) => order(a) - order(b));
    this.filters = h(
      "div.segments",
      { role: "group", "aria-label": t("conflicts.filter") },
      ["all", ...STATUSES].map((status) => this.filter(status)),
    );
    const merges = [...BANK.merges].reverse();
    this.element = h(
      "div.page.conflicts-view",
      h(
        "section",
        h("div.section-head", h("h2", t("conflicts.title")), BANK.conflicts.length > 0 && this.filters),
        this.conflicts,
      ),
      h(
        "section",
        h("div.section-head", h("h2", t("merges.title"))),
        h("div.cards", merges.length ? merges.map(mergeCard) : empty(t("merges.none"))),
      ),
    );
    this.choose("all");
  }

  filter(status) {
    const count = status === "all" ? BANK.conflicts.length : counted(BANK.conflicts, (one) => one.status === status);
    const control = button(
      [t(status === "all" ? "filter.all" : `status.${status}`), h("span.tally", number(count))],
      () => this.choose(status),
    );
    control.disabled = count === 0;
    control.dataset.status = status;
    return control;
  }

  choose(status) {
    for (const control of this.filters.children)
      control.setAttribute("aria-pressed", String(control.dataset.status === status));
    const shown = this.sorted.filter((one) => status === "all" || one.status === status);
    this.conflicts.replaceChildren(...(shown.length ? shown.map(conflictCard) : [empty(t("conflicts.none"))]));
  }

  update() {}
}
