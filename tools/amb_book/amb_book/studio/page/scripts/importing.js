// Taking in a manuscript that exists: one file, beside everything else, with how far it is.

import { byId, choice, field, h, heard, named, said, t, trouble } from "./dom.js";
import { changed, look } from "./book_state.js";
import { ask, send } from "./net.js";
import { redraw } from "./tabs.js";

const MOST = 5_242_880;
const EVERY = 600;
let looking = false;

export async function drawImport() {
  const told = await ask("/api/import");
  if (told.state === "running") follow();
  return [
    h("h2", t("tab.import")),
    h("p", t("import.intro")),
    told.state === "running" ? progress(told) : form(told.facts),
    told.state === "failed" && h("p.is-error", { role: "alert" }, t(`error.${told.error.kind}`) || told.error.text),
    told.state === "done" && result(told),
  ];
}

function form(reads) {
  const file = h("input", { id: "manuscript", type: "file", accept: ".txt,.md,text/plain", required: true, "data-key": "manuscript" });
  const settle = choice([...(reads ? ["facts"] : []), "names", "nothing"].map((each) => [each, t(`import.settle.${each}`)]), reads ? "facts" : "names", { id: "import-settle" });
  return h(
    "form.search.import-form",
    {
      submit: (event) => {
        event.preventDefault();
        take(file.files[0], settle.value);
      },
    },
    field(t("import.file"), file),
    field(t("import.settle"), settle),
    h("p.muted", t("import.form")),
    h("button.main", { "data-key": "import" }, t("import.do")),
  );
}

const progress = (told) => {
  const label = told.of ? t("import.running", { done: told.done, of: told.of }) : t("working");
  return [h("progress", { id: "import-progress", max: String(told.of || 1), "aria-label": label, ...(told.of ? { value: told.done } : {}) }), h("p.muted", label)];
};

const result = (told) => [
  h("h3", { id: "import-result", tabindex: "-1" }, t("import.found", { n: told.chapters, first: told.first })),
  told.already > 0 && h("p.muted", t("import.already", { n: told.already })),
  told.unread.length > 0 && h("p.note", { role: "status" }, t("import.unread", { chapters: told.unread.join(", ") })),
  told.left_out > 0 && h("p.muted", t("import.left_out", { n: told.left_out })),
  told.cast.length > 0 && [
    h("h3", t("import.cast")),
    h("ul.names", told.cast.slice(0, 60).map((each) => h("li.chip", said(each.name), " ", h("span.muted", named("kind", each.kind))))),
  ],
];

async function take(file, settle) {
  if (!file) return;
  if (file.size > MOST) {
    trouble(t("import.too_long"));
    return;
  }
  try {
    await send("/api/import", { settle }, file);
    trouble("");
    heard(t("working"));
    await redraw();
  } catch (error) {
    trouble(error.message);
  }
}

/** Look again until it is done, wherever the author is meanwhile. */
async function follow() {
  if (looking) return;
  looking = true;
  let told;
  do {
    await new Promise((done) => setTimeout(done, EVERY));
    told = await ask("/api/import").catch((error) => ({ state: "failed", error }));
    const bar = byId("import-progress");
    if (bar && told.of) {
      const label = t("import.running", { done: told.done, of: told.of });
      Object.assign(bar, { max: told.of, value: told.done, ariaLabel: label });
      bar.nextElementSibling.replaceChildren(label);
    }
  } while (told.state === "running");
  looking = false;
  if (told.state === "done") heard(t("import.found", { n: told.chapters, first: told.first }));
  await look();
  changed("book");
}
