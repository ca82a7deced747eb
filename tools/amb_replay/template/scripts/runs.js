// What the page is given, and the pieces that several parts share.

const PARTS = { failed: failedPart, arms: armsPart, curves: curvesPart, cost: costPart, calls: callsPart };
const REPLAY = DATA.replay;
const RUNS = REPLAY.traces;
const ARMS = REPLAY.order;
const HAS_AMB = ARMS.includes("amb");
const MOST_SERIES = 9;

/** The name of an arm in the language shown; one that the page does not know keeps its own. */
const armName = (name) => (hasWords(`arm.${name}`) ? t(`arm.${name}`) : plain(name));
/** The class of an arm's colour: AMB and everything have their own, in every report the same. */
const seriesOf = (name) => (name === "amb" || name === "full" ? `arm-${name}` : `series-${ARMS.indexOf(name) % MOST_SERIES}`);
const armTag = (name) => h("span.agent", h(`span.dot.${seriesOf(name)}`, { "aria-hidden": "true" }), said(armName(name)));

const percent = (value) => (value === null ? "–" : value.toFixed(1));
const ratio = (value) => (Number.isFinite(value) ? value.toFixed(2) : "–");
const money = (value) => (value === null ? "–" : value.toFixed(value < 1 ? 4 : 2));

/** A sentence whose places are filled with figures and, for an arm, its name. */
const sentence = ({ key, values }) => t(key, "arm" in values ? { ...values, arm: armName(values.arm) } : values);

/** Where something stood: the step and its tool. */
const stepTag = (from) => from.map(([step, tool]) => said(t("step.named", { n: number(step), tool: tool || "–" })));

/** A choice of runs; `onChoice(index)`, -1 for all of them together. */
function runChoice(chosen, onChoice, { all = false } = {}) {
  if (RUNS.length < 2) return null;
  const option = (value, label) => h("option", { value, selected: value === chosen }, label);
  const select = h(
    "select",
    { "aria-label": t("call.run"), change: (event) => onChoice(Number(event.target.value)) },
    all && option(-1, t("call.all")),
    RUNS.map((run, index) => option(index, clip(`${index + 1} · ${run.id}`, 60))),
  );
  return h("label.choice", t("call.run"), " ", select);
}
