"""One short module per command; each command is a plain function with typed arguments."""
