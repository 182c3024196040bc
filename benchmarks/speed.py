"""How fast senna-tag is on this machine: one table.

python benchmarks/speed.py [--text FILE] [--model PATH]... [--crf-train FILE] [--json
FILE]

FILE has a sentence per line (tokens separated by white space), or columns (a token per
line, an empty line after each sentence); it is repeated to --tokens tokens. Without
FILE, sentences are drawn from the dictionary. The table has a column for a model of
SENNA's sizes and one for each --model. The former has random weights, with which 13% of
the tokens are predicates and trees are as deep as in a treebank (real_size_model.py).
--profile and --scaling measure other things instead. Everything runs on one core unless
the row says otherwise. docs/develop/benchmarking.md says how each row is measured.
"""

import os

from common.processes import ONE_THREAD

os.environ.update(ONE_THREAD)  # before NumPy is imported

import json
import tempfile
from pathlib import Path

import click
from common.machine import describe_machine
from common.real_size_model import make_model
from common.rows import PARTS, PEERS, ROWS, Bench
from common.scaling import draw_scaling, measure_scaling
from common.stages import print_profile, profile
from common.tables import print_table
from common.texts import draw_sentences, read_sentences
from common.throughput import Run

from senna_py import Model

RANDOM = "SENNA's sizes"


@click.command()
@click.option("--text", help="Text to repeat instead of drawing words.")
@click.option("--tokens", default=1_000_000, show_default=True, help="Tokens to tag.")
@click.option("--slow-tokens", type=int, help="The same for roles and trees.")
@click.option("--model", "models", multiple=True, help="Measure this model too.")
@click.option(
    "--parts", multiple=True, type=click.Choice(PARTS), help="Measure these rows only."
)
@click.option(
    "--rounds", default=3, show_default=True, help="Runs, of which the best counts."
)
@click.option(
    "--pairs", default=11, show_default=True, help="Turns for starts and for cores."
)
@click.option(
    "--processor-time",
    is_flag=True,
    help="Of what one core does, the processor's time.",
)
@click.option("--gigabyte", is_flag=True, help="1 GB of input too, SENNA's sizes.")
@click.option(
    "--crf-train", help="Column file, word and tag first, to train CRFsuite on."
)
@click.option("--crf-cache", default="~/.cache/senna-py-benchmarks", show_default=True)
@click.option("--json", "json_path", help="Write the figures to this file.")
@click.option(
    "--profile", "is_profile", is_flag=True, help="Print where the time goes, instead."
)
@click.option("--scaling", is_flag=True, help="Measure against input size, instead.")
@click.option(
    "--largest", default=100_000_000, show_default=True, help="Largest size in bytes."
)
@click.option("--plot", help="Picture of the scaling, to this file.")
def main(text, models, is_profile, scaling, json_path, largest, plot, **options):
    """Print how fast senna-tag is here."""
    options["crf_cache"] = Path(options["crf_cache"]).expanduser()
    record = {
        "machine": describe_machine(),
        "text": text and Path(text).name,
        "options": options,
    }
    print(*(f"{key}: {value}" for key, value in record["machine"].items()), sep="\n")
    with tempfile.TemporaryDirectory() as directory:
        paths, sentences = prepare(directory, text, options["tokens"], models)
        bench = Bench(directory, sentences, options)
        if is_profile:
            for name, path in paths.items():
                print_profiles(name, path, bench)
        elif scaling:
            record["scaling"] = measure_scaling(bench, paths[RANDOM], largest)
            if plot:
                draw_scaling(record, plot)
        else:
            record["peers"] = peers = bench.measure_peers()
            for key, (_, shown) in peers.items():
                print(f"{PEERS[key]}: {shown}")
            record["models"] = {
                name: bench.measure(
                    path, gigabyte=options["gigabyte"] and name == RANDOM
                )
                for name, path in paths.items()
            }
            print_models(record["models"])
    if json_path:
        Path(json_path).write_text(json.dumps(record, indent=1, default=str) + "\n")


def prepare(directory, text, n_tokens, models):
    """Return the paths of the models by their names, and the sentences to repeat."""
    sentences = read_sentences(text) if text else None
    sample = None
    if sentences:
        some = sentences[:: max(1, len(sentences) // 400)][:400]
        sample = ("\n".join(some) + "\n").encode("utf-8", "surrogateescape")
    words = make_model(f"{directory}/model", sample)
    paths = {RANDOM: f"{directory}/model", **{Path(path).name: path for path in models}}
    return paths, sentences or draw_sentences(words, n_tokens)


def print_profiles(name, path, bench):
    """Print where the time goes with a model, for POS, also from raw text, and all
    tasks.
    """
    runs = {
        "pos": Run(path, ["pos"], bench.text),
        "pos of raw text": Run(path, ["pos"], bench.raw, whitespace=False),
        "all tasks": Run(path, list(Model(path).tasks()), bench.slow),
    }
    for what, run in runs.items():
        print(f"\n{name}: {what}")
        print_profile(*profile(run))


def print_models(columns):
    """Print ROWS with a column of texts for each model, from a dict of dicts."""
    lines = [("what", *columns)]
    for key, what in ROWS.items():
        if any(key in found for found in columns.values()):
            lines.append(
                (what, *(found.get(key, (None, "-"))[1] for found in columns.values()))
            )
    print_table(lines)


if __name__ == "__main__":
    main()
