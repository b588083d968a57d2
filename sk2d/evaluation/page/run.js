// A training run: curves, samples over time, config.

function series(rows, name, key) {
  return { name, points: rows.filter((row) => row[key] !== null).map((row) => [row.step, row[key]]) };
}

function runCharts(run) {
  const steps = { xLabel: "optimiser step" };
  return run.charts.map((chart) => {
    const lines = chart.lines.map((line) => series(run[line.table], line.name, line.key));
    return lineChart(chart.title, lines.filter((one) => one.points.length), steps);
  }).filter(Boolean);
}

function samplesView(run) {
  const steps = [...new Set(run.samples.map((sample) => sample.step))];
  if (!steps.length) return h("p", { class: "soft" }, "The run has written no samples.");
  const place = h("div", null);
  const show = (step) => place.replaceChildren(...run.samples.filter((sample) => sample.step === step).map((sample) =>
    h("div", { class: "sample" }, h("h2", null, `${sample.id}${sample.exact ? " · exact" : ""}`),
      h("div", { class: "panes" },
        ["input", "answer", "reference"].filter((key) => sample[key] !== undefined)
          .map((key) => pane(key, null, sample[key], ""))))));
  const slider = h("select", { id: "step", "aria-label": "step", change: () => show(Number(slider.value)) },
    steps.map((step) => h("option", { value: step }, `step ${step}`)));
  slider.value = String(steps[steps.length - 1]);
  show(steps[steps.length - 1]);
  return h("div", null, h("div", { class: "filters" }, slider), place);
}

function runView(run) {
  return h("div", null, run.remarks.map((remark) => h("p", { class: "note" }, remark)),
    section("Curves", h("div", { class: "charts" }, runCharts(run))));
}

function aboutRun(run) {
  return h("div", null,
    section("The run", facts(Object.entries(run.facts))),
    section("Config", run.config ? h("pre", { id: "config" }, run.config) : null));
}
