// The panel that shows one record whole: a node, an entry, a conflict or a merge.

function nodeDetail(id) {
  const node = NODES.get(id);
  const links = LINKS_OF.get(id) ?? [];
  const uses = TURNS_OF.get(id) ?? [];
  const facts = h(
    "dl",
    pair(t("node.made"), clock(node.timestamp), " · ", turnLink(stepOf(time(node)))),
    pair(
      t("node.used"),
      uses.length
        ? [plural("node.times", uses.length), " ", uses.slice(-12).map((use) => [turnLink(use.step), " "])]
        : t("node.never"),
    ),
  );
  return {
    title: nodeTitle(node),
    badges: nodeBadges(id),
    body: [
      said(node.summary, "p.summary"),
      node.keywords.length > 0 &&
        h(
          "p.keywords",
          node.keywords.map((word) => said(word, "span.keyword")),
        ),
      node.stale && h("p.note.warn", t("node.stale.note")),
      facts,
      section(
        [t("node.sources"), h("span.muted", plural("node.spans", node.sources.length))],
        node.sources.length ? sourceList(node.sources, node.refuted) : empty(t("node.noSources")),
      ),
      section([t("node.conflicts")], conflictLines(id)),
      section([t("node.links"), h("span.muted", number(links.length))], linkList(id, links)),
      ancestryPart(id),
    ],
  };
}

/** Contradictions the node is a side of, and those that were settled by merging into it. */
function conflictLines(id) {
  const settled = (MERGES_INTO.get(id) ?? []).flatMap((event) =>
    event.conflict_ids.filter((one) => CONFLICTS.has(one)),
  );
  const conflicts = [...new Set([...(CONFLICTS_OF.get(id) ?? []), ...settled.map((one) => CONFLICTS.get(one))])];
  if (!conflicts.length) return empty(t("node.noConflicts"));
  return h(
    "ul.plain",
    conflicts.map((one) =>
      h("li", chip("conflict", one.id), statusBadge(one.status), said(one.subject || one.description, "bdi.title")),
    ),
  );
}

function linkList(id, links) {
  if (!links.length) return empty(t("node.noLinks"));
  const other = (link) => (link.a === id ? link.b : link.a);
  return h(
    "ul.plain.links",
    links.map((link) => h("li", nodeLine(other(link)), link.reason && said(link.reason, "p.reason"))),
  );
}

/** What the node was merged from, generation by generation, and what it was merged into. */
function ancestryPart(id) {
  const into = endedBy(id);
  const parts = [
    into && h("p", t("node.mergedInto"), nodeLine(into.new_node_id), " ", t("node.by"), chip("merge", into.event_id)),
    MERGES_INTO.has(id) && h("div.ancestry", ancestry(id, new Set())),
  ].filter(Boolean);
  return parts.length > 0 && section(t("node.ancestry"), ...parts);
}

/** A file can say that a node came from itself; `seen` ends such a circle. */
function ancestry(id, seen) {
  const events = MERGES_INTO.get(id);
  if (!events || seen.has(id)) return null;
  const within = new Set([...seen, id]);
  return h(
    "ul",
    events.map((event) =>
      h(
        "li",
        h("p.minor", chip("merge", event.event_id), " ", said(event.description)),
        h(
          "ul",
          event.merged_node_ids.map((old) => h("li", nodeLine(old), ancestry(old, within))),
        ),
      ),
    ),
  );
}

// --- entries -------------------------------------------------------------------------------------------------------

function entryDetail(id, span) {
  const entry = ENTRIES.get(id);
  const digestion = DIGESTIONS.get(id);
  const spans = SPANS_IN.get(id) ?? [];
  const rest = Object.keys(entry.metadata).filter(
    (key) => !["source", "tool", "arguments", "kind"].includes(key) && meta(entry, key),
  );
  const call = entry.metadata.arguments && Object.keys(entry.metadata.arguments).length > 0;
  const repeats = digestion?.repeat_of ?? null;
  return {
    title: entry.forgotten ? t("entry.forgotten") : sourceOf(entry),
    badges: entryBadges(entry),
    body: [
      h(
        "dl",
        pair(
          t("entry.time"),
          clock(entry.timestamp),
          " · ",
          elapsed(time(entry) - START),
          " · ",
          turnLink(stepOf(time(entry))),
        ),
        meta(entry, "kind") &&
          pair(
            t("entry.kind"),
            KINDS.includes(meta(entry, "kind")) ? t(`kind.${meta(entry, "kind")}`) : said(meta(entry, "kind")),
          ),
        meta(entry, "tool") && pair(t("entry.tool"), said(meta(entry, "tool"), "code")),
        call && pair(t("entry.arguments"), said(JSON.stringify(entry.metadata.arguments, null, 1), "pre.arguments")),
        rest.map((key) => pair(said(key), said(meta(entry, key)))),
        repeats && pair(t("entry.repeat"), chip("entry", repeats)),
        entry.parent_id && entry.parent_id !== repeats && pair(t("entry.parent"), chip("entry", entry.parent_id)),
        digestion &&
          pair(t("entry.state"), t(`state.${digestion.state}`), digestion.error && said(digestion.error, "p.note.bad")),
        digestion?.node_ids.length > 0 &&
          pair(
            t("entry.made"),
            digestion.node_ids.map((node) => [chip("node", node), " "]),
          ),
        entry.attachments.length > 0 &&
          pair(t("entry.attachments"), h("ul.plain", entry.attachments.map(attachmentLine))),
      ),
      section(
        [
          t("entry.raw"),
          h("span.muted", plural("turn.chars", entry.text.length)),
          !entry.forgotten && copyButton(entry.text),
        ],
        span ? excerpt(entry, [{ start: 0, end: 0 }, span], { margin: 4000 }) : wholeText(entry, spans),
      ),
    ],
  };
}

/** The raw text with what nodes were made from it underlined; each piece opens its node. */
function wholeText(entry, spans) {
  const mark = (span) =>
    h("mark", {
      tabindex: "0",
      role: "button",
      title: `${span.node} · ${nodeTitle(NODES.get(span.node))}`,
      click: () => openRecord("node", span.node),
      keydown: (event) => event.key === "Enter" && openRecord("node", span.node),
    });
  return excerpt(entry, [{ start: 0, end: 0 }, ...spans], { mark, margin: 4000 });
}

// --- conflicts and merges ------------------------------------------------------------------------------------------

const conflictDetail = (id) => ({
  title: CONFLICTS.get(id).subject || CONFLICTS.get(id).description,
  badges: [statusBadge(CONFLICTS.get(id).status)],
  body: [conflictCard(CONFLICTS.get(id))],
});
const mergeDetail = (id) => ({ title: MERGES.get(id).description, badges: [], body: [mergeCard(MERGES.get(id))] });

const DETAILS = { node: nodeDetail, entry: entryDetail, conflict: conflictDetail, merge: mergeDetail };
const KNOWN = { node: NODES, entry: ENTRIES, conflict: CONFLICTS, merge: MERGES };

class DetailPanel {
  constructor() {
    this.element = h("aside.detail", { hidden: true, "aria-label": t("detail.label") });
    this.trail = [];
  }

  update({ detail }) {
    const key = JSON.stringify([detail, this.span]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = detail === null;
    if (detail === null) return void (this.trail = []);
    const [kind, id] = detail;
    this.remember(detail);
    const { title, badges, body } = DETAILS[kind](id, this.span);
    this.heading = said(title, "h2");
    this.heading.tabIndex = -1;
    const back =
      this.trail.length > 1 &&
      button("←", () => this.back(), { class: "quiet", "aria-label": t("detail.back"), title: t("detail.back") });
    const close = button("✕", () => closeDetail(), {
      class: "quiet",
      "aria-label": t("detail.close"),
      title: t("detail.close"),
    });
    this.element.replaceChildren(
      h(
        "header.detail-head",
        h(
          "div.detail-bar",
          h(`span.kind.${kind}`, t(`kind.of.${kind}`)),
          h("b.detail-id", said(id)),
          badges,
          h("span.grow"),
          back,
          close,
        ),
        this.heading,
      ),
      h("div.detail-body", body),
    );
    this.element.scrollTop = 0;
  }

  remember(detail) {
    const last = this.trail.at(-1);
    if (!last || last[0] !== detail[0] || last[1] !== detail[1]) this.trail.push(detail);
    if (this.trail.length > 50) this.trail.shift();
  }

  back() {
    this.trail.pop();
    this.span = null;
    go({ detail: this.trail.at(-1) });
    this.heading.focus({ preventScroll: true });
  }
}
