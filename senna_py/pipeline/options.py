"""The options for reading text and splitting it into sentences."""

from dataclasses import dataclass
from typing import Protocol

from senna_py.corpora.conllu import MULTIWORDS
from senna_py.corpora.layouts import LAYOUTS
from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting
from senna_py.text.token_standards import STANDARDS

# What counts as one document.
LINES, FILES = "lines", "files"


class Note(Protocol):
    """A function that shows the user a line, but only the first one on each topic."""

    def __call__(self, line: str, topic: str | None = None) -> object: ...


@dataclass(frozen=True, kw_only=True)
class TextOptions(Settings):
    """The options for reading text and splitting it into sentences."""

    usrtokens: bool = setting(
        False, "The text is tokenized: tokens are separated by white space."
    )
    tokens: str | None = setting(
        None,
        "Standard of tokens, if the model supports both: ud (Universal Dependencies) or ptb "
        "(Penn Treebank); default: ud for CoNLL-U and dependencies, else ptb.",
        choices=STANDARDS,
        metavar="NAME",
    )
    layout: str | None = setting(
        None,
        f"The inputs are column files of this layout: {', '.join(LAYOUTS)}.",
        choices=LAYOUTS,
        metavar="NAME",
    )
    multiwords: str = setting(
        "words",
        "In CoNLL-U, read syntactic words, or the surface tokens of ranges such as 3-4.",
        choices=MULTIWORDS,
    )
    split_sentences: bool = setting(
        False, "Each line is a paragraph: split it into sentences."
    )
    paragraphs: bool = setting(
        False,
        "Empty lines separate paragraphs: join their lines and split them into sentences.",
    )
    documents: str = setting(
        LINES,
        "What a document is, in which the same name is read alike: lines, each answered at "
        "once, or files, up to 64 KB at a time.",
        choices=(LINES, FILES),
    )
    encoding: str | None = setting(
        None,
        "Encoding of the text, such as cp1252; default: UTF-8, or by the byte-order mark.",
        metavar="NAME",
    )
    column: str | None = setting(
        None,
        "The inputs are CSV or TSV with a header: this column has the texts; others are kept.",
        metavar="NAME",
    )
    field: str | None = setting(
        None,
        "The inputs are JSON lines or an array: this field has the texts; others are kept.",
        metavar="NAME",
    )
    id_from: str | None = setting(
        None,
        "With --column or --field: the one that names each record; default: FILE:LINE.",
        metavar="NAME",
    )
    no_quotes: bool = setting(
        False, "With --column: quotation marks in TSV are part of the text."
    )
    usrvbs: str | None = setting(
        None, "Read predicates from FILE: a line per token, - for none.", metavar="FILE"
    )
    limit: int | None = setting(
        None,
        "Read only the first N sentences of each file, or the first N records.",
        least=1,
    )

    @property
    def splits(self) -> bool:
        """Whether lines or paragraphs are split into sentences."""
        return self.split_sentences or self.paragraphs

    @property
    def has_records(self) -> bool:
        """Whether the inputs are records, each with a text."""
        return self.column is not None or self.field is not None

    def check(self) -> None:
        """Raise UsageError for conflicting options or an unknown encoding."""
        self._check_records()
        if self.tokens is not None:
            for name in ("usrtokens", "layout"):
                if getattr(self, name):
                    raise UsageError(f"tokens cannot be used with {name}")
        for name in ("paragraphs", "limit"):
            if self.usrvbs is not None and getattr(self, name):
                raise UsageError(f"{name} cannot be used with usrvbs")
        if self.encoding is not None:
            try:
                "a".encode(self.encoding)
            except (LookupError, ValueError):
                raise UsageError(
                    f"encoding: no such encoding: {self.encoding!r}"
                ) from None

    def _check_records(self) -> None:
        """Raise UsageError for options that records exclude or require."""
        if self.column is not None and self.field is not None:
            raise UsageError("column is of CSV, and field of JSON lines: name one")
        if self.no_quotes and self.column is None:
            raise UsageError("no-quotes can be used only with column")
        if self.id_from is not None and not self.has_records:
            raise UsageError("id-from can be used only with column and field")
        if self.has_records and self.documents != LINES:
            raise UsageError(
                "documents cannot be used with records: each is a document"
            )
        for name in ("layout", "usrvbs"):
            if self.has_records and getattr(self, name) is not None:
                raise UsageError(
                    f"{name} cannot be used with {'field' if self.field else 'column'}"
                )
