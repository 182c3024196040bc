"""Configurations of tasks that are trained together, and what a user can do wrong in them."""

import pytest

from senna_py.errors import SennaError
from senna_py.tagging.config import read_values
from senna_py.tagging.joint_config import is_joint, read_joint_config

TASK = """
task = "{task}"
[[train]]
files = ["train.tsv"]
columns = ["word", "{task}"]
[[dev]]
files = ["dev.tsv"]
columns = ["word", "{task}"]
[features]
caps = 2
"suffix.2" = 3
"""


@pytest.fixture
def place(tmp_path):
    """Directory with configurations of single tasks."""
    for task in ("pos", "chk", "ner"):
        (tmp_path / f"{task}.toml").write_text(TASK.format(task=task))
    return tmp_path


def read(place, text, changes=()):
    path = place / "joint.toml"
    path.write_text(text)
    values = read_values(path, changes)
    assert is_joint(values)
    return read_joint_config(path, values)


def test_tasks_with_the_settings_of_the_joint_file(place):
    (place / "deep").mkdir()
    (place / "ner.toml").rename(place / "deep" / "ner.toml")
    text = (
        'tasks = ["pos.toml", "chk.toml", "deep/ner.toml"]\nfolds = 3\n[weights]\nchk = 2\n'
        "[network.window]\nhidden = 50\n[training]\nepochs = 4\n"
    )
    found = read(place, text, ["training.rate=0.5", "weights.ner=0.5"])
    assert list(found.configs) == ["pos", "chk", "ner"]
    assert found.weights == {"pos": 1.0, "chk": 2.0, "ner": 0.5}
    assert found.folds == 3
    for config in found.configs.values():
        assert (config.network.own.hidden, config.training.epochs) == (50, 4)
        assert config.training.rate == 0.5
        assert config.features == {"caps": 2, "suffix.2": 3}


def test_what_may_differ(place):
    text = (place / "chk.toml").read_text()
    (place / "chk.toml").write_text(
        f'{text}\n[network]\ncriterion = "word"\n[training]\nbatch = 7\nmin_label_count = 2\n'
    )
    found = read(place, 'tasks = ["pos.toml", "chk.toml"]')
    assert [config.training.batch for config in found.configs.values()] == [16, 7]


def test_dilated_and_chart_networks_share(place):
    tree = TASK.format(task="psg").replace('["word", "psg"]', '["word", "pos", "parse"]')
    (place / "psg.toml").write_text(f'{tree}\n[network]\napproach = "chart"\nchart.reach = 9')
    text = (place / "chk.toml").read_text()
    (place / "chk.toml").write_text(f'{text}\n[network]\napproach = "dilated"\ndilated.hidden = 0')
    found = read(
        place,
        'tasks = ["chk.toml", "psg.toml"]\n[network]\n'
        "dilated = {width = 32, dilations = [1]}\nchart = {width = 32, dilations = [1]}",
    )
    assert [config.network.own.width for config in found.configs.values()] == [32, 32]


@pytest.mark.parametrize(
    ("joint", "chk", "message"),
    [
        ('tasks = ["pos.toml"]', "", "tasks: expected the files of two tasks at least"),
        ('tasks = "pos.toml"', "", "tasks: expected the files of two tasks at least"),
        ('tasks = ["pos.toml", 1]', "", "tasks: expected the files of two tasks at least"),
        ('tasks = ["pos.toml", "pos.toml"]', "",
         "tasks: pos.toml and pos.toml both learn pos"),
        ('tasks = ["pos.toml", "joint.toml"]', "", "tasks: joint.toml has tasks itself"),
        ('task = "chk"\ntasks = ["pos.toml", "chk.toml"]', "",
         "task: this is said by the configurations of the tasks"),
        ('tasks = ["pos.toml", "chk.toml"]\nnone = 1', "", "pos.toml: none: no such setting"),
        ('tasks = ["pos.toml", "chk.toml"]\nweights = 1', "", "weights: expected a table"),
        ('tasks = ["pos.toml", "chk.toml"]\n[weights]\nner = 1', "",
         "weights.ner: no such task; there are pos, chk"),
        ('tasks = ["pos.toml", "chk.toml"]\n[weights]\nchk = 0', "",
         "weights.chk: expected a positive number, found 0"),
        ('tasks = ["pos.toml", "chk.toml"]\n[weights]\nchk = nan', "",
         "weights.chk: expected a positive number, found nan"),
        (None, "shape = 4", 'features: {"caps": 2, "suffix.2": 3} in pos.toml, {"caps": 2, '
         '"suffix.2": 3, "shape": 4} in chk.toml; tasks that are trained together need the same'),
        (None, "[network.dilated]\nwidth = 20", "network.width: 128 in pos.toml, 20 in chk.toml"),
        (None, "[network.dilated]\nkernel = 5", "network.kernel: 3 in pos.toml, 5 in chk.toml"),
        (None, "[network]\nvectors = 'random'", 'network.vectors: "given" in pos.toml'),
        (None, "[network]\napproach = 'sentence'", "network.approach: dilated in pos.toml, "
         "sentence in chk.toml: they have no layers in common"),
        (None, "[training]\nseed = 2", "training.seed: 1 in pos.toml, 2 in chk.toml"),
        (None, "[gazetteers]\na = ['x']", 'gazetteers: {} in pos.toml, {"a": ["x"]} in chk.toml'),
        (None, "[training]\nbatch = 0", "chk.toml: training.batch: expected 1 at least"),
    ],
)  # fmt: skip
def test_errors_name_the_file_and_the_place(joint, chk, message, place):
    with (place / "chk.toml").open("a") as file:
        file.write(chk)
    with pytest.raises(SennaError) as error:
        read(place, joint or 'tasks = ["pos.toml", "chk.toml"]')
    assert str(error.value).startswith(f"{place / 'joint.toml'}: {message}")
    assert "\n" not in str(error.value)


def test_features_in_another_order(place):
    text = (place / "chk.toml").read_text()
    other = text.replace('caps = 2\n"suffix.2" = 3', '"suffix.2" = 3\ncaps = 2')
    assert other != text
    (place / "chk.toml").write_text(other)
    with pytest.raises(SennaError, match=r"features: .* need the same"):
        read(place, 'tasks = ["pos.toml", "chk.toml"]')


def test_a_file_that_is_missing(place):
    with pytest.raises(SennaError, match=r"none\.toml: No such file or directory$"):
        read(place, 'tasks = ["pos.toml", "none.toml"]')


def test_labels_that_are_learned_in_the_same_run(place):
    for task in ("chk", "ner"):
        text = TASK.format(task=task).replace("caps = 2", "pt0 = 2")
        (place / f"{task}.toml").write_text(text)
    text = TASK.format(task="pt0").replace("caps = 2", '"phrase.0" = 2')
    (place / "pt0.toml").write_text(text)
    with pytest.raises(SennaError, match=r"chk\.toml: features: pt0 is learned in the same run"):
        read(place, 'tasks = ["chk.toml", "pt0.toml"]')


@pytest.fixture
def trees(place):
    """Configurations of trees, and of roles by paths in trees of another run."""
    text = TASK.format(task="psg").replace('["word", "psg"]', '["word", "pos", "parse"]')
    text += '[cascade]\npos = "../pos"\n[network]\napproach = "chart"\n'
    (place / "psg.toml").write_text(text)
    text = TASK.format(task="srl").replace('["word", "srl"]', '["word", "predicate", "roles"]')
    text += '[cascade]\npos = "../pos"\npsg = "../psg"\n'
    text += '[network]\napproach = "dilated"\ndilated.paths = true\n'
    (place / "srl.toml").write_text(text)
    text = text.replace('task = "srl"', 'task = "srl2"\nlabels_of = "srl"')
    (place / "srl2.toml").write_text(text)
    return place


def test_paths_are_in_trees_that_other_tasks_need_not_know(trees):
    found = read(trees, 'tasks = ["psg.toml", "srl.toml", "srl2.toml"]').configs
    assert [list(each.cascade) for each in found.values()] == [["pos"], *[["pos", "psg"]] * 2]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("../psg", "../p", 'cascade.psg: "../psg" in srl.toml, "../p" in srl2.toml; tasks that'),
        ("../pos", "../p", 'cascade: {"pos": "../pos"} in psg.toml, {"pos": "../p"} in srl2.toml;'),
        ("caps = 2", '"phrase.0" = 2', "srl2.toml: features: psg is learned in the same run"),
    ],
)
def test_paths_that_do_not_fit_other_tasks(old, new, problem, trees):
    text = (trees / "srl2.toml").read_text()
    (trees / "srl2.toml").write_text(text.replace(old, new))
    with pytest.raises(SennaError) as error:
        read(trees, 'tasks = ["psg.toml", "srl.toml", "srl2.toml"]')
    assert str(error.value).startswith(f"{trees / 'joint.toml'}: {problem}")
