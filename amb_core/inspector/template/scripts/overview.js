// The overview: figures, tokens turn by turn, what needs a look, sources, and the nodes that were used most.

const counted = (items, test) => items.filter(test).length;

/** "a · b" of the counts that are not zero. */
const aside = (pairs) =>
  pairs
    .filter(([, count]) => count > 0)
    .map(([key, count]) => plural(key, count))
    .join(" · ");

function figure(name, value, note, view) {
  const inside = [
    h("span.figure-name", t(`figure.${name}`)),
    h("span.figure-value", value),
    h("span.figure-note", note || "\u00a0"),
  ];
  return view ? button(inside, () => go({ view }), { class: `figure ${name}` }) : h(`div.figure.${name}`, inside);
}

function figures() {
  const repeats = counted(BANK.digestions, (one) => one.repeat_of);
  const failed = counted(BANK.digestions, (one) => one.state === "failed");
  const sums = INJECTIONS.reduce(([prompt, raw], turn) => [prompt + turn.prompt_tokens, raw + turn.raw_tokens], [0, 0]);
  const most = INJECTIONS.reduce((best, turn) => Math.max(best, turn.prompt_tokens), 0);
  return h(
    "div.figures",
    figure(
      "entries",
      number(BANK.entries.length),
      aside([
        ["note.repeats", repeats],
        ["note.forgotten", counted(BANK.entries, (one) => one.forgotten)],
        ["note.failed", failed],
      ]),
      "entries",
    ),
    figure(
      "nodes",
      number(BANK.nodes.length),
      aside([
        ["note.archived", BANK.archive.length],
        ["note.stale", counted(BANK.nodes, (node) => node.stale)],
      ]),
      "graph",
    ),
    figure(
      "links",
      number(BANK.links.length),
      BANK.nodes.length ? t("note.perNode", { n: ((2 * BANK.links.length) / BANK.nodes.length).toFixed(1) }) : "",
      "graph",
    ),
    figure(
      "conflicts",
      number(BANK.conflicts.length),
      STATUSES.map((status) => [status, counted(BANK.conflicts, (one) => one.status === status)])
        .filter(([, n]) => n)
        .map(([status, n]) => `${number(n)} ${t(`status.${status}`)}`)
        .join(" · "),
      "conflicts",
    ),
    figure(
      "merges",
      number(BANK.merges.length),
      aside([["note.undone", counted(BANK.merges, (one) => one.undone)]]),
      "conflicts",
    ),
    figure(
      "tokens",
      INJECTIONS.length ? number(most) : "–",
      INJECTIONS.length
        ? t(sums[0] < sums[1] ? "note.saved" : "note.nothingToSave", {
            share: share(1 - sums[0] / (sums[1] || 1)),
            raw: short(INJECTIONS.at(-1).raw_tokens),
          })
        : t("note.noTurns"),
      "turns",
    ),
  );
}

/** What a reader should look at: open and unresolved conflicts, failed entries, waiting attachments, stale nodes. */
function concerns() {
  const conflicts = BANK.conflicts
    .filter((one) => isOpen(one.status))
    .map((one) =>
      h("li", statusBadge(one.status), chip("conflict", one.id), said(one.subject || one.description, "bdi.title")),
    );
  const failed = BANK.digestions
    .filter((one) => one.state === "failed")
    .map((one) =>
      h("li", badge("is-failed", t("state.failed")), chip("entry", one.entry_id), said(one.error ?? "", "bdi.title")),
    );
  const waiting = BANK.waiting.map((one) =>
    h("li", badge("is-waiting", t("mark.waiting")), h("span.chip.gone", said(one.id)), said(one.content, "bdi.title")),
  );
  const stale = BANK.nodes
    .filter((node) => node.stale)
    .map((node) => h("li", badge("is-stale", t("mark.stale")), nodeLine(node.id)));
  const all = [...conflicts, ...failed, ...waiting, ...stale];
  if (!all.length) return empty(t("concerns.none"));
  const list = h("ul.concerns", all.slice(0, 6));
  const more =
    all.length > 6 &&
    button(plural("list.showMore", all.length - 6), () => (list.append(...all.slice(6)), more.remove()), {
      class: "quiet",
    });
  return h("div", list, more);
}

function sourceTable() {
  const rows = [
    ...grouped(BANK.entries.filter((entry) => !entry.forgotten).map((entry) => [sourceOf(entry), entry])),
  ].map(([source, entries]) => {
    const nodes = new Set(entries.flatMap((entry) => (SPANS_IN.get(entry.entry_id) ?? []).map((span) => span.node)));
    const used = [...nodes].reduce((sum, id) => sum + (TURNS_OF.get(id) ?? []).length, 0);
    return {
      source,
      entries,
      nodes: nodes.size,
      characters: entries.reduce((sum, entry) => sum + entry.text.length, 0),
      used,
    };
  });
  rows.sort((a, b) => b.used - a.used || b.nodes - a.nodes);
  const cells = (row) => [
    h(
      "td",
      chip("entry", row.entries[0].entry_id),
      row.entries.length > 1 && h("span.muted", ` +${row.entries.length - 1}`),
    ),
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

/** A table with headings by key (# = a column of numbers); the first ten rows, the rest a button away. */
function table(heads, rows, cells, first = 10) {
  if (!rows.length) return empty(t("list.none"));
  const body = h(
    "tbody",
    rows.slice(0, first).map((row) => h("tr", cells(row))),
  );
  const rest = rows.length - first;
  const more =
    rest > 0 &&
    button(
      plural("list.showMore", rest),
      (event) => (body.append(...rows.slice(first).map((row) => h("tr", cells(row)))), event.target.remove()),
      { class: "quiet" },
    );
  return h(
    "div.table-wrap",
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          heads.map((key) => h(key.endsWith("#") ? "th.num" : "th", { scope: "col" }, t(key.replace("#", "")))),
        ),
      ),
      body,
    ),
    more,
  );
}

class OverviewView {
  constructor() {
    const pending = BANK.insight.pending_tasks[0];
    const finish = [...BANK.entries, ...INJECTIONS, ...BANK.merges].reduce(
      (last, one) => Math.max(last, time(one)),
      START,
    );
    const span = Number.isFinite(START) ? `${clock(START)} · ${elapsed(finish - START).slice(1)}` : "";
    this.element = h(
      "div.page.overview",
      h(
        "header.goal",
        h("p.eyebrow", t("task.goal"), h("span.muted", span)),
        said(DATA.page.title || BANK.insight.task_goal, "h1"),
        h(
          "p.next",
          h("b", t("task.next")),
          pending
            ? [
                badge(`is-${pending.type === "NORMAL" ? "normal" : "verifying"}`, t(`type.${pending.type}`)),
                said(pending.description, "bdi"),
              ]
            : h("span.muted", t("task.nothing")),
        ),
      ),
      figures(),
      h(
        "div.columns",
        h(
          "section.block",
          h("h2", t("overview.tokens")),
          INJECTIONS.length ? tokenChart((step) => go({ view: "turns", step })) : empty(t("note.noTurns")),
        ),
        h("section.block", h("h2", t("overview.concerns")), concerns()),
      ),
      h(
        "div.columns",
        h("section.block", h("h2", t("overview.sources")), sourceTable()),
        h("section.block", h("h2", t("overview.used")), usedTable()),
      ),
      receiptsSection(),
    );
  }

  update() {}
}
