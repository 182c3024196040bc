"""Seconds that two checkouts take for the same work, alternately.

python benchmarks/two_checkouts.py BASE NEW [--text FILE] [--model PATH]... [--train
CORPORA]

BASE and NEW are directories with senna_py in them. Each row is a whole process of
senna-tag on one thread, from its start to its end. It tags the text of speed.py (FILE,
or drawn sentences) with the model of SENNA's sizes with random weights, which both
checkouts read; then all tasks of each --model, by default the English model of this
checkout. --train adds the trainings of small_trainings.py, which says what CORPORA is.
Both checkouts are run once before, so that their code is compiled, then base, new, new,
base, and so on. (A text of fewer tokens may be tagged before the code is compiled, and
the next run compiles again.)

Seconds are those of the processor, for user and system, and of the clock: medians of
the runs. `ratio` is the median over the pairs of runs of the processor's seconds, new to
base, because other programs change the seconds more than this ratio. Memory is the
largest peak.
"""

import os

from common.processes import ONE_THREAD

os.environ.update(ONE_THREAD)  # before NumPy is imported

import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median

import click
from common.checkouts import Checkout, alternately
from common.machine import describe_machine
from common.real_size_model import make_model
from common.small_trainings import TRAININGS, fill_in, write_inputs
from common.tables import print_table
from common.texts import draw_sentences, join_marks, read_sentences, repeat

ENGLISH = Path(__file__).resolve().parent.parent / "models" / "en"
HEAD = (
    *("row", "CPU s, base", "CPU s, new", "ratio", "clock s, base", "clock s, new"),
    *("MB, base", "MB, new"),
)


@click.command()
@click.argument("base", type=click.Path(exists=True, file_okay=False))
@click.argument("new", type=click.Path(exists=True, file_okay=False))
@click.option("--text", help="Text to repeat instead of drawing words.")
@click.option("--tokens", default=1_000_000, show_default=True, help="Tokens to tag.")
@click.option(
    "--slow-tokens",
    default=200_000,
    show_default=True,
    help="The same for roles, trees.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    default=[str(ENGLISH)],
    help="Run all its tasks.",
)
@click.option("--train", "corpora", help="Corpora of small trainings to run, too.")
@click.option("--rounds", default=6, show_default=True, help="Runs of each.")
@click.option("--pairs", default=20, show_default=True, help="Runs for starts.")
@click.option(
    "--only", multiple=True, help="Measure only rows with this in their names."
)
@click.option(
    "--python",
    nargs=2,
    default=(None, None),
    metavar="PATH PATH",
    help="Interpreters for both.",
)
def main(
    base, new, text, tokens, slow_tokens, models, corpora, rounds, pairs, only, python
):
    """Run both checkouts alternately and print what they took."""
    print(
        *(f"{key}: {value}" for key, value in describe_machine().items()),
        sep="\n",
        flush=True,
    )
    checkouts = Checkout(base, python[0]), Checkout(new, python[1])
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        rows = tagging(
            place, read_sentences(text) if text else None, tokens, slow_tokens, models
        )
        if corpora:
            rows.update(training(place, Path(corpora)))
        lines = [HEAD]
        for name, work in rows.items():
            if only and not any(part in name for part in only):
                continue
            runs = pairs if name.startswith("one sentence") else rounds
            lines.append((name, *measure(work, *checkouts, runs)))
            print(*lines[-1], sep="  ", flush=True)
    print()
    print_table(lines)


def tagging(place: Path, sentences, n_tokens, n_slow, models) -> dict[str, Callable]:
    """Return runs of senna-tag on a checkout, by the names of rows."""
    model = place / "model"
    some = None
    if sentences:
        some = "\n".join(sentences[:: max(1, len(sentences) // 400)][:400]) + "\n"
        some = some.encode("utf-8", "surrogateescape")
    words = make_model(model, some)
    sentences = sentences or draw_sentences(words, n_tokens)
    given = repeat(sentences, n_tokens)
    text = write(place / "text.txt", given)
    raw = write(place / "raw.txt", map(join_marks, given))
    slow = write(place / "slow.txt", repeat(sentences, n_slow))
    sentence = write(place / "sentence.txt", [max(sentences[:100], key=len)])

    def tag(text, path, *flags):
        return lambda checkout: checkout("tag", "-path", path, *flags, text=text)

    five = ("-pos", "-chk", "-ner", "-pt0", "-srl")
    rows = {
        "one sentence, POS": tag(sentence, model, "-usrtokens", "-pos"),
        "POS": tag(text, model, "-usrtokens", "-pos"),
        "POS of raw text": tag(raw, model, "-pos"),
        "POS CHUNK NER": tag(text, model, "-usrtokens", *five[:3]),
        "POS CHUNK NER PT0 SRL": tag(slow, model, "-usrtokens", *five),
        "trees": tag(slow, model, "-usrtokens", "-psg"),
    }
    for path in map(Path, models):
        rows[f"one sentence, {path.name}, all tasks"] = tag(
            sentence, path, "-usrtokens"
        )
        rows[f"{path.name}, all tasks"] = tag(slow, path, "-usrtokens")
    return rows


def write(path, lines):
    """Write lines; return the path."""
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", "surrogateescape")
    return path


def training(place: Path, corpora: Path) -> dict[str, Callable]:
    """Return small trainings on a checkout, by the names of rows."""
    places, number = write_inputs(place, corpora), count()

    def train(name):
        return lambda checkout: checkout(
            *fill_in(name, places, place / f"run{next(number)}")
        )

    return {f"train {name}": train(name) for name in TRAININGS}


def measure(work: Callable, base: Checkout, new: Checkout, rounds: int) -> list[str]:
    """Return the cells of a row after its name; see HEAD."""
    work(base), work(new)
    pairs = alternately(lambda: work(base), lambda: work(new), rounds)
    ratio = median(b["processor"] / a["processor"] for a, b in pairs)
    columns = list(zip(*pairs, strict=True))

    def medians(key):
        return [f"{median(result[key] for result in column):.3f}" for column in columns]

    peaks = [max(result["peak_bytes"] for result in column) for column in columns]
    memory = [f"{peak / 1e6:.0f}" for peak in peaks]
    return [*medians("processor"), f"{ratio:.3f}", *medians("seconds"), *memory]


if __name__ == "__main__":
    main()
