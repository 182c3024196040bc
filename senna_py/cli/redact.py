"""The command `senna-py redact`, which replaces names and numbers in text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from senna_py.cli.help import Command
from senna_py.cli.options import check_output, choice, file_option, option
from senna_py.cli.streams import until_reader_leaves
from senna_py.cli.tag import file_options, make_note
from senna_py.cli.tag_options import TagOptions, tag_options
from senna_py.io.overwriting import check_paths
from senna_py.pipeline.options import TextOptions
from senna_py.redaction.styles import BY_TYPE, STYLES
from senna_py.redaction.type_names import (
    DEFAULT,
    NER,
    TYPES,
    check_types,
    tasks_of,
    type_of,
)

if TYPE_CHECKING:
    from senna_py.tagger import Tagger

_READING = ("column", "field", "no_quotes", "paragraphs", "encoding")
_SHOWN = ", ".join(name.lower() for name in TYPES)
_STYLES = "\n".join(f"{name}: {text}" for name, text in STYLES.items())


@click.command(
    "redact",
    cls=Command,
    examples=(
        'echo "Mail Ann Lee at ann@example.org." | senna-py redact',
        "senna-py redact --replace-by number --map map.json -o redacted.txt letters.txt",
        "senna-py redact --restore map.json redacted.txt",
        "senna-py redact --types person,email,phone --jobs 4 *.txt",
    ),
)
@option(
    "--types",
    f"Redact these types, separated by commas: {_SHOWN}, a label of the model or of "
    f"--rules, or all; default: {', '.join(name.lower() for name in DEFAULT)}, and the "
    "labels of --rules.",
    metavar="TYPES",
)
@choice(
    "--replace-by",
    [*STYLES],
    f"\b\nReplace by:\n{_STYLES}\n",
    default=BY_TYPE,
)
@file_option("--map", "map_path", "Write a map from replacements to the originals.")
@file_option("--restore", "Bring redacted text back by this map, which --map wrote.")
@tag_options(only=("path", "rules", "column", "field", "no_quotes", "paragraphs"))
@option(
    "--encoding",
    "Encoding of the text, such as cp1252; the output is UTF-8. By default, bytes that "
    "are not UTF-8 stay as they are.",
    metavar="NAME",
)
@file_options
def command(
    files: tuple[str, ...],
    types: str | None,
    replace_by: str,
    map_path: str | None,
    restore: str | None,
    output: str | None,
    live: bool,
    **options: Any,
) -> None:
    """Replace names, values, addresses and numbers in FILEs or standard input (also: -).

    A model finds names and values; rules find e-mail addresses, URLs, telephone numbers,
    and numbers of cards and accounts, which are checked by their digits. Everything else
    stays as it is, byte for byte. No program finds everything:
    docs/guide/redact.md says what is missed.
    """
    check_output(output, live)
    check_paths([restore, *files], [map_path])
    check_paths([map_path], [output])
    files = files or ("-",)
    if restore is not None:
        _check_restore(types, replace_by, map_path)
        from senna_py.cli.redact_files import restore_files

        with until_reader_leaves():
            restore_files(files, restore, output, live, options["encoding"])
        return
    reading = TextOptions(
        split_sentences=True, **{name: options[name] for name in _READING}
    )
    tagger, wanted = _tagger(options["path"], options["rules"], types)
    from senna_py.cli.redact_files import redact_files
    from senna_py.redaction import Redactor

    n_unread = 0
    with until_reader_leaves():
        n_unread = redact_files(
            files,
            tagger,
            Redactor(wanted, replace_by),
            reading,
            make_note(),
            output=output,
            live=live,
            map_path=map_path,
            jobs=options["jobs"],
            progress=options["progress"],
        )
    if n_unread:
        raise click.exceptions.Exit(1)


def _check_restore(types: str | None, replace_by: str, map_path: str | None) -> None:
    """Raise UsageError for options that cannot be used with --restore."""
    is_used = {
        "--types": types is not None,
        "--replace-by": replace_by != BY_TYPE,
        "--map": map_path is not None,
    }
    for name, used in is_used.items():
        if used:
            raise click.UsageError(f"{name} cannot be used with --restore")


def _tagger(
    path: str | None, rules_path: str | None, named: str | None
) -> tuple[Tagger, tuple[str, ...]]:
    """Return the tagger and the types to redact.

    Unless types are named, the types of tasks that a model lacks are left out, and the
    labels of the rules are added.

    Args:
        path: The path of the model, or None.
        rules_path: The path of the file of rules, or None.
        named: The types that the user named, or None.

    Raises:
        SennaError: If a file cannot be read, a type is unknown, or the model lacks a task
            that is needed.
    """
    from senna_py.cli.warm_up import compile_apart
    from senna_py.model import Model
    from senna_py.rules.file import Rules, read_rules
    from senna_py.tagger import Tagger

    model = Model(path)
    rules = Rules("", {}) if rules_path is None else read_rules(rules_path)
    labels = {
        task: {*names, *rules.new_labels.get(task, ())}
        for task, names in model.known_labels().of_spans.items()
    }
    wanted = check_types(named)
    if named is None:
        own = dict.fromkeys(type_of(each.task, each.label) for each in rules.entities)
        wanted += tuple(name for name in own if name not in wanted)
    tasks = tasks_of(wanted, labels)
    if named is None and NER in model.tasks():
        tasks = tuple(task for task in tasks if task in model.tasks())
    tagger = Tagger(model, tasks, rules=None if rules_path is None else rules)
    text = None if rules_path is None else rules.to_text()
    asked = TagOptions(path=path, tasks=tasks, rules=text, split_sentences=True)
    compile_apart(asked, tagger)
    kept = (name for name in wanted if TYPES.get(name, "") in ("", *tagger.tasks))
    return tagger, tuple(kept)
