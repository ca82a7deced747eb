// Tokens request by request: what the requests would have weighed raw, and what was sent.

/** The chart; `onTurn(step)` when a request is clicked. */
function tokenChart(onTurn) {
  const values = { raw: INJECTIONS.map((turn) => turn.raw_tokens), prompt: INJECTIONS.map((turn) => turn.prompt_tokens) };
  const line = (kind, axes) => {
    const path = pathOf(values[kind], axes);
    const floor = `L${axes.x(LAST_STEP - 1).toFixed(1)} ${axes.y(0)}L${axes.x(0).toFixed(1)} ${axes.y(0)}Z`;
    const dot = (value, at) => svg(`circle.${kind}-dot`, { cx: axes.x(at), cy: axes.y(value), r: 2.6 });
    return [
      svg(`path.${kind}-area`, { d: path + floor }),
      svg(`path.${kind}-line`, { d: path }),
      INJECTIONS.length < 40 && values[kind].map(dot),
    ];
  };
  const tip = (step) => [
    h("b", stepName(step)),
    h("span.raw-text", `${t("chart.raw")} ${number(values.raw[step])}`),
    h("span.prompt-text", `${t("chart.prompt")} ${number(values.prompt[step])}`),
    said(clip(INJECTIONS[step].query, 60), "span.muted"),
  ];
  const [raw, prompt] = [values.raw.at(-1), values.prompt.at(-1)];
  return lineChart({
    count: INJECTIONS.length,
    most: [...values.raw, ...values.prompt].reduce((a, b) => Math.max(a, b), 0),
    label: t("chart.summary", { n: number(INJECTIONS.length), prompt: number(prompt), raw: number(raw) }),
    named: (step) => FOLLOWING[step].find(isStep)?.entry_id.slice(1) ?? "",
    right: 92,
    draw: (axes) => [line("raw", axes), line("prompt", axes), endLabels({ raw, prompt }, axes)],
    tip,
    onOpen: onTurn,
  });
}

/** The two lines' last values at their ends, the larger one above, kept apart where they would overlap. */
function endLabels(values, { x, y }) {
  const [upper, lower] = values.raw >= values.prompt ? ["raw", "prompt"] : ["prompt", "raw"];
  const under = Math.max(y(values[lower]), 42);
  const at = { [lower]: under, [upper]: Math.max(12, Math.min(y(values[upper]), under - 30)) };
  const left = x(LAST_STEP - 1) + 9;
  return ["raw", "prompt"].map((kind) => [
    svg(`text.end.${kind}-text`, { x: left, y: at[kind] }, short(values[kind])),
    svg(`text.end-name.${kind}-text`, { x: left, y: at[kind] + 13 }, t(`chart.${kind}`)),
  ]);
}
