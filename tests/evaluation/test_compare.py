"""Which of two systems is better: the paired bootstrap."""

import json
import math

import numpy as np
import pytest

from senna_py.cli.eval import command
from senna_py.errors import SennaError
from senna_py.evaluation import compare as comparing
from senna_py.evaluation.compare import (
    compare,
    comparison_report,
    read_counts,
    resampled,
)
from senna_py.evaluation.counts import Counts
from tests.helpers.commands import run


def tokens(correct):
    return [Counts(1, 1, int(each)) for each in correct]


def test_intervals_are_those_of_the_binomial_distribution():
    rng = np.random.default_rng(3)
    a, b = rng.random(2000) < 0.8, rng.random(2000) < 0.9
    found = compare(tokens(a), tokens(b), 4000)
    for each, correct in ((found.a, a), (found.b, b)):
        share = correct.mean()
        wide = 100 * 1.96 * math.sqrt(share * (1 - share) / 2000)
        assert each.value == pytest.approx(100 * share)
        assert each.high - each.value == pytest.approx(wide, rel=0.1)
        assert each.value - each.low == pytest.approx(wide, rel=0.1)
    difference = 100 * (b * 1.0 - a)
    wide = 1.96 * difference.std() / math.sqrt(2000)
    assert found.difference.high - found.difference.value == pytest.approx(
        wide, rel=0.1
    )
    assert found.verdict == "B is better."
    assert found.p_value < 0.01


def test_pairs_are_drawn_together():
    rng = np.random.default_rng(1)
    # Varies a lot, but B is right wherever A is, and twice besides.
    a = rng.random(500) < 0.5
    b = a.copy()
    b[np.flatnonzero(~a)[:12]] = True
    found = compare(tokens(a), tokens(b), 1000)
    assert found.difference.low > 0
    assert found.a.high > found.b.low


def test_f1_is_of_the_sums_and_not_the_mean_of_f1s():
    found = compare(
        [Counts(4, 2, 1), Counts(0, 2, 0)], [Counts(4, 4, 4), Counts(0, 0, 0)], 100
    )
    assert found.a.value == pytest.approx(200 * 1 / 8)
    assert (found.b.value, found.b.high) == (100, 100)
    assert found.b.low == 0  # the second sentence alone has nothing


def test_a_system_is_not_better_than_itself():
    counts = tokens([1, 0, 1, 1])
    found = compare(counts, counts, 200)
    assert (found.difference.low, found.difference.high, found.p_value) == (0, 0, 1)
    assert found.verdict == "These sentences do not tell which is better."
    worse = compare(counts, tokens([0, 0, 0, 0]), 200)
    assert worse.verdict == "A is better."


def test_the_report_is_laid_out_in_columns():
    found = compare(tokens([1, 0, 0, 0]), tokens([1, 1, 1, 1]), 500)
    lines = comparison_report(found, "accuracy", "a.txt", "b.txt")
    assert lines[0] == "4 sentences, 500 samples of as many"
    assert lines[2].split() == [
        "A",
        "25.00",
        "0.00",
        "to",
        f"{found.a.high:.2f}",
        "a.txt",
    ]
    assert lines[3].split() == ["B", "100.00", "100.00", "to", "100.00", "b.txt"]
    assert lines[4].split()[:4] == ["B", "-", "A", "+75.00"]
    assert lines[-1] == "B is better."


@pytest.fixture
def files(tmp_path):
    """Paths of a gold file and of two systems, each with 30 sentences."""
    gold = tmp_path / "gold"
    gold.write_text("the x B-NP\ndog x I-NP\n\n" * 30)
    a = tmp_path / "a"
    a.write_text("the B-NP\ndog I-NP\n\n" * 20 + "the B-NP\ndog O\n\n" * 10)
    b = tmp_path / "b"
    b.write_text("the\tB-NP\ndog\tI-NP\n\n" * 30)
    return gold, a, b


def test_the_last_columns_are_compared(files, capfd):
    arguments = ["compare", *map(str, files), "--samples", "200"]
    command.main([*arguments, "--json"], standalone_mode=False)
    found = json.loads(capfd.readouterr().out)
    assert found["sentences"] == 30
    assert found["a"]["f1"] == pytest.approx(100 * 20 / 30)
    assert found["difference"]["low"] > 0
    command.main([*arguments, "--kind", "token"], standalone_mode=False)
    found = capfd.readouterr().out
    assert "accuracy" in found
    assert "83.33" in found


@pytest.mark.slow
def test_roles_and_trees_are_compared(golden, tmp_path):
    folder = golden / "eval"
    gold, pred = (str(folder / f"srl.{name}.props") for name in ("gold", "pred"))
    a, b = read_counts("srl", gold, pred, gold)
    assert (len(a), sum(c.missed + c.excess for c in b)) == (250, 0)
    gold, pred = (str(folder / f"tree.{name}.mrg") for name in ("gold", "pred"))
    a, b = read_counts("tree", gold, pred, gold)
    assert len(a) == len(b)
    assert sum(c.missed for c in a) > sum(c.missed for c in b) == 0
    odd = tmp_path / "odd.mrg"
    odd.write_text("(S (X other))\n")
    one = tmp_path / "one.mrg"
    one.write_text("(S (X word))\n")
    with pytest.raises(SennaError, match="no tree can be compared"):
        read_counts("tree", str(one), str(one), str(odd))


def test_files_that_do_not_fit(files, tmp_path):
    gold, a, _ = map(str, files)
    short, other, empty = (tmp_path / name for name in ("short", "other", "empty"))
    short.write_text("the B-NP\ndog I-NP\n\n")
    other.write_text("the B-NP\n\n" * 30)
    empty.write_text("")
    for args, said in (
        ((gold, a, short), f"{short}: expected a sentence as in line 4 of {gold}"),
        ((short, a, a), f"{short}: expected a sentence as in line 4 of {a}"),
        ((gold, other, a), f"{other}: line 1: expected a sentence of 2 tokens"),
        ((empty, empty, empty), f"{empty}: expected columns, found no token"),
    ):
        with pytest.raises(SennaError) as error:
            read_counts("chunk", *map(str, args))
        assert str(error.value).startswith(said)
    for args in ([gold, "-", "-"], ["-", a, a], [gold, a, a, "--parameters", "x"]):
        assert run("senna-eval", "compare", *args).returncode == 2


def test_samples_are_of_as_many_sentences_whatever_is_drawn_at_once(monkeypatch):
    sizes = []

    def drawn(seed):
        return resampled(
            lambda times: sizes.append(len(times)) or times.T, np.eye(7), 500, seed
        ).T

    whole = drawn(3)
    assert whole.shape == (500, 7)
    assert (whole.sum(1) == 7).all()
    np.testing.assert_allclose(whole.mean(0), 1, atol=0.2)
    np.testing.assert_allclose(whole.var(0), 6 / 7, atol=0.2)  # of a binomial
    assert not np.array_equal(drawn(4), whole)
    monkeypatch.setattr(comparing, "_CELLS", 70)
    np.testing.assert_array_equal(drawn(3), whole)
    assert sizes == [500, 500, *[10] * 50]


def test_values_of_a_ratio_of_sums_in_samples():
    rng = np.random.default_rng(0)
    words = rng.integers(5, 20, 400)
    sums = rng.normal(0.02, 0.3, 400) * words
    table = np.stack([sums, words], axis=1)
    drawn = resampled(lambda found: found[..., 0] / found[..., 1], table, 2000, 1)
    assert drawn.shape == (2000,)
    mean = sums.sum() / words.sum()
    # By the delta method.
    spread = np.sqrt(((sums - mean * words) ** 2).sum()) / words.sum()
    assert drawn.mean() == pytest.approx(mean, abs=spread / 10)
    assert drawn.std() == pytest.approx(spread, rel=0.1)
    found = comparing.estimate(mean, np.append(drawn, np.nan), 90)
    assert (found.low, found.high) == tuple(np.percentile(drawn, [5, 95]))
