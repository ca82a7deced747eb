// One statement as fields, and back again.

import { choice, field, h, inEvery, named, t } from "./dom.js";

export const KINDS = ["entity", "relation", "status", "hook", "plan", "lore"];
const ENTITY_KINDS = ["character", "location", "item", "faction", "ability", "hook", "thing"];
const PLAN_KINDS = ["general_outline", "long_outline", "short_outline", "step"];
const PLAN_STATES = ["Pending", "InProgress", "Completed"];
export const RELATIONS = (
  "IS_AT LOCATED_IN FOUND_IN OWNS MEMBER_OF LEADS HAS_ABILITY LEARNT MARRIED_TO PARENT_OF CHILD_OF SIBLING_OF " +
  "ALLY_OF ENEMY_OF LOVES HATES KNOWS"
).split(" ");

/** Which kind a statement is is told by its first field. */
const kindOf = (statement) =>
  [["entity", "entity"], ["subject", "relation"], ["hook", "hook"], ["plan", "plan"], ["lore", "lore"], ["status", "status"]].find(
    ([name]) => name in statement,
  )?.[1] ?? "json";

export const rowOf = (row) => ({
  kind: kindOf(row.statement),
  statement: row.statement,
  evidence: row.evidence || row.statement.evidence || "",
  confidence: row.confidence,
  new: row.new,
  clashes: row.clashes,
  dirty: false,
  dropped: false,
});

const BLANK = {
  entity: { entity: "", kind: "character" },
  relation: { subject: "", relation: "IS_AT", object: "" },
  status: { status: { of: "", is: "" } },
  hook: { hook: "", status: "Unresolved" },
  plan: { plan: "", kind: "step" },
  lore: { lore: "", text: "" },
};
export const blankRow = (kind) => ({
  ...rowOf({ statement: structuredClone(BLANK[kind]), evidence: "", confidence: 1, new: [], clashes: [] }),
  dirty: true,
});

/** What a place to fill in asks for: the words before its field, the field, and the statement with a value in it. */
export function placeOf({ statement, holds, evidence }) {
  const told = structuredClone(statement);
  const kind = statement.relation ?? Object.keys(statement)[0];
  const names = { status: statement.status?.of, IS_AT: statement.subject, OWNS: statement.object, hook: statement.hook, entity: statement.entity, plan: statement.title };
  const choices = { plan: options("status", PLAN_STATES), hook: options("hook", ["Unresolved", "Resolved"]), entity: options("kind", ENTITY_KINDS) }[kind];
  const control = choices ? choice([["", "–"], ...choices], "") : line("", { placeholder: holds, ...(kind === "status" ? {} : { list: "names" }) });
  const filled = (value) => {
    if (kind === "status") told.status.is = value;
    else told[{ IS_AT: "object", OWNS: "subject", hook: "status", entity: "kind", plan: "status" }[kind]] = value;
    return rowOf({ statement: told, evidence, confidence: 1, new: [], clashes: [] });
  };
  return { label: t(`place.${kind}`, { name: names[kind] }), control, filled, evidence };
}

// --- fields --------------------------------------------------------------------------------------------------------

/** The fields of a row; `row.read` tells what stands in them as a statement. */
export function rowFields(row, edited) {
  row.read = null;
  const given = row.dirty && row.typed ? row.typed : row.statement;
  const controls = CONTROLS[row.kind](given);
  const read = () => {
    row.typed = READERS[row.kind](controls);
    edited();
  };
  for (const [, control] of Object.values(controls)) control.addEventListener("input", read);
  if (row.dirty && !row.typed) row.typed = READERS[row.kind](controls);
  return h("div.fields", Object.values(controls).map(([label, control]) => field(label, control, { class: sizeOf(control) })));
}

/** The statement of a row: as it came while nobody touched it, so that it keeps what it was read off. */
export function readRow(row) {
  if (!row.dirty) return row.statement;
  return row.kind !== "json" && quoteHolds(row) ? { ...row.typed, evidence: row.evidence } : row.typed;
}

/** Whether the words a row was read off still say it: what was corrected stands in them, or is only its kind. */
function quoteHolds(row) {
  if (!row.evidence) return false;
  const before = new Set(valuesOf(row.statement));
  return valuesOf(row.typed).every((value) => before.has(value) || row.evidence.includes(value));
}

const valuesOf = ({ kind, relation, evidence, ...rest }) => leaves(rest);
const leaves = (value) => (value !== null && typeof value === "object" ? Object.values(value).flatMap(leaves) : [String(value)]);

const sizeOf = (control) => (control.tagName === "TEXTAREA" ? "field wide" : control.type === "checkbox" ? "field check" : "field");
const line = (value, given = {}) => h("input", { value: value ?? "", maxlength: "400", dir: "auto", autocomplete: "off", ...given });
const lines = (value, least = 1) => h("textarea", { rows: String(Math.min(8, Math.max(least, (value ?? "").split("\n").length))), value: value ?? "", dir: "auto" });
const options = (group, names) => names.map((name) => [name, t(`${group}.${name}`)]);

const CONTROLS = {
  entity: (s) => ({
    entity: [t("f.name"), line(s.entity)],
    kind: [t("f.kind"), choice(options("kind", ENTITY_KINDS), s.kind)],
    aliases: [t("f.aliases"), line((s.aliases ?? []).join("; "))],
    properties: [t("f.properties"), lines(written(s.properties ?? {}))],
    time: [t("f.time"), line(s.time, { maxlength: "120" })],
  }),
  relation: (s) => ({
    subject: [t("f.subject"), line(s.subject, { list: "names" })],
    relation: [t("f.relation"), line(named("relation", s.relation ?? ""), { list: "relations" })],
    object: [t("f.object"), line(s.object, { list: "names" })],
    until: [t("f.until"), h("input", { type: "checkbox", checked: s.until === true })],
    properties: [t("f.properties"), lines(written(s.properties ?? {}))],
    time: [t("f.time"), line(s.time, { maxlength: "120" })],
  }),
  status: (s) => ({
    of: [t("f.of"), line(s.status?.of, { list: "names" })],
    is: [t("f.is"), line(s.status?.is)],
    until: [t("f.until"), h("input", { type: "checkbox", checked: s.until === true })],
    time: [t("f.time"), line(s.time, { maxlength: "120" })],
  }),
  hook: (s) => ({
    hook: [t("f.hook"), line(s.hook)],
    status: [t("f.status"), choice(options("hook", ["Unresolved", "Resolved"]), s.status)],
    text: [t("f.text"), lines(s.text)],
    time: [t("f.time"), line(s.time, { maxlength: "120" })],
  }),
  plan: (s) => ({
    plan: [t("f.plan"), line(s.plan, { list: "plan-parts" })],
    kind: [t("f.kind"), choice([["", "–"], ...options("plan", PLAN_KINDS)], s.kind ?? "")],
    title: [t("f.title"), line(s.title)],
    status: [t("f.status"), choice([["", "–"], ...options("status", PLAN_STATES)], s.status ?? "")],
    within: [t("f.within"), line(s.within, { list: "plan-parts" })],
    after: [t("f.after"), line(s.after, { list: "plan-parts" })],
    storyline: [t("f.storyline"), line(s.storyline)],
    text: [t("f.text"), lines(s.text)],
  }),
  lore: (s) => ({
    lore: [t("f.key"), line(s.lore)],
    kind: [t("f.kind"), line(s.kind ?? "setting")],
    text: [t("f.text"), lines(s.text, 2)],
  }),
  json: (s) => ({ json: [t("f.json"), lines(JSON.stringify(s), 3)] }),
};

const value = ([, control]) => control.value.trim();
const filledIn = (statement) => Object.fromEntries(Object.entries(statement).filter(([, told]) => told !== "" && told !== null));

const READERS = {
  entity: (c) => ({
    entity: value(c.entity),
    kind: value(c.kind),
    aliases: value(c.aliases).split(/[;；]/).map((each) => each.trim()).filter(Boolean),
    properties: read(value(c.properties)),
    time: value(c.time),
  }),
  relation: (c) => ({
    subject: value(c.subject),
    relation: relationOf(value(c.relation)),
    object: value(c.object),
    until: c.until[1].checked,
    properties: read(value(c.properties)),
    time: value(c.time),
  }),
  status: (c) => ({ status: { of: value(c.of), is: value(c.is) }, until: c.until[1].checked, time: value(c.time) }),
  hook: (c) => ({ hook: value(c.hook), status: value(c.status), text: value(c.text), time: value(c.time) }),
  plan: (c) => ({ plan: value(c.plan), ...filledIn(Object.fromEntries(Object.keys(c).filter((name) => name !== "plan").map((name) => [name, value(c[name])]))) }),
  lore: (c) => ({ lore: value(c.lore), kind: value(c.kind) || "setting", text: value(c.text) }),
  json: (c) => {
    try {
      const told = JSON.parse(value(c.json));
      return told !== null && typeof told === "object" && !Array.isArray(told) ? told : { statement: told };
    } catch {
      return { statement: value(c.json) };
    }
  },
};

/** A relation in our own words, or as one writes it, becomes its name: "is at" and 位于 are IS_AT. */
function relationOf(text) {
  const known = RELATIONS.find((name) => inEvery(`relation.${name}`).some((word) => word.toLowerCase() === text.toLowerCase()));
  return known ?? text.toUpperCase().replace(/[\s-]+/g, "_");
}

// --- properties: one a line, `name: value` --------------------------------------------------------------------------

const written = (properties) =>
  Object.entries(properties)
    .map(([name, told]) => `${name}: ${typeof told === "string" && !isOther(told) ? told : JSON.stringify(told)}`)
    .join("\n");

/** Whether a text would be read as something else than a text. */
const isOther = (text) => /^[[{"]/.test(text) || ["true", "false", "null"].includes(text) || String(Number(text)) === text;

const read = (text) =>
  Object.fromEntries(
    text
      .split("\n")
      .map((each) => each.match(/^\s*(.+?)\s*[:：=]\s*(.*)$/))
      .filter(Boolean)
      .map(([, name, told]) => [name, valueOf(told.trim())]),
  );

function valueOf(told) {
  if (!isOther(told)) return told;
  try {
    return JSON.parse(told);
  } catch {
    return told;
  }
}
