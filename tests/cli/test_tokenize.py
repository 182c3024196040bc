"""senna-py tokenize, and senna-lm score --raw, which takes what that prints."""

from pathlib import Path

from senna_py.text.sentences import sentence_starts
from tests.helpers.commands import lm, lm_says, printed, run

TEXT = "He can't go. She left!\n\n  Mr. X paid $ 5. \nÉt\u00e9  one\n"
SHIPPED = Path(__file__).resolve().parents[2] / "models" / "en"


def test_tokens_and_sentences_only():
    found = printed(run("senna-py", "tokenize", "--path", SHIPPED, stdin=TEXT.encode()))
    lines = found.splitlines()
    assert lines == ["He ca n't go .", "She left !", "Mr. X paid $ 5 .", "Été one"]
    options = ("-path", SHIPPED, "-pos", "--format", "conll", "--split-sentences")
    tagged = printed(run("senna-tag", *options, stdin=TEXT.encode()))
    rows = [block.splitlines() for block in tagged.split("\n\n") if block]
    assert [" ".join(row.split("\t")[0] for row in block) for block in rows] == lines
    given = "--usrtokens", "--path", SHIPPED
    assert printed(run("senna-py", "tokenize", *given, stdin=found.encode())) == found
    assert all(len(sentence_starts(line.split())) == 1 for line in lines)


def test_other_inputs(write):
    row = "{}\t{}" + "\t_" * 4 + "\t0\troot\t_\t_\n"
    rows = "".join(
        row.format(k, word) for k, word in enumerate(("13 819", "Go.", "On"), 1)
    )
    path = write(f"{rows}\n", "a.conllu")
    assert run("senna-py", "tokenize", path).stdout == b"13_819 Go. On\n"


def test_a_language_model_takes_raw_text(write, tmp_path):
    raw, model = write("The cat can't sleep. A dog did.\n" * 20), tmp_path / "m.lm"
    tokens = write(printed(run("senna-py", "tokenize", raw)), "tokens.txt")
    lm_says("train", "ngram", model, tokens)
    by_itself = lm("score", model, raw, "--raw-text")
    scored = lm("score", model, tokens)
    assert (by_itself.stdout, by_itself.stderr) == (scored.stdout, scored.stderr)
    assert by_itself.stdout.count(b"</s>") == 40
