"""Write scores into a model file, where `senna-model info` prints them.

python recipes/en/write_scores.py MODEL SCORES NEW

SCORES is a JSON file with the scores of networks, as scores.sh prints them:
{"pos": {"dev": {"accuracy": 96.84}, "data": "EWT"}, ...}. A network that it does not
name has no scores in NEW. Everything else of the model stays as it is.
"""

import json
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.errors import SennaError
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors


def main(model, scores, new):
    """Write the model file."""
    metadata, tensors = read_tensors(NativeModel(model).path)
    header = json.loads(metadata["model"])
    by_network = json.loads(Path(scores).read_text("utf-8"))
    if unknown := by_network.keys() - {entry["name"] for entry in header["networks"]}:
        raise SennaError(
            f"{scores}: {model} has no network {', '.join(sorted(unknown))}"
        )
    for entry in header["networks"]:
        entry["info"].pop("scores", None)
        if entry["name"] in by_network:
            entry["info"]["scores"] = by_network[entry["name"]]
    write_tensors(new, metadata | {"model": json.dumps(header)}, tensors)


if __name__ == "__main__":
    run_script(main, __doc__)
