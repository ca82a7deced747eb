// Raw entries as they came in, and the Insight Doc.

const KINDS = ["tool", "read", "verification", "recognition"];
const ENTRY_FILTERS = ["all", ...KINDS, "repeat", "failed", "forgotten"];

function entryKept(entry, filter) {
  const digestion = DIGESTIONS.get(entry.entry_id);
  if (filter === "all") return true;
  if (filter === "repeat") return Boolean(digestion?.repeat_of);
  if (filter === "failed") return digestion?.state === "failed";
  if (filter === "forgotten") return entry.forgotten;
  return meta(entry, "kind") === filter;
}

function entryBadges(entry) {
  const digestion = DIGESTIONS.get(entry.entry_id);
  return [
    entry.forgotten && badge("is-archived", t("entries.forgotten")),
    digestion?.repeat_of && badge("is-repeat", t("mark.repeat")),
    meta(entry, "kind") === "verification" && badge("is-verified", t("kind.verification")),
    digestion &&
      digestion.state !== "done" &&
      badge(digestion.state === "failed" ? "is-failed" : "is-waiting", t(`state.${digestion.state}`)),
  ];
}

class EntriesView {
  constructor() {
    this.filter = "all";
    this.list = listbox({
      label: t("entries.title"),
      row: (entry) => this.row(entry),
      onOpen: (entry, row) => openRecord("entry", entry.entry_id, row),
    });
    this.count = h("span.muted.count");
    const filter = h(
      "select",
      { "aria-label": t("entries.filter"), change: () => ((this.filter = filter.value), this.update(state)) },
      ENTRY_FILTERS.filter((name) => name === "all" || BANK.entries.some((entry) => entryKept(entry, name))).map(
        (name) => h("option", { value: name }, t(`entries.${name}`)),
      ),
    );
    this.element = h(
      "div.page.entries-view",
      h("div.section-head", h("h2", t("entries.title")), filter, this.count),
      this.list.element,
    );
  }

  row(entry) {
    const digestion = DIGESTIONS.get(entry.entry_id);
    const made = digestion?.node_ids.length ?? 0;
    const tail = digestion?.repeat_of
      ? t("entry.repeatOf", { id: plain(digestion.repeat_of) })
      : made
        ? plural("entry.nodes", made)
        : "";
    return [
      h("span.row-id", said(entry.entry_id)),
      h(
        "span.row-main",
        h(
          "span.row-head",
          !entry.forgotten && !isCall(entry) && said(sourceOf(entry), "b"),
          meta(entry, "tool") && said(callText(entry), "span.call"),
          entryBadges(entry),
        ),
        entry.forgotten
          ? h("span.row-text.muted", t("entry.forgotten.note"))
          : said(clip(entry.text.slice(0, 600), 220), "span.row-text"),
      ),
      h(
        "span.row-side",
        h("span", elapsed(time(entry) - START)),
        h("span", plural("turn.chars", entry.text.length)),
        h("span", tail),
      ),
    ];
  }

  update({ query }) {
    const found = new Set(matches("entry", query));
    const shown = BANK.entries.filter((entry) => found.has(entry.entry_id) && entryKept(entry, this.filter));
    const key = JSON.stringify([this.filter, query]);
    if (key === this.listed) return;
    this.listed = key;
    this.list.fill(shown);
    this.count.replaceChildren(t("entries.count", { n: number(shown.length), all: number(BANK.entries.length) }));
  }
}

const typeBadge = (task) => badge(task.type === "NORMAL" ? "is-normal" : "is-verifying", t(`type.${task.type}`));

class TaskView {
  constructor() {
    const { insight, waiting } = BANK;
    const pending = insight.pending_tasks[0];
    this.element = h(
      "div.page.task-view",
      h(
        "header.goal",
        h("p.eyebrow", t("task.title"), h("span.muted", said(insight.doc_id))),
        said(insight.task_goal, "h1"),
      ),
      h(
        "div.columns",
        h(
          "section.block",
          h("h2", t("task.done"), h("span.muted", number(insight.completed_tasks.length))),
          insight.completed_tasks.length
            ? h(
                "ol.steps",
                insight.completed_tasks.map((task) => this.done(task)),
              )
            : empty(t("task.noneDone")),
        ),
        h(
          "div",
          h("section.block", h("h2", t("task.next")), pending ? this.pending(pending) : empty(t("task.nothing"))),
          h(
            "section.block",
            h("h2", t("task.waiting")),
            waiting.length ? h("ul.plain", waiting.map(attachmentLine)) : empty(t("task.noneWaiting")),
          ),
        ),
      ),
    );
  }

  done(task) {
    const outcome = task.gave_up ? "gaveUp" : task.status;
    return h(
      `li.${task.status}`,
      h(
        "p.step-head",
        badge(`is-${outcome}`, t(`outcome.${outcome}`)),
        task.type !== "NORMAL" && badge("is-verifying", t(`type.${task.type}`)),
        said(task.description, "b"),
      ),
      task.context && said(task.context, "p.muted"),
    );
  }

  pending(task) {
    return h(
      "div.pending",
      h(
        "p.step-head",
        typeBadge(task),
        task.answers_goal && badge("is-success", t("task.answers")),
        said(task.description, "b"),
      ),
      task.conflict_id && h("p", t("task.about"), chip("conflict", task.conflict_id)),
      task.attachment_ids.length > 0 && h("p", t("task.attachments"), said(task.attachment_ids.join(", "))),
    );
  }

  update() {}
}

const attachmentLine = (one) =>
  h(
    "li",
    h("span.chip.gone", said(one.id)),
    " ",
    t(`attachment.${one.type}`),
    " · ",
    said(one.content, "code"),
    one.media_type && [" · ", said(one.media_type)],
  );
