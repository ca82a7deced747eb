// Why a passage was chosen, in the language of the page. The bank's own reasons are short English phrases.

const REASONS = [
  ["newestResult", /^the newest result$/],
  ["newest", /^newest$/],
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
function reasonSentence(phrase, text) {
  for (const [name, pattern] of REASONS) {
    const found = pattern.exec(phrase);
    if (!found) continue;
    const { what = "", id = "" } = found.groups ?? {};
    const isSaid = !text || text.toLowerCase().includes(what.toLowerCase());
    return sentenceOf(`why.${isSaid ? name : id ? "linked" : "elsewhere"}`, { what: said(what, "b"), id: id && chip("node", id) });
  }
  return said(phrase);
}

/** The bank's words for a passage that was found by its words; which ones is told from what is shown of it. */
const BY_WORDS = /^matches |^(?:has )?words of the query$/;

/** Why this passage: the bank's reasons, and the words it shares with the moment; none that it does not hold. */
function whyChosen(receipt, text, shared) {
  const isPlace = receipt.spans.length > 0 && /^(?:team )?step \d+ · |^(?:团队)?第 ?\d+ ?步 ?· /.test(receipt.reason);
  const phrases = isPlace ? [] : receipt.reason.split("; ").filter(Boolean);
  const told = phrases.filter((phrase) => !BY_WORDS.test(phrase));
  const lines = told.map((phrase) => [reasonSentence(phrase, text), " "]);
  if (shared.length) lines.push(sentenceOf("why.shared", { words: shared.map((word, at) => [at > 0 && ", ", said(word, "b")]) }));
  else if (told.length < phrases.length) lines.push(t("why.elsewhere"));
  return lines.length ? lines : t("why.rank");
}
