"""Entities as columns of the CoNLL-2003 task, and, with dependencies, as BRAT's standoff."""

import re

from senna_py.errors import SennaError, UsageError
from senna_py.labels.tasks import ARCS, POS, UPOS
from senna_py.printers.conllu_lines import parts_of_speech
from senna_py.printers.registry import FORMATS
from senna_py.printers.sentences import SentencePrinter

_BLANK = re.compile(r"\s")
_NONE, _NER = "_", "ner"
_MARK = b"-DOCSTART- -X- -X- O\n\n"


class Conll2003Printer(SentencePrinter):
    """Prints word, tag, chunk and entity, `_` for what was not asked for and for white space."""

    def __init__(self, tagger, scheme="iob"):
        super().__init__(tagger, scheme)

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Return those of the columns that the model has, unless some are asked for."""
        return asked or _able(model, predicates, "conll2003")

    def begin(self, document):
        return _MARK

    def print(self, found, place):
        """Return the sentences that have tokens; a mark before each further document of a file."""
        if not place.given or place.given[0].kept:
            return b"".join(map(self._rows, self.sentences(found)))
        return b"".join(
            _MARK * (at.begins and (i > 0 or place.paragraph > 0)) + self._rows(sentence)
            for i, (sentence, at) in enumerate(self.placed(found, place))
        )

    def _rows(self, sentence):
        words = [_BLANK.sub("_", token.text) for token in sentence]
        none = [_NONE] * len(sentence)
        columns = [words, *(sentence.tags.get(task, none) for task in FORMATS["conll2003"].shows)]
        rows = [" ".join(row) + "\n" for row in zip(*columns, strict=True)]
        return "".join([*rows, "\n"]).encode("utf-8", "surrogateescape")


class BratPrinter(SentencePrinter):
    """Prints entities, `T1⇥PER 0 13⇥Angela Merkel`, and if asked relations between tokens.

    Characters count from the beginning of the document, and the number of an entity is its first
    character's, from 1. With relations, numbers of entities are odd, and those of tokens even: one
    more than that of an entity there; with two tasks of entities, numbers are as much farther
    apart. A token has its universal part of speech.
    """

    def __init__(self, tagger, alone=True):
        """Prepare to print what `tagger` finds; raises UsageError for more than one document."""
        super().__init__(tagger)
        if not alone:
            raise UsageError("format brat is of one FILE")

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Return what was asked for, or else the task of entities, a user's, or dependencies.

        Raises UsageError for a user's task of tags.
        """
        known = model.tasks(predicates)
        marked = [task for task in known if model.task(task).marked]
        for task in asked:
            if task != ARCS and not model.task(task).marked:
                raise UsageError(f"the task {task} does not go with format brat: no segments")
        names = [*(asked or marked[:1] or _able(model, predicates, "brat"))]
        tags = [task for task in (UPOS, POS) if ARCS in names and task in known]
        return names + tags[:1]

    def print(self, found, place):
        """Return the lines of the entities; raises UsageError if the document is no text."""
        if place.given:
            raise UsageError(f"{place.document}: places in text are printed, and this is none")
        out, has_arcs = [], ARCS in self.tagger.tasks
        marked = [task for task in self.tagger.tasks if self.tagger.task(task).marked]
        n = len(marked) if not has_arcs else max(len(marked), 1) + 1
        for sentence, at in self.placed(found, place):
            arcs = sentence.arcs if has_arcs else ()
            for k, task in enumerate(marked, 1):
                for span in sentence.spans[task]:
                    start, end = at.character + span.start_char, at.character + span.end_char
                    out.append(f"T{n * start + k}\t{span.label} {start} {end}\t{span.text}\n")
            tokens = [(at.character + a, at.character + b)
                      for a, b in zip(sentence.starts, sentence.ends, strict=True)]  # fmt: skip
            for tag, token, (start, end), arc in zip(
                parts_of_speech(sentence)[0] if arcs else (), sentence, tokens, arcs, strict=False
            ):
                name = f"T{n * start + n}"
                out.append(f"{name}\t{tag} {start} {end}\t{token.text}\n")
                if arc.head is not None:
                    head = f"T{n * tokens[arc.head][0] + n}"
                    out.append(f"R{start + 1}\t{arc.relation} Arg1:{head} Arg2:{name}\n")
        return "".join(out).encode("utf-8", "surrogateescape")


def _able(model, predicates, name):
    """Tasks of a format that a model has; raises SennaError if it has none."""
    able = [task for task in FORMATS[name].shows if task in model.tasks(predicates)]
    if not able:
        raise SennaError(f"{model.path}: has no network that --format {name} could print")
    return able
