"""The benchmark of inference reads classes and hides declarations as it says."""

import json

import pytest

from benchmarks import infer_rate
from benchmarks.inference.agreement import calls, hidden_one_by_one, hidden_together
from benchmarks.inference.classes import count_prototypes, declared
from benchmarks.inference.hidden import hide, signatures, variables
from benchmarks.inference.samples import Program, alone, sample_sets
from sk2d.c.parse import parse_valid
from sk2d.errors import Reason, SourceError

HEADER = """
typedef unsigned long size_t;
typedef struct point point;
struct point { int x; double y; };
typedef double real; typedef real reals[4];
#define LIMIT(a) \\
    ((a) + 1)
extern point origin; extern real half; extern reals four; extern size_t count; extern bool on;
enum { RED = 1024 }; extern int (*hook)(void);
int first(point, real *, size_t, ...); void second(); point *third(void);
"""


def test_classes_are_read_through_typedef_names():
    found = declared(HEADER)
    assert found.variables == {
        "origin": "struct", "half": "floating", "four": "pointer", "count": "integer",
        "on": "integer", "RED": "integer", "hook": "pointer",
    }  # fmt: skip
    assert found.functions["first"] == ("integer", ("struct", "pointer", "integer"))
    assert found.functions["second"] == ("void", None)
    assert found.functions["third"] == ("pointer", ())


def test_what_is_no_c_gives_no_declarations():
    assert declared("extern unknown_t x;") is None


def test_prototypes_without_parameters_are_counted_and_standard_ones_are_not():
    assert count_prototypes(HEADER + "int printf(const char *, ...);") == (3, 1)


CODE = """
int scale(double factor, struct item *items, size_t count, widget_t w) {
  int total = 3, *slot = 0, index = 1, unused;
  static const float steps[2] = {1, 2};
  for (unsigned i = 0; i < count; i++) total += items[i].n * factor * steps[i & 1];
  { int again = 1; total += again; } { long again = 2; total += again; }
  return total + *slot + index + use(w);
}
"""


def test_variables_whose_class_is_known():
    assert [(v.name, v.true) for v in variables(parse_valid(CODE))] == [
        ("factor", "floating"), ("items", "pointer"), ("count", "integer"),
        ("total", "integer"), ("slot", "pointer"), ("steps", "pointer"), ("i", "integer"),
    ]  # fmt: skip


def hidden(name: str) -> str:
    tree = parse_valid(CODE)
    return hide(tree, [v for v in variables(tree) if v.name == name])


def test_declarations_are_taken_out_and_their_values_assigned():
    assert "scale(struct item *items, size_t count, widget_t w)" in hidden("factor")
    assert "int *slot = 0, index = 1, unused; total = 3;" in hidden("total")
    assert "int total = 3, index = 1, unused; slot = 0;" in hidden("slot")
    assert "\n  ;\n" in hidden("steps")
    assert "for (i = 0; i < count; i++)" in hidden("i")


def test_all_declarations_can_go_at_once():
    tree = parse_valid(CODE)
    text = hide(tree, variables(tree))
    assert "scale(widget_t w)" in text
    assert "int index = 1, unused; total = 3; slot = 0;" in text


def test_parameters_of_a_function_that_calls_itself_stay():
    code = "int down(int n) { int m = n - 1; return m ? down(m) : 0; }"
    assert [v.name for v in variables(parse_valid(code))] == ["m"]


def test_signatures_of_definitions():
    assert signatures(
        "char **f(const char *s, int a[], float, size_t (*g)(void)) { return 0; }"
    ) == {"f": ("pointer", ("pointer", "pointer", "floating", "pointer"))}
    assert signatures("void g(void) {}") == {"g": ("void", ())}


def test_agreement_is_counted():
    functions = ["int f(double d) { return d > 1; }", "int g(int *p) { return f(*p) + (*p)++; }"]
    programs = [Program("p", functions)]

    def infer(code: str) -> str:
        if "g(" in code:
            return "extern int p; double f(double, int);"
        raise SourceError(Reason.TYPE_CONFLICT, "no")

    assert dict(hidden_one_by_one(programs, infer).counts) == {
        ("floating", "nothing"): 1,
        ("pointer", "integer"): 1,
    }
    assert hidden_together(programs, infer).share == 0
    results, parameters = calls(programs, infer)
    assert dict(results.counts) == {("integer", "floating"): 1}
    assert dict(parameters.counts) == {("floating", "floating"): 1}
    assert parameters.share == 1


def test_lines_that_include_files_of_the_program_are_cut():
    assert alone('#include <stdio.h>\n  # include "own.h" // x\nint f;\n') == (
        "#include <stdio.h>\n\nint f;\n"
    )


def test_rows_of_an_unknown_kind_are_refused():
    with pytest.raises(ValueError, match="no column"):
        list(sample_sets([{"text": "x"}]))


def test_the_whole_benchmark(tmp_path, capsys):
    pairs = [
        {"id": f"p{i}", "program": "p", "code": code, "pseudo": "int f(int a1) { return a1; }"}
        for i, code in enumerate([CODE, "int g(node *n) { return n->next->value; }", "int ("])
    ]
    truths = [{"reward_model": {"ground_truth": "int func1(void) { return var1; }"}}]
    files = {"pairs": pairs, "truths": truths}
    for name, rows in files.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / name).write_text(text)
    out = tmp_path / "out.json"
    paths = [str(tmp_path / name) for name in files]
    assert infer_rate.main(["--rows", *paths, "--json", str(out)]) == 0
    figures = json.loads(out.read_text())
    rates = {r["title"]: r for r in figures["rates"]}
    assert rates["sources"]["compiling"] == 2
    assert rates["sources"]["not_c"] == ["p2"]
    assert rates["ground truths"]["share"] == 1.0
    assert [a["title"] for a in figures["agreement"]][0] == "one hidden declaration"
    assert "header + code compiles" in capsys.readouterr().out


FILES = ["bringup_pairs.jsonl", "sk2_rl_examples.jsonl", "bringup_sk2_predictions.jsonl"]


def check_released(released, tmp_path, *options: str) -> None:
    out = tmp_path / "out.json"
    rows = [str(released(name)) for name in FILES]
    code = infer_rate.main(["--rows", *rows, "--check", "--json", str(out), *options])
    figures = json.loads(out.read_text())
    assert code == 0, [r["failures"] for r in figures["rates"]]
    assert all(r["judged"] > 0 for r in figures["rates"])
    assert sum(r["without_parameters"] for r in figures["rates"]) == 0


def test_the_floors_on_every_twentieth_released_row(released, tmp_path):
    check_released(released, tmp_path, "--every", "20")


@pytest.mark.slow
def test_the_floors_on_all_released_rows(released, tmp_path):
    check_released(released, tmp_path)
