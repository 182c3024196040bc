"""A small language with a little grammar, as streams."""

import numpy as np

from senna_py.lm.text.streams import Streams
from senna_py.lm.word_list import WordList

SUBJECTS, VERBS, OBJECTS = (
    ("cat", "dog", "ant"),
    ("sees", "likes"),
    ("milk", "corn", "hay"),
)


def sentences(n, seed=0):
    """Sentences of three words, the object of which follows from the subject mostly."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        s = rng.integers(3)
        o = s if rng.random() < 0.9 else rng.integers(3)
        yield f"{SUBJECTS[s]} {VERBS[rng.integers(2)]} {OBJECTS[o]}"


def streams(n=200, marks=False, n_valid=40):
    """Streams of the language: its words are nine, with <unk>, and <s> and </s> if
    `marks`.
    """
    words = WordList.of_words([*SUBJECTS, *VERBS, *OBJECTS], marks)

    def stream(n_sentences, seed):
        out = []
        for sentence in sentences(n_sentences, seed):
            ids = words.indices([word.encode() for word in sentence.split()]).tolist()
            out += [words.begin, *ids, words.end] if marks else ids
        return np.array(out, np.int32)

    return Streams(words, stream(n, 0), stream(n_valid, 1))
