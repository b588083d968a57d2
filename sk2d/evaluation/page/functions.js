// The functions of an evaluation: filtered, searched, and side by side.

const CHUNK = 100;

function pane(title, verdict, code, extra, message) {
  return h("section", { class: "pane", "data-pane": title },
    h("h3", null, title, verdict ? badge(verdict) : null, h("span", { class: "soft" }, extra)),
    message ? h("pre", { class: "message" }, message) : null,
    code === null ? h("p", { class: "soft" }, "There is no answer.") : codeBlock(code));
}

function answerPane(name, answer) {
  const said = [`edit ${number(answer.edit)}`];
  if (answer.r2i !== null) said.push(answer.readable ? `R2I ${number(answer.r2i)}` : "unreadable for R2I");
  if (answer.judge !== null) said.push(`judge ${answer.judge}`);
  const verdict = verdictOf(answer);
  const why = verdict === "passes" || verdict === "compiles" ? "" : [answer.reason, answer.message].filter(Boolean).join(": ");
  const made = pane(name, verdict, answer.code, said.join(" · "), why);
  if (answer.ir !== null) made.append(h("details", null, h("summary", null, "IR of the Skeleton"), codeBlock(answer.ir)));
  return made;
}

function functionView(one) {
  return h("div", { id: "function", "data-id": one.id },
    h("h2", null, one.id),
    one.excluded ? h("p", { class: "note" }, `Left out by the self-check: ${one.excluded}`) : null,
    h("div", { class: "panes" },
      pane("source", null, one.reference, one.reference_r2i === null ? "" : `R2I ${number(one.reference_r2i)}`),
      Object.entries(one.answers).map(([name, answer]) => answerPane(name, answer))));
}

/** Give what tells whether a function is to be shown. */
function matcher(state) {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  return (entry) => {
    const { one, text, verdicts } = entry;
    if (state.level && one.level !== state.level) return false;
    if (state.verdict) {
      const asked = state.system ? [verdicts[state.system]] : Object.values(verdicts);
      if (!asked.includes(state.verdict)) return false;
    }
    if (state.differ && new Set(Object.values(verdicts)).size < 2) return false;
    return words.every((word) => text().includes(word));
  };
}

/** What is searched and compared of a function, made when it is first needed. */
function entryOf(one) {
  let text = null;
  const verdicts = Object.fromEntries(Object.entries(one.answers).map(([name, answer]) => [name, verdictOf(answer)]));
  const all = () => [one.id, one.func_name, one.reference, ...Object.values(one.answers).map((answer) => answer.code || "")];
  return { one, verdicts, text: () => (text ??= all().join("\n").toLowerCase()) };
}

function choice(id, label, options, onChange) {
  const made = h("select", { id, "aria-label": label, change: () => onChange(made.value) },
    h("option", { value: "" }, label), options.map(([value, title]) => h("option", { value }, title)));
  return made;
}

function functionsView(results) {
  const systems = names(results, false);
  const entries = results.functions.map(entryOf);
  const state = { text: "", level: "", system: "", verdict: "", differ: false };
  let shown = entries;
  let selected = null;
  const count = h("span", { class: "soft", id: "count", role: "status" });
  const body = h("tbody", null);
  const more = h("button", { class: "more", id: "more", click: () => grow() }, "Show more");
  const place = h("div", null);

  function open(index) {
    if (index < 0 || index >= shown.length) return;
    while (body.children.length <= index) grow();
    if (selected !== null) body.children[selected]?.removeAttribute("aria-selected");
    selected = index;
    body.children[index].setAttribute("aria-selected", "true");
    place.replaceChildren(functionView(shown[index].one));
  }

  function row(entry, index) {
    return h("tr", {
      tabindex: 0, "data-id": entry.one.id, click: () => open(index),
      keydown: (event) => {
        const step = { Enter: 0, ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        open(index + step);
        body.children[index + step]?.focus();
      },
    }, h("td", null, entry.one.id), h("td", null, entry.one.level), h("td", null, entry.one.func_name),
    systems.map((name) => h("td", null, badge(entry.verdicts[name]))));
  }

  function grow() {
    const from = body.children.length;
    body.append(...shown.slice(from, from + CHUNK).map((entry, i) => row(entry, from + i)));
    more.hidden = body.children.length >= shown.length;
  }

  function apply(change) {
    Object.assign(state, change);
    shown = entries.filter(matcher(state));
    selected = null;
    count.textContent = `${shown.length} of ${entries.length} functions`;
    body.replaceChildren();
    place.replaceChildren();
    grow();
  }

  const levels = [...new Set(results.functions.map((one) => one.level))].filter(Boolean).sort();
  const verdicts = Object.entries(VERDICTS).filter(([verdict]) =>
    entries.some((entry) => Object.values(entry.verdicts).includes(verdict)));
  const search = h("input", { type: "search", id: "search", placeholder: "Search names and code",
    "aria-label": "Search names and code", input: () => apply({ text: search.value }) });
  const differ = h("input", { type: "checkbox", id: "differ", change: () => apply({ differ: differ.checked }) });
  const view = h("div", null,
    h("div", { class: "filters" }, search,
      choice("level", "all levels", levels.map((level) => [level, level]), (level) => apply({ level })),
      choice("system", "any system", systems.map((name) => [name, name]), (system) => apply({ system })),
      choice("verdict", "any verdict", verdicts, (verdict) => apply({ verdict })),
      h("label", null, differ, " systems differ"), count),
    h("div", { class: "list" },
      h("table", { id: "functions" },
        h("thead", null, h("tr", null, ["id", "level", "function", ...systems].map((title) => h("th", { scope: "col" }, title)))),
        body), more),
    place);
  apply({});
  return view;
}
