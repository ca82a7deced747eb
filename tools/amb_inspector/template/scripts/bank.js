// The bank as the views ask about it: look-ups by id, and what existed as of a turn.

const BANK = DATA.bank;
const INJECTIONS = BANK.injections;
// The steps of the slider: the logged requests or, in a bank that has none, the entries as they came in.
const MOMENTS = INJECTIONS.length ? INJECTIONS : BANK.entries;
const LAST_STEP = MOMENTS.length;
const STATUSES = ["open", "verifying", "unresolved", "resolved"];

const counted = (items, test) => items.filter(test).length;
const byId = (records, key) => new Map(records.map((record) => [record[key], record]));
const grouped = (pairs) => {
  const groups = new Map();
  for (const [key, value] of pairs) groups.has(key) ? groups.get(key).push(value) : groups.set(key, [value]);
  return groups;
};

const ENTRIES = byId(BANK.entries, "entry_id");
const DIGESTIONS = byId(BANK.digestions, "entry_id");
const CONFLICTS = byId(BANK.conflicts, "id");
const MERGES = byId(BANK.merges, "event_id");
const ARCHIVED = new Map(BANK.archive.map((kept) => [kept.node.id, kept]));
const NODES = new Map([
  ...BANK.archive.map((kept) => [kept.node.id, kept.node]),
  ...BANK.nodes.map((node) => [node.id, node]),
]);
const LIVE = new Set(BANK.nodes.map((node) => node.id));
const LINKS = allLinks();
const LINKS_OF = grouped(
  LINKS.flatMap((link) => [
    [link.a, link],
    [link.b, link],
  ]),
);
const CONFLICTS_OF = grouped(BANK.conflicts.flatMap((conflict) => conflict.node_ids.map((id) => [id, conflict])));
// The contradictions as they are and, because a merge moves them on, with the sides they had before.
const DISPUTES = [...BANK.conflicts, ...BANK.merges.flatMap((event) => event.conflicts_before)].filter((one) =>
  CONFLICTS.has(one.id),
);
const DISPUTES_OF = grouped(DISPUTES.flatMap((one) => one.node_ids.map((id) => [id, CONFLICTS.get(one.id)])));
const MERGES_INTO = grouped(BANK.merges.filter((event) => !event.undone).map((event) => [event.new_node_id, event]));
const TURNS_OF = grouped(
  INJECTIONS.flatMap((turn, step) => turn.receipts.map((receipt) => [receipt.node_id, { step, receipt }])),
);
const SPANS_IN = grouped(
  [...NODES.values()].flatMap((node) => node.sources.map((span) => [span.entry_id, { ...span, node: node.id }])),
);

/** Live links, and those that went with merged-away nodes; each pair once. */
function allLinks() {
  const found = new Map();
  for (const link of [...BANK.links, ...BANK.archive.flatMap((kept) => kept.links)]) {
    const key = JSON.stringify(link.a <= link.b ? [link.a, link.b] : [link.b, link.a]);
    if (!found.has(key) && NODES.has(link.a) && NODES.has(link.b) && link.a !== link.b) found.set(key, link);
  }
  return [...found.values()];
}

// --- time ----------------------------------------------------------------------------------------------------------

const time = (record) => record.timestamp ?? 0;
const START = [...BANK.entries, ...NODES.values(), ...INJECTIONS].reduce(
  (first, one) => Math.min(first, time(one)),
  Infinity,
);

/** Until when a step saw the bank; clocks may go back, so a step sees at least what the one before it saw. */
const CUTS = [];
for (const moment of MOMENTS) CUTS.push(Math.max(CUTS.at(-1) ?? -Infinity, time(moment)));
const cutOf = (step) => (step < 0 ? -Infinity : step < LAST_STEP ? CUTS[step] : Infinity);

/** The event that merged a node away, if one did and was not undone. */
const endedBy = (id) => (LIVE.has(id) || !ARCHIVED.has(id) ? undefined : MERGES.get(ARCHIVED.get(id).event_id));

/** Whether a node was part of the graph as of a step. */
function aliveAt(id, step) {
  const cut = cutOf(step);
  if (time(NODES.get(id)) > cut) return false;
  if (LIVE.has(id)) return true;
  const event = endedBy(id);
  return event !== undefined && time(event) > cut;
}

/** The first step that saw the moment, LAST_STEP when none did. */
function stepOf(moment) {
  const step = CUTS.findIndex((cut) => moment <= cut);
  return step < 0 ? LAST_STEP : step;
}

/** A conflict as it was recorded before the first merge that a step had not yet seen. */
function conflictAt(conflict, step) {
  const cut = cutOf(step);
  const later = BANK.merges.filter((event) => !event.undone && time(event) > cut);
  return later.flatMap((event) => event.conflicts_before).find((before) => before.id === conflict.id) ?? conflict;
}

/** A conflict's status as of a step; null before it was found. */
function statusAt(conflict, step) {
  const then = conflictAt(conflict, step);
  const cut = cutOf(step);
  const known = then.node_ids.every((id) => NODES.has(id) && time(NODES.get(id)) <= cut);
  if (!known || (then.found_at ?? 0) > cut) return null;
  return (then.settled_at ?? -Infinity) > cut ? "open" : then.status;
}

/** Whether a node is a side of a contradiction that is not settled as of a step. */
const disputedAt = (id, step) =>
  DISPUTES_OF.get(id)?.some((one) => isOpen(statusAt(one, step)) && conflictAt(one, step).node_ids.includes(id)) ??
  false;

const isOpen = (status) => status === "open" || status === "verifying" || status === "unresolved";
const isNew = (moment, step) => moment <= cutOf(step) && moment > cutOf(step - 1);

/** What came in between a step and the one before it. */
function changesAt(step) {
  const during = (records) => records.filter((record) => isNew(time(record), step));
  return {
    entries: during(BANK.entries),
    nodes: during([...NODES.values()]),
    conflicts: BANK.conflicts.filter((one) => statusAt(one, step) && !statusAt(one, step - 1)),
    merges: during(BANK.merges),
  };
}

/** A request by the step that it led to, else by the one before it: what the agent calls them, in one count. */
function stepName(step) {
  if (step >= LAST_STEP) return t("turn.now");
  const next = (FOLLOWING[step] ?? []).find(isStep);
  if (next) return t("turn.before", { step: stepLabel(next.entry_id) });
  const last = INJECTIONS.length ? BANK.entries.findLast((entry) => isStep(entry) && time(entry) < CUTS[step]) : MOMENTS[step];
  return last ? t("turn.after", { step: stepLabel(last.entry_id) }) : t("turn.first");
}

// --- words about records -------------------------------------------------------------------------------------------

/** Where an entry came from: its source, else its tool. */
const meta = (entry, key) => {
  const value = entry?.metadata[key];
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
};
const sourceOf = (entry) => meta(entry, "source") || meta(entry, "tool") || t("entry.unknown");
/** Whether a call stands for the source of its result, for want of a better one. */
const isCall = (entry) => Boolean(meta(entry, "tool")) && meta(entry, "source").startsWith(`${meta(entry, "tool")}(`);
const nodeSource = (node) =>
  node.sources.length ? sourceOf(ENTRIES.get(node.sources.at(-1).entry_id)) : t("entry.unknown");
const nodeTitle = (node) => node.context || node.summary || node.id;

/** The beginnings of a topic that end at a heading's mark: "Report: ", "Report: Storage › ". */
const headings = (title) => [...title.matchAll(/: | › |：/g)].map((mark) => title.slice(0, mark.index + mark[0].length));
const HEADED = grouped([...NODES.values()].flatMap((node) => headings(nodeTitle(node)).map((head) => [head, node.id])));

/** A node's topic without the heading it shares with others, for places that have room for a few words. */
function shortTitle(node) {
  const title = nodeTitle(node);
  const shared = headings(title).findLast((head) => HEADED.get(head).length > 1 && title.length - head.length > 2);
  return shared ? `… ${title.slice(shared.length)}` : title;
}
const callText = (entry) =>
  meta(entry, "tool") ? `${meta(entry, "tool")}(${callArguments(entry)})` : meta(entry, "kind");
const callArguments = (entry) =>
  Object.entries(entry.metadata.arguments ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ");

/** Whether an entry is a result; the others are what was said, which counts as no step. */
const isStep = (entry) => /^e\d+$/.test(entry.entry_id);

/** The number under which blocks and agents know an entry: "step 12". */
const stepLabel = (id) =>
  /^e\d+$/.test(id) ? t("step.n", { n: id.slice(1) }) : /^w\d+$/.test(id) ? t("step.said") : plain(id);

/** The entries that came in between a request and the next one: what the agent did then. */
const FOLLOWING = INJECTIONS.map((_, step) => {
  const until = CUTS[step + 1] ?? Infinity;
  return BANK.entries.filter((entry) => time(entry) >= CUTS[step] && time(entry) < until);
});

// --- search --------------------------------------------------------------------------------------------------------

const SEARCHED = {
  node: [NODES, (node) => [node.id, node.context, node.keywords.join(" "), node.summary]],
  entry: [ENTRIES, (entry) => [entry.entry_id, JSON.stringify(entry.metadata), entry.text]],
  conflict: [CONFLICTS, (conflict) => [conflict.id, conflict.subject, conflict.description, conflict.values.join(" ")]],
};
const haystacks = {};

/** What is searched, in lower case; made when the first search comes, because raw texts can be large. */
function haystack(kind) {
  const [records, parts] = SEARCHED[kind];
  return (haystacks[kind] ??= [...records].map(([id, record]) => [id, parts(record).join("\n").toLowerCase()]));
}

/** Ids of one kind that contain every word of the query; an exact id comes first. */
function matches(kind, query) {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!terms.length) return [...SEARCHED[kind][0].keys()];
  const holds = ([, text]) => terms.every((term) => text.includes(term));
  const found = haystack(kind)
    .filter(holds)
    .map(([id]) => id);
  const exact = found.indexOf(query.trim());
  return exact > 0 ? [found[exact], ...found.slice(0, exact), ...found.slice(exact + 1)] : found;
}
