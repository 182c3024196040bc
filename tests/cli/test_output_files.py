"""What commands do to the files that they write: never one that they read, never half of one."""

import os
import shutil
import signal
import subprocess
import time
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from senna_py.cli.lm import command as lm_command
from senna_py.cli.model import command as model_command
from senna_py.cli.train import command as train_command
from senna_py.cli.vectors import command as vectors_command
from senna_py.errors import UsageError
from senna_py.io.locks import LOCK, lock_directory
from senna_py.models.exchange import import_senna
from tests.helpers.commands import MODEL, assert_one_line_error, installed, run, tag
from tests.helpers.tagging import tag_paths

TEXT = "Mary lives in Rome .\nHe sleeps .\n"


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    return import_senna(MODEL, tmp_path_factory.mktemp("native") / "m.safetensors")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The current directory, with text, lists and language models' inputs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.txt").write_text(TEXT)
    (tmp_path / "abbr").write_text("abbr.\n")
    (tmp_path / "verbs").write_text("-\nV\n-\n-\n-\n\n-\nV\n-\n\n")
    return tmp_path


def contents(directory):
    files = (path for path in Path(directory).rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


# --- nothing is written over what is read ------------------------------------------------------


def names_of(path):
    """Other names of a file."""
    os.symlink(path, "symbolic")
    os.link(path, "hard")
    return [path, "symbolic", "hard", os.path.join("..", Path.cwd().name, path)]


def test_a_model_is_not_overwritten_by_any_name(place, native):
    shutil.copy(native, "m.safetensors")
    before = Path("m.safetensors").read_bytes()
    for name in names_of("m.safetensors"):
        with pytest.raises(UsageError, match=f"{name}: output would overwrite the input"):
            tag_paths(["s.txt"], ["pos"], "m.safetensors", output=name)
    result = run("senna-tag", "-pos", "-path", "m.safetensors", "-o", "symbolic", "s.txt")
    assert_one_line_error(result, "symbolic: output would overwrite the input", code=2)
    assert Path("m.safetensors").read_bytes() == before


def test_no_file_of_a_senna_directory_is_overwritten(place, copied_model):
    before = contents(copied_model)
    # Not even those that the tasks do not need.
    for name in ("hash/pos.lst", "data/pos.dat", "hash/ner.lst", "data/psg.dat"):
        with pytest.raises(UsageError, match="the same file"):
            tag_paths(["s.txt"], ["pos"], copied_model, output=copied_model / name)
    assert contents(copied_model) == before


@pytest.mark.parametrize(
    ("output", "options"),
    [
        ("verbs", {"usrvbs": "verbs"}),
        ("s.txt", {}),
        ("s.txt.partial", {}),
    ],
)
def test_neither_text_nor_lists_are_overwritten(place, output, options):
    shutil.copy("s.txt", "s.txt.partial")
    before = contents(place)
    for live in (False, True):
        if output == "s.txt.partial" and not live:
            output = "s.txt"  # whose partial file is the input
        paths = [output.removesuffix(".partial") + ".partial"] if live else ["s.txt.partial"]
        paths = paths if "partial" in output else ["s.txt"]
        with pytest.raises(UsageError, match="the same file"):
            tag_paths(paths, ["pos"], MODEL, output=output, live=live, **options)
        assert contents(place) == before


def test_abbreviations_are_not_overwritten(place):
    before = contents(place)
    result = tag("-pos", "--abbreviations", "abbr", "-o", "abbr", "s.txt")
    assert_one_line_error(result, "the same file", code=2)
    assert contents(place) == before


def lm(*args, command=lm_command):
    """Run senna-lm in this process; returns its error or its output."""
    result = CliRunner().invoke(command, list(map(str, args)))
    return result.exception or result.output


def vectors(*args):
    """Run `senna-py vectors` as `lm` does senna-lm."""
    return lm(*args, command=vectors_command)


def test_language_models_are_not_written_over_their_inputs(place):
    text = "the cat sat\nthe dog sat\n"
    for name in ("t.txt", "words", "t.arpa"):
        Path(name).write_text(text if name != "words" else "the\ncat\nsat\n")
    Path("classes").write_text("0\tthe\n1\tcat\n")
    Path("g.txt").write_text("cat 1 2\ndog 2 3\n")
    assert isinstance(lm("train", "ngram", "m.lm", "t.txt"), str)
    assert isinstance(lm("train", "ngram", "n.lm", "t.txt", "--order", 2), str)
    assert isinstance(lm("mix", "mix.lm", "m.lm", "n.lm"), str)
    assert isinstance(vectors("export", "g.txt", "v", "--to", "npy"), str)
    before = contents(place)
    of_models = (
        ("score", "m.lm", "t.txt", "-o", "m.lm"),
        ("score", "mix.lm", "t.txt", "-o", "n.lm"),
        ("score", "m.lm", "t.txt", "-o", "t.txt", "--live"),
        ("train", "ngram", "t.arpa", "t.arpa"),
        ("train", "ngram", "m.lm", "t.txt", "--vocabulary", "m.lm"),
        ("train", "ngram", "classes", "t.txt", "--classes", "classes"),
        ("mix", "m.lm", "m.lm", "n.lm"),
        ("export", "m.lm", "m.lm", "--to", "lm"),
    )
    of_vectors = (
        ("cluster", "t.txt", "t.txt"),
        ("cluster", "words", "t.txt", "--vocabulary", "words"),
        ("export", "g.txt", "g.txt", "--to", "glove"),
        ("export", "v.npy", "v.npy", "--to", "npy", "--half"),
        ("import", "v.npy", "v"),
    )
    for command, args in (*product([lm], of_models), *product([vectors], of_vectors)):
        error = command(*args)
        assert isinstance(error, UsageError), (args, error)
        assert "output would overwrite the input" in str(error)
        assert contents(place) == before, args


def test_a_corpus_is_not_prepared_over_its_words(place):
    Path("t.txt").write_text("the cat sat\n" * 3)
    os.mkdir("corpus")
    Path("corpus/words.tsv").write_text("cat\n")
    before = contents(place)
    error = vectors("prepare", "corpus", "t.txt", "--cover", "corpus/words.tsv", "--processes", 1)
    assert isinstance(error, UsageError) and "words.tsv: output would" in str(error)
    assert contents(place) == before
    assert isinstance(vectors("prepare", "own", "t.txt", "--processes", 1, "--min-count", 1), str)
    before = contents(place)
    assert isinstance(vectors("cluster", "own/words.tsv", "own"), UsageError)
    assert contents(place) == before
    assert isinstance(vectors("prepare", "own", "t.txt", "--processes", 1, "--min-count", 2), str)


def test_no_model_is_built_over_a_part(place, native):
    shutil.copy(native, "m.safetensors")
    before = contents(place)
    for args in (
        ["build", "m.safetensors", "m.safetensors:pos"],
        ["ensemble", "m.safetensors", "m.safetensors", "m.safetensors", "--task", "pos"],
    ):
        error = lm(*args, command=model_command)
        assert isinstance(error, UsageError), error
        assert str(error).startswith("m.safetensors: output would overwrite the input")
        assert contents(place) == before


# --- an old file survives ----------------------------------------------------------------------


def test_an_old_output_survives_an_input_that_is_missing(place):
    Path("old").write_text("old\n")
    before = contents(place)
    assert_one_line_error(tag("-pos", "-o", "old", "nofile"), "nofile: No such file")
    assert contents(place) == before
    result = tag("-pos", "-o", "old", "s.txt", "nofile", "s.txt")
    assert result.returncode == 1
    assert result.stderr.decode().splitlines() == [
        "senna-tag: nofile: No such file or directory",
        "senna-tag: old: not written: not all inputs could be read; what was written is in "
        "old.partial",
    ]
    after = contents(place)
    assert after.pop("old.partial").count(b"\n") == 20
    assert after == before


def test_predicates_that_do_not_fit_leave_the_old_output(place):
    Path("old").write_text("old\n")
    Path("verbs").write_text("-\nV\n-\n-\n-\n\n-\nV\n-\n\n-\n\n")
    with pytest.raises(Exception, match=r"what was written is in old\.partial"):
        tag_paths(["s.txt"], ["srl"], MODEL, usrvbs="verbs", output="old")
    assert Path("old").read_text() == "old\n"


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_output_is_whole_or_absent_when_the_command_is_ended(place, number):
    command = [installed("senna-tag"), "-path", MODEL, "-pos", "-o", "out"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b"One line .\nand")
        process.stdin.flush()
        end = time.monotonic() + 120
        while not (os.path.exists("out.partial") and os.path.getsize("out.partial")):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.02)
        while process.poll() is None:  # Python does not see one just before it waits for input
            assert time.monotonic() < end
            process.send_signal(number)
            time.sleep(0.1)
        assert process.returncode == (130 if number == signal.SIGINT else -number)
        assert process.stderr.read() == b""
    assert not os.path.exists("out")
    assert Path("out.partial").read_text().count("\n") == 4


def test_live_needs_a_file(place):
    assert_one_line_error_at_end(tag("-pos", "--live", "s.txt"), "--live goes with -o only")
    assert "--live goes with -o only" in str(lm("score", "m.lm", "s.txt", "--live"))


def assert_one_line_error_at_end(result, message):
    assert result.returncode == 2
    assert message in result.stderr.decode().splitlines()[-1]


# --- one directory, one process ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "args"),
    [
        (vectors, ("prepare", "run", "s.txt")),
        (vectors, ("train", "skipgram", "run", "s.txt")),
        (vectors, ("train", "ranking", "run", "s.txt", "--examples", 9)),
        (lm, ("train", "nplm", "run", "s.txt")),
        (lm, ("train", "word", "run", "s.txt")),
        (lm, ("train", "char", "run", "s.txt")),
    ],
)
def test_a_second_trainer_is_refused(place, command, args):
    with lock_directory("run", print):
        before = contents(place)
        error = command(*args)
        assert str(error).startswith(f"run: in use by process {os.getpid()} on ")
        assert error.exit_code == 1
        assert contents(place) == before


def test_text_that_two_runs_share_is_made_by_one(place):
    with lock_directory("text", print):
        error = vectors("train", "skipgram", "run", "s.txt", "--corpus", "text", "--processes", 1)
        assert str(error).startswith("text: in use by process ")
    assert not os.path.exists("run")


def test_a_second_clustering_is_refused(place):
    with lock_directory("out.run", print):
        assert str(vectors("cluster", "out", "s.txt")).startswith("out.run: in use by process ")
    assert not os.path.exists("out")


def test_a_second_tagger_in_training_is_refused(place):
    Path("c.toml").write_text(
        'task = "pos"\nfolds = 2\n[[train]]\nfiles = ["t"]\ncolumns = ["word", "pos"]\n'
        '[[dev]]\nfiles = ["t"]\ncolumns = ["word", "pos"]\n'
    )
    for options in ((), ("--resume",)):
        with lock_directory("run", print):
            before = contents(place)
            error = lm("c.toml", ".", "run", *options, command=train_command)
            assert str(error).startswith("run: in use by process ")
            assert contents(place) == before


def test_directories_are_exported_to_by_one(place):
    for args in (("export", "--senna", "out"), ("drop-in", "out")):
        with lock_directory("out", print):
            error = lm(*args, "-path", MODEL, command=model_command)
            assert str(error).startswith("out: in use by process ")
            assert os.listdir("out") == [LOCK]
