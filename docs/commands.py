"""Pages of the commands, made from their help: a page for each command.

The pages stand in the repository, so that they can be read there, too.
`python docs/write.py` writes them again.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from senna_py.cli.help import Command
from senna_py.cli.root import command as root
from senna_py.cli.tag import command as senna_tag

FOLDER = Path(__file__).resolve().parent / "reference" / "cli"
# The verbs that are also programs, and what each verb's page points to in the guide.
_PROGRAMS = ("train", "eval", "model", "lm")
_GUIDES = {
    "senna-tag": "[Tag text](../../guide/tagging.md)",
    "tag": "[Tag text](../../guide/tagging.md)",
    "tokenize": "[Tokens](../../guide/tokens.md)",
    "redact": "[Redact](../../guide/redact.md)",
    "search": "[Search](../../guide/search.md)",
    "serve": "[Server](../../guide/server.md)",
    "corpus": "[Large corpora](../../guide/large-corpora.md)",
    "train": "[Train a tagger](../../train/first-tagger.md) and "
    "[Your language](../../train/your-language.md)",
    "learn": "[Learn from annotations](../../train/learn.md)",
    "eval": "[Evaluate](../../guide/evaluate.md)",
    "model": "[Inspect, combine and convert models](../../guide/models.md)",
    "vectors": "[Word vectors](../../train/word-vectors.md) and "
    "[Clusters](../../train/clusters.md)",
    "warm-up": "[The first run](../files.md#the-first-run)",
    "lm": "[Language models](../../train/language-models.md)",
}
_TABLE = re.compile("^(<!-- commands -->)$.*?^(<!-- end of commands -->)$", re.M | re.S)
_SETTINGS = {"help_option_names": ["-h", "--help"]}
_WORD_OF_CODE = re.compile(
    r"(?<![\w`.<[-])(--(?:format|from|output-layer|scheme|smoothing) [a-z]\w*(?=[):,; ])"
    r"|--?[a-zA-Z][\w-]*|\$[A-Z_]+|<\w+>|\.\w+(?=[ ,.])|`[^`]+`)"
)


def pages() -> dict[Path, str]:
    """Return the text of the page of each command by its path."""
    return {_path(name): _page(name, command) for name, command in commands()}


def with_table(page: str) -> str:
    """Return the text of a page with its table of all commands, if it has one."""
    rows = [
        f"| [`{name}`](cli/{_path(name).name}) | {_summary(command)} |"
        for name, command in commands()
    ]
    table = "\n".join(["| command | what it does |", "|---|---|", *rows])
    return _TABLE.sub(lambda match: f"{match[1]}\n\n{table}\n\n{match[2]}", page)


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names, groups before what is in them."""
    yield "senna-tag", senna_tag
    yield from _below("senna-py", root)


def _path(name: str) -> Path:
    return FOLDER / f"{name.removeprefix('senna-py ').replace(' ', '-')}.md"


def _page(name: str, command: click.Command) -> str:
    verb, *rest = name.removeprefix("senna-py ").split()
    lines = [f"# {name}", *_help(command)]
    if verb in _PROGRAMS:
        program = " ".join([f"senna-{verb}", *rest])
        lines.append(f"`{program}` is the same command.")
    lines += _usage(name, command)
    if isinstance(command, click.Group):
        rows = [
            f"| [`{each}`]({_path(each).name}) | {_summary(inner)} |"
            for each, inner in _below(name, command)
        ]
        lines.append("\n".join(["| command | what it does |", "|---|---|", *rows]))
    lines.append(f"**Guide:** {_GUIDES[verb]}")
    return "\n\n".join(lines) + "\n"


def _below(name: str, group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands below a group, with their names."""
    context = click.Context(group)
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        assert command is not None
        yield f"{name} {part}", command
        if isinstance(command, click.Group):
            yield from _below(f"{name} {part}", command)


def _usage(name: str, command: click.Command) -> Iterator[str]:
    """Yield the usage, the examples, and tables of the options."""
    context = click.Context(command, info_name=name, **_SETTINGS)  # type: ignore[arg-type]
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```"
    if examples := getattr(command, "examples", ()):
        yield "```sh\n" + "\n".join(examples) + "\n```"
    if isinstance(command, Command):
        for title, rows in command.option_sections(context).items():
            yield f"**{title}**"
            cells = [f"| {_names(names)} | {_meaning(text)} |" for names, text in rows]
            yield "\n".join(["| option | meaning |", "|---|---|", *cells])
    if command.epilog and not command.epilog.startswith("docs/"):
        yield f"```text\n{inspect.cleandoc(command.epilog).lstrip(chr(8)).strip()}\n```"


def _names(names: str) -> str:
    """Return the names of an option, with its value, as code."""
    code = [f"`{each}`" for each in re.split(r", | / ", names.replace("|", r"\|"))]
    return ", ".join(code)


def _meaning(text: str) -> str:
    """Return the help of an option as the cell of a table."""
    text, _, extra = text.removeprefix("\b\n").partition("  [")
    first, *lines = text.split("\n")
    cell = [_prose(first)]
    for line in lines:
        name, _, meaning = line.partition(": ")
        cell.append(f"`{name}`: {_prose(meaning)}")
    if extra:
        limits = " ".join(map(_limit, extra.removesuffix("]").split("; ")))
        if lines:
            cell.append(limits)
        else:
            cell[0] += f" {limits}"
    return "<br>".join(cell).replace("|", r"\|")


def _limit(extra: str) -> str:
    """Return a sentence about the default of an option, or about its range."""
    name, _, value = extra.partition(": ")
    if name == "required":
        return "Required."
    if name != "default":
        return f"Range: `{extra}`."
    if value.startswith("("):
        return f"Default: {_prose(value[1:-1])}."
    return f"Default: `{value}`."


def _paragraphs(command: click.Command) -> list[str]:
    return inspect.cleandoc(command.help or "").split("\n\n")


def _summary(command: click.Command) -> str:
    """Return the first sentence of a command's help, for a table."""
    return _prose(_paragraphs(command)[0]).replace("|", r"\|")


def _help(command: click.Command) -> Iterator[str]:
    """Yield the paragraphs of a command's help."""
    for paragraph in _paragraphs(command):
        if paragraph.startswith("\b"):
            title, *lines = paragraph.strip("\b\n").split("\n")
            yield title.strip()
            yield "```text\n" + inspect.cleandoc("\n".join(lines)) + "\n```"
        else:
            yield _wrapped(_prose(paragraph))


def _prose(text: str) -> str:
    """Return text of a help on one line, with options and endings as code."""

    def code(match: re.Match[str]) -> str:
        return f"`{match[0].strip('`')}`"

    text = " ".join(text.split())
    text = _WORD_OF_CODE.sub(code, text)
    text = re.sub(r"(?<=[ (])-(?=[ )])(?! \d)", "`-`", text)
    return re.sub(r"(?<=[ (])\*(?=[ .])", r"\*", text)


def _wrapped(text: str) -> str:
    """Return a paragraph in lines of at most 118 characters."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= 118:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])
