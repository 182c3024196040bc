"""senna-py warm-up: compile all kernels that tagging needs, and the same in the
background.
"""

import contextlib
import os
import time
from dataclasses import replace

import click

from senna_py.cli.help import Command
from senna_py.cli.tag_options import TagOptions, tag_options
from senna_py.errors import SennaError
from senna_py.io.system import lower_priority
from senna_py.kernels.runtime.background import alone, have_compiled


@click.command(
    "warm-up", cls=Command, examples=("senna-py warm-up", "senna-py warm-up --path my")
)
@tag_options(only=("path",))
def command(path):
    """Compile all that tagging with a model needs, for all tasks and formats.

    Otherwise that is done while the first longer text is tagged. Training compiles what
    it needs when it begins.
    """
    from senna_py.io.progress import Progress
    from senna_py.kernels.runtime.compile_events import tell_when_compiling
    from senna_py.kernels.runtime.compiling import cache_directory
    from senna_py.kernels.runtime.jit import all_kernels, runs_fallbacks
    from senna_py.model import Model

    model, begin, n = Model(path), time.monotonic(), 0
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
            n = sum(kernel.n_compiled() for kernel in all_kernels())
            bar.show(percent, f"{n} kernels")
    done = f"compiled {n} kernels" if n else "all kernels were compiled already"
    click.echo(f"{done}, in {time.monotonic() - begin:.1f} seconds")


def compile_apart(options, tagger):
    """Leave the kernels that a command with TagOptions lacks to a process that outlives
    it.
    """
    path, usrvbs = os.path.abspath(tagger.model.path), options.usrvbs and os.devnull
    have_compiled(
        _compile, replace(options, path=path, abbreviations=(), usrvbs=usrvbs)
    )


def _compile(options):
    """Compile what a command needs, then all that others may need."""
    from senna_py.model import Model

    _run(options, options.tagger())
    lower_priority()
    for _ in _call_kernels(Model(options.path)):
        pass


def _call_kernels(model):
    """Call every kernel of tagging with a Model; yields the percentage that is done."""
    from senna_py.kernels.runtime.pace import one_way
    from senna_py.pipeline.run import SAMPLE
    from senna_py.tagger import Tagger

    tagger = Tagger(model, tasks := model.tasks())
    with one_way(plain=False):
        tokens = tagger.tokenizer.lines(SAMPLE.encode())
        for done, task in enumerate(tasks):
            yield 100 * done // (1 + len(tasks))
            one = Tagger(model, task)
            one.annotate(tokens)
            with contextlib.suppress(SennaError):  # not all networks have probabilities
                one.annotate(tokens, uncertain=[task])
        for way in ({"split_sentences": True}, {"usrtokens": True}):
            _run(TagOptions(tasks=tasks, **way), tagger)
        for tagger.with_scores in (False, True):
            tagger.document(SAMPLE)
            tagger(SAMPLE.split())
    yield 100


def _run(options, tagger):
    from senna_py.pipeline.run import Pipeline

    Pipeline(tagger, options, options.printer(tagger)).run_kernels()
