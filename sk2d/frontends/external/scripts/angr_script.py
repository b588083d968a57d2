"""Runs under an interpreter that has angr: `angr_script.py REQUEST BINARY`."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

import angr


def main(request_path: str, binary: str) -> None:
    """Decompile what a request names.

    Args:
        request_path: The request.
        binary: The file.
    """
    with open(request_path, encoding="utf-8") as stream:
        request = json.load(stream)
    project = angr.Project(binary, auto_load_libs=False)
    graph = project.analyses.CFGFast(normalize=True, data_references=True)
    lowest = project.loader.main_object.min_addr
    with open(request["output"], "a", encoding="utf-8") as output:
        for wanted in request["functions"]:
            write(output, {"begin": wanted["number"]})
            found = find(graph, wanted, lowest)
            row: dict[str, Any] = {"done": wanted["number"], "warnings": []}
            if found is None:
                row["warnings"].append("angr found no function there")
            else:
                row.update(decompiled(project, graph, found))
            write(output, row)


def find(graph: Any, wanted: dict[str, Any], lowest: int) -> Any:
    """Find a function by its place, and in object files by its name.

    Args:
        graph: angr's control flow graph.
        wanted: What the request says of the function.
        lowest: Lowest address of the file as angr loaded it.

    Returns:
        angr's function, or None.
    """
    functions = graph.functions
    address = lowest + wanted["offset"]
    if address in functions:
        return functions[address]
    if wanted["name"]:
        return functions.function(name=wanted["name"])
    return None


def decompiled(project: Any, graph: Any, function: Any) -> dict[str, Any]:
    """Give the text of a function, or why there is none.

    Args:
        project: angr's project.
        graph: Its control flow graph.
        function: The function.

    Returns:
        `pseudo` or `warnings`.
    """
    try:
        made = project.analyses.Decompiler(function, cfg=graph.model)
    except Exception as error:  # whatever angr raises costs this function alone
        return {"warnings": [f"{type(error).__name__}: {error}"]}
    if made.codegen is None:
        return {"warnings": ["angr gave no code"]}
    return {"pseudo": made.codegen.text}


def write(output: TextIO, row: dict[str, Any]) -> None:
    """Write a line that is there even if the next function ends the process.

    Args:
        output: The file.
        row: The line.
    """
    output.write(json.dumps(row) + "\n")
    output.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
