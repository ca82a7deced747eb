// How the world of the book is: entries by key, and those that fit a question.

import { byId, h, said, t } from "./dom.js";
import { ask } from "./net.js";
import { redraw } from "./tabs.js";

let query = "";

export async function drawLore() {
  const { entries } = await ask("/api/lore", { query });
  return [
    h("h2", t("tab.lore")),
    h("form.search",
      {
        submit: (event) => {
          event.preventDefault();
          query = byId("lore-query").value.trim();
          redraw();
        },
      },
      h("label", { for: "lore-query" }, t("lore.search")),
      h("div.beside",
        h("input", { id: "lore-query", value: query, dir: "auto", autocomplete: "off", maxlength: "400", "data-key": "lore-query" }),
        h("button.main", { "data-key": "lore-find" }, t("find")),
      ),
    ),
    entries.length ? h("ul.lore", entries.map((each) => h("li.card", h("h3", said(each.key), " ", h("span.badge", said(each.kind))), said(each.text, "p")))) : h("p.muted", t(query ? "lore.nothing" : "lore.none")),
  ];
}
