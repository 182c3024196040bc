"""Lemmas out of forms and tags."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.labels.lemmas import Lemmas, learn_lemmas

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
    return learn_lemmas((form, tag, lemma) for form, tag, lemma in rows)


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
        ("declare", "VBP", "declare"),  # what keeps nothing of a word says nothing of others
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
LONDON NNP London; BERLIN NNP Berlin; NATO NNP NATO; OPEC NNP OPEC; IBM NNP IBM; Rome NNP Rome
Nice JJ nice; Hot JJ hot; Big JJ big; Cuban JJ Cuban; Iranian JJ Iranian
at NNP At; at NNP At; at NNP At; de NNP de; la NNP la
bake VB bake; baked VBD bake; rake VB rake; raked VBD rake; load VB load; loaded VBD load
head VB head; headed VBD head; fade VB fade
"""


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("MADRID", "NNP", "Madrid"),  # long words in capitals are names, short ones are spelled
        ("NASA", "NNP", "NASA"),
        ("U.S.A.", "NNP", "U.S.A."),  # with periods, too
        ("Cold", "JJ", "cold"),
        ("Indian", "JJ", "Indian"),  # by its ending
        ("al", "NNP", "al"),  # of three forms, however often one was read
        ("at", "NNP", "At"),
        ("faded", "VBD", "fade"),  # the lemma was seen, and its form is made as others are
    ],
)
def test_what_was_not_seen(form, tag, lemma):
    rows = (row.split() for row in SHAPES.replace("\n", ";").split(";") if row.strip())
    assert learn_lemmas(map(tuple, rows)).find(form, tag) == lemma


def test_all_that_was_seen_comes_back():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice([*"abAB"], 3)) for _ in range(60)]
    rows = [(word, str(rng.integers(3)), str(rng.choice(words))) for word in {*words}]
    lemmas = learn_lemmas(rows)
    assert [lemmas.find(form, tag) for form, tag, _ in rows] == [lemma for *_, lemma in rows]


@pytest.mark.parametrize(
    ("form", "lemma"), [("İstanbul'da", "İstanbul"), ("İZMİR'DE", "İZMİR"), ("Edirne'de", "Edirne")]
)
def test_small_letters_may_be_two_characters(form, lemma):
    names = "Ankara", "Bursa", "Konya", "Adana", "Rize", "Siirt", "Sinop"
    rows = [(f"{name}'{end}", "NNP", name) for name in names for end in ("da", "de", "dan")]
    assert learn_lemmas(rows).find(form, "NNP") == lemma


def test_it_remembers_no_more_than_it_may(lemmas, monkeypatch):
    monkeypatch.setattr("senna_py.labels.lemmas._MOST_KNOWN", 5)
    fresh = Lemmas(lemmas.array)
    for i in range(20):
        assert fresh[b"x%d" % i, "NN"] == f"x{i}"
    assert fresh[b"y" * 1000, "NN"] == "y" * 1000
    assert len(fresh) == 5
    assert learn_lemmas([("z" * 999, "NN", "y")]).find("z" * 999, "NN") == "z" * 999


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
    ],
)
def test_lines_that_say_nothing(line):
    data = np.frombuffer(f"tag\tNN\n{line}\n".encode(), np.uint8)
    with pytest.raises(SennaError, match=r"^model: line 2: .* says nothing of a lemma"):
        Lemmas(data, "model")
