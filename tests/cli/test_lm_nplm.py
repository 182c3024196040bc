"""senna-lm train nplm and mix: from text to probabilities, and what a user can do
wrong.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import (
    assert_one_line_error,
    installed,
    lm,
    lm_says,
    vectors_say,
)

SMALL = [
    "--order",
    3,
    "--dim",
    4,
    "--hidden",
    6,
    "--batch",
    16,
    "--optimizer",
    "adagrad",
    "--rate",
    0.3,
    "--epochs",
    3,
]
SENTENCES = [
    f"{subject} {verb} {thing}"
    for subject, thing in (("cats", "milk"), ("dogs", "meat"), ("ants", "corn"))
    for verb in ("like", "see", "want", "eat")
]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(SENTENCES * 15) + "\n")
    return path


@pytest.fixture(scope="module")
def trained(text, tmp_path_factory):
    """Directory of a finished run."""
    directory = tmp_path_factory.mktemp("run") / "run"
    lm_says("train", "nplm", directory, text, "--valid", text, *SMALL, "--direct")
    return directory


@pytest.fixture(scope="module")
def trigram(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("trigram") / "t.lm"
    lm_says(
        "train", "ngram", path, text, "--valid", text, "--smoothing", "interpolated"
    )
    return path


def perplexity(model, text):
    out = lm("score", model, text, "--format", "summary").stdout.decode()
    return float(re.search(r"with them ([\d.]+)", out).group(1))


def test_vectors_for_unknown_words(trained):
    opened = lm("score", trained, "--unknown-vectors", stdin=b"zebras like milk\n")
    assert opened.returncode == 0 and b"1 unknown" in opened.stderr


def test_vectors_leave_by_export(trained, write, tmp_path):
    vectors_say("export", trained, tmp_path / "v.txt", "--to", "word2vec")
    assert (tmp_path / "v.txt").read_text().startswith("13 4\n<unk> ")
    again, text = tmp_path / "again", write("cats like milk\ndogs like meat\n")
    made = text, "--valid", text, *SMALL, "--init", tmp_path / "v.txt"
    lm_says("train", "nplm", again, *made)
    assert (again / "model.lm").exists()
    assert vectors_say("neighbors", trained, "cats", "-n", 2).startswith(
        "euclidean:\ncats\n"
    )


@pytest.mark.parametrize("weights", ["fixed", "learned", "frequency"])
def test_mixtures(trained, trigram, text, tmp_path, weights):
    target = tmp_path / "mix.lm"
    lm_says("mix", target, trained, trigram, "--valid", text, "--weights", weights)
    alone = [perplexity(model, text) for model in (trained, trigram)]
    mixed = perplexity(target, text)
    assert mixed < max(alone) and (weights == "fixed" or mixed < 1.005 * min(alone))
    info = lm_says("info", target)
    assert (
        "model 2: " in info
        and "interpolated n-grams" in info
        and f"weights: {weights}" in info
    )


def test_classes_from_a_file(text, tmp_path):
    classes = tmp_path / "paths"
    words = sorted({word for sentence in SENTENCES for word in sentence.split()})
    classes.write_text(
        "".join(f"{i % 4:02b}\t{word}\t1\n" for i, word in enumerate(words))
    )
    out = lm_says(
        "train",
        "nplm",
        tmp_path / "run",
        text,
        "--valid",
        text,
        *SMALL,
        "--output-layer",
        "classes",
        "--classes",
        classes,
        "--threads",
        2,
    )
    assert "done" in out and "classes, then words" in lm_says("info", tmp_path / "run")


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["--init", "gone.txt"], ["gone.txt", "No such file"]),
        (["--init", "v.txt", "--dim", 3], ["v.txt: vectors of 2 dimensions, not 3"]),
        (["--output-layer", "classes", "--classes", "gone"], ["gone", "No such file"]),
    ],
)
def test_bad_input(text, tmp_path, args, parts):
    (tmp_path / "v.txt").write_text("a 1 2\n")
    done = lm("train", "nplm", tmp_path / "run", text, *args, cwd=tmp_path)
    assert_one_line_error(done, *parts, is_last=True)


def test_mixing_overwrites_mixtures_alone(trained, trigram, text, tmp_path):
    model, own = trained / "model.lm", tmp_path / "own.lm"
    shutil.copy(trigram, own)
    (tmp_path / "text").write_text("my own text\n")
    before = {path: path.read_bytes() for path in (model, own, tmp_path / "text")}
    for args, part in (
        ([own, own, model], "own.lm: output would overwrite the input"),
        ([model, trained, own], "model.lm: output would overwrite the input"),
        ([own, model], "two models"),
        ([own, model, trigram], "own.lm: exists and is not a mixture"),
        (
            [tmp_path / "text", model, trigram],
            "text: exists and is not a mixture",
        ),
        ([tmp_path / "m.gz", model, trigram], "ARPA"),
    ):
        assert part in lm_says("mix", *args, code=1)
    export = lm_says("export", own, tmp_path / "text", "--to", "lm", code=1)
    assert "text: exists and is not a language model" in export
    assert {path: path.read_bytes() for path in before} == before
    for _ in range(2):
        lm_says("mix", tmp_path / "mix.lm", model, own)


def test_what_cannot_be_mixed(trained, tmp_path):
    assert_one_line_error(lm("mix", tmp_path / "m", trained, tmp_path / "gone"), "gone")
    done = lm("mix", tmp_path / "m", trained, trained, "--weights", "learned")
    assert_one_line_error(done, "--valid", code=2)


@pytest.mark.extra
@pytest.mark.process
def test_processes_of_mpi_reach_the_same_perplexity(text, tmp_path):
    pytest.importorskip("mpi4py")
    mpirun = shutil.which(
        "mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    )
    if not mpirun:
        pytest.skip("no mpirun")
    args = [text, "--valid", text, *SMALL, "--direct", "--dropout", 0.1]
    alone = lm("train", "nplm", tmp_path / "alone", *args)
    version = subprocess.run(
        [mpirun, "--version"], capture_output=True, check=True
    ).stdout
    flags = ["--allow-run-as-root", "--oversubscribe"] if b"Open MPI" in version else []
    begin = [mpirun, *flags, "-n", 2, installed("senna-lm"), "train", "nplm"]

    def train(directory):
        command = [*map(str, [*begin, directory, *args, "--mpi"])]
        return subprocess.run(command, capture_output=True, timeout=240, check=False)

    shared = train(tmp_path / "shared")
    assert shared.returncode == 0, shared.stderr
    found = [
        re.findall(rb"validation perplexity ([\d.]+)", x.stderr)
        for x in (alone, shared)
    ]
    assert len(found[0]) == 4 and found[0] == found[1]
    (tmp_path / "file").touch()
    failed = train(tmp_path / "file" / "run")
    assert failed.returncode == 1 and b"file/run: no place for a run" in failed.stderr
