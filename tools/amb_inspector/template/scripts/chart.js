// The frame of a line chart: grid, ticks, a cursor and a tip that follow the pointer. What is drawn in it is its page's.

/** Round steps for an axis: about four of 1, 2 or 5 times a power of ten. */
function axisSteps(most) {
  const rough = (most > 0 ? most : 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/**
 * A chart that follows its width, of `count` places from left to right and values up to `most`. `draw({ x, y, end })`
 * gives its lines, `tip(at)` what is said of a place, `shown(value)` and `named(at)` the ticks; `onOpen(at)` on a click.
 */
function lineChart({ count, most, label, draw, tip, shown = short, named = (at) => number(at + 1), right = 14, onOpen = null }) {
  const place = h("div.chart");
  const told = h("div.chart-tip", { hidden: true });
  const steps = axisSteps(most);
  const [height, left, top, bottom] = [236, 56, 12, 30];
  const y = (value) => height - bottom - (value / (steps.at(-1) || 1)) * (height - top - bottom);
  const picture = (width) => {
    const wide = width - left - right;
    const x = (at) => left + (count < 2 ? 0.5 : at / (count - 1)) * wide;
    const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(wide / 46))));
    const cursor = svg("line.cursor", { x1: 0, x2: 0, y1: top, y2: height - bottom, visibility: "hidden" });
    const drawn = svg(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
      steps.map((value) => [
        svg("line.grid", { x1: left, x2: width - right, y1: y(value), y2: y(value) }),
        svg("text.tick", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, shown(value)),
      ]),
      Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every).map((at) =>
        svg("text.tick", { x: x(at), y: height - 10, "text-anchor": "middle" }, named(at)),
      ),
      draw({ x, y, end: width - right }),
      cursor,
    );
    const nearest = (event) => {
      const at = ((event.clientX - drawn.getBoundingClientRect().left - left) / (wide || 1)) * (count - 1);
      return Math.max(0, Math.min(count - 1, Math.round(at)));
    };
    drawn.addEventListener("pointermove", (event) => {
      const at = nearest(event);
      setAttributes(cursor, { x1: x(at), x2: x(at), visibility: "visible" });
      told.hidden = false;
      told.replaceChildren(...tip(at));
      const beside = x(at) > width / 2 ? -told.offsetWidth - 12 : 12;
      told.style.left = `${Math.max(0, Math.min(width - told.offsetWidth, x(at) + beside))}px`;
    });
    drawn.addEventListener("pointerleave", () => {
      cursor.setAttribute("visibility", "hidden");
      told.hidden = true;
    });
    if (onOpen) drawn.addEventListener("click", (event) => onOpen(nearest(event)));
    return drawn;
  };
  new ResizeObserver(() => place.clientWidth && place.replaceChildren(picture(place.clientWidth), told)).observe(place);
  return place;
}

/** The path through values, one a place. */
const pathOf = (values, { x, y }) => values.map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
