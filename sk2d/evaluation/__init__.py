"""Systems beside one another on a set of functions: metrics, tests of significance, a report."""
