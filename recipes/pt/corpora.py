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

from collections.abc import Iterator, Sequence
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.corpora.conllu import ConlluFile, ConlluSentence
from senna_py.errors import SennaError
from senna_py.treebanks.entities import KEY, read_entities

CONTENT = "NOUN", "VERB", "ADJ"


def is_in_convention_of_bosque(sentence: ConlluSentence) -> bool:
    """Return whether most content words of a sentence have features.

    The sentences of GSD in its older convention have features of articles, numbers and
    the like only.
    """
    words = zip(sentence.column("upos"), sentence.column("feats"), strict=True)
    features = [feats for upos, feats in words if upos in CONTENT]
    with_features = sum(feature != "_" for feature in features)
    return 2 * with_features > len(features)


def add_entities(sentence: ConlluSentence, tags: Sequence[str]) -> None:
    """Add the tags of a sentence's entities to MISC in `file_lines`."""
    for number, (row,), tag in zip(sentence.lines, sentence.rows, tags, strict=True):
        misc = [] if row[-1] == "_" else [row[-1]]
        cells = [*row[:-1], "|".join([f"{KEY}={tag}", *misc])]
        sentence.file_lines[number - sentence.first_line] = "\t".join(cells)


def with_entities(treebank: Path, entities: Path) -> Iterator[ConlluSentence]:
    """Yield the sentences of a treebank with their entities, found by their words."""
    tags_of: dict[tuple[str, ...], list[str]] = {}
    for rows in read_entities(entities):
        tags_of[tuple(word for word, _ in rows)] = [tag for _, tag in rows]
    for sentence in ConlluFile(treebank):
        words = tuple(sentence.forms)
        if words not in tags_of:
            raise SennaError(f"{entities}: it lacks the sentence {' '.join(words)}")
        add_entities(sentence, tags_of[words])
        yield sentence


def main(treebanks: str, corpora: str) -> None:
    """Write the files of CORPORA."""
    source, target = Path(treebanks), Path(corpora)
    target.mkdir(parents=True, exist_ok=True)
    for name in ("train", "dev"):
        bosque, gsd = source / "pt_bosque", source / "pt_gsd" / f"{name}.conllu"
        parts: dict[str, list[ConlluSentence]] = {"gsd": [], "gsd-old": []}
        for sentence in ConlluFile(gsd):
            is_new = is_in_convention_of_bosque(sentence)
            parts["gsd" if is_new else "gsd-old"].append(sentence)
        labeled = with_entities(bosque / f"{name}.conllu", bosque / f"ner.{name}")
        parts["bosque"] = [*labeled]
        for part, sentences in parts.items():
            text = b"".join(sentence.file_bytes() for sentence in sentences)
            (target / f"{part}.{name}.conllu").write_bytes(text)
        if name == "train":
            lines = (
                " ".join(form.replace(" ", "_") for form in sentence.forms) + "\n"
                for sentences in parts.values()
                for sentence in sentences
            )
            (target / "words.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    run_script(main, __doc__)
