// What this window knows: all tasks, the one it shows, and the chapter the story stands at.

import { notice, t, trouble } from "./dom.js";
import { ask, tell } from "./net.js";

export const state = { tasks: [], chapter: 0, at: null, task: null, turns: [], proposal: null, passing: null };

/** What was asked of the desk and is not answered yet, by the task it was asked in; other tasks go on meanwhile. */
const waiting = new Map();
export const asking = () => waiting.get(current());

const listeners = [];
/** Hear of changes: "tasks", "task" (what is shown of the current one), "book" (facts, plan, position). */
export const hear = (what, listener) => listeners.push([what, listener]);
export const changed = (...what) => {
  for (const [wanted, listener] of listeners) if (what.includes(wanted)) listener();
};

export const current = () => state.task?.id ?? "";

/** The chapter questions are asked at; null for where the story stands. */
export const asked = () => ({ at: state.at });

/** Take in what every answer brings along. */
export function taken(told) {
  const settled = told.chapter !== state.chapter || closed(told.tasks) !== closed(state.tasks);
  state.tasks = told.tasks;
  state.chapter = told.chapter;
  changed("tasks");
  if (settled) changed("book");
}

const closed = (tasks) => tasks.filter((task) => task.state === "closed").map((task) => task.id).join();

/** Show a task; "" for none. What a window shows stands in its address, so that a reload shows it again. */
export async function show(id, { passing = null } = {}) {
  if (!id) {
    Object.assign(state, { task: null, turns: [], proposal: null, passing });
  } else {
    const told = await ask("/api/task", { name: id });
    Object.assign(state, { task: told.task, turns: told.turns, proposal: told.proposal, passing });
  }
  const address = id ? `#${id}` : "#";
  if (location.hash !== address && !(location.hash === "" && !id)) history.replaceState(null, "", address);
  changed("tasks", "task");
}

/** Where an answer that belongs into no queue is shown in the conversation; a form says for itself what is wrong. */
const TYPED = new Set(["/api/say", "/api/press"]);

/** Do something at the desk, and show what came of it. Returns the reply, null when it was refused. */
export async function act(path, body) {
  const before = current();
  const mine = { text: body.text ?? "" };
  waiting.set(before, mine);
  changed("task");
  try {
    const told = await tell(path, body);
    trouble("");
    taken(told);
    const reply = told.reply;
    waiting.delete(before);
    if (current() === before) {
      const inQueue = ["answer", "memory", "task", "proposal", "settled", "discarded"].includes(reply.kind);
      await show(reply.task || before, { passing: inQueue || !TYPED.has(path) ? null : reply });
    } else {
      notice(t("answered.elsewhere"));
    }
    if (reply.error && reply.kind !== "error") trouble(reply.error.text);
    return reply;
  } catch (error) {
    trouble(error.message);
    return null;
  } finally {
    if (waiting.get(before) === mine) waiting.delete(before);
    changed("task");
  }
}
let lost = false;

/** Look whether another window changed something. */
export async function look() {
  if (asking() || document.hidden) return;
  let told;
  try {
    told = await ask("/api/state");
    if (lost) trouble("");
    lost = false;
  } catch (error) {
    trouble(error.message);
    lost = true;
    return;
  }
  if (asking()) return;
  const shown = state.task;
  const now = told.tasks.find((task) => task.id === shown?.id);
  if (JSON.stringify(told.tasks) !== JSON.stringify(state.tasks) || told.chapter !== state.chapter) taken(told);
  if (!shown || now?.revision === shown.revision) return;
  if (!now) {
    notice(t("elsewhere.gone", { title: shown.title }));
    await show("");
    return;
  }
  await show(now.id);
  if (now.state !== shown.state) notice(t(`elsewhere.${now.state}`, { title: now.title }));
}
