"""Let the names that a document repeats be labeled alike by a model file.

python recipes/en/pooling.py MODEL OUT [SHARE [NETWORK]]

SHARE (0.8) is the share of the rest of the document in the probabilities of a repeated
name, and NETWORK (ner) the network that labels names. The share was chosen on EWT, MASC,
Wikigold and CoNLL-2003 (dev). Everything else of the model stays as it is.
"""

import json

from senna_py.cli.scripts import run_script
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors


def main(model, out, share="0.8", network="ner"):
    """Write the model file."""
    metadata, tensors = read_tensors(NativeModel(model).path)
    header = json.loads(metadata["model"])
    for entry in header["networks"]:
        if entry["name"] == network:
            entry["pooling"] = float(share)
    write_tensors(out, metadata | {"model": json.dumps(header)}, tensors)
    NativeModel(out).part(network)  # which checks it


if __name__ == "__main__":
    run_script(main, __doc__)
