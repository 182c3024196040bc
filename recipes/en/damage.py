"""Copy labeled sentences as people, programs and scanners damage them.

python recipes/en/damage.py FILE OUT --columns word,pos,... [--share S] [--seed N]
python recipes/en/damage.py FILE OUT --columns word,-,ner --by lower

The words of a sentence change, but its tokens and labels stay, except that punctuation
may go. Columns are those of annotated.py, and a column named `-` is copied. --share
says how many of the sentences are copied; each is damaged in one of these ways, which
--by names for all sentences:

- lower: in lower case
- unpunctuated: without punctuation
- lower-unpunctuated: both
- unfinished: without the punctuation at the end
- upper: in capitals
- title: with a capital at the beginning of each word
- typed: with typing errors, sometimes in lower case
- scanned: with letters that scanners mistake for others
"""

import random
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from annotated import Annotated, read_annotated, write_annotated

# How often each way is chosen, in percent.
SHARES = {
    "lower": 27,
    "unpunctuated": 10,
    "lower-unpunctuated": 23,
    "unfinished": 8,
    "upper": 8,
    "title": 5,
    "typed": 12,
    "scanned": 7,
}
# Neighbors of letters on an English keyboard.
_KEYS = "qwertyuiop", "asdfghjkl", "zxcvbnm"
_NEAR = {
    letter: row[max(i - 1, 0) : i] + row[i + 1 : i + 2]
    for row in _KEYS
    for i, letter in enumerate(row)
}
# What scanners read in place of letters.
_SCANNED = {
    **{"rn": "m", "m": "rn", "cl": "d", "d": "cl", "vv": "w", "li": "h", "ri": "n"},
    **{"l": "1", "I": "l", "i": "l", "O": "0", "o": "0", "e": "c", "c": "e", "h": "b"},
    **{
        "B": "8",
        "S": "5",
        "s": "5",
        "g": "9",
        "t": "f",
        "f": "t",
        "u": "ii",
        "n": "ri",
    },
}
# Marks that belong to words or numbers, which stay where punctuation goes.
_NO_PUNCTUATION = {*"%&@#*/\\"}
_TYPED, _SCANNED_SHARE = (0.08, 0.25), (0.05, 0.2)  # the shares of damaged words
_LEAST = 4  # the number of letters of words with typing errors


def is_punctuation(word: str) -> bool:
    """Return whether a token consists of punctuation marks."""
    return all(
        unicodedata.category(c).startswith("P") or c == "`" for c in word
    ) and not (_NO_PUNCTUATION & {*word})


def unpunctuated(sentence: Annotated, _: random.Random) -> Annotated | None:
    """Return the sentence without its punctuation."""
    words = enumerate(sentence.words)
    return sentence.without({i for i, word in words if is_punctuation(word)})


def unfinished(sentence: Annotated, _: random.Random) -> Annotated | None:
    """Return the sentence without the punctuation at its end."""
    end = len(sentence.words)
    while end and is_punctuation(sentence.words[end - 1]):
        end -= 1
    return sentence.without({*range(end, len(sentence.words))})


def by_word(change: Callable[[str], str]) -> Callable[..., Annotated]:
    """Return a way of damage that changes each word."""

    def damaged(sentence: Annotated, _: random.Random) -> Annotated:
        words = [change(word) or word for word in sentence.words]
        return Annotated(words, sentence.columns, sentence.roles)

    return damaged


def typed(sentence: Annotated, rng: random.Random) -> Annotated:
    """Return the sentence with typing errors."""
    share, lower = rng.uniform(*_TYPED), rng.random() < 0.4
    apostrophes = rng.random() < 0.5

    def changed(word: str) -> str:
        if "'" in word[1:] and apostrophes:
            return word.replace("'", "")
        if len(word) >= _LEAST and word.isalpha() and rng.random() < share:
            return _mistyped(word, rng)
        return word

    words = [changed(word) for word in sentence.words]
    if lower:
        words = [word.lower() for word in words]
    return Annotated(words, sentence.columns, sentence.roles)


def _mistyped(word: str, rng: random.Random) -> str:
    i = rng.randrange(1, len(word))
    error = rng.choice(["swap", "swap", "drop", "drop", "double", "near"])
    if error == "swap":
        i = min(i, len(word) - 2)
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if error == "drop":
        return word[:i] + word[i + 1 :]
    if error == "double":
        return word[:i] + word[i] + word[i:]
    return word[:i] + rng.choice(_NEAR.get(word[i], word[i])) + word[i + 1 :]


def scanned(sentence: Annotated, rng: random.Random) -> Annotated:
    """Return the sentence with errors of scanners."""
    share = rng.uniform(*_SCANNED_SHARE)
    words = [
        _misread(word, rng) if rng.random() < share else word for word in sentence.words
    ]
    return Annotated(words, sentence.columns, sentence.roles)


def _misread(word: str, rng: random.Random) -> str:
    places = [
        (i, length)
        for length in (1, 2)
        for i in range(len(word) + 1 - length)
        if word[i : i + length] in _SCANNED
    ]
    if not places or len(word) < 2:
        return word
    i, length = rng.choice(places)
    return word[:i] + _SCANNED[word[i : i + length]] + word[i + length :]


def _lower_unpunctuated(sentence: Annotated, rng: random.Random) -> Annotated | None:
    return unpunctuated(WAYS["lower"](sentence, rng), rng)


WAYS: dict[str, Callable[..., Annotated | None]] = {
    "lower": by_word(str.lower),
    "unpunctuated": unpunctuated,
    "lower-unpunctuated": _lower_unpunctuated,
    "unfinished": unfinished,
    "upper": by_word(str.upper),
    "title": by_word(lambda word: word[:1].upper() + word[1:]),
    "typed": typed,
    "scanned": scanned,
}


def damaged(
    sentences: Iterator[Annotated], share: float, way: str | None, seed: int
) -> Iterator[Annotated]:
    """Yield damaged copies of sentences.

    Args:
        sentences: The sentences.
        share: The share of the sentences that are copied.
        way: A key of WAYS, or None for a random one.
        seed: The random seed.
    """
    rng = random.Random(seed)
    names, weights = [*SHARES], [*SHARES.values()]
    for sentence in sentences:
        if rng.random() < share:
            chosen = way or rng.choices(names, weights)[0]
            copy = WAYS[chosen](sentence, rng)
            if copy is not None and (way or copy.words != sentence.words):
                yield copy


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--columns", required=True, help="the names of the columns of FILE")
@click.option("--share", default=1.0, help="the share of the sentences to copy")
@click.option("--by", "way", type=click.Choice([*WAYS]), help="the only damage")
@click.option("--seed", default=1, help="the random seed")
def main(
    file: Path, out: Path, columns: str, share: float, way: str | None, seed: int
) -> None:
    """Write damaged copies of the sentences of FILE to OUT."""
    names = [
        f"-{i}" if name == "-" else name for i, name in enumerate(columns.split(","))
    ]
    sentences = read_annotated(file, names)
    n_sentences, n_words = write_annotated(out, damaged(sentences, share, way, seed))
    print(f"{out}: {n_sentences:,} sentences, {n_words:,} words")


if __name__ == "__main__":
    main()
