// The plan: outlines and steps with their states, and what may be done with each.

import { button, byId, choice, field, h, heard, named, said, t, trouble } from "./dom.js";
import { changed } from "./book_state.js";
import { ask, tell } from "./net.js";

const INSIDE = { general_outline: null, long_outline: "general_outline", short_outline: "long_outline", step: "short_outline" };
const ACTIONS = { Pending: ["start"], InProgress: ["complete", "put_off"], Completed: ["reopen"] };
let adding = "step";

export async function drawPlan() {
  const { parts } = await ask("/api/plan");
  byId("plan-parts").replaceChildren(...parts.map((part) => h("option", { value: part.id }, part.title)));
  const inside = (id) => parts.filter((part) => part.within === id);
  const known = new Set(parts.map((part) => part.id));
  const tops = parts.filter((part) => !part.within || !known.has(part.within));
  return [
    h("h2", t("tab.plan")),
    h("p.muted", t("plan.intro")),
    tops.length ? tree(tops, inside) : h("p.muted", t("plan.none")),
    form(parts),
  ];
}

const tree = (parts, inside) => h("ul.tree", parts.map((part) => branch(part, inside)));

function branch(part, inside) {
  const below = inside(part.id);
  return h(
    "li",
    h("div.part",
      h("span.badge", { class: `badge is-${part.status}` }, named("status", part.status)),
      h("span.part-title", { title: `${named("plan", part.kind)} · ${part.id}` }, said(part.title), part.kind === "short_outline" && part.storyline && h("small.muted", " ", said(part.storyline))),
      h("span.part-actions", ACTIONS[part.status].map((action) =>
        button(t(`plan.${action}`), () => step(part, action), { class: "quiet", "data-key": `${part.id}-${action}`, "aria-label": t("plan.action", { action: t(`plan.${action}`), title: part.title }) }),
      )),
    ),
    part.text && said(part.text, "p.muted.part-text"),
    below.length > 0 && tree(below, inside),
  );
}

async function step(part, action) {
  try {
    await tell("/api/plan/step", { id: part.id, action });
    trouble("");
    heard(t("plan.did", { title: part.title }));
    changed("book");
  } catch (error) {
    trouble(error.message);
  }
}

/** A form for a new part; only what belongs to its kind is asked for. */
function form(parts) {
  const place = h("form.add-part");
  const kind = choice(Object.keys(INSIDE).map((each) => [each, named("plan", each)]), adding, { input: () => { adding = kind.value; fill(); } });
  const title = h("input", { required: true, maxlength: "400", dir: "auto", autocomplete: "off" });
  const storyline = h("input", { maxlength: "400", dir: "auto", autocomplete: "off" });
  const within = h("select");
  const fill = () => {
    const around = parts.filter((part) => part.kind === INSIDE[adding]);
    within.replaceChildren(...around.map((part, place) => h("option", { value: part.id, selected: place === around.length - 1 }, part.title)));
    place.replaceChildren(
      h("h3", t("plan.add")),
      field(t("f.kind"), kind),
      field(t("f.title"), title),
      ...(INSIDE[adding] ? [field(t("f.within"), within)] : []),
      ...(adding === "short_outline" ? [field(t("f.storyline"), storyline)] : []),
      h("button.second", t("plan.add")),
    );
  };
  place.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await tell("/api/plan/add", { kind: adding, title: title.value.trim(), within: INSIDE[adding] ? within.value : "", storyline: adding === "short_outline" ? storyline.value.trim() : "" });
      trouble("");
      heard(t("plan.did", { title: title.value }));
      changed("book");
    } catch (error) {
      trouble(error.message);
    }
  });
  fill();
  return place;
}
