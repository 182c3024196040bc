"""Training of a whole model from a treebank, for the command `senna-py train`."""

import re
from pathlib import Path

import click

from senna_py.cli.run_options import RunOptions
from senna_py.cli.step_session import LOG, StepSession
from senna_py.cli.streams import until_reader_leaves
from senna_py.errors import UsageError
from senna_py.io.progress import ShareProgress

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z]+)*")


def train_treebank(
    treebank: str,
    directory: str,
    options: RunOptions,
    changes: tuple[str, ...],
    seed: int | None,
    text: tuple[str, ...],
    vectors: str | None,
    language: str | None,
    tokenizer: str | None,
) -> None:
    """Train a model on a treebank, and print its scores and how to use it.

    Args:
        treebank: The directory of the treebank, or its CoNLL-U file.
        directory: The directory of the run.
        options: The options of the run.
        changes: The values of --set.
        seed: The random seed, or None.
        text: The paths of running text.
        vectors: A file of word vectors, or None to learn them.
        language: The code of the language, or None to infer it from names of files.
        tokenizer: The name of the tokenizer, or None to choose the best one.

    Raises:
        UsageError: If an option is invalid.
        SennaError: If the treebank cannot be read, or a setting is invalid.
    """
    from senna_py.models.native import FILE_NAME
    from senna_py.text.tokenizer_kinds import LEARNED, TOKENIZERS
    from senna_py.treebanks.data import Inputs
    from senna_py.treebanks.files import code_of, find_files
    from senna_py.treebanks.journal import JOURNAL
    from senna_py.treebanks.settings import read_settings
    from senna_py.treebanks.training import TreebankTraining

    if tokenizer is not None and tokenizer not in TOKENIZERS:
        known = ", ".join(TOKENIZERS)
        raise UsageError(f"--tokenizer {tokenizer}: expected one of {known}")
    if language is not None and not _LANGUAGE.fullmatch(language):
        code = code_of(language)
        hint = f"such as fr; {language} is {code}" if code else "such as fr"
        raise UsageError(f"--language {language!r}: expected a code {hint}")
    if options.plot:
        raise UsageError("--plot can be used only with CONFIG")
    settings = read_settings(changes, seed)
    files = find_files(treebank)
    if tokenizer == LEARNED and not files.train:
        raise UsageError(
            f"--tokenizer {LEARNED}: it learns from a file that ends in train.conllu, "
            f"and there is none in {treebank}"
        )
    inputs = Inputs(files, text, vectors, language or files.language, tokenizer)
    options.check(directory, FILE_NAME, inputs.paths(), checkpoint=JOURNAL)
    place = Path(directory)
    if not (place / JOURNAL).exists():
        (place / LOG).unlink(missing_ok=True)
    with ShareProgress() as progress:
        session = StepSession(options, progress, place / LOG)
        training = TreebankTraining(inputs, place, settings, session)
        lines = training.run()
    with until_reader_leaves():
        for line in (*lines, "", *_advice(place / FILE_NAME)):
            click.echo(line)


def _advice(model: Path) -> list[str]:
    """Return lines with the path of the model and an example of its use."""
    return [
        f"The model is {model}. To tag text, a paragraph per line:",
        f"senna-py tag --split-sentences --format conllu --path {model} text.txt",
    ]
