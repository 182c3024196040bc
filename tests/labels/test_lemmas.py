"""Lemmas out of forms and tags."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.labels.lemma_learning import Dictionary, learn_lemmas
from senna_py.labels.lemmas import Lemmas

ROWS = """
walked VBD walk; talked VBD talk; baked VBD bake; raked VBD rake; went VBD go; saw VBD see
cities NNS city; parties NNS party; dogs NNS dog; cats NNS cat; mice NNS mouse; ties NNS tie
saw NN saw; dog NN dog; Dogs NNS dog; The DT the; the DT the; Rome NNP Rome; IBM NNP IBM
CATS NNS cat; Baked VBD bake; are VBP be; walk VBP walk; Cities NNPS Cities; 's VBZ be; 's POS 's
colour NN color
"""


@pytest.fixture(scope="module")
def lemmas():
    rows = (row.split() for row in ROWS.replace("\n", ";").split(";") if row.strip())
    return learn_lemmas([[tuple(row) for row in rows]])


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("stalked", "VBD", "stalk"),  # by the longest ending
        ("waked", "VBD", "wake"),
        ("duties", "NNS", "duty"),
        ("Duties", "NNS", "duty"),  # in small letters, as most words of the tag
        ("DOGS", "NNS", "dog"),
        ("went", "VBD", "go"),
        ("Went", "VBD", "go"),
        ("saw", "VBD", "see"),
        ("saw", "NN", "saw"),
        ("'s", "VBZ", "be"),
        # What keeps nothing of a word says nothing of others.
        (
            "declare",
            "VBP",
            "declare",
        ),
        ("Paris", "NNP", "Paris"),
        ("UNO", "NNP", "UNO"),
        ("hats", "XX", "hat"),  # a tag that is not known: as words of any
        ("s", "NNS", "s"),
        ("日本", "NN", "日本"),
        ("a\udcff", "XX", "a\udcff"),
    ],
)
def test_an_example(lemmas, form, tag, lemma):
    key = (form.encode("utf-8", "surrogateescape"), tag)
    assert lemmas[key] == lemmas.of_tokens([key[0]], [tag])[0] == lemma
    assert Lemmas(lemmas.array)[key] == lemma  # read again


SHAPES = """
LONDON NNP London; BERLIN NNP Berlin; NATO NNP NATO; OPEC NNP OPEC; CDs NNS CD; IDs NNS id
IBM NNP IBM; Rome NNP Rome
Nice JJ nice; Hot JJ hot; Big JJ big; Cuban JJ Cuban; Iranian JJ Iranian
at NNP At; at NNP At; at NNP At; de NNP de; la NNP la
bake VB bake; baked VBD bake; rake VB rake; raked VBD rake; load VB load; loaded VBD load
head VB head; headed VBD head; fade VB fade
"""


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        # Long words in capitals are names, short ones are spelled.
        (
            "MADRID",
            "NNP",
            "Madrid",
        ),
        ("NASA", "NNP", "NASA"),
        ("U.S.A.", "NNP", "U.S.A."),  # with periods, too
        ("CEOs", "NNS", "CEO"),  # initials keep their capitals, unless most do not
        ("Cold", "JJ", "cold"),
        ("Indian", "JJ", "Indian"),  # by its ending
        ("al", "NNP", "al"),  # of three forms, however often one was read
        ("at", "NNP", "At"),
        # The lemma was seen, and its form is made as others are.
        (
            "faded",
            "VBD",
            "fade",
        ),
    ],
)
def test_what_was_not_seen(form, tag, lemma):
    rows = (row.split() for row in SHAPES.replace("\n", ";").split(";") if row.strip())
    assert learn_lemmas([[tuple(row) for row in rows]]).find(form, tag) == lemma


def test_all_that_was_seen_comes_back():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice([*"abAB"], 3)) for _ in range(60)]
    rows = [(word, str(rng.integers(3)), str(rng.choice(words))) for word in {*words}]
    lemmas = learn_lemmas([rows])
    assert [lemmas.find(form, tag) for form, tag, _ in rows] == [
        lemma for *_, lemma in rows
    ]


@pytest.mark.parametrize(
    ("form", "lemma"),
    [("İstanbul'da", "İstanbul"), ("İZMİR'DE", "İZMİR"), ("Edirne'de", "Edirne")],
)
def test_small_letters_may_be_two_characters(form, lemma):
    names = "Ankara", "Bursa", "Konya", "Adana", "Rize", "Siirt", "Sinop"
    rows = [
        (f"{name}'{end}", "NNP", name) for name in names for end in ("da", "de", "dan")
    ]
    assert learn_lemmas([rows]).find(form, "NNP") == lemma


def test_it_remembers_no_more_than_it_may(lemmas, monkeypatch):
    monkeypatch.setattr("senna_py.labels.lemmas._MOST_KNOWN", 5)
    fresh = Lemmas(lemmas.array)
    for i in range(20):
        assert fresh[b"x%d" % i, "NN"] == f"x{i}"
    assert fresh[b"y" * 1000, "NN"] == "y" * 1000
    assert len(fresh) == 5
    assert learn_lemmas([[("z" * 999, "NN", "y")]]).find("z" * 999, "NN") == "z" * 999


@pytest.mark.parametrize(
    "line",
    [
        f"word\ta\t{'b' * 999}",
        "ending\ts\tx\ty",
        "ending\ts\t2\t",
        "case\tupper\tup",
        "word\ta\t",
        "word\ta",
        "",
        "tags",
        "tag\tNN\tSing",
        "class\tNOUN\tmine",
        "edit\ts",
        "uncertain",
        "context\tVBN\t",
        "irregular\tx\tee",
        "auxiliary\t",
    ],
)
def test_lines_that_say_nothing(line):
    data = np.frombuffer(f"tag\tNN\n{line}\n".encode(), np.uint8)
    with pytest.raises(
        SennaError, match=r"^model: line 2: .* is not an entry for lemmas"
    ):
        Lemmas(data, "model")


@pytest.mark.parametrize(
    "table",
    [
        b"1\t1\n",
        b"1\n12345678",
        b"x\t1\n12345",
        b"2\t0\n22221111",
        b"0\t1\n1234\x01\0",
        b"9\t9\t9\n" + bytes(99),
    ],
)
def test_a_table_that_is_damaged(table):
    data = np.frombuffer(b"table\t" + table, np.uint8)
    with pytest.raises(
        SennaError, match=r"^model: the table of known words is damaged"
    ):
        Lemmas(data, "model")


FORMS = """
walked VBD walk; talked VBD talk; stopped VBD stop; hopped VBD hop; tapped VBD tap; baked VBD bake
walking VBG walk; taking VBG take; hopping VBG hop; tapping VBG tap; mapping VBG map; fled VBD flead
tried VBD try; cried VBD cry; fried VBD fry; raked VBD rake; loved VBD love; dogs NNS dog
cats NNS cat; hats NNS hat; boxes NNS box; foxes NNS fox; axes NNS axe; roses NNS rose
Walked VBD walk; Talked VBD talk; looked VBD look; called VBD call
buses NNS bus; glasses NNS glass; gases NNS gas
cities NNS city; parties NNS party; duties NNS duty; saw NN saw; dog NN dog; cat NN cat
walk VB walk; stop VB stop; hop VB hop; try VB try; love VB love; regards NNS regards
it PRP it; she PRP she; will MD will; can MD can
"""
KNOWN = """
NOUN: dog cat hat box fox bus glass gas rose city party duty saw
NOUN: lens virus cactus zombie hero louse leaf leave
VERB: walk talk stop hop tap bake rake take map try cry fry love flee feed shed free tune find found
VERB: panic swim gutter mutter clutter
"""
IRREGULAR = """
lenses lens NOUN; lice louse NOUN; cacti cactus NOUN; viruses virus NOUN; fed feed VERB
leaves leaf NOUN; found find VERB; fled flee VERB; panicked panic VERB; swam swim VERB
sha shall AUX; shan shall AUX; 't it PRON; regards regard NOUN
"""
CLASSES = {
    "NN": "NOUN",
    "NNS": "NOUN",
    "VB": "VERB",
    "VBD": "VERB",
    "VBG": "VERB",
    "PRP": "PRON",
    "MD": "AUX",
}


def rows_of(text):
    return [
        tuple(row.split()) for row in text.replace("\n", ";").split(";") if row.strip()
    ]


@pytest.fixture(scope="module")
def with_dictionary():
    lines = [line.split(": ") for line in KNOWN.strip().split("\n")]
    words = {(of_class, word) for of_class, known in lines for word in known.split()}
    forms = {(of_class, form): lemma for form, lemma, of_class in rows_of(IRREGULAR)}
    auxiliaries = ["be", "would", "shall"]
    return learn_lemmas(
        [rows_of(FORMS)], Dictionary(words, forms, CLASSES, auxiliaries)
    )


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("fed", "VBD", "feed"),
        ("Fed", "VBD", "feed"),
        ("lice", "NNS", "louse"),
        ("lice", "NN", "louse"),  # no word itself, so a plural that is tagged wrong
        ("leaves", "NNS", "leaf"),
        ("found", "VBD", "find"),
        ("found", "VB", "found"),  # a word itself, where words are their own lemmas
        ("freed", "VBD", "free"),  # by the edit that makes a word
        ("tuned", "VBD", "tune"),
        ("heroes", "NNS", "hero"),
        ("zombies", "NNS", "zombie"),
        ("superheroes", "NNS", "superhero"),  # a known word is its end
        ("outswam", "VBD", "outswim"),  # an irregular form is its end
        ("re-fed", "VBD", "re-feed"),
        ("lied", "VBD", "ly"),  # nothing known: what regular words have
        ("puttered", "VBD", "putter"),  # what ends as words do
        ("hop\xadping", "VBG", "hop"),
        ("\xad", "NN", "\xad"),
        ("sha", "MD", "shall"),
        ("'t", "PRP", "it"),
        ("fled", "VBD", "flee"),  # a slip of the treebank, whose lemma is no word
        ("regards", "NNS", "regards"),  # but here it says that the form is the word
        ("AK47s", "NNS", "AK47"),
    ],
)
def test_a_dictionary_says_what_words_there_are(with_dictionary, form, tag, lemma):
    for lemmas in (with_dictionary, Lemmas(with_dictionary.array)):
        assert lemmas[form.encode(), tag] == lemma


def test_an_edit_keeps_two_letters_of_a_word(with_dictionary):
    assert with_dictionary[b"bed", "VBD"] != "b"


def test_auxiliaries_have_few_lemmas(with_dictionary):
    lemma = with_dictionary.of_auxiliary
    assert lemma(b"is", "be") == "be"
    assert lemma(b"Sha", "sha") == "shall"  # by the dictionary
    assert lemma(b"woul", "woul") == "would"  # begins as one
    assert lemma(b"its", "it") == "be"  # the most frequent one
    # None are known.
    assert learn_lemmas([rows_of(FORMS)]).of_auxiliary(b"its", "it") == "it"


def test_longer_lemmas_are_what_words_are_short_for():
    months = "Sept. September; Oct. October; Nov. November; Dec. December; Rome Rome; Paris Paris"
    rows = [(form, "NNP", lemma) for form, lemma in rows_of(months)]
    lemmas = learn_lemmas([rows])
    assert lemmas.find("Sept.", "NNP") == "September"
    assert lemmas.find("Dept.", "NNP") == "Dept."


@pytest.fixture(scope="module")
def contexts():
    """Lemmas of *'s*, as sentences with *is* and *has* say."""
    verbs = ["taken", "made", "seen", "found", "shown", "given"]
    sentences = []
    for verb in verbs:
        sentences += [
            *[
                [
                    ("it", "PRP", "it"),
                    ("is", "VBZ", "be"),
                    (verb, "VBN", verb),
                    (".", ".", "."),
                ]
            ]
            * 3,
            [
                ("it", "PRP", "it"),
                ("has", "VBZ", "have"),
                (verb, "VBN", verb),
                ("us", "PRP", "we"),
            ],
            [
                ("it", "PRP", "it"),
                ("has", "VBZ", "have"),
                ("often", "RB", "often"),
                ("been", "VBN", "be"),
                (".", ".", "."),
            ],
            [("it", "PRP", "it"), ("'s", "VBZ", "be"), ("old", "JJ", "old")],
            [("it", "PRP", "it"), ("'s", "VBZ", "be"), ("old", "JJ", "old")],
            [
                ("it", "PRP", "it"),
                ("'s", "VBZ", "have"),
                ("been", "VBN", "be"),
                (".", ".", "."),
            ],
            [
                ("it", "PRP", "it"),
                ("'s", "VBZ", "have"),
                (verb, "VBN", verb),
                ("us", "PRP", "we"),
            ],
        ]
    return learn_lemmas(sentences, Dictionary(classes={"RB": "ADV", "VBN": "VERB"}))


@pytest.mark.parametrize(
    ("words", "lemma"),
    [
        ("it/PRP 's/VBZ old/JJ", "be"),
        ("it/PRP 's/VBZ written/VBN ./.", "be"),
        ("it/PRP 's/VBZ written/VBN us/PRP", "have"),
        ("it/PRP 's/VBZ been/VBN ./.", "have"),
        ("it/PRP 's/VBZ never/RB been/VBN ./.", "have"),  # adverbs may stand between
        ("it/PRP 's/VBZ", "be"),
        ("it/PRP 's/VBZ never/RB", "be"),
    ],
)
def test_what_follows_may_say_which_lemma_a_word_has(contexts, words, lemma):
    forms, tags = zip(*(word.rsplit("/", 1) for word in words.split()), strict=True)
    for lemmas in (contexts, Lemmas(contexts.array)):
        found = lemmas.of_sentence([form.encode() for form in forms], tags)
        assert found[1] == lemma


def test_lemmas_are_uncertain_only_where_what_follows_tells():
    rows = [("people", "NNS", lemma) for lemma in ["people", "person"] * 20]
    rows += [("persons", "NNS", "person"), ("peoples", "NNS", "people")]
    assert not learn_lemmas([rows]).uncertain


@pytest.mark.parametrize(
    "face", [":D", ":-D", ";P", "=P", ">:O", "D:", "XD", "xDD", "O_o", "B-)"]
)
def test_emoticons_keep_their_case(lemmas, face):
    assert lemmas.find(face, "NN") == lemmas.find(face, "NFP") == face


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("pH", "pH"),
        ("mRNA", "mRNA"),
        ("NaCl", "NaCl"),
        ("GHz", "GHz"),
        ("CeO2", "CeO2"),
        ("CAble", "cable"),  # a word with a key held too long
        ("cABLE", "cable"),
        ("CABLE", "cable"),
        ("TEXT.htm", "text.htm"),  # no word
    ],
)
def test_capitals_within_a_word_stay(form, lemma):
    rows = [
        ("WiFi", "NN", "wifi"),
        ("eReader", "NN", "ereader"),
        ("PoP", "NN", "pop"),
        ("CAR", "NN", "car"),
        ("BUS", "NN", "bus"),
        ("car", "NN", "car"),
        ("SOft", "NN", "soft"),
        ("COmp", "NN", "comp"),
        ("HArd", "NN", "hard"),
    ]
    known = Dictionary({("NOUN", "cable")}, classes={"NN": "NOUN"})
    assert learn_lemmas([rows], known).find(form, "NN") == lemma
    assert learn_lemmas([rows]).find(form, "NN") == form.lower()  # as training says
