"""Three functions tell whether this compiler judges as the recorded one did."""

from sk2d.evaluation.canary import CANARIES, ask_canaries


def test_f6_verdicts_are_those_that_were_recorded() -> None:
    found = ask_canaries()
    assert [each["same"] for each in found] == [True] * len(CANARIES)
    assert [each["found"]["compiles"] for each in found] == [True, True, False]


def test_f6_strict_flags_judge_in_another_way_and_have_no_record() -> None:
    strict = (
        "-O0",
        "-std=gnu17",
        "-Werror=implicit-function-declaration",
        "-Werror=int-conversion",
    )
    found = ask_canaries(strict)
    # The callee is in the inferred header, so only the mixed pointer is refused.
    assert [each["same"] for each in found] == [None] * 3
    assert [each["found"]["compiles"] for each in found] == [True, False, False]
