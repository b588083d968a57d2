"""How names are told apart: a reader of C that keeps scopes and notes what each name stands for.

The tokens are read rather than tree-sitter's tree, because its tree is wrong just where names
matter: `h((T) *p)` is a product there, `(v) && p->n` a cast, `va_arg(ap, T *)` an error.
"""
