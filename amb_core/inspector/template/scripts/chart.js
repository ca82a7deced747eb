// The chart of tokens turn by turn: what the requests would have weighed raw, and what was sent.

/** A line chart that follows its width; `onTurn(step)` when a turn is clicked. */
function tokenChart(onTurn) {
  const place = h("div.chart");
  const draw = () => place.clientWidth && place.replaceChildren(chartPicture(place.clientWidth, onTurn), place.tip);
  place.tip = h("div.chart-tip", { hidden: true });
  new ResizeObserver(draw).observe(place);
  return place;
}

function chartPicture(width, onTurn) {
  const [height, left, right, top, bottom] = [236, 52, 92, 12, 30];
  const steps = axisSteps(INJECTIONS.reduce((most, turn) => Math.max(most, turn.raw_tokens, turn.prompt_tokens), 0));
  const x = (step) => left + (INJECTIONS.length < 2 ? 0.5 : step / (INJECTIONS.length - 1)) * (width - left - right);
  const y = (tokens) => height - bottom - (tokens / (steps.at(-1) || 1)) * (height - top - bottom);
  const line = (field) =>
    INJECTIONS.map((turn, step) => `${step ? "L" : "M"}${x(step).toFixed(1)} ${y(turn[field]).toFixed(1)}`).join("");
  const area = (field) => `${line(field)}L${x(LAST_STEP - 1).toFixed(1)} ${y(0)}L${x(0).toFixed(1)} ${y(0)}Z`;
  const every = Math.max(1, Math.ceil(INJECTIONS.length / Math.max(2, Math.floor((width - left - right) / 46))));
  const cursor = svg("line.cursor", { x1: 0, x2: 0, y1: top, y2: height - bottom, visibility: "hidden" });
  const picture = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": chartSummary() },
    steps.map((value) => [
      svg("line.grid", { x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text.tick", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, short(value)),
    ]),
    INJECTIONS.map(
      (turn, step) =>
        step % every === 0 &&
        svg("text.tick", { x: x(step), y: height - 10, "text-anchor": "middle" }, number(turn.turn)),
    ),
    svg("path.raw-area", { d: area("raw_tokens") }),
    svg("path.raw-line", { d: line("raw_tokens") }),
    svg("path.prompt-area", { d: area("prompt_tokens") }),
    svg("path.prompt-line", { d: line("prompt_tokens") }),
    INJECTIONS.length < 40 &&
      ["raw", "prompt"].map((kind) =>
        INJECTIONS.map((turn, step) =>
          svg(`circle.${kind}-dot`, { cx: x(step), cy: y(turn[`${kind}_tokens`]), r: 2.6 }),
        ),
      ),
    endLabels(x(LAST_STEP - 1) + 9, y),
    cursor,
  );
  followPointer(picture, cursor, x, onTurn);
  return picture;
}

/** The two lines' last values at their ends, the larger one above, kept apart where they would overlap. */
function endLabels(x, y) {
  const last = INJECTIONS.at(-1);
  const values = { raw: last.raw_tokens, prompt: last.prompt_tokens };
  const [upper, lower] = values.raw >= values.prompt ? ["raw", "prompt"] : ["prompt", "raw"];
  const under = Math.max(y(values[lower]), 42);
  const at = { [lower]: under, [upper]: Math.max(12, Math.min(y(values[upper]), under - 30)) };
  return ["raw", "prompt"].map((kind) => [
    svg(`text.end.${kind}-text`, { x, y: at[kind] }, short(values[kind])),
    svg(`text.end-name.${kind}-text`, { x, y: at[kind] + 13 }, t(`chart.${kind}`)),
  ]);
}

const chartSummary = () => {
  const last = INJECTIONS.at(-1);
  return t("chart.summary", {
    n: number(INJECTIONS.length),
    prompt: number(last.prompt_tokens),
    raw: number(last.raw_tokens),
  });
};

function followPointer(picture, cursor, x, onTurn) {
  const nearest = (event) => {
    const at = event.clientX - picture.getBoundingClientRect().left;
    return INJECTIONS.reduce((best, _, step) => (Math.abs(x(step) - at) < Math.abs(x(best) - at) ? step : best), 0);
  };
  picture.addEventListener("pointermove", (event) => {
    const step = nearest(event);
    const turn = INJECTIONS[step];
    const tip = picture.parentElement.tip;
    setAttributes(cursor, { x1: x(step), x2: x(step), visibility: "visible" });
    tip.hidden = false;
    tip.replaceChildren(
      h("b", stepName(step)),
      h("span.raw-text", `${t("chart.raw")} ${number(turn.raw_tokens)}`),
      h("span.prompt-text", `${t("chart.prompt")} ${number(turn.prompt_tokens)}`),
      said(clip(turn.query, 60), "span.muted"),
    );
    const [room, wide] = [picture.clientWidth, tip.offsetWidth];
    tip.style.left = `${Math.max(0, Math.min(room - wide, x(step) + (x(step) > room / 2 ? -wide - 12 : 12)))}px`;
  });
  picture.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    picture.parentElement.tip.hidden = true;
  });
  picture.addEventListener("click", (event) => onTurn(nearest(event)));
}
