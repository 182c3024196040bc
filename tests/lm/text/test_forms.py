"""Text as it was written, as numbers on disk."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.text.forms import forms_of, open_forms

NO_WAY = 'No "way".'


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def read(corpus, part="train"):
    text = getattr(corpus, part)
    return " ".join("|" if n < 0 else corpus.forms[n] for n in text)


@pytest.fixture
def two_files(tmp_path):
    return [
        write(tmp_path / "one.txt", ["Mary sleeps (well). John runs 21 miles.", "", "", NO_WAY]),
        write(tmp_path / "two.txt", ["He said: Mary runs!"]),
    ]


def test_words_keep_their_case_and_digits(two_files, tmp_path):
    corpus = forms_of(two_files, tmp_path / "forms", 1)
    assert read(corpus) == (
        "Mary sleeps ( well ) . | John runs 21 miles . | No `` way '' . | He said : Mary runs ! |"
    )
    assert corpus.counts[corpus.forms.index("Mary")] == 2
    begin, length, file = corpus.sentences("train", 5, 6)
    assert length.tolist() == [6, 5, 5, 6] and file.tolist() == [0, 0, 0, 1]
    assert [corpus.forms[corpus.train[i]] for i in begin] == ["Mary", "John", "No", "He"]
    assert len(corpus.sentences("valid", 1, 9)[0]) == 0


def test_a_paragraph_in_200_is_held_out(tmp_path):
    path = write(tmp_path / "long.txt", [f"This is number {i}." for i in range(400)])
    corpus = forms_of([path], tmp_path / "forms", 1)
    assert read(corpus, "valid") == "This is number 100 . | This is number 300 . |"
    assert (corpus.train < 0).sum() == 398


def test_it_is_made_once(two_files, tmp_path):
    place, said = tmp_path / "forms", []
    forms_of(two_files, place, 1, said.append)
    assert said
    said.clear()
    assert read(forms_of(two_files, place, 1, said.append)) == read(open_forms(place))
    assert not said
    write(two_files[1], ["Another text."])
    assert "Another" in read(forms_of(two_files, place, 1, said.append))
    assert said and sorted(p.name for p in place.iterdir()) == [
        "forms.json", "forms.tsv", "train.i32", "valid.i32",
    ]  # fmt: skip


def test_what_is_damaged_or_empty_is_named(two_files, tmp_path):
    with pytest.raises(SennaError, match=r"empty.txt: no word"):
        forms_of([write(tmp_path / "empty.txt", ["", ""])], tmp_path / "none", 1)
    with pytest.raises(SennaError, match=r"forms.json: No such file"):
        open_forms(tmp_path / "none")
    place = forms_of(two_files, tmp_path / "forms", 1).path
    (place / "train.i32").write_bytes(np.zeros(3, np.int32).tobytes())
    with pytest.raises(SennaError, match=r"train.i32: 12 bytes, expected"):
        open_forms(place)
    (place / "forms.tsv").write_text("Mary two\n")
    with pytest.raises(SennaError, match=r"forms: not a corpus of forms"):
        open_forms(place)


def test_tokenized_lines_are_taken_as_they_are(tmp_path):
    path = write(tmp_path / "text.txt", ["l' homme n' est (pas) .", "Oui . Non"])
    corpus = forms_of([path], tmp_path / "forms", 1, tokenized=True)
    assert {"l'", "n'", "(pas)"} <= set(corpus.forms)
    assert "(pas)" not in forms_of([path], tmp_path / "forms", 1).forms  # is made anew
