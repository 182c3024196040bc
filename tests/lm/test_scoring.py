"""Scoring of text: what is printed and summed, against one word at a time; mixtures."""

import json
import math

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.mixture import learn_mixture, read_mixture
from senna_py.lm.model_files import open_model
from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.scoring import Totals, score_stream, score_text
from senna_py.lm.text.blocks import read_blocks
from senna_py.lm.text.streams import read_stream, read_text
from senna_py.lm.word_list import WordList
from tests.helpers.table_model import TableModel

TEXT = "the cat sat\nthe dog sat on the mat\n\nthe cat ran\n"


def trained(tmp_path, marks, more="", min_count=1):
    (tmp_path / "train").write_text(TEXT * 3 + more)
    text = read_text([tmp_path / "train"])
    words = text.word_list(min_count, marks=marks)
    return train_kneser_ney(text.stream(words), 3, words)


def scored(model, tmp_path, text, form, jobs=1, **options):
    (tmp_path / "text").write_bytes(text)
    totals = score_text(
        model, [tmp_path / "text"], form, tmp_path / "out", jobs, **options
    )
    return (tmp_path / "out").read_bytes(), totals


@pytest.mark.parametrize("marks", [True, False])
def test_columns(tmp_path, marks):
    model = trained(tmp_path, marks)
    out, totals = scored(model, tmp_path, b"the cat\n\n  \nthe x\xff ran", "columns")
    blocks = out.decode("utf-8", "surrogateescape").split("\n\n")
    rows = [[row.split("\t") for row in block.split("\n")] for block in blocks[:-1]]
    end = ["</s>"] * marks
    assert [[row[0] for row in block] for block in rows] == [
        ["the", "cat", *end, ""],
        ["the", "x\udcff", "ran", *end, ""],
    ]
    assert [row[2] for row in rows[1]] == ["0", "1", "0", *["0"] * marks, "1"]
    expected = model.log10_probabilities(
        read_stream([tmp_path / "text"], model.word_list)
    )
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
    assert first["perplexity_with_unknown"] == pytest.approx(
        10 ** (-first["total"] / 3), rel=1e-4
    )
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
    model = trained(
        tmp_path, marks, "".join(f"{i}x {i}y\n" for i in range(90)), min_count=2
    )
    out, totals = scored(model, tmp_path, b"xyzzy frobnicate\nthe cat sat\n", "jsonl")
    gibberish, line = map(json.loads, out.splitlines())
    assert (gibberish["perplexity"], gibberish["unknown"]) == (None, [0, 1])
    assert line["perplexity"] == line["perplexity_with_unknown"] > 1
    assert gibberish["perplexity_with_unknown"] < line["perplexity"]  # `<unk>` is cheap
    assert str(totals).split(", ")[2:4] == [
        "2 unknown",
        f"perplexity without unknown words {totals.perplexity_of_known:.4f}",
    ]
    out, totals = scored(model, tmp_path, b"xyzzy\n", "columns")
    assert out.splitlines()[1 + marks].split(b"\t")[2:4] == [b"1", b"nan"]
    assert math.isnan(totals.perplexity_of_known)


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("form", ["columns", "jsonl"])
def test_same_output_on_several_cores_and_in_any_batches(
    tmp_path, monkeypatch, marks, form
):
    model = trained(tmp_path, marks)
    text = (TEXT * 300).encode()
    one, totals = scored(model, tmp_path, text, form)
    monkeypatch.setattr("senna_py.io.streaming.BATCH_BYTES", 1000)
    blocks = "senna_py.lm.scoring.read_blocks"
    monkeypatch.setattr(
        blocks, lambda source, **options: read_blocks(source, 100, **options)
    )
    two, others = scored(model, tmp_path, text, form, jobs=3)
    assert one == two
    assert others.log10 == pytest.approx(totals.log10)
    assert (others.tokens, others.lines) == (totals.tokens, totals.lines)


def test_several_files_are_one_stream(tmp_path):
    model = trained(tmp_path, False)
    (tmp_path / "1").write_text("the cat\n")
    (tmp_path / "2").write_text("sat\n")
    totals = score_text(
        model, [tmp_path / "1", tmp_path / "2"], "summary", tmp_path / "out"
    )
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
        b"-1.000000",
        b"-2.000000",
        b"-3.000000",
        b"-3.000000",
        b"-3.000000",
    ]
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
    # Which leaves the perplexity of others alone.
    unknown = np.array([False, True, False])
    totals = Totals.of(np.array([-1.0, -np.inf, -1.0]), unknown, 1, 0)
    assert (totals.unknown, totals.perplexity) == (1, math.inf)
    assert totals.perplexity_of_known == pytest.approx(10)


WORDS = WordList.of_words(["a", "b", "c"], False)


def random_table(seed):
    table = np.random.default_rng(seed).random((4, 4)) + 0.05
    return table / table.sum(1, keepdims=True)


@pytest.fixture
def parts():
    return [TableModel(random_table(0), WORDS), TableModel(random_table(1), WORDS)]


@pytest.fixture
def text():
    """Words that follow the first table three times of four, the second else."""
    rng, out = np.random.default_rng(2), [0]
    tables = [random_table(0), random_table(1)]
    for _ in range(4000):
        table = tables[rng.random() < 0.25]
        out.append(rng.choice(4, p=table[out[-1]]))
    return np.array(out, np.int32)


def test_fixed_weights_are_alike(parts, text):
    model = learn_mixture(parts, ["x", "y"], "fixed")
    expected = np.mean([10 ** part.log10_probabilities(text) for part in parts], 0)
    np.testing.assert_allclose(
        10 ** model.log10_probabilities(text), expected, rtol=1e-6
    )
    assert model.order == 2


def test_learned_weights_are_those_that_made_the_text(parts, text):
    notes = []
    model = learn_mixture(parts, ["x", "y"], "learned", lambda _: text, notes.append)
    np.testing.assert_allclose(model.weights, [[0.75, 0.25]], atol=0.06)
    mixed = 10 ** -model.log10_probabilities(text).mean()
    assert notes[-1] == f"mixture: held-out perplexity {mixed:.2f}"
    assert mixed < min(10 ** -part.log10_probabilities(text).mean() for part in parts)
    for weight in np.linspace(0, 1, 21):
        model.weights[:] = weight, 1 - weight
        assert 10 ** -model.log10_probabilities(text).mean() > mixed - 1e-3


@pytest.fixture
def files(tmp_path, text):
    """Two n-gram models in files, of which the second has its words in another
    order.
    """
    words = WordList(["c", "b", "<unk>", "a"], "other", False)
    to_other = words.indices([word.encode() for word in WORDS.words])
    one = train_interpolated(text[:2000], text[2000:], 2, WORDS)
    other = train_interpolated(to_other[text[:500]], to_other[text[500:900]], 3, words)
    one.write(tmp_path / "one.lm")
    other.write(tmp_path / "other.lm")
    return [str(tmp_path / "one.lm"), str(tmp_path / "other.lm")]


def test_weights_by_frequency_and_words_in_other_orders(tmp_path, files, text):
    parts = [open_model(path) for path in files]
    model = learn_mixture(parts, files, "frequency", lambda _: text)
    assert model.weights.shape == (len(parts[0].weights), 2)
    one = parts[0].log10_probabilities(text)
    to_other = parts[1].word_list.indices([word.encode() for word in WORDS.words])
    other = parts[1].log10_probabilities(to_other[text])
    weights = model.weights[parts[0].bins(text)]
    expected = np.log10(weights[:, 0] * 10**one + weights[:, 1] * 10**other)
    np.testing.assert_allclose(model.log10_probabilities(text), expected, atol=1e-5)
    (tmp_path / "deep").mkdir()
    model.write(tmp_path / "deep" / "mix.lm")
    again = open_model(tmp_path / "deep" / "mix.lm")
    np.testing.assert_allclose(again.log10_probabilities(text), expected, atol=1e-5)
    assert dict(again.describe())["weights"] == "frequency"


@pytest.mark.parametrize(
    ("words", "marks", "message"),
    [
        (["a", "b", "d"], False, "'c'"),
        (["a", "b", "c", "d"], False, "5 words"),
        (["a", "b", "c"], True, "marks"),
    ],
)
def test_models_of_other_words_are_not_mixed(parts, words, marks, message):
    parts[1].word_list = WordList.of_words(words, marks)
    with pytest.raises(SennaError, match=message):
        learn_mixture(parts, ["x", "y"], "fixed")


@pytest.mark.parametrize("name", ["a\0b", "\ud800.lm"])
def test_names_of_parts_are_those_of_files(name):
    found = {"parts": json.dumps([name]), "binner": "null"}
    with pytest.raises(SennaError, match=r"^parts: a (NUL|lone surrogate) in a name"):
        read_mixture(found, None, {}, "mix.lm", None)


def test_mixtures_are_not_mixed(parts):
    mixture = learn_mixture(parts, ["x", "y"], "fixed")
    with pytest.raises(SennaError, match="a mixture within a mixture"):
        learn_mixture([mixture, parts[0]], ["x", "y"], "fixed")


def test_what_weights_need(parts, text):
    with pytest.raises(UsageError, match="interpolated"):
        learn_mixture(parts, ["x", "y"], "frequency", lambda _: text)
