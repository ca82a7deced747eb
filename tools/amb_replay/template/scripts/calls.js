// Any call of any run: what the agent did next, what it used, where that was, and what AMB wrote into the request.

const chosenCall = { run: 0, at: mostMade(0) };

/** The call of a run into whose request AMB wrote the most, the first of them: there is most to see. */
function mostMade(run) {
  const written = (RUNS[run]?.steps ?? []).map((call) => call.made.reduce((sum, [, , tokens]) => sum + tokens, 0));
  return Math.max(0, written.indexOf(Math.max(...written)));
}

function usedTable(call) {
  if (!call.used.length) return empty(t("call.usedNothing"));
  const heads = [t("call.what"), t("failed.from"), ...ARMS.map((name) => h("th", { scope: "col" }, armName(name)))];
  const cell = (used, name) => {
    const there = used.there.includes(name);
    return h("td", h(`span.${there ? "did" : "did-not"}`, { title: t(there ? "there.yes" : "there.no") }, there ? "✓" : "✗"));
  };
  const row = (used) =>
    h(
      "tr",
      h("td.said", said(used.text, used.kind === "word" ? "bdi" : "code"), used.near && h("p.muted.reasons", t("kind.newest"))),
      h("td.from", stepTag(used.from)),
      ARMS.map((name) => cell(used, name)),
    );
  const rank = (used) => (used.near ? 2 : 0) + (used.kind === "word" ? 1 : 0);
  return table(t("call.used"), heads, [...call.used].sort((a, b) => rank(a) - rank(b)).map(row));
}

function madeTexts(call) {
  if (!call.made.length) return empty(t(call.kept ? "call.none" : "call.notKept"));
  return [
    call.made.map(([role, place, tokens], index) => {
      const box = unfolding(t("call.made", { role, n: number(tokens) }), () => rawText(REPLAY.texts[place]));
      if (index === call.made.length - 1) box.open = true;
      return box;
    }),
    !call.kept && empty(t("call.notKept")),
  ];
}

function callDetail() {
  const run = RUNS[chosenCall.run];
  const call = run?.steps[chosenCall.at];
  if (!call) return [];
  return [
    h("h3", t("call.sizes")),
    h("p.sizes", ARMS.map((name) => h("span", armTag(name), ` ${number(run.tokens[name][chosenCall.at])}`))),
    h("h3", t("call.action")),
    rawText(call.action),
    h("h3", t("call.used")),
    usedTable(call),
    HAS_AMB && [h("h3", t("call.block")), madeTexts(call)],
  ];
}

/** The part with its controls; `showCall` leads to it. */
function callsPart() {
  const place = h("div.call-detail", { id: "call-detail" });
  const controls = h("div.call-controls");
  const draw = () => {
    const count = RUNS[chosenCall.run]?.steps.length ?? 0;
    const go = (at) => {
      chosenCall.at = Math.max(0, Math.min(count - 1, at));
      draw();
    };
    const choose = (run) => {
      chosenCall.run = run;
      go(mostMade(run));
    };
    const name = t("call.of", { n: number(count ? chosenCall.at + 1 : 0), all: number(count) });
    const rail = h("input", { type: "range", min: "1", max: String(Math.max(1, count)), value: String(chosenCall.at + 1), "aria-label": name });
    rail.addEventListener("change", () => go(Number(rail.value) - 1));
    controls.replaceChildren(
      ...[runChoice(chosenCall.run, choose), h("b", name), h("div.rail", rail)].filter(Boolean),
      button("‹", () => go(chosenCall.at - 1), { class: "step", title: "−1" }),
      button("›", () => go(chosenCall.at + 1), { class: "step", title: "+1" }),
    );
    place.replaceChildren(h("div", callDetail()));
  };
  callsPart.draw = draw;
  draw();
  return part("calls", null, controls, place);
}

function showCall(run, at) {
  Object.assign(chosenCall, { run, at });
  callsPart.draw();
  goTo("calls");
}
