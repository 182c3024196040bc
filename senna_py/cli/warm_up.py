"""senna-py warm-up: compile all kernels that tagging needs, and the same in the background."""

import contextlib
import os
import time
from dataclasses import replace

import click

from senna_py.cli.help import Command
from senna_py.cli.tag_options import TagOptions, tag_options
from senna_py.errors import SennaError
from senna_py.kernels.runtime.background import alone, have_compiled

__all__ = ["command", "compile_apart"]

# Words, numbers, names, predicates with arguments, and marks of several kinds.
_TEXT = """\
Ann Lee of IBM said on Monday that 20 men had left New York, but Mr. Smith (aged 40) didn't go.
He gave her the book that she wanted.
"""


@click.command("warm-up", cls=Command, examples=("senna-py warm-up", "senna-py warm-up --path my"))
@tag_options(only=("path",))
def command(path):
    """Compile all that tagging with a model needs, for all tasks and formats.

    Otherwise that is done while the first longer text is tagged. Training compiles what it needs
    when it begins.
    """
    from senna_py.kernels.runtime.compile_events import after_each, tell_when_compiling
    from senna_py.kernels.runtime.compiling import cache_directory
    from senna_py.kernels.runtime.jit import plain_way
    from senna_py.model import Model

    model, begin = Model(path), time.monotonic()
    if plain_way(False).plain:
        raise SennaError("nothing is compiled: NUMBA_DISABLE_JIT is set")
    try:
        directory = cache_directory()
    except RuntimeError:
        raise SennaError("no cache of kernels can be written: set NUMBA_CACHE_DIR") from None
    tell_when_compiling(None)
    with alone(directory, waits=True), contextlib.ExitStack() as at_end:
        count = _Count(model, at_end)
        after_each(count)
        at_end.callback(after_each, None)
        _call_kernels(model)
        count.show_all()
    done = f"compiled {count.n} kernels" if count.n else "all kernels were compiled already"
    click.echo(f"{done}, in {time.monotonic() - begin:.1f} seconds")


class _Count:
    """Counts compiled kernels, to be called after each; n: how many, with other types once more."""

    def __init__(self, model, at_end):
        self.n, self._model, self._at_end = 0, model, at_end
        self._wanted, self._bar = set(), None

    def __call__(self):
        from senna_py.io.progress import Progress
        from senna_py.kernels.runtime.jit import all_kernels, called_kernels

        self.n = sum(kernel.n_compiled() for kernel in all_kernels())
        if self.n and self._bar is None:  # the fallbacks tell how many there will be
            _call_kernels(self._model, plain=True)
            self._wanted = called_kernels(plain=True)
            self._bar = self._at_end.enter_context(Progress(len(self._wanted)))
        self._show(len(called_kernels() & self._wanted))

    def show_all(self):
        """End the bar; a few fallbacks call what compiled kernels do without."""
        self._show(len(self._wanted))

    def _show(self, done):
        if self._bar is not None:
            self._bar.show(done, f"{done} of {len(self._wanted)} kernels")


def compile_apart(options, tagger):
    """Leave the kernels that a command lacks to a process that outlives it.

    options: the TagOptions of the command; tagger: theirs.
    """
    path, usrvbs = os.path.abspath(tagger.model.path), options.usrvbs and os.devnull
    have_compiled(_compile, replace(options, path=path, abbreviations=(), usrvbs=usrvbs))


def _compile(options):
    """Compile what a command needs, then all that others may need."""
    from senna_py.model import Model

    tagger = options.tagger()
    _run(options, tagger)
    os.nice(10)
    _call_kernels(Model(options.path))


def _call_kernels(model, plain=False):
    """Call every kernel of tagging with a Model once, or run the fallbacks."""
    from senna_py.kernels.runtime.jit import plain_way
    from senna_py.kernels.runtime.pace import one_way
    from senna_py.tagger import Tagger

    tagger = Tagger(model, tasks := model.tasks())
    with one_way(plain), plain_way(plain):
        for way in ({"split_sentences": True}, {"usrtokens": True}):
            _run(TagOptions(tasks=tasks, **way), tagger, plain)
        tokens = tagger.tokenizer.lines(_TEXT.encode())
        for task in tasks:
            with contextlib.suppress(SennaError):  # not all networks have probabilities
                Tagger(model, task).annotate(tokens, uncertain=[task])
        for tagger.with_scores in (False, True):
            tagger.document(_TEXT)
            tagger(_TEXT.split())


def _run(options, tagger, plain=False):
    """Do what a command does with a short text."""
    from senna_py.cli.tag_inputs import Lines
    from senna_py.cli.tag_job import Job
    from senna_py.corpora.places import Place
    from senna_py.kernels.runtime.jit import plain_way

    job = Job(options, tagger, options.printer(tagger), str, waits=True)
    with plain_way(plain):
        job.run_kernels(Lines("", Place(""), _TEXT.encode()))
