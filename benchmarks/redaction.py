"""What redaction finds in letters and notes of invented people, which are marked.

    python benchmarks/redaction.py
    python benchmarks/redaction.py --lower
    python benchmarks/redaction.py --missed my_letters.txt

In the marked text, `{PERSON|Ann Lee}` is a name, and `{PERSON|Mrs. Lee|Lee}` a name of which
only the last part must be redacted. A line that begins with `#` begins another letter.
ADDRESS (of a street) and ID are types that `senna-py redact` does not have.
"""

import argparse
import re
from pathlib import Path
from typing import NamedTuple

from senna_py import load
from senna_py.redaction import DEFAULT, Redactor

LETTERS = Path(__file__).parent / "data" / "marked_letters.txt"
_MARK = re.compile(r"\{([A-Z]+)\|([^|{}]+)(?:\|([^{}]+))?\}")


class Mark(NamedTuple):
    """A range of a letter that should be redacted."""

    start: int
    end: int
    type: str


def read_letters(text: str) -> list[tuple[str, list[Mark]]]:
    """Return the text of each letter without marks, and the marks."""
    return [_without_marks(letter) for letter in re.split(r"^#.*\n", text, flags=re.M)]


def _without_marks(letter: str) -> tuple[str, list[Mark]]:
    pieces: list[str] = []
    marks, length, done = [], 0, 0
    for match in _MARK.finditer(letter):
        type_name, shown, inner = match[1], match[2], match[3] or match[2]
        before = letter[done : match.start()]
        start = length + len(before) + shown.index(inner)
        marks.append(Mark(start, start + len(inner), type_name))
        pieces += before, shown
        length += len(before) + len(shown)
        done = match.end()
    return "".join([*pieces, letter[done:]]), marks


class Counts:
    """Counts of the marks of a type.

    Attributes:
        marked: The number of marks.
        redacted: The number of marks of which all letters and digits were replaced.
        typed: The number of marks that were also replaced by the right type.
        touched: The number of marks of which only some characters were replaced.
    """

    def __init__(self) -> None:
        self.marked = self.redacted = self.typed = self.touched = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", default=LETTERS, type=Path)
    parser.add_argument("--path", help="the model")
    parser.add_argument("--missed", action="store_true", help="show what is missed")
    parser.add_argument("--lower", action="store_true", help="in lower case")
    options = parser.parse_args()
    nlp, redactor = load(options.path, tasks=["ner", "val"]), Redactor()
    counts: dict[str, Counts] = {name: Counts() for name in DEFAULT}
    n_findings = n_wrong = 0
    for letter, marks in read_letters(options.file.read_text(encoding="utf-8")):
        text = letter
        if options.lower:
            text = "".join(c.lower() if len(c.lower()) == 1 else c for c in letter)
        redaction = redactor.redact(nlp.document(text, paragraphs=True))
        findings = redaction.replacements
        type_of = {i: each.type for each in findings for i in range(*each[:2])}
        for start, end, name in marks:
            count = counts.setdefault(name, Counts())
            inside = [type_of.get(i) for i in range(start, end) if text[i].isalnum()]
            count.marked += 1
            count.redacted += None not in inside
            count.typed += {*inside} == {name}
            count.touched += None in inside and {*inside} != {None}
            if options.missed and None in inside:
                print(f"{name}: {text[start:end]!r} in {text[start - 30 : end + 20]!r}")
        marked = {i for mark in marks for i in range(mark.start, mark.end)}
        wrong = [each for each in findings if marked.isdisjoint(range(*each[:2]))]
        n_findings, n_wrong = n_findings + len(findings), n_wrong + len(wrong)
        if options.missed:
            for each in wrong:
                print(f"not marked: {each.type} {text[each.start : each.end]!r}")
    print("| type | marked | redacted | recall | by its type | in part |")
    print("|---|---|---|---|---|---|")
    for name, count in counts.items():
        recall = 100 * count.redacted / max(count.marked, 1)
        print(
            f"| {name} | {count.marked} | {count.redacted} | {recall:.0f}% | "
            f"{count.typed} | {count.touched} |"
        )
    print(f"{n_wrong} of {n_findings} replacements are not marked")


if __name__ == "__main__":
    main()
