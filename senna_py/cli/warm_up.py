"""The command `senna-py warm-up`, and compilation of kernels in the background."""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from senna_py.cli.help import Command
from senna_py.cli.tag_options import TagOptions, tag_options
from senna_py.errors import SennaError
from senna_py.io.system import lower_priority
from senna_py.kernels.runtime.background import (
    alone,
    beside,
    compile_quickly,
    have_compiled,
)

if TYPE_CHECKING:
    from senna_py.model import Model
    from senna_py.pipeline.run import Pipeline
    from senna_py.tagger import Tagger


@click.command(
    "warm-up", cls=Command, examples=("senna-py warm-up", "senna-py warm-up --path my")
)
@tag_options(only=("path",))
def command(path: str | None) -> None:
    """Compile all kernels that tagging with a model needs, for all tasks and formats.

    Otherwise, kernels are compiled while the first longer text is tagged. Training
    compiles its own kernels when it begins.
    """
    compile_quickly()
    from senna_py.io.progress import Progress
    from senna_py.kernels.runtime.compile_events import tell_when_compiling
    from senna_py.kernels.runtime.compiling import cache_directory
    from senna_py.kernels.runtime.jit import all_kernels
    from senna_py.kernels.runtime.switch import runs_fallbacks
    from senna_py.model import Model

    model, begin, n_compiled = Model(path), time.monotonic(), 0
    if runs_fallbacks():
        raise SennaError("nothing is compiled: NUMBA_DISABLE_JIT is set")
    try:
        directory = cache_directory()
    except RuntimeError:
        raise SennaError(
            "no cache of kernels can be written: set NUMBA_CACHE_DIR"
        ) from None
    tell_when_compiling(None)
    with alone(directory, waits=True), Progress(100, wanted=os.isatty(2)) as bar:
        for percent in _call_kernels(model):
            n_compiled = sum(kernel.n_compiled() for kernel in all_kernels())
            bar.show(percent, f"{n_compiled} kernels")
    done = "all kernels were compiled already"
    if n_compiled:
        done = f"compiled {n_compiled} kernels"
    click.echo(f"{done}, in {time.monotonic() - begin:.1f} seconds")


def compile_apart(options: TagOptions, tagger: "Tagger") -> None:
    """Let a background process compile the kernels that a command needs.

    The process starts when a kernel is missing, and may outlive the command.
    """
    needed = replace(
        options,
        path=os.path.abspath(tagger.model.path),
        abbreviations=(),
        usrvbs=options.usrvbs and os.devnull,
    )
    have_compiled(_compile, needed)


def _compile(options: TagOptions) -> None:
    """Compile the kernels for a command, and then all others at a lower priority.

    Finding tokens takes about as many kernels as the networks, so another process
    compiles these at the same time.
    """
    with beside(_compile_tokens, options):
        _compile_networks(options)
    _run(options, options.tagger())
    from senna_py.model import Model

    lower_priority()
    for _ in _call_kernels(Model(options.path)):
        pass


def _compile_tokens(options: TagOptions) -> None:
    """Compile the kernels that find the tokens for a command."""
    _pipeline(options, options.tagger()).sample()


def _compile_networks(options: TagOptions) -> None:
    """Compile the kernels for a command but those that find tokens."""
    from senna_py.kernels.runtime.switch import fixed_kernels

    pipeline = _pipeline(options, options.tagger())
    with fixed_kernels(plain=True):
        sample = pipeline.sample()
    pipeline.format(sample)


def _call_kernels(model: "Model") -> Iterator[int]:
    """Call every kernel that tagging with a model needs; yield progress in percent."""
    from senna_py.kernels.runtime.switch import fixed_kernels
    from senna_py.pipeline.run import SAMPLE
    from senna_py.tagger import Tagger

    tagger = Tagger(model, tasks := model.tasks())
    with fixed_kernels(plain=False):
        tokens = tagger.tokenizer.lines(SAMPLE.encode())
        for done, task in enumerate(tasks):
            yield 100 * done // (1 + len(tasks))
            one = Tagger(model, task)
            one.annotate(tokens)
            # Not all networks compute probabilities.
            with contextlib.suppress(SennaError):
                one.annotate(tokens, uncertain=[task])
        _run(TagOptions(tasks=tasks, split_sentences=True), tagger)
        _run(TagOptions(tasks=tasks, usrtokens=True), tagger)
        for tagger.with_scores in (False, True):
            tagger.document(SAMPLE)
            tagger(SAMPLE.split())
    yield 100


def _run(options: TagOptions, tagger: "Tagger") -> None:
    _pipeline(options, tagger).run_kernels()


def _pipeline(options: TagOptions, tagger: "Tagger") -> "Pipeline":
    from senna_py.pipeline.run import Pipeline

    return Pipeline(tagger, options, options.printer(tagger))
