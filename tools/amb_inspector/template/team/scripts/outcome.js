// The question with its figures, what went up a level or was held back, and what was learnt for later tasks.

function figures() {
  const counts = TEAM.statistics;
  return h(
    "div.figures",
    figure("hops", number(counts.total_hops), plural("figure.hops.note", counts.hops_with_answer)),
    figure("facts", number(counts.facts), plural("figure.facts.note", FACTS.filter((fact) => fact.disputed).length)),
    figure("searches", number(counts.unique_searches), plural("figure.searches.note", counts.repeats_avoided)),
    figure("stuck", number(counts.stuck), plural("figure.stuck.note", counts.repeated_searches)),
    figure("promoted", number(counts.promoted), plural("figure.promoted.note", counts.quarantined)),
    figure("insights", number(counts.insights), t(TEAM.in_meta ? "figure.insights.kept" : "figure.insights.not")),
  );
}

const STATUS = { completed: "is-success", failed: "is-failed", in_progress: "is-normal" };

function headPart() {
  return h(
    "header.goal",
    h("p.eyebrow", t("head.team"), " ", badge(STATUS[TEAM.status] ?? "is-normal", t(`status.${TEAM.status}`))),
    said(TEAM.task, "h1"),
    h("p.next", h("b", t("head.answer")), TEAM.answer ? said(TEAM.answer, "b.answer") : h("span.muted", t("head.noAnswer"))),
    h("p.next", h("b", t("head.agents")), TEAM.agents.map(agentTag)),
    TEAM.holds_private_notes && h("p.private-note", { role: "note" }, t("private.note")),
  );
}

// --- between the levels ----------------------------------------------------------------------------------------------

function promotedRow(record) {
  const fact = BY_ID.get(record.new_id);
  return h(
    "tr",
    h("td", badge("is-success", t("level.promoted"))),
    h("td", agentTag(record.agent)),
    h("td.said", fact ? said(toldBy(fact)) : said(record.new_id, "code")),
    h("td", record.evidence.length ? plural("level.evidence", record.evidence.length) : h("span.muted", "–")),
    h("td.num", number(record.turn)),
  );
}

/** What was held back is one agent's note: its words are here only in a full export. */
function heldBackRow(record) {
  const note = BY_ID.get(record.record_id);
  return h(
    "tr",
    h("td", badge("is-stale", t("level.quarantined"))),
    h("td", agentTag(record.agent)),
    h("td.said", note ? said(toldBy(note)) : said(record.record_id, "code.muted")),
    h("td", t(`reason.${record.reason}`)),
    h("td.num", number(record.turn)),
  );
}

function levelsPart() {
  const all = PROMOTED.length + HELD_BACK.length;
  if (!all) return part("levels", 0, empty(t("levels.none")));
  const heads = [t("head.outcome"), t("head.agent"), t("head.note"), t("head.reason"), numeric("head.turn")];
  return part(
    "levels",
    all,
    table(t("part.levels"), heads, [...PROMOTED.map(promotedRow), ...HELD_BACK.map(heldBackRow)]),
  );
}

// --- for later tasks -------------------------------------------------------------------------------------------------

function insight(one) {
  return h(
    "li",
    badge(one.success ? "is-success" : "is-failed", t(one.success ? "insight.worked" : "insight.failed")),
    " ",
    said(one.text),
    h("p.muted.reasons", `${t("insight.type")}: `, said(one.question_type || "–"), ` · ${t("insight.importance", { share: share(one.importance) })}`),
  );
}

const steps = (list) => h("ol.way", list.map((each) => h("li", said(each))));

function learntPart() {
  const learnt = TEAM.reflection;
  if (learnt === null) return part("learnt", null, empty(t("learnt.none")));
  const { trajectory, skill } = learnt;
  return part(
    "learnt",
    null,
    h("p.note", t(TEAM.in_meta ? "learnt.kept" : "learnt.notKept")),
    h(
      "dl.facts-of",
      learnt.strategy && pair(t("learnt.strategy"), said(learnt.strategy)),
      learnt.failed_because && pair(t("learnt.because"), said(learnt.failed_because)),
      learnt.insights.length > 0 && pair(t("learnt.insights"), h("ul.plain", learnt.insights.map(insight))),
      skill && pair(t("learnt.skill"), steps(skill.pattern), h("p.muted.reasons", `${t("insight.type")}: `, said(skill.question_type || "–"))),
      pair(t("learnt.trajectory"), trajectory.steps.length ? steps(trajectory.steps) : h("span.muted", t("learnt.noSteps"))),
    ),
  );
}
