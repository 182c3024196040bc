"""The command `senna-py`, whose subcommands (verbs) are imported on demand."""

from collections.abc import Collection

import click

from senna_py import __version__
from senna_py.cli.entry import load
from senna_py.cli.help import Group, synonyms

# For each verb, its module in this package, the name of the command in the module, and
# a line of help.
VERBS = {
    "tag": ("tag", "verb", "Tag text."),
    "tokenize": ("tag", "tokenize", "Split text into tokens and sentences."),
    "redact": ("redact", "command", "Replace names, addresses and numbers in text."),
    "search": ("search", "command", "Find patterns of words and relations in text."),
    "serve": ("serve", "command", "Serve a web page that tags text, and JSON."),
    "corpus": ("corpus", "command", "Tag a corpus in parts, on one machine or many."),
    "train": ("train", "command", "Train a model from a treebank, or taggers."),
    "learn": ("learn", "command", "Teach a model from annotated texts."),
    "eval": ("eval", "command", "Score predictions."),
    "model": ("model", "command", "Inspect, convert and combine models."),
    "vectors": (
        "vectors",
        "command",
        "Train and inspect word vectors, and cluster words.",
    ),
    "warm-up": ("warm_up", "command", "Compile what tagging needs, once."),
    "lm": ("lm", "command", "Train and use language models."),
}


class _Verbs(Group):
    """A group whose commands are imported only if they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*VERBS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        module, command, _ = VERBS[name]
        return getattr(load(module), command)

    def suggestions(
        self, ctx: click.Context, wrong: str, known: Collection[str]
    ) -> list[str]:
        """Suggest `senna-py tag` with this option or a synonym, if `tag` has one."""
        tag = load("tag").verb
        names = {name for option in tag.get_params(ctx) for name in option.opts}
        name = wrong if wrong in names else f"-{wrong}"
        options = [name] if name in names else synonyms(wrong, names)
        if options:
            return [f"senna-py tag {option}" for option in options]
        return super().suggestions(ctx, wrong, known)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the list of verbs without importing their modules."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, text) for name, (*_, text) in VERBS.items()])


@click.group(
    "senna-py",
    cls=_Verbs,
    subcommand_metavar="VERB [ARGS]...",
    examples=(
        'echo "He lives in Rome." | senna-py tag --pos --ner',
        "senna-py tag --help",
    ),
)
@click.version_option(__version__)
def command() -> None:
    """Tag text and train taggers, language models and word vectors."""
