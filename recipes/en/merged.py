"""Write the corpora as column files in which a sentence has the labels of all tasks.

python recipes/en/merged.py CORPORA -path MODEL

The corpora are those of teacher/corpora.py, and CORPORA has {ewt,gum}/train.conllu and
labels/index.json. The script writes these files to CORPORA/merged, with their sentences as
often as teacher/corpora.py says:

- `ewt.tsv`, `gum.tsv`, `masc.tsv` and `masc.other.tsv`, with the columns that COLUMNS
  lists. Entities have probabilities, as in entities.py, which come from MODEL. Features
  of GUM are in the convention of EWT, as in features.py;
- `names.tsv`, with the sentences of which only the entities are known.

Words with the tag SU, a mark of transcripts, are left out. Labels that teachers do not
give are replaced by simpler ones or by O, so that a network that knows the labels of
the teachers can learn from all files.
"""

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotated import Annotated, write_annotated
from entities import entity_cells
from features import convert, read, sure_labels, write_converted
from teacher import corpora
from teacher.labels import cell_of

from senna_py.cli.scripts import run_script

SEED = 1
_TREES = ["pos", "ner", "pt0", "vbs", "psg"]
_ROLES = ["predicate", "roles"]
_ARCS = ["upos", "feats", "head", "relation"]
COLUMNS = {
    "ewt": ["word", *_TREES, *_ARCS, *_ROLES],
    "gum": ["word", "pos", "pt0", "psg", *_ARCS],
    "masc": ["word", *_TREES, *_ROLES],
    "masc.other": ["word", "pos", "pt0", "vbs", "psg", *_ROLES],
    "names": ["word", "ner"],
}


class Cells:
    """Makes the cells of sentences, with labels that the teachers know."""

    def __init__(self, labels: dict[str, list[str]]) -> None:
        """Take the labels of each task; see teacher/labels.py."""
        self._types = corpora.types_of(labels["psg"])
        self._names = labels["psg"]
        self._known = {task: {*names} for task, names in labels.items()}

    def annotated(self, s: Any, ner: list[str] | None) -> Annotated:
        """Return a sentence of teacher/corpora.py with all its columns.

        Args:
            s: The sentence.
            ner: The cells of its entities, if it has any labels of them.
        """
        columns = {name: s.tags.get(name) for name in ("pos", "pt0", "vbs")}
        columns["ner"] = ner
        if s.tree is not None:
            columns["psg"] = self._constituents(s)
        if s.dep is not None:
            head, relation, columns["upos"], columns["feats"] = s.dep
            columns["head"], columns["relation"] = (
                head,
                list(map(self._of_arc, relation)),
            )
        roles = []
        if s.roles is not None:
            marks = [w if i in s.roles else "-" for i, w in enumerate(s.words)]
            columns["predicate"] = marks
            roles = [self._roles(s.roles[i]) for i in sorted(s.roles)]
        return Annotated(s.words, {k: v for k, v in columns.items() if v}, roles)

    def _constituents(self, s: Any) -> list[str]:
        cells: list[dict[str, float]] = [{} for _ in s.words]
        for (first, last), kind in corpora.constituents(s.tree, self._types):
            cells[first][f"{self._names[kind]}/{last + 1 - first}"] = 1.0
        return list(map(cell_of, cells))

    def _of_arc(self, relation: str) -> str:
        known = self._known["rel"]
        shorter = relation, relation.partition(":")[0], "dep"
        return next(name for name in shorter if name in known)

    def _roles(self, tags: list[str]) -> list[str]:
        return [tag if tag in self._known["srl"] else "O" for tag in tags]


def with_dependencies(sentences: list[Any], directory: str) -> None:
    """Add the dependencies of EWT and GUM, with features in the convention of EWT."""
    ewt, gum = (read(directory, name, "train") for name in ("ewt", "gum"))
    convert(gum, sure_labels(ewt, 4), sure_labels(gum, 2))
    with tempfile.TemporaryDirectory() as converted:
        for name, bank in (("ewt", ewt), ("gum", gum)):
            Path(converted, name).mkdir()
            file = f"{name}/train.conllu"
            write_converted(Path(directory, file), bank.feats, Path(converted, file))
        corpora.add_dependencies(sentences, converted)


def group_of(sentence: Annotated) -> str | None:
    """Return the key of COLUMNS whose columns a sentence has, or None."""
    has = {*sentence.columns} | (
        {"roles"} if "predicate" in sentence.columns else set()
    )
    for name, columns in COLUMNS.items():
        if has == {*columns[1:]}:
            return name
    return None


def repeated(sentences: list[Any], rng: random.Random) -> Iterator[int]:
    """Yield the indices of sentences, each as often as its corpus says."""
    for i, s in enumerate(sentences):
        n = int(s.times) + (rng.random() < s.times % 1)
        yield from [i] * n


def main(directory: str, *options: str) -> None:
    """Write the files."""
    index = json.loads(Path(directory, "labels/index.json").read_text())
    sentences = corpora.training(directory)
    with_dependencies(sentences, directory)
    labeled = [s for s in sentences if s.options]
    cells = dict(zip(map(id, labeled), entity_cells(labeled, options), strict=True))
    make, groups = Cells(index["labels"]), {name: [] for name in COLUMNS}
    for i in repeated(sentences, random.Random(SEED)):
        s = sentences[i]
        sentence = make.annotated(s, cells.get(id(s)))
        tags = sentence.columns.get("pos", ())
        whole = sentence.without({k for k, tag in enumerate(tags) if tag == "SU"})
        if whole is not None and (group := group_of(whole)) is not None:
            names = COLUMNS[group][1:]
            whole.columns = {k: whole.columns[k] for k in names if k != "roles"}
            groups[group].append(whole)
    for name, group in groups.items():
        path = Path(directory, f"merged/{name}.tsv")
        n_sentences, n_words = write_annotated(path, iter(group))
        print(f"{name}: {n_sentences:,} sentences, {n_words:,} words")


if __name__ == "__main__":
    run_script(main, __doc__)
