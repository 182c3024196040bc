"""Build the model of one convention of the Portuguese treebanks.

python recipes/pt/build.py RUN TOKENS TREEBANKS INFO.toml MODEL NAME=NETWORK...

RUN has the networks of two conventions, such as dep and dep_gsd. MODEL gets the listed
networks under new names, such as dep=dep_gsd, the learned tokenizer of the run TOKENS,
and the words of the multiword tokens of TREEBANKS, which are files of CoNLL-U that are
separated by commas. Its word vectors have 8 bits.
"""

from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from senna_py.cli.scripts import run_script
from senna_py.corpora.raw_text import read_paragraphs
from senna_py.errors import SennaError
from senna_py.features.combination_lists import CombinationLists
from senna_py.io.toml import read_toml
from senna_py.labels.tasks import LEMMA
from senna_py.models.build import build_model
from senna_py.models.joining import all_resources
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.treebanks.tokenization import learn_word_splitter


def write_renamed(model: NativeModel, networks: dict[str, str], path: Path) -> None:
    """Write a model with some of the networks of another, under new names.

    Args:
        model: The other model.
        networks: The names of its networks, by their names in the new model.
        path: The file of the new model.
    """
    for network in networks.values():
        if network not in model.networks:
            known = ", ".join(model.networks)
            raise SennaError(f"{model.path}: no network {network!r}; it has {known}")
    parts = [
        replace(model.part(network), name=name) for name, network in networks.items()
    ]
    own = {key: value for key, value in model.info.items() if key not in model.networks}
    info = own | {"tasks": [*networks, LEMMA]}
    resources = all_resources(model)
    is_renamed = any(name != network for name, network in networks.items())
    if is_renamed:  # Combinations have labels of one convention.
        resources[CombinationLists.place] = {}
    write_model(path, model.words, model.vectors, parts, resources, info)


def main(
    run: str, tokens: str, treebanks: str, info: str, path: str, *networks: str
) -> None:
    """Write the model `path`."""
    paragraphs = chain.from_iterable(map(read_paragraphs, treebanks.split(",")))
    names = {}
    for argument in networks:
        name, _, network = argument.partition("=")
        names[name] = network or name
    with TemporaryDirectory() as directory:
        renamed = Path(directory) / "renamed.safetensors"
        write_renamed(NativeModel(run), names, renamed)
        build_model(
            path,
            [str(renamed), tokens],
            info=read_toml(info),
            vector_bits=8,
            word_splitter=learn_word_splitter(paragraphs),
        )


if __name__ == "__main__":
    run_script(main, __doc__)
