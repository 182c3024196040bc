"""Formats with multiword tokens: ranges of CoNLL-U, columns by token and by word."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.answers.annotations import Annotations
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.merging import merge_words
from senna_py.answers.reading import sentences_of_lines
from senna_py.corpora.places import BatchPlace
from senna_py.formats.columns import TabPrinter
from senna_py.formats.conll2003 import Conll2003Printer
from senna_py.formats.conllu import ConlluPrinter
from senna_py.formats.conllu_reading import read_conllu
from senna_py.formats.token_text import TokenPrinter
from senna_py.labels.dependencies import depths
from senna_py.labels.tasks import find_task
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_splitting import WordSplitter
from tests.helpers.any_text import any_lines
from tests.helpers.random_documents import LINK

SPLITTER = WordSplitter(
    {"do": ("de", "o"), "ab": ("a", "b"), "Viu-se": ("Viu", "se"), "é": ("é", "é")}
)
TEXT = b"Viu-se o fim do ab mar.\n\nSol\n"


class SomeTagger:
    """What formats take of a Tagger."""

    def __init__(self, kind, *names):
        words = Vocabulary.from_keys(["UNKNOWN"])
        self.tokenizer = Tokenizer(words, kind, word_splitter=SPLITTER)
        self.tasks = names

    def task(self, name):
        return find_task(name)


def words_of(tagger, data):
    tokens = tagger.tokenizer.lines(data)
    known = [*map(tokens.text, range(len(tokens)))]
    mask = np.array([form in SPLITTER.tokens for form in known], bool)
    return tagger.tokenizer.expand(tokens, mask)


def layers_of(*layers):
    tagger = SomeTagger("french", *(layer.task.name for layer in layers))
    tokens = words_of(tagger, TEXT)
    by_name = {layer.task.name: layer for layer in layers}
    return tagger, Annotations(tokens, by_name, tagger.tasks)


def ints(*values):
    return np.array(values, np.int32)


def tags(name, text):
    names = [*dict.fromkeys(text.split())]
    return Layer(find_task(name), names, ints(*map(names.index, text.split())))


def rows(printer, annotations):
    text = bytes(printer.format(annotations, BatchPlace("text"))).decode()
    return [line for line in text.split("\n") if line]


TAGS = tags("upos", "VERB PRON DET NOUN ADP DET X Y NOUN PUNCT NOUN")
HEADS = Layer(
    find_task("dep"),
    ["root", "obj", "det", "case", "nmod", "punct"],
    ints(0, 1, 2, 1, 3, 2, 4, 4, 4, 5, 0),
    anchor=ints(ROOT, 0, 3, 0, 8, 8, 8, 8, 3, 0, ROOT),
)


def test_columns_have_a_line_for_each_token_in_the_text():
    tagger, annotations = layers_of(TAGS, HEADS)
    assert rows(TabPrinter(tagger, offsets=True), annotations) == [
        "Viu-se\t0\t6\tVERB+PRON\t0\troot",
        "o\t7\t8\tDET\t3\tdet",
        "fim\t9\t12\tNOUN\t1\tobj",
        "do\t13\t15\tADP+DET\t7\tcase",
        "a\t16\t17\tX\t7\tnmod",
        "b\t17\t18\tY\t7\tnmod",
        "mar\t19\t22\tNOUN\t3\tnmod",
        ".\t22\t23\tPUNCT\t1\tpunct",
        "Sol\t0\t3\tNOUN\t0\troot",
    ]


def test_columns_by_word():
    tagger, annotations = layers_of(TAGS, HEADS)
    found = rows(TabPrinter(tagger, offsets=True, by_word=True), annotations)
    assert len(found) == 11
    assert found[:2] == ["Viu\t0\t6\tVERB\t0\troot", "se\t0\t6\tPRON\t1\tobj"]
    assert found[4:6] == ["de\t13\t15\tADP\t9\tcase", "o\t13\t15\tDET\t9\tdet"]
    shown = [TokenPrinter(tagger, by_word=each) for each in (False, True)]
    assert [rows(printer, annotations)[0] for printer in shown] == [
        "Viu-se o fim do a b mar .",
        "Viu se o fim de o a b mar .",
    ]
    first = rows(Conll2003Printer(tagger), annotations)[0]
    assert first == "Viu-se _ _ _"
    assert rows(Conll2003Printer(tagger, by_word=True), annotations)[1] == "se _ _ _"


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(1, 3)], [(1, 2)]),  # It begins within a token.
        ([(0, 3)], [(0, 2)]),
        ([(3, 5), (5, 9)], [(2, 4), (4, 7)]),  # PP *fim de*, NP *o ab mar*
        ([(1, 2)], [(0, 1)]),  # It lies within a token.
        ([(0, 1), (1, 2)], [(0, 1)]),
        ([(4, 5), (5, 6), (6, 8)], [(3, 4), (4, 6)]),
    ],
)
def test_spans_of_tokens_in_the_text(places, expected):
    begin, end = (ints(*(place[k] for place in places)) for k in (0, 1))
    label = np.zeros(len(places), np.int32)
    segments = Layer(find_task("ner"), ["A"], label, begin, end)
    anchor = np.full(len(places), 5, np.int32)
    roles = Layer(find_task("srl"), ["A"], label, begin, end, anchor=anchor)
    _, annotations = layers_of(segments, roles)
    merged = merge_words(annotations).layers
    for layer in merged.values():
        found = [*zip(layer.begin.tolist(), layer.end.tolist(), strict=True)]
        assert found == expected
    assert merged["srl"].anchors.tolist() == [3]


def test_constituents_and_links_of_tokens_in_the_text():
    nested = ints(0, 4, 5, 10), ints(10, 9, 9, 11)
    tree = Layer(find_task("psg"), ["S", "PP", "NP"], ints(0, 1, 2, 0), *nested)
    place = ints(1, 4), ints(2, 6)
    links = Layer(LINK, ["x"], ints(0, 0), *place, anchor=ints(ROOT, 0))
    tagger = SomeTagger("french", "psg", "link", "pos", "lemma")
    tokens = words_of(tagger, TEXT)
    # Names of lemmas may occur several times.
    lemma = Layer(find_task("lemma"), ["a", "a", "b"], ints(0, 1, 2, *[1] * 8))
    given = {
        "lemma": lemma,
        "psg": tree,
        "link": links,
        "pos": tags("pos", "A B C D E F G H I J K"),
    }
    merged = merge_words(Annotations(tokens, given, tagger.tasks)).layers
    assert [row[1:3] for row in merged["psg"].rows()] == [
        (0, 8),
        (3, 7),
        (4, 7),
        (8, 9),
    ]
    assert [row[1:4] for row in merged["link"].rows()] == [(0, 1, ROOT), (3, 4, 0)]
    assert merged["pos"].texts()[0] == "A+B"
    assert merged["lemma"].texts() == ["a+a", "b", "a", "a+a", "a", "a", "a", "a", "a"]


def test_conllu_has_ranges(tmp_path):
    tagger, annotations = layers_of(TAGS, HEADS)
    found = rows(ConlluPrinter(tagger), annotations)
    cells = [line.split("\t") for line in found if line[0] != "#"]
    assert [(row[0], row[1], row[3], row[6], row[9]) for row in cells[:11]] == [
        ("1-2", "Viu-se", "_", "_", "_"),
        ("1", "Viu", "VERB", "0", "_"),
        ("2", "se", "PRON", "1", "_"),
        ("3", "o", "DET", "4", "_"),
        ("4", "fim", "NOUN", "1", "_"),
        ("5-6", "do", "_", "_", "_"),
        ("5", "de", "ADP", "9", "_"),
        ("6", "o", "DET", "9", "_"),
        ("7-8", "ab", "_", "_", "_"),
        ("7", "a", "X", "9", "_"),
        ("8", "b", "Y", "9", "_"),
    ]
    assert "# text = Viu-se o fim do ab mar." in found
    path = tmp_path / "text.conllu"
    path.write_bytes(ConlluPrinter(tagger).format(annotations, BatchPlace("text")))
    document = read_conllu(path, [TAGS.task, HEADS.task])
    assert document.text == TEXT.decode()
    assert document.layers["upos"] == TAGS and document.layers["dep"] == HEADS
    assert [token.surface for token in document][:3] == ["Viu-se", "Viu-se", "o"]


pieces = st.lists(st.sampled_from(["do", "ab", "é", "Viu-se", "a.", " ", "\t", "\n"]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["senna", "treebank", "french", "english"])
@settings(max_examples=80)
@given(
    text=st.one_of(pieces.map("".join), pieces.map(" ".join), any_lines, st.text()),
    splits=st.booleans(),
)
def test_every_character_comes_back_from_conllu(kind, text, splits, tmp_path_factory):
    """Blank lines at the end of a text are left out."""
    tagger = SomeTagger(kind)
    data = text.encode("utf-8", "replace")
    tokens = words_of(tagger, data)
    if splits:
        tokens = tagger.tokenizer.split_sentences(tokens)
    annotations = Annotations(tokens, {}, ())
    lines = ConlluPrinter(tagger, split=splits).format(annotations, BatchPlace("a"))
    path = tmp_path_factory.mktemp("conllu") / "text.conllu"
    path.write_bytes(lines)
    document, expected = read_conllu(path, []), data.decode()
    assert expected.startswith(document.text)
    assert not expected[len(document.text) :].strip()
    tokens = [token for each in sentences_of_lines(annotations) for token in each]
    assert [token.text for token in document] == [token.text for token in tokens]
    assert [token.surface for token in document] == [token.surface for token in tokens]


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.randoms())
def test_heads_of_tokens_in_the_text_are_trees(several, random):
    tagger = SomeTagger("french", "dep")
    tokens = words_of(
        tagger, " ".join("do" if each else "c" for each in several).encode()
    )
    order = random.sample(range(len(tokens)), len(tokens))
    heads = np.full(len(tokens), ROOT, np.int32)
    for i, word in enumerate(order[1:], 1):
        heads[word] = order[random.randrange(i)]
    label = np.zeros(len(tokens), np.int32)
    layer = Layer(find_task("dep"), ["a"], label, anchor=heads)
    merged = merge_words(Annotations(tokens, {"dep": layer}, ("dep",)))
    anchor = merged.layers["dep"].anchor.tolist()
    assert len(anchor) == len(merged.tokens) == len(several)
    assert None not in depths(anchor) and anchor.count(ROOT) == 1
