"""Scores of `senna-py learn` beside spaCy's `train`, by number of sentences.

    python benchmarks/learning.py train.tsv dev.tsv --old ewt/dev.ner.tsv

The script takes 40, 400 and 4,000 sentences of TRAIN at random. From each number of
them, `senna-py learn` teaches the English model, and spaCy trains a blank English
pipeline with its default settings for efficiency. The table has the F1 of the entities
of DEV, the F1 of the labels that the English model knows in OLD, before and after
learning, and the time and the memory of each training. Each program runs in a process
of its own, on one thread; its time is processor time. spaCy scores DEV while it trains
and keeps its best model; `senna-py learn` keeps its last one. `--rename LABEL=NEW`
gives a label of TRAIN and DEV another name, or leaves it out if NEW is O.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from common.machine import describe_machine
from common.processes import ONE_THREAD, Launch
from common.tables import print_table

from senna_py.labels.tag_schemes import Segment, encode
from senna_py.learning.alignment import LabeledSentence, align
from senna_py.learning.examples import annotated_texts, renamed
from senna_py.learning.scores import predict, score
from senna_py.tagger import Tagger

_TASK = "ner"


class _Row(NamedTuple):
    """A row of the table: scores in percent, seconds and megabytes."""

    program: str
    every: float
    known: float | None
    new: float | None
    old: float | None
    seconds: float | None
    megabytes: float | None


class _Data(NamedTuple):
    """The sentences of the files, and their labels."""

    train: list[LabeledSentence]
    dev: list[LabeledSentence]
    old: list[LabeledSentence]
    labels: list[str]
    known: list[str]


def _labels(sentences: list[LabeledSentence]) -> set[str]:
    return {label for sentence in sentences for label, _, _ in sentence.spans}


def _read(tagger: Tagger, path: Path, names: dict[str, str]) -> list[LabeledSentence]:
    """Return the sentences of a file; those of a column file keep their words."""
    texts, _ = annotated_texts(path, _TASK)
    return align(tagger, [*renamed(texts, names)]).sentences


def _write(path: Path, sentences: list[LabeledSentence]) -> None:
    """Write columns of words and IOB2 tags."""
    blocks = []
    for sentence in sentences:
        tags = encode(sentence.spans, len(sentence.words), "iob2")
        rows = zip(sentence.words, tags, strict=True)
        blocks.append("".join(f"{word}\t{tag}\n" for word, tag in rows))
    path.write_text("\n".join(blocks), "utf-8")


def _row(
    program: str,
    data: _Data,
    spans: list[list[Segment]],
    old: float | None,
    measured: dict[str, float],
) -> _Row:
    """Return a row of the table from the spans that a program finds in DEV."""

    def f1(labels: list[str]) -> float | None:
        return score(data.dev, spans, labels).overall.f1 if labels else None

    new = [label for label in data.labels if label not in data.known]
    bytes_ = measured.get("peak_bytes")
    return _Row(
        program,
        f1(data.labels) or 0.0,
        f1([label for label in data.labels if label in data.known]),
        f1(new),
        old,
        measured.get("processor"),
        None if bytes_ is None else bytes_ / 1e6,
    )


def _old_f1(tagger: Tagger, data: _Data) -> float | None:
    """Return the F1 of the known labels in OLD."""
    if not data.old:
        return None
    labels = _labels(data.old) & {*data.known}
    return score(data.old, predict(tagger, data.old), labels).overall.f1


def _ours(data: _Data, directory: Path, changes: list[str], path: str | None) -> _Row:
    """Teach the English model in a directory with train.tsv, and score it."""
    launch = Launch([sys.executable, "-m", "senna_py", "learn"], ONE_THREAD)
    options = [word for change in changes for word in ("--set", change)]
    if path:
        options += ["--path", path]
    files = [directory / "train.tsv", directory / "run"]
    few = directory / "few.tsv"  # The time is that of learning, not of scoring.
    _write(few, data.dev[:50])
    measured = launch("--no-curve", "--dev", few, *options, *files)
    tagger = Tagger(directory / "run", [_TASK])
    spans = predict(tagger, data.dev)
    return _row("senna-py learn", data, spans, _old_f1(tagger, data), measured)


def _spacy_command(*arguments: object) -> None:
    command = [sys.executable, "-m", "spacy", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def _spacy(data: _Data, directory: Path, options: list[str]) -> _Row:
    """Train spaCy in a directory with train.tsv and dev.tsv, and score it."""
    import spacy
    from spacy.tokens import Doc

    config, target = directory / "config.cfg", directory / "spacy"
    for name in ("train.tsv", "dev.tsv"):
        _spacy_command("convert", directory / name, directory, "--converter", "ner")
    efficient = ["--lang", "en", "--pipeline", "ner", "--optimize", "efficiency"]
    _spacy_command("init", "config", config, *efficient)
    launch = Launch([sys.executable, "-m", "spacy", "train"], ONE_THREAD)
    paths = [
        "--paths.train",
        directory / "train.spacy",
        "--paths.dev",
        directory / "dev.spacy",
    ]
    measured = launch(config, "--output", target, *paths, *options)
    nlp = spacy.load(target / "model-best")
    words = (Doc(nlp.vocab, [*sentence.words]) for sentence in data.dev)
    spans = [
        [(span.label_, span.start, span.end) for span in document.ents]
        for document in nlp.pipe(words)
    ]
    return _row("spaCy train", data, spans, None, measured)


def _cells(size: str, row: _Row) -> list[str]:
    def figure(value: float | None) -> str:
        return "" if value is None else f"{value:.1f}"

    time = "" if row.seconds is None else f"{row.seconds:,.0f}"
    memory = "" if row.megabytes is None else f"{row.megabytes:,.0f}"
    scores = map(figure, (row.every, row.known, row.new, row.old))
    return [size, row.program, *scores, time, memory]


def _run(options: argparse.Namespace) -> list[list[str]]:
    """Train all models, and return the rows of the table."""
    names = dict(pair.split("=", 1) for pair in options.rename)
    tagger = Tagger(options.path, [_TASK])
    tags = tagger.labels(_TASK).names
    known = [*dict.fromkeys(tag[2:] for tag in tags if tag != "O")]
    old = _read(tagger, options.old, {}) if options.old else []
    train = _read(tagger, options.train, names)
    labels = sorted(_labels(train))
    data = _Data(train, _read(tagger, options.dev, names), old, labels, known)
    order = np.random.default_rng(options.seed).permutation(len(train)).tolist()
    rows = []
    before = predict(tagger, data.dev)
    begin = _row("the English model", data, before, _old_f1(tagger, data), {})
    rows.append(_cells("0", begin._replace(new=None)))
    for size in options.sizes:
        chosen = [train[i] for i in sorted(order[:size])]
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            _write(directory / "train.tsv", chosen)
            _write(directory / "dev.tsv", data.dev)
            results = []
            if "ours" in options.programs:
                results.append(_ours(data, directory, options.set, options.path))
                print(_cells(str(size), results[-1]), file=sys.stderr, flush=True)
            if "spacy" in options.programs:
                results.append(_spacy(data, directory, options.spacy))
                print(_cells(str(size), results[-1]), file=sys.stderr, flush=True)
        rows += [_cells(f"{len(chosen):,}", row) for row in results]
    return rows


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add: Any = parser.add_argument
    add("train", type=Path, help="annotated sentences to learn from")
    add("dev", type=Path, help="annotated sentences to score on")
    add("--old", type=Path, help="sentences with labels that the model knows")
    add("--path", help="the model to begin with; default: the English model")
    add(
        "--sizes",
        type=lambda text: [*map(int, text.split(","))],
        default=[40, 400, 4000],
        help="numbers of sentences; default: 40,400,4000",
    )
    add(
        "--programs",
        type=lambda text: text.split(","),
        default=["ours", "spacy"],
        help="default: ours,spacy",
    )
    add("--rename", action="append", default=[], metavar="LABEL=NEW")
    add("--set", action="append", default=[], help="a setting of senna-py learn")
    add(
        "--spacy",
        type=str.split,
        default=[],
        metavar="OPTIONS",
        help="options of spaCy's train, such as '--training.max_steps 200'",
    )
    add("--seed", type=int, default=1, help="the seed by which sentences are chosen")
    return parser.parse_args()


def main() -> None:
    """Print the table and a description of the machine."""
    os.environ.update(ONE_THREAD)
    head = ["sentences", "program", "F1", "known", "new", "old", "seconds", "MB"]
    print_table([head, *_run(_parse())])
    machine = describe_machine()
    print(f"{machine['date']}, {machine['processor']}, {machine['commit']}")


if __name__ == "__main__":
    main()
