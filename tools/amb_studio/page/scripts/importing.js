// Taking in a manuscript that exists.

import { byId, h, heard, said, t, trouble } from "./dom.js";
import { changed } from "./book_state.js";
import { tell } from "./net.js";
import { redraw } from "./tabs.js";

const MOST = 7_500_000;
const kept = { chapters: null, imports: true, working: false };
export const importsAre = (there) => (kept.imports = there);

export async function drawImport() {
  return [
    h("h2", t("tab.import")),
    h("p", t(kept.imports ? "import.intro" : "import.unavailable")),
    kept.imports && h("form.search", { submit: take },
      h("label", { for: "manuscript" }, t("import.file")),
      h("input", { id: "manuscript", type: "file", accept: ".txt,.md,text/plain", required: true, "data-key": "manuscript" }),
      h("button.main", { disabled: kept.working, "data-key": "import" }, t(kept.working ? "working" : "import.do")),
    ),
    kept.chapters && [
      h("h3", { id: "import-result", tabindex: "-1" }, t("import.found", { n: kept.chapters.length })),
      h("ol.chapters", kept.chapters.map((each) => h("li", { value: String(each.number) }, `${each.number}. `, said(each.title)))),
    ],
  ];
}

async function take(event) {
  event.preventDefault();
  const file = byId("manuscript").files[0];
  if (!file) return;
  if (file.size > MOST) {
    trouble(t("error.too_long"));
    return;
  }
  kept.working = true;
  heard(t("working"));
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    kept.chapters = (await tell("/api/import", { text })).chapters;
    trouble("");
    heard(t("import.found", { n: kept.chapters.length }));
    changed("book");
  } catch (error) {
    trouble(error instanceof TypeError ? t("import.encoding") : error.message);
  } finally {
    kept.working = false;
    await redraw();
    byId("import-result")?.focus();
  }
}
