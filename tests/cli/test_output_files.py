"""What commands do to the files that they write: never one that they read, never half
of one.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from senna_py.io.locks import lock_directory
from senna_py.models.senna_conversion import import_senna
from tests.helpers import commands

TEXT = "Mary lives in Rome .\nHe sleeps .\n"


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    return import_senna(
        commands.MODEL, tmp_path_factory.mktemp("native") / "m.safetensors"
    )


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The current directory, with text and lists."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.txt").write_text(TEXT)
    (tmp_path / "abbr").write_text("abbr.\n")
    (tmp_path / "verbs").write_text("-\nV\n-\n-\n-\n\n-\nV\n-\n\n")
    return tmp_path


def assert_nothing_is_overwritten(place, command, *args):
    """Check that a command is refused for its output, and has changed no file."""
    before = commands.files_below(place)
    commands.assert_one_line_error(
        command(*args), "output would overwrite the input", code=2
    )
    assert commands.files_below(place) == before, args


# --- nothing is written over what is read
# ------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "options"),
    [
        ("s.txt", ()),
        ("s.txt", ("--live",)),
        ("m.safetensors", ("-path", "m.safetensors")),
        ("link", ("-path", "m.safetensors")),
        ("model/data/pos.dat", ("-path", "model")),
        ("model/hash/ner.lst", ("-path", "model")),  # which the task does not need
        ("verbs", ("-srl", "-usrvbs", "verbs")),
        ("abbr", ("--abbreviations", "abbr")),
    ],
)
def test_senna_tag(place, native, copied_model, output, options):
    shutil.copy(native, "m.safetensors")
    os.symlink("m.safetensors", "link")
    assert_nothing_is_overwritten(
        place, commands.tag, "-pos", *options, "-o", output, "s.txt"
    )


def test_models_of_language_and_vectors(place):
    text = "the cat sat\nthe dog sat\n"
    for name in ("t.txt", "words", "t.arpa"):
        Path(name).write_text(text if name != "words" else "the\ncat\nsat\n")
    Path("classes").write_text("0\tthe\n1\tcat\n")
    Path("g.txt").write_text("cat 1 2\ndog 2 3\n")
    commands.lm_says("train", "ngram", "m.lm", "t.txt")
    commands.lm_says("train", "ngram", "n.lm", "t.txt", "--order", 2)
    commands.lm_says("mix", "mix.lm", "m.lm", "n.lm")
    commands.vectors_say("export", "g.txt", "v", "--to", "npy")
    for command in (
        "senna-lm score m.lm t.txt -o m.lm",
        "senna-lm score mix.lm t.txt -o n.lm",
        "senna-lm score m.lm t.txt -o t.txt --live",
        "senna-lm train ngram t.arpa t.arpa",
        "senna-lm train ngram m.lm t.txt --vocabulary m.lm",
        "senna-lm train ngram classes t.txt --classes classes",
        "senna-lm mix m.lm m.lm n.lm",
        "senna-lm export m.lm m.lm --to lm",
        "senna-py vectors cluster t.txt t.txt",
        "senna-py vectors cluster words t.txt --vocabulary words",
        "senna-py vectors export g.txt g.txt --to glove",
        "senna-py vectors export v.npy v.npy --to npy --half",
        "senna-py vectors import v.npy v",
    ):
        assert_nothing_is_overwritten(place, commands.run, *command.split())


def test_a_corpus_is_not_prepared_over_its_words(place):
    Path("t.txt").write_text("the cat sat\n" * 3)
    os.mkdir("corpus")
    Path("corpus/words.tsv").write_text("cat\n")
    own = ("prepare", "own", "t.txt", "--jobs", 1, "--min-count")
    cover = ("prepare", "corpus", "t.txt", "--cover", "corpus/words.tsv", "--jobs", 1)
    assert_nothing_is_overwritten(place, commands.vectors, *cover)
    commands.vectors_say(*own, 1)
    assert_nothing_is_overwritten(
        place, commands.vectors, "cluster", "own/words.tsv", "own"
    )
    commands.vectors_say(*own, 2)


def test_no_model_is_built_over_a_part(place, native):
    shutil.copy(native, "m.safetensors")
    model = "m.safetensors"
    for args in (
        ["build", model, f"{model}:pos"],
        ["ensemble", *[model] * 3, "--task", "pos"],
    ):
        assert_nothing_is_overwritten(place, commands.run, "senna-model", *args)


# --- an old file survives
# ----------------------------------------------------------------------


def test_an_old_output_survives_an_input_that_is_missing(place):
    Path("old").write_text("old\n")
    before = commands.files_below(place)
    commands.assert_one_line_error(
        commands.tag("-pos", "-o", "old", "nofile"), "nofile: No such file"
    )
    assert commands.files_below(place) == before
    result = commands.tag("-pos", "-o", "old", "s.txt", "nofile", "s.txt")
    assert result.returncode == 1 and result.stderr.decode().splitlines() == [
        "senna-tag: nofile: No such file or directory",
        "senna-tag: old: not written: not all inputs could be read; what was written is in "
        "old.partial",
    ]
    after = commands.files_below(place)
    assert after.pop("old.partial").count(b"\n") == 20
    assert after == before


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_output_is_whole_or_absent_when_the_command_is_ended(place, number):
    command = [
        commands.installed("senna-tag"),
        "-path",
        commands.MODEL,
        "-pos",
        "-o",
        "out",
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(b"One line .\nand")
        process.stdin.flush()
        end = time.monotonic() + 120
        while not (os.path.exists("out.partial") and os.path.getsize("out.partial")):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.02)
        # Python does not see one just before it waits for input.
        while process.poll() is None:
            assert time.monotonic() < end
            process.send_signal(number)
            time.sleep(0.1)
        assert process.returncode == (130 if number == signal.SIGINT else -number)
        assert process.stderr.read() == b""
    assert not os.path.exists("out")
    assert Path("out.partial").read_text().count("\n") == 4


def test_live_needs_a_file(place):
    for result in (
        commands.tag("-pos", "--live", "s.txt"),
        commands.lm("score", "m.lm", "s.txt", "--live"),
    ):
        assert (
            result.returncode,
            b"--live can be used only with -o" in result.stderr,
        ) == (
            2,
            True,
        )


# --- one directory, one process
# ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("locked", "command"),
    [
        ("run", "senna-py vectors prepare run s.txt"),
        ("run", "senna-py vectors train skipgram run s.txt"),
        ("run", "senna-py vectors train ranking run s.txt --examples 9"),
        ("out.run", "senna-py vectors cluster out s.txt"),
        ("text", "senna-py vectors train skipgram run s.txt --corpus text"),
        ("run", "senna-lm train nplm run s.txt"),
        ("run", "senna-lm train word run s.txt"),
        ("run", "senna-lm train char run s.txt"),
        ("run", "senna-train c.toml . run"),
        ("run", "senna-train c.toml . run --resume"),
        ("out", f"senna-model export out --path {commands.MODEL}"),
        ("out", f"senna-model drop-in out -path {commands.MODEL}"),
    ],
)
def test_a_second_process_is_refused_and_writes_nothing(place, locked, command):
    Path("c.toml").write_text(
        'task = "pos"\n[[train]]\nfiles = ["t"]\ncolumns = ["word", "pos"]\n'
        '[[dev]]\nfiles = ["t"]\ncolumns = ["word", "pos"]\n'
    )
    with lock_directory(locked, print):
        before = commands.files_below(place)
        result = commands.run(*command.split())
        commands.assert_one_line_error(
            result, f"{locked}: in use by process {os.getpid()} on "
        )
        assert commands.files_below(place) == before


@pytest.mark.parametrize("output", [".", "..", "x/.."])
def test_a_directory_is_no_output(output, tmp_path):
    (tmp_path / "x").mkdir()
    result = commands.tag("-pos", "-o", output, stdin=b"No .\n", cwd=tmp_path)
    commands.assert_one_line_error(result, f"{output}: ", "Is a directory")
