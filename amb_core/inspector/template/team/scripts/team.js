// What the page is given, sorted by kind, and the pieces that several sections share.

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
const badge = (kind, label) => h(`span.badge.${kind}`, label);
const empty = (text) => h("p.empty", text);
const pair = (term, ...value) => [h("dt", term), h("dd", ...value)];
const confidence = (value) => h("span.muted.sure", t("confidence", { share: share(value) }));

/** The name of an agent behind a dot in its colour; one that is not in the team has none. */
function agentTag(name) {
  const at = TEAM.agents.indexOf(name);
  return h("span.agent", h(`span.dot.series-${at < 0 ? SERIES : at % SERIES}`, { "aria-hidden": "true" }), said(name));
}

/** A part of the page with a heading that the navigation leads to. */
function part(name, count, ...content) {
  return h(
    "section.block.part",
    { "aria-labelledby": `part-${name}` },
    h(
      "h2",
      { id: `part-${name}`, tabindex: "-1" },
      t(`part.${name}`),
      count !== null && h("span.muted", number(count)),
    ),
    ...content,
  );
}

/** The head of a column of numbers. */
const numeric = (key) => h("th.num", { scope: "col" }, t(key));

const table = (label, heads, rows) =>
  h(
    "div.table-wrap",
    { role: "region", "aria-label": label, tabindex: "0" },
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          heads.map((head) => (head instanceof Node ? head : h("th", { scope: "col" }, head))),
        ),
      ),
      h("tbody", rows),
    ),
  );

/** Text that is shown when asked for; long ones are not in the document before. */
function unfolding(label, content) {
  const box = h("details.unfold", h("summary", label));
  box.addEventListener("toggle", () => {
    if (box.open && box.childElementCount === 1) box.append(content());
  });
  return box;
}

const rawText = (text) => h("div.raw", { tabindex: "0", role: "group" }, said(text, "div.raw-text"));

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
