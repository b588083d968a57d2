// Charts as SVG.

const SIZE = { width: 560, height: 260, left: 48, right: 12, top: 10, bottom: 34 };

function s(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  made.append(...children.flat(Infinity));
  return made;
}

/** Round steps that cover a range. */
function ticks(low, high, count) {
  const span = high - low || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((x) => x * power).find((x) => x >= rough);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) {
    found.push(Number(at.toPrecision(12)));
  }
  return found;
}

/** The frame of a chart: axes, grid, and where values lie. */
function frame(xRange, yRange, yLabel, format) {
  const { width, height, left, right, top, bottom } = SIZE;
  const x = (value) => left + ((value - xRange[0]) / (xRange[1] - xRange[0] || 1)) * (width - left - right);
  const y = (value) =>
    height - bottom - ((value - yRange[0]) / (yRange[1] - yRange[0] || 1)) * (height - top - bottom);
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": yLabel });
  svg.style.maxWidth = "100%";
  for (const tick of ticks(yRange[0], yRange[1], 5)) {
    svg.append(s("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }));
    svg.append(s("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, format(tick)));
  }
  svg.append(s("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
  return { svg, x, y };
}

function legend(names) {
  return h("div", { class: "legend" }, names.map((name, index) =>
    h("span", null, h("i", { style: `background:${color(index)}` }), name)));
}

/** Groups of bars; `value(name, group)` is a share or null. */
function barChart(title, names, groups, value) {
  const { svg, x, y } = frame([0, groups.length], [0, 1], title, (tick) => `${100 * tick}%`);
  groups.forEach((group, place) => {
    const width = Math.min(40, (x(1) - x(0) - 16) / names.length);
    const start = (x(place) + x(place + 1) - width * names.length) / 2;
    names.forEach((name, index) => {
      const share = value(name, group);
      if (share === null || share === undefined) return;
      const bar = s("rect", {
        x: start + index * width + 1, y: y(share), width: width - 2, height: y(0) - y(share),
        style: `fill:${color(index)}`, rx: 2,
      });
      bar.append(s("title", {}, `${name}, ${group}: ${percent(share)} %`));
      svg.append(bar);
    });
    svg.append(s("text", { x: (x(place) + x(place + 1)) / 2, y: SIZE.height - 16, "text-anchor": "middle" }, group));
  });
  return h("figure", null, h("figcaption", null, title), svg, legend(names));
}

/** Lines; each of `series` has a name and `points` of x and y. */
function lineChart(title, series, { xLabel, yRange = null, xRange = null, format = short } = {}) {
  const xs = series.flatMap((one) => one.points.map((point) => point[0]));
  const ys = series.flatMap((one) => one.points.map((point) => point[1])).filter(Number.isFinite);
  const extent = (values) => values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  if (!ys.length) return null;
  const across = xRange || extent(xs);
  let [low, high] = yRange || extent(ys);
  if (low === high) [low, high] = [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2];
  const { svg, x, y } = frame(across, [low, high], title, format);
  for (const tick of ticks(across[0], across[1], 6)) {
    svg.append(s("text", { x: x(tick), y: SIZE.height - 18, "text-anchor": "middle" }, short(tick)));
  }
  svg.append(s("text", { x: SIZE.width / 2, y: SIZE.height - 3, "text-anchor": "middle" }, xLabel));
  series.forEach((one, index) => {
    const points = one.points.filter((point) => Number.isFinite(point[1]));
    const path = points.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)},${y(b).toFixed(1)}`).join("");
    svg.append(s("path", { d: path, fill: "none", "stroke-width": 1.8, style: `stroke:${color(index)}` }));
    if (points.length <= 60) {
      for (const [a, b] of points) {
        const dot = s("circle", { cx: x(a), cy: y(b), r: 2.6, style: `fill:${color(index)}` });
        dot.append(s("title", {}, `${one.name}, ${short(a)}: ${short(b)}`));
        svg.append(dot);
      }
    }
  });
  return h("figure", null, h("figcaption", null, title), svg, legend(series.map((one) => one.name)));
}

/** Which share of values is at least x, from 0 to 1. */
function survival(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const points = [];
  let below = 0;
  for (let step = 0; step <= 100; step += 1) {
    while (below < sorted.length && sorted[below] < step / 100 - 1e-12) below += 1;
    points.push([step / 100, (sorted.length - below) / sorted.length]);
  }
  return points;
}
