"""Tokens of Universal Dependencies and of the Penn Treebank, as options choose them."""

import pickle
from pathlib import Path

import pytest

from senna_py import load
from senna_py.errors import UsageError
from senna_py.model import Model
from tests.helpers.commands import MODEL, assert_one_line_error, printed, run

SHIPPED = Path(__file__).resolve().parents[2] / "models" / "en"
TEXT = "The well-known man can't go.\n"
PTB = "The well-known man ca n't go ."
UD = "The well - known man ca n't go ."


def tokens_of(*options):
    """Return the tokens in the first column that senna-py tag prints."""
    options = ("--path", SHIPPED, "--format", "conll", *options)
    rows = printed(run("senna-py", "tag", *options, stdin=TEXT.encode())).split("\n")
    return " ".join(row.split("\t")[0] for row in rows if row)


def test_columns_have_penn_tokens_unless_dependencies_are_asked_for():
    assert tokens_of("-pos") == tokens_of("-pos", "--tokens", "ptb") == PTB
    assert tokens_of("-pos", "--tokens", "ud") == tokens_of("-dep") == UD
    assert tokens_of("-dep", "--tokens", "ptb") == PTB


def test_conllu_has_universal_tokens():
    def words(*options):
        options = ("--path", SHIPPED, "--format", "conllu", "-pos", *options)
        out = printed(run("senna-py", "tag", *options, stdin=TEXT.encode()))
        rows = [line.split("\t") for line in out.split("\n")]
        return " ".join(row[1] for row in rows if row[0].isdigit())

    assert words() == words("--tokens", "ud") == UD
    assert words("--tokens", "ptb") == PTB


def test_tokenize():
    options = "tokenize", "--path", SHIPPED
    stdin = TEXT.encode()
    assert printed(run("senna-py", *options, stdin=stdin)) == f"{PTB}\n"
    found = printed(run("senna-py", *options, "--tokens", "ud", stdin=stdin))
    assert found == f"{UD}\n"


def test_python():
    def words(**options):
        tagger = load(SHIPPED, **options)
        again = pickle.loads(pickle.dumps(tagger))
        assert again.tokens == tagger.tokens
        return " ".join(token.text for token in again(TEXT.strip()))

    assert words(tasks=[]) == words(tasks=["pos"], tokens="ptb") == PTB
    assert words(tasks=[], tokens="ud") == words(tasks=["dep"]) == UD
    with pytest.raises(UsageError, match="no such tokens: 'x'; there are ud, ptb"):
        load(SHIPPED, [], tokens="x")


def test_a_model_with_one_standard():
    with pytest.raises(UsageError, match="no tokens of ud, but of ptb"):
        load(MODEL, ["pos"], tokens="ud")
    assert Model(MODEL).tokenizer("ptb") == "senna"
    result = run("senna-tag", "--path", MODEL, "--tokens", "ud", stdin=b"a\n")
    assert_one_line_error(result, "no tokens of ud", code=2)


def test_tokens_that_are_given_have_no_standard():
    for option in (("--usrtokens",), ("--layout", "conll2003")):
        result = run("senna-tag", *option, "--tokens", "ud", stdin=b"a\n")
        assert result.returncode == 2
        assert b"tokens cannot be used with" in result.stderr


def test_scores_of_raw_text(write):
    rows = [
        f"{i}\t{word}\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        for i, word in enumerate(["The", "well", "-", "known", "man"], 1)
    ]
    rows[0] = rows[0].replace("SpaceAfter=No", "_")
    rows[3] = rows[3].replace("SpaceAfter=No", "_")
    gold = write(f"{''.join(rows)}\n", "gold.conllu")

    def n_words(*options):
        out = printed(run("senna-eval", "text", gold, "--path", SHIPPED, *options))
        return next(line for line in out.split("\n") if line.startswith("Words"))

    assert "100.00" in n_words()
    assert "100.00" not in n_words("--tokens", "ptb")
