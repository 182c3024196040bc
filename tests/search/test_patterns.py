"""What patterns find in a document."""

import pickle

import numpy as np
import pytest

from senna_py import Document, Match, Pattern, SennaError
from senna_py.answers.layer import Layer
from senna_py.errors import UsageError
from senna_py.labels.tasks import find_task
from senna_py.search.errors import PatternError
from tests.helpers.searched import searched, texts


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ('"car"', ["car"]),
        ('"THE"%c "(red|new)"', ["The red", "the new", "The new"]),
        ('[word=="$"]', ["$", "$"]),
        ("[lemma='see' & pos='VB.*']", ["saw"]),
        ('[upos="NUM" & !(val="MONEY")]', ["two", "three"]),
        (
            '[word="s.*" & upos!="VERB"]',
            ["small", "startup", "startup", "students"],
        ),
        ('[Number="Plur" & Person="3"]', ["They"]),
        ('[feats.Voice="Pass"]', ["sold", "founded"]),
        ("[Degree] [!Degree]", ["old friends", "red car", "old dog", "New York"]),
        ('[deprel="nsubj:pass"]', ["car", "startup"]),
        ('[psg="QP"]+', ["$5 million", "$2 billion"]),
        ('[srl="AM-TMP" & upos="NOUN"]', ["days", "police"]),
    ],
)
def test_words(pattern, found):
    assert texts(pattern)[: len(found)] == found


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ('[upos="ADJ"]+ [upos="NOUN"]', ["old friends", "red car", "big old dog"]),
        ('[pos="DT"] [pos="JJ"]{2} []', ["the big old dog"]),
        ('[pos="DT"] [pos="JJ"]{2,} []', ["the big old dog"]),
        ('[pos="VB.*"] [pos="VB.*"]{,1} "to|by"?', ["told", "had paid", "was sold by"]),
        ('("old"|"big")* "dog|friends"', ["old friends", "big old dog"]),
        ('[lemma="see"] []{0,3} [ner="LOC"]', []),
        ('[lemma="see"] []* [ner="LOC"]', ["saw the big old dog in New York"]),
        ("<s> []", ["Mary", "The", "He"]),
        ("[]{2} </s>", ["John.", "Mary.", "it."]),
        (
            "<s/>",
            ["Mary Smith told her old friends that IBM had paid $5 million to John."],
        ),
    ],
)
def test_sequences(pattern, found):
    assert texts(pattern)[: len(found)] == found
    assert found or not texts(pattern)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ('<ner="PER"/>', ["Mary Smith", "John", "Mary", "Tim Cook", "Bob"]),
        ('<chk="NP"> []* [upos="NOUN"] </chk>', ["her old friends", "The red car"]),
        ('<chk="NP"> [upos="ADJ"]', []),
        (
            '[upos="ADJ"]+ [] </chk>',
            ["old friends", "red car", "big old dog", "New York"],
        ),
        (
            '<psg="VP"> [] <psg="NP"/> </psg>',
            ["saw the big old dog in New York", "like it"],
        ),
        ('[upos="NOUN"] within <dep="obl"/>', ["days"]),
        ('[]+ within <val="DATE"/>', ["Monday", "three days"]),
    ],
)
def test_spans(pattern, found):
    assert texts(pattern)[: len(found)] == found


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (
            'verb:[upos="VERB"] >nsubj who:[] >obj what:[]',
            [
                ("paid", {"verb": "paid", "who": "IBM", "what": "$"}),
                ("saw", {"verb": "saw", "who": "He", "what": "dog"}),
            ],
        ),
        (
            "[] >nsubj:pass what:<dep/> >obl:agent who:<dep/>",
            [
                ("sold", {"what": "The red car", "who": "by Mary"}),
                ("founded", {"what": "The startup", "who": "by two young engineers"}),
            ],
        ),
        (
            '[lemma="say"] >srl.A0 who:[] >srl.A1 what:[]',
            [
                ("said", {"who": "Tim Cook", "what": "We are very happy"}),
                (
                    "said",
                    {
                        "who": "The minister",
                        "what": "that the new law would help poor families",
                    },
                ),
            ],
        ),
        (
            'noun:[upos="NOUN"] >amod a:[]',
            [
                ("friends", {"noun": "friends", "a": "old"}),
                ("car", {"noun": "car", "a": "red"}),
                ("dog", {"noun": "dog", "a": "big"}),
                ("dog", {"noun": "dog", "a": "old"}),
            ],
        ),
        (
            '[lemma="pay"] >srl.A0 org:<ner="ORG"/> >srl.A1 money:<val="MONEY"/>',
            [("paid", {"org": "IBM", "money": "$5 million"})],
        ),
        ('org:<ner="ORG"/> <nsubj v:[]', [("IBM", {"org": "IBM", "v": "paid"})]),
        ("[lemma='tell'] >>obj money:[]", [("told", {"money": "$"})]),
        ('[lemma="million"] <</nsubj|ccomp/ []', []),
        ('[word="\\$"] << v:[lemma="tell"]', [("$", {"v": "told"})]),
        ('[word="\\$"] <<obj v:[lemma="tell"]', [("$", {"v": "told"})]),
        ('[word="\\$"] <<ccomp v:[lemma="tell"]', []),
        ('[upos="VERB"] !>/obj|ccomp/ [] !>conj []', ["sold"]),
        (
            'v:[lemma="sell|see"] >obj o:[]?',
            [("sold", {"v": "sold"}), ("saw", {"v": "saw", "o": "dog"})],
        ),
        (
            '[lemma="tell"] >ccomp (v:[] >nsubj s:[] >obj (o:[] >nummod n:[]))',
            [("told", {"v": "paid", "s": "IBM", "o": "$", "n": "million"})],
        ),
        ('"Mary" <srl.A0 v:[]', [("Mary", {"v": "told"}), ("Mary", {"v": "sold"})]),
        ('d:[pos="DT"] ([lemma="dog|car"] >amod a:[])', []),
        (
            'd:[pos="DT"] []* [lemma="dog|car"] >amod a:[]',
            [
                ("The red car", {"d": "The", "a": "red"}),
                ("the big old dog", {"d": "the", "a": "big"}),
                ("the big old dog", {"d": "the", "a": "old"}),
            ],
        ),
    ],
)
def test_relations(pattern, found):
    assert texts(pattern)[: len(found)] == found
    assert found or not texts(pattern)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (
            "a:[] [] b:[] & a.lemma = b.lemma",
            [("ran and ran", {"a": "ran", "b": "ran"})],
        ),
        (
            'v:[upos="VERB"] >nsubj s:[] & v < s',
            [("said", {"v": "said", "s": "Tim"})],
        ),
        (
            'v:[upos="VERB"] >obj o:[] & v > o',
            [],
        ),
        (
            'a:[pos="DT"] b:[pos="NN.*"] & a.lemma != b.word',
            [("The startup", {"a": "The", "b": "startup"})],
        ),
    ],
)
def test_conditions_on_captures(pattern, found):
    assert texts(pattern)[: len(found)] == found


def test_words_with_the_same_lemma_may_have_different_labels():
    tasks = find_task("lemma"), find_task("feats")
    lemmas = Layer(tasks[0], ["the", "a", "the"], np.array([0, 1, 2, 1], np.int32))
    names = ["Number=Sing", "_", "Case=Nom|Number=Sing"]
    features = Layer(tasks[1], names, np.array([0, 1, 2, 1], np.int32))
    places = [(0, 3), (4, 5), (6, 9), (10, 11)]
    layers = {"lemma": lemmas, "feats": features}
    document = Document("The a the a", places, [0, 4], layers)
    for attribute in ("lemma", "Number"):
        pattern = f"x:[] [] y:[] & x.{attribute} = y.{attribute}"
        found = [match.text for match in document.search(pattern)]
        assert found == ["The a the"]
        assert not document.search(f"x:'The' [] y:[] & x.{attribute} != y.{attribute}")


def test_a_capture_is_as_early_and_long_as_possible():
    assert texts('a:[upos="ADJ"]+ b:[upos="ADJ"]* [lemma="dog"]') == [
        ("big old dog", {"a": "big old"})
    ]


def test_matches_know_their_places():
    document = searched()
    (match,) = document.search('dog:[lemma="dog"] >det the:[]')
    assert (match.start, match.end) == (29, 30)
    assert match["dog"] == document[29:30] == match.span
    assert match["the"].start == 26
    assert match.get("a") is None
    assert "dog" in match
    assert "a" not in match
    with pytest.raises(KeyError, match="the captures of the match are dog, the"):
        match["a"]
    assert match.sentence == document.sentences[2]
    assert match.to_dict()["captures"]["the"]["text"] == "the"
    assert pickle.loads(pickle.dumps(match)) == match
    assert hash(match) == hash(pickle.loads(pickle.dumps(match)))
    assert repr(match) == "Match(29:30, 'dog', dog='dog', the='the')"
    assert isinstance(match, Match)


def test_a_sentence_is_searched_alone():
    document = searched()
    found = [match for each in document.sentences for match in each.search("<ner/>")]
    assert tuple(found) == document.search("<ner/>")
    assert texts("<s> []", document.sentences[2]) == ["He"]


def test_a_pattern_is_compiled_once():
    pattern = Pattern('v:[upos="VERB"] >nsubj [Number="Plur"] >srl.A0 <ner/>')
    assert pattern.names == ("v",)
    assert pattern.tasks() == ("upos", "dep", "feats", "srl", "ner")
    assert pattern.tasks(["Number"])[2] == "Number"
    assert pickle.loads(pickle.dumps(pattern)) == pattern
    assert repr(Pattern("[]")) == "Pattern('[]')"
    assert len({pattern, Pattern(pattern.text)}) == 1
    with pytest.raises(TypeError, match="a pattern is a str, not list"):
        Pattern(["see"])


def test_a_layer_that_is_missing_is_named():
    document = Document("Go!", [(0, 2), (2, 3)], [0, 2])
    assert texts('"Go" []', document) == ["Go!"]
    with pytest.raises(
        PatternError, match=r"column 7: .* not tagged with pos; there are word"
    ):
        document.search('"Go" [pos="."]')
    with pytest.raises(SennaError, match=r"column 4: .* not tagged with dep"):
        document.search("[] >obj []")


def test_an_empty_document_has_no_matches():
    assert Document("").search("[]") == ()


ERRORS = [
    ("", 1, 'expected a word, such as [pos="NN"], but the pattern ends here'),
    ("see", 1, 'expected a word in quotation marks, such as "see", not see'),
    ("'a' lemma='b'", 5, "expected a condition in square brackets, such as [lemma="),
    ("'a' 'the", 5, "the quotation mark is not closed"),
    ('[lemma="see]', 8, "the quotation mark is not closed"),
    ("\u201csee\u201d", 1, "a value needs straight quotation marks"),
    ("[pos=NN]", 6, 'expected a value in quotation marks, such as "NN.*", not NN]'),
    ('[pos="NN"', 10, "expected ] for the [ in column 1, but the pattern ends here"),
    ('([pos="NN"] []', 15, "expected ) for the ( in column 1"),
    ('[pos="N("]', 9, "no regular expression: missing )"),
    ('[pos="NN"%d]', 10, "the only flag is %c, which ignores case"),
    ("[]{3,2}", 3, "no number is from 3 to 2"),
    ("[]{x}", 3, "a number of repetitions is {2}, {1,3} or {2,}"),
    ("[] > ", 6, 'expected a word, such as [pos="NN"]'),
    ("([] []) >obj []", 9, "a relation starts from a word or a span, not from a group"),
    ("[]+ >obj []", 5, "a relation starts from one word"),
    ("[] >obj []+", 11, "only ? can follow the target of a relation"),
    ("[] !>obj x:[]", 4, "what must not be there cannot have a name"),
    ("x:[] x:[]", 6, "two parts have the name x"),
    ("[] & a < b", 6, "no part has the name a; there are no names"),
    ("<s>", 1, "a pattern needs a word, such as []"),
    ("<ner> [] </ner", 11, "expected a word"),
    ('<s="x"/>', 1, "sentences have no labels"),
    ("[]]", 3, 'expected a word, such as [pos="NN"], not ]'),
    ("[] )", 4, "expected a word, a relation or the end, not )"),
    ('<s/> containing [lemma="firm"]', 6, "there is no operator containing; write <s>"),
    ('(meet "a" "b" -5 5)', 2, "there is no operator meet; write"),
    ("a:[] b:[] :: a.lemma = b.lemma", 11, "there is no operator ::; conditions"),
    ("[] within []", 11, "expected a tag such as"),
    ("(" * 50 + "[]" + ")" * 50, 41, "more than 40 levels of brackets"),
]


@pytest.mark.parametrize(("text", "column", "problem"), ERRORS)
def test_errors_name_the_place(text, column, problem):
    with pytest.raises(PatternError) as caught:
        Pattern(text)
    assert str(caught.value).startswith(f"the pattern, column {column}: {problem}")
    shown, caret = caught.value.pointer
    assert caret == " " * (len(caret) - 1) + "^"
    assert len(caret) <= len(shown) + 1
    assert caught.value.exit_code == 2


def test_errors_of_long_patterns_show_the_line():
    with pytest.raises(PatternError, match=r"line 2, column 3: ") as caught:
        Pattern("[]\n[ ) ]\n[]")
    assert caught.value.pointer == ("[ ) ]", "  ^")


def test_alternatives_may_have_the_same_name():
    assert texts('(a:"red" | "big" a:"old") []') == [
        ("red car", {"a": "red"}),
        ("big old dog", {"a": "old"}),
    ]


def test_many_ways_to_match_take_little_memory():
    words = ["a"] * 50
    places = [(2 * i, 2 * i + 1) for i in range(len(words))]
    document = Document(" ".join(words), places, [0, len(words)])
    assert len(document.search("([]* []*)* ([]? []?)*")) == 1
    assert len(document.search('x:[]* y:"a"* z:[]*')) == 1


def test_an_expression_that_takes_too_long_is_an_error():
    document = Document.from_conllu("1\t" + "a" * 60 + "b" + "\t_" * 8 + "\n")
    with pytest.raises(UsageError, match=r"'\(a\|aa\)\+' takes too long"):
        document.search('[word="(a|aa)+"]')
