"""Make sentences of sorts that are rare in corpora, from written.txt.

python recipes/en/written.py CORPORA

CORPORA has gazetteers/person.{first.nltk_kantrowitz,last.census1990}.txt and
gazetteers/location.nltk.txt. written.txt has lists of words and sentences with slots.
The script writes these column files to CORPORA/written:

- `names.tsv` (word, pos, ner): clubs, players, products, works, books, companies and
  agencies, most of whose names usually mean something else;
- `values.tsv` (word, pos, val): amounts, times, numbers that are no amounts, marks of
  lists;
- `short.tsv` (word, pos, chk, upos, head, relation): chat, dialect, recipes,
  instructions, headlines and quotations.

The sentences of `values` and `short` have their labels in written.txt; those of `names`
have the types of the slots.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path

from annotated import Annotated, write_annotated

from senna_py.cli.scripts import run_script

SEED = 1
# How many sentences are made of each one with slots.
TIMES = {"names": 60, "values": 25, "short": 40}
LOWER = 0.2  # the share of sentences without titles that are in lower case
TYPES = {
    **dict.fromkeys(("club", "club.bare", "company", "agency"), "ORG"),
    **dict.fromkeys(("player", "person", "first.PER"), "PER"),
    **dict.fromkeys(("product", "work", "book"), "MISC"),
    "city": "LOC",
}
# Tags of words in names that are not NNP.
_IN_NAMES = {
    **dict.fromkeys(("the", "a"), "DT"),
    **dict.fromkeys(("of", "in", "for", "with", "on", "from", "like"), "IN"),
    **{"and": "CC", "to": "TO", "'s": "POS", "'": "POS", "&": "CC", ",": ","},
    **dict.fromkeys(("11", "5", "14", "3", "7", "737", "99"), "CD"),
}
_UPOS = {
    **dict.fromkeys(("NN", "NNS"), "NOUN"),
    **dict.fromkeys(("NNP", "NNPS"), "PROPN"),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), "VERB"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "ADJ"),
    **dict.fromkeys(("RB", "RBR", "WRB"), "ADV"),
    **dict.fromkeys(("PRP", "WP", "WDT"), "PRON"),
    **dict.fromkeys((".", ",", ":", "``", "''"), "PUNCT"),
    **{"IN": "ADP", "RP": "ADP", "TO": "PART", "UH": "INTJ", "CD": "NUM", "DT": "DET"},
    **{"MD": "AUX", "CC": "CCONJ", "PRP$": "PRON"},
}

Make = Callable[[random.Random], str]


def made_values() -> dict[str, Make]:
    """Return the slots of numbers."""

    def amount(rng: random.Random) -> str:
        number = rng.choice([rng.randint(2, 99), rng.randint(100, 99999)])
        cents = f".{rng.randrange(100):02}" if rng.random() < 0.3 else ""
        return f"{number:,}{cents}"

    def clock(rng: random.Random) -> str:
        return f"{rng.randrange(24):02}:{rng.randrange(0, 60, 5):02}"

    def hour(rng: random.Random) -> str:
        minutes = rng.choice(["", "", ":30", ":15", ".30"])
        return f"{rng.randint(1, 12)}{minutes}{rng.choice(['am', 'pm'])}"

    def version(rng: random.Random) -> str:
        return ".".join(str(rng.randint(0, 20)) for _ in range(3))

    def address(rng: random.Random) -> str:
        return ".".join(str(rng.randint(1, 254)) for _ in range(4))

    def small(rng: random.Random) -> str:
        return rng.choice(
            [f"{rng.randint(1, 9)}.{rng.randint(1, 9)}", f"{rng.randint(2, 40)}"]
        )

    return {
        "amount": amount,
        "clock": clock,
        "hour": hour,
        "version": version,
        "address": address,
        "small": small,
        "number": lambda rng: str(rng.randint(2, 4000)),
    }


def read_written(path: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the lists and the sentences of written.txt, by their names."""
    lists: dict[str, list[str]] = {}
    sentences: dict[str, list[str]] = {}
    current: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# ") or not line:
            continue
        if line[0] == "@" and " " not in line:
            current = lists.setdefault(line[1:], [])
        elif line.startswith("= "):
            current = sentences.setdefault(line[2:], [])
        elif line[0] != "@":
            current.append(line)
    return lists, sentences


class Slots:
    """Fills slots at random."""

    def __init__(self, lists: dict[str, list[str]], rng: random.Random) -> None:
        """Take the lists by the names of their slots, and the random numbers."""
        self._lists, self._rng, self._values = lists, rng, made_values()

    def __call__(self, name: str, first: bool) -> str:
        """Return the tokens of a slot, between blanks.

        Args:
            name: The name of the slot.
            first: Whether the slot begins its sentence.
        """
        rng = self._rng
        if name in self._values:
            return self._values[name](rng)
        if name == "person":
            first_name = self("first", first)
            return (
                first_name
                if rng.random() < 0.15
                else f"{first_name} {self('last', first)}"
            )
        text = rng.choice(self._lists[name.partition(".")[0]])
        if name == "club.bare":
            return text.removeprefix("the ")
        if text.startswith("the ") and first:
            return text[:1].upper() + text[1:]
        return text


def with_names(line: str, slots: Slots, rng: random.Random) -> Annotated:
    """Return a sentence of names."""
    words, tags, names = [], [], []
    for cell in line.split(" "):
        if cell[0] != "{":
            word, _, tag = cell.rpartition("/")
            words.append(word)
            tags.append(tag)
            names.append("O")
            continue
        slot = cell[1:-1]
        tokens = slots(slot, not words).split(" ")
        here = [_IN_NAMES.get(token.lower(), "NNP") for token in tokens]
        if not any(tag == "NNP" for tag in here):
            here = ["NNP"] * len(here)
        # "the Bulls": the article is no part of the name of a club or an agency.
        article = (
            len(tokens) > 1 and tokens[0] in ("the", "The") and slot in _WITH_ARTICLE
        )
        words += tokens
        tags += here
        names += ["O"] * article
        names += _iobes(len(tokens) - article, TYPES[slot])
    # In lower case, titles are too much like other words.
    if "MISC" not in "".join(names) and rng.random() < LOWER:
        words = [word.lower() for word in words]
    return Annotated(words, {"pos": tags, "ner": names})


_WITH_ARTICLE = "club", "agency"


def _iobes(n: int, label: str) -> list[str]:
    if n == 1:
        return [f"S-{label}"]
    return [f"B-{label}", *[f"I-{label}"] * (n - 2), f"E-{label}"]


def with_values(line: str, slots: Slots, rng: random.Random) -> Annotated:
    """Return a sentence with values."""
    words, tags, values = [], [], []
    for cell in line.split(" "):
        word, tag, value = re.fullmatch(r"(.+?)/([^/]+)(?:/(\w-\w+))?", cell).groups()
        words.append(slots(word[1:-1], False) if word[0] == "{" else word)
        tags.append(tag)
        values.append(value or "O")
    return Annotated(words, {"pos": tags, "val": values})


def short(line: str, slots: Slots, rng: random.Random) -> Annotated:
    """Return a short sentence with chunks and dependencies."""
    sentence = Annotated(
        [], {name: [] for name in ("pos", "chk", "upos", "head", "relation")}
    )
    for cell in line.split(" "):
        word, tag, chunk, head, relation = re.fullmatch(
            r"(.+)/([^/]+)/(O|[BI]-\w+)/(\d+):([\w:]+)", cell
        ).groups()
        if word[0] == "{":
            token = slots(word[1:-1], False)
            is_name = tag == "NNP" or token.isupper()
            word = token if is_name or not sentence.words else token.lower()
        upos = _UPOS[tag]
        if relation.partition(":")[0] in ("aux", "cop"):
            upos = "AUX"
        elif relation == "mark" and tag == "IN":
            upos = "SCONJ"
        elif relation == "advmod" and word.lower() in ("not", "n't"):
            upos = "PART"
        elif tag == "DT" and relation != "det":
            upos = "PRON"
        elif relation == "nummod":
            upos = "NUM"
        row = tag, chunk, upos, head, relation
        sentence.words.append(word)
        for name, value in zip(sentence.columns, row, strict=True):
            sentence.columns[name].append(value)
    if rng.random() < 0.15:
        sentence.words = [word.lower() for word in sentence.words]
    if rng.random() < 0.1:
        sentence.words = [word.upper() for word in sentence.words]
    return sentence


MAKERS = {"names": with_names, "values": with_values, "short": short}


def main(directory: str) -> None:
    """Write the files."""
    lists, lines = read_written(Path(__file__).with_suffix(".txt"))
    gazetteers = Path(directory, "gazetteers")
    for slot, file in (
        ("first", "person.first.nltk_kantrowitz"),
        ("last", "person.last.census1990"),
        ("city", "location.nltk"),
    ):
        text = (gazetteers / f"{file}.txt").read_text(encoding="utf-8")
        names = [line for line in text.splitlines() if line and "(" not in line]
        lists[slot] = [
            name.title() if name.isupper() else name for name in names[:20_000]
        ]
    for name, make in MAKERS.items():
        rng = random.Random(SEED)
        slots = Slots(lists, rng)
        made = [make(line, slots, rng) for line in lines[name] * TIMES[name]]
        rng.shuffle(made)
        path = Path(directory, f"written/{name}.tsv")
        n_sentences, n_words = write_annotated(path, iter(made))
        print(f"{path}: {n_sentences:,} sentences, {n_words:,} words")


if __name__ == "__main__":
    run_script(main, __doc__)
