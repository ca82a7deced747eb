// What comes first: whether memory pays, the figures, what AMB left out, and all arms in a table.

const OUTCOMES = { pays: "is-success", less: "is-stale", bounds: "is-stale", plain: "is-stale", unclear: "is-normal", unknown: "is-normal" };
const MOST_MISSING = 200;

/** What is said about memory; where the recording cannot tell, the first reason stands in the same sentence. */
function verdict({ outcome, reasons }) {
  if (outcome !== "unclear") return [t(`verdict.${outcome}`), reasons];
  const [cause, ...others] = reasons;
  const because = t(cause.key.replace("reason.", "verdict.because."), cause.values);
  return [t("verdict.unclear", { because }), others];
}

function headPart() {
  const { outcome } = REPLAY.verdict;
  const [told, reasons] = verdict(REPLAY.verdict);
  return h(
    "header.goal",
    h("p.eyebrow", t("head.replay")),
    said(DATA.page.title, "h1"),
    h("p.outcome", h(`span.badge.${OUTCOMES[outcome]}`, told)),
    h("ul.reasons-list", reasons.map((reason) => h("li", sentence(reason)))),
    h("p.note", t("head.words")),
  );
}

function figures() {
  const full = REPLAY.arms.full;
  const amb = REPLAY.arms.amb ?? full;
  const { far } = amb.shares;
  return h(
    "div.figures",
    figure("calls", number(REPLAY.calls), plural("figure.calls.note", REPLAY.runs)),
    figure("peak", number(amb.peak), t("figure.peak.note", { n: number(full.peak) })),
    figure("saved", number(amb.tokens), t("figure.saved.note", { n: number(full.tokens) })),
    figure("cost", ratio(amb.ratio), t("figure.cost.note", { floor: ratio(REPLAY.floor) })),
    far.n > 0 && figure("far", `${percent(far.percent)} %`, t("figure.far.note", { n: number(far.n) })),
    figure("over", number(amb.over), t("figure.over.note", { n: number(full.over) })),
  );
}

// --- what AMB left out -----------------------------------------------------------------------------------------------

/** Everything needed later that AMB's request did not hold: strings first, those the agent never repeated before others. */
function missing() {
  const found = [];
  RUNS.forEach((run, index) =>
    run.steps.forEach((call, at) =>
      call.used.forEach((used) => {
        if (!used.there.includes("amb")) found.push({ run: index, at, used });
      }),
    ),
  );
  const rank = ({ used }) => (used.kind === "word" ? 4 : 0) + (used.said ? 2 : 0) + (used.there.length > 1 ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || a.run - b.run || a.at - b.at);
}

const callName = (run, at) => (RUNS.length > 1 ? t("call.named", { run: number(run + 1), n: number(at + 1) }) : number(at + 1));

function missingRow({ run, at, used }) {
  const others = used.there.filter((name) => name !== "full");
  return h(
    "tr",
    h("td", button(callName(run, at), () => showCall(run, at), { class: "chip node", title: t("part.calls") })),
    h("td.said", said(used.text, used.kind === "word" ? "bdi" : "code"), used.said && h("p.muted.reasons", t("failed.said"))),
    h("td.from", stepTag(used.from)),
    h("td", others.length ? others.map((name) => [armTag(name), " "]) : h("span.muted", "–")),
  );
}

function failedPart() {
  if (!HAS_AMB) return null;
  const found = missing();
  const over = RUNS.flatMap((run, index) =>
    run.tokens.amb.flatMap((tokens, at) => (tokens > REPLAY.bound ? [`${callName(index, at)} (${number(tokens)})`] : [])),
  );
  const heads = [t("failed.call"), t("failed.what"), t("failed.from"), t("failed.plain")];
  return part(
    "failed",
    found.length,
    over.length > 0 && h("p.private-note", t("failed.over", { list: over.slice(0, 50).join(", ") })),
    found.length ? table(t("part.failed"), heads, found.slice(0, MOST_MISSING).map(missingRow)) : empty(t("failed.nothing")),
    found.length > MOST_MISSING && h("p.note", t("failed.more", { n: number(found.length - MOST_MISSING) })),
  );
}

// --- all arms --------------------------------------------------------------------------------------------------------

const KINDS = ["far", "unsaid", "far_words", "newest_fit", "newest"];

function shareCell(share) {
  const range = share.low === null ? "" : `${Math.round(share.low)}–${Math.round(share.high)}`;
  return h("td.num", percent(share.percent), range && h("p.muted.reasons", `[${range}]`));
}

function armRow(name) {
  const arm = REPLAY.arms[name];
  return h(
    "tr",
    { class: name === "amb" ? "ours" : null },
    h("td", armTag(name)),
    h("td.num", number(arm.tokens)),
    h("td.num", ratio(arm.ratio)),
    h("td.num", ratio(arm.worst)),
    h("td.num", number(arm.peak)),
    h("td.num", number(arm.over)),
    REPLAY.price && [h("td.num", money(arm.uncached_money)), h("td.num", money(arm.cached_money))],
    KINDS.map((kind) => shareCell(arm.shares[kind])),
  );
}

function armsPart() {
  const columns = ["tokens", "ratio", "worst", "peak", "over", ...(REPLAY.price ? ["moneyUncached", "money"] : [])];
  const heads = [
    t("table.arm"),
    ...columns.map((name) => h("th.num", { scope: "col" }, t(`table.${name}`))),
    ...KINDS.map((kind) => h("th.num", { scope: "col" }, t(`kind.${kind}`), h("p.muted.reasons", `n ${number(REPLAY.arms.full.shares[kind].n)}`))),
  ];
  const explained = [...ARMS.map((name) => `arm.${name}`), ...["ratio", "worst", "over", "n"].map((name) => `table.${name}`), ...KINDS.map((kind) => `kind.${kind}`)];
  const words = h("dl.explained", explained.filter(hasWords).map((key) => pair(t(key), t(`${key}.note`))));
  return part("arms", null, table(t("part.arms"), heads, ARMS.map(armRow)), words, h("p.note.under", t("limits.note")));
}
