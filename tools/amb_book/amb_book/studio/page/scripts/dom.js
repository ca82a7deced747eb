// What this page adds to the script of all of AMB's pages, by which text becomes text nodes and nothing else.

import { button, clip, h, hasWords, say, t, visible, words } from "./shared.js";

export { button, clip, h, plain, said, svg, t, userLanguage, visible } from "./shared.js";

export const language = () => words.language;
export const speak = (wanted, strings = words.strings) => {
  Object.assign(words, { language: wanted, strings });
  document.documentElement.lang = wanted === "zh" ? "zh-CN" : "en";
};

/** The same words in every language, for what an author may type in any. */
export const inEvery = (key) => Object.values(words.strings).map((each) => each[key] ?? "");

/** Our words for something of the book, or what the book itself calls it. */
export const named = (group, name) => (hasWords(`${group}.${name}`) ? t(`${group}.${name}`) : String(name));

export const field = (label, control, given = {}) => h("label.field", given, h("span", label), control);

export function choice(options, value, given = {}) {
  const control = h(
    "select",
    given,
    options.map(([key, label]) => h("option", { value: key, selected: key === value }, label)),
  );
  return control;
}

export const byId = (id) => document.getElementById(id);

/** Puts new children in, and the focus back on what had it, when that is there again under the same data-key. */
export function refill(place, ...children) {
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key) [...place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)?.focus();
}

/** Says something in passing: shown for a moment and read out. */
export const notice = (text) => say(text, 6000);

/** Reads something out that is to be seen elsewhere on the page. */
export const heard = (text) => byId("heard").replaceChildren(clip(text, 400));

/** What went wrong and what to do about it; "" takes it away. */
export function trouble(text) {
  const place = byId("trouble");
  place.hidden = !text;
  place.replaceChildren(
    ...(text ? [visible(text), " ", button(t("close"), () => trouble(""), { class: "quiet" })] : []),
  );
}

export const when = (seconds) =>
  new Intl.DateTimeFormat(words.language === "zh" ? "zh-CN" : "en", {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  }).format(new Date(seconds * 1000));
