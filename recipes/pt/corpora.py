"""Prepare the corpora of the Portuguese model.

python recipes/pt/corpora.py TREEBANKS CORPORA

TREEBANKS has the directories pt_gsd and pt_bosque of Universal Dependencies, each with
train.conllu and dev.conllu, and pt_bosque/ner.train and pt_bosque/ner.dev: the words of
Bosque with IOB2 tags of Universal NER. For each of train and dev, CORPORA gets

    bosque.*.conllu     the sentences of Bosque, with their entities in MISC
    gsd.*.conllu        the sentences of GSD in the convention of Bosque
    gsd-old.*.conllu    the other sentences of GSD
    words.txt           the words of all training files, a sentence per line
"""

from collections.abc import Iterator
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.errors import SennaError

CONTENT = "NOUN", "VERB", "ADJ"
FORM, UPOS, FEATS, MISC = 1, 3, 5, 9
Block = list[str]  # the lines of a sentence
Row = list[str]  # the columns of a line


def blocks(path: Path) -> Iterator[Block]:
    """Yield the sentences of a file, each as its lines without line ends."""
    block: Block = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            block.append(line)
        elif block:
            yield block
            block = []


def words_of(block: Block) -> list[Row]:
    """Return the rows of the words of a sentence of CoNLL-U."""
    rows = (line.split("\t") for line in block if not line.startswith("#"))
    return [row for row in rows if row[0].isdigit()]


def is_in_convention_of_bosque(block: Block) -> bool:
    """Return whether most content words of a sentence have features.

    The sentences of GSD in its older convention have features of articles, numbers and
    the like only.
    """
    features = [row[FEATS] for row in words_of(block) if row[UPOS] in CONTENT]
    with_features = sum(feature != "_" for feature in features)
    return 2 * with_features > len(features)


def add_entities(block: Block, tags: list[str]) -> Block:
    """Return the lines of a sentence with the tags of its entities in MISC."""
    lines, remaining = [], iter(tags)
    for line in block:
        row = line.split("\t")
        if row[0].isdigit():
            misc = [] if row[MISC] == "_" else [row[MISC]]
            row[MISC] = "|".join([f"NER={next(remaining)}", *misc])
        lines.append("\t".join(row))
    return lines


def with_entities(treebank: Path, entities: Path) -> Iterator[Block]:
    """Yield the sentences of a treebank with their entities, found by their words."""
    tags_of: dict[tuple[str, ...], list[str]] = {}
    for block in blocks(entities):
        pairs = [line.rsplit(" ", 1) for line in block]
        tags_of[tuple(word for word, _ in pairs)] = [tag for _, tag in pairs]
    for block in blocks(treebank):
        words = tuple(row[FORM] for row in words_of(block))
        if words not in tags_of:
            raise SennaError(f"{entities}: it lacks the sentence {' '.join(words)}")
        yield add_entities(block, tags_of[words])


def write(path: Path, sentences: list[Block]) -> None:
    """Write sentences of CoNLL-U."""
    lines = ("\n".join([*block, "", ""]) for block in sentences)
    path.write_text("".join(lines), encoding="utf-8")


def main(treebanks: str, corpora: str) -> None:
    """Write the files of CORPORA."""
    source, target = Path(treebanks), Path(corpora)
    target.mkdir(parents=True, exist_ok=True)
    for name in ("train", "dev"):
        bosque, gsd = source / "pt_bosque", source / "pt_gsd" / f"{name}.conllu"
        parts: dict[str, list[Block]] = {"gsd": [], "gsd-old": []}
        for block in blocks(gsd):
            is_new = is_in_convention_of_bosque(block)
            parts["gsd" if is_new else "gsd-old"].append(block)
        labeled = with_entities(bosque / f"{name}.conllu", bosque / f"ner.{name}")
        parts["bosque"] = [*labeled]
        for part, sentences in parts.items():
            write(target / f"{part}.{name}.conllu", sentences)
        if name == "train":
            text = (
                " ".join(row[FORM].replace(" ", "_") for row in words_of(block))
                for sentences in parts.values()
                for block in sentences
            )
            words = "".join(f"{line}\n" for line in text)
            (target / "words.txt").write_text(words, encoding="utf-8")


if __name__ == "__main__":
    run_script(main, __doc__)
