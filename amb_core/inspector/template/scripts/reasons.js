// Why a passage was chosen, in the language of the page. The bank's own reasons are short English phrases.

const REASONS = [
  ["newestResult", /^the newest result$/],
  ["newest", /^newest$/],
  ["words", /^matches (?!the query$)(?<what>.+)$/s],
  ["query", /^(?:matches the query|has words of the query|words of the query)$/],
  ["meaning", /^near in meaning$/],
  ["bothAbout", /^both about (?<what>.+) \((?<id>\S+)\)$/s],
  ["bothName", /^both name (?<what>.+) \((?<id>\S+)\)$/s],
  ["mentions", /^mentions (?<what>.+) \((?<id>\S+)\)$/s],
  ["mentionedAs", /^mentioned as (?<what>.+) \((?<id>\S+)\)$/s],
  ["linked", /^linked \((?<id>\S+)\)$/],
  ["about", /^about (?<what>.+)$/s],
  ["nextTo", /^next to (?<id>\S+)$/],
  ["otherSide", /^the other side of (?<id>\S+)$/],
  ["newerState", /^newer state of (?<id>\S+)$/],
];

/** The page's own sentence with elements in its `{places}`. */
const sentenceOf = (key, parts) =>
  t(key, Object.fromEntries(Object.keys(parts).map((name) => [name, `{${name}}`])))
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 ? parts[part] : part));

/** One phrase of the bank as a sentence with its words and notes in it; one that is not known stays as it is. */
function reasonSentence(phrase) {
  for (const [name, pattern] of REASONS) {
    const found = pattern.exec(phrase);
    if (!found) continue;
    const { what = "", id = "" } = found.groups ?? {};
    return sentenceOf(`why.${name}`, { what: said(what, "b"), id: id && chip("node", id) });
  }
  return said(phrase);
}

/** Why this passage: the bank's reasons, or, of passages chosen by their words, the words it shares with the moment. */
function whyChosen(receipt, shared) {
  const isPlace = receipt.spans.length > 0 && /^(?:team )?step \d+ · |^(?:团队)?第 ?\d+ ?步 ?· /.test(receipt.reason);
  const phrases = isPlace ? [] : receipt.reason.split("; ").filter(Boolean);
  const named = phrases.some((phrase) => phrase.startsWith("matches "));
  const told = phrases.filter((phrase) => !shared.length || named || !/ words of the query$/.test(` ${phrase}`));
  const lines = told.map((phrase) => [reasonSentence(phrase), " "]);
  if (shared.length && !named)
    lines.push(sentenceOf("why.shared", { words: shared.map((word, at) => [at > 0 && ", ", said(word, "b")]) }));
  return lines.length ? lines : t("why.rank");
}
