"""The command `senna-eval`, which scores predictions as the standard scripts do."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

from senna_py import __version__
from senna_py.cli.help import Group
from senna_py.cli.options import all_of, choice, flag, number, option
from senna_py.cli.parameter_types import FiniteRange
from senna_py.cli.setting_options import options_of
from senna_py.cli.streams import print_text
from senna_py.cli.tag_options import TagOptions
from senna_py.errors import SennaError, UsageError, counted, one_line
from senna_py.io.nesting import json_text
from senna_py.io.progress import say
from senna_py.labels import tasks
from senna_py.text.token_standards import STANDARDS

_json = flag("--json", "as_json", "Print one JSON object.")
_strict = flag(
    "--strict",
    "Count only chunks with well-formed IOB2 or IOBES tags, like seqeval's strict mode.",
)


# The options of all commands that print scores. Their values are passed to `_show`.
_report_options = all_of(
    flag("--confusions", "Also print the confusion matrix."), _json
)


def _show(
    kind: str,
    scores: Any,
    inputs: Iterable[str | None],
    confusions: bool,
    as_json: bool,
    lines: Sequence[str] | None = None,
) -> None:
    """Print scores on standard output.

    Args:
        kind: The type of report; see `evaluation.report.report_of`.
        scores: The scores.
        inputs: The paths of the scored files, which must not be overwritten.
        confusions: Whether to print the confusion matrix, too.
        as_json: Whether to print a JSON object.
        lines: The lines to print instead of the usual report, or None.
    """
    from senna_py.evaluation import report

    if as_json:
        printed = report.report_of(kind).object(scores)
        if confusions:
            printed["confusions"] = report.confusion_scores(scores)
        text = json_text(printed, indent=2)
    else:
        printed_lines = [*(lines or report.report_of(kind).lines(scores))]
        if confusions:
            printed_lines += report.confusion_report(scores)
        text = "\n".join(printed_lines)
    print_text(text, inputs)


@click.group(
    "senna-eval",
    cls=Group,
    taken_for={task: [f"model {task}"] for task in tasks.TABLE},
    examples=(
        "senna-eval model ner --columns word,-,ner test.tsv",
        "senna-eval chunk predictions.txt",
    ),
)
@click.version_option(__version__)
def command() -> None:
    """Score predictions against a gold standard, in column files or files of trees.

    Files ending in .gz, .xz and .bz2 are decompressed; - is standard input.
    """


@command.command("chunk", examples=("senna-eval chunk --scheme iobes ner.txt",))
@click.argument("file", default="-", metavar="[FILE]")
@flag(
    "-r",
    "--raw-tags",
    "raw",
    "Tags have no prefixes: each token is a chunk, unless tagged O.",
)
@option(
    "--scheme",
    "Reject gold tags of other schemes; default: read any.",
    type=click.Choice(["iob1", "iob2", "ioe", "iobes"], case_sensitive=False),
)
@_strict
@_report_options
def chunk(
    file: str, raw: bool, scheme: str | None, strict: bool, **output: Any
) -> None:
    """Score chunks or entities as conlleval does.

    The last two columns of FILE are gold and predicted tags.
    """
    scheme = scheme and scheme.lower()
    if raw and (strict or scheme is not None):
        name = "--strict" if strict else "--scheme"
        raise click.UsageError(f"{name} cannot be used with -r")
    if strict and scheme not in (None, "iob2", "iobes"):
        raise click.UsageError("--strict can be used only with --scheme iob2 or iobes")
    from senna_py.evaluation.chunks import score_chunks, strict_encodings
    from senna_py.evaluation.files import read_tags

    sentences: Iterable[tuple[list[str], list[str]]] = read_tags(file, not raw, scheme)
    encodings = None
    if strict and scheme:
        encodings = scheme, scheme
    elif strict:
        sentences = [*sentences]
        encodings = strict_encodings(sentences)
    _show("segments", score_chunks(sentences, raw, encodings), [file], **output)


@command.command("token", examples=("senna-eval token --confusions pos.txt",))
@click.argument("file", default="-", metavar="[FILE]")
@_report_options
def token(file: str, **output: Any) -> None:
    """Score tags token by token.

    The last two columns of FILE are gold and predicted tags.
    """
    from senna_py.evaluation.files import read_tags
    from senna_py.evaluation.tokens import score_tokens

    _show("tags", score_tokens(read_tags(file, chunks=False)), [file], **output)


@command.command("srl", examples=("senna-eval srl gold.props predicted.props",))
@click.argument("gold")
@click.argument("pred")
@flag(
    "--extra-predicates",
    "Count arguments of predicates that GOLD lacks as errors, unlike srl-eval.",
)
@_report_options
def srl(gold: str, pred: str, extra_predicates: bool, **output: Any) -> None:
    """Score semantic roles as srl-eval does, in the props files GOLD and PRED."""
    if gold == pred == "-":
        raise click.UsageError("GOLD and PRED cannot both be standard input")
    from senna_py.evaluation.files import read_roles
    from senna_py.evaluation.roles import score_roles

    scores = score_roles(read_roles(gold, pred), extra_predicates)
    _show("roles", scores, [gold, pred], **output)
    if scores.n_extra and not extra_predicates:
        say(
            f"senna-eval: {one_line(pred)}: left out {counted(scores.n_extra, 'predicate')} that "
            "GOLD lacks, as srl-eval does; --extra-predicates counts their arguments"
        )


@command.command(
    "tree", examples=("senna-eval tree --by-label gold.mrg predicted.mrg",)
)
@click.argument("gold")
@click.argument("pred")
@option(
    "--parameters", "EVALB parameter file (.prm); default: COLLINS.prm.", metavar="FILE"
)
@flag("--by-label", "labels", "Also print scores by label.")
@_report_options
def tree(
    gold: str, pred: str, parameters: str | None, labels: bool, **output: Any
) -> None:
    """Score trees as EVALB does.

    The files GOLD and PRED contain bracketed trees or columns of parse bits.
    """
    if gold == pred == "-":
        raise click.UsageError("GOLD and PRED cannot both be standard input")
    from senna_py.evaluation import tree_report
    from senna_py.evaluation.evalb_parameters import read_parameters
    from senna_py.evaluation.files import read_tree_pairs
    from senna_py.evaluation.trees import score_trees

    scores = score_trees(read_tree_pairs(gold, pred), read_parameters(parameters))
    lines = tree_report.tree_report(scores)
    if labels:
        lines += tree_report.label_report(scores)
    _show("trees", scores, [gold, pred], **output, lines=lines)
    message = tree_report.left_out(scores)
    if not scores.totals.n_valid:
        raise SennaError(message or f"{pred}: expected a word to score, found none")
    if message:
        say(f"senna-eval: {one_line(message)}")


@command.command(
    "model",
    examples=(
        "senna-eval model pos test.conllu",
        "senna-eval model ner --columns word,-,-,ner --path runs/ner eng.testa",
    ),
)
@click.argument("task")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--columns",
    "Names of the columns, such as word,-,ner: word, TASK, parse, predicate, roles, or - to skip "
    "one; brackets: bracketed trees. Files with a layout need none; pos=xpos reads pos from the "
    "column xpos.",
    metavar="NAMES",
)
@options_of(TagOptions, only=("path", "layout", "multiwords"))
@option(
    "--label",
    "labels",
    "Read the label A as B, which may be O; may be repeated.",
    multiple=True,
    metavar="A=B",
)
@option(
    "--part",
    "Score this part of the sentences, such as 0.9 1.0.",
    nargs=2,
    type=FiniteRange(0, 1),
    default=(0.0, 1.0),
    show_default=False,
    metavar="FROM TO",
)
@flag("--find-predicates", "For srl: let the model find the predicates.")
@option("--parameters", "For psg: EVALB parameter file (.prm).", metavar="FILE")
@flag("--by-label", "For psg: also print scores by label.")
@_strict
@_report_options
def model(
    task: str,
    files: tuple[str, ...],
    path: str | None,
    columns: str | None,
    layout: str | None,
    multiwords: str,
    labels: tuple[str, ...],
    part: tuple[float, float],
    find_predicates: bool,
    parameters: str | None,
    by_label: bool,
    strict: bool,
    **output: Any,
) -> None:
    """Tag column FILEs with a model, and score TASK against their labels.

    TASK is pos, chk, ner, pt0, vbs, srl, psg, dep, upos, feats, lemma, val or the name
    of any other network. Tokens and predicates are taken from the files; all other
    labels that the task needs are predicted.
    """
    from senna_py.corpora.layouts import column_name
    from senna_py.evaluation import tree_report
    from senna_py.evaluation.evalb_parameters import read_parameters
    from senna_py.model import Model
    from senna_py.tagging.gold import columns_problem
    from senna_py.tagging.score_model import score_model
    from senna_py.tagging.settings import DataSet

    asked_task = tasks.find_task(task)
    for name, value in (("parameters", parameters), ("by-label", by_label)):
        if value and not asked_task.shape.nested:
            raise click.UsageError(f"--{name} is for trees")
    if find_predicates and asked_task.shape.structure is not tasks.Structure.FRAMES:
        raise click.UsageError("--find-predicates is for roles")
    try:
        data = DataSet(
            list(files),
            columns.split(",") if columns else [],
            list(part),
            labels=_parse_renamings(labels),
            layout=layout or "",
            multiwords=multiwords,
        )
    except UsageError as error:
        raise click.UsageError(f"--{error}") from None
    data.fill_columns([asked_task])
    if problem := columns_problem(asked_task, [*map(column_name, data.columns)]):
        raise click.UsageError(f"--columns {','.join(data.columns)}: {problem}")
    opened = Model(path)
    evalb = read_parameters(parameters)
    scores = score_model(opened, task, data, ".", find_predicates, evalb, strict)
    lines = None
    if by_label:
        lines = tree_report.tree_summary(scores) + tree_report.label_report(scores)
    _show(opened.task(task).shape.name, scores, files, **output, lines=lines)


def _parse_renamings(renamings: Sequence[str]) -> dict[str, str]:
    """Parse the values `A=B` of the option --label to a dict {A: B}.

    Labels may contain `=`, as morphological features do, so that a value can be
    ambiguous. The dict has an entry for every possible split.

    Raises:
        click.UsageError: If a value has no `=` between two labels.
    """
    labels: dict[str, str] = {}
    for text in renamings:
        if "=" not in text[1:-1]:
            raise click.UsageError(f"--label {text}: expected A=B")
        for k in range(1, len(text) - 1):
            if text[k] == "=":
                labels[text[:k]] = text[k + 1 :]
    return labels


@command.command("text", examples=("senna-eval text gold.conllu system.conllu",))
@click.argument("gold")
@click.argument("system", required=False)
@option(
    "--path",
    "Without SYSTEM: the model; default: $SENNA_PY_MODEL, or else the English model.",
    metavar="MODEL",
)
@option(
    "--columns",
    "Read GOLD as a column file with these columns: word, pos, upos, or - to skip one.",
    metavar="NAMES",
)
@flag("--one-paragraph", "Without SYSTEM: treat all of GOLD as one paragraph.")
@choice(
    "--tokens",
    STANDARDS,
    "Without SYSTEM: standard of tokens, if the model supports both.",
    show_default="ud for CoNLL-U, else ptb",
)
@options_of(TagOptions, only=("multiwords",))
@_report_options
def text(
    gold: str,
    system: str | None,
    path: str | None,
    columns: str | None,
    one_paragraph: bool,
    tokens: str | None,
    multiwords: str,
    **output: Any,
) -> None:
    """Score an analysis of raw text as the UD evaluation does.

    Tokens, sentences, tags and dependencies are scored. GOLD and SYSTEM are CoNLL-U
    files. Without SYSTEM, a model tags the text of GOLD.
    """
    if system is not None and (path is not None or one_paragraph or tokens):
        raise click.UsageError(
            "--path, --one-paragraph and --tokens cannot be used with SYSTEM"
        )
    if gold == system == "-":
        raise click.UsageError("GOLD and SYSTEM cannot both be standard input")
    from itertools import chain

    from senna_py.corpora.raw_text import RawSentence, column_names, read_paragraphs
    from senna_py.evaluation.raw_text import score_text
    from senna_py.model import Model
    from senna_py.tagging.score_model import score_raw_text

    def read(file: str, names: Sequence[str] | None = None) -> list[list[RawSentence]]:
        paragraphs = list(read_paragraphs(file, names, multiwords))
        if not any(paragraphs):
            raise SennaError(f"{file}: there is no sentence to score")
        return paragraphs

    paragraphs = read(gold, None if columns is None else column_names(columns))
    if one_paragraph:
        paragraphs = [list(chain.from_iterable(paragraphs))]
    if system is None:
        model = Model(path)
        tokens = tokens or model.tokens_for((), universal=columns is None)
        scores = score_raw_text(model, paragraphs, multiwords, tokens)
    else:
        scores = score_text(*map(chain.from_iterable, (paragraphs, read(system))))
    _show("text", scores, [gold, system], **output)


@command.command(
    "compare", examples=("senna-eval compare --kind token gold.txt old.txt new.txt",)
)
@click.argument("gold")
@click.argument("a")
@click.argument("b")
@choice(
    "--kind",
    ("chunk", "token", "srl", "tree"),
    "Score the files as the command of this name does.",
    default="chunk",
)
@number(
    "--samples",
    "Number of bootstrap samples.",
    default=10_000,
    least=100,
    most=1_000_000,
)
@option(
    "--confidence",
    "Confidence level of the interval in percent.",
    metavar="P",
    type=FiniteRange(50, 99.9),
    default=95.0,
)
@number("--seed", "Random seed.", default=0, least=0)
@option("--parameters", "For trees: EVALB parameter file (.prm).", metavar="FILE")
@_json
def compare(
    gold: str,
    a: str,
    b: str,
    kind: str,
    samples: int,
    confidence: float,
    seed: int,
    parameters: str | None,
    as_json: bool,
) -> None:
    """Compare two systems' predictions by a paired bootstrap test.

    GOLD, A and B have the same sentences; in column files, the last column is scored.
    The result is the difference in F1 (for tokens, in accuracy) with its bootstrap
    confidence interval.
    """
    if [gold, a, b].count("-") > 1:
        raise click.UsageError("only one of GOLD, A and B can be standard input")
    if gold == "-":
        raise click.UsageError("GOLD is read twice, and cannot be standard input")
    if parameters and kind != "tree":
        raise click.UsageError("--parameters is for trees")
    from senna_py.evaluation import compare as comparing
    from senna_py.evaluation.evalb_parameters import read_parameters

    counts = comparing.read_counts(kind, gold, a, b, read_parameters(parameters))
    comparison = comparing.compare(*counts, samples, confidence, seed)
    figure = "accuracy" if kind == "token" else "F1"
    if as_json:
        text = json_text(comparing.comparison_object(comparison, figure), indent=2)
    else:
        text = "\n".join(comparing.comparison_report(comparison, figure, a, b))
    print_text(text, [gold, a, b])
