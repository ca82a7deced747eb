// The overview: what memory did for the agent, tokens request by request, what needs a look, and what the memory holds.

/** "a · b" of the counts that are not zero. */
const aside = (pairs) =>
  pairs
    .filter(([, count]) => count > 0)
    .map(([key, count]) => plural(key, count))
    .join(" · ");

function figures() {
  const entries = [
    ["note.repeats", counted(BANK.digestions, (one) => one.repeat_of)],
    ["note.forgotten", counted(BANK.entries, (one) => one.forgotten)],
    ["note.failed", counted(BANK.digestions, (one) => one.state === "failed")],
  ];
  const nodes = [
    ["note.archived", BANK.archive.length],
    ["note.stale", counted(BANK.nodes, (node) => node.stale)],
  ];
  const links = BANK.nodes.length ? t("note.perNode", { n: ((2 * BANK.links.length) / BANK.nodes.length).toFixed(1) }) : "";
  return h(
    "div.figures",
    figure("entries", number(BANK.entries.filter(isStep).length), aside(entries), () => go({ view: "entries" })),
    figure("nodes", number(BANK.nodes.length), aside(nodes), () => go({ view: "graph" })),
    figure("links", number(BANK.links.length), links, () => go({ view: "graph" })),
    figure("merges", number(BANK.merges.length), aside([["note.undone", counted(BANK.merges, (one) => one.undone)]]), () => go({ view: "conflicts" })),
  );
}

/** What a reader should look at besides disputes: failed entries, waiting attachments, stale nodes; null for nothing. */
function concerns() {
  const failed = BANK.digestions
    .filter((one) => one.state === "failed")
    .map((one) => [badge("is-failed", t("state.failed")), chip("entry", one.entry_id), said(one.error ?? "", "bdi.title")]);
  const waiting = BANK.waiting.map((one) => [badge("is-waiting", t("mark.waiting")), said(one.id, "span.chip.gone"), said(one.content, "bdi.title")]);
  const stale = BANK.nodes.filter((node) => node.stale).map((node) => [badge("is-stale", t("mark.stale")), nodeLine(node.id)]);
  const all = [...failed, ...waiting, ...stale].map((line) => h("li", line));
  return all.length ? longList("ul.concerns", all, 6) : null;
}

function sourceTable() {
  const rows = [
    ...grouped(BANK.entries.filter((entry) => !entry.forgotten).map((entry) => [sourceOf(entry), entry])),
  ].map(([source, entries]) => {
    const nodes = new Set(entries.flatMap((entry) => (SPANS_IN.get(entry.entry_id) ?? []).map((span) => span.node)));
    const used = [...nodes].reduce((sum, id) => sum + (TURNS_OF.get(id) ?? []).length, 0);
    const characters = entries.reduce((sum, entry) => sum + entry.text.length, 0);
    return { source, entries, nodes: nodes.size, characters, used };
  });
  rows.sort((a, b) => b.used - a.used || b.nodes - a.nodes);
  const cells = (row) => [
    h("td", chip("entry", row.entries[0].entry_id), row.entries.length > 1 && h("span.muted", ` +${row.entries.length - 1}`)),
    h("td.wide", said(row.source)),
    ...[row.nodes, row.characters, row.used].map((value) => h("td.num", number(value))),
  ];
  return table(["table.entry", "table.source", "table.nodes#", "table.chars#", "table.used#"], rows, cells);
}

function usedTable() {
  const rows = [...TURNS_OF].filter(([id]) => NODES.has(id)).sort((a, b) => b[1].length - a[1].length);
  const cells = ([id, uses]) => [
    h("td", chip("node", id)),
    h("td.wide", said(nodeTitle(NODES.get(id)))),
    h("td.num", number(uses.length)),
    h("td.num", number(uses.reduce((sum, use) => sum + use.receipt.tokens, 0))),
  ];
  return table(["table.node", "table.topic", "table.turns#", "table.tokens#"], rows, cells);
}

/** The first of many lines, and a button for the rest. */
function longList(spec, lines, first) {
  const list = h(spec, lines.slice(0, first));
  return h("div", list, showMore(lines.length - first, () => list.append(...lines.slice(first))));
}

const showMore = (rest, show) =>
  rest > 0 && button(plural("list.showMore", rest), (event) => (show(), event.currentTarget.remove()), { class: "quiet" });

/** A table with headings by key (# = a column of numbers); the first ten rows, the rest a button away. */
function table(heads, rows, cells, first = 10) {
  if (!rows.length) return empty(t("list.none"));
  const line = (row) => h("tr", cells(row));
  const body = h("tbody", rows.slice(0, first).map(line));
  const head = (key) => h(key.endsWith("#") ? "th.num" : "th", { scope: "col" }, t(key.replace("#", "")));
  return h(
    "div",
    h("div.table-wrap", h("table", h("thead", h("tr", heads.map(head))), body)),
    showMore(rows.length - first, () => body.append(...rows.slice(first).map(line))),
  );
}

const block = (key, content) => h("section.block", h("h2", t(key)), content);

class OverviewView {
  constructor() {
    const pending = BANK.insight.pending_tasks[0];
    const finish = [...BANK.entries, ...INJECTIONS, ...BANK.merges].reduce(
      (last, one) => Math.max(last, time(one)),
      START,
    );
    const span = Number.isFinite(START) ? `${clock(START)} · ${elapsed(finish - START).slice(1)}` : "";
    const concerning = concerns();
    this.element = h(
      "div.page.stack.overview",
      h(
        "header.goal",
        h("p.eyebrow", t("task.goal"), h("span.muted", span)),
        said(DATA.page.title || BANK.insight.task_goal, "h1"),
        pending && h("p.next", h("b", t("task.next")), typeBadge(pending), said(pending.description)),
      ),
      gainSection(),
      h(
        "div.columns",
        INJECTIONS.length > 0 && block("overview.tokens", tokenChart((step) => go({ view: "turns", step }))),
        h(
          "div.stack",
          USES.length > 0 && block("overview.needed", neededPart()),
          block("overview.disputes", disputesPart()),
          concerning && block("overview.concerns", concerning),
        ),
      ),
      h("section.inside", h("h2", t("overview.inside")), figures()),
      h("div.columns", block("overview.sources", sourceTable()), block("overview.used", usedTable())),
      receiptsSection(),
    );
  }

  update() {}
}
