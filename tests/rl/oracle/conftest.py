"""Say at the end of a run that the comparison with verl was not made."""

import importlib.util

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if importlib.util.find_spec("verl") is None:
        terminalreporter.write_line("no verl here: tests/rl/oracle is skipped (make verl-oracle)")
