"""Annotations of characters on tokens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.corpora.annotations.texts import AnnotatedText, Annotation, join_words
from senna_py.learning.alignment import align
from senna_py.tagger import Tagger

TEXT = "Zoë saw 🎉 New York-based Rome. The dog sees Anna."


@pytest.fixture(scope="module")
def tagger(old_model):
    return Tagger(old_model, ["ner"])


def annotated(text, *spans):
    annotations = (Annotation(b, e, label) for b, e, label in spans)
    return AnnotatedText("a.jsonl: line 1", text, tuple(annotations))


def words(text, *pairs):
    """A text with annotated words, as pairs of a word and a label."""
    spans = [(text.index(w), text.index(w) + len(w), label) for w, label in pairs]
    return annotated(text, *spans)


def placed(alignment):
    return [
        (label, " ".join(sentence.words[begin:end]))
        for sentence in alignment.sentences
        for label, begin, end in sentence.spans
    ]


def test_spans_are_laid_onto_tokens(tagger):
    alignment = align(tagger, [words(TEXT, ("Zoë", "PER"), ("Anna", "PER"))])
    assert placed(alignment) == [("PER", "Zoë"), ("PER", "Anna")]
    assert not (alignment.widened or alignment.left_out or alignment.n_joined)


def test_spans_within_tokens_are_widened_and_listed(tagger):
    alignment = align(tagger, [words(TEXT, (" New York", "LOC"))])
    assert placed(alignment) == [("LOC", "New York-based")]
    assert str(alignment.widened[0]) == (
        "a.jsonl: line 1: LOC 9 to 18, ' New York': widened to the tokens "
        "'New York-based'"
    )


def test_of_overlapping_spans_the_longest_is_kept(tagger):
    text = words(TEXT, ("York-based", "A"), ("New York-based", "B"), ("Rome", "C"))
    alignment = align(tagger, [text])
    assert placed(alignment) == [("B", "New York-based"), ("C", "Rome")]
    assert [each.annotation.label for each in alignment.left_out] == ["A"]
    assert "A 14 to 24, 'York-based': overlaps with B 10 to 24; left out" in str(
        alignment.left_out[0]
    )
    same = words(TEXT, ("Rome", "C"), ("Rome", "C"))
    assert not align(tagger, [same]).left_out


def test_offsets_that_are_all_off_by_one(tagger):
    text = "Anna saw a dog. Rome has cats."
    exact = [(0, 4, "X"), (11, 14, "X"), (16, 20, "X")]
    for spans, shift in (
        (
            [(b + 1, e + 1, x) for b, e, x in exact],
            "began and ended one character earl",
        ),
        ([(b, e - 1, x) for b, e, x in exact], "ended one character later"),
        ([(b + 1, e, x) for b, e, x in exact], "began one character earlier"),
    ):
        ((name, n),) = align(tagger, [annotated(text, *spans)]).shifts.most_common(1)
        assert name.startswith(shift)
        assert n == 3
    assert not align(tagger, [annotated(text, *exact)]).shifts


def test_equal_texts_with_different_annotations(tagger):
    texts = [words("Anna saw Rome.", ("Rome", label)) for label in "XXY"]
    alignment = align(tagger, texts)
    assert len(alignment.contradictions) == 1
    assert [sentence.source for sentence in alignment.sentences] == [0, 0, 0]


def test_sentences_with_a_common_span_are_joined(tagger):
    text = "The dog sees Rome. Anna sees a cat."
    assert len(align(tagger, [annotated(text)]).sentences) == 2
    alignment = align(tagger, [words(text, ("Rome. Anna", "X"))])
    assert (len(alignment.sentences), alignment.n_joined) == (1, 1)
    assert placed(alignment) == [("X", "Rome . Anna")]


def test_words_of_a_column_file_stay_as_they_are(tagger):
    text = join_words("a.tsv: line 1", ["New York-", "based", "."], [("X", 0, 2)])
    (sentence,) = align(tagger, [text]).sentences
    assert sentence.words == ("New York-", "based", ".")
    assert sentence.spans == (("X", 0, 2),)


def test_labels_that_are_not_annotated_are_filled_in(tagger):
    text = words("the dog sees Anna . the big cat sees a dog .", ("dog", "ANIMAL"))
    filled = align(tagger, [text], "ner", ["NAME"])
    assert placed(filled) == [("ANIMAL", "dog"), ("NAME", "Anna")]
    assert filled.n_filled == 1
    assert filled.n_covered == 0
    text = words("the dog sees Anna .", ("Anna", "PER"))
    covered = align(tagger, [text], "ner", ["NAME"])
    assert placed(covered) == [("PER", "Anna")]
    assert (covered.n_filled, covered.n_covered) == (0, 1)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_annotation_is_placed_widened_or_left_out(tagger, data):
    alphabet = st.sampled_from("abZ .,-'\"\n\u00a0\u3000é🎉👩\u200d\u0301日")
    text = data.draw(st.text(alphabet, min_size=1, max_size=40))
    ranges = data.draw(
        st.lists(
            st.tuples(
                st.integers(0, len(text) - 1), st.integers(1, 12), st.sampled_from("XY")
            ),
            max_size=4,
        )
    )
    spans = [(b, min(b + n, len(text)), label) for b, n, label in ranges]
    alignment = align(tagger, [annotated(text, *spans)])
    labels = [label for label, _ in placed(alignment)]
    assert len(labels) + len(alignment.left_out) <= len(spans)
    left_out = {each.annotation for each in alignment.left_out}
    for span in spans:
        assert Annotation(*span) in left_out or span[2] in labels
    for sentence in alignment.sentences:
        ends = [0, *(end for _, _, end in sentence.spans)]
        begins = [*(begin for _, begin, _ in sentence.spans), len(sentence.words)]
        assert all(end <= begin for end, begin in zip(ends, begins, strict=True))
    # A span that is exactly one token, and overlaps with nothing, is that token.
    tokens = [token for token in tagger.document(text).tokens if token.text]
    for token in tokens[:3]:
        exact = annotated(text, (token.start_char, token.end_char, "X"))
        assert [text for _, text in placed(align(tagger, [exact]))] == [token.text]
