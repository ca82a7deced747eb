// The side of the book: one panel at a time, as of one chapter.

import { byId, button, h, refill, t, trouble } from "./dom.js";
import { changed, hear, state } from "./book_state.js";

const panels = [];
let shown = sessionStorage.getItem("amb-panel") || "where";
let turn = 0;

/** A panel: `draw()` gives its elements, also later; `dated` when the chapter it is asked at matters. */
export const panel = (id, draw, { dated = false } = {}) => panels.push({ id, draw, dated });

export function startTabs() {
  byId("tabs").addEventListener("keydown", walk);
  byId("at").addEventListener("change", () => {
    const told = Number(byId("at").value);
    state.at = Number.isInteger(told) && told > 0 ? told : null;
    changed("book");
  });
  byId("at-now").addEventListener("click", () => {
    state.at = null;
    byId("at").value = "";
    changed("book");
    byId("at").focus();
  });
  hear("book", drawTabs);
}

export function drawTabs() {
  if (!panels.some((each) => each.id === shown)) shown = panels[0].id;
  refill(
    byId("tabs"),
    panels.map(({ id }) =>
      button(t(`tab.${id}`), () => open(id), {
        id: `tab-${id}`,
        role: "tab",
        class: "tab",
        "aria-selected": String(id === shown),
        "aria-controls": "panel",
        tabindex: id === shown ? "0" : "-1",
        "data-key": `tab-${id}`,
      }),
    ),
  );
  byId("panel").setAttribute("aria-labelledby", `tab-${shown}`);
  byId("at").placeholder = String(state.chapter || "–");
  byId("at-now").hidden = state.at === null;
  document.querySelector(".as-of").hidden = !panels.find((each) => each.id === shown).dated;
  return drawPanel();
}

export function open(id) {
  shown = id;
  sessionStorage.setItem("amb-panel", id);
  document.body.dataset.pane = "book";
  return drawTabs();
}

/** Of two panels that are under way the later one is shown. */
async function drawPanel() {
  const mine = ++turn;
  let drawn;
  try {
    drawn = await panels.find((each) => each.id === shown).draw();
  } catch (error) {
    drawn = [h("p.is-error", error.message)];
    if (error.kind === "session" || error.kind === "unreachable") trouble(error.message);
  }
  if (mine === turn) refill(byId("panel"), drawn);
}

export const redraw = drawPanel;

function walk(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const place = { Home: 0, End: panels.length - 1 }[event.key] ?? (step && (panels.findIndex((each) => each.id === shown) + step + panels.length) % panels.length);
  if (place === undefined) return;
  event.preventDefault();
  open(panels[place].id);
  byId(`tab-${panels[place].id}`).focus();
}
