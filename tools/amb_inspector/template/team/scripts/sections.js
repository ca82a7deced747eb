// Pieces of a page that is read from top to bottom: parts with headings, tables, texts that unfold.

/** A part of the page with a heading that the navigation leads to. */
function part(name, count, ...content) {
  return h(
    "section.block.part",
    { "aria-labelledby": `part-${name}` },
    h(
      "h2",
      { id: `part-${name}`, tabindex: "-1" },
      t(`part.${name}`),
      count !== null && h("span.muted", number(count)),
    ),
    ...content,
  );
}

/** The head of a column of numbers. */
const numeric = (key) => h("th.num", { scope: "col" }, t(key));

const table = (label, heads, rows) =>
  h(
    "div.table-wrap",
    { role: "region", "aria-label": label, tabindex: "0" },
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          heads.map((head) => (head instanceof Node ? head : h("th", { scope: "col" }, head))),
        ),
      ),
      h("tbody", rows),
    ),
  );

/** Text that is shown when asked for; long ones are not in the document before. */
function unfolding(label, content) {
  const box = h("details.unfold", h("summary", label));
  box.addEventListener("toggle", () => {
    if (box.open && box.childElementCount === 1) box.append(content());
  });
  return box;
}

const rawText = (text) => h("div.raw", { tabindex: "0", role: "group" }, said(text, "div.raw-text"));
