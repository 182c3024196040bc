"""Noun chunks, of chunks and of dependency trees."""

import pytest

from senna_py.errors import UsageError
from senna_py.labels.dependencies import Arc, noun_chunks
from tests.helpers.documents import (
    arcs,
    document_of,
    sentence_object,
    sentence_of,
    span,
)

SENTENCE = """
the DET 4 det|very ADV 3 advmod|old ADJ 4 amod|dog NOUN 7 nsubj|of ADP 6 case|Anna PROPN 4 nmod
is AUX 0 root|in ADP 11 case|her PRON 11 nmod:poss|big ADJ 11 amod|garden NOUN 7 obl
, PUNCT 13 punct|asleep ADJ 7 conj|and CCONJ 16 cc|two NUM 16 nummod|cats NOUN 7 conj
see VERB 16 acl|him PRON 17 obj
"""


def parse(text):
    """Words, tags and Arcs of words that are written as above."""
    rows = [row.split() for row in text.strip().replace("\n", "|").split("|")]
    arcs = tuple(
        Arc(int(head) - 1 if head != "0" else None, name) for *_, head, name in rows
    )
    return [row[0] for row in rows], tuple(row[1] for row in rows), arcs


def chunks_of(text, tagged=True):
    words, tags, tree = parse(text)
    return [" ".join(words[a:b]) for a, b in noun_chunks(tree, tags if tagged else ())]


def test_chunks_of_a_tree():
    found = ["the very old dog", "Anna", "her big garden", "two cats", "him"]
    assert chunks_of(SENTENCE) == found
    # Without parts of speech, nobody knows that what is coordinated is a noun.
    assert chunks_of(SENTENCE, tagged=False) == [
        each for each in found if each != "two cats"
    ]


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        (
            "le DET 2 det|chat NOUN 4 nsubj|noir ADJ 2 amod|dort VERB 0 root",
            ["le chat noir"],
        ),
        ("Anna PROPN 3 nsubj|Li PROPN 1 flat|left VERB 0 root", ["Anna Li"]),
        (
            "a DET 3 det|, PUNCT 1 punct|deal NOUN 0 root|, PUNCT 5 punct|sad ADJ 3 amod",
            ["a , deal"],
        ),
        ("he PRON 4 nsubj|is AUX 4 cop|a DET 4 det|man NOUN 0 root", ["he", "a man"]),
        ("it PRON 3 obj|we PRON 3 nsubj|see VERB 0 root", ["it", "we"]),
        (
            "dogs NOUN 3 obj|we PRON 3 nsubj|see VERB 0 root|big ADJ 1 amod",
            ["dogs", "we"],
        ),
        # What no noun is at its head is none, whatever its relation is.
        (
            "homes NOUN 0 root|I PRON 3 nsubj|slept VERB 1 acl|in ADP 3 obl",
            ["homes", "I"],
        ),
        ("homes NNS 0 root|I PRP 3 nsubj|slept VBD 1 acl|in IN 3 obl", ["homes", "I"]),
        ("we PRON 2 nsubj|went VERB 0 root|there ADV 2 obl", ["we"]),
        ("men NOUN 0 root|who PRON 3 nsubj|left VERB 1 acl", ["men", "who"]),
        (
            "we PRP 2 nsubj|help VBP 0 root|the DT 4 det|poor JJ 2 obj",
            ["we", "the poor"],
        ),
        ("in IN 2 case|general JJ 4 obl|we PRP 4 nsubj|win VBP 0 root", ["we"]),
        ("on IN 2 compound|line NN 0 root", ["line"]),
        (
            "a DT 2 det|tune NN 3 nsubj|plays VBZ 0 root|out RP 2 compound:prt",
            ["a tune"],
        ),
    ],
)
def test_what_belongs_to_a_chunk(text, chunks):
    assert chunks_of(text) == chunks


def test_of_sentences_and_documents():
    _, tags, tree = parse("le DET 2 det|chat NOUN 0 root")
    words, tags = ["le", "chat"], {"upos": [*tags]}
    found = arcs([arc.head for arc in tree], [arc.relation for arc in tree])
    chunks = [span("VP", 0, 1, 0.5), span("NP", 1, 2, 0.5)]
    of_tree = sentence_of(words, tags=tags, arcs=found)
    of_chunks = sentence_of(words, chunks=chunks)
    of_both = sentence_of(words, tags=tags, arcs=found, chunks=chunks)
    assert [(span.label, span.text, span.score) for span in of_tree.noun_chunks] == [
        ("NP", "le chat", None)
    ]
    assert [(span.text, span.score) for span in of_chunks.noun_chunks] == [
        ("chat", 0.5)
    ]
    twice = document_of(
        *(sentence_object(words, at=at, tags=tags, arcs=found) for at in (0, 8))
    )
    assert [(each.start, each.end) for each in twice.noun_chunks] == [(0, 2), (2, 4)]
    assert of_both.noun_chunks[0].text == "le chat"
    with pytest.raises(UsageError, match="no noun_chunks: the task dep was not run"):
        _ = sentence_of(words).noun_chunks
