"""The options of the commands that tag text, as one object."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import click

from senna_py.cli.options import all_of, flag, option
from senna_py.cli.setting_options import options_of
from senna_py.errors import UsageError
from senna_py.formats.registry import FORMATS, format_of_ending
from senna_py.io.settings import setting
from senna_py.labels.tasks import LEMMA, POS, PRINTED, ROLES, SENNA, TABLE, VERBS
from senna_py.pipeline.options import TextOptions

_TABS = "--format conll, or a name that ends in .tsv, gives columns with tabs"
_OF_TABLES = "csv", "xls", "xlsx", "ods", "arrow", "feather"
_NONE = *_OF_TABLES, "xml", "pdf", "doc", "docx", "yaml", "yml"
# Formats that only some commands have, with such a command.
_ELSEWHERE = {
    "parquet": "senna-py corpus",
    "html": "senna-py tag",
    "json": "senna-py tag",
}

# For each option of the output, the setting of a printer that it changes, and the value
# if the option is a flag. A format accepts the option if its printer has the setting. If
# two options change the same setting, the last one counts.
_OF_PRINTERS = {
    "brackettags": ("scheme", "brackets"),
    "iobtags": ("scheme", "iob"),
    "notokentags": ("words", False),
    "offsettags": ("offsets", True),
    "header": ("header", True),
    "least": ("least", None),
}


@dataclass(frozen=True)
class TagOptions(TextOptions):
    """Options of how text is read, tagged and printed. Workers get it pickled.

    tasks: names of tasks; without any, those that the model does by itself, or with
    `all_columns` SENNA's. abbreviations: the words, on a command line a file of them.
    format: a name in FORMATS; with `probabilities`, theirs is used.
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
        "File of further abbreviations, one per line, which keep their period.",
        metavar="FILE",
    )
    join_hyphens: bool = setting(
        False,
        "Take a word that was cut in two at the end of a line, as atten- dance, as one token.",
    )
    posvbs: bool = setting(
        False, "Take words whose part of speech begins with V as predicates."
    )
    iobtags: bool = setting(False, "Print IOB tags instead of IOBES.")
    brackettags: bool = setting(False, "Print brackets instead of IOBES tags.")
    notokentags: bool = setting(False, "Leave out the tokens.")
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

    @classmethod
    def from_options(
        cls, options: dict[str, Any], lines: bool | None = None
    ) -> "TagOptions":
        """Make TagOptions from the options of a command.

        Args:
            options: The options; those that are used are removed.
            lines: Whether a line is a sentence, if `split_sentences` is not an option.

        Raises:
            click.UsageError: If options do not go together.
            SennaError: If the file of abbreviations cannot be read.
        """
        if lines and options["paragraphs"]:
            raise click.UsageError("--lines does not go with --paragraphs")
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
        known = {name: value for name, value in known.items() if value is not None}
        try:
            return cls(**known | {"tasks": tuple(tasks)})
        except UsageError as error:
            raise click.UsageError(str(error)) from None

    @property
    def predicates(self):
        """Their source: one of `model.PREDICATES`."""
        return "given" if self.usrvbs is not None else POS if self.posvbs else VERBS

    @property
    def output(self):
        """The Format of what is printed."""
        return FORMATS["probabilities" if self.probabilities else self.format]

    def tagger(self):
        """Make the Tagger. Raises SennaError if the model cannot be used."""
        from senna_py.model import Model
        from senna_py.tagger import Tagger

        model, asked = Model(self.path), self.tasks
        if self.all_columns and not asked and self.output.shows_all:
            asked = tuple(name for name in SENNA if TABLE[name].default)
        tasks = self.output.load().tasks(model, asked, self.predicates)
        return Tagger(
            model,
            tasks,
            self.predicates,
            abbreviations=self.abbreviations,
            join_hyphens=self.join_hyphens,
        )

    def printer(self, tagger, alone=True, title=None):
        """Make the Printer of a Tagger; alone: the file has one document. Raises
        UsageError.
        """
        known = {
            "split": self.splits,
            "alone": alone,
            "title": title,
            "asked": self.tasks,
        }
        for name, (taken, value) in _OF_PRINTERS.items():
            if chosen := getattr(self, name):
                known[taken] = value if chosen is True else chosen
        wanted = {name: known[name] for name in self.output.takes if name in known}
        return self.output.load()(tagger, **wanted)

    def check(self):
        if self.format not in FORMATS:
            raise UsageError(f"format: there is no {self.format!r}")
        format_ = self.output
        shown = "probabilities" if self.probabilities else f"format {self.format}"
        for name, (taken, _) in _OF_PRINTERS.items():
            if getattr(self, name) and taken not in format_.takes:
                others = [other for other in FORMATS if taken in FORMATS[other].takes]
                raise UsageError(
                    f"{name} does not go with {shown}, but with {', '.join(others)}"
                )
        for task in self.tasks:
            if not format_.shows(task):
                raise UsageError(f"the task {task} does not go with {shown}")
        if not format_.shows(ROLES) and self.predicates != VERBS:
            raise UsageError(
                f"{'posvbs' if self.posvbs else 'usrvbs'} does not go with {shown}"
            )
        if self.probabilities and self.format != "senna":
            raise UsageError(f"format {self.format} does not go with probabilities")
        if self.probabilities and (len(self.tasks) != 1 or LEMMA in self.tasks):
            raise UsageError(
                "probabilities are those of one task with a network: name it, as pos"
            )
        if self.usrvbs is not None and self.posvbs:
            raise UsageError("posvbs does not go with usrvbs")
        super().check()


def tag_options(omit=(), only=None):
    """Make a decorator that adds an option for each field but `format`, and one for
    each task.

    omit, only: as of `options_of`; `tasks` among them are the options of tasks.
    """
    others = options_of(TagOptions, omit, ("abbreviations", "least"), only)
    if only is not None and "tasks" not in only:
        return others
    tasks = sorted(
        PRINTED, key=lambda task: not TABLE[task].default
    )  # those asked for come last
    more = "Print what another network predicts; may be repeated."
    return all_of(
        *(flag(f"--{task}", f"Print {TABLE[task].title}.") for task in tasks),
        option("--task", more, metavar="NAME", multiple=True),
        others,
    )


def format_option(without):
    """Make the option --format of a command, which has all formats but some."""
    names = [
        name for name in FORMATS if name not in ("tokens", "probabilities", *without)
    ]
    shown = "\n".join(f"{name}: {FORMATS[name].title}" for name in names)
    return option(
        "--format",
        f"\b\nPrint in this format:\n{shown}\n",
        type=_FormatName(names, without),
        show_default="by the ending of -o, or else senna",
        metavar="NAME",
    )


class _FormatName(click.Choice):
    """A name of a format, among those that a command has, or of one that another one
    has.
    """

    def __init__(self, names: Sequence[str], elsewhere: Sequence[str]) -> None:
        super().__init__(names)
        self._elsewhere = elsewhere

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name."""
        if value in self._elsewhere:
            return value
        if value in _OF_TABLES:
            self.fail(f"there is no format {value}; {_TABS}", param, ctx)
        return super().convert(value, param, ctx)


def chosen_format(name, output, without):
    """The format of that name, or else of the ending of an output, or None; raises
    UsageError.

    without: formats that the command lacks.
    """
    ending = os.path.splitext(output or "")[1][1:].lower()
    name = name or format_of_ending(ending)
    if name in without:
        raise UsageError(f"{name} is a format of {_ELSEWHERE[name]}")
    if name is None and ending in _NONE:
        raise UsageError(f"{output}: there is no format {ending}; {_TABS}")
    return name
