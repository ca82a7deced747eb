// A page of parts: navigation within the page. A page defines PARTS, headPart and figures.

function goTo(name) {
  const heading = document.getElementById(`part-${name}`);
  heading.closest("section").scrollIntoView({ block: "start" });
  heading.focus({ preventScroll: true });
}

function build() {
  const at = document.getElementById("main")?.scrollTop ?? 0;
  const parts = Object.entries(PARTS)
    .map(([name, made]) => [name, made()])
    .filter(([, element]) => element !== null);
  const content = h("div.page.stack", headPart(), figures(), parts.map(([, element]) => element));
  const main = h("main", { id: "main", tabindex: "-1" }, content);
  const tabs = parts.map(([name]) => button(t(`part.${name}`), () => goTo(name), { class: "tab" }));
  drawFrame({ name: t("nav.brand"), tabs, main, drawn: build });
  main.scrollTop = at;
}

build();
