from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.answers.layer import Layer
from senna_py.answers.reading import sentences
from senna_py.cli.model_summary import model_summary, summary_lines
from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch
from senna_py.features.registry import RESOURCES
from senna_py.features.word_class import WordClasses
from senna_py.labels.tasks import find_task
from senna_py.layers.lookup import ByteRows, ChangedTable, dense
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.joining import all_resources
from senna_py.models.native import NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.tagger import Tagger
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_split_learning import learn_words
from tests.helpers.native_models import (
    ARGUMENTS,
    WORDS,
    all_parts,
    arc_parts,
    by_sentence,
    change,
    change_array,
    dilated_parts,
    joint_parts,
    model_arguments,
    random_part,
    senna_parts,
    stored,
    vectors,
    write_parts,
)
from tests.helpers.refusal import refusal


@pytest.fixture
def path(tmp_path):
    """File of a native model with every feature and every kind of network."""
    return write_parts(
        tmp_path / "model.safetensors", all_parts(np.random.default_rng(0))
    )


def assert_same_part(found, expected, bits):
    """A part that was read is the one that was written, in rounded numbers."""
    assert (found.name, found.features, found.info) == (
        expected.name,
        expected.features,
        expected.info,
    )
    assert found.labels.keys() == expected.labels.keys()
    lists = {name: v.keys() for name, v in found.vocabularies.items()}
    assert lists == {name: v.keys() for name, v in expected.vocabularies.items()}
    assert type(found.network) is type(expected.network)
    ours, theirs = found.network, expected.network
    assert ours.sizes() == theirs.sizes()
    assert np.array_equal(ours.padding, theirs.padding)
    for feature, one, other in zip(
        found.features, ours.tables, theirs.tables, strict=True
    ):
        rounded = dense(other).astype(np.float16)
        if bits == 8 and feature == "word":
            rounded = ByteRows.of(dense(other)).dense()
        assert np.array_equal(dense(one), rounded)
    assert ours.arrays().keys() == theirs.arrays().keys()
    for name, array in ours.arrays().items():
        assert dense(array).dtype == np.float32
        assert np.array_equal(
            dense(array), stored(ours, name, dense(theirs.arrays()[name]))
        )


MAKERS = all_parts, senna_parts, dilated_parts, joint_parts, arc_parts


@pytest.mark.parametrize("bits", [8, 16])
@settings(max_examples=10)
@given(seed=st.integers(0, 99), make=st.sampled_from(MAKERS))
def test_round_trip(tmp_path_factory, seed, make, bits):
    path = tmp_path_factory.mktemp("native") / "new" / "model.safetensors"
    arguments = model_arguments(make(np.random.default_rng(seed)), bits)
    words, shared, parts, resources, info = arguments
    write_model(path, *arguments)
    model = NativeModel(path.parent)
    assert model.path == path
    assert model.info == info
    assert model.words.keys() == words.keys()
    assert model.vector_bits == bits
    assert np.array_equal(dense(model.vectors), dense(shared))
    assert model.networks == tuple(part.name for part in parts)
    for place in RESOURCES:
        assert model.resources(place) == tuple(resources.get(place, {}))
        for name, resource in resources.get(place, {}).items():
            assert np.array_equal(model.resource(place, name).array, resource.array)
    for part in parts:
        assert_same_part(model.part(part.name), part, bits)
    # What was read can be written again, and is the same.
    again = path.with_name("again.safetensors")
    read = [model.part(name) for name in model.networks]
    write_model(again, model.words, model.vectors, read, all_resources(model), info)
    assert again.read_bytes() == path.read_bytes()
    assert build_model(again, [path]).read_bytes() == path.read_bytes()


def test_only_changed_rows_of_the_words_are_kept(path):
    _, tensors = read_tensors(path)
    assert tensors["networks/pos/changed_rows"].shape == (5,)
    assert tensors["networks/pos/changed_vectors"].dtype == np.float16
    assert isinstance(NativeModel(path).network("pos").tables[0], ChangedTable)
    assert "networks/mine/changed_rows" not in tensors  # it sees no words


def test_the_tagger_runs_on_it(path):
    model = Model(path)
    assert model.tasks() == ("pos", "pt0", "srl", "psg", "mine")
    assert model.default_tasks() == ("pos", "srl", "psg")
    tagger = Tagger(model, ["pos", "srl", "psg"])
    text = "He reads in New York City ."
    sentence = tagger(text)
    tokens = tagger.tokenizer.texts([text])
    # The same by the networks with all numbers in memory.
    for name, network in tagger._networks.items():
        tables = [dense(table) for table in network.tables]
        tagger._networks[name] = network.changed(tables=tables)
    assert sentences(tagger.annotate(tokens), {0: text}) == [sentence]
    assert len(set(sentence.tags["pos"])) > 1


def test_networks_may_have_lists_of_their_own(tmp_path):
    """A feature of one name is computed for each network by its own keys."""
    rng = np.random.default_rng(0)
    parts = [part for part in all_parts(rng) if part.name in ("pos", "pt0")]
    for part in parts:
        part.features = tuple("caps" if f == "shape" else f for f in part.features)
    words, shared, parts, resources, info = model_arguments(all_parts(rng))
    other = next(part for part in parts if part.name == "pt0")
    other.features = ("word", "shape", "pos")
    keys = ["UNKNOWN", "a", "Aa", "PADDING", "0"]  # as many as its caps had
    del other.vocabularies["caps"]
    other.vocabularies["shape"] = Vocabulary.from_keys(keys)
    write_model(tmp_path / "model", words, shared, parts, resources, info)
    tagger = Tagger(tmp_path / "model", ["pt0"])
    tokens = tagger.tokenizer.texts(["Anna reads 5"])
    batch = Batch(tokens, {"pos": Layer(find_task("pos"), (), np.zeros(3, np.int32))})
    first, second = (
        Assembly.of_network(tagger.model.storage, name)(batch)[:, 1]
        for name in ("pos", "pt0")
    )
    assert first.tolist() == [2, 3, 1]  # of PADDING UNKNOWN Aa a
    assert second.tolist() == [2, 1, 4]


def test_what_the_sentence_approach_labels_is_checked(tmp_path):
    parts = by_sentence(all_parts(np.random.default_rng(0)), "pos")
    with pytest.raises(
        SennaError, match="srl: sentence networks for words cannot do this task"
    ):
        write_parts(
            tmp_path / "a",
            [replace(part, name="srl") for part in parts if part.name == "pos"],
        )
    roles = next(part for part in parts if part.name == "srl")
    with pytest.raises(
        SennaError, match="pt0: sentence networks for roles cannot do this task"
    ):
        write_parts(tmp_path / "a", [replace(roles, name="pt0")])


def test_roles_are_no_feature(tmp_path):
    parts = all_parts(np.random.default_rng(0))
    mine = next(part for part in parts if part.name == "mine")
    mine.features = ("caps", "srl")
    with pytest.raises(
        SennaError, match="network mine: srl does not label single words"
    ):
        write_parts(tmp_path / "a", parts)


def test_word_classes_are_read_once(path):
    model = NativeModel(path)
    assert model.resource("classes", "kinds").names == ["001", "010", "11"]
    assert model.resource("classes", "kinds") is model.resource("classes", "kinds")
    with pytest.raises(SennaError, match="the list of word classes none is missing"):
        model.resource("classes", "none")


def test_word_classes_with_a_word_twice(tmp_path):
    parts = all_parts(np.random.default_rng(0))
    arguments = dict(zip(ARGUMENTS, model_arguments(parts), strict=True))
    arguments["resources"]["classes"] = {"kinds": WordClasses(b"001\ta\tb\n010\tb\n")}
    write_model(tmp_path / "model", **arguments)
    tagger = Tagger(tmp_path / "model")
    with pytest.raises(
        SennaError, match=r"model: classes/kinds: the word 'b' occurs twice"
    ):
        tagger.annotate(tagger.tokenizer.texts(["a"]))


# What is wrong with a model is said in one line that names the file.


def refused(tmp_path, parts, **changes):
    """Message with which `write_model` refuses; nothing is written."""
    arguments = dict(zip(ARGUMENTS, model_arguments(parts), strict=True))
    said = refusal(
        tmp_path / "model", write_model, tmp_path / "model", **(arguments | changes)
    )
    assert list(tmp_path.iterdir()) == []
    return said


def test_what_cannot_be_written(tmp_path):
    def parts(**changes):
        """Parts of which the first, pos, has changed."""
        made = all_parts(np.random.default_rng(0))
        return [replace(made[0], **changes), *made[1:]]

    (pos, *_) = parts()
    wide = pos.network.hidden_weight * np.float32(1e6)
    narrow = [pos.network.tables[0][:, :3], *pos.network.tables[1:]]
    few = pos.vocabularies | {"shape": Vocabulary.from_keys(["a", "UNKNOWN"])}
    unknown, malformed = (
        ("word", name, *pos.features[2:]) for name in ("shapes", "shape.x")
    )
    for made, problem in (
        (
            parts(network=pos.network.changed(hidden_weight=wide)),
            "not written: pos: hidden_weight has a number that float16 cannot hold",
        ),
        (
            parts(network=pos.network.changed(tables=narrow)),
            "not written: the word table of pos has the shape [35, 3], the shared vectors [35, 6]",
        ),
        (
            parts(network=pos.network.changed(window=4)),
            "network pos: window size 4; it must be odd and at most 1,001",
        ),
        (
            parts(labels=Vocabulary.from_keys("ab")),
            "network pos: 2 labels, it scores 3",
        ),
        (
            parts(labels=Vocabulary.from_keys("abc")),
            "network mine: its keys of pos do not begin with the labels of network pos",
        ),
        (parts(name="a/b"), "model: network 1: no usable name: 'a/b'"),
        (parts(name="shape"), "model: network 1: no usable name: 'shape'"),
        (
            parts(name="srl"),
            "network srl: window networks for words cannot do this task",
        ),
        (parts(vocabularies=few), "network pos: 2 keys of shape, its table has 4"),
        (
            parts(features=unknown),
            "array 'networks/pos/vocabularies/shapes' is missing",
        ),
        (parts(features=malformed), "network pos: no such feature: 'shape.x'"),
    ):
        assert refused(tmp_path, made) == problem
    for changes, problem in (
        ({"words": Vocabulary.from_keys(["a"])}, "vectors: shape [35, 6] for 1 words"),
        ({"info": {"a": {1, 2}}}, "not written: the information"),
        ({"info": {"a": float("nan")}}, "not written: the information"),
    ):
        assert refused(tmp_path, parts(), **changes).startswith(problem)


@pytest.mark.parametrize(
    ("name", "alter", "problem"),
    [
        ("words", None, "array 'words' is missing"),
        ("networks/srl/conv_bias", None, "array 'networks/srl/conv_bias' is missing"),
        (
            "networks/pos/initial",
            None,
            "network pos: initial, transition must be given together",
        ),
        ("networks/psg/vocabularies/psg-right", None, "psg-right' is missing"),
        (
            "networks/pos/changed_rows",
            lambda a: a[::-1],
            f"network pos: changed_rows: not increasing, or beyond {len(WORDS)} words",
        ),
        (
            "networks/pos/changed_rows",
            lambda a: a - 1000,
            "network pos: changed_rows: not",
        ),
        (
            "networks/pos/changed_rows",
            lambda a: a + len(WORDS),
            "network pos: changed_rows: not",
        ),
        (
            "networks/pos/changed_rows",
            lambda a: a[1:],
            "network pos: changed_vectors: shape [5, 6] for 4 rows of 6",
        ),
        ("networks/pos/changed_vectors", lambda a: a * np.nan, "not finite"),
        ("networks/pos/transition", lambda a: a * np.nan, "not finite"),
        ("networks/pos/padding", lambda a: a[None], "int32[1, 8], expected int32"),
        (
            "networks/pos/initial",
            lambda a: a.astype(np.float32),
            "float32[3], expected float16",
        ),
        ("x", lambda _: np.zeros(1, np.uint8), "array 'x' is unexpected"),
        (
            "networks/pos/other",
            lambda _: np.zeros(1, np.uint8),
            "network pos: array 'networks/pos/other' is unexpected",
        ),
    ],
)
def test_what_is_wrong_with_arrays(path, name, alter, problem):
    assert problem in change_array(path, name, alter)


@pytest.mark.parametrize(
    ("alter", "problem"),
    [
        (
            lambda meta, model: meta.update(format="pt"),
            "not a model of senna-py: its format is",
        ),
        (
            lambda meta, model: meta.update(version="2"),
            "version '2' of the format; this program",
        ),
        (
            lambda meta, model: model.update(info=[]),
            "model: expected an object with info",
        ),
        (
            lambda meta, model: model.update(networks=[]),
            "model: expected a list of networks",
        ),
        (
            lambda meta, model: model["networks"].append(1),
            "model: network 7: no usable name: N",
        ),
        (
            lambda meta, model: model["networks"].append(model["networks"][0]),
            "network pos: occurs",
        ),
        (
            lambda meta, model: model["networks"][0].update(kind=[]),
            "network pos: kind []",
        ),
        (
            lambda meta, model: model["networks"][0].update(kind="tree"),
            "network pos: tree network",
        ),
        (
            lambda meta, model: model["networks"][1].update(kind="tree"),
            "network mine: its last",
        ),
        (
            lambda meta, model: model["networks"][0].update(features=[]),
            "network pos: no features",
        ),
        (
            lambda meta, model: model["networks"][0]["features"].append("word"),
            "network pos: a fea",
        ),
        (
            lambda meta, model: model["networks"][0].update(info=1),
            "network pos: info is not an",
        ),
        (
            lambda meta, model: model["networks"][0].update(window=3.0),
            "network pos: window is 3.0",
        ),
        (
            lambda meta, model: model["networks"][0].update(window=5),
            "network pos: hidden_weight",
        ),
    ],
)
def test_what_is_wrong_with_the_description(path, alter, problem):
    assert change(path, lambda metadata, model, _: alter(metadata, model)).startswith(
        problem
    )


def test_a_part_without_words(tmp_path):
    mine = next(
        part for part in all_parts(np.random.default_rng(0)) if part.name == "mine"
    )
    write_model(tmp_path / "model", WORDS, vectors(), [mine])
    assert isinstance(NativeModel(tmp_path / "model").part("mine"), ModelPart)
    assert Model(tmp_path / "model").tasks() == ()
    with pytest.raises(SennaError, match="no task is complete; the model has mine"):
        Tagger(tmp_path / "model")
    with pytest.raises(
        SennaError, match="cannot do pos: it has no pos network; it has mine"
    ):
        Tagger(tmp_path / "model", ["pos"])


def test_predicates_by_pos_need_that_network(tmp_path):
    rng = np.random.default_rng(0)
    roles = random_part(rng, "srl", ("caps",), ["O", "S-V", "S-A0"])
    write_model(tmp_path / "model", WORDS, vectors(), [roles])
    assert Model(tmp_path / "model").tasks("pos") == ()
    with pytest.raises(
        SennaError, match="cannot do srl: it has no pos network; it has srl"
    ):
        Tagger(tmp_path / "model", ["srl"], "pos")
    with pytest.raises(SennaError, match="cannot do psg: it has no psg network"):
        Tagger(tmp_path / "model", ["psg"])  # not: no pos network, which trees need
    pos = random_part(rng, "pos", ("caps",), ["VB", "VBZ"])
    write_model(tmp_path / "model", WORDS, vectors(), [roles, pos])
    tagger = Tagger(tmp_path / "model", ["srl"], "pos")
    assert tagger.networks == ("pos", "srl")
    assert [frame.text for frame in tagger("He reads").frames] == ["He", "reads"]


def test_a_network_without_a_hidden_layer(tmp_path):
    rng = np.random.default_rng(0)
    parts = [part for part in senna_parts(rng) if part.name == "vbs"]
    network = parts[0].network
    n_in = network.window * sum(table.shape[1] for table in network.tables)
    parts[0].network = network.changed(
        hidden_weight=None,
        hidden_bias=None,
        output_weight=rng.standard_normal((n_in, 2)).astype(np.float32),
    )
    model = Model(write_parts(tmp_path / "model", parts))
    assert_same_part(model.storage.part("vbs"), parts[0], 16)
    assert model.describe(["vbs"])[1].endswith("pos 5 x 2; 2 labels")
    assert "vbs: window network, window 3, no hidden layer" in summary_lines(
        model_summary(model)
    )


def test_words_of_multiword_tokens_are_stored_and_copied(tmp_path):
    parts = model_arguments(dilated_parts(np.random.default_rng(0)), 16)
    learned = learn_words([("do", ["de", "o"]), ("tornou-se", ["tornou", "se"])])
    path = tmp_path / "words.safetensors"
    write_model(path, *parts, word_splitter=learned)
    copy = build_model(tmp_path / "copy.safetensors", [str(path)])
    for each in (path, copy):
        splitter = NativeModel(each).word_splitter
        assert splitter.split("do") == ("de", "o")
        assert splitter.lines() == learned.lines()
    assert "words of multiword tokens: " in "\n".join(
        summary_lines(model_summary(Model(path)))
    )
    metadata, tensors = read_tensors(path)
    tensors["words_of_tokens"] = np.frombuffer(b"token\tdo\n", np.uint8)
    write_tensors(copy, metadata, tensors)
    with pytest.raises(SennaError, match="words_of_tokens: line 1: no rule for"):
        NativeModel(copy).word_splitter  # noqa: B018
    plain = write_parts(
        tmp_path / "plain.safetensors", dilated_parts(np.random.default_rng(0))
    )
    assert NativeModel(plain).word_splitter is None
