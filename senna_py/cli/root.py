"""senna-py: all there is to do, a verb each, imported when it is run."""

import click

from senna_py import __version__
from senna_py.cli.entry import load
from senna_py.cli.help import Group, synonyms

# Verbs by name: the module of this package, the name of its command there, and a line
# of help.
VERBS = {
    "tag": ("tag", "verb", "Tag text."),
    "tokenize": ("tag", "tokenize", "Split text into tokens and sentences."),
    "serve": ("serve", "command", "Serve a web page that tags text, and JSON."),
    "corpus": ("corpus", "command", "Tag a corpus in parts, on one machine or many."),
    "train": ("train", "command", "Train taggers."),
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
    """A group that imports a verb when it is asked for."""

    def list_commands(self, ctx):
        return [*VERBS]

    def get_command(self, ctx, name):
        if name not in VERBS:
            return None
        module, command, _ = VERBS[name]
        return getattr(load(module), command)

    def meant(self, ctx, wrong, known):
        """Options that there are not without a verb are those of `tag`, if it has
        them.
        """
        tag = self.get_command(ctx, "tag")
        names = {name for each in tag.get_params(ctx) for name in each.opts}
        name = wrong if wrong in names else f"-{wrong}"
        ours = [name] if name in names else synonyms(wrong, names)
        found = [f"senna-py tag {each}" for each in ours]
        return found or super().meant(ctx, wrong, known)

    def format_commands(self, ctx, formatter):
        """List the verbs without importing them."""
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
def command():
    """Tag text and train taggers, language models and word vectors."""
