"""Runs inside IDA in batch mode: `idat -A -S"ida_script.py REQUEST" BINARY`."""

from __future__ import annotations

import json
from typing import Any, TextIO

import ida_auto
import ida_funcs
import ida_hexrays
import ida_nalt
import ida_pro
import idc


def main(request_path: str) -> None:
    """Decompile what a request names.

    Args:
        request_path: The request.
    """
    with open(request_path, encoding="utf-8") as stream:
        request = json.load(stream)
    ida_auto.auto_wait()
    ready = ida_hexrays.init_hexrays_plugin()
    lowest = ida_nalt.get_imagebase()
    with open(request["output"], "a", encoding="utf-8") as output:
        for wanted in request["functions"]:
            write(output, {"begin": wanted["number"]})
            row: dict[str, Any] = {"done": wanted["number"], "warnings": []}
            if ready:
                row.update(decompiled(find(wanted, lowest)))
            else:
                row["warnings"].append("this IDA has no Hex-Rays decompiler for the processor")
            write(output, row)


def find(wanted: dict[str, Any], lowest: int) -> int:
    """Give the place of a function: by its name where it has one, else by its distance.

    Args:
        wanted: What the request says of the function.
        lowest: IDA's base of the file.

    Returns:
        An address.
    """
    if wanted["name"]:
        place = idc.get_name_ea_simple(wanted["name"])
        if place != idc.BADADDR:
            return int(place)
    return int(lowest + wanted["offset"])


def decompiled(place: int) -> dict[str, Any]:
    """Give the text of a function, or why there is none.

    Args:
        place: Its address.

    Returns:
        `pseudo` or `warnings`.
    """
    if ida_funcs.get_func(place) is None and not ida_funcs.add_func(place):
        return {"warnings": ["IDA found no function there"]}
    try:
        made = ida_hexrays.decompile(place)
    except ida_hexrays.DecompilationFailure as failure:
        return {"warnings": [str(failure)]}
    return {"pseudo": str(made)} if made else {"warnings": ["Hex-Rays gave no code"]}


def write(output: TextIO, row: dict[str, Any]) -> None:
    """Write a line that is there even if the next function ends the process.

    Args:
        output: The file.
        row: The line.
    """
    output.write(json.dumps(row) + "\n")
    output.flush()


if __name__ == "__main__":
    main(idc.ARGV[1])
    ida_pro.qexit(0)
