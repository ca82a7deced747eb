// The agents side by side, each with its private notes.

/** One group of notes; nothing where there are none. */
function notes(name, records, line) {
  if (!records.length) return null;
  return h(
    "section.notes",
    h("h4", t(`notes.${name}`), h("span.muted", number(records.length))),
    h("ul", records.map((record) => h("li", line(record)))),
  );
}

const listed = (name, values) =>
  values.length > 0 && h("p.muted.reasons", `${t(name)}: `, values.map((each, at) => [at > 0 && "; ", said(each)]));

function hypothesis(note) {
  return [
    said(note.content, "b"),
    " ",
    note.verified ? badge("is-verified", t("note.verified")) : confidence(note.confidence),
    listed("note.pros", note.pros),
    listed("note.cons", note.cons),
    listed("note.risks", note.risks),
  ];
}

function evidence(note) {
  const supported = note.supports ? BY_ID.get(note.supports) : null;
  return [
    said(note.content),
    h("p.muted.reasons", said(note.source), ` · ${t("note.relevance", { share: share(note.relevance) })}`),
    supported && h("p.muted.reasons", `${t("note.supports")}: `, said(toldBy(supported))),
  ];
}

const reasoning = (note) => [said(note.premise), h("span.muted", " → "), said(note.conclusion, "b"), " ", confidence(note.confidence)];
const planned = (note) => [said(note.description), " ", badge(`plan-${note.status}`, t(`plan.${note.status}`))];
const plainNote = (note) => [said(note.content)];

function peer(note) {
  return [
    agentTag(note.peer),
    " ",
    note.status && badge(note.status === "stuck" ? "is-open" : "is-normal", t(`peer.${note.status}`)),
    note.interactions > 0 &&
      h("p.muted.reasons", plural("peer.helped", note.interactions, { share: share(note.success_rate) })),
    note.expertise.length > 0 && listed("peer.expertise", note.expertise),
  ];
}

const heard = (note) => [h("span.muted", `${t("hop.turn", { n: number(note.turn) })} · `), agentTag(note.to), " ", said(note.message)];
const cached = (note) => [unfolding(said(note.query), () => rawText(note.result))];

const NOTES = [
  ["hypothesis", "hypotheses", hypothesis],
  ["evidence", "evidence", evidence],
  ["reasoning", "reasoning", reasoning],
  ["plan", "plan", planned],
  ["challenge", "challenges", plainNote],
  ["observation", "observations", plainNote],
  ["peer", "peers", peer],
  ["interaction", "messages", heard],
  ["search", "cached", cached],
];

/** What the model wrote may be long: it is shown when asked for. */
function outputs(records) {
  if (!records.length) return null;
  return unfolding(plural("notes.outputs", records.length), () =>
    h("ul.outputs", records.map((note) => h("li", h("p.muted", t("hop.turn", { n: number(note.turn) })), rawText(note.content)))),
  );
}

function agentCard(name) {
  const records = OF_AGENTS[name];
  const hops = HOPS.filter((hop) => hop.agent === name);
  return h(
    "article.agent-card",
    h("h3", agentTag(name)),
    h(
      "p.muted",
      plural("agent.hops", hops.length),
      " · ",
      plural("agent.answered", TEAM.answered.filter((each) => each.agent === name).length),
    ),
    NOTES.map(([kind, heading, line]) => notes(heading, ofKind(records, kind), line)),
    outputs(ofKind(records, "output")),
    !records.length && empty(t(TEAM.holds_private_notes ? "agent.none" : "agent.notIncluded")),
  );
}

function agentsPart() {
  return part(
    "agents",
    TEAM.agents.length,
    !TEAM.holds_private_notes && h("p.note", t("agents.shared")),
    h("div.agent-cards", TEAM.agents.map(agentCard)),
  );
}
