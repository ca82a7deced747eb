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

/** A chart of one line an arm that follows its width; `shown` writes a value. */
function lineChart(series, label, shown, bound = null) {
  const place = h("div.chart.lines");
  const tip = h("div.chart-tip", { hidden: true });
  const draw = () => place.clientWidth && place.replaceChildren(picture(place.clientWidth, series, label, shown, tip, bound), tip);
  new ResizeObserver(draw).observe(place);
  return place;
}

/** Round steps for an axis of any size, also for cents. */
function ticksOf(most) {
  const scale = most > 0 && most < 40 ? 10 ** (2 - Math.floor(Math.log10(most))) : 1;
  return axisSteps(most * scale).map((step) => step / scale);
}

function picture(width, series, label, shown, tip, bound) {
  const [height, left, right, top, bottom] = [236, 58, 14, 12, 30];
  const count = Math.max(1, ...ARMS.map((name) => series[name].length));
  const steps = ticksOf(Math.max(bound ?? 0, ...ARMS.map((name) => series[name].reduce((a, b) => Math.max(a, b), 0))));
  const x = (at) => left + (count < 2 ? 0.5 : at / (count - 1)) * (width - left - right);
  const y = (value) => height - bottom - (value / (steps.at(-1) || 1)) * (height - top - bottom);
  const path = (values) => values.map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor((width - left - right) / 46))));
  const cursor = svg("line.cursor", { x1: 0, x2: 0, y1: top, y2: height - bottom, visibility: "hidden" });
  const drawn = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    steps.map((value) => [
      svg("line.grid", { x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text.tick", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, shown(value)),
    ]),
    Array.from({ length: count }, (_, at) => at).map(
      (at) => at % every === 0 && svg("text.tick", { x: x(at), y: height - 10, "text-anchor": "middle" }, number(at + 1)),
    ),
    bound !== null && svg("line.bound", { x1: left, x2: width - right, y1: y(bound), y2: y(bound) }),
    [...ARMS.filter((name) => name !== "amb"), ...ARMS.filter((name) => name === "amb")].map((name) => svg(`path.curve.${seriesOf(name)}`, { d: path(series[name]) })),
    count < 2 && ARMS.map((name) => svg(`circle.${seriesOf(name)}`, { cx: x(0), cy: y(series[name][0] ?? 0), r: 3 })),
    cursor,
  );
  followCalls(drawn, { series, shown, tip, cursor, x, count });
  return drawn;
}

function followCalls(drawn, { series, shown, tip, cursor, x, count }) {
  drawn.addEventListener("pointermove", (event) => {
    const at = event.clientX - drawn.getBoundingClientRect().left;
    const nearest = Array.from({ length: count }, (_, each) => each).reduce((best, each) =>
      Math.abs(x(each) - at) < Math.abs(x(best) - at) ? each : best,
    );
    setAttributes(cursor, { x1: x(nearest), x2: x(nearest), visibility: "visible" });
    tip.hidden = false;
    tip.replaceChildren(
      h("b", t("call.of", { n: number(nearest + 1), all: number(count) })),
      ...ARMS.filter((name) => series[name].length > nearest).map((name) => h("span", armTag(name), ` ${shown(series[name][nearest])}`)),
    );
    const [room, wide] = [drawn.clientWidth, tip.offsetWidth];
    tip.style.left = `${Math.max(0, Math.min(room - wide, x(nearest) + (x(nearest) > room / 2 ? -wide - 12 : 12)))}px`;
  });
  drawn.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    tip.hidden = true;
  });
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
  const charts = (chosen) => [lineChart(byCall(chosen, "tokens"), t("part.curves"), tokensShown, REPLAY.bound)];
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
        return h("div", h("h3", title), lineChart(paid(chosen, cached), title, shown));
      }),
    ),
  ];
  return chosenPart("cost", charts, priceNote());
}
