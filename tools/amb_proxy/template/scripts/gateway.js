// What the gateway did for its clients: all conversations in figures, then each of them with a way to its memory.

const PARTS = { conversations: conversationsPart, bypassed: bypassedPart };
const GATEWAY = DATA.gateway;
const ALL = GATEWAY.conversations;
const sum = (name) => ALL.reduce((total, one) => total + one[name], 0);
const times = (sent, raw) => (raw ? (sent / raw).toFixed(2) : "–");
const lessShare = (sent, raw) => (raw ? share(Math.abs(1 - sent / raw)) : "–");

function headPart() {
  const [requests, sent, raw] = ["requests", "sent_tokens", "raw_tokens"].map(sum);
  const values = { sent: number(sent), raw: number(raw), share: lessShare(sent, raw) };
  const told = requests ? plural(sent < raw ? "head.less" : "head.more", requests, values) : t("head.none");
  return h("header.goal", h("p.eyebrow", t("head.gateway")), said(GATEWAY.upstream, "h1"), h("p.lead", told), h("p.note", t("head.words")));
}

function figures() {
  const saved = sum("raw_tokens") - sum("sent_tokens");
  return h(
    "div.figures",
    figure(saved < 0 ? "extra" : "saved", number(Math.abs(saved)), lessShare(sum("sent_tokens"), sum("raw_tokens"))),
    figure("cost", times(sum("sent_billed"), sum("raw_billed")), t("figure.cost.note")),
    figure("entries", number(sum("entries")), plural("figure.entries.note", ALL.length)),
    figure("disputes", number(sum("disputes")), plural("figure.disputes.note", sum("failures"))),
  );
}

function conversationRow(one) {
  const open = () => location.assign(`conversations/${encodeURIComponent(one.id)}${location.search}`);
  return h(
    "tr",
    h("td", button(one.id, open, { class: "link", title: t("open.memory") })),
    h("td", one.user ? said(one.user) : h("span.muted", "–")),
    ["requests", "sent_tokens", "raw_tokens"].map((name) => h("td.num", number(one[name]))),
    h("td.num", times(one.sent_billed, one.raw_billed)),
    ["entries", "disputes", "failures"].map((name) => h("td.num", number(one[name]))),
  );
}

function conversationsPart() {
  if (!ALL.length) return part("conversations", 0, empty(t("conversations.none")));
  const columns = ["requests", "sent", "raw", "cost", "entries", "disputes", "failures"];
  const heads = [t("table.id"), t("table.user"), ...columns.map((name) => numeric(`table.${name}`))];
  return part("conversations", ALL.length, table(t("part.conversations"), heads, ALL.map(conversationRow)));
}

/** Requests that memory had no part in, and why. */
function bypassedPart() {
  const reasons = Object.entries(GATEWAY.bypassed);
  if (!reasons.length) return null;
  const rows = reasons.map(([why, count]) => h("tr", h("td.said", said(why)), h("td.num", number(count))));
  return part("bypassed", null, table(t("part.bypassed"), [t("table.why"), numeric("table.requests")], rows));
}
