// The tables and charts of an evaluation.

const SHARES = {
  executable: "re-executable",
  compilable: "re-compilable",
  builds_but_wrong: "builds but wrong",
};
const MEASURES = { executable: "re-executable", compilable: "re-compilable", edit: "edit similarity", r2i: "R2I" };

const names = (results, check) =>
  Object.keys(results.systems).filter((name) => check || results.systems[name].kind !== "check");

function shareCell(system, measure, share) {
  const style = share === null ? null : `--share:${100 * share}%`;
  return h("td", { class: "bar", style, "data-system": system, "data-measure": measure }, percent(share));
}

function headline(results) {
  const rows = Object.entries(results.systems).map(([name, found]) => [
    name,
    h("td", { class: "soft" }, found.kind),
    ...Object.keys(SHARES).map((measure) => shareCell(name, measure, found[measure].total)),
    number(found.edit.total),
    percent(found.exact.total),
    h("td", { "data-system": name, "data-measure": "r2i" }, number(found.r2i.total)),
    String(found.unreadable),
    String(found.missing.length),
  ]);
  const head = ["system", "kind", ...Object.values(SHARES).map((title) => `${title} %`),
    "edit similarity", "exact %", "R2I", "unreadable", "missing"];
  const said = results.candidate_set
    ? `R2I compares candidates with one another. Here the candidate set is ${results.candidate_set}; another set gives other numbers.`
    : "There is one candidate only, so there is no R2I.";
  return [table(head, rows, { id: "headline" }), h("p", { class: "soft" }, said)];
}

function levelCharts(results) {
  const levels = Object.keys(results.systems.reference.compilable)
    .filter((level) => level === "total" || results.set.by_level[level]);
  const shown = names(results, false);
  return Object.entries(SHARES)
    .filter(([measure]) => shown.some((name) => results.systems[name][measure].total !== null))
    .map(([measure, title]) => barChart(`${title}, by level`, shown, levels,
      (name, level) => results.systems[name][measure][level]));
}

function curves(results) {
  const counted = results.functions.filter((one) => !one.excluded);
  const shown = names(results, false);
  const draw = (title, key, xLabel) => {
    const series = shown.map((name) => ({
      name,
      points: survival(counted.map((one) => one.answers[name][key]).filter((value) => value !== null)),
    })).filter((one) => one.points.every((point) => Number.isFinite(point[1])));
    return series.length ? lineChart(title, series,
      { xLabel, yRange: [0, 1], xRange: [0, 1], format: (tick) => `${100 * tick}%` }) : null;
  };
  return [
    draw("functions with at least this edit similarity", "edit", "edit similarity to the source"),
    results.candidate_set && draw("functions with at least this R2I", "r2i", "R2I within the candidate set"),
  ].filter(Boolean);
}

function byLevelTables(results) {
  const levels = Object.keys(results.systems.reference.compilable);
  return Object.entries(SHARES).map(([measure, title]) => h("details", null, h("summary", null, `${title} %, as a table`),
    table(["system", ...levels], Object.entries(results.systems).map(([name, found]) =>
      [name, ...levels.map((level) => h("td", { "data-system": name, "data-measure": measure, "data-level": level },
        percent(found[measure][level])))]))));
}

function comparisons(results) {
  const rows = results.comparisons.map((one) => [
    `${one.first} less ${one.second}`, MEASURES[one.measure], number(one.difference),
    `${number(one.low)} to ${number(one.high)}`, `${one.wins} / ${one.losses}`, one.p_value.toPrecision(2),
  ]);
  return rows.length ? table(
    ["systems", "measure", "difference", "95 % interval", "better / worse", "p of the sign test"], rows) : null;
}

function details(results) {
  const byName = (title, key, render) => {
    const there = Object.entries(results.systems).filter(([, found]) => found[key]);
    return there.length ? h("details", null, h("summary", null, title), render(there)) : null;
  };
  const kinds = (key, write) => (there) => {
    const columns = [...new Set(there.flatMap(([, found]) => Object.keys(found[key])))];
    return table(["system", ...columns], there.map(([name, found]) =>
      [name, ...columns.map((kind) => write(found[key][kind]))]));
  };
  return [
    byName("exact nodes of the source, by kind of syntax, %", "nodes", kinds("nodes", percent)),
    byName("names: F1 of their words, by kind", "names", kinds("names", number)),
    byName("the Skeleton's IR", "ir", (there) => table(["system", "IRs", "compile %", "placeholder Jaccard"],
      there.map(([name, { ir }]) => [name, String(ir.rows), percent(ir.compilable), number(ir.placeholders)]))),
    byName("the judge's marks, 1 to 5", "judge", (there) => table(["system", "mean", "asked", "without a mark"],
      there.map(([name, { judge }]) =>
        [name, number(judge.mean.total, 2), String(judge.asked), String(judge.without_mark)]))),
  ];
}

function leftOut(results) {
  const missing = Object.entries(results.systems).filter(([, found]) => found.missing.length);
  return [
    results.set.excluded.length ? h("details", { id: "excluded" },
      h("summary", null, `${results.set.excluded.length} rows left out by the self-check`),
      table(["id", "reason", "message"], results.set.excluded.map((one) => [one.id, one.reason, one.message]))) : null,
    ...missing.map(([name, found]) => h("details", null,
      h("summary", null, `${name}: ${found.missing.length} without an answer, counted as failed`),
      h("p", null, found.missing.join(", ")))),
  ];
}

function overview(results) {
  return h("div", null,
    results.set.remarks.map((remark) => h("p", { class: "note" }, remark)),
    section("Systems", headline(results)),
    section("By level", h("div", { class: "charts" }, levelCharts(results)), byLevelTables(results)),
    section("Over the functions", h("div", { class: "charts" }, curves(results))),
    section("In pairs, on the same functions", comparisons(results)),
    section("More", details(results)),
    section("Left out", leftOut(results)));
}

function measured(results) {
  const { settings } = results;
  const same = { true: "as recorded", false: "NOT as recorded", null: "other flags than recorded" };
  return h("div", null,
    section("How it was measured", facts([
      ["compiler", `${settings.cc_version}, ${settings.cflags.join(" ")}`],
      ["units", "candidate and test are two units; the candidate's header is inferred"],
      ["sk2d", `${settings.sk2d}, Python ${settings.python}`],
      ["seed", `${settings.seed}, ${settings.bootstrap.resamples} resamples`],
      ["packages", Object.entries(settings.packages).map((pair) => pair.join(" ")).join(", ")],
      ["rows", `${results.set.name}, format ${results.set.format}, hash ${results.set.hash}`],
      ...Object.entries(settings.prompts).map(([phase, prompt]) => [`prompt of ${phase}`, `${prompt.name} (${prompt.hash})`]),
      ...(settings.judge ? [["judge", `${settings.judge.model} at ${settings.judge.url}, template ${settings.judge.template}`]] : []),
      ...settings.canaries.map((one) => [`canary: ${one.name}`, same[one.same]]),
    ])),
    section("Systems", facts(Object.entries(results.systems).map(([name, found]) => [name, found.about]))));
}
