"""Files through tag_files, for models with each tokenizer."""

import json

import pytest

from senna_py.models.senna_directory import SennaDirectory
from tests.helpers.tagging import tag_paths

TEXT = "He can't go to Acme Inc. They didn’t.  “No.”\n\nI'm gonna (stay)\udcff.\r\n"
TOKENS = [
    ["He", "ca", "n't", "go", "to", "Acme", "Inc."], ["They", "did", "n’t", "."],
    ["“", "No", ".", "”"], ["I", "'m", "gon", "na", "(", "stay", ")", "\udcff", "."],
]  # fmt: skip


@pytest.fixture
def tag(golden, tmp_path, monkeypatch):
    """Lines that tag_files writes for a text, with a model made for Treebank tokens."""
    monkeypatch.setattr(SennaDirectory, "tokenizer", "treebank")
    (tmp_path / "in").write_bytes(TEXT.encode("utf-8", "surrogateescape"))

    def run(**options):
        errors = tag_paths(
            [tmp_path / "in"], ["pos"], golden / "model", output=tmp_path / "out", **options
        )
        assert errors == 0
        return (
            (tmp_path / "out")
            .read_text(
                "utf-8",
                "surrogateescape",
            )
            .split("\n")
        )

    return run


def test_treebank_tokens_in_columns(tag):
    rows = tag(format="conll", header=True, split_sentences=True)
    assert rows[0] == "word\tpos"
    words, sentences = [row.split("\t")[0] for row in rows[1:]], [[]]
    for word in words:
        if word:
            sentences[-1].append(word)
        else:
            sentences.append([])
    assert sentences[:-2] == TOKENS
    joined = [word for sentence in TOKENS[:3] for word in sentence]
    rows = tag(format="conll", header=True)
    assert [row.split("\t")[0] for row in rows[1 : len(joined) + 2]] == [*joined, ""]


def test_treebank_tokens_in_json(tag):
    objects = [json.loads(line) for line in tag(format="jsonl")[:-1]]
    assert [found["text"] for found in objects] == [
        line.removesuffix("\r") for line in TEXT.split("\n") if line
    ]
    assert [[t["text"] for t in found["tokens"]] for found in objects] == [
        TOKENS[0] + TOKENS[1] + TOKENS[2],
        TOKENS[3],
    ]
    assert "start_char" not in objects[0]


def test_given_tokens_stay_as_they_are(tag):
    rows = tag(format="conll", header=True, usrtokens=True)
    assert [row.split("\t")[0] for row in rows[1:4]] == ["He", "can't", "go"]
