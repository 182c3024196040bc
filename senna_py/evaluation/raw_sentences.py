"""Predicted sentences in the form of gold sentences of raw text."""

from collections.abc import Sequence

from senna_py.answers.document import Sentence
from senna_py.corpora.conllu import join_values
from senna_py.corpora.raw_text import RawSentence, Word
from senna_py.labels.dependencies import shifted
from senna_py.labels.tasks import ARCS, FEATS, LEMMA


def raw_sentence(
    sentence: Sentence,
    multiwords: str = "words",
    place: str = "the model's sentences",
) -> RawSentence:
    """Return a Sentence as a RawSentence, which can be scored.

    Args:
        sentence: The sentence.
        multiwords: What the words of a multiword token are; see `read_paragraphs`.
        place: The name of the text, for messages.
    """
    forms = [token.text for token in sentence]
    upos, xpos = sentence.parts_of_speech
    others = (sentence.tags.get(name) or ["_"] * len(forms) for name in (FEATS, LEMMA))
    columns = [forms, upos, xpos, *others]
    if multiwords == "words":
        # This matches the output of senna-tag.
        columns[1] = [tag.partition("+")[0] for tag in upos]
        if ARCS in sentence.layers:
            arcs = shifted(sentence.arcs, sentence.start)
            heads = (0 if arc.head is None else arc.head + 1 for arc in arcs)
            columns.append([*map(str, heads)])
            columns.append([arc.relation for arc in arcs])
    words = [Word(*each) for each in zip(*columns, strict=True)]
    ranges = sentence.surface_ranges
    surface = [
        forms[first] if end - first == 1 else sentence[first:end].text
        for first, end in ranges
    ]
    groups = [words[first:end] for first, end in ranges]
    if multiwords == "tokens":
        groups = [
            [_joined(form, group)] for form, group in zip(surface, groups, strict=True)
        ]
    spaces = [True] * len(surface)
    return RawSentence(place, surface, spaces, groups)


def _joined(form: str, words: Sequence[Word]) -> Word:
    """Return a surface token as one word, with the annotations of its words."""
    columns = [*zip(*words, strict=True)][1:5]
    return Word(form, *(join_values([*values]) for values in columns))
