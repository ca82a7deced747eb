// The timeline: who did what in which turn, as lanes of the agents, and each hop with what it brought.

const hopRows = new Map();

/** Leads to a hop of the timeline and opens it. */
function showHop(id) {
  const row = hopRows.get(id);
  row.querySelector("details").open = true;
  row.scrollIntoView({ block: "center" });
  row.focus({ preventScroll: true });
}

function hopMark(hop) {
  const state = t(hop.success ? "hop.success" : "hop.failure");
  return button(hop.success ? "●" : "○", () => showHop(hop.id), {
    class: `mark-hop ${hop.success ? "did" : "did-not"}`,
    title: `${t("hop.turn", { n: number(hop.turn) })}: ${hop.action} (${state})`,
    "aria-label": `${t("hop.turn", { n: number(hop.turn) })}, ${hop.agent}: ${hop.action} (${state})`,
  });
}

/** A row for each agent, a column for each turn. */
function lanes() {
  const turns = [...new Set(HOPS.map((hop) => hop.turn))].sort((a, b) => a - b);
  const agents = [...TEAM.agents, ...new Set(HOPS.map((hop) => hop.agent))].filter(
    (name, at, all) => all.indexOf(name) === at,
  );
  const cell = (agent, turn) =>
    h("td", HOPS.filter((hop) => hop.agent === agent && hop.turn === turn).map(hopMark));
  return h(
    "div.table-wrap.lanes",
    { role: "region", "aria-label": t("hops.lanes"), tabindex: "0" },
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          h("th", { scope: "col" }, t("head.agent")),
          turns.map((turn) => h("th.num", { scope: "col" }, number(turn))),
        ),
      ),
      h(
        "tbody",
        agents.map((agent) =>
          h(
            "tr",
            h("th", { scope: "row" }, agentTag(agent)),
            turns.map((turn) => cell(agent, turn)),
          ),
        ),
      ),
    ),
  );
}

/** The entity that the next hop goes over; only named where it is not the answer itself. */
function bridgeOf(hop) {
  if (!hop.bridge_entity) return null;
  if (hop.bridge_entity === hop.extracted_answer) return [" ", badge("is-normal", t("hop.bridge"))];
  return [h("span.muted", ` · ${t("hop.bridge")}: `), said(hop.bridge_entity)];
}

function hopRow(hop) {
  const facts = FACTS.filter((fact) => fact.source === hop.id);
  const details = h(
    "dl.facts-of",
    hop.sub_question && pair(t("hop.asked"), said(hop.sub_question)),
    hop.bridge_entity && pair(t("hop.bridge"), said(hop.bridge_entity)),
    facts.length > 0 && pair(t("hop.facts"), h("ul.plain", facts.map((fact) => h("li", said(fact.text))))),
    hop.next_queries?.length > 0 && pair(t("hop.next"), h("ul.plain", hop.next_queries.map((each) => h("li", said(each))))),
    pair(t("hop.when"), h("span.muted", clock(hop.at)), " ", said(hop.id, "code.muted")),
  );
  const row = h(
    `li.hop${hop.success ? "" : ".failed"}`,
    { tabindex: "-1" },
    h("span.turn", number(hop.turn)),
    h(
      "div.hop-main",
      h(
        "p.hop-head",
        agentTag(hop.agent),
        said(hop.action, "code.action"),
        badge(hop.success ? "is-success" : "is-failed", t(hop.success ? "hop.success" : "hop.failure")),
        hop.answers_task && badge("is-verified", t("hop.answersTask")),
      ),
      h(
        "p.hop-answer",
        h("span.muted", "→ "),
        hop.extracted_answer ? said(hop.extracted_answer, "b") : h("span.muted", t("hop.noAnswer")),
        bridgeOf(hop),
      ),
      unfolding(t("hop.more"), () => h("div", details, rawText(hop.observation))),
    ),
  );
  hopRows.set(hop.id, row);
  return row;
}

function hopsPart() {
  if (!HOPS.length) return part("hops", 0, empty(t("hops.none")));
  return part("hops", HOPS.length, lanes(), h("ol.hops", HOPS.map(hopRow)));
}
