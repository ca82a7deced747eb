// The frame: navigation, search, language, the address (#view/step/kind/id), and keys.

const VIEWS = {
  overview: OverviewView,
  turns: TurnsView,
  conflicts: ConflictsView,
  entries: EntriesView,
  graph: GraphView,
  task: TaskView,
};
const state = { view: "overview", step: LAST_STEP, detail: null, query: "" };
let frame = null;

// --- address -------------------------------------------------------------------------------------------------------

function address({ view, step, detail }) {
  const parts = [view, step === LAST_STEP ? "now" : step + 1, ...(detail ?? [])];
  return "#" + parts.map((part) => encodeURIComponent(String(part).replace(/\p{Cs}/gu, "\ufffd"))).join("/");
}

function fromAddress(hash) {
  let parts = [];
  try {
    parts = hash.slice(1).split("/").map(decodeURIComponent);
  } catch {
    // a mangled address shows the overview
  }
  const [view, step, kind, id] = parts;
  const turn = Number.parseInt(step, 10) - 1;
  return {
    view: Object.hasOwn(VIEWS, view) ? view : "overview",
    step: turn >= 0 && turn < LAST_STEP ? turn : LAST_STEP,
    detail: Object.hasOwn(KNOWN, kind) && KNOWN[kind].has(id) ? [kind, id] : null,
  };
}

/** Changes what is shown and keeps the address in step with it. */
function go(changes, { replace = false } = {}) {
  if (
    changes.view === "turns" &&
    changes.step === undefined &&
    state.view !== "turns" &&
    state.step === LAST_STEP &&
    INJECTIONS.length
  )
    changes = { ...changes, step: LAST_STEP - 1 };
  Object.assign(state, changes);
  show();
  const next = address(state);
  if (next === location.hash) return;
  try {
    history[replace ? "replaceState" : "pushState"](null, "", next);
  } catch {
    // inside a frame without an address of its own the page works without one
  }
}

let opener = null;

/** Shows a record in the panel, an entry with `span` marked; `from` gets the focus back when the panel is closed. */
function openRecord(kind, id, from = null, span = null) {
  if (state.detail === null) opener = from;
  frame.panel.span = span;
  go({ detail: [kind, id] });
  if (from?.tagName !== "CANVAS") frame.panel.heading.focus({ preventScroll: true });
}

function closeDetail() {
  go({ detail: null });
  if (opener?.isConnected) (opener.closest(".listbox") ?? opener).focus({ preventScroll: true });
  opener = null;
}

// --- search --------------------------------------------------------------------------------------------------------

function searchBox() {
  const input = h("input", {
    type: "search",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    "aria-label": t("search.label"),
    placeholder: t("search.hint"),
    autocomplete: "off",
    spellcheck: "false",
  });
  const found = h("ul.found", { id: "found", role: "listbox", "aria-label": t("search.label"), hidden: true });
  let at = -1;
  const rows = () => [...found.querySelectorAll("[role=option]")];
  const choose = (next) => {
    at = next;
    rows().forEach((row, index) => row.setAttribute("aria-selected", String(index === at)));
    input.setAttribute("aria-activedescendant", rows()[at]?.id ?? "");
    rows()[at]?.scrollIntoView({ block: "nearest" });
  };
  const list = (open) => {
    found.hidden = !open || !input.value.trim();
    input.setAttribute("aria-expanded", String(!found.hidden));
  };
  const search = () => {
    at = -1;
    found.replaceChildren(...searchResults(input.value, () => list(false)));
    list(true);
    state.query = input.value;
    show();
  };
  input.addEventListener("input", search);
  input.addEventListener("focus", () => list(true));
  input.addEventListener("blur", () => setTimeout(() => list(false), 150));
  input.addEventListener("keydown", (event) => {
    const count = rows().length;
    if (event.key === "ArrowDown" && count) choose((at + 1) % count);
    else if (event.key === "ArrowUp" && count) choose((at - 1 + count) % count);
    else if (event.key === "Enter" && count) rows()[Math.max(0, at)].click();
    else if (event.key === "Escape") ((input.value = ""), search(), input.blur());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  input.value = state.query;
  return { input, element: h("div.search", input, h("kbd", { "aria-hidden": "true" }, "/"), found) };
}

/** The number of the step that "7", "step 7" or "第 7 步" means. */
const stepNamed = (query) => /^\D{0,12}?(\d{1,6})\D{0,4}$/.exec(query.trim())?.[1];

function searchResults(query, done) {
  if (!query.trim()) return [];
  const title = {
    node: (id) => nodeTitle(NODES.get(id)),
    entry: (id) => sourceOf(ENTRIES.get(id)),
    conflict: (id) => CONFLICTS.get(id).subject || CONFLICTS.get(id).description,
  };
  let count = 0;
  const option = (open, ...line) =>
    h("li", { role: "option", id: `found-${count++}`, click: () => (done(), open()) }, line);
  const head = (text) => h("li.found-head", { role: "presentation" }, text);
  const named = `e${stepNamed(query)}`;
  const steps = [...INJECTIONS.keys()].filter((step) => FOLLOWING[step].some((entry) => entry.entry_id === named));
  const requests = steps.map((step) =>
    option(() => (go({ view: "turns", step }), frame.views.turns.start().focus()), h("span.chip.turn", stepName(step)), said(`→ ${followedBy(step)}`, "span.row-title")),
  );
  const records = Object.entries({ node: 8, entry: 5, conflict: 3 }).flatMap(([kind, most]) => {
    const ids = matches(kind, query);
    const open = (id) => () => openRecord(kind, id, frame.search.input);
    const line = (id) => option(open(id), h(`span.chip.${kind}`, said(id)), said(clip(title[kind](id), 80), "span.row-title"));
    return ids.length ? [head(plural(`search.${kind}`, ids.length)), ...ids.slice(0, most).map(line)] : [];
  });
  if (requests.length) requests.unshift(head(plural("search.request", requests.length)));
  else if (ENTRIES.has(named)) requests.push(head(t("search.noRequest", { step: stepLabel(named) })));
  const rows = [...requests, ...records];
  return rows.length ? rows : [h("li.empty", t("search.none"))];
}

// --- frame ---------------------------------------------------------------------------------------------------------

function build() {
  const tabs = Object.keys(VIEWS).map((view) =>
    button(t(`nav.${view}`), () => go({ view }), { class: "tab", "data-view": view }),
  );
  const search = searchBox();
  const main = h("main", { id: "main", tabindex: "-1" });
  const panel = new DetailPanel();
  frame = { tabs, search, main, panel, views: {} };
  const drawn = () => (build(), show());
  drawFrame({ name: t("nav.inspector"), tabs, beside: search.element, main, panel: panel.element, drawn });
}

/** Marks the tab of the view shown, in sight where the tabs are wider than the window. */
function markTab(tab) {
  tab.setAttribute("aria-current", "page");
  tab.parentElement.scrollLeft = tab.offsetLeft + tab.offsetWidth / 2 - tab.parentElement.clientWidth / 2;
}

/** Brings the page in step with the state; views are built when first shown. */
function show() {
  const view = (frame.views[state.view] ??= new VIEWS[state.view]());
  if (frame.main.firstChild !== view.element) {
    const focused = frame.main.contains(document.activeElement);
    frame.main.replaceChildren(view.element);
    if (focused) (view.start?.() ?? frame.main).focus({ preventScroll: true }); // what had it is gone
  }
  for (const tab of frame.tabs) {
    if (tab.dataset.view === state.view) markTab(tab);
    else tab.removeAttribute("aria-current");
  }
  frame.panel.update(state);
  document.body.classList.toggle("with-detail", state.detail !== null);
  view.update(state);
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select");
  if (event.key === "Escape" && state.detail) closeDetail();
  else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey)
    (frame.search.input.focus(), frame.search.input.select());
  else return;
  event.preventDefault();
});
addEventListener("popstate", () => {
  Object.assign(state, fromAddress(location.hash));
  show();
});

Object.assign(state, fromAddress(location.hash));
build();
show();
