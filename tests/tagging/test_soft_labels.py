"""Soft labels and weights: files, inputs, and what training makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.labels.tag_schemes import recode
from senna_py.labels.tasks import find_task
from senna_py.labels.tree_keys import constituents_of_tree
from senna_py.labels.trees import Leaf, Phrase, tree_of_bits
from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.lookup import dense
from senna_py.models.native import NativeModel
from senna_py.networks.batch import WordBatch
from senna_py.tagging.gold.arcs import Dependencies
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from senna_py.tagging.soft_labels import SoftLabels, parse_constituents, parse_shares
from senna_py.tagging.targets import learner_of
from senna_py.tagging.targets.words import TagTargets
from tests.helpers.finite_differences import whole_gradients
from tests.helpers.gold import make_gold, make_learner, plain
from tests.helpers.random_networks import random_batch, window_network
from tests.helpers.small_corpora import corpus, run, settings, write_columns

EXPECTED = "expected probabilities of"


def write_soft(path, sentences, column, share=1.0, other="O"):
    """Write words and the labels of a column, which have a share, `other` having what
    is left.
    """
    rest = f",{other}:{1 - share:.4f}" if share < 1 else ""
    rows = [
        [(row[0], f"{row[column]}:{share}{rest}") for row in rows] for rows in sentences
    ]
    return write_columns(path, rows)


@pytest.fixture(scope="module")
def places(corpora):
    """The corpora, with soft parts of speech of the training sentences."""
    write_soft(corpora / "hard.tsv", corpus(60, seed=1), 1)
    write_soft(corpora / "soft.tsv", corpus(60, seed=1), 1, 0.75, "XX")
    return corpora


def trained(directory, corpora, **changes):
    """Arrays of the model of a run."""
    trainer = run(directory, settings("pos", **changes), corpora).trainer()
    assert trainer.run()
    return NativeModel(directory).network("pos").arrays()


def assert_alike(found, expected, atol=0):
    """Compare arrays of two networks, by their names."""
    for name, array in expected.items():
        np.testing.assert_allclose(
            dense(found[name]), dense(array), 0, atol, err_msg=name
        )


def soft_data(name, **more):
    return {"files": [name], "columns": ["word", "pos"], "soft": True, **more}


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("NN:1", {"NN": 1}),
        ("NN:0.93,NNP:0.07", {"NN": 0.93, "NNP": 0.07}),
        ("::0.5,,:0.5", {":": 0.5, ",": 0.5}),
        ("nsubj:pass:1e0", {"nsubj:pass": 1}),
        ("x:1:.25,y:0.75", {"x:1": 0.25, "y": 0.75}),
        ("a:1,b:0", {"a": 1}),
    ],
)
def test_shares(text, shares):
    assert dict(parse_shares(text)) == pytest.approx(shares)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("NN", EXPECTED),
        ("NN:0.9,NNP", EXPECTED),
        ("NN:1,", EXPECTED),
        ("NN:-1", EXPECTED),
        ("NN:nan", EXPECTED),
        (":1", EXPECTED),
        ("NN:0.5", "add up to 0.5"),
        ("NN:0.5,NN:0.5", "NN occurs twice"),
        ("NN:1e999", "to inf"),
    ],
)
def test_no_shares(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_shares(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("-", []),
        ("NP/2:0.93", [("NP", 2, 0.93)]),
        (
            "S/4:0.5,S(VP/4:0.25,NP/1:1",
            [("S", 4, 0.5), ("S(VP", 4, 0.25), ("NP", 1, 1)],
        ),
        ("a/b:1/2:0.5,,/2:0", [("a/b:1", 2, 0.5)]),
        ("A/1:0.75,B/1:0.255", [("A", 1, 0.746), ("B", 1, 0.254)]),
    ],
)
def test_constituents_that_begin_with_a_word(text, found):
    read = parse_constituents(text)
    assert [each[:2] for each in read] == [each[:2] for each in found]
    assert [each[2] for each in read] == pytest.approx(
        [each[2] for each in found], abs=1e-3
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("NP:0.5", "expected constituents such as NP/2:0.93 or -, found 'NP'"),
        ("", EXPECTED),
        ("*", EXPECTED),
        ("NP/0:1", "found 'NP/0'"),
        ("NP/-1:1", "found 'NP/-1'"),
        ("/1:1", "found '/1'"),
        ("S(/1:1", "found"),
        ("NP/x:1", "found 'NP/x'"),
        ("NP/1:0.5,NP/1:0.5", "NP/1 occurs twice"),
        ("A/1:0.75,B/1:0.5", "length 1 of .* add up to 1.25"),
        ("A/1:1e999", "inf"),
    ],
)
def test_no_constituents(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_constituents(text)


@given(
    st.lists(st.lists(st.integers(0, 6), unique=True, min_size=1), max_size=5),
    st.data(),
)
def test_some_words_of_soft_labels(words, data):
    rng = np.random.default_rng(len(words))
    begin = np.append(0, np.cumsum([len(word) for word in words], dtype=np.int64))
    label = np.array([x for word in words for x in word], np.int32)
    labels = SoftLabels(begin, label, rng.random(len(label)).astype(np.float32))
    dense = labels.dense(7)
    assert dense.shape == (len(words), 7)
    assert (dense > 0).sum() == len(label)
    chosen = [k for k in range(len(words)) if data.draw(st.booleans())]
    some = labels.take(np.array(chosen, np.int64))
    np.testing.assert_array_equal(some.dense(7), dense[chosen])


def test_what_files_have(tmp_path):
    rows = [[("It", "S-NP:0.75,O:0.25"), ("is", "O:0.5,S-VP:0.25,S-AP:0.25")]]
    write_columns(tmp_path / "x.tsv", rows)
    names = {"AP": "VP", "NP": "O"}
    data = DataSet(["x.tsv"], ["word", "chk"], soft=True, weight=0.5, labels=names)
    found = read_sentences([data], {"chk": find_task("chk")}, tmp_path)
    gold = found.gold["chk"]
    assert plain(gold) == [["O", "O"]]
    assert found.weight == [0.5]
    learner = make_learner("chk", ["O", "S-VP"])
    target, weight = learner.targets(gold, np.float32([0.5])).shares(2)
    assert target.tolist() == [[1, 0], [0.5, 0.5]]
    assert weight.tolist() == [0.5]


def test_roles_of_files(tmp_path):
    """A sentence of soft roles beside one of others and one without a predicate."""
    rows = [
        [
            ("It", "-", "S-A0:0.75,O:0.25", "O:1"),
            ("is", "is", "S-V:1", "O:1"),
            ("so", "so", "S-A1:0.5,O:0.5", "S-V:0.5,S-A2:0.5"),
        ],
        [("no", "-")],
    ]
    write_columns(tmp_path / "x.tsv", rows)
    write_columns(tmp_path / "y.tsv", [[("he", "-", "S-A0"), ("is", "is", "O")]])
    columns = ["word", "predicate", "roles"]
    soft = DataSet(["x.tsv"], columns, soft=True, labels={"A2": "A1"})
    task = find_task("srl")
    found = read_sentences([soft, DataSet(["y.tsv"], columns)], {"srl": task}, tmp_path)
    assert plain(found.gold["srl"]) == [
        {1: ["S-A0", "S-V", "S-A1"], 2: ["O", "O", "S-V"]},
        {},
        {1: ["S-A0", "O"]},
    ]
    learner = learner_of(task)
    learner.find_keys(found.gold["srl"], 1)
    assert learner.keys == ["O", "S-A0", "S-A1", "S-V"]
    starts = np.array([0, 3, 4, 6], np.int32)
    inputs = Inputs.make(found, np.zeros((6, 1), np.int32), starts, {"srl": learner})
    target = inputs.targets["srl"].shares(4)[0]
    assert target[:3].tolist() == [[0.25, 0.75, 0, 0], [0, 0, 0, 1], [0.5, 0, 0.5, 0]]
    assert target[3:].tolist() == [[1, 0, 0, 0]] * 2 + [
        [0, 0, 0.5, 0.5],
        [0, 1, 0, 0],
        [1, 0, 0, 0],
    ]
    for chosen, rows in (([0, 2], slice(None)), ([2], slice(6, None))):
        batch = inputs.batches(np.array(chosen))["srl"]
        np.testing.assert_array_equal(batch.targets.shares(4)[0], target[rows])


def test_trees_of_files(tmp_path):
    rows = [
        [
            ("It", "NP/1:1,S/3:0.75,X(S/3:0.125"),
            ("is", "VP/2:0.5,S(VP(Z/2:0.5"),
            ("so", "-"),
        ]
    ]
    write_columns(tmp_path / "x.tsv", [*rows, *rows])
    data = DataSet(
        ["x.tsv"], ["word", "psg"], soft=True, weight=0.5, labels={"X": "O", "Z": "NP"}
    )
    found = read_sentences([data], {"psg": find_task("psg")}, tmp_path)
    expected = [
        (("NP", 0, 1), 1),
        (("S", 0, 3), 0.75),
        (("S", 0, 3), 0.125),
        (("VP", 1, 3), 0.5),
        (("S(VP(NP", 1, 3), 0.5),
    ]
    gold = found.gold["psg"]
    assert (plain(gold), found.weight) == ([expected] * 2, [0.5, 0.5])
    learner = learner_of(find_task("psg"))
    learner.find_keys(gold, 2)
    # Of the rare one, its commonest part.
    assert learner.keys[1::4] == [
        "B-NP",
        "B-S",
        "B-VP",
    ]
    targets = learner.targets(gold, np.float32([0.5, 0.5]))
    assert targets.trees.share.tolist() == [1, 0.75, 0.125, 0.5, 0.5] * 2
    assert targets.trees.label.tolist() == [0, 1, 1, 2, 0] * 2
    words, batch = targets.batch(np.array([1]), np.array([0, 3], np.int32))
    assert batch.is_soft
    share, weight = batch.shares(words.starts)
    assert (
        share.tolist() == [0.5, 0.375, 0.0625, 0.25, 0.25]
        and weight.tolist() == [0.5] * 6
    )


@pytest.mark.parametrize(
    ("task", "cell", "problem"),
    [
        ("psg", "NP/3:1", "NP/3 goes beyond the sentence"),
        ("psg", "NP:1", "expected const"),
        ("chk", "NN", EXPECTED),
        (
            "chk",
            "NN:1",
            "expected probabilities of IOBES tags such as B-NP, found 'NN'",
        ),
    ],
)
def test_errors_name_the_line(tmp_path, task, cell, problem):
    good = "-" if task == "psg" else "O:1"
    path = write_columns(
        tmp_path / "x.tsv", [[("a", good)], [("It", good), ("is", cell)]]
    )
    data = DataSet(["x.tsv"], ["word", task], soft=True)
    with pytest.raises(SennaError, match=f"{path}: line 4: {problem}"):
        read_sentences([data], {task: find_task(task)}, tmp_path)


@pytest.mark.parametrize(
    ("task", "changes", "problem"),
    [
        ("vbs", {"soft": True}, "vbs needs a column `vbs`"),
        ("psg", {"soft": True}, "psg needs a column `psg`"),
        ("chk", {"soft": True, "scheme": "iob2"}, "scheme: soft labels are IOBES tags"),
        ("chk", {"weight": 0}, "weight: expected more than 0, found 0"),
        ("chk", {"weight": float("inf")}, "weight: expected a finite number"),
    ],
)
def test_unusable_settings(task, changes, problem):
    columns = settings("vbs").train[0].columns
    network = {"approach": "chart"} if task == "psg" else {}
    with pytest.raises(SennaError, match=problem):
        settings(
            task,
            network=network,
            train=[{"files": ["x"], "columns": columns, **changes}],
        )


def test_dev_is_neither_soft_nor_weighted():
    for change in ({"soft": True}, {"weight": 2.0}):
        with pytest.raises(
            SennaError, match=r"dev: weight and soft are for \[\[train\]\] only"
        ):
            settings(
                "chk", dev=[{"files": ["x"], "columns": ["word", "chk"], **change}]
            )


@pytest.mark.parametrize("criterion", ["word", "sentence"])
def test_labels_with_the_share_1_train_like_hard_ones(tmp_path, places, criterion):
    network = {"criterion": criterion}
    hard = trained(tmp_path / "hard", places, network=network)
    soft = trained(
        tmp_path / "soft", places, network=network, train=[soft_data("hard.tsv")]
    )
    assert_alike(soft, hard, 2e-3)


@pytest.mark.parametrize("task", ["srl", "psg"])
def test_so_do_roles_and_constituents(tmp_path, places, task):
    """Mixed with hard ones, which have the share 1 in their company."""
    rows = corpus(60, seed=1)
    columns = ["word", "predicate", "roles"] if task == "srl" else ["word", "psg"]
    network = (
        {"criterion": "word"} if task == "srl" else {"approach": "chart", "width": 8}
    )
    cells_of = _tags_of if task == "srl" else _constituents_of
    soft = [
        [
            (row[0], *[row[5]] * (task == "srl"), cell)
            for row, cell in zip(each, cells_of(each), strict=True)
        ]
        for each in rows
    ]
    write_columns(places / f"{task}.soft.tsv", soft[:30])
    plain = settings(task, network=network)
    hard = plain.as_dict()["train"][0]
    train = [
        {"files": [f"{task}.soft.tsv"], "columns": columns, "soft": True},
        hard | {"part": [0.5, 1]},
    ]
    arrays = []
    for name, data in (("hard", [hard]), ("soft", train)):
        made = run(tmp_path / name, settings(task, network=network, train=data), places)
        assert made.trainer().run()
        arrays.append(NativeModel(tmp_path / name).network(task).arrays())
    assert_alike(arrays[1], arrays[0], 4e-3)


def _tags_of(rows):
    """Cells of soft roles for rows of `corpus`."""
    return [f"{tag}:1" for tag in recode([row[6] for row in rows], "iobes")]


def _constituents_of(rows):
    """Cells of soft trees for rows of `corpus`."""
    leaves, cells = [Leaf(row[0], row[1]) for row in rows], [[] for _ in rows]
    for label, begin, end in constituents_of_tree(
        tree_of_bits(leaves, [r[4] for r in rows])
    ):
        cells[begin].append(f"{label}/{end - begin}:1")
    return [",".join(cell) or "-" for cell in cells]


def test_a_weight_of_1_changes_nothing(tmp_path, places):
    """Sentences of another weight count in the batches that they are in alone."""
    plain = settings("pos").as_dict()["train"][0]
    base = trained(tmp_path / "base", places)
    assert_alike(
        trained(tmp_path / "same", places, train=[plain | {"weight": 1}]), base
    )


def test_soft_labels_are_learned(tmp_path, places):
    """A network that sees each tag with the share 0.75 gives it about that
    probability.
    """
    both = [soft_data("soft.tsv", weight=2.0), soft_data("hard.tsv", weight=1e-6)]
    config = settings(
        "pos", train=both, training={"epochs": 8}, network={"criterion": "word"}
    )
    training = run(tmp_path / "run", config, places)
    trainer = training.trainer()
    assert trainer.run()
    dev, keys = training.tagging_data.dev, training.data.learners["pos"].keys
    words = dev.words(np.arange(len(training.data.dev)))
    shares = trainer.trainable.networks["pos"].posteriors(words)
    gold = dev.targets["pos"].gold
    assert abs(np.median(shares[np.arange(len(gold)), gold]) - 0.75) < 0.05
    assert abs(np.median(shares[:, keys.index("XX")]) - 0.25) < 0.05


def test_weighted_roles(tmp_path, corpora):
    """Each predicate of a sentence has its weight."""
    train = settings("srl").as_dict()["train"][0]
    parts = [train | {"part": [0, 0.5], "weight": 0.25}, train | {"part": [0.5, 1]}]
    made = run(tmp_path, settings("srl", train=parts), corpora)
    inputs = made.tagging_data.train
    assert inputs.targets["srl"].weight.tolist() == [0.25] * 30 + [1] * 30
    batch = inputs.batches(np.array([3, 40]))["srl"]
    assert batch.targets.weight.tolist() == [0.25, 1]
    network, none, costs = (
        made.training().networks["srl"],
        (Dropout(None), Dropout(None)),
        [],
    )
    for k in (3, 40):
        chosen = np.array([k])
        batch = inputs.batches(chosen)["srl"]
        batch.words.features = inputs.words(chosen).features
        costs.append(network.cost(batch.words, batch.targets, none)[0])
        batch.targets.weight = None
        costs.append(network.cost(batch.words, batch.targets, none)[0])
    assert costs[::2] == pytest.approx([0.25 * costs[1], costs[3]], rel=1e-5)


@pytest.mark.parametrize(
    ("task", "keys", "labels"),
    [
        ("pos", ["NN", "VB"], [["NN"], ["VB", "NN"], ["NN"]]),
        (
            "dep",
            ["dep", "root"],
            [
                Dependencies([-1], ["root"]),
                Dependencies([1, -1], ["dep", "root"]),
                Dependencies([-1], ["root"]),
            ],
        ),
    ],
)
def test_a_batch_has_the_weights_of_its_sentences(task, keys, labels):
    gold = make_gold(task, labels, [1, 2, 1])
    targets = make_learner(task, keys).targets(gold, np.float32([0.5, 2, 4]))
    _, batch = targets.batch(np.array([1, 2]), np.array([0, 2, 3], np.int32))
    assert batch.weight.tolist() == [2, 4]


def test_all_predicates_of_a_sentence_have_its_weight():
    roles = [{0: ["S-V"]}, {0: ["S-V", "O"], 1: ["S-A0", "S-V"]}, {}, {0: ["S-V"]}]
    gold = make_gold("srl", roles, [1, 2, 1, 1])
    learner = make_learner("srl", ["O", "S-A0", "S-V"])
    targets = learner.targets(gold, np.float32([0.5, 2, 3, 4]))
    assert targets.weight.tolist() == [0.5, 2, 2, 4]
    words, batch = targets.batch(np.array([1, 3]), np.array([0, 2, 3], np.int32))
    assert words.predicate.tolist() == [0, 1, 2]
    assert batch.weight.tolist() == [2, 2, 4]


def test_unknown_roles_stand_at_their_tokens():
    roles = [{1: ["O", "S-V"]}, {0: ["S-V", "O"], 1: ["O", "S-X"]}]
    gold = make_gold("srl", roles, [2, 2])
    learner = make_learner("srl", ["O", "S-V"])
    assert learner.unknown(gold) == [("X", 3)]


def test_likely_constituents_that_are_not_learned_are_left_out():
    likely = [(Phrase("X", 0, 1), 0.25), (Phrase("NP", 0, 2), 0.75)]
    gold = make_gold("psg", [likely, likely[1:]], [2, 2])
    learner = make_learner("psg", ["O", "B-NP", "I-NP", "E-NP", "S-NP"])
    trees = learner.targets(gold, None).trees
    assert trees.starts.tolist() == [0, 1, 2]
    assert trees.share.tolist() == [0.75, 0.75]


def test_gradients_of_weighted_sentences_add_up():
    rng = np.random.default_rng(3)
    network = window_network(rng)
    features, starts = random_batch(rng, [5, 3])
    gold = rng.integers(5, size=8).astype(np.int32)

    def gradients(weight):
        targets = TagTargets(starts.astype(np.int64), gold, weight=weight)
        given = WordBatch(features, starts), targets
        found, none = Gradients(), (Dropout(None), Dropout(None))
        network.cost_backward(network.cost(*given, none)[2], found)
        return whole_gradients(found, network.parameters())

    first, second = gradients(np.float32([1, 0])), gradients(np.float32([0, 1]))
    both, plain = gradients(np.float32([0.5, 2])), gradients(None)
    for name, gradient in both.items():
        expected = 0.5 * first[name] + 2 * second[name]
        np.testing.assert_allclose(gradient, expected, atol=1e-4, err_msg=name)
        np.testing.assert_allclose(plain[name], first[name] + second[name], atol=1e-4)
