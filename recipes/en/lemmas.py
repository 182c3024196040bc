"""Give a model file the lemmas of EWT and GUM, with a dictionary.

python recipes/en/lemmas.py MODEL CORPORA OUT

CORPORA has {ewt,gum}/{train,dev}.conllu, and the dictionary wordnet/forms.tsv, which
wordnet.py makes. All other arrays of the model stay as they are.
"""

import json
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.io.toml import read_toml
from senna_py.labels.tasks import LEMMA, POS, UPOS, find_task
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.tagging.lexical import best_lemmas
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet


def learn(directory):
    """Learn the lemmas of the corpora; return them and the task that they need."""
    tasks = {name: find_task(name) for name in (POS, UPOS, LEMMA)}
    columns = ["form", "lemma", "upos", "pos=xpos"]
    train, dev = (
        read_sentences(
            [DataSet([f"ewt/{file}", f"gum/{file}"], columns)], tasks, directory
        )
        for file in ("train.conllu", "dev.conllu")
    )
    found, task, note = best_lemmas(train, dev, [Path(directory) / "wordnet/forms.tsv"])
    print(note)
    return task, found


def main(model, directory, out):
    """Write the model file."""
    metadata, tensors = read_tensors(model)
    task, found = learn(directory)
    about = json.loads(metadata["model"])
    about["info"]["attribution"] = read_toml(Path(__file__).parent / "model.toml")[
        "attribution"
    ]
    tasks = about["info"].get("tasks", [])
    if tasks and LEMMA not in tasks:
        tasks.append(LEMMA)
    arrays = {f"lemmas/{task}": found.array}
    write_tensors(out, metadata | {"model": json.dumps(about)}, tensors | arrays)


if __name__ == "__main__":
    run_script(main, __doc__)
