// The receipts: what model calls cost by role and by tool result, and what local agents did instead.

const USAGE = BANK.usage ?? { spent: {}, fallbacks: {}, fallback_reasons: {} };
const BILLS = (BANK.bills ?? []).filter((bill) => Object.keys(bill.spent).length);
const HAS_RECEIPTS = Object.keys(USAGE.spent).length + Object.keys(USAGE.fallbacks).length + BILLS.length > 0;

const SUMMED = ["calls", "failed_calls", "prompt_tokens", "cached_tokens", "completion_tokens", "money", "unpriced_calls"];

/** Several usages as one. */
function summed(usages) {
  return Object.fromEntries(SUMMED.map((name) => [name, usages.reduce((sum, one) => sum + (one[name] ?? 0), 0)]));
}

/** What it cost; nothing is guessed where the price of a call is not known. */
const cost = (usage) => (usage.unpriced_calls ? t("usage.unpriced") : usage.money.toFixed(4));

const usageCells = (usage) => [
  ...["calls", "failed_calls", "prompt_tokens", "cached_tokens", "completion_tokens"].map((name) =>
    h("td.num", number(usage[name])),
  ),
  h("td.num", cost(usage)),
];
const USAGE_HEADS = ["usage.calls#", "usage.failed#", "usage.prompt#", "usage.cached#", "usage.answers#", "usage.cost#"];

function roleTable() {
  const roles = Object.entries(USAGE.spent).sort(([, a], [, b]) => b.prompt_tokens - a.prompt_tokens);
  const rows = roles.length > 1 ? [...roles, [null, summed(Object.values(USAGE.spent))]] : roles;
  const cells = ([role, usage]) => [h("td", role === null ? h("b", t("usage.all")) : said(role)), usageCells(usage)];
  return table(["usage.role", ...USAGE_HEADS], rows, cells, 20);
}

function billTable() {
  const rows = BILLS.map((bill) => [bill.entry_id, summed(Object.values(bill.spent))]);
  const cells = ([id, usage]) => [
    h("td", chip("entry", id)),
    h("td.wide", said(ENTRIES.has(id) ? sourceOf(ENTRIES.get(id)) : "")),
    usageCells(usage),
  ];
  return table(["table.entry", "table.source", ...USAGE_HEADS], rows, cells);
}

function fallbackTable() {
  const reasons = (role) =>
    Object.entries(USAGE.fallback_reasons[role] ?? {})
      .map(([reason, count]) => `${reason} ×${number(count)}`)
      .join(", ");
  const cells = ([role, count]) => [h("td", said(role)), h("td.num", number(count)), h("td.wide", said(reasons(role)))];
  return table(["usage.role", "usage.times#", "usage.reasons"], Object.entries(USAGE.fallbacks), cells);
}

/** The section of the overview; nothing where no model was ever asked. */
function receiptsSection() {
  if (!HAS_RECEIPTS) return null;
  return h(
    "div.receipts.stack",
    block("usage.roles", roleTable()),
    block("usage.results", billTable()),
    Object.keys(USAGE.fallbacks).length > 0 && block("usage.fallbacks", fallbackTable()),
  );
}
