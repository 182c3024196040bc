"""Small treebanks to learn tokens from, and the tokenizers that are learned from them.

The language joins `de` and `la` to `dela`, writes `in fact` as one token, and has an
abbreviation, whose period ends no sentence.
"""

import numpy as np

from senna_py.models.native import NativeModel
from senna_py.tagging.config import Config
from senna_py.tagging.run import Run
from senna_py.text.tokenizer import Tokenizer

# A token of a sentence: its form, its words if there are several, and whether white
# space follows.
_NOUNS = ["dog", "cat", "house", "Rome"]


def _sentence(rng):
    rows = [("Anna" if rng.random() < 0.5 else "He", (), True), ("sees", (), True)]
    if rng.random() < 0.5:
        rows = [("Dr.", (), True), ("Li", (), True), ("sees", (), True)]
    if rng.random() < 0.3:
        rows.append(("in fact", (), True))
    if rng.random() < 0.5:
        rows.append(("dela", ("de", "la"), True))
    rows.append((str(rng.choice(_NOUNS)), (), rng.random() < 0.2))
    if rng.random() < 0.2:
        rows += [("(", (), False), ("12", (), False), (")", (), False)]
    return [*rows, (str(rng.choice([".", "!"])), (), True)]


def treebank(n_sentences, seed, paragraphs=True):
    """Return sentences in CoNLL-U, in paragraphs of three."""
    rng = np.random.default_rng(seed)
    lines = []
    for sentence in range(n_sentences):
        if paragraphs and sentence % 3 == 0:
            lines.append("# newpar")
        number = 1
        for form, words, has_space in _sentence(rng):
            rest = "\t_" * 7 + ("\t_" if has_space else "\tSpaceAfter=No")
            if words:
                lines.append(f"{number}-{number + len(words) - 1}\t{form}{rest}")
                rest = "\t_" * 8
            for word in words or (form,):
                lines.append(f"{number}\t{word}{rest}")
                number += 1
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def token_config(**changes):
    """Return the configuration of a small learned tokenizer."""
    values = {
        "task": "tokens",
        "train": [{"files": ["train.conllu"]}],
        "dev": [{"files": ["dev.conllu"]}],
        "network": {"dilated": {"width": 16, "dilations": [1, 2]}},
        "training": {"batch": 4, "epochs": 10, "rate": 0.01, "dropout": 0.0},
    }
    return Config.of(values | changes)


def learn_tokens(place, say=lambda _: None, **changes):
    """Train a tokenizer on small treebanks below a directory; return the finished Run."""
    (place / "train.conllu").write_text(treebank(150, seed=1))
    (place / "dev.conllu").write_text(treebank(120, seed=2))
    config = token_config(**changes)
    made = Run.load(config, place, place / "run", None, say)
    assert made.trainer().run()
    return made


def learned_tokenizer(directory):
    """Return the tokenizer of a model that `learn_tokens` trained."""
    model = NativeModel(directory)
    return Tokenizer(model.words, model.tokenizer, finder=model.finder)
