"""The parser of patterns; docs/guide/search.md has their grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING

import regex

from senna_py.labels.tasks import ARCS
from senna_py.search.errors import PatternError
from senna_py.search.syntax import (
    SENTENCE,
    All,
    Alternatives,
    Any,
    Before,
    Capture,
    Compare,
    Edge,
    Node,
    Not,
    Query,
    Region,
    Relation,
    Repeat,
    Same,
    Sequence,
    Tag,
    Value,
    Word,
    captures_of,
    children,
    has_word,
    nodes_of,
    targets_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from senna_py.search.syntax import Condition, Part

_DEEPEST = 40  # The most brackets and tags around a part.
_LONGEST = 10_000  # The most characters of a pattern.
_STRING = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_NAME = r"[^\W\d][\w-]*"
_SPACE = re.compile(r"\s*")
_TAG = re.compile(
    rf"<\s*(?P<close>/?)\s*(?P<task>{_NAME})\s*"
    rf"(?:(?P<sign>==|=)\s*(?P<value>{_STRING})\s*(?P<flag>%c)?)?\s*(?P<whole>/?)\s*>",
    re.DOTALL,
)
_CAPTURE = re.compile(r"(\w+)\s*:")
_ATTRIBUTE = re.compile(rf"{_NAME}(?:\.{_NAME})?(?:\[\w+\])?")
_TEXT = re.compile(_STRING, re.DOTALL)
_SIGN = re.compile(r"!==|==|!=|=")
_RANGE = re.compile(r"\{\s*(\d{0,4})\s*(?:(,)\s*(\d{0,4})\s*)?\}")
_ARROW = re.compile(r"(!?)\s*(>>|>|<<|<)")
_LAYER = re.compile(rf"({_NAME})\.")
_LABEL = re.compile(r"\w[\w*]*(?:[:-]\w[\w*]*)*")
_LABEL_REGEX = re.compile(r"/((?:[^/\\]|\\.)*)/")
_WITHIN = re.compile(r"within\b")
_OF_CAPTURE = re.compile(rf"(\w+)\s*\.\s*({_NAME}(?:\.{_NAME})?)")
_PLAIN = re.compile(r"\w+")
_QUANTIFIERS = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_BARE_CONDITION = re.compile(rf"{_NAME}\s*!?=")
# Operators of CQL in other programs, and what to write instead.
_INSTEAD = {
    "containing": 'write <s> []* "dog" []* </s> for a span with a word in it',
    "meet": 'write "a" []{0,5} "b", or "b" []{0,5} "a"',
    "union": "write | between alternatives",
    "::": "conditions on captures follow &",
}
_FOREIGN = re.compile(r"(?:containing\b|(?<=\()(?:meet|union)\b|::)")
_TYPOGRAPHIC = ("\u201c", "\u201d", "\u201e", "\u2018", "\u2019", "\u00ab")
_ENDS = re.compile(r"[|)&]|within\b|</|$")


def parse(text: str) -> Query:
    """Return the parts of a pattern.

    Raises:
        PatternError: If the text is no pattern. It has the place of the problem.
    """
    return _Parser(text).query()


class _Parser:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.open_tags: list[str] = []  # The tasks of regions that are being read.
        if len(text) > _LONGEST:
            raise PatternError(text, _LONGEST, "the pattern is too long")

    def error(self, problem: str, at: int | None = None) -> PatternError:
        """Return an error at the current place, or at another one."""
        return PatternError(self.text, self.at if at is None else at, problem)

    def expected(self, what: str) -> PatternError:
        """Return an error that says what was expected and what stands there."""
        self.skip()
        if self.text.startswith(('"', "'"), self.at) and not self.sees(_TEXT):
            return self.error("the quotation mark is not closed")
        if self.text.startswith(_TYPOGRAPHIC, self.at):
            return self.error('a value needs straight quotation marks, such as "see"')
        rest = self.text[self.at :].split()
        if (operator := _FOREIGN.match(self.text, self.at)) is not None:
            name = operator[0]
            return self.error(f"there is no operator {name}; {_INSTEAD[name]}")
        shown = f"not {rest[0][:12]}" if rest else "but the pattern ends here"
        return self.error(f"expected {what}, {shown}")

    def skip(self) -> None:
        """Move past white space."""
        match = _SPACE.match(self.text, self.at)
        assert match is not None, "it may be empty"
        self.at = match.end()

    def sees(self, regex: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of a regular expression that stands next, or None."""
        self.skip()
        return regex.match(self.text, self.at)

    def take(self, regex: re.Pattern[str]) -> re.Match[str] | None:
        """Move past a regular expression if it stands next."""
        match = self.sees(regex)
        if match is not None:
            self.at = match.end()
        return match

    def take_sign(self, sign: str) -> bool:
        """Move past a sign if it stands next."""
        self.skip()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def close(self, sign: str, opened: int) -> None:
        """Move past a closing bracket; `opened` is the place of the opening one."""
        if not self.take_sign(sign):
            opening = self.text[opened]
            raise self.expected(f"{sign} for the {opening} in column {opened + 1}")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count a level of brackets; raise PatternError if there are too many."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"more than {_DEEPEST} levels of brackets")
        yield
        self.depth -= 1

    # The whole pattern.

    def query(self) -> Query:
        """Return the whole pattern."""
        part = self.alternatives()
        within = None
        if self.take(_WITHIN):
            tag = self.take(_TAG)
            if tag is None or tag["close"] or not tag["whole"]:
                raise self.expected('a tag such as <chk="NP"/> after within')
            within = self.tag_of(tag)
        names = tuple(dict.fromkeys(captures_of(part)))
        conditions = []
        while self.take_sign("&"):
            conditions.append(self.condition_on_captures(names))
        self.skip()
        if self.at < len(self.text):
            raise self.expected("a word, a relation or the end")
        if not has_word(part):
            raise self.error("a pattern needs a word, such as []", 0)
        targets = frozenset(
            name for node in nodes_of(part) for name in targets_of(node)
        )
        self.check_names(part)
        return Query(part, within, tuple(conditions), names, targets)

    def check_names(self, part: Part) -> None:
        """Raise PatternError if two parts that can both match have the same name."""
        names = [*captures_of(part)]
        if not isinstance(part, Alternatives):
            for name in names:
                if names.count(name) > 1 and not self.in_one_part(part, name):
                    at = [m.start() for m in re.finditer(rf"\b{name}\s*:", self.text)]
                    raise self.error(f"two parts have the name {name}", at[-1])
        for inner in children(part):
            self.check_names(inner)

    @staticmethod
    def in_one_part(part: Part, name: str) -> bool:
        """Return whether only one of the parts within a part captures a name."""
        inner = [*children(part)]
        own = isinstance(part, Capture) and part.name == name
        return bool(inner) and own + sum(name in captures_of(p) for p in inner) == 1

    def condition_on_captures(self, names: tuple[str, ...]) -> Same | Before:
        """Return a condition such as `a.lemma = b.lemma` or `a < b`."""
        at = self.at
        left = self.take(_OF_CAPTURE)
        if left is None:
            first = self.capture_named(names)
            if self.take_sign("<"):
                return Before(first, self.capture_named(names))
            if self.take_sign(">"):
                return Before(self.capture_named(names), first)
            raise self.expected("< or >, or an attribute such as .lemma")
        sign = self.take(_SIGN)
        if sign is None:
            raise self.expected("= or !=")
        right = self.take(_OF_CAPTURE)
        if right is None:
            raise self.expected(f"an attribute of a capture, such as {left[0]}")
        for match in (left, right):
            self.check_capture(match[1], names, match.start())
        negated = sign[0].startswith("!")
        return Same(left[1], left[2], right[1], right[2], negated, at)

    def capture_named(self, names: tuple[str, ...]) -> str:
        """Return the name of a capture, which stands next."""
        match = self.take(_PLAIN)
        if match is None:
            raise self.expected("the name of a capture")
        self.check_capture(match[0], names, match.start())
        return match[0]

    def check_capture(self, name: str, names: tuple[str, ...], at: int) -> None:
        """Raise PatternError if there is no capture of this name."""
        if name not in names:
            known = ", ".join(names) or "no names"
            raise self.error(f"no part has the name {name}; there are {known}", at)

    # Sequences.

    def alternatives(self) -> Part:
        """Return parts between `|`."""
        with self.deeper():
            parts = [self.sequence()]
            while self.take_sign("|"):
                parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Alternatives(tuple(parts))

    def sequence(self) -> Part:
        """Return parts that follow each other."""
        parts: list[Part] = []
        while not parts or not self.ends_sequence():
            parts += self.element()
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def ends_sequence(self) -> bool:
        """Return whether a sequence ends here.

        An end tag ends a sequence only within its own region; see `region`.
        """
        match = self.sees(_ENDS)
        return match is not None and (match[0] != "</" or self.closes_region())

    def closes_region(self) -> bool:
        """Return whether an end tag stands next that belongs to an open region."""
        tag = self.sees(_TAG)
        return tag is not None and tag["task"] in self.open_tags

    def element(self) -> list[Part]:
        """Return the next part, with its name and how often it is repeated.

        A start tag without its end tag gives several parts.
        """
        at = self.at
        name = self.take(_CAPTURE)
        self.skip()
        tag = self.sees(_TAG)
        if tag is not None and not tag["whole"]:
            parts = self.region(tag)
            if len(parts) > 1 or isinstance(parts[0], Edge):
                if name:
                    raise self.error("a name stands before a word or a group", at)
                return parts
            part: Part = parts[0]
        elif self.text.startswith("(", self.at):
            part = self.group()
        else:
            part = self.node()
        part = self.repeated(part)
        return [Capture(name[1], part, name.start()) if name else part]

    def group(self) -> Part:
        """Return a part in brackets."""
        opened = self.at
        self.at += 1
        part = self.alternatives()
        self.close(")", opened)
        if self.sees_arrow():
            raise self.error(
                "a relation starts from a word or a span, not from a group"
            )
        return part

    def region(self, tag: re.Match[str]) -> list[Part]:
        """Return a region, or the edge of a span and what follows it."""
        self.at = tag.end()
        start = self.tag_of(tag)
        if tag["close"]:
            return [Edge(start, True)]
        begin, depth = self.at, self.depth
        end = self.end_tag(tag["task"])
        if end is None:
            return [Edge(start, False)]
        self.at, self.depth = begin, depth
        self.open_tags.append(tag["task"])
        with self.deeper():
            part = self.sequence()
        self.open_tags.pop()
        close = self.take(_TAG)
        if close is None or not close["close"] or close["task"] != tag["task"]:
            raise self.expected(f"</{tag['task']}>")
        return [Region(start, part)]

    def end_tag(self, task: str) -> int | None:
        """Return the place of the end tag of a task after this place, or None.

        Strings are skipped, and so are pairs of tags and brackets.
        """
        level = brackets = 0
        at = self.at
        while at < len(self.text):
            match = _TEXT.match(self.text, at) or _TAG.match(self.text, at)
            sign = self.text[at]
            if match is None:
                brackets += (sign == "(") - (sign == ")")
                if brackets < 0:
                    return None
                at += 1
                continue
            if "task" in match.groupdict() and match["task"] == task:
                if match["close"] and level == 0:
                    return at if brackets == 0 else None
                level += (not match["whole"]) - 2 * bool(match["close"])
            at = match.end()
        return None

    def repeated(self, part: Part) -> Part:
        """Return a part with the quantifier that follows it, if there is one."""
        limits = self.quantifier()
        if limits is None:
            return part
        if isinstance(part, Node) and part.relations:
            raise self.error("put a word with relations in brackets to repeat it")
        if self.sees_arrow():
            raise self.error(
                "a relation starts from one word; it cannot follow a quantifier"
            )
        return Repeat(part, *limits)

    def quantifier(self) -> tuple[int, int | None] | None:
        """Return the least and the largest number of repetitions, or None."""
        for sign, limits in _QUANTIFIERS.items():
            if self.take_sign(sign):
                return limits
        at = self.at
        match = self.take(_RANGE)
        if match is None:
            if self.text.startswith("{", self.at):
                raise self.error("a number of repetitions is {2}, {1,3} or {2,}")
            return None
        low, comma, high = match.groups()
        if not low and not high:
            raise self.error("a number of repetitions is {2}, {1,3} or {2,}", at)
        least = int(low or 0)
        most: int | None = least
        if comma:
            most = int(high) if high else None
        if most is not None and most < max(least, 1):
            raise self.error(f"no number is from {least} to {most}", at)
        return least, most

    # Words, spans and relations.

    def node(self) -> Node:
        """Return a word or a span with its relations."""
        start = self.start()
        relations: list[Relation] = []
        while self.sees_arrow():
            relations.append(self.relation())
        return Node(start, tuple(relations))

    def start(self) -> Word | Tag:
        """Return a word or a whole span."""
        self.skip()
        tag = self.take(_TAG)
        if tag is not None:
            if tag["close"] or not tag["whole"]:
                raise self.error("expected a whole span, such as <ner/>", tag.start())
            return self.tag_of(tag)
        if self.sees(_TEXT):
            return Word(Compare("word", self.value("="), self.at))
        opened = self.at
        if not self.take_sign("["):
            raise self.expected(self.form_of_word())
        if self.take_sign("]"):
            return Word(All())
        condition = self.any_of()
        self.close("]", opened)
        return Word(condition)

    def tag_of(self, tag: re.Match[str]) -> Tag:
        """Return the tag of a match."""
        value = None
        if tag["sign"]:
            value = self.value_of(
                tag["value"], tag.start("value"), tag["sign"], tag["flag"]
            )
            if tag["task"] == SENTENCE:
                raise self.error("sentences have no labels", tag.start())
        return Tag(tag["task"], value, tag.start())

    def sees_arrow(self) -> bool:
        """Return whether a relation stands next."""
        return self.sees(_ARROW) is not None and self.sees(_TAG) is None

    def relation(self) -> Relation:
        """Return the next relation."""
        self.skip()
        at = self.at
        arrow = self.take(_ARROW)
        assert arrow is not None, "it was seen"
        task, label = self.label()
        target = self.target()
        is_negated = bool(arrow[1])
        if is_negated and (target.names or [*targets_of(target)]):
            raise self.error("what must not be there cannot have a name", at)
        is_optional = False
        after = self.at
        limits = self.quantifier()
        if limits is not None:
            if limits != (0, 1) or is_negated:
                raise self.error("only ? can follow the target of a relation", after)
            is_optional = True
        sign = arrow[2]
        return Relation(
            task,
            label,
            sign[0] == "<",
            len(sign) == 2,
            target,
            is_negated,
            is_optional,
            at,
        )

    def label(self) -> tuple[str, Value | None]:
        """Return the task and the label of a relation; the label may be missing."""
        task = ARCS
        if layer := self.take(_LAYER):
            task = layer[1]
        at = self.at
        if regex := self.take(_LABEL_REGEX):
            text = regex[1].replace("\\/", "/")
            return task, self.checked(Value(text), regex.start(1))
        if label := self.take(_LABEL):
            if not self.text.startswith(":", self.at):
                return task, Value(label[0], is_exact=True)
            self.at = at  # It is the name of the target.
        return task, None

    def target(self) -> Node:
        """Return the target of a relation."""
        names = []
        if name := self.take(_CAPTURE):
            names.append(name[1])
        self.skip()
        if not self.text.startswith("(", self.at):
            return Node(self.start(), (), tuple(names))
        opened = self.at
        self.at += 1
        with self.deeper():
            inner = self.target()
            relations = list(inner.relations)
            while self.sees_arrow():
                relations.append(self.relation())
        self.close(")", opened)
        return Node(inner.start, tuple(relations), (*names, *inner.names))

    # Conditions on words.

    def any_of(self) -> Condition:
        """Return conditions between `|`."""
        with self.deeper():
            return self.joined("|", self.all_of, Any)

    def all_of(self) -> Condition:
        """Return conditions between `&`."""
        return self.joined("&", self.single, All)

    def joined(
        self,
        sign: str,
        read: Callable[[], Condition],
        join: Callable[[tuple[Condition, ...]], Condition],
    ) -> Condition:
        """Return conditions with a sign between them."""
        conditions = [read()]
        while self.take_sign(sign):
            conditions.append(read())
        return conditions[0] if len(conditions) == 1 else join(tuple(conditions))

    def single(self) -> Condition:
        """Return a comparison, or a condition in brackets or after `!`."""
        self.skip()
        opened = self.at
        if self.take_sign("!"):
            with self.deeper():
                return Not(self.single())
        if self.take_sign("("):
            condition = self.any_of()
            self.close(")", opened)
            return condition
        if self.sees(_TEXT):
            return Compare("word", self.value("="), opened)
        attribute = self.take(_ATTRIBUTE)
        if attribute is None:
            raise self.expected('an attribute, such as lemma="see"')
        sign = self.take(_SIGN)
        if sign is None:
            return Compare(attribute[0], None, opened)
        compared = Compare(attribute[0], self.value(sign[0].removeprefix("!")), opened)
        return Not(compared) if sign[0].startswith("!") else compared

    def form_of_word(self) -> str:
        """Return what a word of a pattern looks like, as close to the text as can be."""
        if self.sees(_BARE_CONDITION):
            return 'a condition in square brackets, such as [lemma="see"]'
        if self.sees(_PLAIN):
            return 'a word in quotation marks, such as "see"'
        return 'a word, such as [pos="NN"]'

    def value(self, sign: str) -> Value:
        """Return the value that stands next, with its flag."""
        match = self.take(_TEXT)
        if match is None:
            raise self.expected('a value in quotation marks, such as "NN.*"')
        flag = "%c" if self.take_sign("%c") else None
        if flag is None and self.text.startswith("%", self.at):
            raise self.error("the only flag is %c, which ignores case")
        return self.value_of(match[0], match.start(), sign, flag)

    def value_of(self, quoted: str, at: int, sign: str, flag: str | None) -> Value:
        """Return the value of a string in quotation marks."""
        mark, text = quoted[0], quoted[1:-1]
        is_exact = sign == "=="
        if is_exact:
            text = re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
        else:
            text = text.replace(f"\\{mark}", mark)
        return self.checked(Value(text, is_exact, flag is not None), at + 1)

    def checked(self, value: Value, at: int) -> Value:
        """Return a value; raise PatternError if it is no regular expression."""
        try:
            value.check()
        except regex.error as error:
            place = at + (error.pos or 0)
            problem = f"no regular expression: {error.msg}"
            raise self.error(problem, min(place, len(self.text))) from None
        except (OverflowError, RecursionError):
            raise self.error("no regular expression: too large", at) from None
        return value
