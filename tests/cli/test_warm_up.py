"""senna-py warm-up, and what a command leaves to a process in the background."""

import contextlib
import os
import pickle
import subprocess
import sys

import pytest

from senna_py.cli import warm_up
from senna_py.cli.tag_options import TagOptions
from senna_py.kernels.runtime import background
from senna_py.kernels.runtime.switch import fixed_kernels
from tests.helpers.commands import MODEL, installed

# Prints the kernels, with types, that tagging in many ways needs beyond those of
# `warm-up`.
BEYOND = """
import sys
from senna_py import load
from senna_py.cli.running import exit_code
from senna_py.cli.root import command
from senna_py.kernels.runtime.jit import all_kernels
from senna_py.kernels.runtime.switch import fixed_kernels

def ready():
    called = [kernel for kernel in all_kernels() if kernel._dispatcher is not None]
    return {(kernel.__name__, types) for kernel in called for types in kernel._dispatcher.overloads}

model, text = sys.argv[1:]
with fixed_kernels(plain=False):
    assert exit_code(command, ["warm-up", "--path", model]) is None
    before = ready()
    assert len(before) > 10
    for options in (
        ["--pos"], ["--lines", "--usrtokens", "--iobtags"], ["--format", "jsonl"], ["--posvbs"],
        ["--format", "conllu"], ["--format", "html"], ["--format", "trees"], ["--format", "brat"],
        ["--paragraphs", "--format", "conll"], ["--probabilities", "--ner"],
        ["--layout", "conll2000"],
    ):
        options = ["--path", model, "-o", "/dev/null", *options, text]
        assert exit_code(command, ["tag", *options]) is None
    for scores in (False, True):
        nlp = load(model, with_scores=scores, predicates="given")
        nlp(["He", "reads"]), nlp("He reads."), nlp.document("He reads. She does, too. Ça va?")
print(*(name for name, _ in ready() - before))
"""


@pytest.mark.process
def test_nothing_is_left_to_compile(write):
    path = write(
        "He PRP B-NP\nreads VBZ B-VP\nin IN B-PP\nNew NNP B-NP\nYork NNP I-NP\n\n"
    )
    command = [sys.executable, "-c", BEYOND, MODEL, path]
    found = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=600
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines()[1:] == [""]


@pytest.mark.process
def test_warm_up_says_so_when_all_is_there():
    command = [installed("senna-py"), "warm-up", "--path", MODEL]
    for _ in range(2):
        found = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=600
        )
    assert found.stdout.startswith("all kernels were compiled already, in ")
    assert found.stderr == ""


@pytest.mark.process
def test_without_compiling_kernels_run_in_python(tmp_path):
    command = [installed("senna-tag"), "-path", MODEL, MODEL.parent / "prose.txt"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    found = subprocess.run(
        command, capture_output=True, check=True, env=environment, timeout=600
    )
    same = subprocess.run(command, capture_output=True, check=True, timeout=600)
    assert (found.stdout, found.stderr) == (same.stdout, b"")
    command = [installed("senna-py"), "warm-up", "--path", MODEL]
    found = subprocess.run(
        command, capture_output=True, check=False, env=environment, timeout=60
    )
    line = b"senna-py: nothing is compiled: NUMBA_DISABLE_JIT is set\n"
    assert (found.returncode, found.stderr) == (1, line)


def test_a_process_gets_what_needs_no_file_of_the_command(tagger, monkeypatch):
    monkeypatch.setenv(background.SWITCH, "1")
    monkeypatch.setattr(background._Order, "pickled", None)
    options = TagOptions(
        str(tagger.model.path),
        ("pos", "srl"),
        usrvbs="no/such/file",
        abbreviations=("Abk",),
    )
    warm_up.compile_apart(options, options.tagger())
    function, arguments = pickle.loads(background._Order.pickled)
    seen = []
    monkeypatch.setattr(warm_up, "beside", lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(os, "nice", lambda n: seen.append("nice"))
    monkeypatch.setattr(
        warm_up, "_call_kernels", lambda model: seen.append(str(model.path)) or ()
    )
    function(*arguments)
    assert seen == ["nice", os.path.abspath(tagger.model.path)]


def test_the_networks_need_no_kernels_that_find_tokens(tagger):
    options = TagOptions(str(tagger.model.path), ("pos", "srl"), split_sentences=True)
    pipeline = warm_up._pipeline(options, tagger)
    with fixed_kernels(plain=True):
        sample = pipeline.sample()
    assert pipeline.format(sample) == pipeline.format(pipeline.sample())
