// The frame of a page of parts: navigation within the page, and its two languages. A page defines PARTS, headPart and figures.

function goTo(name) {
  const heading = document.getElementById(`part-${name}`);
  heading.closest("section").scrollIntoView({ block: "start" });
  heading.focus({ preventScroll: true });
}

function build() {
  document.documentElement.lang = words.language === "zh" ? "zh-CN" : "en";
  const other = words.language === "zh" ? "en" : "zh";
  const parts = Object.entries(PARTS)
    .map(([name, made]) => [name, made()])
    .filter(([, element]) => element !== null);
  const language = button(other === "zh" ? "中文" : "English", () => switchLanguage(other), {
    class: "quiet language",
    lang: other === "zh" ? "zh-CN" : "en",
  });
  const main = h(
    "main",
    { id: "main", tabindex: "-1" },
    h("div.page.team-page", headPart(), figures(), parts.map(([, element]) => element)),
  );
  document.getElementById("app").replaceChildren(
    button(t("nav.skip"), () => main.focus(), { class: "skip" }),
    h(
      "header.top",
      h("div.brand", h("b", "AMB"), h("span", t("nav.brand"))),
      h(
        "nav",
        { "aria-label": t("nav.label") },
        parts.map(([name]) => button(t(`part.${name}`), () => goTo(name), { class: "tab" })),
      ),
      language,
    ),
    h("div.body", main),
  );
}

function switchLanguage(language) {
  const at = document.getElementById("main").scrollTop;
  words.language = language;
  build();
  document.getElementById("main").scrollTop = at;
  document.querySelector(".language").focus();
}

build();
