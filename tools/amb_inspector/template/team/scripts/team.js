// What the page is given, sorted by kind, and the pieces that several sections share.

const PARTS = { hops: hopsPart, facts: factsPart, searches: searchesPart, messages: messagesPart, agents: agentsPart, levels: levelsPart, learnt: learntPart };
const TEAM = DATA.team;
const notesOf = (agent) => (Object.hasOwn(TEAM.private, agent) ? TEAM.private[agent] : []);
const OF_AGENTS = Object.fromEntries(TEAM.agents.map((agent) => [agent, notesOf(agent)]));
// The export of one agent's notes has them where the team's records stand otherwise.
const ONLY = TEAM.scope.startsWith("private.") ? TEAM.scope.slice("private.".length) : null;
if (ONLY !== null && Object.hasOwn(OF_AGENTS, ONLY)) OF_AGENTS[ONLY] = TEAM.records;
const SHARED = ONLY === null ? TEAM.records : [];

const ofKind = (records, kind) => records.filter((record) => record.kind === kind);
const HOPS = ofKind(SHARED, "hop");
const FACTS = ofKind(SHARED, "fact");
const SEARCHES = ofKind(SHARED, "search");
const MESSAGES = [...ofKind(SHARED, "interaction"), ...ofKind(SHARED, "collaboration")].sort((a, b) => a.turn - b.turn);
const PROMOTED = ofKind(SHARED, "promotion");
const HELD_BACK = ofKind(SHARED, "quarantine");
const BY_ID = new Map([...SHARED, ...Object.values(OF_AGENTS).flat()].map((record) => [record.id, record]));

// --- pieces ----------------------------------------------------------------------------------------------------------

const SERIES = 8;
const confidence = (value) => h("span.muted.sure", t("confidence", { share: share(value) }));

/** The name of an agent behind a dot in its colour; one that is not in the team has none. */
function agentTag(name) {
  const at = TEAM.agents.indexOf(name);
  return h("span.agent", h(`span.dot.series-${at < 0 ? SERIES : at % SERIES}`, { "aria-hidden": "true" }), said(name));
}

/** Where something came from: a hop as a button that leads to it, anything else as text. */
function origin(id) {
  const known = BY_ID.get(id);
  if (!known) return said(id);
  if (known.kind !== "hop") return said(id, "code");
  return button(t("hop.turn", { n: number(known.turn) }), () => showHop(id), { class: "chip node", title: known.action });
}

/** What a record says in one line. */
function toldBy(record) {
  const first = ["content", "text", "conclusion", "description", "message", "query", "action"].find((key) => record[key]);
  return first ? record[first] : record.id;
}
