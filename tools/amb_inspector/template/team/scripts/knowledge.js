// What the team knows: its facts, the searches it made, and what its agents said to each other.

function factRow(fact) {
  const parts = [fact.subject, fact.relation, fact.value].filter(Boolean);
  return h(
    `tr${fact.disputed ? ".disputed" : ""}`,
    h(
      "td.said",
      said(fact.text),
      fact.disputed && [" ", badge("is-open", t("fact.disputed"))],
      parts.length > 0 && h("p.muted.triple", parts.map((each, at) => [at > 0 && " · ", said(each)])),
    ),
    h("td", agentTag(fact.agent)),
    h("td", fact.source ? origin(fact.source) : h("span.muted", "–")),
    h("td.num", share(fact.confidence)),
  );
}

function factsPart() {
  if (!FACTS.length) return part("facts", 0, empty(t("facts.none")));
  const heads = [t("head.fact"), t("head.agent"), t("head.source"), numeric("head.confidence")];
  const disputed = FACTS.filter((fact) => fact.disputed).length;
  return part(
    "facts",
    FACTS.length,
    disputed > 0 && h("p.note", plural("facts.disputed", disputed)),
    table(t("part.facts"), heads, FACTS.map(factRow)),
  );
}

function searchRow(search) {
  const answered = TEAM.answered.filter((each) => each.search === search.id);
  return h(
    "tr",
    h("td.said", said(search.query, "b"), unfolding(t("search.result"), () => rawText(search.result))),
    h("td", agentTag(search.agent)),
    h("td.num", number(search.turn)),
    h(
      "td",
      answered.length
        ? h(
            "ul.plain",
            answered.map((each) =>
              h("li", agentTag(each.agent), h("span.muted", ` ${t("search.afterTurn", { n: number(each.turn) })}`)),
            ),
          )
        : h("span.muted", search.uses ? number(search.uses) : "–"),
    ),
  );
}

function searchesPart() {
  if (!SEARCHES.length) return part("searches", 0, empty(t("searches.none")));
  const heads = [t("head.search"), t("head.asked"), numeric("head.turn"), t("head.answered")];
  const { repeats_avoided: avoided, repeated_searches: repeated } = TEAM.statistics;
  return part(
    "searches",
    SEARCHES.length,
    avoided + repeated > 0 &&
      h("p.note", plural("searches.avoided", avoided), " ", repeated > 0 && plural("searches.repeated", repeated)),
    table(t("part.searches"), heads, SEARCHES.map(searchRow)),
  );
}

function messageRow(record) {
  const together = record.kind === "collaboration";
  return h(
    "li",
    h("span.turn", number(record.turn)),
    h(
      "div",
      h(
        "p.hop-head",
        agentTag(record.agent),
        h("span.muted", together ? t("message.with") : "→"),
        agentTag(together ? record.other : record.to),
        together
          ? badge(record.success ? "is-success" : "is-failed", t(record.success ? "hop.success" : "hop.failure"))
          : badge("is-normal", t(`message.${record.type}`)),
      ),
      said(together ? record.type : record.message, "p.message"),
    ),
  );
}

function messagesPart() {
  if (!MESSAGES.length) return null;
  return part("messages", MESSAGES.length, h("ol.hops.messages", MESSAGES.map(messageRow)));
}
