"""Rules as they are written in a file, or stored in a model.

A file is TOML with three arrays of tables, `tokens`, `words` and `entities`, and the
table `new_labels`. The guide describes it, under Rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna_py.errors import SennaError
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import Source, read_lines
from senna_py.io.toml import read_toml
from senna_py.text.exceptions import TokenException

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

TOKENS, WORDS, ENTITIES, NEW_LABELS = "tokens", "words", "entities", "new_labels"
_TABLES = (TOKENS, WORDS, ENTITIES, NEW_LABELS)
_PRIORITIES = ("rules", "model")
_DEFAULT_TASK = "ner"
_FILES = "files"


@dataclass(frozen=True)
class WordRule:
    """Words that have given labels.

    Attributes:
        place: The file and the table, for messages.
        forms: The words.
        patterns: Patterns of which each matched word has the labels.
        labels: The label of each task.
        ignore_case: Whether `forms` are found in upper and lower case.
        yields: Whether only words have the labels that are not in the dictionary of the
            model.
    """

    place: str
    forms: tuple[str, ...]
    patterns: tuple[str, ...]
    labels: Mapping[str, str]
    ignore_case: bool = False
    yields: bool = False


@dataclass(frozen=True)
class EntityRule:
    """Phrases and patterns that are spans of a task.

    Attributes:
        place: The file and the table, for messages.
        task: The task, such as `ner`.
        label: The label of the spans.
        phrases: The phrases.
        patterns: The patterns.
        ignore_case: Whether `phrases` are found in upper and lower case.
        yields: Whether spans of the model that overlap these have priority.
    """

    place: str
    task: str
    label: str
    phrases: tuple[str, ...]
    patterns: tuple[str, ...]
    ignore_case: bool = False
    yields: bool = False


@dataclass(frozen=True)
class Rules:
    """The rules of a file or a model.

    Attributes:
        name: The name of the file, for messages.
        table: The contents of the file, with the phrases of other files.
        tokens: The rules for tokens.
        words: The rules for words.
        entities: The rules for spans.
        new_labels: The labels that the model does not have, by task.
    """

    name: str
    table: Mapping[str, Any] = field(repr=False)
    tokens: tuple[TokenException, ...] = ()
    words: tuple[WordRule, ...] = ()
    entities: tuple[EntityRule, ...] = ()
    new_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_text(self) -> str:
        """Return the name and the rules as text, for `rules_of_text`."""
        return json.dumps({"name": self.name, **self.table}, ensure_ascii=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling by the contents of the file."""
        return rules_of, (self.table, self.name)


def read_rules(path: str | PathLike[str]) -> Rules:
    """Read a file of rules.

    Raises:
        SennaError: If the file, or a file of phrases, cannot be read, or a rule is
            malformed. The message names the file, the table and the key.
    """
    name = str(path)
    table = dict(read_toml(name))
    if isinstance(table.get(ENTITIES), list):
        table[ENTITIES] = [
            _with_phrases(each, f"{name}: [[{ENTITIES}]] {number}", Path(name).parent)
            for number, each in enumerate(table[ENTITIES], 1)
        ]
    return rules_of(table, name)


def rules_of_text(text: str, name: str = "") -> Rules:
    """Return the rules that `Rules.to_text` returned as text.

    Args:
        text: The text.
        name: What has the rules, which comes before their name in messages.

    Raises:
        SennaError: If they are malformed.
    """
    try:
        table = parse_json(text)
        own_name = table.pop("name")
    except (ValueError, LookupError, TypeError, AttributeError):
        raise SennaError(f"{name}: the rules are damaged") from None
    return rules_of(table, f"{name}: {own_name}" if name else str(own_name))


def rules_of(table: Mapping[str, Any], name: str) -> Rules:
    """Return the rules of a file's contents.

    Raises:
        SennaError: If a rule is malformed.
    """
    for key, value in table.items():
        if key not in _TABLES:
            known = ", ".join(_TABLES)
            raise SennaError(
                f"{name}: {key}: there is no such table; there are {known}"
            )
        is_list = isinstance(value, list) and all(isinstance(v, dict) for v in value)
        if key == NEW_LABELS and not isinstance(value, dict):
            raise SennaError(f"{name}: {key}: expected a table, [{key}]")
        if key != NEW_LABELS and not is_list:
            raise SennaError(f"{name}: {key}: expected tables, [[{key}]]")

    def entries(key: str) -> list[_Entry]:
        return [
            _Entry(f"{name}: [[{key}]] {number}", dict(values))
            for number, values in enumerate(table.get(key, ()), 1)
        ]

    labels = _Entry(f"{name}: [{NEW_LABELS}]", dict(table.get(NEW_LABELS, {})))
    return Rules(
        name,
        table,
        tuple(rule for entry in entries(TOKENS) for rule in _token_rules(entry)),
        tuple(map(_word_rule, entries(WORDS))),
        tuple(map(_entity_rule, entries(ENTITIES))),
        {task: labels.texts(task) for task in [*labels.values]},
    )


class _Entry:
    """A table of a file, whose values are taken one by one."""

    def __init__(self, place: str, values: dict[str, Any]) -> None:
        """Store the values; `place` is the file and the table, for messages."""
        self.place, self.values = place, values

    def error(self, key: str, problem: str) -> SennaError:
        """Return the error for the value of a key."""
        return SennaError(f"{self.place}: {key}: {problem}")

    def texts(self, *keys: str) -> tuple[str, ...]:
        """Take a str or a list of str; the result has the values of all keys."""
        taken: list[str] = []
        for key in keys:
            value = self.values.pop(key, [])
            items = [value] if isinstance(value, str) else value
            if not isinstance(items, list):
                raise self.error(key, f"expected a text or a list, found {value!r}")
            for item in items:
                if not isinstance(item, str) or not item.strip():
                    raise self.error(key, f"expected a text, found {item!r}")
            taken += items
        return tuple(taken)

    def text(self, key: str, default: str | None = None) -> str:
        """Take a str."""
        value = self.values.pop(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, f"expected a text, found {_shown(value)}")
        return value

    def flag(self, key: str) -> bool:
        """Take a flag, which is False by default."""
        value = self.values.pop(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, found {value!r}")
        return value

    def yields(self) -> bool:
        """Take `priority`, and return whether the model has it."""
        value = self.values.pop("priority", _PRIORITIES[0])
        if value not in _PRIORITIES:
            known = " or ".join(map(repr, _PRIORITIES))
            raise self.error("priority", f"expected {known}, found {value!r}")
        return bool(value == _PRIORITIES[1])

    def finish(self, known: Sequence[str]) -> None:
        """Raise SennaError if a key has not been taken."""
        for key in self.values:
            raise self.error(key, f"there is no such key; there are {', '.join(known)}")


def _shown(value: Any) -> str:
    return "nothing" if value is None else repr(value)


def _token_rules(entry: _Entry) -> Iterable[TokenException]:
    if TOKENS in entry.values and isinstance(entry.values.get("text"), list):
        raise entry.error("text", "expected one text beside its tokens")
    texts, tokens = entry.texts("text"), entry.texts(TOKENS)
    ignore_case = entry.flag("ignore_case")
    entry.finish(("text", TOKENS, "ignore_case"))
    if not texts:
        raise entry.error("text", "expected a text, found nothing")
    for text in texts:
        if text.split() != [text]:
            raise entry.error("text", f"{text!r} has white space, which divides tokens")
        if tokens and "".join(tokens) != text:
            raise entry.error(TOKENS, f"{'|'.join(tokens)} is not {text!r}, divided")
    return [TokenException(text, tokens or (text,), ignore_case) for text in texts]


def _word_rule(entry: _Entry) -> WordRule:
    forms, patterns = entry.texts("form"), entry.texts("pattern")
    ignore_case, yields = entry.flag("ignore_case"), entry.yields()
    if not forms and not patterns:
        raise entry.error("form", "expected a form, or a pattern, found nothing")
    for form in forms:
        if form.split() != [form]:
            raise entry.error("form", f"{form!r} is more than a word")
    if ignore_case and not forms:
        raise entry.error("ignore_case", "it is about form; a pattern has flags")
    labels = {task: entry.text(task) for task in [*entry.values]}
    if not labels:
        raise entry.error("form", "expected a label, such as pos = 'NN', beside it")
    return WordRule(entry.place, forms, patterns, labels, ignore_case, yields)


def _entity_rule(entry: _Entry) -> EntityRule:
    task, label = entry.text("task", _DEFAULT_TASK), entry.text("label")
    phrases, patterns = entry.texts("phrases"), entry.texts("patterns", "pattern")
    ignore_case, yields = entry.flag("ignore_case"), entry.yields()
    entry.finish(
        ("label", "task", "phrases", _FILES, "patterns", "ignore_case", "priority")
    )
    if not phrases and not patterns:
        raise entry.error("phrases", "expected phrases, or patterns, found nothing")
    if ignore_case and not phrases:
        raise entry.error("ignore_case", "it is about phrases; patterns have flags")
    place = entry.place
    return EntityRule(place, task, label, phrases, patterns, ignore_case, yields)


def _with_phrases(values: Any, place: str, directory: Path) -> Any:
    """Return a table of entities with the phrases of the files that it names.

    Each line of a file is a phrase. Empty lines are skipped.

    Raises:
        SennaError: If a file cannot be read.
    """
    if not isinstance(values, dict) or _FILES not in values:
        return values
    entry = _Entry(place, dict(values))
    names, phrases = entry.texts(_FILES), [*entry.texts("phrases")]
    for name in names:
        try:
            phrases += _read_lines(directory / name)
        except SennaError as error:
            raise entry.error(_FILES, str(error)) from None
    if not phrases:
        raise entry.error(_FILES, f"{', '.join(names)} has no phrase")
    return {**entry.values, "phrases": phrases}


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a file that are not empty.

    Raises:
        SennaError: If the file cannot be read, or is not UTF-8.
    """
    lines = []
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            try:
                text = line.decode().strip()
            except UnicodeDecodeError:
                raise SennaError(f"{path}: line {number}: not UTF-8") from None
            if text:
                lines.append(text)
    return lines
