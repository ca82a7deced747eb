// The tasks of the author: open ones, those that wait for a decision, and closed ones that can be restarted.

import { byId, button, h, refill, said, t, trouble } from "./dom.js";
import { act, current, hear, show, state } from "./book_state.js";

export function startTasks() {
  byId("new-task").addEventListener("submit", async (event) => {
    event.preventDefault();
    const title = byId("new-title").value.trim();
    if (!title) return;
    const reply = await press("new", title);
    if (reply && !reply.error) {
      byId("new-title").value = "";
      document.body.dataset.pane = "talk";
      byId("message").focus();
    }
  });
  byId("task-list").addEventListener("keydown", walk);
  hear("tasks", draw);
}

export const press = (kind, argument = "", text = "") =>
  act("/api/press", { kind, argument, text, task: current() });

function draw() {
  const groups = ["open", "settling", "closed"].map((kind) => [kind, state.tasks.filter((task) => task.state === kind)]);
  refill(
    byId("task-list"),
    state.tasks.length ? null : h("p.muted", t("tasks.none")),
    groups.filter(([, tasks]) => tasks.length).map(([kind, tasks]) => group(kind, tasks)),
  );
}

const group = (kind, tasks) => [
  h("h3", { id: `tasks-${kind}` }, t(`tasks.${kind}`)),
  h("ul", { "aria-labelledby": `tasks-${kind}` }, tasks.map(item)),
];

function item(task) {
  const here = task.id === current();
  const told = task.state === "closed" ? t("task.left", { hours: Math.ceil(task.hours_left) }) : t("task.turns", { n: task.turns });
  return h(
    "li.task",
    button([h("span.number", task.number), h("span.title", said(task.title), h("small.muted", told))], () => go(task), {
      class: "task-button",
      "aria-current": here ? "true" : null,
      "data-key": `task-${task.id}`,
    }),
    task.state === "closed" &&
      button(t("task.restart"), () => restart(task), {
        class: "quiet",
        "data-key": `restart-${task.id}`,
        "aria-label": t("task.restart.of", { title: task.title }),
      }),
  );
}

/** Go to a task. One that is open is switched to at the desk, which is kept with the others as a labelled command. */
async function go(task) {
  if (task.id === current()) {
    document.body.dataset.pane = "talk";
    return;
  }
  if (task.state === "open") await press("switch", String(task.number));
  else await show(task.id).catch((error) => trouble(error.message));
  document.body.dataset.pane = "talk";
}

export async function restart(task) {
  await press("restart", String(task.number));
  document.body.dataset.pane = "talk";
  byId("message").focus();
}

function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...byId("task-list").querySelectorAll(".task-button")];
  const next = all[all.indexOf(event.target.closest(".task-button")) + step];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}
