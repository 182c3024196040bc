"""Scores of tokens, sentences and words of raw text."""

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.raw_text import RawSentence, Word
from senna_py.errors import SennaError
from senna_py.evaluation.counts import Counts
from senna_py.evaluation.raw_text import score_text


def sentence(*tokens, place="here"):
    """A RawSentence: a token is its text with tags behind slashes, or a tuple of it and
    words.
    """
    forms, words = [], []
    for token in tokens:
        form, *parts = token if isinstance(token, tuple) else (token, token)
        forms.append(form.partition("/")[0])
        words.append([Word(*part.split("/")) for part in parts])
    return RawSentence(place, forms, [True] * len(forms), words)


def test_an_example():
    gold = [
        sentence(("du", "de/ADP", "le/DET"), "chat/NOUN", "./PUNCT"),
        sentence("l'/DET", "A/X"),
    ]
    found = [sentence("du/ADP", "chat/VERB", ".l'/X"), sentence("A/X")]
    scores = score_text(gold, found)
    assert scores.counts == {
        "tokens": Counts(5, 4, 3),
        "sentences": Counts(2, 2, 0),
        "words": Counts(6, 4, 2),
        "upos": Counts(6, 4, 1),
    }
    assert scores.aligned_accuracy("upos") == 50
    assert scores.confusions == {
        (". l'", ".l'"): 1,
        ("chat . | l' A", "chat . l' A"): 1,
        ("chat .l' A", "chat .l' | A"): 1,
    }


def test_features_and_lemmas():
    gold = [
        sentence("a/X/Y/Case=Nom|Foo=1|Number=Sing/b", "b/X/Y/_/_", "c/X/Y/Foo=2/c")
    ]
    found = [
        sentence("a/X/Z/Number=Sing|Case=Nom/b", "b/X/Y/Foo=1/any", "c/X/Y/Case=Acc/d")
    ]
    counts = score_text(gold, found).counts
    right = {"upos": 3, "xpos": 2, "feats": 2, "all": 1, "lemma": 2}
    assert {name: counts[name].correct for name in right} == right
    without = [sentence("a/X/Y", "b/X/Y", "c/X/Y")]
    assert score_text(gold, without).counts.keys() == counts.keys() - {
        "feats",
        "all",
        "lemma",
    }


def arcs(*rows):
    """A RawSentence: of each token its words, as `form head relation`, with commas
    between.
    """
    words = [
        [
            Word(form, head=head, relation=name)
            for form, head, name in (word.split() for word in row.split(","))
        ]
        for row in rows
    ]
    forms = ["".join(word.form for word in token) for token in words]
    return RawSentence("here", forms, [True] * len(forms), words)


def test_dependencies():
    """Heads are compared by the words that stand for them, whatever their numbers
    are.
    """
    gold = [
        arcs(
            "Il 2 nsubj", "va 0 root", "au 5 case,x 5 det", "lit 2 obl:mod", ". 2 punct"
        ),
        arcs("Oui 0 root"),
    ]
    found = [
        arcs(
            "Il 2 nsubj:x",
            "va 0 root",
            "aux 4 case",
            "lit 2 obl",
            ". 4 punct",
            "Oui 2 dep",
        )
    ]
    scores = score_text(gold, found)
    counts = {name: scores.counts[name] for name in ("uas", "las", "clas")}
    # Words: Il, va, lit, the period and Oui; their heads are right but for the last
    # two.
    assert counts == {
        "uas": Counts(7, 6, 3),
        "las": Counts(7, 6, 3),
        "clas": Counts(4, 4, 3),
    }
    assert scores.aligned_accuracy("clas") == 75
    assert scores.aligned_accuracy("uas") == 60


def annotated(*words):
    """Return a sentence of words `FORM UPOS FEATS LEMMA HEAD RELATION`, one token each."""
    cells = [word.split() for word in words]
    return RawSentence(
        "here",
        [form for form, *_ in cells],
        [True] * len(cells),
        [
            [Word(form, upos, "_", feats, lemma, head, relation)]
            for form, upos, feats, lemma, head, relation in cells
        ],
    )


GOLD_WORDS = (
    "The DET Definite=Def the 2 det",
    "dogs NOUN Number=Plur dog 4 nsubj",
    "have AUX Mood=Ind have 4 aux",
    "slept VERB VerbForm=Part sleep 0 root",
    "there ADV _ there 4 advmod",
)


@pytest.mark.parametrize(
    ("word", "changed", "n_mlas", "n_blex"),
    [
        (0, "The DET Definite=Def the 2 det", 3, 3),
        (0, "The DET Definite=Ind a 2 det", 2, 3),  # its head has another article
        (0, "The PRON Definite=Def the 2 det", 2, 3),
        (0, "The DET Definite=Def the 4 det", 1, 3),  # two heads have other words
        (0, "The DET Definite=Def|Typo=Yes the 2 det:x", 3, 3),  # not universal
        (1, "dogs NOUN Number=Sing dog 4 nsubj", 2, 3),
        (1, "dogs NOUN Number=Plur dogs 4 nsubj", 3, 2),
        (4, "there ADV _ there 2 advmod", 2, 2),
        (4, "there ADV _ there 4 det", 1, 2),  # a function word too many
    ],
)
def test_content_words_with_morphology_and_lemmas(word, changed, n_mlas, n_blex):
    found = [*GOLD_WORDS]
    found[word] = changed
    scores = score_text([annotated(*GOLD_WORDS)], [annotated(*found)])
    n_content = 2 if changed.endswith("4 det") and word == 4 else 3
    assert scores.counts["mlas"] == Counts(3, n_content, n_mlas)
    assert scores.counts["blex"] == Counts(3, n_content, n_blex)
    assert scores.aligned_accuracy("blex") == pytest.approx(100 * n_blex / 3)


def test_dependencies_that_are_not_there():
    gold, found = arcs("a 2 det", "b 0 root"), arcs("a _ _", "b 0 root")
    assert score_text([gold], [found]).counts["uas"] == Counts(2, 2, 1)
    assert score_text([found], [found]).counts["uas"] == Counts(2, 2, 1)
    assert "uas" not in score_text([gold], [sentence("a", "b")]).counts
    for head in ("3", "x"):
        with pytest.raises(
            SennaError, match=f"here: expected heads from 0, .* to 2, found '{head}"
        ):
            score_text([gold], [arcs("a 2 det", f"b {head} root")])


@pytest.mark.parametrize(
    ("heads", "problem"),
    [
        ("3 0 1", "word 1 depends on itself by way of its head"),
        ("0 3 2", "word 2 depends on itself by way of its head"),
        ("0 2 1", "word 2 is its own head"),
        ("0 0 2", "expected one root, found roots in words 1 and 2"),
        ("2 3 2", "expected one root, found no root"),
        ("2 1 _", "word 1 depends on itself by way of its head"),
        ("0 0 _", "expected one root, found roots in words 1 and 2"),
    ],
)
def test_what_is_no_tree_is_refused_as_by_the_script(heads, problem):
    tree = arcs("z 0 root"), arcs("a 2 det", "b 0 root", "c 2 obj")
    wrong = (
        tree[0],
        arcs(
            *(
                f"{form} {head} x"
                for form, head in zip("abc", heads.split(), strict=True)
            )
        ),
    )
    for gold, found in ((tree, wrong), (wrong, tree)):
        with pytest.raises(SennaError, match=f"here: no tree: {problem}"):
            score_text(gold, found)


def test_words_of_tokens_are_aligned_by_their_forms():
    gold = [sentence(("dámelo", "da", "me", "lo"), "x")]
    for token, right in (
        (("dámelo", "Da", "lo"), 2),
        (("dámelo", "dá", "melo"), 0),
        (("dámelox", "da", "lo", "x"), 3),
    ):
        rest = [] if token[0].endswith("x") else ["x"]
        found = [sentence(token, *rest)]
        assert score_text(gold, found).counts["words"].correct == right + len(rest)


def test_a_word_that_a_token_of_several_words_ends_in_may_be_one_of_those():
    """...as it is for the script of the shared task."""
    gold, found = [sentence("a", "bcd")], [sentence("a", ("bc", "b", "bcd"), "d")]
    assert score_text(gold, found).counts["words"] == Counts(2, 4, 2)
    gold, found = [sentence("abc", "d")], [sentence("a", ("bcd", "abc", "d"))]
    # Abc begins before.
    assert score_text(gold, found).counts["words"] == Counts(2, 3, 1)


def test_texts_have_to_be_the_same():
    gold = [sentence("a", "b", place="g: line 1"), sentence("c", place="g: line 4")]
    for found, problem in (
        (
            [sentence("a b", place="f: line 1"), sentence("d", place="f: line 9")],
            "f: line 9: expected 'c' as in g: line 4, found 'd'",
        ),
        (
            [sentence("a b", place="f: line 1")],
            "f: line 1: expected 'c' as in g: line 4, found the end",
        ),
    ):
        with pytest.raises(SennaError, match=problem):
            score_text(gold, found)


@st.composite
def segmentations(draw, text):
    """Sentences of a text: each character may end a token and a sentence; some have
    words.
    """
    pairs = st.tuples(st.text("abA", min_size=1, max_size=2), st.sampled_from("NV"))
    words = pairs.map(lambda pair: Word(*pair))
    sentences, tokens, form = [], [], ""
    for i, char in enumerate(text, 1):
        form += char
        if i == len(text) or draw(st.booleans()):
            parts = draw(st.lists(words, min_size=2, max_size=3) | st.none())
            tokens.append((form, parts or [Word(form, draw(st.sampled_from("NV")))]))
            form = ""
            if i == len(text) or draw(st.integers(0, 2)) == 0:
                forms, found = zip(*tokens, strict=True)
                sentences.append(
                    RawSentence("", list(forms), [True] * len(forms), list(found))
                )
                tokens = []
    return sentences


texts = st.text("abA", min_size=1, max_size=12)
pairs = texts.flatmap(lambda text: st.tuples(segmentations(text), segmentations(text)))


def places(sentences):
    """Characters of each token and each sentence: two lists of tuples of int."""
    numbers = iter(range(10**6))
    tokens = [
        [tuple(next(numbers) for _ in form) for form in each.forms]
        for each in sentences
    ]
    return list(chain(*tokens)), [tuple(chain(*each)) for each in tokens]


def naive_pairs(a, b):
    """Pairs of the words of two lists that are a longest common subsequence."""
    if not a or not b:
        return []
    if a[0].form.lower() == b[0].form.lower():
        return [(a[0], b[0]), *naive_pairs(a[1:], b[1:])]
    without = naive_pairs(a[1:], b), naive_pairs(a, b[1:])
    return without[0] if len(without[0]) >= len(without[1]) else without[1]


def naive_alignment(gold, found):
    """Aligned words by marks on the characters that lie within tokens of several words,
    or None.
    """
    sides = []
    for side in (gold, found):
        words = chain.from_iterable(each.words for each in side)
        sides.append(list(zip(places(side)[0], words, strict=True)))
    inside = [place for side in sides for place, words in side if len(words) > 1]
    # The first of those it hangs with.
    area = {char: char for place in inside for char in place}
    for _ in inside:
        for place in inside:
            first = min(area[char] for char in place)
            area.update(dict.fromkeys(place, first))
    for side in sides:
        for place, words in side:
            if len(words) == 1 and len({*map(area.get, place)}) > 1:
                return None  # a word that is in such a token in part
    out, groups = [], sorted({*area.values()})
    if any(_before(sides[0], first) != _before(sides[1], first) for first in groups):
        return None  # The shared task's script then takes in a word before the token.
    for first in groups:
        here = [
            [
                word
                for place, words in side
                if all(area.get(c) == first for c in place)
                for word in words
            ]
            for side in sides
        ]
        out += naive_pairs(*here)
    others = dict(sides[1])
    for place, words in sides[0]:
        if place in others and place[0] not in area:
            out.append((words[0], others[place][0]))
    return out


def _before(side, first):
    """Places of the words that end where a group of characters begins."""
    return {place for place, _ in side if place[-1] + 1 == first}


@given(pairs)
def test_counts_equal_those_of_a_naive_count(pair):
    scores = score_text(*pair)
    for name, which in (("tokens", 0), ("sentences", 1)):
        gold, found = (places(side)[which] for side in pair)
        assert scores.counts[name] == Counts(
            len(gold), len(found), len({*gold} & {*found})
        )
    n = [sum(len(words) for each in side for words in each.words) for side in pair]
    aligned = naive_alignment(*pair)
    if aligned is None:
        return
    assert scores.counts["words"] == Counts(*n, len(aligned))
    assert scores.counts["upos"] == Counts(
        *n, sum(a.upos == b.upos for a, b in aligned)
    )
    assert "xpos" not in scores.counts


@given(texts.flatmap(segmentations))
def test_a_text_has_all_that_it_has(sentences):
    scores = score_text(sentences, sentences)
    assert all(counts.f1 == 100 for counts in scores.counts.values())
    assert scores.confusions == Counter()
