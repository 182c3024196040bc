"""Labels that are too rare to learn, which are read as others."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.labels.tasks import LEMMA_TAGS
from senna_py.tagging.data import Sentences


def replace_rare(sentences: Sentences, task: str, least: int) -> None:
    """Give words with a label that occurs less often than `least` another one.

    It is the most frequent other label of the form and its part of speech, of its part
    of speech, or of all words.
    """
    gold = sentences.gold[task]
    keys = _keys_of_words(sentences, task)
    labels = gold.layer.texts()
    counts = Counter(labels)
    usual: dict[Any, Counter[str]] = defaultdict(Counter)
    for label, keys_of_word in zip(labels, keys, strict=True):
        if counts[label] >= least:
            for key in keys_of_word:
                usual[key][label] += 1
    if not usual:
        return
    for row, label in enumerate(labels):
        if counts[label] < least:
            key = next(key for key in keys[row] if key in usual)
            labels[row] = usual[key].most_common(1)[0][0]
    names = (*dict.fromkeys(labels),)
    numbers = {name: number for number, name in enumerate(names)}
    label_of = np.array([numbers[label] for label in labels], np.int32)
    gold.layer = Layer(gold.layer.task, names, label_of)


def _keys_of_words(sentences: Sentences, task: str) -> list[tuple[Any, ...]]:
    """Return by what the labels of each word of a task are counted, the best first."""
    source = next((name for name in LEMMA_TAGS if name in sentences.gold), None)
    tags_of = {} if source is None else sentences.gold[source].tags()
    keys: list[tuple[Any, ...]] = []
    for number in sentences.gold[task].labeled.tolist():
        forms = sentences.words[number]
        tags = tags_of.get(number) or [""] * len(forms)
        keys += [
            ((form.lower(), tag), tag, None)
            for form, tag in zip(forms, tags, strict=True)
        ]
    return keys
