// The slider over the requests, with a strip of what they cost.

/** The slider over the turns with a strip of what they cost; calls `onStep(step)`. */
function timeline(onStep) {
  const range = h("input", { type: "range", min: 0, max: LAST_STEP, step: 1, "aria-label": t("slider.label") });
  const [title, figures] = [h("strong"), h("span.muted")];
  const query = h("span.query");
  // The thumb stands under the middle of its bar: 8 px is half of it.
  range.style.width = `calc(${100 - 100 / (LAST_STEP + 1)}% + 16px)`;
  range.style.marginInlineStart = `calc(${50 / (LAST_STEP + 1)}% - 8px)`;
  const strip = h(
    "div.strip",
    { "aria-hidden": "true" },
    MOMENTS.map((_, step) => stripBar(step, onStep)),
    h("span.bar.now"),
  );
  range.addEventListener("input", () => onStep(Number(range.value)));
  const move = (by) => () => onStep(Math.max(0, Math.min(LAST_STEP, Number(range.value) + by)));
  const element = h(
    "div.timeline",
    h("div.timeline-text", title, query, figures),
    h(
      "div.timeline-rail",
      button("‹", move(-1), { class: "step", "aria-label": t("slider.back") }),
      h("div.rail", strip, range),
      button("›", move(1), { class: "step", "aria-label": t("slider.on") }),
    ),
  );
  return {
    element,
    range,
    update(step) {
      const turn = INJECTIONS[step];
      const about = turn
        ? turn.query
        : step < LAST_STEP
          ? sourceOf(MOMENTS[step])
          : t(INJECTIONS.length ? "turn.now.note" : "moment.now.note");
      range.value = String(step);
      range.setAttribute("aria-valuetext", plain(`${stepName(step)}: ${about}`));
      title.replaceChildren(plain(stepName(step)));
      query.replaceChildren(said(about));
      figures.replaceChildren(
        turn ? t("turn.cost", { prompt: number(turn.prompt_tokens), raw: number(turn.raw_tokens) }) : "",
      );
      [...strip.children].forEach((bar, index) => bar.classList.toggle("chosen", index === step));
    },
  };
}

/** What a step weighs on the strip: [without AMB, with AMB] in tokens, or an entry's characters. */
const weights = (step) =>
  INJECTIONS.length ? [INJECTIONS[step].raw_tokens, INJECTIONS[step].prompt_tokens] : [MOMENTS[step].text.length, 0];
const MOST = MOMENTS.reduce((most, _, step) => Math.max(most, ...weights(step)), 1);

/** One bar of the strip; a quarter of its height is left for the marks of conflicts and merges. */
function stripBar(step, onStep) {
  const [raw, prompt] = weights(step);
  const { conflicts, merges } = changesAt(step);
  const bar = h(
    "span.bar",
    h("i.raw-bar"),
    h("i.prompt-bar"),
    conflicts.length > 0 && h("b.had-conflict"),
    merges.length > 0 && h("b.had-merge"),
  );
  bar.children[0].style.height = `${(76 * raw) / MOST}%`;
  bar.children[1].style.height = `${(76 * prompt) / MOST}%`;
  bar.addEventListener("click", () => onStep(step));
  return bar;
}
