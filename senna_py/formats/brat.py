"""Spans and dependencies in BRAT's standoff format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.errors import UsageError
from senna_py.formats.conllu import parts_of_speech
from senna_py.formats.registry import able_tasks
from senna_py.formats.sentences import SentencePrinter
from senna_py.labels.tasks import ARCS, POS, UPOS

if TYPE_CHECKING:
    from senna_py.answers.document import Sentence
    from senna_py.corpora.sentence_places import SentencePlace

_BLANK = re.compile(r"\s")
_BLANKS = re.compile(r"\s+")
_LINE_END = re.compile(
    "[\t-\r\x1c-\x1e\x85\u2028\u2029]"
)  # as BRAT reads lines; or a tab


class BratPrinter(SentencePrinter):
    """Prints entities, `T1⇥PER 0 13⇥Angela Merkel`, and if asked relations between
    tokens.

    Characters count from the beginning of the document, and the number of an entity is
    its first character's, from 1. With relations, numbers of entities are odd, and
    those of tokens even: one more than that of an entity there; with two tasks of
    entities, numbers are as much farther apart. A token has its universal part of
    speech. What goes on in another line is in fragments, `T11⇥PER 10 16;17 23⇥Angela
    Merkel`: BRAT reads no span with a line end in it.
    """

    def __init__(self, tagger, alone=True):
        """Prepare to print what `tagger` finds; raises UsageError for more than one
        document.
        """
        super().__init__(tagger)
        if not alone:
            raise UsageError(
                "format brat has a file for each text: name a directory, -o DIR/"
            )

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Return what was asked for, or else the task of entities, a user's, or
        dependencies.

        Raises UsageError for a user's task of tags.
        """
        known = model.tasks(predicates)
        marked = [task for task in known if model.task(task).marked]
        for task in asked:
            if task != ARCS and not model.task(task).marked:
                raise UsageError(
                    f"the task {task} does not go with format brat: no segments"
                )
        names = [*(asked or marked[:1] or able_tasks(model, predicates, "brat"))]
        tags = [task for task in (UPOS, POS) if ARCS in names and task in known]
        return names + tags[:1]

    def print(self, found, place):
        """Return the lines of the entities; raises UsageError if the document is no
        text.
        """
        if place.column_lines:
            raise UsageError(
                f"{place.document}: places in text are printed, and this is none"
            )
        out, has_arcs = [], ARCS in self.tagger.tasks
        marked = [task for task in self.tagger.tasks if self.tagger.task(task).marked]
        n = len(marked) if not has_arcs else max(len(marked), 1) + 1
        for sentence, at in self.placed(found, place):
            arcs = sentence.arcs if has_arcs else ()
            for k, task in enumerate(marked, 1):
                for span in sentence.spans[task]:
                    name = f"T{n * (at.character + span.start_char) + k}"
                    place_of_span = _place(sentence, at, span.start_char, span.end_char)
                    out.append(
                        f"{name}\t{_BLANK.sub('_', span.label)} {place_of_span}\n"
                    )
            starts = [at.character + token.start_char for token in sentence]
            for tag, token, start, arc in zip(
                parts_of_speech(sentence)[0] if arcs else (),
                sentence,
                starts,
                arcs,
                strict=False,
            ):
                name = f"T{n * start + n}"
                place_of_token = _place(sentence, at, token.start_char, token.end_char)
                out.append(f"{name}\t{tag} {place_of_token}\n")
                if arc.head is not None:
                    head = f"T{n * starts[arc.head] + n}"
                    out.append(
                        f"R{start + 1}\t{arc.relation} Arg1:{head} Arg2:{name}\n"
                    )
        return "".join(out).encode("utf-8", "surrogateescape")

    def page_of(self, document: str) -> BratPrinter:
        """Return the printer of a document's file, which is like that of any other."""
        return self


def _place(sentence: Sentence, at: SentencePlace, start: int, end: int) -> str:
    """Return `0 6⇥Angela`, the characters of a text in its document, and these; see
    BratPrinter.

    start, end: its characters, as the sentence counts them. Blanks between fragments
    and marks of quotation are in none of them.
    """
    first = sentence.start_char
    text, original = sentence.text, at.original or sentence.text
    fragments, begin = [], start - first
    for blank in _BLANKS.finditer(text, begin, end - first):
        if _LINE_END.search(original, *blank.span()):
            fragments.append((begin, blank.start()))
            begin = blank.end()
    fragments.append((begin, end - first))
    fragments = [(a, b) for a, b in fragments if a < b] or [
        (start - first, end - first)
    ]
    shift = at.character + first
    places = ";".join(f"{a + shift} {b + shift}" for a, b in fragments)
    return f"{places}\t{_LINE_END.sub(' ', ' '.join(text[a:b] for a, b in fragments))}"
