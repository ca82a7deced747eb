// What holds of a name as of a chapter, and how it came to that.

import { button, byId, h, named, said, t } from "./dom.js";
import { asked, state } from "./book_state.js";
import { ask } from "./net.js";
import { open, redraw } from "./tabs.js";

let wanted = "";

/** Show the facts about a name. */
export function showFacts(name) {
  wanted = name;
  open("facts");
  byId("panel").focus();
}

export async function drawFacts() {
  const { entities, more } = await ask("/api/entities", asked());
  names(entities);
  return [h("h2", t("tab.facts")), search(), wanted ? await about() : list(entities, more)];
}

/** The names of the book, offered wherever one is asked for. */
export function names(entities) {
  byId("names").replaceChildren(...entities.flatMap((each) => [each.name, ...each.aliases]).map((name) => h("option", { value: name })));
}

const search = () =>
  h(
    "form.search",
    {
      submit: (event) => {
        event.preventDefault();
        wanted = byId("facts-name").value.trim();
        redraw();
      },
    },
    h("label", { for: "facts-name" }, t("facts.of")),
    h(
      "div.beside",
      h("input", { id: "facts-name", list: "names", value: wanted, autocomplete: "off", dir: "auto", maxlength: "400", "data-key": "facts-name" }),
      h("button.main", { "data-key": "facts-show" }, t("facts.show")),
      wanted && button(t("facts.all"), () => { wanted = ""; redraw(); }, { class: "quiet", "data-key": "facts-all" }),
    ),
  );

const list = (entities, more) => {
  if (!entities.length) return h("p.muted", t("facts.none"));
  const kinds = [...new Set(entities.map((each) => each.kind))];
  return [
    kinds.map((kind) => [
      h("h3", named("kind", kind)),
      h("ul.names", entities.filter((each) => each.kind === kind).map((each) => h("li", button(said(each.name), () => showFacts(each.name), { class: "chip" })))),
    ]),
    more > 0 && h("p.muted", t("more", { n: more })),
  ];
};

async function about() {
  let told;
  try {
    told = await ask("/api/about", { name: wanted, ...asked() });
  } catch (error) {
    return h("p.is-error", { role: "alert" }, error.kind === "unknown" ? t("facts.unknown", { name: wanted, n: state.at ?? state.chapter }) : error.message);
  }
  const { entity } = told;
  const now = told.facts.filter((fact) => fact.until === null);
  return [
    h("div.card.entity",
      h("h3", said(entity.name), " ", h("span.badge", named("kind", entity.kind))),
      entity.aliases.length > 0 && h("p", t("facts.aliases"), " ", said(entity.aliases.join(", "))),
      h("p.muted", t("facts.known", { since: entity.since, at: told.at })),
      (told.status || told.place) && h("p", told.status && h("span.badge.is-Pending", said(told.status)), told.place && [" ", t("facts.place"), " ", said(told.place)]),
    ),
    h("h3", t("facts.now")),
    now.length ? h("ul.facts", now.map(factItem)) : h("p.muted", t("facts.nothing")),
    h("h3", t("facts.timeline")),
    h("table.timeline",
      h("thead", h("tr", h("th", { scope: "col" }, t("facts.chapter")), h("th", { scope: "col" }, t("facts.fact")), h("th", { scope: "col" }, t("facts.until")))),
      h("tbody", told.timeline.map((fact) => h("tr", { class: fact.until ? "is-past" : null }, h("td", fact.since), h("td", factText(fact)), h("td", fact.until ?? "")))),
    ),
  ];
}

const factItem = (fact) =>
  h("li", factText(fact), " ", h("span.muted", t("facts.since", { n: fact.since })), fact.evidence && h("blockquote", { dir: "auto" }, fact.evidence));

/** A fact in words: subject, relation or attribute, object. */
export const factText = (fact) => [
  said(fact.subject),
  " ",
  fact.relation === "HAS_STATUS" ? h("span.relation", t("relation.HAS_STATUS")) : h("span.relation", fact.attribute ? [said(fact.attribute), " ="] : named("relation", fact.relation)),
  " ",
  said(fact.relation === "HAS_STATUS" ? named("hook", fact.object) : fact.object),
  fact.time && h("span.muted", " – ", said(fact.time)),
  Object.keys(fact.properties).length > 0 && h("span.muted", " (", said(Object.entries(fact.properties).map(([name, value]) => `${name}: ${value}`).join(", ")), ")"),
];
