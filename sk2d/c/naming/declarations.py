"""Declarations: what is declared, as what, and in which scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sk2d.c.naming.cursor import Scope
from sk2d.c.naming.ledger import FunctionNote
from sk2d.c.naming.lexemes import NAME, WORD
from sk2d.c.naming.specifiers import Place, SpecifierReader, Specifiers
from sk2d.c.naming.words import CONVENTIONS, QUALIFIERS, SPECIFIERS, STORAGE, TYPE_STARTS

_POINTERS: Final = frozenset(["*", "^"])


@dataclass(slots=True)
class Declarator:
    """A declared name and its shape.

    Attributes:
        name: Place of the name, or -1.
        shape: What it is before anything else: `function`, `pointer` (or array), or nothing.
        scope: The parameters of the function.
        old_style: Whether they are names alone, `f(a, b)`.
    """

    name: int = -1
    shape: str = ""
    scope: Scope | None = None
    old_style: bool = False

    @property
    def function(self) -> bool:
        """Whether a function is declared."""
        return self.shape == "function"

    @property
    def pointer(self) -> bool:
        """Whether a pointer or array is declared."""
        return self.shape == "pointer"


class DeclarationReader(SpecifierReader):
    """Reads declarations."""

    def type_name(self) -> None:
        """Read a type without a name."""
        if not self.specifiers("abstract").typed:
            self.wrong(f"expected a type before {self.text!r}")
        self.declarator("abstract")

    def declaration_in_argument(self) -> None:
        """Read a type, perhaps with a name, that is given to a macro."""
        self.specifiers("parameter")
        found = self.declarator("parameter")
        if found.name >= 0:
            self.declare(found.name, "var").pointer |= found.pointer

    def declaration(self) -> None:
        """Read a declaration or a function definition."""
        start = self.at
        specifiers = self.specifiers("named")
        if self.text == ";" and not specifiers.typed:
            self.unexpected()
        while self.text != ";":
            found = self.declarator("named")
            if found.name < 0:
                self.wrong(f"expected a name before {self.text or 'the end'!r}")
            self.attributes_behind(names_too=not found.old_style)
            if found.function and self._body_follows(found):
                self._function(start, specifiers, found)
                return
            self._declare(specifiers, found)
            if self.accept("="):
                self.initializer()
            self.attributes_behind()
            if not self.accept(","):
                break
            self.attributes()
        self.expect(";")

    def _declare(self, specifiers: Specifiers, found: Declarator) -> None:
        if specifiers.typedef:
            self.declare(found.name, "type")
            return
        inside = len(self.scopes) > 1
        if found.function:
            self.declare(found.name, "func", outer=inside, static=specifiers.static)
            return
        outer = inside and specifiers.extern
        entry = self.declare(found.name, "var", outer=outer, static=specifiers.static)
        entry.pointer |= found.pointer

    # Functions.

    def _body_follows(self, found: Declarator) -> bool:
        if self.text == "{":
            return True
        if not found.old_style:
            return False
        return self.kind == NAME or (self.kind == WORD and self.text in SPECIFIERS)

    def _function(self, start: int, specifiers: Specifiers, found: Declarator) -> None:
        """Read the body of a function; its outermost block is the scope of its parameters too."""
        inside = len(self.scopes) > 1
        entry = self.declare(found.name, "func", static=specifiers.static)
        entry.defined = True
        scope = found.scope
        assert scope is not None, "a function has parameters, perhaps none"
        self.scopes.append(scope)
        while self.text != "{":
            self.declaration()
        parameters = list(scope.names.values())
        before, self.function = self.function, self.index[found.name]
        body = self.at
        self.at += 1
        self.statements()
        self.close_scope()
        self.function = before
        if not inside:
            first, name, opens, end = (
                self.index[place] for place in (start, found.name, body, self.at - 1)
            )
            note = FunctionNote(entry, first, name, opens, end, parameters)
            self.ledger.functions.setdefault(note.name, note)

    def initializer(self) -> None:
        """Read what stands behind `=`."""
        raise NotImplementedError

    def statements(self) -> None:
        """Read statements up to the brace that closes them, and that brace."""
        raise NotImplementedError

    # Declarators.

    def declarator(self, place: Place) -> Declarator:
        """Read a declarator.

        Args:
            place: Where it stands, which tells whether it has a name.

        Returns:
            The name and the shape.
        """
        found = Declarator()
        stars = self._pointers()
        if self.kind == NAME and place != "abstract":
            found.name = self.at
            self.at += 1
        elif self.text == "(" and self._is_nested(place):
            self.at += 1
            self._calling_convention()
            found = self.declarator(place)
            self.expect(")")
        self._suffixes(found, place)
        if stars and not found.shape:
            found.shape = "pointer"
        return found

    def _pointers(self) -> bool:
        """Read the stars before a name; tell whether there are any."""
        stars = False
        while True:
            text = self.text
            if text in _POINTERS:
                stars = True
                self.at += 1
            elif self.kind == WORD and text in QUALIFIERS:
                self.at += 1
            elif self.kind == WORD:
                at = self.at
                self.attributes()
                if self.at == at:
                    return stars
            elif self.kind == NAME and self._is_pointer_macro():
                self._macro(self.at)
            else:
                return stars

    def _is_pointer_macro(self) -> bool:
        """Tell whether a name is a macro between type and name, as in `char *WINAPI f(void)`."""
        at = self.at
        if self.kinds[at + 1] == NAME:
            return self.precedes_name(at)
        return self.texts[at + 1] == "*"

    def _calling_convention(self) -> None:
        """Read `WINAPI` in `(WINAPI *f)(int)`."""
        self.attributes()
        if self.kind == NAME and (
            self.texts[self.at + 1] in _POINTERS or self.is_name(self.at + 1)
        ):
            self._macro(self.at)

    def _is_nested(self, place: Place) -> bool:
        """Tell whether `(` belongs to the declarator and does not open parameters."""
        if place in ("named", "member"):
            return True
        at = self.at + 1
        kind, text = self.kinds[at], self.texts[at]
        if kind == WORD:
            return text in CONVENTIONS
        if kind != NAME:
            return text in ("*", "^", "(", "[")
        if self.texts[at + 1] in _POINTERS and self.verdict(at) is not True:
            return self.is_name(at + 2) or self.texts[at + 2] == ")"
        return place == "parameter" and self.verdict(at) is not True and self.texts[at + 1] == ")"

    def _suffixes(self, found: Declarator, place: Place) -> None:
        """Read array sizes and parameters; the first tells what the name is."""
        while True:
            if self.text == "[":
                self.array()
                found.shape = found.shape or "pointer"
            elif self.text == "(":
                scope, old_style = self._parameters(place)
                if not found.shape:
                    found.shape, found.scope, found.old_style = "function", scope, old_style
            else:
                return

    def array(self) -> None:
        """Read the size of an array, or the index of a designator."""
        self.at += 1
        while self.text in QUALIFIERS or self.text in STORAGE:
            self.at += 1
        if self.text == "*" and self.texts[self.at + 1] == "]":
            self.at += 1
        elif self.text != "]":
            self.expression()
            if self.accept("..."):
                self.expression()
        self.expect("]")

    # Parameters.

    def _parameters(self, place: Place) -> tuple[Scope, bool]:
        """Read parameters; give their scope, and whether they are names alone."""
        scope = self.open_scope()
        old_style = place == "named" and self._are_old_style()
        self.at += 1
        if old_style:
            self._old_style_names()
        elif self.text == "void" and self.texts[self.at + 1] == ")":
            self.at += 1
        else:
            self._parameter_list()
        self.expect(")")
        self.close_scope()
        return scope, old_style

    def _parameter_list(self) -> None:
        while self.text != ")":
            if not self.accept("..."):
                self._parameter()
            if not self.accept(","):
                return

    def _parameter(self) -> None:
        specifiers = self.specifiers("parameter")
        if not specifiers.typed and self.kind != NAME:
            self.wrong(f"expected a parameter before {self.text!r}")
        found = self.declarator("parameter")
        if found.name >= 0:
            self.declare(found.name, "var").pointer |= found.pointer
        self.attributes_behind()

    def _are_old_style(self) -> bool:
        """Tell whether `(a, b)` are the names of an old-style definition."""
        at = self.at + 1
        while self.is_name(at) and self.verdict(at) is not True:
            if self.texts[at + 1] == ")":
                return self._old_style_goes_on(at + 2)
            if self.texts[at + 1] != ",":
                return False
            at += 2
        return False

    def _old_style_goes_on(self, place: int) -> bool:
        """Tell whether a body or declarations of parameters stand there."""
        while self.texts[place] in (")", "[", "("):  # the rest of `int (*f(a, b))(void)`
            place = self.closers.get(place, place) + 1
        if self.texts[place] == "{":
            return True
        if self.is_word(place):
            return self.texts[place] in TYPE_STARTS or self.texts[place] == "register"
        if not self.is_name(place):
            return False
        after = self.texts[place + 1 : place + 3]
        return self.is_name(place + 1) or after[0] == "*" or after == ["(", "*"]

    def _old_style_names(self) -> None:
        while self.kind == NAME:
            self.declare(self.at, "var")
            self.at += 1
            if not self.accept(","):
                return
