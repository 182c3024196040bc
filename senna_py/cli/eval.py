"""senna-eval: score predictions as the standard scripts do."""

import json

import click

from senna_py import __version__
from senna_py.cli.common import run, say, until_reader_leaves
from senna_py.cli.layouts import layout_option, multiwords_option
from senna_py.errors import SennaError, counted, one_line

__all__ = ["command", "main"]

_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_confusions = click.option("--confusions", is_flag=True, help="Also print what was taken for what.")


@click.group("senna-eval", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command():
    """Score predictions against a gold standard, in files of columns or of trees.

    Files ending in .gz, .xz and .bz2 are decompressed; - is standard input.
    """


@command.command("chunk")
@click.argument("file", default="-", metavar="[FILE]")
@click.option("-r", "--raw", is_flag=True, help="Each token is a chunk, except those tagged O.")
@click.option(
    "--scheme",
    type=click.Choice(["iob1", "iob2", "ioe", "iobes"], case_sensitive=False),
    help="Reject gold tags that are not of this scheme; default: read any.",
)
@_confusions
@_json
def chunk(file, raw, scheme, confusions, as_json):
    """Score chunks or entities as conlleval does: the last two columns are gold and predicted."""
    if raw and scheme is not None:
        raise click.UsageError("--scheme does not go with -r")
    from senna_py.evaluation import report
    from senna_py.evaluation.chunks import score_chunks
    from senna_py.evaluation.files import read_tags

    scores = score_chunks(read_tags(file, not raw, scheme and scheme.lower()), raw)
    _print(scores, report.chunk_scores if as_json else report.chunk_report, confusions, [file])


@command.command("token")
@click.argument("file", default="-", metavar="[FILE]")
@_confusions
@_json
def token(file, confusions, as_json):
    """Score tags token by token: the last two columns are gold and predicted."""
    from senna_py.evaluation import report
    from senna_py.evaluation.files import read_tags
    from senna_py.evaluation.tokens import score_tokens

    scores = score_tokens(read_tags(file, chunks=False))
    _print(scores, report.token_scores if as_json else report.token_report, confusions, [file])


@command.command("srl")
@click.argument("gold")
@click.argument("pred")
@click.option(
    "--extra-predicates", is_flag=True,
    help="Arguments of predicates that GOLD lacks are in excess; srl-eval does not count them.",
)  # fmt: skip
@_confusions
@_json
def srl(gold, pred, extra_predicates, confusions, as_json):
    """Score semantic roles as srl-eval does, in the props files GOLD and PRED."""
    if gold == pred == "-":
        raise click.UsageError("GOLD and PRED cannot both be standard input")
    from senna_py.evaluation import report
    from senna_py.evaluation.files import read_roles
    from senna_py.evaluation.roles import score_roles

    scores = score_roles(read_roles(gold, pred), extra_predicates)
    _print(scores, report.role_scores if as_json else report.role_report, confusions, [gold, pred])
    if scores.n_extra and not extra_predicates:
        click.echo(
            f"senna-eval: {one_line(pred)}: {counted(scores.n_extra, 'predicate')} that GOLD lacks "
            "left out, as by srl-eval; --extra-predicates counts the arguments",
            err=True,
        )


@command.command("tree")
@click.argument("gold")
@click.argument("pred")
@click.option("--parameters", metavar="FILE", help="EVALB's .prm file; default: COLLINS.prm.")
@click.option("--labels", is_flag=True, help="Also print the scores of each label.")
@_confusions
@_json
def tree(gold, pred, parameters, labels, confusions, as_json):
    """Score trees as EVALB does, in the files GOLD and PRED of bracketed trees or parse bits."""
    if gold == pred == "-":
        raise click.UsageError("GOLD and PRED cannot both be standard input")
    from senna_py.evaluation import tree_report
    from senna_py.evaluation.evalb_parameters import COLLINS, read_parameters
    from senna_py.evaluation.tree_files import read_tree_pairs
    from senna_py.evaluation.trees import score_trees

    chosen = read_parameters(parameters) if parameters else COLLINS
    scores = score_trees(read_tree_pairs(gold, pred), chosen)

    def make(scores):
        if as_json:
            return tree_report.tree_scores(scores)
        return tree_report.tree_report(scores) + (tree_report.label_report(scores) * labels)

    _print(scores, make, confusions, [gold, pred])
    message = tree_report.left_out(scores)
    if not scores.totals.n_valid:
        raise SennaError(message or f"{pred}: expected a word to score, found none")
    if message:
        say(f"senna-eval: {one_line(message)}")


@command.command("model")
@click.argument("task")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-path", "--path", metavar="MODEL", help="Model; else the one that senna-tag takes.")
@click.option(
    "--columns", metavar="NAMES",
    help="What the columns are, such as word,-,ner: TASK, parse, predicate, roles, or - for none; "
    "brackets: FILEs are bracketed trees. Files of a layout need none; pos=xpos says which is pos.",
)  # fmt: skip
@layout_option
@multiwords_option
@click.option(
    "--label", "labels", multiple=True, metavar="A=B", help="Read the label A as B; B may be O."
)
@click.option("--part", nargs=2, type=float, default=(0.0, 1.0), metavar="FROM TO",
              help="Share of the sentences that is scored, such as 0.9 1.0.")  # fmt: skip
@click.option("--find-predicates", is_flag=True, help="For srl: the model finds the predicates.")
@click.option("--parameters", metavar="FILE", help="For psg: EVALB's .prm file.")
@click.option("--labels", "by_label", is_flag=True, help="For psg: also print each label's scores.")
@_confusions
@_json
def model(
    task, files, path, columns, layout, multiwords, labels, part, find_predicates, parameters,
    by_label, confusions, as_json,
):  # fmt: skip
    """Tag the words of column FILEs with a model, and score TASK against their labels.

    TASK is pos, chk, ner, pt0, vbs, srl, psg or the name of any other network. The words are taken
    as they are, and every other label that the task needs is predicted, as senna-tag -usrtokens
    does. Predicates are those of the files.
    """
    from senna_py.evaluation.evalb_parameters import COLLINS, read_parameters
    from senna_py.formats.layouts import column_name, source_problem
    from senna_py.labels.tasks import find_task
    from senna_py.model import Model
    from senna_py.tagger_training.config import DataSet, columns_problem, is_part
    from senna_py.tagger_training.evaluate import score_model

    kind = find_task(task).kind
    if kind != "trees" and (parameters or by_label):
        raise click.UsageError(f"{'--parameters' if parameters else '--labels'} is for trees")
    if kind != "roles" and find_predicates:
        raise click.UsageError("--find-predicates is for roles")
    names = dict(_pair(label) for label in labels)
    data = DataSet(list(files), columns.split(",") if columns else [], list(part), labels=names,
                   layout=layout, multiwords=multiwords)  # fmt: skip
    data.fill_columns(task)
    if not data.columns:
        raise click.UsageError("--columns is missing: only files of a --layout need none")
    problem = data.layout and source_problem(data.layout, data.columns)
    if problem := problem or columns_problem(task, None, [*map(column_name, data.columns)]):
        raise click.UsageError(f"--columns {','.join(data.columns)}: {problem}")
    if not is_part(part):
        given = " ".join(f"{share:g}" for share in part)
        raise click.UsageError(f"--part {given}: expected two shares, ascending, from 0 to 1")
    opened = Model(path)
    chosen = read_parameters(parameters) if parameters else COLLINS
    scores = score_model(opened, task, data, find_predicates=find_predicates, parameters=chosen)
    make = _maker(opened.task(task).kind, as_json, by_label)
    _print(scores, make, confusions, list(files))


def _maker(kind, as_json, by_label):
    """Function that makes a report of scores, lines or an object; by_label: of trees."""
    from senna_py.evaluation import report, tree_report

    if kind != "trees":
        name = {"tags": "token", "segments": "chunk", "roles": "role"}[kind]
        return getattr(report, f"{name}_{'scores' if as_json else 'report'}")
    if as_json:
        return tree_report.tree_scores
    labels = tree_report.label_report if by_label else lambda scores: []
    return lambda scores: tree_report.tree_summary(scores) + labels(scores)


def _pair(text):
    old, equals, new = text.partition("=")
    if not (old and equals and new):
        raise click.UsageError(f"--label {text}: expected A=B")
    return old, new


def _print(scores, make, confusions, inputs):
    """Print `make(scores)`, an object as JSON or lines; all of it or nothing."""
    from senna_py.evaluation.report import confusion_report, confusion_scores
    from senna_py.io.output import open_output

    printed = make(scores)
    if isinstance(printed, dict):
        if confusions:
            printed["confusions"] = confusion_scores(scores)
        text = json.dumps(printed, indent=2)
    else:
        text = "\n".join(printed + (confusion_report(scores) if confusions else []))
    with until_reader_leaves(), open_output(None, inputs) as out:
        out.write(f"{text}\n".encode("utf-8", "surrogateescape"))


def main():
    """Run senna-eval as a process."""
    run(command)
