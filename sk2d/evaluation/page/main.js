// Head, tabs and theme.

function themeButton() {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "dark" : "light";
  const toggle = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };
  return h("button", { id: "theme", click: toggle, title: "Light or dark" }, "◐ theme");
}

/** Tabs; a view is made when it is first looked at. */
function tabs(views) {
  const place = h("div", { role: "tabpanel" });
  const made = {};
  const buttons = Object.keys(views).map((name) =>
    h("button", { role: "tab", "data-tab": name, click: () => open(name) }, name));
  function open(name) {
    buttons.forEach((button) => button.setAttribute("aria-selected", button.dataset.tab === name));
    place.replaceChildren((made[name] ??= views[name]()));
  }
  open(Object.keys(views)[0]);
  return [h("nav", { role: "tablist" }, buttons), place];
}

function start() {
  const app = document.getElementById("app");
  if (data.kind === "evaluation") {
    const { results } = data;
    const { set } = results;
    const said = `${set.functions} functions, ${set.tested} with a test, ${set.counted} counted · ${results.settings.cc_version}`;
    app.append(
      h("header", null, h("div", null, h("h1", null, document.title), h("p", { class: "soft" }, said)), themeButton()),
      ...tabs({
        Overview: () => overview(results),
        Functions: () => functionsView(results),
        Settings: () => measured(results),
      }));
    return;
  }
  const { run } = data;
  app.append(
    h("header", null, h("div", null, h("h1", null, document.title), h("p", { class: "soft" }, run.summary)), themeButton()),
    ...tabs({ Curves: () => runView(run), Samples: () => samplesView(run), Config: () => aboutRun(run) }));
}

start();
