// Starts the page: words, tasks, conversation, the side of the book; and looks for what other windows do.

import { byId, h, language, speak, t, trouble, userLanguage } from "./dom.js";
import { changed, current, hear, look, show, state, taken } from "./book_state.js";
import { ask, withToken } from "./net.js";
import { flush } from "./form.js";
import { RELATIONS } from "./rows.js";
import { drawTabs, panel, startTabs } from "./tabs.js";
import { startTalk } from "./talk.js";
import { startTasks } from "./tasks.js";
import { drawHooks, drawWhere } from "./where.js";
import { drawFacts, names } from "./facts.js";
import { drawGraph } from "./graph.js";
import { drawPlan } from "./plan.js";
import { drawLore } from "./lore.js";
import { drawCheck } from "./check.js";
import { drawImport } from "./importing.js";

const EVERY = 3_000;
let about = {};

function languageOf(wanted) {
  const kept = localStorage.getItem("amb-language");
  if (kept === "en" || kept === "zh") return kept;
  if (wanted !== "auto") return wanted;
  return userLanguage("en");
}

/** Puts our words where the page wants them. */
function label() {
  for (const each of document.querySelectorAll("[data-t]")) each.replaceChildren(t(each.dataset.t));
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", t(each.dataset.label));
  for (const each of document.querySelectorAll("[data-placeholder]")) each.placeholder = t(each.dataset.placeholder);
  const other = byId("language");
  other.replaceChildren(t("language.other"));
  other.lang = language() === "zh" ? "en" : "zh-CN";
  byId("book-name").replaceChildren(about.book ?? "");
  document.title = about.book ? `${about.book} · AMB studio` : "AMB studio";
  byId("relations").replaceChildren(...RELATIONS.map((name) => h("option", { value: t(`relation.${name}`) }, name)));
  byId("message").placeholder = t(about.model ? "say.example.model" : "say.example");
  stands();
}

const stands = () => byId("stands").replaceChildren(t(state.chapter ? "stands" : "stands.nowhere", { n: state.chapter }), " · ", about.model ? t("model.is", { model: about.model }) : t("model.none"));

function startPanes() {
  const all = [...document.querySelectorAll("[data-to]")];
  const draw = () => all.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.to === document.body.dataset.pane)));
  for (const each of all) each.addEventListener("click", () => (document.body.dataset.pane = each.dataset.to));
  new MutationObserver(draw).observe(document.body, { attributes: true, attributeFilter: ["data-pane"] });
  draw();
}

function startPanels() {
  panel("where", drawWhere);
  panel("facts", drawFacts, { dated: true });
  panel("graph", drawGraph, { dated: true });
  panel("plan", drawPlan);
  panel("hooks", drawHooks, { dated: true });
  panel("lore", drawLore);
  panel("check", drawCheck, { dated: true });
  panel("import", drawImport);
}

async function refreshNames() {
  names((await ask("/api/entities")).entities);
}

async function switchLanguage() {
  await flush();
  speak(language() === "zh" ? "en" : "zh");
  localStorage.setItem("amb-language", language());
  label();
  await show(current());
  changed("book");
}

async function start() {
  document.body.append(...["names", "relations", "plan-parts"].map((id) => h("datalist", { id })));
  try {
    about = await ask("/api/start");
  } catch (error) {
    trouble(error.message);
    return;
  }
  withToken(about.token);
  speak(languageOf(about.language), about.words);
  startTasks();
  startTalk();
  startTabs();
  startPanes();
  startPanels();
  label();
  hear("book", stands);
  hear("book", () => refreshNames().catch(() => undefined));
  byId("language").addEventListener("click", () => switchLanguage().catch((error) => trouble(error.message)));
  try {
    const told = await ask("/api/state");
    taken(told);
    const wanted = location.hash.slice(1) || told.active;
    await show(told.tasks.some((task) => task.id === wanted) ? wanted : "");
    await drawTabs();
    await refreshNames();
  } catch (error) {
    trouble(error.message);
  }
  document.body.dataset.ready = "true";
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}

start();
