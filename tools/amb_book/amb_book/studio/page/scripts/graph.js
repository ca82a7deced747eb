// The fact graph: a picture of who stands how to whom, and the same as a table.

import { button, byId, clip, h, named, said, svg, t } from "./dom.js";
import { asked } from "./book_state.js";
import { ask } from "./net.js";
import { factText, showFacts } from "./facts.js";
import { redraw } from "./tabs.js";

const MOST = 22;
const [WIDTH, HEIGHT] = [460, 400];
let around = "";

export async function drawGraph() {
  let told;
  try {
    told = await ask("/api/graph", { name: around, ...asked() });
  } catch (error) {
    if (error.kind !== "unknown") throw error;
    return [h("h2", t("tab.graph")), search(), h("p.is-error", { role: "alert" }, error.message)];
  }
  return [
    h("h2", t("tab.graph")),
    search(),
    h("p.muted", t("graph.count", { n: told.facts.length, at: told.at }), told.more > 0 ? ` ${t("more", { n: told.more })}` : ""),
    picture(told),
    table(told),
  ];
}

const search = () =>
  h(
    "form.search",
    {
      submit: (event) => {
        event.preventDefault();
        around = byId("graph-name").value.trim();
        redraw();
      },
    },
    h("label", { for: "graph-name" }, t("graph.around")),
    h("div.beside",
      h("input", { id: "graph-name", list: "names", value: around, autocomplete: "off", dir: "auto", maxlength: "400", "data-key": "graph-name" }),
      h("button.main", { "data-key": "graph-show" }, t("facts.show")),
      around && button(t("facts.all"), () => { around = ""; redraw(); }, { class: "quiet", "data-key": "graph-all" }),
    ),
  );

// --- picture -------------------------------------------------------------------------------------------------------

function picture(told) {
  const kinds = new Map(told.entities.map((each) => [each.name, each.kind]));
  const edges = told.facts.filter((fact) => kinds.has(fact.subject) && kinds.has(fact.object) && fact.subject !== fact.object);
  if (!edges.length) return null;
  const degree = new Map();
  for (const edge of edges) for (const end of [edge.subject, edge.object]) degree.set(end, (degree.get(end) ?? 0) + 1);
  const chosen = [...degree.keys()].sort((a, b) => degree.get(b) - degree.get(a)).slice(0, MOST);
  const places = placed(chosen, edges);
  const drawn = edges.filter((edge) => places.has(edge.subject) && places.has(edge.object));
  return h(
    "figure.graph",
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("graph.picture", { nodes: chosen.length, edges: drawn.length }) },
      drawn.map((edge) => line(edge, places, drawn.length < 15)),
      chosen.map((name) => node(name, kinds.get(name), places.get(name))),
    ),
    degree.size > chosen.length && h("figcaption.muted", t("graph.some", { n: chosen.length, of: degree.size })),
  );
}

/** The one with most relations in the middle, the others around it, those of one company side by side. */
function placed(names, edges) {
  const [middle, ...others] = names;
  const near = (a, b) => edges.some((edge) => (edge.subject === a && edge.object === b) || (edge.subject === b && edge.object === a));
  const ring = [];
  while (others.length) {
    const next = others.findIndex((name) => ring.length > 0 && near(name, ring.at(-1)));
    ring.push(...others.splice(Math.max(next, 0), 1));
  }
  const places = new Map([[middle, [WIDTH / 2, HEIGHT / 2]]]);
  ring.forEach((name, place) => {
    const angle = (2 * Math.PI * place) / ring.length - Math.PI / 2;
    const far = ring.length > 10 && place % 2 ? 0.66 : 1;
    places.set(name, [WIDTH / 2 + Math.cos(angle) * (WIDTH / 2 - 58) * far, HEIGHT / 2 + Math.sin(angle) * (HEIGHT / 2 - 30) * far]);
  });
  return places;
}

function line(edge, places, labelled) {
  const [[x1, y1], [x2, y2]] = [places.get(edge.subject), places.get(edge.object)];
  return [
    svg("line.edge", { x1, y1, x2, y2 }),
    labelled && svg("text.edge-label", { x: (x1 + x2) / 2, y: (y1 + y2) / 2 }, named("relation", edge.relation)),
  ];
}

const node = (name, kind, [x, y]) =>
  svg("g.node", { class: `node kind-${kind}`, click: () => { around = name; redraw(); } },
    svg("title", name),
    svg("circle", { cx: x, cy: y, r: 6 }),
    svg("text", { x, y: y - 10 }, clip(name, 16)),
  );

// --- table ---------------------------------------------------------------------------------------------------------

const table = (told) =>
  told.facts.length
    ? h("table.timeline",
        h("caption.offscreen", t("tab.graph")),
        h("thead", h("tr", h("th", { scope: "col" }, t("facts.chapter")), h("th", { scope: "col" }, t("facts.fact")), h("th", { scope: "col" }, h("span.offscreen", t("facts.show"))))),
        h("tbody", told.facts.map((fact) => h("tr", h("td", fact.since), h("td", factText(fact)), h("td", button(t("tab.facts"), () => showFacts(fact.subject), { class: "quiet", "aria-label": t("facts.about", { name: fact.subject }) }))))),
      )
    : h("p.muted", t("facts.none"));
