"""senna-py tokenize, and senna-lm score --raw, which takes what that prints."""

from pathlib import Path

from senna_py.text.sentences import sentence_starts
from tests.helpers.commands import run

TEXT = "He can't go. She left!\n\n  Mr. X paid $ 5. \nÉt\u00e9  one\n"
SHIPPED = Path(__file__).resolve().parents[2] / "models" / "en"


def test_tokens_and_sentences_only():
    found = run("senna-py", "tokenize", "--path", SHIPPED, stdin=TEXT.encode())
    assert (found.returncode, found.stderr) == (0, b"")
    lines = found.stdout.decode().splitlines()
    assert lines == ["He ca n't go .", "She left !", "Mr. X paid $ 5 .", "Été one"]
    options = ("-path", SHIPPED, "-pos", "--format", "conll", "--split-sentences")
    tagged = run("senna-tag", *options, stdin=TEXT.encode()).stdout.decode()
    rows = [block.splitlines() for block in tagged.split("\n\n") if block]
    assert [" ".join(row.split("\t")[0] for row in block) for block in rows] == lines
    again = run("senna-py", "tokenize", "--path", SHIPPED, "--usrtokens", stdin=found.stdout)
    assert again.stdout == found.stdout
    assert all(len(sentence_starts(line.split())) == 1 for line in lines)


def test_other_inputs(tmp_path):
    path = tmp_path / "a.conllu"
    row = "{}\t{}" + "\t_" * 4 + "\t0\troot\t_\t_\n"
    path.write_text(row.format(1, "13 819") + row.format(2, "Go.") + row.format(3, "On") + "\n")
    assert run("senna-py", "tokenize", path).stdout == b"13_819 Go. On\n"


def test_a_language_model_takes_raw_text(tmp_path):
    raw, tokens, model = (tmp_path / name for name in ("raw.txt", "tokens.txt", "m.lm"))
    raw.write_text("The cat can't sleep. A dog did.\n" * 20)
    tokens.write_bytes(run("senna-py", "tokenize", raw).stdout)
    trained = run("senna-lm", "train", "ngram", model, tokens)
    assert trained.returncode == 0, trained.stderr
    by_itself = run("senna-lm", "score", model, raw, "--raw-text")
    scored = run("senna-lm", "score", model, tokens)
    assert (by_itself.stdout, by_itself.stderr) == (scored.stdout, scored.stderr)
    assert by_itself.stdout.count(b"</s>") == 40
