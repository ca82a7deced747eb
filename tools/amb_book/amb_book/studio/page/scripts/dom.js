// Everything that touches the document. Whatever comes from the book or a model becomes text nodes and nothing else.

let spoken = { language: "en", words: { en: {}, zh: {} } };

export const language = () => spoken.language;
export const speak = (wanted, words = spoken.words) => {
  spoken = { language: wanted, words };
  document.documentElement.lang = wanted === "zh" ? "zh-CN" : "en";
};

/** The page's own words; `{name}` places are filled from `values`. An unknown key is "". */
export function t(key, values = {}) {
  const text = spoken.words[spoken.language][key] ?? "";
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The same words in every language, for what an author may type in any. */
export const inEvery = (key) => Object.values(spoken.words).map((words) => words[key] ?? "");

/** Our words for something of the book, or what the book itself calls it. */
export const named = (group, name) => t(`${group}.${name}`) || String(name);

// --- text that may hide something ----------------------------------------------------------------------------------

// Characters that reorder, hide or are not drawn; joiners that scripts and emoji need are left alone.
const HIDDEN =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;
const codeOf = (char) => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** Text nodes in which every hidden character is shown by its code. */
export function visible(text) {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > at) out.append(text.slice(at, found.index));
    const mark = document.createElement("span");
    mark.className = "hidden-char";
    mark.append(codeOf(found[0]));
    out.append(mark);
    at = found.index + found[0].length;
  }
  if (at < text.length) out.append(text.slice(at));
  return out;
}

export const plain = (text) => String(text).replace(HIDDEN, (char) => `⟨${codeOf(char)}⟩`);

export const clip = (text, length) => {
  const chars = Array.from(plain(text).replace(/\s+/g, " ").trim());
  return chars.length > length ? chars.slice(0, length - 1).join("") + "…" : chars.join("");
};

// --- building elements ---------------------------------------------------------------------------------------------

/** h("p.muted", {title: "…"}, "text", child): strings become text nodes, plain objects attributes and listeners. */
export const h = (spec, ...parts) => {
  const [tag, ...classes] = spec.split(".");
  return filled(document.createElement(tag), classes, parts);
};

export const svg = (spec, ...parts) => {
  const [tag, ...classes] = spec.split(".");
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, parts);
};

// Attributes that could load or run something are never needed here; refusing them keeps it so.
const REFUSED = /^(on|href|src|style|action|formaction|data$)/i;

function filled(element, classes, parts) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const part of parts.flat(Infinity)) {
    if (part === null || part === undefined || part === false || part === "") continue;
    if (part instanceof Node) element.append(part);
    else if (typeof part === "object") attributes(element, part);
    else element.append(visible(String(part)));
  }
  return element;
}

function attributes(element, given) {
  for (const [name, value] of Object.entries(given)) {
    if (REFUSED.test(name)) throw new Error(`attribute refused: ${name}`);
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : plain(value));
  }
}

export const button = (label, click, given = {}) => h("button", { type: "button", click, ...given }, label);

/** Text of the book in its own direction, so that it cannot reorder what stands around it. */
export const said = (text, spec = "bdi") => h(spec, { dir: "auto" }, text);

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
export function notice(text) {
  const place = byId("notice");
  place.replaceChildren(visible(text));
  place.classList.add("shown");
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => place.classList.remove("shown"), 6000);
}

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
  new Intl.DateTimeFormat(spoken.language === "zh" ? "zh-CN" : "en", {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  }).format(new Date(seconds * 1000));
