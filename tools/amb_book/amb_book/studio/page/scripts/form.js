// What a task would settle, as a form: rows to correct, drop and add; contradictions shown; confirmed or discarded.

import { button, byId, field, h, heard, language, refill, said, t, trouble } from "./dom.js";
import { act, changed, state } from "./book_state.js";
import { tell } from "./net.js";
import { KINDS, blankRow, placeOf, readRow, rowFields, rowOf } from "./rows.js";

const SAVE_AFTER = 600;

const forms = new WeakMap();
const shown = () => forms.get(byId("proposal") ?? document);

/** Keep what was corrected a moment ago. */
export async function flush({ keepalive = false } = {}) {
  const form = shown();
  if (form?.waiting) await save(form, keepalive);
}
addEventListener("pagehide", () => flush({ keepalive: true }));

export function proposalForm(proposal) {
  const form = { proposal, revision: proposal.revision, rows: proposal.rows.map(rowOf), timer: 0, waiting: false };
  const list = h("ol.rows");
  const chapter = h("input", { type: "number", min: "1", step: "1", value: String(proposal.chapter), required: true, input: () => edited(form), id: "settle-chapter" });
  const title = h("input", { value: proposal.chapter_title ?? "", maxlength: "200", id: "settle-title" });
  const holds = h("input", { type: "checkbox", id: "settle-replace" });
  const text = h("textarea", { id: "settle-text", rows: "8", maxlength: "400000", dir: "auto", value: proposal.text, input: () => edited(form) });
  Object.assign(form, { list, chapter, title, text, holds, holdsField: h("label.check", { hidden: true }, holds, " ", t("settle.replace")) });
  form.remark = h("p.remark", { role: "status" });
  const section = h(
    "section",
    { id: "proposal", class: "proposal", "aria-labelledby": "proposal-title", "data-proposal": `${proposal.id} ${language()}` },
    h("h2", { id: "proposal-title", tabindex: "-1" }, t("settle.title", { turns: proposal.turns })),
    h("p.muted", t(proposal.rows.length ? "settle.intro" : "settle.empty")),
    proposal.note && said(proposal.note, "p.note"),
    h("div.beside.settle-where", field(t("settle.chapter"), chapter), field(t("settle.chapter.title"), title)),
    archived(form),
    list,
    places(form),
    adding(form),
    form.remark,
    form.holdsField,
    h(
      "div.beside.decide",
      button(t("settle.confirm"), () => confirm(form), { class: "main", id: "settle-confirm" }),
      button(t("settle.discard"), () => discard(form), { class: "second", id: "settle-discard" }),
    ),
  );
  drawRows(form);
  forms.set(section, form);
  return section;
}

/** The text of the chapter, which goes to the archive with what is settled; empty, none does. */
function archived({ proposal, text }) {
  if (!proposal.text && state.task?.kind !== "chapter") return false;
  const told = proposal.there ? t("settle.text.there", { n: proposal.there }) : t("settle.text.intro");
  return h(
    "details",
    { id: "settle-archive", open: Boolean(proposal.text) },
    h("summary", t("settle.text", { n: proposal.text.length })),
    h("p.muted", told),
    field(t("settle.text.field"), text, { class: "field wide" }),
  );
}

/** Whom the talk names and nobody said anything of: a value makes a row of the place. */
function places(form) {
  const open = form.proposal.form.map(placeOf);
  return (
    open.length > 0 &&
    h(
      "fieldset.places",
      { id: "places" },
      h("legend", t("places.title")),
      h("p.muted", t("places.intro")),
      open.map(({ label, control, filled, evidence }) => {
        const item = h("div.place", field(label, control), evidence && h("blockquote", { dir: "auto" }, evidence));
        control.addEventListener("change", () => {
          if (!control.value.trim()) return;
          form.rows.push(filled(control.value.trim()));
          item.remove();
          drawRows(form);
          edited(form);
          heard(t("places.filled", { n: form.rows.length }));
        });
        return item;
      }),
    )
  );
}

function adding(form) {
  const kinds = h("select", { id: "add-kind", "aria-label": t("row.kind") }, KINDS.map((kind) => h("option", { value: kind }, t(`row.${kind}`))));
  const add = button(t("row.add"), () => {
    form.rows.push(blankRow(kinds.value));
    drawRows(form);
    form.list.lastElementChild.querySelector("input, select, textarea")?.focus();
  }, { class: "second", id: "add-row" });
  return h("div.beside.adding", kinds, add);
}

// --- rows ----------------------------------------------------------------------------------------------------------

function drawRows(form) {
  refill(form.list, form.rows.map((row, place) => rowItem(form, row, place)));
  judge(form);
}

function rowItem(form, row, place) {
  const n = place + 1;
  row.remarks = h("ul.remarks");
  const drop = button(t(row.dropped ? "row.back" : "row.drop"), () => {
    row.dropped = !row.dropped;
    drawRows(form);
    edited(form);
    heard(t(row.dropped ? "row.dropped" : "row.kept", { n }));
  }, { class: "quiet", "data-key": `drop-${place}`, "aria-label": t(row.dropped ? "row.back.of" : "row.drop.of", { n }) });
  const fields = rowFields(row, () => {
    row.dirty = true;
    edited(form);
  });
  return h(
    "li.row",
    { class: row.dropped ? "row is-dropped" : "row" },
    h(
      "fieldset",
      { disabled: row.dropped },
      h("legend", `${n}. ${t(`row.${row.kind}`)}`),
      fields,
      row.evidence && h("blockquote", { dir: "auto" }, row.evidence),
      row.confidence < 1 && h("p.muted.sure", t("row.sure", { share: Math.round(row.confidence * 100) })),
    ),
    row.remarks,
    drop,
  );
}

/** Show how every row stands to what is settled. */
function judge(form) {
  let contradictions = 0;
  for (const row of form.rows) {
    const clashes = row.dropped ? [] : row.clashes;
    contradictions += clashes.filter((each) => each.kind === "contradicts").length;
    refill(
      row.remarks,
      row.new.length > 0 && !row.dropped && h("li.is-new", t("clash.new"), " ", said(row.new.join(", "))),
      clashes.map((each) => h("li", { class: `is-${each.kind}` }, t(`clash.${each.kind}`), " ", said(each.text))),
    );
  }
  form.holdsField.hidden = contradictions === 0;
  if (!contradictions) form.holds.checked = false;
  form.remark.replaceChildren(contradictions ? t("settle.contradictions", { n: contradictions }) : "");
}

// --- keeping -------------------------------------------------------------------------------------------------------

function edited(form) {
  form.waiting = true;
  clearTimeout(form.timer);
  form.timer = setTimeout(() => save(form), SAVE_AFTER);
}

const told = (form) => {
  const rows = form.rows.filter((row) => !row.dropped);
  return { rows, body: { proposal: form.proposal.id, statements: rows.map(readRow), chapter: Number(form.chapter.value) || 0, text: form.text.value, revision: form.revision } };
};

/** What another window corrected is shown in place of what stands here. */
function showAnew(proposal) {
  byId("proposal")?.remove();
  state.proposal = proposal;
  changed("task");
  byId("proposal-title")?.focus();
}

/** Keep what was corrected in the book's file, so that nothing is lost, and show what it would do.
 *  One is kept after the other, so that the next has seen what became of the last. */
function save(form, keepalive = false) {
  clearTimeout(form.timer);
  form.waiting = false;
  const before = form.saving;
  form.saving = (async () => {
    if (!keepalive) await before;
    await kept(form, keepalive);
  })();
  return form.saving;
}

async function kept(form, keepalive) {
  const { rows, body } = told(form);
  try {
    const { reply } = await tell("/api/correct", keepalive ? { ...body, revision: null } : body, { keepalive });
    if (reply.error && reply.error.kind !== "contradiction") {
      if (reply.error.kind === "changed") showAnew(reply.proposal);
      trouble(reply.error.text);
      return;
    }
    trouble("");
    taken(form, rows, reply.proposal);
  } catch (error) {
    trouble(error.message);
  }
}

function taken(form, rows, proposal) {
  if (!proposal) return;
  form.revision = proposal.revision;
  if (proposal.rows.length !== rows.length) return;
  rows.forEach((row, place) => {
    row.clashes = proposal.rows[place].clashes;
    row.new = proposal.rows[place].new;
  });
  judge(form);
}

async function confirm(form) {
  clearTimeout(form.timer);
  form.waiting = false;
  await form.saving;
  const { rows, body } = told(form);
  const reply = await act("/api/confirm", { ...body, title: form.title.value.trim() || null, replace: form.holds.checked });
  if (!reply) return;
  heard(reply.text);
  if (reply.error) {
    if (reply.error.kind === "changed") showAnew(reply.proposal);
    else taken(form, rows, reply.proposal);
    trouble(reply.error.text);
    if (reply.error.kind !== "changed") byId("settle-confirm")?.focus();
  } else {
    byId("task-title").focus();
  }
}

async function discard(form) {
  clearTimeout(form.timer);
  form.waiting = false;
  const reply = await act("/api/discard", { proposal: form.proposal.id });
  if (!reply) return;
  heard(reply.text);
  if (reply.error) trouble(reply.error.text);
  byId("message").focus();
}

