"""The dilated approach from its settings to tags: trained, stored, resumed, tagged."""

import subprocess
import sys
from itertools import chain

import pytest

from senna_py.errors import SennaError
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.trainer import decode
from tests.helpers.small_corpora import run, settings

NETWORK = {"approach": "dilated", "width": 16, "dilations": [1, 2], "hidden": 12, "reach": 4}


def dilated(task="chk", network=(), **training):
    return settings(task, network=NETWORK | dict(network), training=training)


@pytest.fixture(scope="module")
def model(corpora, tmp_path_factory):
    """Path of a model with chunks and roles by the dilated approach, and the run of chunks."""
    directory = tmp_path_factory.mktemp("dilated")
    runs = []
    for task in ("vbs", "chk", "srl"):
        runs.append(run(directory / task, dilated(task, epochs=8), corpora))
        assert runs[-1].trainer().run()
    build_model(directory / "all", [made.directory for made in runs])
    return directory / "all", runs[1]


def test_a_tagger_gives_what_training_scored(model):
    path, made = model
    tagger = Tagger(path, ["chk", "srl"])
    tokens = tagger.tokenizer.pretokenized(made.data.dev.words)
    found = tagger.annotate(tokens)
    network = NativeModel(path).network("chk")
    tags = decode({"chk": network}, made.problem)["chk"]
    keys = made.data.kinds["chk"].keys
    assert [keys[i] for i in found.found["chk"].labels] == list(chain(*tags))
    assert tagger.longest_sentence == 1024


@pytest.mark.process
def test_a_short_text_is_tagged_without_numba(model):
    code = (
        "import sys, senna_py\n"
        "sentence = senna_py.load(sys.argv[1])('the big dog sees Anna .')\n"
        "print(*(token.chk for token in sentence.tokens))\n"
        "assert 'numba' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(model[0])], capture_output=True, text=True, check=False
    )
    assert not done.stderr
    assert done.stdout.split() == ["B-NP", "I-NP", "E-NP", "S-VP", "S-NP", "O"]


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ({"hidden": 0}, "roles need hidden units, found hidden = 0"),
        ({"dilations": []}, "network.dilated.dilations: expected 1 to 64 numbers"),
        ({"dilations": [1, 0]}, r"from 1 to 1,024, found \[1, 0\]"),
        ({"dilations": 2}, "network.dilated.dilations: expected a list, found 2"),
        ({"kernel": 4}, "network.dilated.kernel: expected odd numbers, 1,001 at most, found 4"),
        ({"kernel": [3]}, "network.dilated.kernel: 1 sizes for 2 dilations"),
        ({"kernel": "3"}, "network.dilated.kernel: expected a whole number or a list, found '3'"),
        ({"width": 0}, "network.dilated.width: expected 1 at least, found 0"),
    ],
)
def test_settings_that_cannot_be(network, message):
    with pytest.raises(SennaError, match=message):
        settings("srl", network={"approach": "dilated", "dilations": [1, 2], **network})
