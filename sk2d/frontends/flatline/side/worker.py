"""Decompiles functions of one memory image with flatline; runs in an environment of its own.

Started as a script by `client.py`: nothing of sk2d is imported here, since this Python is another.
It reads one request a line from standard input and answers each with one line on standard output.
It may crash or hang; the other side sees to that.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import json
import mmap
import re
import sys
from pathlib import Path
from typing import Any

# A script's own folder is the first that Python looks in.
from returns import returned_type
from scan import Scan, disassembler, scan, wider
from tails import redirect

Json = dict[str, Any]
Facts = tuple[str, str, bool, bool]  # name, declaration, does not return, only reads the counter


# The line that the function begins with, without its `void`.
_HEAD = re.compile(r"^void (\w+\([^)]*\))\s*\{", re.MULTILINE)


class Hook:
    """The library that tells the engine what its Python interface has no words for.

    Args:
        path: The built library.
    """

    def __init__(self, path: str) -> None:
        # Global, so that the engine's own calls find the functions of this library first.
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        self.library.sk2d_refused.restype = ctypes.c_char_p
        number = ctypes.c_uint64
        text, flag = ctypes.c_char_p, ctypes.c_int
        self.library.sk2d_function.argtypes = (number, text, text, flag, flag)
        self.library.sk2d_data.argtypes = (number, text)
        self.library.sk2d_constant.argtypes = (number, number)
        self.library.sk2d_type.argtypes = (text,)
        self.library.sk2d_open.argtypes = (text,)

    def open(self, engine: str) -> None:
        """Bind it to the engine, which must be loaded by now."""
        if not self.library.sk2d_open(engine.encode()):
            raise SystemExit(f"this version of flatline lacks a function that is needed: {engine}")

    def describe(
        self,
        job: Job,
        references: set[int],
        ending: set[int],
        instead: dict[int, Facts],
        constants: bool,
    ) -> None:
        """Say what is known beside the code: of the whole image, and of what this function uses.

        Nothing follows a function's last call, so what it calls does not return.
        """
        library = self.library
        library.sk2d_clear()
        for text in job.types:
            library.sk2d_type(text.encode())
        for first, last in job.constants if constants else ():
            library.sk2d_constant(first, last)
        for address in sorted(references & job.data.keys()):
            library.sk2d_data(address, job.data[address].encode())
        for address in sorted(references & job.functions.keys()):
            name, declaration, ends, inlined = instead.get(address, job.functions[address])
            ends = ends or address in ending
            library.sk2d_function(address, name.encode(), declaration.encode(), ends, inlined)

    def refused(self) -> list[str]:
        """Give the declarations that the engine could not parse."""
        return [line for line in self.library.sk2d_refused().decode().splitlines() if line]


def engine_path() -> str:
    """Find flatline's compiled module."""
    spec = importlib.util.find_spec("flatline")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("flatline is not installed in this environment")
    folder = Path(spec.submodule_search_locations[0])
    return str(next(folder.glob("_flatline_native*.so")))


class Job:
    """What all requests share.

    Args:
        path: The job file.
    """

    def __init__(self, path: str) -> None:
        found: Json = json.loads(Path(path).read_text(encoding="utf-8"))
        self.image_path: str = found["image"]
        self.base: int = found["base"]
        self.word: int = found["word"]
        self.language: str = found["language"]
        self.compiler: str = found["compiler"]
        self.max_instructions: int = found["max_instructions"]
        self.types: list[str] = found["types"]
        self.constants: list[tuple[int, int]] = found["constants"]
        self.data = {int(address): text for address, text in found["data"].items()}
        self.functions = {int(address): facts for address, facts in found["functions"].items()}
        self.stubs: tuple[int, int] = found["stubs"]
        self.tails: bool = found["tails"]
        self.returns: bool = found["returns"]
        self.parts = {int(address): size for address, size in found["parts"].items()}


class Decompiler:
    """One image in one session of the engine.

    Args:
        job: What all requests share.
        session: flatline's session.
        image: The bytes, which may be changed.
        hook: What tells the engine more; None without.
    """

    def __init__(self, job: Job, session: Any, image: Any, hook: Hook | None) -> None:
        self.job, self.session, self.image, self.hook = job, session, image, hook
        self.reader = disassembler(job.language)
        self.known = set(job.functions)
        self.names = {address: facts[0] for address, facts in job.functions.items()}
        # Without a disassembler, nothing tells what a function refers to: it may be anything.
        self.everything = self.known | set(job.data)
        self.changed: list[tuple[int, bytes]] = []

    def bytes_at(self, address: int, size: int) -> bytes:
        """Give a part of the image; addresses outside give nothing."""
        start = address - self.job.base
        return bytes(self.image[start : start + size]) if start >= 0 else b""

    def word_at(self, address: int) -> int:
        """Give the pointer at an address; 0 outside of the image."""
        return int.from_bytes(self.bytes_at(address, self.job.word), "little")

    def write(self, address: int, data: bytes) -> None:
        """Change the image until `restore`."""
        first = address - self.job.base
        self.changed.append((first, bytes(self.image[first : first + len(data)])))
        self.image[first : first + len(data)] = data

    def restore(self) -> None:
        """Undo the changes: the next function may contain this one's code."""
        for first, data in reversed(self.changed):
            self.image[first : first + len(data)] = data
        self.changed.clear()

    def prepare(self, address: int, size: int) -> tuple[set[int], set[int]]:
        """Redirect a function's tail calls; find what it refers to, and what does not return."""
        if self.reader is None:
            return self.everything, set()
        found = scan(self.reader, self.bytes_at(address, size), address)
        moved = [self._part(target) for _, _, target in found.tails if target in self.job.parts]
        if self.job.tails:
            start, room = self.job.stubs
            language = self.job.language
            for place, data in redirect(language, found.tails, self.known, start, room):
                self.write(place, data)
        taken = set(found.references) | {target for _, _, target in found.tails}
        taken |= {self.word_at(place) for place in found.references}  # through a table
        ending: set[int] = set()
        for part in (found, *moved):
            taken |= set(part.references)
            if part.last_call is not None:
                ending |= {part.last_call, self.word_at(part.last_call)}
        return taken, ending

    def _part(self, address: int) -> Scan:
        """Look through a part of a function that the compiler moved away."""
        return scan(self.reader, self.bytes_at(address, self.job.parts[address]), address)

    def references(self, requests: list[Json]) -> Json:
        """Find what functions refer to, and whose results their callers use.

        References are bytes that are accessed by address, 0 for only taken.
        """
        found: dict[int, int] = {}
        used: dict[int, str] = {}
        for request in requests if self.reader is not None else ():
            code = self.bytes_at(request["address"], request["size"])
            seen = scan(self.reader, code, request["address"])
            for place, size in seen.references.items():
                found[place] = max(size, found.get(place, 0))
            for place, kind in seen.results.items():
                used[place] = wider(kind, used.get(place))
        return {"references": sorted(found.items()), "results": used}

    def answer(self, request: Json) -> Json:
        """Decompile one function."""
        address, size = request["address"], request["size"]
        told = {int(at): self.facts(int(at), text) for at, text in request["told"].items()}
        found = self.prepared(address, size, told)
        kind = None
        if found.get("returns") == "void":
            kind = self.result_of(address, size, request["result"])
        head = _HEAD.search(found.get("code", ""))
        if kind is None or head is None:
            return found
        # Told what it returns, the engine shows it; it goes on by itself if it does not take that.
        told[address] = self.facts(address, f"extern {kind} {head[1]};")
        again = self.prepared(address, size, told)
        return found if "error" in again or again["refused"] != found["refused"] else again

    def facts(self, address: int, declaration: str) -> Facts:
        """Give what is known of a function, with another declaration."""
        name, _, ends, inlined = self.job.functions[address]
        return name, declaration, ends, inlined

    def prepared(self, address: int, size: int, told: dict[int, Facts]) -> Json:
        """Run the engine on one function in the image that it needs, which is restored."""
        references, ending = self.prepare(address, size)
        arguments = (address, size, references | {address, *told}, ending - {address}, told)
        found = self.decompile(*arguments, constants=True)
        if found.get("error") == "invalid_address":
            # A jump through a pointer that is null in the file leads out of the image.
            found = self.decompile(*arguments, constants=False)
        self.restore()
        return found

    def result_of(self, address: int, size: int, used: str | None) -> str | None:
        """Look for a result that the engine did not see, unless a caller is known to use it."""
        possible = self.hook is not None and self.job.returns and address in self.job.functions
        if not possible or self.reader is None or not self.job.language.startswith("x86:LE:64"):
            return None
        if self.job.functions[address][1]:
            return None  # its declaration is known
        if used is not None:
            return used
        instructions = [
            one for one in self.reader.disasm(self.bytes_at(address, size), address) if one.id
        ]
        found: str | None = returned_type(instructions, self.names)
        return found

    def decompile(
        self,
        address: int,
        size: int,
        references: set[int],
        ending: set[int],
        told: dict[int, Facts],
        constants: bool,
    ) -> Json:
        """Run the engine on one function."""
        import flatline

        if self.hook is not None:
            self.hook.describe(self.job, references, ending, told, constants)
        result = self.session.decompile_function(
            flatline.DecompileRequest(
                memory_image=self.image[:],
                base_address=self.job.base,
                function_address=address,
                language_id=self.job.language,
                compiler_spec=self.job.compiler,
                function_size_hint=size or None,
                analysis_budget={"max_instructions": self.job.max_instructions},
            )
        )
        refused = self.hook.refused() if self.hook is not None else []
        if result.error is not None:
            return {"error": result.error.category, "message": result.error.message}
        info = result.function_info
        return {
            "code": result.c_code,
            "size": info.size,
            "complete": info.is_complete,
            "calls": sorted({c.target_address for c in info.call_sites if c.target_address}),
            "returns": info.prototype.return_type.name,
            "warnings": [item.message for item in result.warnings],
            "refused": refused,
        }


class Server:
    """Answers requests: a job to load, functions to scan, a function to decompile.

    Args:
        hook: What tells the engine more; None without.
    """

    def __init__(self, hook: Hook | None) -> None:
        import flatline

        self.session = flatline.DecompilerSession()
        self.hook = hook
        self.decompiler: Decompiler | None = None

    def answer(self, request: Json) -> Json:
        """Do what a request asks for."""
        if "job" in request:
            job = Job(request["job"])
            with open(job.image_path, "rb") as stream:
                image = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
            self.decompiler = Decompiler(job, self.session, image, self.hook)
            return {"ready": True}
        assert self.decompiler is not None, "a job comes first"
        if "scan" in request:
            return self.decompiler.references(request["scan"])
        return self.decompiler.answer(request)


def main() -> None:
    """Answer requests until standard input ends; the argument is the path of the hook, or empty."""
    hook = Hook(sys.argv[1]) if sys.argv[1] else None
    importlib.import_module("flatline._flatline_native")
    if hook is not None:
        hook.open(engine_path())
    server = Server(hook)
    say({"ready": True})
    for line in sys.stdin:
        say(server.answer(json.loads(line)))


def say(found: Json) -> None:
    """Write one line."""
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
