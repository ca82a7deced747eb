// The frame of the pages that are one file: the bar with its places, and the switch between two languages.

const LOGO = () =>
  svg(
    "svg.logo",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M6 7 12 17 18 7M6 7H18" }),
    [6, 18, 12].map((cx, at) => svg("circle", { cx, cy: at < 2 ? 7 : 17, r: 3 })),
  );

/** Draws the page anew around `body`; `tabs` are its places, `beside` stands before the switch, `drawn()` comes last. */
function drawFrame({ name, tabs, beside = null, main, panel = null, drawn }) {
  const zh = words.language === "zh";
  document.documentElement.lang = zh ? "zh-CN" : "en";
  const other = zh ? "en" : "zh";
  const switched = () => {
    words.language = other;
    drawn();
    document.querySelector(".language").focus();
  };
  document.getElementById("app").replaceChildren(
    button(t("nav.skip"), () => main.focus(), { class: "skip" }),
    h(
      "header.top",
      h("div.brand", LOGO(), h("b", "AMB"), h("span", name)),
      h("nav", { "aria-label": t("nav.label") }, tabs),
      beside,
      button(zh ? "English" : "中文", switched, { class: "quiet language", lang: zh ? "en" : "zh-CN" }),
    ),
    h("div.body", main, panel),
    h("div.notice", { id: "notice", role: "status", "aria-live": "polite" }),
  );
}
