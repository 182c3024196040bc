"""Labels that are too rare to learn, which are read as others."""

from collections import Counter, defaultdict
from typing import Any

from senna_py.labels.tasks import LEMMA_TAGS
from senna_py.tagging.data import Sentences


def replace_rare(sentences: Sentences, task: str, least: int) -> None:
    """Give words with a label that occurs less often than `least` another one.

    It is the most frequent other one of the form and its part of speech, of that, or of
    all words.
    """
    of_tags = next((name for name in LEMMA_TAGS if name in sentences.labels), None)
    # the labels of its sentence, its number there, and by what labels are counted
    words = []
    for k in sentences.labeled(task):
        forms, labels = sentences.words[k], sentences.labels[task][k]
        tags = (of_tags and sentences.labels[of_tags][k]) or [""] * len(forms)
        words += [
            (labels, i, ((form.lower(), tag), tag, None))
            for i, (form, tag) in enumerate(zip(forms, tags, strict=True))
        ]
    counts, usual = (
        Counter(labels[i] for labels, i, _ in words),
        defaultdict[Any, Any](Counter),
    )
    rare = [word for word in words if counts[word[0][word[1]]] < least]
    for labels, i, keys in words:
        for key in keys if counts[labels[i]] >= least else ():
            usual[key][labels[i]] += 1
    for labels, i, keys in rare if usual else ():
        labels[i] = next(usual[key] for key in keys if key in usual).most_common(1)[0][
            0
        ]
