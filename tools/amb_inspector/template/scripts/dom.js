"use strict";
// Everything that touches the document. Text from the memory is untrusted: it becomes text nodes and nothing else.

const DATA = JSON.parse(document.getElementById("amb-data")?.textContent ?? "null");

// --- words of the page ---------------------------------------------------------------------------------------------

/** English or Chinese, whichever the browser prefers; `otherwise` where it asks for neither. */
function userLanguage(otherwise) {
  const wanted = navigator.languages.map((name) => name.slice(0, 2).toLowerCase());
  return wanted.find((name) => name === "en" || name === "zh") ?? otherwise;
}

const words = {
  language: DATA?.page.auto ? userLanguage(DATA.page.language) : DATA?.page.language,
  strings: DATA?.strings ?? {},
};

/** Whether the page has words of its own for a key. */
const hasWords = (key) => Object.hasOwn(words.strings[words.language], key);

/** The page's own words in the language shown; `{name}` places are filled from `values`. */
function t(key, values = {}) {
  const text = words.strings[words.language][key] ?? "";
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** `t` for a count: English has a form of its own for one. */
function plural(key, count, values = {}) {
  const one = `${key}.one`;
  const form = count === 1 && hasWords(one) ? one : key;
  return t(form, { ...values, n: number(count) });
}

// --- text that may hide something ----------------------------------------------------------------------------------

// Characters that reorder, hide or are not drawn; joiners that scripts and emoji need are left alone.
const HIDDEN =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]+|[\u{e0000}-\u{e0fff}]+|\p{Cs}+/gu;

const codeOf = (char) => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** What stands in the place of hidden characters: their codes, or the text that tag characters spell. */
function hiddenLabel(run) {
  const chars = Array.from(run);
  const spelled = chars.map((char) => char.codePointAt(0) - 0xe0000).filter((code) => code >= 0x20 && code < 0x7f);
  if (spelled.length > 1) return `U+E00xx “${String.fromCodePoint(...spelled.slice(0, 200))}”`;
  return codeOf(chars[0]) + (chars.length > 1 ? ` +${chars.length - 1}` : "");
}

function hiddenMark(run) {
  const mark = document.createElement("span");
  mark.className = "hidden-char";
  mark.title = t("text.hidden", { codes: Array.from(run).slice(0, 24).map(codeOf).join(" ") });
  mark.append(hiddenLabel(run));
  return mark;
}

/** Text nodes with every hidden character shown as a mark. */
function visible(text) {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > at) out.append(text.slice(at, found.index));
    out.append(hiddenMark(found[0]));
    at = found.index + found[0].length;
  }
  if (at < text.length) out.append(text.slice(at));
  return out;
}

/** The same as a plain string, for attributes and the canvas. */
const plain = (text) => String(text).replace(HIDDEN, (run) => `⟨${hiddenLabel(run)}⟩`);

const clip = (text, length) => {
  const chars = Array.from(plain(text).replace(/\s+/g, " ").trim());
  return chars.length > length ? chars.slice(0, length - 1).join("") + "…" : chars.join("");
};

// --- building elements ---------------------------------------------------------------------------------------------

/** h("p.muted", {title: "…"}, "text", child): strings become text nodes, plain objects attributes and listeners. */
function h(spec, ...parts) {
  const [tag, ...classes] = spec.split(".");
  return filled(document.createElement(tag), classes, parts);
}

/** The same for SVG. */
function svg(spec, ...parts) {
  const [tag, ...classes] = spec.split(".");
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, parts);
}

function filled(element, classes, parts) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const part of parts.flat(Infinity)) {
    if (part === null || part === undefined || part === false || part === "") continue;
    if (part instanceof Node) element.append(part);
    else if (typeof part === "object") setAttributes(element, part);
    else element.append(visible(String(part)));
  }
  return element;
}

// Attributes that could load or run something are never needed here; refusing them keeps it so.
const REFUSED = /^(on|href|src|style|action|formaction|data$)/i;

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (REFUSED.test(name)) throw new Error(`attribute refused: ${name}`);
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : plain(value));
  }
}

/** One figure of the row at the head of a page: its name, value and note; with `open` it is a button. */
function figure(name, value, note, open = null) {
  const inside = [t(`figure.${name}`), value, note || "\u00a0"];
  const spans = ["name", "value", "note"].map((part, at) => h(`span.figure-${part}`, inside[at]));
  return open ? button(spans, open, { class: `figure ${name}` }) : h(`div.figure.${name}`, spans);
}

const badge = (kind, label) => h(`span.badge.${kind}`, label);
const empty = (text) => h("p.empty", text);
const pair = (term, ...value) => [h("dt", term), h("dd", ...value)];

const button = (label, onClick, attributes = {}) =>
  h("button", { type: "button", click: onClick, ...attributes }, label);

/** Text from the memory on its own line direction, so that it cannot reorder what stands around it. */
const said = (text, spec = "bdi") => h(spec, { dir: "auto" }, text);

/** `text` with the pieces under `spans` ({start, end, ...}) marked; `mark(span)` builds the element that holds a piece. */
function marked(text, spans, mark = () => h("mark")) {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const start = Math.max(at, span.start);
    if (span.end <= start) continue;
    out.append(visible(text.slice(at, start)));
    const holder = mark(span);
    holder.append(visible(text.slice(start, span.end)));
    out.append(holder);
    at = span.end;
  }
  out.append(visible(text.slice(at)));
  return out;
}

// --- figures -------------------------------------------------------------------------------------------------------

const NUMBERS = new Intl.NumberFormat("en");
const number = (value) => (Number.isFinite(value) ? NUMBERS.format(value) : "–");
const share = (value) => (Number.isFinite(value) ? `${Math.round(value * 100)} %` : "–");

/** UTC, so that the page says the same on every machine. */
function clock(seconds) {
  const date = new Date(seconds * 1000);
  if (seconds === null || Number.isNaN(date.getTime())) return "–";
  return date.toISOString().slice(0, 19).replace("T", " ") + " UTC";
}

/** Seconds as +1 h 02 min, +3 min 20 s, +12 s. */
function elapsed(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value) => String(value).padStart(2, "0");
  if (hours) return `+${hours} h ${two(minutes)} min`;
  return minutes ? `+${minutes} min ${two(rest)} s` : `+${rest} s`;
}

const short = (value) => (value >= 10000 ? `${number(Math.round(value / 100) / 10)}k` : number(value));

// --- clipboard -----------------------------------------------------------------------------------------------------

/** A button that copies exactly `text`. */
function copyButton(text, label = t("copy")) {
  const control = button(label, () => copy(text).then((done) => say(t(done ? "copied" : "copy.failed"))), {
    class: "quiet",
  });
  return control;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea.offscreen", { "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Says something in passing: shown for a moment and read out. */
function say(text, milliseconds = 1600) {
  const place = document.getElementById("notice");
  place.replaceChildren(visible(text));
  place.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => place.classList.remove("shown"), milliseconds);
}
