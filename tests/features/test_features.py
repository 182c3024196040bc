"""Values of features, of word classes too, and the input of a network out of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.caps import CAPS_KEYS
from senna_py.features.gazetteer import (
    GAZETTEER_KEYS,
    PLACE_KEYS,
    Gazetteer,
    Gazetteers,
    phrase_lines,
)
from senna_py.features.protocol import Batch, TrainingTokens
from senna_py.features.registry import RESOURCES, find_feature
from senna_py.features.word_class import WordClass, WordClasses, class_lines
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.labels.tasks import find_task
from senna_py.text.characters import fold_words
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TOKENIZER = Tokenizer(Vocabulary.from_keys(["UNKNOWN", "he", "in"]))
SENTENCE = ["He", "lives", "in", "New", "York", "City", ",", "U.S.", "10001"]
CLASSES = [("0101", "new", 7), ("0101", "City", 3), ("011", "1999", 2)]
PHRASES = ["New York", "york city", "New York City", "U.S.", "he  "]


def compute(names, vocabularies, sentence=SENTENCE):
    """Values of features as lists of keys."""
    resources = {
        "gazetteers": Gazetteer(phrase_lines(PHRASES)),
        "classes": WordClasses(class_lines(CLASSES)),
    }
    tokens, found = TOKENIZER.pretokenized([sentence]), {}
    for name in names:
        feature, keys = find_feature(name), vocabularies[name]
        resource_type = feature.resource_type
        column = feature.column(
            keys, resources[resource_type.place] if resource_type else None
        )
        found[name] = [keys[i] for i in column(Batch(tokens))]
    return found


def test_which_features_are_of_tokens():
    for name in (
        "word",
        "caps",
        "suffix",
        "suffix.3",
        "prefix.1",
        "shape",
        "gazetteer.any",
        "class.brown",
        "class.brown.20",
    ):
        assert find_feature(name).of_tokens
    assert (find_feature("class.5.20").resource, find_feature("class.5.20").length) == (
        "5",
        20,
    )
    for name in ("pos", "pt0", "gazetteer", "prefix", "class", "mine"):
        assert not find_feature(name).of_tokens
    for name in (
        "suffix.",
        "suffix.0",
        "prefix.x",
        "shape.2",
        "suffix.100",
        "class.",
        "class.a.",
        "class.a.0",
        "class.a.4.6",
        "class.a b",
        "class.a.b",
        "class.a.01",
        "class.a.100",
    ):
        with pytest.raises(SennaError, match=f"no such feature: '{name}'"):
            find_feature(name)


def test_words_and_their_parts():
    tokens = TOKENIZER.pretokenized([SENTENCE])
    names = ["word", "caps", "suffix.2", "prefix.3", "shape"]
    vocabularies = {
        n: find_feature(n).vocabulary(TrainingTokens(tokens)) for n in names[1:]
    }
    vocabularies["word"] = Vocabulary.from_keys(["UNKNOWN", "he", "in"])
    found = compute(names, vocabularies)
    assert found == {
        "word": ["he", "UNKNOWN", "in"] + ["UNKNOWN"] * 6,
        "caps": ["initcap", "nocaps", "nocaps"]
        + ["initcap"] * 3
        + ["nocaps", "allcaps", "nocaps"],
        "suffix.2": ["he", "es", "in", "ew", "rk", "ty", "NOSUFFIX", "s.", "NOSUFFIX"],
        "prefix.3": [
            "NOPREFIX",
            "liv",
            "NOPREFIX",
            "new",
            "yor",
            "cit",
            "NOPREFIX",
            "u.s",
            "NOPREFIX",
        ],
        "shape": ["Aa", "a", "a", "Aa", "Aa", "Aa", ",", "A.A.", "0"],
    }
    for name in ("suffix.2", "prefix.3", "shape"):
        assert "PADDING" in vocabularies[name]
    # What was not there before is unknown.
    found = compute(names[2:5], vocabularies, ["Xyzzy-1"])
    assert found == {
        "suffix.2": ["NOSUFFIX"],
        "prefix.3": ["NOPREFIX"],
        "shape": ["UNKNOWN"],
    }


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Yes !", "few"),
        ("7 . 5", "few"),
        ("we went home .", "lower"),
        ("We went home with Ann .", "mixed"),
        ("Bank of England Raises Rates", "title"),
        ("BANK RAISES RATES , AGAIN", "upper"),
        ("iPhone and McDonald met", "mixed"),
        ("Ärzte Über Öl", "title"),
        ("ÄRZTE ÜBER 10 ÖL", "upper"),
        ("A B c d e", "mixed"),  # 2 of 5 begin with upper case
        ("A B C d e", "mixed"),  # 60% is not more than 60%
        ("Aa Bb Cc Dd e", "title"),
    ],
)
def test_how_much_of_a_sentence_is_capitalized(sentence, expected):
    given = [["Before", "This"], sentence.split(), ["after", "this"]]
    tokens = TOKENIZER.pretokenized(given)
    feature = find_feature("sentence.caps")
    vocabulary = feature.vocabulary(TrainingTokens(tokens))
    found = [vocabulary[i] for i in feature.column(vocabulary, None)(Batch(tokens))]
    assert found == ["title"] * 2 + [expected] * len(sentence.split()) + ["lower"] * 2


def test_rare_values_are_left_out():
    tokens = TOKENIZER.pretokenized([SENTENCE])
    keys = find_feature("shape").vocabulary(TrainingTokens(tokens, min_count=2)).keys()
    assert keys == ["Aa", "PADDING", "UNKNOWN", "a"]


def test_gazetteers_of_both_kinds():
    for keys, expected in (
        (GAZETTEER_KEYS, "YES NO NO YES YES YES NO YES NO"),
        (PLACE_KEYS, "S O O B I E O S O"),
    ):
        vocabulary = Vocabulary.from_keys(keys)
        found = compute(["gazetteer.loc"], {"gazetteer.loc": vocabulary})
        assert found == {"gazetteer.loc": expected.split()}


def test_word_classes():
    keys = ["PADDING", "NOCLASS", "011", "0101", "01"]
    names = ["class.brown", "class.brown.3", "class.brown.2"]
    found = compute(names, dict.fromkeys(names, Vocabulary.from_keys(keys)))
    assert found == {
        "class.brown": ["NOCLASS"] * 3
        + ["0101", "NOCLASS", "0101", "NOCLASS", "NOCLASS", "011"],
        "class.brown.3": ["NOCLASS"] * 8 + ["011"],  # 010 is no key
        "class.brown.2": ["NOCLASS"] * 3
        + ["01", "NOCLASS", "01", "NOCLASS", "NOCLASS", "01"],
    }


def test_a_vocabulary_without_the_key_for_all_others():
    with pytest.raises(SennaError, match="the key 'NOPREFIX' is missing"):
        compute(["prefix.2"], {"prefix.2": Vocabulary.from_keys(["ab"])})


def read_gazetteers(patterns, directory):
    """Phrases of gazetteers that a configuration names: bytes by name."""
    found = RESOURCES["gazetteers"].read({"gazetteers": patterns}, directory)
    return {name: each.lines() for name, each in found.items()}


def test_gazetteers_of_files(tmp_path):
    (tmp_path / "a.txt").write_text("Rome\n")
    (tmp_path / "b.txt").write_text("the big dog\nRome\n")
    assert read_gazetteers({"places": ["*.txt"]}, tmp_path) == {
        "places": b"rome\nthe big dog\n"
    }
    with pytest.raises(SennaError, match=r"none\.txt: No such file"):
        read_gazetteers({"places": ["a.txt", "none.txt"]}, tmp_path)
    (tmp_path / "c.txt").write_bytes(b"a\n\xff")
    with pytest.raises(SennaError, match=r"c\.txt: line 2: not UTF-8"):
        read_gazetteers({"places": ["*.txt"]}, tmp_path)
    with pytest.raises(SennaError, match="Is a directory"):
        read_gazetteers({"places": ["."]}, tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_gazetteers_in_any_encoding_that_a_mark_tells(tmp_path, encoding):
    (tmp_path / "a.txt").write_text("Rome\u2028x\nA\x0bb\r\n", encoding, newline="")
    assert read_gazetteers({"a": ["a.txt"]}, tmp_path) == {"a": b"a b\nrome x\n"}


def test_pages_of_a_wiki_are_no_names(tmp_path):
    (tmp_path / "a.txt").write_text(
        "Category:Banks\nUser talk:Ann/x\nRe: Born\nCategory\nAcme\n"
    )
    assert read_gazetteers({"all": ["a.txt"]}, tmp_path) == {
        "all": b"acme\ncategory\nre: born\n"
    }


def test_phrases():
    assert phrase_lines(PHRASES) == b"he\nnew york\nnew york city\nu.s.\nyork city\n"
    gazetteer = Gazetteer(phrase_lines(PHRASES))
    assert [key.decode() for key, _ in gazetteer.entries()] == [
        "he",
        "new",
        "new york",
        "new york city",
        "u.s.",
        "york",
        "york city",
    ]
    assert gazetteer.lines() == phrase_lines(PHRASES)
    assert Gazetteer(b"a b").lines() == b"a b\n"
    empty = Gazetteer(b"")
    assert empty.lines() == b""
    assert (empty.entries(), empty.n_entities) == ([], 0)


def test_senna_finds_an_entity_only_by_its_prefixes():
    keys = Vocabulary(b"a\na b\na b c\nd\nd e f\n")  # the prefix `d e` is missing
    marks = np.array([0, 1, 1, 0, 1], np.uint8)
    gazetteer = Gazetteers().from_senna(keys, marks)
    assert gazetteer.lines() == b"a b\na b c\n"
    assert gazetteer.entries() == [(b"a", 0), (b"a b", 1), (b"a b c", 1)]


WORDS = Vocabulary.from_keys(["PADDING", "UNKNOWN", "he", "in"])
CAPS = Vocabulary.from_keys(CAPS_KEYS)
POS = Vocabulary.from_keys(["NN", "VB", "PADDING", "UNAVAILABLE"])
KINDS = Vocabulary.from_keys(["NOCLASS", "0", "01"])
TOKENS = Tokenizer(WORDS).pretokenized([["He", "IN"], ["x"]])
LISTS = {
    "word": WORDS,
    "caps": CAPS,
    "pos": POS,
    "class.kinds": KINDS,
    "class.kinds.1": KINDS,
}


class Counting(WordClasses):
    """WordClasses that count how often they are searched."""

    calls = 0

    def find(self, tokens):
        self.calls += 1
        return super().find(tokens)


def assembly(*names, resources=None):
    return Assembly(names, LISTS, resources)


def test_labels_are_predicted_or_columns():
    network = assembly("word", "caps", "pos")
    answer = Layer(find_task("pos"), (), np.array([1, 0, 1], np.int32))
    index = network(Batch(TOKENS, {"pos": answer}))
    assert index.dtype == np.int32
    assert index.T.tolist() == [[2, 3, 1], [3, 1, 4], [1, 0, 1]]
    index = network(Batch(TOKENS, columns={"pos": ["NN", "other", "VB"]}))
    assert index[:, 2].tolist() == [0, 3, 1]
    with pytest.raises(SennaError, match="there are no labels pos"):
        network(Batch(TOKENS))


def test_what_several_networks_need_is_computed_once():
    classes = Counting(class_lines([("01", "he", 1), ("00", "x", 1)]))
    resources, batch = {"classes": {"kinds": classes}}, Batch(TOKENS)
    both = assembly("word", "class.kinds", "class.kinds.1", resources=resources)
    assert both(batch).T.tolist() == [[2, 3, 1], [2, 0, 0], [1, 0, 1]]
    one = assembly("class.kinds", "word", resources=resources)
    assert one(batch).T.tolist() == [[2, 0, 0], [2, 3, 1]]
    assert classes.calls == 1
    one(Batch(TOKENS))
    assert classes.calls == 2


OF_DOGS = Tokenizer(Vocabulary.from_keys(["UNKNOWN", "dog"]))


def test_lines_of_classes():
    rows = [("1", "dog", 1), ("01", "Dogs", 2), ("01", "cat", 3), ("1", "DOGS", 1)]
    assert class_lines(rows) == b"01\tcat\tdogs\n1\tdog\n"
    assert class_lines([]) == b""


def test_the_class_with_most_occurrences_of_a_form_counts():
    rows = [
        ("0", "1999", 5),
        ("1", "2001", 4),
        ("1", "3.5", 4),
        ("0", "a", 2),
        ("1", "A", 2),
    ]
    assert class_lines(rows) == b"0\ta\n1\t0\n"
    assert class_lines([("1", "A", 0), ("0", "a", 0)]) == b"1\ta\n"


@pytest.mark.parametrize("key", ["PADDING", "NOCLASS", "NOCLASS1"])
def test_classes_that_look_like_other_keys(key):
    with pytest.raises(
        SennaError, match=f"file: a class must not begin with .*: {key}$"
    ):
        class_lines([("0", "a", 1), (key, "b", 1)], "file")


def test_lines_that_do_not_end():
    classes = WordClasses(b"01\tcat\tdogs\n1\n2\tdog")
    assert (classes.names, classes.n_words) == (["01", "1", "2"], 3)
    tokens = OF_DOGS.pretokenized([["Cat", "dog", "cow"]])
    assert classes.find(tokens).tolist() == [0, 2, -1]
    empty = WordClasses(b"")
    assert empty.names == []
    assert empty.find(tokens).tolist() == [-1, -1, -1]


def test_a_word_in_two_classes():
    classes = WordClasses(b"0\ta\tb\n1\tb\n", "model")
    with pytest.raises(SennaError, match="model: the word 'b' occurs twice"):
        classes.find(OF_DOGS.pretokenized([["a"]]))


words = st.text(
    st.characters(exclude_characters="\n\t", exclude_categories=("Cs",)),
    min_size=1,
    max_size=6,
).filter(lambda word: word == word.strip())
rows = st.lists(st.tuples(st.sampled_from(["0", "10", "11"]), words, st.integers(0, 9)))


@given(rows, st.lists(words, min_size=1, max_size=8))
def test_what_is_found_is_what_was_listed(rows, others):
    classes = WordClasses(class_lines(rows))
    forms = fold_words([word for _, word, _ in rows])
    totals = {}
    for form, (key, _, count) in zip(forms, rows, strict=True):
        found = totals.setdefault(form, {})
        found[key] = found.get(key, 0) + count
    words = [*others, *(word for _, word, _ in rows)]
    tokens = OF_DOGS.pretokenized([words])
    found = classes.find(tokens).tolist()
    with fixed_kernels(plain=True):
        assert WordClasses(class_lines(rows)).find(tokens).tolist() == found
    for form, index in zip(fold_words(words), found, strict=True):
        if form in totals:
            assert classes.names[index] == max(totals[form], key=totals[form].get)
        else:
            assert index == -1


def test_rare_classes_are_left_out():
    classes = WordClasses(b"000\ta\n001\tb\n11\tc\tx\n10\td\n")
    tokens = OF_DOGS.pretokenized([["a", "b", "c", "C", "e"]])
    for name, min_count, keys in (
        ("class.any", 1, ["000", "001", "11"]),
        ("class.any", 2, ["11"]),
        ("class.any.2", 2, ["00", "11"]),
        ("class.any.1", 1, ["0", "1"]),
    ):
        vocabulary = WordClass.parse(name).vocabulary(
            TrainingTokens(tokens, min_count, classes)
        )
        assert vocabulary.keys() == ["PADDING", "NOCLASS", *keys]


def test_bytes_outside_utf8():
    line = class_lines([("\udcff", "caf\udce9", 1)])
    assert line == b"\xff\tcaf\xe9\n"
    classes = WordClasses(line)
    assert classes.names == ["\udcff"]
    assert np.array_equal(classes.find(OF_DOGS.pretokenized([["CAF\udce9"]])), [0])
