"""Words of multiword tokens: learned from a treebank, and stored as lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.text.word_split_learning import learn_words
from senna_py.text.word_splitting import WordSplitter

TOKENS = [
    *[("do", ["de", "o"]), ("Do", ["De", "o"]), ("da", ["de", "a"])] * 9,
    ("na", ["em", "a"]),
    ("Na", ["Em", "a"]),
    ("disse-lhe", ["disse", "lhe"]),
    ("viu-se", ["viu", "se"]),
    ("Fez-se", ["Fez", "se"]),
    ("dar-se-lhe", ["dar", "se", "lhe"]),
    ("sol", ["sol"]),
    ("katanya", ["kata", "nya"]),
    ("adanya", ["ada", "nya"]),
    ("roedd", ["yr", "oedd"]),
    ("rydyn", ["yr", "ydyn"]),
    ("թե՛", ["թե", "՛"]),
    ("ո՛չ", ["ոչ", "՛"]),
    ("կա՛մ", ["կամ", "՛"]),
    ("cannot", ["can", "not"]),
    ("don't", ["do", "n't"]),
    ("won't", ["wo", "n't"]),
]
LEARNED = learn_words(TOKENS)


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("do", "de o"),
        ("Na", "Em a"),
        ("DA", "DE A"),
        ("Parou-se", "Parou se"),
        ("ler-se-lhe", "ler se lhe"),
        ("Rumahnya", "Rumah nya"),
        ("Rwyf", "Yr wyf"),
        ("ա՛յն", "այն ՛"),
        ("Didn't", "Did n't"),
        ("DIDN'T", "DID N'T"),
        ("CanNot", "Can Not"),
    ],
)
def test_words_of_known_and_unknown_tokens(token, words):
    assert LEARNED.split(token) == tuple(words.split())


def test_words_of_upper_case_tokens_have_the_case_of_the_treebank():
    tokens = [("DU", ["DE", "le"]), ("AUX", ["À", "les"]), ("au", ["à", "le"])]
    assert learn_words(tokens).split("AU") == ("À", "le")


def test_no_rule_makes_words_without_characters():
    assert LEARNED.split("sol") is None
    assert LEARNED.split("") is None
    assert WordSplitter({}).split("do") is None
    assert all(LEARNED.split("nya") or ["nya"])


def test_the_table_has_only_what_the_rules_do_not_give():
    listed = [line.split("\t")[1] for line in LEARNED.lines() if line[:5] == "token"]
    assert {"disse-lhe", "adanya", "rydyn", "don't"}.isdisjoint(listed)


@given(
    st.text(max_size=8), st.lists(st.tuples(st.text(), st.lists(st.text(), min_size=2)))
)
def test_any_text_is_learned_stored_and_split(form, tokens):
    """Forms of CoNLL-U have neither tabs nor line breaks, and are not empty."""
    clean = [
        ("".join(form.split()), ["".join(word.split()) for word in words])
        for form, words in tokens
    ]
    clean = [(form, words) for form, words in clean if form and all(words)]
    learned = learn_words([*TOKENS, *clean])
    stored = WordSplitter.of_lines(learned.lines())
    assert stored.lines() == learned.lines()
    for text in (form, *(form for form, _ in clean)):
        words = learned.split(text)
        assert stored.split(text) == words
        assert words is None or (len(words) > 1 and all(words))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ab", "xab", "Ab", "AB", "b-a"]),
            st.lists(
                st.sampled_from(["a", "b", "B", "xa", "A"]), min_size=2, max_size=3
            ),
        )
    )
)
def test_the_most_frequent_words_of_a_known_token(tokens):
    learned = learn_words(tokens)
    for form in {form for form, _ in tokens}:
        analyses = [tuple(words) for other, words in tokens if other == form]
        most = max(map(analyses.count, analyses))
        assert analyses.count(learned.split(form)) == most


@pytest.mark.parametrize(
    "line",
    [
        "token\tdo",
        "token\tdo\tde\t",
        "token\t\tde\to",
        "ending\tnya\t900\t3\t\t",
        "ending\tnya\t900\t4\t\t\t",
        "ending\tnya\t900\t1\tx\t\t",
        "ending\tnya\tmany\t3\t\t\t",
        "beginning\tr\t900\t0\ty\tyr\t",
        "mark\tab\t900",
        "case\tlower\tlower\tlower",
        "case\tupper\tmixed\tlower",
        "rule\tdo",
        "",
    ],
)
def test_damaged_lines_are_named(line):
    with pytest.raises(SennaError, match="model: line 2: no rule for multiword tokens"):
        WordSplitter.of_lines(["token\tdo\tde\to", line], "model")
