"""Scoring of text: what is printed and summed, against one word at a time."""

import json
import math

import numpy as np
import pytest

from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.scoring import Totals, score_stream, score_text
from senna_py.lm.text.blocks import read_blocks
from senna_py.lm.text.streams import read_stream, read_text

TEXT = "the cat sat\nthe dog sat on the mat\n\nthe cat ran\n"


def trained(tmp_path, marks, more="", min_count=1):
    (tmp_path / "train").write_text(TEXT * 3 + more)
    text = read_text([tmp_path / "train"])
    words = text.word_list(min_count, marks=marks)
    return train_kneser_ney(text.stream(words), 3, words)


def scored(model, tmp_path, text, form, jobs=1, **options):
    (tmp_path / "text").write_bytes(text)
    totals = score_text(model, [tmp_path / "text"], form, tmp_path / "out", jobs, **options)
    return (tmp_path / "out").read_bytes(), totals


@pytest.mark.parametrize("marks", [True, False])
def test_columns(tmp_path, marks):
    model = trained(tmp_path, marks)
    out, totals = scored(model, tmp_path, b"the cat\n\n  \nthe x\xff ran", "columns")
    blocks = out.decode("utf-8", "surrogateescape").split("\n\n")
    rows = [[row.split("\t") for row in block.split("\n")] for block in blocks[:-1]]
    end = ["</s>"] * marks
    assert [[row[0] for row in block] for block in rows] == [
        ["the", "cat", *end, ""], ["the", "x\udcff", "ran", *end, ""],
    ]  # fmt: skip
    assert [row[2] for row in rows[1]] == ["0", "1", "0", *["0"] * marks, "1"]
    expected = model.log10_probabilities(read_stream([tmp_path / "text"], model.word_list))
    expected = expected[expected < 0]
    tokens = [float(row[1]) for block in rows for row in block if row[0]]
    np.testing.assert_allclose(tokens, expected, atol=1e-6)
    for block in rows:
        values = [float(row[1]) for row in block[:-1]]
        assert float(block[-1][1]) == pytest.approx(sum(values), abs=1e-5)
        of_known = [v for v, row in zip(values, block, strict=False) if row[2] == "0"]
        for found, scores in zip(block[-1][3:], (of_known, values), strict=True):
            assert float(found) == pytest.approx(10 ** (-np.mean(scores)), rel=1e-4)
    assert totals.tokens == len(expected) == 5 + 2 * marks
    assert (totals.unknown, totals.lines) == (1, 2)
    assert totals.log10 == pytest.approx(expected.sum())
    assert totals.perplexity == pytest.approx(10 ** (-expected.sum() / len(expected)))
    known = np.delete(expected, 3 + marks)
    assert totals.perplexity_of_known == pytest.approx(10 ** (-known.mean()))


def test_json_lines(tmp_path):
    model = trained(tmp_path, True)
    out, _ = scored(model, tmp_path, "the Ä\n".encode() + b"cat \xff\n", "jsonl")
    first, second = map(json.loads, out.splitlines())
    assert first["tokens"] == ["the", "Ä", "</s>"]
    assert second["tokens"] == ["cat", "\udcff", "</s>"]
    assert first["unknown"] == [1]
    assert first["total"] == pytest.approx(sum(first["log10"]), abs=1e-5)
    assert first["perplexity_with_unknown"] == pytest.approx(10 ** (-first["total"] / 3), rel=1e-4)
    known = first["log10"][0] + first["log10"][2]
    assert first["perplexity"] == pytest.approx(10 ** (-known / 2), rel=1e-4)


def test_the_impossible_is_null_in_json(tmp_path):
    model = trained(tmp_path, True)
    model.log10_probabilities = lambda ids, before=None: np.where(ids > 2, -np.inf, 0.0)
    out, _ = scored(model, tmp_path, b"the cat\n", "jsonl")
    found = json.loads(out, parse_constant=pytest.fail)
    assert found["log10"] == [None, None, 0]
    assert (found["total"], found["perplexity"]) == (None, None)


@pytest.mark.parametrize("marks", [True, False])
def test_gibberish_is_no_likelier_than_text(tmp_path, marks):
    model = trained(tmp_path, marks, "".join(f"{i}x {i}y\n" for i in range(90)), min_count=2)
    out, totals = scored(model, tmp_path, b"xyzzy frobnicate\nthe cat sat\n", "jsonl")
    gibberish, line = map(json.loads, out.splitlines())
    assert (gibberish["perplexity"], gibberish["unknown"]) == (None, [0, 1])
    assert line["perplexity"] == line["perplexity_with_unknown"] > 1
    assert gibberish["perplexity_with_unknown"] < line["perplexity"]  # `<unk>` is cheap
    assert str(totals).split(", ")[2:4] == [
        "2 unknown", f"perplexity without unknown words {totals.perplexity_of_known:.4f}",
    ]  # fmt: skip
    out, totals = scored(model, tmp_path, b"xyzzy\n", "columns")
    assert out.splitlines()[1 + marks].split(b"\t")[2:4] == [b"1", b"nan"]
    assert math.isnan(totals.perplexity_of_known)


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("form", ["columns", "jsonl"])
def test_same_output_on_several_cores_and_in_any_batches(tmp_path, monkeypatch, marks, form):
    model = trained(tmp_path, marks)
    text = (TEXT * 300).encode()
    one, totals = scored(model, tmp_path, text, form)
    monkeypatch.setattr("senna_py.io.streaming.BATCH_BYTES", 1000)
    blocks = "senna_py.lm.scoring.read_blocks"
    monkeypatch.setattr(blocks, lambda source, **options: read_blocks(source, 100, **options))
    two, others = scored(model, tmp_path, text, form, jobs=3)
    assert one == two
    assert others.log10 == pytest.approx(totals.log10)
    assert (others.tokens, others.lines) == (totals.tokens, totals.lines)


def test_several_files_are_one_stream(tmp_path):
    model = trained(tmp_path, False)
    (tmp_path / "1").write_text("the cat\n")
    (tmp_path / "2").write_text("sat\n")
    totals = score_text(model, [tmp_path / "1", tmp_path / "2"], "summary", tmp_path / "out")
    ids = model.word_list.indices([b"the", b"cat", b"sat"])
    assert totals.log10 == pytest.approx(model.log10_probabilities(ids).sum())
    assert (tmp_path / "out").read_bytes() == b""


def test_a_model_with_a_state_of_its_own_is_asked_in_order(tmp_path):
    class Counting:
        """P = 10^-n for the n-th word of the stream."""

        order, taken = None, 0
        word_list = trained(tmp_path, False).word_list

        def scorer(self):
            return self

        def take(self, ids):
            self.taken += len(ids)
            return -np.arange(self.taken - len(ids) + 1, self.taken + 1, dtype=float)

    out, totals = scored(Counting(), tmp_path, b"a b\nc\n", "columns", jobs=4)
    assert [line.split(b"\t")[1] for line in out.split(b"\n") if line] == [
        b"-1.000000", b"-2.000000", b"-3.000000", b"-3.000000", b"-3.000000",
    ]  # fmt: skip
    assert totals.log10 == -6


def test_totals_of_a_stream_are_those_of_its_text(tmp_path):
    model = trained(tmp_path, True)
    _, totals = scored(model, tmp_path, b"the x\ncat\n", "summary")
    found = score_stream(model, read_stream([tmp_path / "text"], model.word_list))
    assert found.log10 == pytest.approx(totals.log10)
    assert found.unknown_log10 == pytest.approx(totals.unknown_log10)
    assert (found.tokens, found.unknown, found.lines, found.ends) == (5, 1, 2, 2)


def test_perplexity_of_nothing_and_of_the_impossible():
    assert math.isnan(Totals().perplexity)
    assert Totals(1, -400.0).perplexity == math.inf
    assert "1 line, 2 tokens, 0 unknown" in str(Totals(2, -2.0, lines=1))
    assert "with them 10.0000" in str(Totals(2, -2.0, lines=1))
    unknown = np.array([False, True, False])  # which leaves the perplexity of others alone
    totals = Totals.of(np.array([-1.0, -np.inf, -1.0]), unknown, 1, 0)
    assert (totals.unknown, totals.perplexity) == (1, math.inf)
    assert totals.perplexity_of_known == pytest.approx(10)
