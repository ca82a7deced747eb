// A draft against the facts: what contradicts them is marked in the draft, with the evidence beside it.

import { button, byId, h, heard, named, said, t, trouble, visible } from "./dom.js";
import { asked } from "./book_state.js";
import { tell } from "./net.js";
import { redraw } from "./tabs.js";

const kept = { text: sessionStorage.getItem("amb-draft") ?? "", told: null };

export async function drawCheck() {
  return [
    h("h2", t("tab.check")),
    h("form.search", { submit: check },
      h("label", { for: "draft" }, t("check.draft")),
      h("textarea", { id: "draft", rows: "8", dir: "auto", value: kept.text, "data-key": "draft", input: (event) => keep(event.target.value) }),
      h("button.main", { "data-key": "check" }, t("check.do")),
    ),
    kept.told && result(kept.told),
  ];
}

function keep(text) {
  kept.text = text;
  try {
    sessionStorage.setItem("amb-draft", text);
  } catch {
    sessionStorage.removeItem("amb-draft"); // more than a browser keeps; it stays in the box
  }
}

async function check(event) {
  event.preventDefault();
  if (!byId("draft").value.trim()) return;
  try {
    kept.told = await tell("/api/check", { draft: byId("draft").value, ...asked() });
    trouble("");
  } catch (error) {
    trouble(error.message);
    return;
  }
  const count = kept.told.findings.length;
  heard(count ? t("check.found", { n: count }) : t("check.clean"));
  await redraw();
  byId("check-result")?.focus();
}

const result = ({ draft, findings, problem }) =>
  h(
    "section",
    { "aria-labelledby": "check-result" },
    h("h3", { id: "check-result", tabindex: "-1" }, findings.length ? t("check.found", { n: findings.length }) : t("check.clean")),
    problem && h("p.note", { role: "status" }, t("check.without"), " ", said(problem)),
    h("ol.findings", findings.map(finding)),
    findings.length > 0 && [h("h3", t("check.marked")), h("p.draft", { dir: "auto" }, marked(draft, findings))],
  );

const finding = (each, place) =>
  h(
    "li.card",
    h("h4", h("span.badge.is-Unresolved", named("finding", each.kind)), " ", said(each.entities.join(", "))),
    said(each.message, "p"),
    h("blockquote", { dir: "auto" }, each.sentence),
    h("p.muted", t("check.evidence")),
    h("ul", each.evidence.map((one) => h("li", `${one.chapter !== null ? t("check.chapter", { n: one.chapter }) : t(`check.${one.kind}`)} `, said(one.fact), one.source && h("blockquote", { dir: "auto" }, one.source)))),
    button(t("check.go"), () => go(place), { class: "quiet", "aria-label": t("check.go.of", { n: place + 1 }) }),
  );

function go(place) {
  const mark = byId(`mark-${place}`);
  mark.scrollIntoView({ block: "center" });
  mark.focus();
}

/** The draft with its findings marked; one that begins within another is part of its mark. */
function marked(draft, findings) {
  const out = document.createDocumentFragment();
  let at = 0;
  findings.forEach((each, place) => {
    const start = Math.max(at, each.start);
    out.append(visible(draft.slice(at, start)));
    const end = Math.max(start, each.end);
    out.append(h("mark", { id: `mark-${place}`, tabindex: "-1", title: each.message }, draft.slice(start, end), h("sup", String(place + 1))));
    at = end;
  });
  out.append(visible(draft.slice(at)));
  return out;
}
