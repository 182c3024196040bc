"""Treebanks as raw text."""

import pytest

from senna_py.corpora.raw_text import Word, detokenize, raw_text, read_paragraphs
from senna_py.errors import SennaError

EMPTY = "\t_" * 7
LINES = (
    f"# newpar\n1\tA\t_\tX\tY{EMPTY[6:]}\tSpaceAfter=No\n2-3\tdu\t_{EMPTY}\n"
    f"2\tde\t_\tADP\tE{EMPTY[4:]}\n3\tle\t_\tDET\tRD{EMPTY[4:]}\n\n"
    f"1\tB\t_{EMPTY}\n\n# newdoc\n1\tC\t_{EMPTY}\n\n"
)


def test_paragraphs_of_conllu(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(LINES)
    (first, second), (third,) = read_paragraphs(path)
    assert raw_text([first, second]) == ("Adu B ", [0, 4])
    assert raw_text([third]) == ("C ", [0])
    assert [each.place for each in (first, second)] == [
        f"{path}: line 2",
        f"{path}: line 7",
    ]
    assert first.words == [
        [Word("A", "X", "Y")],
        [Word("de", "ADP", "E"), Word("le", "DET", "RD")],
    ]
    ((whole, _), _) = read_paragraphs(path, multiwords="tokens")
    assert whole.words[1] == [Word("du", "ADP+DET", "E+RD")]
    # As senna-tag --format conllu prints the tags of such a token.
    path.write_text(f"1\tdu\t_\tADP\tE+RD{EMPTY[6:]}\tUPOS=ADP+DET\n")
    ((printed,),) = read_paragraphs(path, multiwords="tokens")
    assert printed.words == whole.words[1:]


def test_paragraphs_of_columns(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(
        "Title\tNN\n\nIt\tPRP\n's\tVBZ\ndone\tVBN\n.\t.\n\nYes\tUH\n!\t.\n\nBye\tUH\n"
    )
    paragraphs = list(read_paragraphs(path, ["word", "pos"]))
    assert [raw_text(each)[0] for each in paragraphs] == [
        "Title ",
        "It's done. Yes! ",
        "Bye ",
    ]
    assert paragraphs[0][0].words == [[Word("Title", "_", "NN")]]
    assert raw_text(next(read_paragraphs(path, ["word"])))[0] == "Title "
    with pytest.raises(SennaError, match="at least 3 columns"):
        list(read_paragraphs(path, ["word", "pos", "upos"]))


def test_blanks_between_tokens():
    tokens = [
        ("I", "PRP"),
        ("'m", "VBP"),
        ("gon", "VBG"),
        ("na", "TO"),
        ("pay", "VB"),
        ("$", "$"),
        ("5", "CD"),
        ("-", "SYM"),
        ("6", "CD"),
        ("(", "-LRB-"),
        ("non", "JJ"),
        ("-", "HYPH"),
        ("Arab", "JJ"),
        (")", "-RRB-"),
        (":", "NFP"),
        ("and", "CC"),
        ("/", ","),
        ("or", "CC"),
        (".", "."),
    ]
    blanks = detokenize(tokens)
    text = "".join(
        word + " " * blank for (word, _), blank in zip(tokens, blanks, strict=True)
    )
    assert text == "I'm gonna pay $5-6 (non-Arab) : and/or. "
