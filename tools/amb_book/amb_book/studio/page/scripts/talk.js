// The conversation of the task this window shows, and what is said next.

import { byId, button, clip, h, heard, named, refill, said, t, when } from "./dom.js";
import { act, asking, current, hear, state } from "./book_state.js";
import { flush, proposalForm } from "./form.js";
import { press, restart } from "./tasks.js";

let shownTask = null;

export function startTalk() {
  byId("say").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  byId("message").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  });
  byId("message").addEventListener("input", keep);
  hear("task", draw);
}

// --- saying --------------------------------------------------------------------------------------------------------

const place = () => `amb-unsent-${current()}`;

/** A message that is not sent yet outlives a reload; one longer than a browser keeps is only in the box. */
function keep() {
  try {
    sessionStorage.setItem(place(), byId("message").value);
  } catch {
    sessionStorage.removeItem(place());
  }
}

async function send() {
  const box = byId("message");
  const text = box.value;
  if (!text.trim() || asking()) return;
  const from = place();
  await flush();
  box.value = "";
  const reply = await act("/api/say", { text, task: current() });
  if (!reply || (reply.kind === "error" && place() === from)) {
    if (!byId("message").value) byId("message").value = text;
    keep();
  } else {
    sessionStorage.removeItem(from);
  }
  if (reply) heard(reply.text);
  if (reply?.kind === "proposal") byId("proposal-title")?.focus();
  else byId("message").focus();
}

/** Put something into the message box, for the author to add to. */
function suggest(text) {
  const box = byId("message");
  box.value = box.value ? `${box.value}\n${text}` : text;
  keep();
  box.focus();
}

// --- showing -------------------------------------------------------------------------------------------------------

function draw() {
  const task = state.task;
  const another = shownTask !== current();
  if (another) byId("message").value = sessionStorage.getItem(`amb-unsent-${current()}`) ?? "";
  shownTask = current();
  const title = byId("task-title");
  title.replaceChildren(...(task ? [said(task.title), " ", h("span.badge", { class: `badge is-${task.state}` }, t(`state.${task.state}`))] : [t("no.task")]));
  refill(byId("task-actions"), actions(task));
  const label = { settling: "say.settling", closed: "say.closed", open: "say.to" }[task?.state] ?? "say.first";
  byId("message-label").replaceChildren(t(label, { title: clip(task?.title ?? "", 60) }));
  byId("say").classList.toggle("waiting", task?.state === "settling");
  const under = asking();
  byId("say").querySelector("button").disabled = under !== undefined;
  const turns = byId("turns");
  const children = [
    task ? null : welcome(),
    ...state.turns.map(turn),
    state.passing && passing(state.passing),
    state.proposal && proposalForm(state.proposal),
    under && [under.text && h("article.turn.by-author", h("p.who", t("by.author")), said(under.text, "p.text")), h("p.muted.working", t("working"))],
  ].flat().filter(Boolean);
  const kept = keptForm(turns, children);
  const focused = document.activeElement;
  turns.replaceChildren(...kept);
  if (focused !== document.activeElement && turns.contains(focused)) focused.focus({ preventScroll: true });
  scroll(turns, another);
}

let scrolledTo = "";

/** What is new stands at the top, from its beginning: the form, or what was said last and its answer. */
function scroll(turns, another) {
  const now = `${current()} ${state.turns.length} ${asking() !== undefined} ${state.proposal?.id} ${state.passing !== null}`;
  if (now === scrolledTo && !another) return;
  scrolledTo = now;
  const form = byId("proposal");
  if (form && !state.passing) turns.scrollTop += form.getBoundingClientRect().top - turns.getBoundingClientRect().top;
  else if (asking() || state.passing) turns.scrollTop = turns.scrollHeight;
  else {
    const last = [...turns.querySelectorAll(".by-author")].at(-1);
    if (last) turns.scrollTop += last.getBoundingClientRect().top - turns.getBoundingClientRect().top;
  }
}

/** A form the author is at stays as it is, with the focus in it, while the same proposal is shown. */
function keptForm(turns, children) {
  const before = turns.querySelector("#proposal");
  return children.map((each) => (each.id === "proposal" && before?.dataset.proposal === each.dataset.proposal ? before : each));
}

function actions(task) {
  if (!task) return [];
  if (task.state === "open")
    return [button(t("task.settle"), settle, { "data-key": "settle", class: "second", disabled: asking() !== undefined })];
  if (task.state === "closed")
    return [button(t("task.restart"), () => restart(task), { "data-key": "restart", class: "second" })];
  return [];
}

async function settle() {
  const reply = await press("settle");
  if (reply) heard(reply.text);
  byId("proposal-title")?.focus();
}

const welcome = () =>
  h("div.welcome", h("p", t("welcome")), h("ul", ["new", "say", "settle", "check"].map((key) => h("li", t(`welcome.${key}`)))));

function turn(each) {
  const mine = each.role === "author";
  if (each.command === "switch") return mine ? null : cameBack(each);
  const command = mine && each.command && each.command !== "new" ? each.command : "";
  return h(
    "article.turn",
    { class: `turn by-${each.role}${command ? " a-command" : ""}`, "aria-label": t(mine ? "turn.author" : "turn.desk", { n: each.number }) },
    h("p.who", t(mine ? "by.author" : "by.desk"), " ", h("time.muted", when(each.at))),
    body(each),
    !mine && built(each.context),
  );
}

/** Going to another task and back is said, but in one line. */
const cameBack = (each) =>
  h(
    "details.turn.came-back",
    h("summary", t("turn.switch"), " ", h("time", when(each.at))),
    said(each.text, "p.text"),
    built(each.context),
  );

function body(each) {
  const options = each.context.options ?? [];
  if (each.role === "desk" && each.command === "settle") {
    const [first, ...rest] = each.text.split("\n");
    return [said(first, "p"), rest.length > 0 && h("details", h("summary", t("turn.whole")), said(rest.join("\n"), "pre.text"))];
  }
  const note = each.context.note && each.role === "desk" && said(each.context.note, "p.note");
  if (!options.length) return [said(each.text, "p.text"), note];
  const before = each.text.slice(0, each.text.indexOf(options[0])).trimEnd().replace(/\n?[^\n]*$/, "").trim();
  return [before && said(before, "p.text"), note, optionCards(options, each.context.remarks ?? []), h("p.muted", t("option.feedback"))];
}

const optionCards = (options, remarks) =>
  h(
    "ol.options",
    options.map((text, place) =>
      h(
        "li.option",
        h("h3", t("option", { n: place + 1 })),
        said(text, "p.text"),
        remarks[place] && said(remarks[place], "p.remarks"),
        button(t("option.take"), () => suggest(t("option.taken", { n: place + 1 })), {
          class: "second",
          "aria-label": t("option.take.of", { n: place + 1 }),
        }),
      ),
    ),
  );

/** What an answer was built from: turns of this task alone, and what memory had. */
function built(context) {
  if (!context.window) return null;
  const sources = context.sources ?? [];
  return h(
    "details.built",
    h("summary", t("built")),
    h("p", t("built.turns", { turns: context.window.join(", ") || "–" })),
    context.covered > 0 && h("p", t("built.summary", { n: context.covered }), " ", said(context.summary)),
    sources.length > 0 && h("p", t("built.memory"), " ", sources.map((each) => h("span.chip", named("source", each.kind), each.kind !== "position" && [" ", said(each.id)]))),
    h("p.muted", t("built.tokens", { n: context.tokens })),
  );
}

/** What the desk said that belongs into no queue: help, the list of tasks, or why something was not done. */
const passing = (reply) =>
  h(
    "article.turn.by-desk",
    { class: `turn by-desk${reply.error ? " is-error" : " in-passing"}` },
    h("p.who", t(reply.error ? "not.done" : "by.desk")),
    said(reply.text, "p.text"),
  );
