"""One C function as tokens, tree, names and types: text in, text out."""
