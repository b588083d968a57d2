// Elements, numbers and words that all other parts use.

const data = JSON.parse(document.getElementById("data").textContent);

/** Make an element; `attributes` that are functions become listeners. */
function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

const percent = (share) => (share === null || share === undefined ? "n/a" : (100 * share).toFixed(1));
const number = (value, digits = 3) =>
  value === null || value === undefined ? "n/a" : value.toFixed(digits);

/** Shorten a number of any size for an axis. */
function short(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
}

const color = (index) => `var(--c${index % 8})`;

/** A table whose first column is text; cells are strings or elements. */
function table(head, rows, attributes) {
  const cell = (content) => (content instanceof HTMLTableCellElement ? content : h("td", null, content));
  return h("div", { class: "scroll" },
    h("table", attributes,
      h("thead", null, h("tr", null, head.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, rows.map((row) => h("tr", null, row.map(cell))))));
}

function section(title, ...content) {
  const there = content.flat(Infinity).filter(Boolean);
  return there.length ? h("section", null, h("h2", null, title), there) : null;
}

/** Pairs of a name and what is said of it. */
function facts(pairs) {
  return h("dl", null, pairs.map(([name, said]) => [h("dt", null, name), h("dd", null, said)]));
}

const VERDICTS = {
  passes: "✓ passes",
  compiles: "✓ compiles",
  wrong: "≠ builds, wrong",
  fails: "✗ does not compile",
  missing: "– no answer",
};

function verdictOf(answer) {
  if (answer.code === null) return "missing";
  if (!answer.compiles) return "fails";
  if (answer.passes === null) return "compiles";
  return answer.passes ? "passes" : "wrong";
}

const badge = (verdict) => h("span", { class: `verdict ${verdict}` }, VERDICTS[verdict]);
