// The first question, answered: what did memory do for the agent? Nothing is guessed, and a loss is called one.

const USES = DATA.uses;
const USES_OF = grouped(USES.map((use) => [use.turn, use]));
/** What an agent asks a model for on its own account; every other role works for memory. */
const OF_AGENT = new Set(["react", "visit"]);
const GAIN = gained();

/** Tokens sent, tokens of the same requests without memory, and what memory itself asked models for. */
function gained() {
  const total = (field) => INJECTIONS.reduce((sum, turn) => sum + turn[field], 0);
  const own = summed(Object.entries(USAGE.spent).flatMap(([role, usage]) => (OF_AGENT.has(role) ? [] : [usage])));
  const [sent, raw, asked] = [total("prompt_tokens"), total("raw_tokens"), own.prompt_tokens + own.completion_tokens];
  return { own, sent, raw, asked, saved: raw - sent - asked };
}

/** The answer in a sentence or two. */
function gainSentences() {
  if (!INJECTIONS.length) return `${t("gain.none")} ${t("turn.none.long")}`;
  const { own, sent, raw, asked, saved } = GAIN;
  const part = share(Math.abs(saved) / (raw || 1));
  const values = { sent: number(sent), raw: number(raw), share: part, more: number(-saved), asked: number(asked) };
  if (saved <= 0 && sent < raw) return plural("gain.spent", INJECTIONS.length, { ...values, calls: number(own.calls) });
  const first = plural(saved > 0 ? "gain.less" : "gain.more", INJECTIONS.length, values);
  return asked ? `${first} ${plural("gain.asked", own.calls, values)}` : first;
}

/** Why the money is not counted; null where every price is known. */
function unpriced() {
  const { model, prompt } = DATA.price;
  if (prompt === null) return model ? t("cost.unknown", { model: plain(model) }) : t("cost.noModel");
  return GAIN.own.unpriced_calls ? t("cost.ownUnknown") : null;
}

function moneyFigure() {
  const { model, prompt, currency, day } = DATA.price;
  const money = ((GAIN.raw - GAIN.sent) * prompt) / 1e6 - GAIN.own.money;
  const told = { model: plain(model), price: prompt, day: day && ` (${day})` };
  return figure("cost", `${money.toFixed(Math.abs(money) < 1 ? 4 : 2)} ${currency}`, t("cost.note", told));
}

function neededFigure() {
  const there = counted(USES, (use) => use.there);
  return figure("needed", t("needed.share", { there: number(there), all: number(USES.length) }), t("needed.note"));
}

const disputesNote = () =>
  STATUSES.map((status) => [status, counted(BANK.conflicts, (one) => one.status === status)])
    .filter(([, n]) => n)
    .map(([status, n]) => `${number(n)} ${t(`status.${status}`)}`)
    .join(" · ") || t("disputes.none.short");

/** What can be told in figures; why the others cannot is told in sentences. */
function gainFigures() {
  const { raw, saved } = GAIN;
  const most = INJECTIONS.reduce((best, turn) => Math.max(best, turn.prompt_tokens), 0);
  const note = t("gain.note", { share: share(Math.abs(saved) / (raw || 1)), most: number(most) });
  const isLogged = INJECTIONS.length > 0;
  return h(
    "div.figures.gain-figures",
    isLogged && figure(saved < 0 ? "extra" : "saved", number(Math.abs(saved)), note, () => go({ view: "turns" })),
    isLogged && !unpriced() && moneyFigure(),
    USES.length > 0 && neededFigure(),
    figure("conflicts", number(BANK.conflicts.length), disputesNote(), () => go({ view: "conflicts" })),
  );
}

function gainSection() {
  return h(
    "section.gain",
    { "aria-labelledby": "gain" },
    h("h2", { id: "gain" }, t("gain.title")),
    h("p.lead", gainSentences()),
    gainFigures(),
    INJECTIONS.length > 0 && [
      button([t("gain.why"), " →"], () => go({ view: "turns" }), { class: "main" }),
      h("p.note", t("gain.words"), " ", unpriced(), " ", !USES.length && t("needed.none")),
    ],
  );
}

// --- needed later ----------------------------------------------------------------------------------------------------

/** A value that a step used, with the result it came from, whether the block said it, and a link to the request. */
function useLine(use) {
  return h(
    "li.use",
    h(`span.${use.there ? "did" : "did-not"}`, { role: "img", "aria-label": t(use.there ? "use.there" : "use.not") }, use.there ? "✓" : "✗"),
    h(
      "p",
      said(clip(use.value, 90), "code"),
      h("span.muted", ` ${t("use.from")} `),
      stepLink(use.source),
      h("span.muted", ` ${t("use.by")} `),
      button(stepLabel(use.call), () => go({ view: "turns", step: use.turn }), { class: "link" }),
    ),
  );
}

const neededPart = () => [longList("ul.uses", USES.map(useLine), 6), USES.some((use) => !use.there) && h("p.note", t("use.not.note"))];

// --- disputes --------------------------------------------------------------------------------------------------------

/** One contradiction in two lines: what it is about, and both values with what became of them. */
function disputeLine(conflict) {
  const kept = DATA.outcomes[conflict.id]?.kept ?? null;
  const value = (text, at) => [
    at > 0 && h("span.muted", " / "),
    said(clip(text, 80), kept === null ? "bdi" : kept === at ? "b" : "del"),
    kept === at && h("span.fate", ` ${t("fate.kept")}`),
  ];
  return h(
    "li",
    h("p", chip("conflict", conflict.id), " ", statusBadge(conflict.status), " ", said(conflict.subject || clip(conflict.description, 120))),
    conflict.subject && conflict.values.length > 0 && h("p.dispute-values", conflict.values.map(value)),
  );
}

const disputesPart = () =>
  BANK.conflicts.length
    ? longList("ul.disputes", [...BANK.conflicts].sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status)).map(disputeLine), 4)
    : empty(t("disputes.none"));
