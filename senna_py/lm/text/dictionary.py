"""Dictionaries of look-up forms: the words of a text that are in one, some before others."""

from itertools import chain
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.io.overwriting import reads
from senna_py.text.folding import fold_words

__all__ = ["KEYS", "PADDING", "UNKNOWN", "column_words", "let_in", "words_of_columns"]

PADDING, UNKNOWN = 0, 1
KEYS = ("PADDING", "UNKNOWN")  # that every dictionary begins with


def column_words(path):
    """Look-up forms of the first column of a column file: a list of str; raises SennaError."""
    reads(path)
    try:
        text = Path(path).read_text("utf-8", "surrogateescape")
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
    rows = (line.split(None, 1) for line in text.split("\n"))
    return fold_words([row[0] for row in rows if row])


def words_of_columns(paths):
    """Look-up forms of the first columns of several column files: a set of str."""
    return set(chain.from_iterable(map(column_words, paths)))


def let_in(order, words, wanted, room):
    """Places of words in a new order, whose first `room` have every word that is wanted.

    order: list of int, places in `words`, a list of str, the first as important as can be; wanted:
    a set of str. Otherwise the order stays as it is.
    """
    forced = [i for i in order if words[i] in wanted]
    others = [i for i in order if words[i] not in wanted]
    first = {*forced[:room], *others[: max(room - len(forced), 0)]}
    return sorted(order, key=lambda i: i not in first)
