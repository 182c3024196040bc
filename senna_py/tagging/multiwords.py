"""Learning which forms of a treebank consist of several words."""

from collections import Counter
from itertools import chain

from senna_py.features.multiword_forms import ALWAYS, NEVER, FormList
from senna_py.labels.tasks import TOKENS
from senna_py.tagging.sentences import Sentences
from senna_py.text.characters import fold_words
from senna_py.text.units import INSIDE, MULTIWORD_END


def multiword_forms(sentences: Sentences) -> dict[str, FormList]:
    """Return the lists of forms that always or never consist of several words.

    Args:
        sentences: Paragraphs of units with gold labels.
    """
    counts: Counter[str] = Counter()
    multiword: Counter[str] = Counter()
    form = ""
    for unit, has_space, label in zip(
        chain.from_iterable(sentences.words),
        chain.from_iterable(sentences.spaces),
        sentences.gold[TOKENS].layer.texts(),
        strict=True,
    ):
        form += unit
        if label == INSIDE:
            form += " " if has_space else ""
            continue
        counts[form] += 1
        multiword[form] += label.startswith(MULTIWORD_END)
        form = ""
    totals: Counter[str] = Counter()
    n_multiword: Counter[str] = Counter()
    for form, folded in zip(counts, fold_words(list(counts)), strict=True):
        totals[folded] += counts[form]
        n_multiword[folded] += multiword[form]
    return {
        ALWAYS: FormList.of(f for f in totals if n_multiword[f] == totals[f]),
        NEVER: FormList.of(f for f in totals if not n_multiword[f]),
    }
