"""The options of the commands that tag text, as one object."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli.options import Decorator, all_of, flag, option
from senna_py.cli.setting_options import options_of
from senna_py.errors import UsageError
from senna_py.formats.registry import (
    FORMATS,
    UNNAMED,
    Format,
    format_of_ending,
)
from senna_py.io.settings import setting
from senna_py.labels.tasks import LEMMA, POS, PRINTED, ROLES, SENNA, TABLE, VERBS
from senna_py.pipeline.options import TextOptions

if TYPE_CHECKING:
    from senna_py.formats.base import Printer
    from senna_py.tagger import Tagger

_TABS = "--format csv gives a row per token, and --format conll columns with tabs"
_OF_TABLES = "xls", "xlsx", "ods", "arrow", "feather"
NO_FORMATS = *_OF_TABLES, "xml", "pdf", "doc", "docx", "yaml", "yml"
# The only command that writes each of these formats.
_ELSEWHERE = {
    "parquet": "senna-py corpus",
    "html": "senna-py tag",
    "json": "senna-py tag",
}

# The argument of a printer that each option sets, and its value if the option is a
# flag. The format must have this argument. If several options set the same argument,
# the last one in this dict takes precedence.
_OF_PRINTERS = {
    "brackettags": ("scheme", "brackets"),
    "iobtags": ("scheme", "iob"),
    "notokentags": ("words", False),
    "words": ("by_word", True),
    "offsettags": ("offsets", True),
    "header": ("header", True),
    "least": ("least", None),
    "scores": ("scores", True),
}


@dataclass(frozen=True)
class TagOptions(TextOptions):
    """The options for reading, tagging and printing text.

    Workers in other processes get a pickled copy. Attributes that have a help text are
    not repeated here.

    Attributes:
        tasks: The names of tasks. If it is empty, the default tasks of the model are
            meant or, with `all_columns`, SENNA's default tasks.
        abbreviations: The additional abbreviations. (The command-line option names a
            file of them.)
        rules: The rules as text; see `rules.file`. (The command-line option names a
            file of them.)
        format: The name of a format in FORMATS. With `probabilities`, the format
            `probabilities` is used instead, and with `column`, `rows` instead of `csv`.
    """

    path: str | None = setting(
        None,
        "The model; default: $SENNA_PY_MODEL, or else the English model.",
        metavar="MODEL",
    )
    tasks: tuple[str, ...] = setting(())
    all_columns: bool = setting(
        False,
        "Print SENNA's columns unless tasks are named; fail if the model lacks one.",
    )
    abbreviations: tuple[str, ...] = setting(
        (),
        "File of additional abbreviations, one per line, that keep their period.",
        metavar="FILE",
    )
    rules: str | None = setting(
        None,
        "File of your own rules for tokens, labels of words, and entities.",
        metavar="FILE",
    )
    join_hyphens: bool = setting(
        False,
        "Join a word that was cut in two at the end of a line, such as atten- dance.",
    )
    posvbs: bool = setting(
        False, "Treat words whose part of speech begins with V as predicates."
    )
    iobtags: bool = setting(False, "Print IOB tags instead of IOBES.")
    brackettags: bool = setting(False, "Print brackets instead of IOBES tags.")
    notokentags: bool = setting(False, "Leave out the tokens.")
    words: bool = setting(
        False,
        "Print a line for each syntactic word, such as de and o for Portuguese do.",
    )
    offsettags: bool = setting(False, "Also print the character offsets of each token.")
    format: str = setting("senna")
    header: bool = setting(
        False, "With --format conll: begin with the names of the columns."
    )
    probabilities: bool = setting(
        False, "Print all likely labels of one task with their probabilities."
    )
    least: float = setting(
        0.0,
        "With --probabilities: skip sentences with a word whose best label is below P.",
        least=0,
        most=1,
        metavar="P",
    )

    scores: bool = setting(
        False, "Add the probabilities of tags and spans, where the model gives them."
    )
    sort_by: str | None = setting(
        None,
        "Print the least certain sentences, records or spans first, when the input has "
        "ended (score); adds --scores.",
        choices=("score",),
        metavar="score",
    )

    @classmethod
    def from_options(
        cls, options: dict[str, Any], lines: bool | None = None
    ) -> "TagOptions":
        """Create TagOptions from the options of a command.

        Args:
            options: The options. The options of TagOptions are removed from the dict.
            lines: Whether each line is a sentence, or None to follow `split_sentences`
                in `options`.

        Raises:
            click.UsageError: If options contradict each other.
            SennaError: If the file of abbreviations or rules cannot be read.
        """
        if lines and options["paragraphs"]:
            raise click.UsageError("--lines cannot be used with --paragraphs")
        if lines is not None:
            options["split_sentences"] = not lines
        tasks = [
            *(task for task in PRINTED if options.pop(task, False)),
            *options.pop("task", ()),
        ]
        known = {field.name: options.pop(field.name, None) for field in fields(cls)}
        if known["abbreviations"]:
            from senna_py.text.abbreviations import read_abbreviations

            known["abbreviations"] = read_abbreviations(known["abbreviations"])
        if known["rules"]:
            from senna_py.rules.file import read_rules

            known["rules"] = read_rules(known["rules"]).to_text()
        known = {name: value for name, value in known.items() if value is not None}
        try:
            return cls(**known | {"tasks": tuple(tasks)})
        except UsageError as error:
            raise click.UsageError(str(error)) from None

    @property
    def predicates(self) -> str:
        """The source of predicates, one of `model.PREDICATES`."""
        if self.usrvbs is not None:
            return "given"
        return POS if self.posvbs else VERBS

    @property
    def output(self) -> Format:
        """The Format of the output."""
        if self.probabilities:
            return FORMATS["probabilities"]
        is_table = self.column is not None and self.format == "csv"
        return FORMATS["rows" if is_table else self.format]

    def tagger(self) -> "Tagger":
        """Create the Tagger.

        Raises:
            SennaError: If the model cannot be read, or lacks a task.
        """
        from senna_py.model import Model
        from senna_py.tagger import Tagger

        model, asked = Model(self.path), self.tasks
        if self.all_columns and not asked and self.output.shows_all:
            asked = tuple(name for name in SENNA if TABLE[name].default)
        tasks = self.output.load().tasks(model, asked, self.predicates)
        tokens = self.tokens or model.tokens_for(self.tasks, self.output.universal)
        rules = None
        if self.rules is not None:
            from senna_py.rules.file import rules_of_text

            rules = rules_of_text(self.rules)
        return Tagger(
            model,
            tasks,
            self.predicates,
            self.scores,
            abbreviations=self.abbreviations,
            join_hyphens=self.join_hyphens,
            tokens=tokens,
            rules=rules,
        )

    def printer(
        self, tagger: "Tagger", alone: bool = True, title: str | None = None
    ) -> "Printer":
        """Create the Printer of the output.

        Args:
            tagger: The tagger whose annotations are printed.
            alone: Whether each output file has only one document.
            title: The title of the output, or None.

        Raises:
            UsageError: If the options contradict each other or the format.
        """
        known: dict[str, Any] = {
            "split": self.splits,
            "alone": alone,
            "title": title,
            "asked": self.tasks,
            "by_record": self.has_records,
        }
        for name, (taken, value) in _OF_PRINTERS.items():
            if chosen := getattr(self, name):
                known[taken] = value if chosen is True else chosen
        wanted = {name: known[name] for name in self.output.takes if name in known}
        return self.output.load()(tagger, **wanted)

    def fill_in(self) -> None:
        """Ask for scores if something is sorted by them."""
        if self.sort_by is not None:
            object.__setattr__(self, "scores", True)

    def check(self) -> None:
        """Raise UsageError if options conflict with each other or with the format."""
        if self.format not in FORMATS:
            raise UsageError(f"format: there is no {self.format!r}")
        format_ = self.output
        shown = "probabilities" if self.probabilities else f"format {self.format}"
        for name, (taken, _) in _OF_PRINTERS.items():
            if getattr(self, name) and taken not in format_.takes:
                others = [
                    other
                    for other in FORMATS
                    if taken in FORMATS[other].takes and other != "rows"
                ]
                option = "sort-by" if name == "scores" and self.sort_by else name
                raise UsageError(
                    f"{option} cannot be used with {shown}, only with {', '.join(others)}"
                )
        if self.has_records and not format_.shows_records:
            option = "field" if self.column is None else "column"
            raise UsageError(f"{option} cannot be used with {shown}")
        for task in self.tasks:
            if not format_.shows(task):
                raise UsageError(f"the task {task} cannot be used with {shown}")
        if not format_.shows(ROLES) and self.predicates != VERBS:
            raise UsageError(
                f"{'posvbs' if self.posvbs else 'usrvbs'} cannot be used with {shown}"
            )
        if self.probabilities and self.format != "senna":
            raise UsageError(f"format {self.format} cannot be used with probabilities")
        if self.probabilities and (len(self.tasks) != 1 or LEMMA in self.tasks):
            raise UsageError(
                "probabilities are those of one task with a network: name it, as pos"
            )
        if self.usrvbs is not None and self.posvbs:
            raise UsageError("posvbs cannot be used with usrvbs")
        super().check()


def tag_options(
    omit: Sequence[str] = (), only: Sequence[str] | None = None, verb: str = "Print"
) -> Decorator:
    """Create a decorator that adds the options of TagOptions, except --format.

    Besides an option for each field with a help text, there is an option for each task.

    Args:
        omit: The names of fields without an option.
        only: The names of the only fields with an option, or None for all fields. The
            options of tasks are left out if it does not contain `tasks`.
        verb: The verb of what the command does with tasks, for the help.
    """
    others = options_of(TagOptions, omit, ("abbreviations", "least"), only)
    if only is not None and "tasks" not in only:
        return others
    # Tasks that run only if they are named come last.
    tasks = sorted(PRINTED, key=lambda task: not TABLE[task].default)
    more = f"{verb} the labels of this network; may be repeated."
    return all_of(
        *(flag(f"--{task}", f"{verb} {TABLE[task].title}.") for task in tasks),
        option("--task", more, metavar="NAME", multiple=True),
        others,
    )


def format_option(without: Sequence[str]) -> Decorator:
    """Create the option --format, for the formats that a command can print.

    Args:
        without: The formats of other commands, for which `chosen_format` raises an
            error. Formats that other options and commands select are always left out.
    """
    names = [name for name in FORMATS if name not in (*UNNAMED, *without)]
    shown = "\n".join(f"{name}: {FORMATS[name].title}" for name in names)
    return option(
        "--format",
        f"\b\nPrint in this format:\n{shown}\n",
        type=_FormatName(names, without),
        show_default="by the ending of -o, or else senna",
        metavar="NAME",
    )


class _FormatName(click.Choice):
    """A choice of the formats of a command, which also accepts further formats.

    For a format of another command, `chosen_format` raises an error that names the
    command.
    """

    def __init__(self, names: Sequence[str], elsewhere: Sequence[str]) -> None:
        super().__init__(names)
        self._elsewhere = elsewhere

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name of the format."""
        if value in self._elsewhere:
            return value
        if value in _OF_TABLES:
            self.fail(f"there is no format {value}; {_TABS}", param, ctx)
        return super().convert(value, param, ctx)


def chosen_format(
    name: str | None,
    output: str | None,
    without: Sequence[str],
    column: str | None = None,
    field: str | None = None,
) -> str | None:
    """Return the name of a format, or None for the default format.

    Args:
        name: The value of the option --format, or None to choose by the file name
            extension of `output`.
        output: The path of the output, or None.
        without: The formats that the command lacks.
        column: The column of texts, if the input is CSV; its rows are the default.
        field: The field of texts, if the input consists of JSON lines; they are the
            default.

    Raises:
        UsageError: If the command has no such format.
    """
    ending = os.path.splitext(output or "")[1][1:].lower()
    is_table = column is not None and ending in ("tsv", "tab")
    if name is None:
        name = "csv" if is_table else format_of_ending(ending)
    if name is not None and name in without:
        raise UsageError(f"{name} is a format of {_ELSEWHERE[name]}")
    if name is None and ending in NO_FORMATS:
        raise UsageError(f"{output}: there is no format {ending}; {_TABS}")
    if name is None and column is not None:
        return "csv"
    return "jsonl" if name is None and field is not None else name
