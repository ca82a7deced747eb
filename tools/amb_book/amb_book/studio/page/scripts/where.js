// Where are we? The last settled chapter, and where every storyline stands; and the hooks that are open.

import { button, h, named, said, t } from "./dom.js";
import { asked } from "./book_state.js";
import { ask } from "./net.js";
import { showFacts } from "./facts.js";

export async function drawWhere() {
  const told = await ask("/api/position");
  return [
    h("h2", t("where.title")),
    told.chapter
      ? h("p.big", told.title ? [t("where.chapter", { n: told.chapter }), " ", said(told.title)] : t("where.chapter", { n: told.chapter }).replace(/[:：]$/, ""))
      : h("p.big", t("where.nothing")),
    told.storylines.length ? h("ul.storylines", told.storylines.map(storyline)) : h("p.muted", t("where.no.plan")),
    told.texts > 0 && h("p.muted", t("where.texts", { n: told.texts })),
  ];
}

const storyline = (line) =>
  h(
    "li.storyline",
    h("h3", said(line.storyline)),
    h("p", said(line.outline_title)),
    line.steps > 0 && [
      h("progress", { value: String(line.completed), max: String(line.steps), "aria-label": t("where.done", { done: line.completed, of: line.steps }) }),
      h("p.muted", t("where.done", { done: line.completed, of: line.steps })),
    ],
    line.step_title && h("p", h("span.badge.is-InProgress", t("where.now")), " ", said(line.step_title)),
    line.next_title && h("p", h("span.badge.is-Pending", t("where.next")), " ", said(line.next_title)),
  );

export async function drawHooks() {
  const { hooks } = await ask("/api/hooks", asked());
  const order = [...hooks].sort((a, b) => (a.status === "Resolved") - (b.status === "Resolved") || a.laid - b.laid);
  return [
    h("h2", t("tab.hooks")),
    hooks.length ? h("p.muted", t("hooks.count", { open: hooks.filter((each) => each.status !== "Resolved").length, n: hooks.length })) : h("p.muted", t("hooks.none")),
    h("ul.hooks", order.map(hook)),
  ];
}

const hook = (each) =>
  h(
    "li.card",
    h("h3", button(said(each.name), () => showFacts(each.name), { class: "link" }), " ", h("span.badge", { class: `badge is-${each.status}` }, named("hook", each.status))),
    each.text && said(each.text, "p"),
    h("p.muted", t("hooks.laid", { n: each.laid }), each.resolved ? `; ${t("hooks.resolved", { n: each.resolved })}` : ""),
  );
