"""Tokens and sentences of languages, by the rules of their files."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.text import languages
from senna_py.text.abbreviations import read_abbreviations
from senna_py.text.languages import language_ranges, read_language
from senna_py.text.learning import learn_abbreviations
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokenizer_kinds import LANGUAGES
from senna_py.text.vocabulary import Vocabulary

WORDS = Vocabulary.from_keys(sorted(["PADDING", "UNKNOWN"]))

# Raw text, and its tokens between blanks.
CASES = [
    (
        "german",
        "Am 3. Oktober kam z.B. Dr. Meier, usw.",
        "Am 3. Oktober kam z.B. Dr. Meier , usw.",
    ),
    (
        "german",
        "Im 19. Jh. geht's der 2. Mannschaft gut.",
        "Im 19. Jh. geht 's der 2. Mannschaft gut .",
    ),
    (
        "german",
        "Es waren 3. Dann Nord-Süd, 3,5 Mio. €",
        "Es waren 3 . Dann Nord-Süd , 3,5 Mio. €",
    ),
    (
        "french",
        "L'homme qu’il a vu aujourd'hui dit-il.",
        "L' homme qu’ il a vu aujourd'hui dit -il .",
    ),
    (
        "french",
        "A-t-elle vu M. Dupont et Jean-Paul ?",
        "A -t-elle vu M. Dupont et Jean-Paul ?",
    ),
    (
        "french",
        "un(e) élève, J.-P. Sartre, 20 °C",
        "un(e) élève , J.-P. Sartre , 20 °C",
    ),
    (
        "italian",
        "C'è un po' d'acqua nell'anno '90, sig. Rossi",
        "C' è un po' d' acqua nell' anno '90 , sig. Rossi",
    ),
    (
        "spanish",
        "¿Vio el Sr. Pérez la pág. 5? ¡No!",
        "¿ Vio el Sr. Pérez la pág. 5 ? ¡ No !",
    ),
    (
        "dutch",
        "'s Avonds zag zo'n man foto's, enz.",
        "'s Avonds zag zo'n man foto's , enz.",
    ),
    ("portuguese", "A Sra. Lima disse-me: d'água.", "A Sra. Lima disse-me : d' água ."),
    (
        "turkish",
        "19. yüzyılda Ankara'da, 1970'li Dr. Can.",
        "19. yüzyılda Ankara'da , 1970'li Dr. Can .",
    ),
    (
        "unicode",
        "日本語。カタカナ नमस्ते שלום a:b 3.14",
        "日 本 語 。 カタカナ नमस्ते שלום a : b 3.14",
    ),
    (
        "unicode",
        "fin.Début \U0001f44b\U0001f3fd\U0001f1e9\U0001f1ea:) x",
        "fin . Début \U0001f44b\U0001f3fd \U0001f1e9\U0001f1ea : ) x",
    ),
    ("french", "Écris à a+b@c.fr ou www.x.fr/a.", "Écris à a+b@c.fr ou www.x.fr/a ."),
    (
        "french",
        "L'on part à 15h30, c'est-à-dire t½ du GPIIb/IIIa +/- 5.",
        "L'on part à 15 h 30 , c'est-à-dire t½ du GPIIb/IIIa +/- 5 .",
    ),
    (
        "italian",
        "l' 11/3, la 92/42 di Shakespeare's e/o n.6 ecc..",
        "l' 11 / 3 , la 92 / 42 di Shakespeare's e/o n. 6 ecc. .",
    ),
    (
        "turkish",
        "yirmibir. yüzyıl ana-oğul ?eredesin?",
        "yirmibir. yüzyıl ana - oğul ?eredesin ?",
    ),
    ("french", "@moi #tag1 #1 :) x...", "@moi #tag1 # 1 :) x ..."),
    (
        "german",
        "z. B. i. d. R. Hauptstr. 5, Dr.-Ing. St.-Pauli-Fan z.B.",
        "z. B. i. d. R. Hauptstr. 5 , Dr.-Ing. St.-Pauli-Fan z.B.",
    ),
    ("german", "Sie ging zu B. und z. Mal", "Sie ging zu B . und z . Mal"),
    (
        "spanish",
        "EE. UU., 1.ª y 3.er, 2º, p. ej. yo",
        "EE. UU. , 1.ª y 3.er , 2º , p. ej. yo",
    ),
    ("portuguese", "o 1.º, p. ex., no séc. XX", "o 1.º , p. ex. , no séc. XX"),
    ("dutch", "J. van den Berg jr., plan B.", "J. van den Berg jr. , plan B ."),
    (
        "french",
        "Donne-le-moi, celui-ci, vas-y !",
        "Donne -le -moi , celui-ci , vas -y !",
    ),
]


def tokens(text, name, own=()):
    data = text.encode("utf-8", "surrogateescape")
    begin, end = language_ranges(data, name, own)
    assert begin.dtype == end.dtype == np.int32
    return [
        data[i:j].decode("utf-8", "surrogateescape")
        for i, j in zip(begin, end, strict=True)
    ]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_hard_case(name, text, expected):
    assert tokens(text, name) == expected.split()


PARAGRAPHS = [
    (
        "german",
        "Die Fa. Mai und Dr. med. Lohr, z. B. Anna, u. a. Die Uhr.",
        ["Die Fa. Mai und Dr. med. Lohr, z. B. Anna, u. a.", "Die Uhr."],
    ),
    (
        "spanish",
        "Fue a EE. UU. en 1990. Vio EE. UU. Luego fue.",
        ["Fue a EE. UU. en 1990.", "Vio EE. UU.", "Luego fue."],
    ),
    (
        "german",
        "Das ist Plan B. Die Frau nahm Vitamin D. Die Reise Wilhelms I. Die Uhr.",
        [
            "Das ist Plan B.",
            "Die Frau nahm Vitamin D.",
            "Die Reise Wilhelms I.",
            "Die Uhr.",
        ],
    ),
    (
        "italian",
        "Gioca in Serie A. Il dottore dorme.",
        ["Gioca in Serie A.", "Il dottore dorme."],
    ),
    (
        "spanish",
        "Tiene hepatitis A. El hombre S. El fin.",
        ["Tiene hepatitis A.", "El hombre S.", "El fin."],
    ),
    (
        "dutch",
        "Dat is plan B. De man uit groep E. De groep I. De rest.",
        ["Dat is plan B.", "De man uit groep E.", "De groep I.", "De rest."],
    ),
    (
        "portuguese",
        "Mora na Av. Brasil e na Av. O homem tem hepatite A. O fim.",
        ["Mora na Av. Brasil e na Av.", "O homem tem hepatite A.", "O fim."],
    ),
    ("turkish", "Grup M. Bu adam.", ["Grup M.", "Bu adam."]),
    ("dutch", "Jan Jr. kwam. J. de Vries zag.", ["Jan Jr. kwam.", "J. de Vries zag."]),
    (
        "german",
        "Er kam am 3. Mai. „Gut.“ Sie ging. Dr. Mai usw. Die Uhr.",
        ["Er kam am 3. Mai.", "„Gut.“", "Sie ging.", "Dr. Mai usw.", "Die Uhr."],
    ),
    (
        "french",
        "M. Le Clerc vient. « Oui. » Il est là, etc. Il dort. puis non.",
        ["M. Le Clerc vient.", "« Oui. »", "Il est là, etc.", "Il dort.", "puis non."],
    ),
    (
        "spanish",
        "Es así. ¿Sí? ¡No! El Sr. Ruiz.",
        ["Es así.", "¿Sí?", "¡No!", "El Sr. Ruiz."],
    ),
    ("turkish", "Ne? diye sordu. Gitti.", ["Ne? diye sordu.", "Gitti."]),
    ("unicode", "日本。中国！no", ["日本。", "中国！", "no"]),
    ("unicode", "A b. C d.", ["A b.", "C d."]),
]


@pytest.mark.parametrize(("name", "text", "expected"), PARAGRAPHS)
def test_sentences(name, text, expected):
    found = Tokenizer(WORDS, name).document(text)
    ranges = zip(found.text_begin, found.text_end, strict=True)
    assert [found.data[i:j].decode() for i, j in ranges] == expected


texts = st.lists(
    st.one_of(
        st.characters(),
        st.sampled_from(
            [
                *"aZé.'’-,: \n?!…5(@#",
                "M.",
                "l'",
                "-t-il",
                "z.B.",
                "3. Mai",
                "\u200d",
                "\udcff",
                "日本",
                "\U0001f1e9",
                "http://a.b",
                "a@b.c",
                "'s",
                ":)",
            ]
        ),
    ),
    max_size=20,
).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass"))


@settings(max_examples=60)
@given(texts, st.sampled_from(LANGUAGES), st.sampled_from([(), (":", "M", "d'a")]))
def test_every_character_but_blanks_is_in_one_token(data, name, own):
    begin, end = language_ranges(data, name, own)
    assert (begin < end).all()
    assert (begin[1:] >= end[:-1]).all()
    covered = b"".join(data[i:j] for i, j in zip(begin, end, strict=True))
    text = data.decode("utf-8", "surrogateescape")
    assert covered.decode("utf-8", "surrogateescape") == "".join(text.split())
    lines = [language_ranges(line, name, own) for line in data.split(b"\n")]
    assert sum(len(found[0]) for found in lines) == len(begin)


@pytest.mark.parametrize("name", [name for name in LANGUAGES if name != "unicode"])
def test_files_of_languages(name):
    lists, _ = read_language(name)
    known = {
        key
        for keys in re.findall("(?m)^- (.+?):", languages.__doc__)
        for key in keys.split(", ")
    }
    assert {"titles", "abbreviations", "starters"} <= set(lists) <= known
    for words in lists.values():
        assert len(set(words)) == len(words)
    for key in ("titles", "abbreviations"):
        assert not any(word.endswith(".") for word in lists[key])


def test_own_abbreviations(tmp_path):
    (tmp_path / "own.txt").write_text("# mine\nFoob.\n\nx.yz\n")
    own = read_abbreviations(tmp_path / "own.txt")
    assert own == ("Foob", "x.yz")
    text = "a foob. und x.yz. Ende"
    for kind in ("german", "english", "unicode"):
        found = Tokenizer(WORDS, kind, own).document(text)
        assert [found.text(t) for t in range(len(found))] == [
            "a",
            "foob.",
            "und",
            "x.yz.",
            "Ende",
        ]
        assert len(Tokenizer(WORDS, kind).document(text)) == 7
    found = Tokenizer(WORDS, "senna", own).document("He Foob. Smith left. No")
    assert found.n_sentences == 2
    (tmp_path / "own.txt").write_bytes(b"a\nb c\n")
    with pytest.raises(
        SennaError, match=r"own\.txt: line 2: expected one word, found 'b c'"
    ):
        read_abbreviations(tmp_path / "own.txt")
    (tmp_path / "own.txt").write_bytes(b"a\n\xe9t\n")
    with pytest.raises(SennaError, match="line 2: not UTF-8"):
        read_abbreviations(tmp_path / "own.txt")


def sentence(*tokens):
    """A sentence of tokens; `_` behind one says that no blank follows it."""
    forms = [token.removesuffix("_") for token in tokens]
    return SimpleNamespace(
        forms=forms, spaces=[not token.endswith("_") for token in tokens]
    )


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            [sentence("bl.a.", "Kl.", "3.", "J.", "s.", "...", "a..")],
            ("bl.a", "Kl", "s"),
        ),
        ([sentence("no.", "5"), sentence("Oh", "no_", ".")], ()),
        (
            [sentence("No.", "5"), sentence("no.", "5"), sentence("Oh", "no_", ".")],
            ("No",),
        ),
        ([sentence("no.", "5"), sentence("No")], ()),
        ([sentence("J.-C.", "c-à-d.", "EU:s")], ("c-à-d", ":")),
        ([sentence("EU:s"), sentence("A_", ":_", "b"), sentence("A_", ":", "b")], ()),
        ([sentence("14:30"), sentence(":_", ")")], ()),
    ],
)
def test_abbreviations_of_a_treebank(sentences, expected):
    assert learn_abbreviations(Tokenizer(WORDS, "unicode"), sentences) == expected


def test_abbreviations_that_rules_find_are_not_learned():
    found = learn_abbreviations(
        Tokenizer(WORDS, "french"), [sentence("etc.", "qqch.", "no.", "5")]
    )
    assert found == ("qqch",)


@pytest.mark.slow
def test_many_abbreviations(tmp_path):
    lines = [f"{i * 7919 % 100_003:06}x.\n" for i in range(7_500)]
    (tmp_path / "own.txt").write_text("".join(lines[:7_000]))
    own = read_abbreviations(tmp_path / "own.txt")
    found = Tokenizer(WORDS, "senna", own).document(f"See {own[-1]}. Smith left. No")
    assert found.n_sentences == 2
    (tmp_path / "own.txt").write_text("".join(lines))
    with pytest.raises(SennaError, match="line 7143: more than 50,000 characters"):
        read_abbreviations(tmp_path / "own.txt")
