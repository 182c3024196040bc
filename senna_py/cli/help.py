"""Commands whose options take one dash or two, and whose help has groups and
examples.
"""

from difflib import get_close_matches
from pathlib import Path

import click

from senna_py.io.package_tables import read_table
from senna_py.io.paths import path_problem

# An option has one meaning in all commands, so its group goes by its name.
_GROUPS = {
    "What to find": "pos chk ner srl psg pt0 upos feats lemma dep val task all-columns",
    "How to read the text": "path usrtokens layout columns multiwords lines split-sentences "
    "paragraphs abbreviations join-hyphens encoding text-field posvbs usrvbs limit find-predicates "
    "label part valid raw-text one-stream tokenized vocabulary size min-count cover lower "
    "spell-unknown corpus",
    "What to print": "format iobtags brackettags header notokentags offsettags probabilities least "
    "output live part-size by-label confusions json",
    "Network": "preset order window context dim hidden highway plain segmentation direct "
    "output-layer own-weights classes clusters init stages spread dropout",
    "Training": "examples duration epochs patience optimizer batch bptt rate vector-rate "
    "layer-rate final-rate rate-decay least-gain clip weight-decay negative noise-power subsample "
    "softmax-samples seed threads",
}
# What other programs call an option: what to type here.
_OTHER_OPTIONS = Path(__file__).with_name("other_options.tsv")
_FLAT = 12  # options of a command without groups
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def synonyms(wrong, known):
    """What a command, whose options are `known`, calls an option of other programs, in
    a list.
    """
    table = read_table(_OTHER_OPTIONS)["option"]
    ours = table.get(wrong.lstrip("-").replace("_", "-").lower(), "")
    return [ours] if ours.split(" ")[0] in known else []


def _did_you_mean(names):
    return f" Did you mean {' or '.join(map(repr, names))}?" if names else ""


class _Dashes:
    """Part of a command that has long options of one dash, too, as SENNA's are.

    Short options take no attached value: so a mistyped `-offset` is an error, not `-o
    ffset`.
    """

    brief = ()  # options that -h shows, if not all

    def __init__(self, *args, examples=(), **kwargs):
        super().__init__(*args, **{"context_settings": _CONTEXT} | kwargs)
        self.examples = examples
        if self.short_help is None and self.help:  # click would cut it
            self.short_help = " ".join(self.help.split("\n\n")[0].split())

    def parse_args(self, ctx, args):
        """Give long options two dashes and reject those that there are not, then
        parse.
        """
        known = {
            name: 0 if getattr(option, "is_flag", False) else option.nargs
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        if wrong := path_problem(args):
            ctx.fail(f"{wrong} in an argument")
        args, position = [*args], 0
        while position < len(args) and args[position] != "--":
            name, equals, value = args[position].partition("=")
            if name.startswith("-") and name != "-":
                if name not in known and f"-{name}" in known:
                    name = f"-{name}"
                attached = equals and len(name) == 2
                if (name not in known or attached) and not ctx.resilient_parsing:
                    wrong = args[position] if attached else name
                    advice = _did_you_mean(self.meant(ctx, wrong, known))
                    raise click.NoSuchOption(
                        wrong, f"No such option {wrong!r}.{advice}", ctx=ctx
                    )
                args[position] = f"{name}{equals}{value}"
                position += 0 if equals else known.get(name, 0)
            elif not ctx.allow_interspersed_args:
                break
            position += 1
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # so that the usage is shown
            raise

    def meant(self, ctx, wrong, known):
        """Options to type in place of one that there is not: a synonym, or those
        spelled alike.
        """
        return synonyms(wrong, known) or get_close_matches(wrong, known)

    def get_help_option(self, ctx):
        """Return the option that shows all."""
        option = super().get_help_option(ctx)
        option.help = "Show all options." if self.brief else "Show this help."
        return option

    def format_epilog(self, ctx, formatter):
        """Write the examples, and in full help what else is at the end."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        if self.epilog and __name__ not in ctx.meta:
            formatter.write_paragraph()
            formatter.write_text(self.epilog)


class Command(_Dashes, click.Command):
    """A command that shows its options in groups if they are many.

    brief: the options that -h shows, none if it shows all, as --help does. examples: of
    a shell.
    """

    def __init__(self, *args, brief="", **kwargs):
        if brief:
            kwargs = {
                "context_settings": _CONTEXT | {"help_option_names": ["--help"]}
            } | kwargs
        super().__init__(*args, **kwargs)
        self.brief = brief.split()
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

    def _show_brief(self, ctx, option, wanted):
        if wanted and not ctx.resilient_parsing:
            ctx.meta[__name__] = [*self.brief, "help"]
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    def format_options(self, ctx, formatter):
        """Write the options that are wanted: in groups, or few of them in their
        order.
        """
        rows = {}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (
                row := option.get_help_record(ctx)
            ):
                rows[max(option.opts, key=len).lstrip("-")] = row
        if wanted := ctx.meta.get(__name__):
            rows = {name: row for name, row in rows.items() if name in wanted}
        has_groups = self.brief or len(rows) > _FLAT
        if has_groups:
            for title, names in _GROUPS.items():
                if group := [rows.pop(name) for name in names.split() if name in rows]:
                    with formatter.section(title):
                        formatter.write_dl(group)
        with formatter.section("How to run" if has_groups else "Options"):
            formatter.write_dl([*rows.values()])


class Group(_Dashes, click.Group):
    """A group of commands, whose list has the first sentence of each, uncut.

    taken_for: what to type in place of names that are often taken for commands.
    """

    command_class = Command
    group_class = type

    def __init__(self, *args, taken_for=(), **kwargs):
        super().__init__(*args, **kwargs)
        self.taken_for = dict(taken_for)

    def resolve_command(self, ctx, args):
        """Find the command as click does, but name those that are spelled like an
        unknown one.
        """
        names = self.list_commands(ctx)
        if args[0] not in names and args[0][:1].isalpha() and not ctx.resilient_parsing:
            close = get_close_matches(args[0], names)
            advice = _did_you_mean([*close, *self.taken_for.get(args[0], ())])
            ctx.fail(f"No such command {args[0]!r}.{advice}")
        return super().resolve_command(ctx, args)
