// Curves by call: the tokens of each request, and what has been paid so far.

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** By arm, what each call has in one run, or in the mean of all runs that come so far. */
function byCall(chosen, field) {
  const of = (name) => {
    if (chosen >= 0) return RUNS[chosen][field][name];
    const longest = Math.max(0, ...RUNS.map((run) => run[field][name].length));
    return Array.from({ length: longest }, (_, at) =>
      mean(RUNS.map((run) => run[field][name]).filter((values) => values.length > at).map((values) => values[at])),
    );
  };
  return Object.fromEntries(ARMS.map((name) => [name, of(name)]));
}

const summed = (values) => {
  let sum = 0;
  return values.map((value) => (sum += value));
};

/** The paid so far by arm, in money where the price is known. */
function paid(chosen, cached) {
  const factor = REPLAY.price ? REPLAY.price.prompt / 1e6 : 1;
  const found = byCall(chosen, cached ? "billed" : "tokens");
  return Object.fromEntries(ARMS.map((name) => [name, summed(found[name]).map((value) => value * factor)]));
}

/** A chart of one line an arm; `shown` writes a value, `bound` is drawn across. */
function armChart(series, label, shown, bound = null) {
  const count = Math.max(1, ...ARMS.map((name) => series[name].length));
  const order = [...ARMS.filter((name) => name !== "amb"), ...ARMS.filter((name) => name === "amb")];
  const draw = ({ x, y, end }) => [
    bound !== null && svg("line.bound", { x1: x(0), x2: end, y1: y(bound), y2: y(bound) }),
    order.map((name) => svg(`path.curve.${seriesOf(name)}`, { d: pathOf(series[name], { x, y }) })),
    count < 2 && ARMS.map((name) => svg(`circle.${seriesOf(name)}`, { cx: x(0), cy: y(series[name][0] ?? 0), r: 3 })),
  ];
  const tip = (at) => [
    h("b", t("call.of", { n: number(at + 1), all: number(count) })),
    ...ARMS.filter((name) => series[name].length > at).map((name) => h("span", armTag(name), ` ${shown(series[name][at])}`)),
  ];
  const most = Math.max(bound ?? 0, ...ARMS.map((name) => series[name].reduce((a, b) => Math.max(a, b), 0)));
  const chart = lineChart({ count, most, label, shown, draw, tip });
  chart.classList.add("lines");
  return chart;
}

const legend = () => h("p.legend-line", ARMS.map((name) => [armTag(name), " "]));

/** A part whose charts are drawn for the run that is chosen. */
function chosenPart(name, charts, note) {
  const first = RUNS.length > 1 ? -1 : 0;
  const place = h("div");
  const draw = (chosen) => place.replaceChildren(...charts(chosen));
  draw(first);
  return part(name, null, runChoice(first, draw, { all: true }), legend(), place, h("p.note.under", note));
}

const tokensShown = (value) => short(Math.round(value));

function curvesPart() {
  const charts = (chosen) => [armChart(byCall(chosen, "tokens"), t("part.curves"), tokensShown, REPLAY.bound)];
  return chosenPart("curves", charts, t("curve.note"));
}

function priceNote() {
  const { price } = REPLAY;
  const note = t("cost.note", { unit: t(price ? "unit.money" : "unit.tokens"), share: ratio(REPLAY.cached_share) });
  if (!price) return note;
  const when = price.as_of ? t("cost.priceWhen", { day: price.as_of }) : t("cost.priceOwn");
  return `${note} ${t("cost.price", { model: price.model, prompt: price.prompt, cached: price.cached, when })}`;
}

function costPart() {
  const shown = REPLAY.price ? money : tokensShown;
  const charts = (chosen) => [
    h(
      "div.pairs",
      [true, false].map((cached) => {
        const title = t(cached ? "cost.cached" : "cost.uncached");
        return h("div", h("h3", title), armChart(paid(chosen, cached), title, shown));
      }),
    ),
  ];
  return chosenPart("cost", charts, priceNote());
}
