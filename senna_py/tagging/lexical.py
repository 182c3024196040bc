"""What a run learns of words by counting: lemmas, and what rare labels are read as."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from senna_py.errors import SennaError
from senna_py.evaluation.tokens import TokenScores
from senna_py.labels.lemmas import Lemmas, learn_lemmas
from senna_py.labels.tasks import LEMMA, LEMMA_TAGS
from senna_py.tagging.data import Sentences
from senna_py.tagging.kinds import kind_of


def best_lemmas(train: Sentences, dev: Sentences) -> tuple[Lemmas, str, str]:
    """Lemmas of Sentences, the task whose tags they go by, and a line for the user.

    They go by the first of LEMMA_TAGS that says anything; features would help, but predicted ones
    are wrong too often. Raises SennaError if no word has both a tag and a lemma.
    """
    labels = {name: {label for i in train.labeled(name) for label in train.labels[name][i]}
              for name in LEMMA_TAGS if name in train.labels}  # fmt: skip
    tag = max(labels, key=lambda name: len(labels[name]) > 1)
    rows = [(word, label, lemma)
            for words, column, lemmas in _sentences(train, tag)
            for word, label, lemma in zip(words, column, lemmas, strict=True)
            if lemma != "_" or word == "_"]  # fmt: skip
    if not rows:
        raise SennaError(f"no word has both a lemma and a label of {tag}")
    lemmas = learn_lemmas(rows)
    accuracy = score_lemmas(lemmas, tag, dev).accuracy
    note = f"{len(rows):,} tokens to learn from, by {tag}; with the labels of dev {accuracy:.2f}%"
    return lemmas, tag, f"{LEMMA}: {note} are right"


def score_lemmas(
    lemmas: Lemmas,
    task: str,
    sentences: Sentences,
    found: Mapping[str, list[Any]] | None = None,
) -> TokenScores:
    """TokenScores of Lemmas by the tags of a task, gold or `found` for sentences with labels."""
    return kind_of(LEMMA).score(
        (gold, lemmas.of_tokens([word.encode("utf-8", "surrogateescape") for word in words], tags))
        for words, tags, gold in _sentences(sentences, task, found)
    )


def _sentences(sentences, task, found=None):
    """Yield the words, the tags of a task, and the lemmas of sentences that have both."""
    places = sentences.labeled(task)
    labels = found[task] if found else [sentences.labels[task][i] for i in places]
    tags = dict(zip(places, labels, strict=True))
    for i in sentences.labeled(LEMMA):
        if i in tags:
            yield sentences.words[i], tags[i], sentences.labels[LEMMA][i]


def replace_rare(sentences: Sentences, task: str, least: int) -> None:
    """Give words with a label that occurs less often than `least` another one.

    It is the most frequent other one of the form and its part of speech, of that, or of all words.
    """
    of_tags = next((name for name in LEMMA_TAGS if name in sentences.labels), None)
    words = []  # the labels of its sentence, its number there, and by what labels are counted
    for k in sentences.labeled(task):
        forms, labels = sentences.words[k], sentences.labels[task][k]
        tags = (of_tags and sentences.labels[of_tags][k]) or [""] * len(forms)
        words += [(labels, i, ((form.lower(), tag), tag, None))
                  for i, (form, tag) in enumerate(zip(forms, tags, strict=True))]  # fmt: skip
    counts, usual = Counter(labels[i] for labels, i, _ in words), defaultdict[Any, Any](Counter)
    rare = [word for word in words if counts[word[0][word[1]]] < least]
    for labels, i, keys in words:
        for key in keys if counts[labels[i]] >= least else ():
            usual[key][labels[i]] += 1
    for labels, i, keys in rare if usual else ():
        labels[i] = next(usual[key] for key in keys if key in usual).most_common(1)[0][0]
