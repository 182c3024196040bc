"""What the benchmarks are measured on, and with."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from senna_py.models.tensors import write_tensors

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

import stages
from checkouts import in_turns
from processes import Launch
from raw_text import detokenize, f1, raw_text, read_paragraphs, spans, tokenize
from same_weights import describe, differences, read_arrays
from texts import join_marks, read_sentences, repeat
from tree_levels import check
from unknown_words import segment_scores, token_scores


def test_columns_and_lines_are_the_same_sentences(tmp_path):
    columns, lines = tmp_path / "columns.txt", tmp_path / "lines.txt"
    columns.write_text("-DOCSTART- -X-\n\nIt\tPRP\nworks\tVBZ\n\n\nYes\tUH\n.\t.\n")
    lines.write_text("It  works\n\nYes .\n")
    assert read_sentences(columns) == read_sentences(lines) == ["It works", "Yes ."]


def test_a_list_of_words_is_of_lines_not_columns(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("one\n\ntwo three\n\nfour\n")
    assert read_sentences(words) == ["one", "two three", "four"]


@pytest.mark.parametrize(("n_tokens", "n_sentences"), [(1, 1), (3, 2), (5, 2), (6, 3), (11, 5)])
def test_text_is_repeated_to_a_number_of_tokens(n_tokens, n_sentences):
    assert repeat(["a b", "c d e"], n_tokens) == (["a b", "c d e"] * 3)[:n_sentences]


def test_marks_are_joined_to_words():
    given = "`` I ca n't ( really ) pay $ 5 , '' she said ; it 's Lee 's ."
    assert join_marks(given) == "``I can't (really) pay $5,'' she said; it's Lee's."


def test_raw_text_of_columns(tmp_path):
    columns = tmp_path / "columns.tsv"
    columns.write_text(
        "Dear\tJJ\nJo\tNNP\n\nI\tPRP\nca\tMD\nn't\tRB\n(\t-LRB-\n$\t$\n5\tCD\n)\t-RRB-\n.\t.\n"
        "\nIm\tPRP\nwell\tRB\n-\tHYPH\nfed\tVBN\n!\t.\n\n"
    )
    assert raw_text(read_paragraphs(columns)) == "Dear Jo\n\nI can't ($5). Im well-fed!\n\n"
    assert raw_text(read_paragraphs(columns, True)) == "Dear Jo I can't ($5). Im well-fed!\n\n"
    assert detokenize([("that", "DT"), ("s", "VBZ"), ("x", "NN")]) == [False, True, True]


def test_raw_text_of_conllu(tmp_path):
    rows = ["1-2\tdu", "1\tde", "2\tle", "2.1\tx", "3\tpain"]
    misc = {"3\tpain": "SpaceAfter=No"}
    lines = [f"{row}{chr(9) * 7}{chr(9)}{misc.get(row, '_')}" for row in rows]
    sentence = "\n".join(lines)
    path = tmp_path / "a.conllu"
    path.write_text(f"# newdoc\n{sentence}\n\n{sentence}\n\n# newpar id = 2\n{sentence}\n\n")
    paragraphs = read_paragraphs(path)
    assert raw_text(paragraphs) == "du paindu pain\n\ndu pain\n\n"
    assert paragraphs[0][0] == [("du", True), ("pain", False)]


def test_f1_of_spans():
    assert spans(["a b", "c"]) == [(0, 2), (2, 3)]
    assert f1([(0, 2), (2, 3)], [(0, 2), (2, 4), (4, 5)]) == 40
    assert tokenize("english", "A b. C\n\nD") == [["A", "b", "."], ["C"], ["D"]]


def test_trees_that_levels_reproduce_are_counted(tmp_path, golden):
    n_trees, lost, n_levels, labels = check(golden / "eval" / "tree.pred.mrg")
    assert (n_trees, lost, n_levels.total()) == (300, {"no word": 4}, 296)
    assert labels["NP"] > labels["S(VP"] > 0
    columns = tmp_path / "trees.tsv"
    columns.write_text("-LRB-\tUH\t(S*)\n\na\tNN\t(S*\n")
    lost = check(columns)[1]
    assert lost["brackets give another tree"] == 1
    assert lost[f"{columns}: line 3: expected S to end in its sentence"] == 1


@pytest.fixture
def count():
    """Launch a Python process that fails unless it reads whole lines, in a range of bytes."""
    code = (
        "import sys; data = sys.stdin.buffer.read(); low, high = map(int, sys.argv[1:]); "
        "sys.exit(not (low <= len(data) <= high and data.endswith(b'\\n')))"
    )
    return Launch([sys.executable, "-c", code], {})


@pytest.mark.parametrize(("n_bytes", "size"), [(1, 4), (9, 9), (20, 18), (200_000, 200_000)])
def test_a_process_reads_the_text_repeated_in_whole_lines(tmp_path, count, n_bytes, size):
    text = tmp_path / "text.txt"
    text.write_text("one\nfour\n")
    result = count(max(size - 5, 4), size, text=text, n_bytes=n_bytes)
    assert result["processor"] > 0 and result["peak_bytes"] > 1e6


def test_memory_is_that_of_the_process_not_of_who_measures(tmp_path):
    ballast = bytearray(b"x") * 200_000_000
    run = Launch([sys.executable, "-c", "import time, sys; print(flush=True); time.sleep(60)"], {})
    result = run(first_byte=True)
    assert result["peak_bytes"] < len(ballast)
    assert result["seconds"] < 60  # stopped after what it printed


@pytest.mark.process
def test_what_a_process_says_is_shown_if_it_fails(capfd):
    run = Launch([sys.executable, "-c", "import sys; sys.exit(sys.argv[1])"], {})
    with pytest.raises(subprocess.CalledProcessError):
        run("no such corpus")
    assert capfd.readouterr().err.startswith("no such corpus\n")


def test_two_take_turns_and_each_pair_is_of_one_round():
    calls = []

    def run(name):
        calls.append(name)
        return f"{name}{len(calls)}"

    assert in_turns(lambda: run("A"), lambda: run("B"), 3) == [
        ("A1", "B2"), ("A4", "B3"), ("A5", "B6"),
    ]  # fmt: skip


def write_run(directory, **arrays):
    """Files that a training leaves: a model, and a checkpoint with its own bookkeeping."""
    directory.mkdir()
    arrays = {name: np.array(values, np.float32) for name, values in arrays.items()}
    write_tensors(directory / "model.lm", {}, {"bias": arrays["bias"].astype(np.float16)})
    np.savez(
        directory / "checkpoint.npz", meta=np.frombuffer(directory.name.encode(), "u1"), **arrays
    )
    (directory / "log.jsonl").write_text("{}")
    return read_arrays(directory)


def test_the_same_weights_under_another_name_are_the_same(tmp_path):
    base = write_run(tmp_path / "base", bias=[1, 2], state=[[0, 3], [4, 5]])
    new = write_run(tmp_path / "new", bias=[1, 2], renamed=[0, 3, 4, 5])
    assert set(base) == {"model.lm: bias", "checkpoint.npz: bias", "checkpoint.npz: state"}
    assert differences(base, new) == {}
    assert describe({}, len(base)) == "same, 3 arrays"


def test_a_last_bit_another_shape_and_a_missing_array_are_told(tmp_path):
    last = np.nextafter(np.float32(2), np.float32(3))
    base = write_run(tmp_path / "base", bias=[1, 2], weight=[[1, 2]], zero=[0.0], state=[3])
    new = write_run(tmp_path / "new", bias=[1, last], weight=[1, 2], zero=[-0.0], other=[4])
    found = differences(base, new)
    assert describe(found, len(base)) == (
        "5 of 5 arrays differ by 2.4e-07 at most: checkpoint.npz: bias, "
        "checkpoint.npz: other (only in NEW), checkpoint.npz: state (only in BASE), "
        "checkpoint.npz: weight (float32 (1, 2) and float32 (2,)), checkpoint.npz: zero"
    )


def test_the_profile_knows_the_kernels_by_their_names():
    found = []
    stages._change_kernels(lambda owner, name, step: found.append((owner.__name__, name, step)))
    assert ("senna_py.layers.blocks", "linear", "hidden and output layer") in found
    assert set(stages._KERNELS) <= {name for _, name, _ in found}


def test_scores_on_new_words():
    pairs = [(["A", "B"], (["A", "C"], [False, True])), (["A"], (["A"], [True]))]
    assert token_scores(pairs) == "66.67 of 3 words   50.00 of 2 new ones"
    gold, found = ["S-X", "O", "B-Y", "E-Y"], ["S-X", "S-X", "B-Y", "E-Y"]
    scores = segment_scores([(gold, (found, [False, True, True, False]))])
    assert scores == ("P 66.67 R 100.00 F1 80.00 of 2   P 50.00 R 100.00 F1 66.67 of 1 new")
