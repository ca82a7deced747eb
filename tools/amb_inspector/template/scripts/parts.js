// Pieces that several views share: badges, chips, source excerpts, lists for the arrow keys.

const statusBadge = (status) => badge(`is-${status}`, t(`status.${status}`));

const section = (title, ...content) => h("section.block", h("h3", title), ...content);

/** A node's marks as badges, as of the step shown. */
function nodeBadges(id) {
  const node = NODES.get(id);
  return [
    disputedAt(id, LAST_STEP) && badge("is-open", t("mark.disputed")),
    node.stale && badge("is-stale", t("mark.stale")),
    endedBy(id) && badge("is-archived", t("mark.merged")),
  ];
}

/** The id of a record as a button that opens it; an id that is not in the file is plain text and says so. */
function chip(kind, id, attributes = {}) {
  const known = { node: NODES, entry: ENTRIES, conflict: CONFLICTS, merge: MERGES }[kind];
  if (!known.has(id)) return h("span.chip.gone", { title: t("chip.gone") }, said(id));
  const title = {
    node: () => nodeTitle(NODES.get(id)),
    entry: () => sourceOf(ENTRIES.get(id)),
    conflict: () => CONFLICTS.get(id).subject,
    merge: () => MERGES.get(id).description,
  }[kind]();
  const past = kind === "node" && !LIVE.has(id) ? " past" : "";
  const control = h("button", { type: "button", class: `chip ${kind}${past}`, title, ...attributes }, said(id));
  control.addEventListener("click", (event) => (event.stopPropagation(), openRecord(kind, id, control)));
  return control;
}

const nodeLine = (id) => [chip("node", id), " ", NODES.has(id) ? said(nodeTitle(NODES.get(id)), "bdi.title") : null];

/** The step that an entry is, as a link to its text; `span` is marked in it. */
const stepLink = (id, { span = null, label = stepLabel(id) } = {}) => {
  if (!ENTRIES.has(id)) return said(id, "span.muted");
  const title = sourceOf(ENTRIES.get(id));
  return button(label, (event) => openRecord("entry", id, event.currentTarget, span), { class: "link", title });
};

const turnLink = (step) =>
  button(stepName(step), () => go({ view: INJECTIONS.length ? "turns" : "graph", step }), { class: "chip turn" });

/** Raw text of one entry around the marked spans; what is left out in between is a button away. */
function excerpt(entry, spans, { mark, margin = 320 } = {}) {
  if (entry.forgotten) return h("p.tombstone", t("entry.forgotten.note"));
  const box = h("div.raw", { tabindex: "0", role: "group", "aria-label": t("entry.raw.of", { id: entry.entry_id }) });
  const draw = (windows) => {
    const parts = [];
    let at = 0;
    for (const [start, end] of [...windows, [entry.text.length, entry.text.length]]) {
      if (start > at)
        parts.push(
          button(plural("raw.more", start - at), () => draw([[0, entry.text.length]]), { class: "quiet more" }),
        );
      if (end > start) parts.push(piece(entry.text, spans, start, end, mark));
      at = end;
    }
    box.replaceChildren(...parts);
  };
  draw(windowsAround(entry.text, spans, margin));
  requestAnimationFrame(() => showMark(box));
  return box;
}

function piece(text, spans, start, end, mark) {
  const inside = spans.filter((span) => span.end > start && span.start < end);
  const place = said("", "div.raw-text");
  place.append(
    marked(
      text.slice(start, end),
      inside.map((span) => ({ ...span, start: span.start - start, end: span.end - start })),
      mark,
    ),
  );
  return place;
}

/** Ranges of the text around the spans, joined where little would be left out. */
function windowsAround(text, spans, margin) {
  const joined = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const [start, end] = [
      span.start - margin < 160 ? 0 : span.start - margin,
      text.length - span.end - margin < 160 ? text.length : span.end + margin,
    ];
    const last = joined.at(-1);
    if (last && start - last[1] < 160) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined.map(([start, end]) => wholeChars(text, start, end));
}

/** The same range without half a surrogate pair at its ends. */
function wholeChars(text, from, to) {
  const splits = (at) =>
    at > 0 && at < text.length && /[\ud800-\udbff]/.test(text[at - 1]) && /[\udc00-\udfff]/.test(text[at]);
  return [splits(from) ? from - 1 : from, splits(to) ? to + 1 : to];
}

function showMark(box) {
  const first = box.querySelector("mark, .refuted");
  if (first) box.scrollTop = Math.max(0, first.offsetTop - box.offsetTop - 24);
}

/** What is left of spans when others are cut out of them. */
function cutOut(spans, others) {
  return spans.flatMap((span) => {
    const left = [];
    let at = span.start;
    for (const other of others.filter((one) => one.entry_id === span.entry_id).sort((a, b) => a.start - b.start)) {
      if (other.start > at) left.push({ ...span, start: at, end: Math.min(other.start, span.end) });
      at = Math.max(at, other.end);
    }
    return at < span.end ? [...left, { ...span, start: at }] : left;
  });
}

const sourceMark = (span) => (span.refuted ? h("del.refuted", { title: t("node.refuted") }) : h("mark"));

/** Spans grouped by entry: a heading that opens the entry, then its raw text with the spans marked. */
function sourceList(spans, refuted = []) {
  const groups = grouped(spans.map((span) => [span.entry_id, span]));
  return [...groups].map(([id, group]) => {
    const entry = ENTRIES.get(id);
    if (!entry) return h("div.source", chip("entry", id));
    const head = h(
      "p.source-head",
      chip("entry", id),
      said(sourceOf(entry), "bdi.title"),
      refuted.some((span) => span.entry_id === id) && badge("is-open", t("fate.dropped")),
      meta(entry, "kind") === "verification" && badge("is-verified", t("kind.verification")),
      h("span.muted", clock(entry.timestamp)),
    );
    return h(
      "div.source",
      head,
      meta(entry, "tool") && h("p.call", said(callText(entry))),
      excerpt(
        entry,
        [
          ...cutOut(group, refuted),
          ...refuted.filter((span) => span.entry_id === id).map((span) => ({ ...span, refuted: true })),
        ],
        { mark: sourceMark },
      ),
    );
  });
}

/**
 * A list for the arrow keys: one Tab stop, Home/End/Page keys, Enter opens; rows are added as they are scrolled to.
 * `onMove(item)` when another row is chosen, `onOpen(item, row)` on Enter or a click.
 */
function listbox({ label, row, onMove = () => {}, onOpen = () => {}, none = t("list.none") }) {
  const PAGE = 200;
  const prefix = `list-${(listbox.count = (listbox.count ?? 0) + 1)}-`;
  const list = h("ul.listbox", { role: "listbox", tabindex: "0", "aria-label": label });
  let [items, at, made] = [[], -1, 0];

  const grow = (upTo) => {
    for (; made < Math.min(items.length, upTo); made++) {
      const index = made;
      const line = h("li", { role: "option", id: prefix + index, "aria-selected": "false" }, row(items[index]));
      line.addEventListener("click", () => (choose(index), onOpen(items[index], line)));
      list.append(line);
    }
  };
  const mark = (index) => {
    list.children[at]?.setAttribute("aria-selected", "false");
    at = index;
    grow(index + PAGE / 2);
    const line = list.children[index];
    if (!line) return list.removeAttribute("aria-activedescendant");
    line.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", line.id);
    line.scrollIntoView({ block: "nearest" });
  };
  const choose = (index) => {
    if (index === at || index < 0 || index >= items.length) return;
    mark(index);
    onMove(items[index]);
  };
  const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
  list.addEventListener("keydown", (event) => {
    if (event.target !== list) return;
    if (event.key in STEPS) choose(Math.max(0, Math.min(items.length - 1, at + STEPS[event.key])));
    else if (event.key === "Enter" && at >= 0) onOpen(items[at], list);
    else return;
    event.preventDefault();
  });
  list.addEventListener(
    "scroll",
    () => list.scrollTop + list.clientHeight > list.scrollHeight - 300 && grow(made + PAGE),
  );

  return {
    element: list,
    fill(next) {
      [items, at, made] = [next, -1, 0];
      list.replaceChildren(...(next.length ? [] : [h("li.empty", none)]));
      list.removeAttribute("aria-activedescendant");
      grow(PAGE);
    },
    /** Marks an item as chosen without telling anybody. */
    select(item) {
      const index = items.indexOf(item);
      if (index !== at) mark(index);
    },
  };
}
