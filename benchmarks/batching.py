"""Do batches and guessing ahead change greedy answers, and what do they save?

Answers with one prompt at a time are the reference. Every other way must give the same tokens; it
may only part from them where the two best logits of the reference differ by less than 1e-4, which
rounding decides. Such places are counted, and anything else makes the exit code 1.

    python benchmarks/batching.py --model runs/demo/skeleton/model --rows examples/skeleton.jsonl
    python benchmarks/batching.py --model DIR --rows FILE --limit 32 --json runs/batching.json

Runs on the CPU in 32 bits.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.corpus.rows import sft_row  # noqa: E402
from sk2d.data.tokens import encode_prompt  # noqa: E402
from sk2d.decompile.phases import folder_of, prompt_for  # noqa: E402
from sk2d.errors import UserError  # noqa: E402
from sk2d.models.answers import Answer  # noqa: E402
from sk2d.models.card import read_facts  # noqa: E402
from sk2d.models.generate import generate  # noqa: E402
from sk2d.models.load import load_model, load_tokenizer  # noqa: E402

CONSOLE = Console()
TIE = 1e-4
"""Two logits that are nearer than this are equal for arithmetic in 32 bits."""


@dataclass
class Way:
    """One way of answering.

    Args:
        name: What it is called.
        batch_size: Prompts together.
        prompt_lookup: Tokens that are guessed ahead.
        seconds: For all prompts.
        same: Answers with the tokens of the reference.
        ties: Answers that part from it where two logits are as good as equal.
        wrong: Places of answers that part from it elsewhere, with the difference of the logits.
    """

    name: str
    batch_size: int = 1
    prompt_lookup: int = 0
    seconds: float = 0.0
    same: int = 0
    ties: int = 0
    wrong: list[tuple[int, float]] = field(default_factory=list)


def ways(batch_sizes: Sequence[int], lookups: Sequence[int]) -> list[Way]:
    """List the ways, the reference first."""
    batches = [Way(f"batch {size}", batch_size=size) for size in batch_sizes if size > 1]
    guessing = [Way(f"prompt lookup {count}", prompt_lookup=count) for count in lookups]
    return [Way("batch 1"), *batches, *guessing]


class Asked:
    """A model and the prompts that it answers.

    Args:
        model: Model folder, run folder or name.
        rows: File of rows.
        prompt: Name of a prompt, for a model that does not say.
        limit: Rows to take.
        max_new_tokens: Longest answer.
    """

    def __init__(
        self, model: str, rows: Path, prompt: str | None, limit: int | None, max_new_tokens: int
    ) -> None:
        folder = folder_of(model)
        facts = read_facts(folder)
        wanted = prompt_for(model, facts.phase if facts else "skeleton", prompt)
        self.model = load_model(str(folder)).float()
        self.tokenizer = load_tokenizer(str(folder))
        self.stop = wanted.stop
        self.max_new_tokens = max_new_tokens
        sources = [sft_row(raw, where).source for raw, where in read_rows(rows)][:limit]
        positions = self.model.config.get_text_config().max_position_embeddings
        prompts = list(dict.fromkeys(wanted.render(source) for source in sources))
        lengths = [len(encode_prompt(prompt, self.tokenizer)) for prompt in prompts]
        self.prompts = [
            text for text, length in zip(prompts, lengths, strict=True) if length < positions - 16
        ]

    def answers(self, way: Way) -> list[Answer]:
        """Answer all prompts in one way, and note how long it took."""
        started = time.perf_counter()
        found: list[Answer] = []
        for start in range(0, len(self.prompts), way.batch_size):
            found += generate(
                self.model,
                self.tokenizer,
                self.prompts[start : start + way.batch_size],
                stop=self.stop,
                max_new_tokens=self.max_new_tokens,
                prompt_lookup=way.prompt_lookup,
            )
        way.seconds = time.perf_counter() - started
        return found

    def margin(self, prompt: str, tokens: Sequence[int]) -> float:
        """Give the difference of the two best logits for the token that follows."""
        ids = [*encode_prompt(prompt, self.tokenizer), *tokens]
        with torch.no_grad():
            logits = self.model(input_ids=torch.tensor([ids])).logits[0, -1].float()
        best = logits.topk(2).values
        return float(best[0] - best[1])


def compare(asked: Asked, way: Way, answers: Sequence[Answer], reference: Sequence[Answer]) -> None:
    """Count the answers that are those of the reference, and look into the others."""
    pairs = zip(answers, reference, strict=True)
    for place, (answer, wanted) in enumerate(pairs):
        if answer.tokens == wanted.tokens and answer.text == wanted.text:
            way.same += 1
            continue
        both = zip(answer.tokens, wanted.tokens, strict=False)
        shorter = min(len(answer.tokens), len(wanted.tokens))
        parted = next((at for at, (one, two) in enumerate(both) if one != two), shorter)
        margin = asked.margin(asked.prompts[place], wanted.tokens[:parted])
        if margin < TIE:
            way.ties += 1
        else:
            way.wrong.append((place, margin))


def measure(asked: Asked, all_ways: Sequence[Way]) -> None:
    """Answer in every way; the first is the reference."""
    reference = asked.answers(all_ways[0])
    compare(asked, all_ways[0], reference, reference)
    for way in all_ways[1:]:
        compare(asked, way, asked.answers(way), reference)


def show(all_ways: Sequence[Way], prompts: int) -> None:
    """Print the table."""
    title = f"{prompts} prompts, greedy, CPU, 32 bits"
    table = Table("way", "seconds", "speed-up", "same tokens", "ties", "wrong", title=title)
    for way in all_ways:
        speed = all_ways[0].seconds / way.seconds
        counts = (str(way.same), str(way.ties), str(len(way.wrong)))
        table.add_row(way.name, f"{way.seconds:.1f}", f"{speed:.2f} x", *counts)
    CONSOLE.print(table)
    for way in all_ways:
        for place, margin in way.wrong:
            CONSOLE.print(f"{way.name}: prompt {place} parts where the logits differ by {margin}")


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--model", required=True, help="model folder, run folder or name")
    made.add_argument("--rows", type=Path, required=True, help="rows with an input")
    made.add_argument("--prompt", help="prompt of a model that does not say")
    made.add_argument("--limit", type=int, help="rows to take; all by default")
    made.add_argument("--max-new-tokens", type=int, default=400)
    made.add_argument("--batch-sizes", type=int, nargs="*", default=[2, 4, 8])
    made.add_argument("--lookups", type=int, nargs="*", default=[5, 10])
    made.add_argument("--json", type=Path, help="write the figures here")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        1 where an answer parts from the reference without a tie; 2 where model or rows cannot be
        used; else 0.
    """
    chosen = _parser().parse_args(arguments)
    all_ways = ways(chosen.batch_sizes, chosen.lookups)
    try:
        asked = Asked(chosen.model, chosen.rows, chosen.prompt, chosen.limit, chosen.max_new_tokens)
        measure(asked, all_ways)
    except UserError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    show(all_ways, len(asked.prompts))
    if chosen.json:
        figures: list[dict[str, Any]] = [asdict(way) for way in all_ways]
        text = json.dumps({"prompts": len(asked.prompts), "ways": figures}, indent=2)
        chosen.json.write_text(text + "\n", encoding="utf-8")
    return int(any(way.wrong for way in all_ways))


if __name__ == "__main__":
    sys.exit(main())
