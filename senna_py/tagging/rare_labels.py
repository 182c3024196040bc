"""Replaces labels that are too rare to learn with more frequent ones."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.labels.tasks import LEMMA_TAGS
from senna_py.tagging.sentences import Sentences


def replace_rare(sentences: Sentences, task: str, least: int) -> None:
    """Replace the rare labels of words, in place.

    A label is rare if it occurs fewer than `least` times. It is replaced by the most
    frequent label that is not rare among the words with the same lower-case form and
    part of speech. If there is no such label, all words with the same part of speech
    are considered, and finally all words. If all labels are rare, none is replaced.

    Args:
        sentences: The sentences, whose gold labels of the task are changed.
        task: The name of a task that labels each word.
        least: The minimum number of occurrences.
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
    """Return the backoff keys of each word with a label, the most specific first."""
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
