"""Click commands with single-dash long options, and help with headings and examples."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli.options import takes_one_value
from senna_py.io.package_tables import read_table
from senna_py.io.paths import path_problem

# The options under each heading of the help, for all commands.
_GROUPS = {
    "What to find": "pos chk ner srl psg pt0 upos feats lemma dep val task all-columns",
    "How to read the text": "path from usrtokens tokens layout columns multiwords lines "
    "split-sentences column field id-from no-quotes paragraphs documents abbreviations rules "
    "join-hyphens encoding posvbs usrvbs limit find-predicates label part valid raw-text "
    "one-stream tokenized vocabulary size min-count cover lower spell-unknown corpus",
    "What to print": "format iobtags brackettags header words notokentags offsettags "
    "scores sort-by probabilities least output live part-size by-label confusions json",
    "Network": "preset order window context dim hidden highway plain segmentation direct "
    "output-layer own-weights classes clusters init stages spread dropout",
    "Training": "examples duration epochs patience optimizer batch bptt rate vector-rate "
    "layer-rate final-rate rate-decay least-gain clip weight-decay negative noise-power subsample "
    "softmax-samples seed threads",
}
# A table of options of other programs, with the equivalent options here.
_OTHER_OPTIONS = Path(__file__).with_name("other_options.tsv")
_MOST_UNGROUPED = 12  # With more options, the help of a command has headings.
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def synonyms(wrong: str, known: Collection[str]) -> list[str]:
    """Return the equivalent of an option of another program, as a list.

    Args:
        wrong: The option of the other program.
        known: The options of the command. The list is empty if the equivalent is not
            among them.
    """
    table = read_table(_OTHER_OPTIONS)["option"]
    name = table.get(wrong.lstrip("-").replace("_", "-").lower(), "")
    return [name] if name.split(" ")[0] in known else []


def _close_matches(wrong: str, known: Collection[str]) -> list[str]:
    """Return the names that are similar to an unknown one."""
    from difflib import get_close_matches

    return get_close_matches(wrong, known)


def _did_you_mean(names: Sequence[str]) -> str:
    return f" Did you mean {' or '.join(map(repr, names))}?" if names else ""


if TYPE_CHECKING:
    _Base = click.Command
else:
    _Base = object


class _OneDash(_Base):
    """A base class of commands whose long options may have one dash, as in SENNA.

    Short options cannot have an attached value, so that a mistyped `-offset` is an
    error, and not parsed as `-o ffset`.
    """

    brief: Sequence[str] = ()  # The options that -h shows; if empty, all.

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **{"context_settings": _CONTEXT} | kwargs)
        self.examples = examples
        if self.short_help is None and self.help:  # Otherwise, click would shorten it.
            self.short_help = " ".join(self.help.split("\n\n")[0].split())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments after adding missing dashes and rejecting unknown options.

        Raises:
            click.UsageError: If an option is unknown or repeated in vain, or an
                argument is not valid.
        """
        known = {
            name: option
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        if problem := path_problem(args):
            ctx.fail(f"{problem} in an argument")
        args, position = [*args], 0
        used: set[click.Option] = set()
        while position < len(args) and args[position] != "--":
            name, equals, value = args[position].partition("=")
            if name.startswith("-") and name != "-":
                if name not in known and f"-{name}" in known:
                    name = f"-{name}"
                attached = equals and len(name) == 2
                if (name not in known or attached) and not ctx.resilient_parsing:
                    wrong = args[position] if attached else name
                    advice = _did_you_mean(self.suggestions(ctx, wrong, known))
                    raise click.NoSuchOption(
                        wrong, f"No such option {wrong!r}.{advice}", ctx=ctx
                    )
                args[position] = f"{name}{equals}{value}"
                if (option := known.get(name)) is not None:
                    if option in used and takes_one_value(option):
                        ctx.fail(f"{name} may be used only once")
                    used.add(option)
                    takes_next = not (equals or option.is_flag)
                    position += option.nargs if takes_next else 0
            elif not ctx.allow_interspersed_args:
                break
            position += 1
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click shows the usage of this command.
            raise

    def suggestions(
        self, ctx: click.Context, wrong: str, known: Collection[str]
    ) -> list[str]:
        """Return synonyms of an unknown option or, if there are none, similar names."""
        return synonyms(wrong, known) or _close_matches(wrong, known)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help, with this class's help text."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "Show all options." if self.brief else "Show this help."
        return option

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, and in the full help also the epilog."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        if self.epilog and __name__ not in ctx.meta:
            formatter.write_paragraph()
            formatter.write_text(self.epilog)


class Command(_OneDash, click.Command):
    """A command whose help lists options under headings if there are many."""

    def __init__(
        self,
        *args: Any,
        brief: str = "",
        headings: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        """Create a command.

        Args:
            *args: Arguments of `click.Command`.
            brief: The names of the options that -h shows, separated by spaces. If it is
                empty, -h shows all options, as --help does.
            headings: The headings of options that have others in other commands.
            **kwargs: Arguments of `click.Command`, and `examples`, the command lines at
                the end of the help.
        """
        if brief:
            kwargs = {
                "context_settings": _CONTEXT | {"help_option_names": ["--help"]}
            } | kwargs
        super().__init__(*args, **kwargs)
        self.brief, self.headings = brief.split(), headings or {}
        if brief:
            text = "Show the options that matter most."
            self.params.append(
                click.Option(
                    ["-h"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    help=text,
                    callback=self._show_brief,
                )
            )

    def _show_brief(
        self, ctx: click.Context, option: click.Parameter, wanted: bool
    ) -> None:
        if wanted and not ctx.resilient_parsing:
            ctx.meta[__name__] = [*self.brief, "help"]
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the options that the help shows, under headings if there are many."""
        for title, rows in self.option_sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl(rows)

    def option_sections(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """Return the options that the help shows, with their texts, by heading."""
        rows: dict[str, tuple[str, str]] = {}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (
                row := option.get_help_record(ctx)
            ):
                rows[max(option.opts, key=len).lstrip("-")] = row
        if wanted := ctx.meta.get(__name__):
            rows = {name: row for name, row in rows.items() if name in wanted}
        sections = dict[str, list[tuple[str, str]]]()
        has_headings = self.brief or len(rows) > _MOST_UNGROUPED
        if has_headings:
            for title, names in _GROUPS.items():
                own = [name for name, its in self.headings.items() if its == title]
                usual = [name for name in names.split() if name not in self.headings]
                if group := [rows.pop(name) for name in usual + own if name in rows]:
                    sections[title] = group
        sections["How to run" if has_headings else "Options"] = [*rows.values()]
        return sections


class Group(_OneDash, click.Group):
    """A group of commands, whose help shows each command's first paragraph in full."""

    command_class = Command
    group_class = type

    def __init__(
        self,
        *args: Any,
        taken_for: Mapping[str, Sequence[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        """Create a group.

        Args:
            *args: Arguments of `click.Group`.
            taken_for: Suggestions for names that are often mistaken for commands.
            **kwargs: Arguments of `click.Group`, and `examples`, the command lines at
                the end of the help.
        """
        super().__init__(*args, **kwargs)
        self.taken_for = taken_for or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the first argument, the command of this name, and the other arguments.

        Raises:
            click.UsageError: If there is no such command. The message suggests others.
        """
        names = self.list_commands(ctx)
        if args[0] not in names and args[0][:1].isalpha() and not ctx.resilient_parsing:
            close = _close_matches(args[0], names)
            advice = _did_you_mean([*close, *self.taken_for.get(args[0], ())])
            ctx.fail(f"No such command {args[0]!r}.{advice}")
        return super().resolve_command(ctx, args)
