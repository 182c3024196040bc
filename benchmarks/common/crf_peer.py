"""CRFsuite as a peer: a linear-chain CRF for POS tags that is trained here, and its rate.

It needs python-crfsuite, which is in the dependency group `bench`.
"""

import hashlib
import time
from functools import cache
from itertools import groupby
from pathlib import Path

__all__ = ["crf_rates", "train_crf"]

# The speed of tagging does not depend on how good it is.
_PARAMETERS = {"max_iterations": 10}


def crf_rates(model, sentences, processor_time=False):
    """Return the tokens per second of the CRF in the file `model` on sentences.

    Sentences are str, with tokens between blanks. In the result, `bytes` is the rate from
    UTF-8 lines to UTF-8 rows of word and tag, with the features made in Python; `core` is
    the rate of CRFsuite alone, on features that are objects of CRFsuite already.
    """
    import pycrfsuite

    clock = time.process_time if processor_time else time.perf_counter
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))
    lines = [sentence.encode("utf-8", "surrogateescape") for sentence in sentences]
    n_tokens = sum(sentence.count(" ") + 1 for sentence in sentences)
    begin = clock()
    for line in lines:
        words = line.decode("utf-8", "surrogateescape").split()
        tags = tagger.tag(_features(words))
        rows = "".join(
            f"{word}\t{tag}\n" for word, tag in zip(words, tags, strict=True)
        )
        (rows + "\n").encode("utf-8", "surrogateescape")
    from_bytes = clock() - begin
    items = [
        pycrfsuite.ItemSequence(_features(sentence.split())) for sentence in sentences
    ]
    begin = clock()
    for item in items:
        tagger.set(item)
        tagger.tag()
    core = clock() - begin
    return {"bytes": n_tokens / from_bytes, "core": n_tokens / core}


def train_crf(path, directory):
    """Train a CRF for the first two columns of a file, unless there is one; return its
    path.
    """
    import pycrfsuite

    data = Path(path).read_bytes()
    digest = hashlib.sha256(data + Path(__file__).read_bytes()).hexdigest()[:16]
    model = Path(directory) / f"pos.{digest}.crfsuite"
    if model.exists():
        return model
    trainer = pycrfsuite.Trainer("ap", params=_PARAMETERS, verbose=False)
    rows = (
        line.split() for line in data.decode("utf-8", "surrogateescape").splitlines()
    )
    for filled, block in groupby(rows, bool):
        if filled:
            words, tags = zip(*(row[:2] for row in block), strict=True)
            trainer.append(_features(words), tags)
    Path(directory).mkdir(parents=True, exist_ok=True)
    trainer.train(f"{model}.part")
    return Path(f"{model}.part").rename(model)


def _features(words):
    """Return the features of the tokens of a sentence: a list of lists of str."""
    lower = ["</s>", "</s>", *map(str.lower, words), "</s>", "</s>"]
    return [
        [
            *_own_features(word),
            f"-2={lower[i]}",
            f"-1={lower[i + 1]}",
            f"0={lower[i + 2]}",
            f"+1={lower[i + 3]}",
            f"+2={lower[i + 4]}",
            f"-1,0={lower[i + 1]},{lower[i + 2]}",
            f"0,+1={lower[i + 2]},{lower[i + 3]}",
        ]
        for i, word in enumerate(words)
    ]


@cache
def _own_features(word):
    affixes = [
        f"{kind}{n}" for n in (1, 2, 3) for kind in (f"^{word[:n]}", f"${word[-n:]}")
    ]
    flags = {
        "bias": True,
        "upper": word.isupper(),
        "title": word.istitle(),
        "digit": any(map(str.isdigit, word)),
        "hyphen": "-" in word,
    }
    return [f"w={word}", *affixes, *(name for name, is_set in flags.items() if is_set)]
