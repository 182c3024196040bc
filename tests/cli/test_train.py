"""senna-train: from columns to a model that senna-tag reads, and what a user can do
wrong.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.commands import (
    HEARD,
    assert_one_line_error,
    installed,
    on_terminal,
    run,
)
from tests.helpers.shell import Shell
from tests.helpers.small_corpora import (
    conllu,
    corpus,
    toml,
    write_columns,
    write_corpora,
    write_vectors,
)

POS = toml("pos", training={"epochs": 8})
CHK = toml(features={"pos": 3}, cascade={"pos": "../pos"}, training={"epochs": 8})
LONG = toml("pos", training={"epochs": 100000})


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora, vectors and configurations."""
    directory = write_corpora(tmp_path_factory.mktemp("train"))
    write_vectors(directory / "vectors.txt")
    for name, text in (("pos", POS), ("chk", CHK), ("long", LONG)):
        (directory / f"{name}.toml").write_text(text)
    return directory


def train(place, config, directory, *args, vectors="vectors.txt", **options):
    return run(
        "senna-train",
        place / config,
        place,
        directory,
        "--vectors",
        place / vectors,
        *args,
        **options,
    )


@pytest.fixture(scope="module")
def runs(place):
    """Directory with finished runs of both configurations, and what they printed."""
    directory = place / "runs"
    results = {
        name: train(place, f"{name}.toml", directory / name) for name in ("pos", "chk")
    }
    return directory, results


def test_a_cascade_from_columns_to_tags(runs):
    directory, results = runs
    for result in results.values():
        assert result.returncode == 0, result.stderr
        assert b"\x1b" not in result.stderr + result.stdout
    said = results["pos"].stderr.decode().splitlines()
    assert said[0].startswith("pos: 60 sentences, 367 tokens to train on, 20 and ")
    assert said[1].startswith("epoch 1/8  cost ")
    assert said[-1] == f"best: epoch 8, dev accuracy 100.00, in {directory / 'pos'}"
    assert b"100.00" in results["pos"].stdout
    assert (
        results["chk"]
        .stderr.decode()
        .splitlines()[-1]
        .endswith(f"in {directory / 'chk'}")
    )
    for name in results:
        files = {path.name for path in (directory / name).iterdir() if path.is_file()}
        assert files == {"model.safetensors", "checkpoint.npz", "log.jsonl"}
        rows = (directory / name / "log.jsonl").read_text().splitlines()
        assert [json.loads(row)["epoch"] for row in rows] == list(range(1, 9))


def test_a_model_without_its_checkpoint_is_not_overwritten(runs, place, tmp_path):
    shutil.copy(runs[0] / "pos" / "model.safetensors", tmp_path)
    for resume in ([], ["--resume"]):
        result = train(place, "pos.toml", tmp_path, *resume)
        assert_one_line_error(result, "model.safetensors: there is a model")


def test_existing_run(runs, place):
    directory = runs[0] / "pos"
    before = (directory / "model.safetensors").read_bytes()
    result = train(place, "pos.toml", directory)
    assert_one_line_error(
        result, directory / "checkpoint.npz", "there is a run already", "--resume"
    )
    result = train(place, "pos.toml", directory, "--resume")
    assert result.returncode == 0
    assert f"{directory}: finished before, after 8 epochs\n" in result.stderr.decode()
    assert result.stdout == runs[1]["pos"].stdout
    assert (directory / "model.safetensors").read_bytes() == before
    for changes in (["--set", "training.seed=7"], ["--seed", "7"]):
        result = train(place, "pos.toml", directory, "--resume", *changes)
        problem = "training.seed 1, asked for 7"
        assert_one_line_error(result, "checkpoint.npz", problem, is_last=True)


def test_time_limit_and_resume(runs, place, tmp_path):
    first = train(
        place, "pos.toml", tmp_path / "run", "--time-limit", "0.001s", "--resume"
    )
    assert f"{tmp_path / 'run'}: no checkpoint to resume from".encode() in first.stderr
    assert first.returncode == 0
    assert first.stderr.endswith(b"stopped; continue with --resume\n")
    assert first.stdout == b""
    second = train(place, "pos.toml", tmp_path / "run", "--resume")
    assert second.returncode == 0, second.stderr
    assert second.stdout == runs[1]["pos"].stdout
    model = "model.safetensors"
    assert (tmp_path / "run" / model).read_bytes() == (
        runs[0] / "pos" / model
    ).read_bytes()


@pytest.mark.process
@pytest.mark.parametrize("number", HEARD)
def test_interrupt(number, place, tmp_path):
    command = [
        installed("senna-train"),
        place / "long.toml",
        place,
        tmp_path / "run",
        "--vectors",
        place / "vectors.txt",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    assert any(line.startswith(b"epoch 2/") for line in process.stderr)
    process.send_signal(number)
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert b"Traceback" not in rest
    assert rest.splitlines()[-1].endswith(b"continue with --resume")
    done = len((tmp_path / "run" / "log.jsonl").read_text().splitlines())
    (place / "end.toml").write_text(LONG.replace("100000", f"{done + 2}"))
    result = train(place, "end.toml", tmp_path / "run", "--resume")
    assert result.returncode == 0
    rows = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    assert [json.loads(row)["epoch"] for row in rows] == list(range(1, done + 3))


@pytest.mark.process
def test_a_bar_on_a_terminal(place, tmp_path):
    (place / "bar.toml").write_text(LONG.replace("100000", "2"))
    vectors = ["--vectors", place / "vectors.txt"]
    result = on_terminal("senna-train", place / "bar.toml", place, tmp_path, *vectors)
    assert result.returncode == 0
    assert result.stderr.count(b"100%") >= 2
    assert b"epoch 2/2" in result.stderr


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"config": "none.toml"}, ["none.toml", "No such file"]),
        ({"config": "broken.toml"}, ["broken.toml: not TOML"]),
        ({"config": "wrong.toml"}, ["wrong.toml: training.rate: expected a number"]),
        ({"config": "lost.toml"}, ["lost.tsv: No such file"]),
        (
            {"config": "capz.toml"},
            ["capz.toml: features: capz is no feature, no column of train"],
        ),
        ({"vectors": "none.txt"}, ["none.txt", "No such file"]),
        (
            {"directory": "train.tsv/run"},
            ["train.tsv/run: no place for a", "train.tsv is a file"],
        ),
        ({"directory": "train.tsv"}, ["train.tsv: no place for a run"]),
    ],
)
def test_what_cannot_be_used(change, parts, place, tmp_path):
    (place / "broken.toml").write_text("task =")
    (place / "wrong.toml").write_text(POS.replace("rate = 0.1", 'rate = "high"'))
    (place / "lost.toml").write_text(POS.replace("train.tsv", "lost.tsv"))
    (place / "capz.toml").write_text(POS.replace("caps = 2", "capz = 2"))
    directory = (
        place / change["directory"] if "directory" in change else tmp_path / "run"
    )
    options = {"vectors": change.get("vectors", "vectors.txt")}
    result = train(place, change.get("config", "pos.toml"), directory, **options)
    assert_one_line_error(result, *parts, is_last=True)


def test_plot(runs, place, tmp_path):
    drawn = ["chk.toml", runs[0] / "chk", "--resume", "--plot"]
    result = train(place, *drawn, tmp_path / "run.svg")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        assert_one_line_error(result, "drawing needs matplotlib", code=2)
        pytest.skip("matplotlib is not installed")
    assert result.returncode == 0
    assert "dev F1" in (tmp_path / "run.svg").read_text()
    new = ["pos.toml", tmp_path / "new", "--time-limit", "0.001s", "--plot"]
    result = train(place, *new, tmp_path / "new.svg")
    assert b"new.svg: not drawn: the run has not reported yet" in result.stderr
    result = train(place, *drawn, tmp_path / "none" / "run.svg")
    assert_one_line_error(result, "run.svg: there is no directory", code=2)


ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "train"


PARTS = re.compile(
    r"`(\w+\.toml)`|^```toml\n(task = .*?)^```$|^```sh\n(.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def run_page(page, place, **settings):
    """Run the commands of a page as they stand in it, with its configurations; return
    what they print, and what they say on standard error.

    settings: those of the configurations by their names. Data are few: as many epochs
    as the page's would take long.
    """
    options = {
        f"senna-train {name}.toml": [word for each in some for word in ("--set", each)]
        for name, some in settings.items()
    }
    shell, name, printed = Shell(place, options), None, ""
    for named, config, block in PARTS.findall(
        (DOCS / page).read_text(encoding="utf-8")
    ):
        name = named or name
        if config:
            (place / name).write_text(config)
        printed += shell.run_block(block)
    return printed, shell.said


@pytest.mark.script
def test_the_first_page(tmp_path):
    treebank = tmp_path / "corpora" / "UD_English-EWT"  # a small one in its place
    treebank.mkdir(parents=True)
    for name, sentences in (("train", corpus(24)), ("dev", corpus(5, seed=1))):
        (treebank / f"en_ewt-ud-{name}.conllu").write_text(conllu(sentences))
    few = dict.fromkeys(
        ("pos", "upos", "chk", "tense"), ("training.batch=2", "training.epochs=4")
    )
    printed, said = run_page("first-tagger.md", tmp_path, **few)
    said = [line for line in said.splitlines() if line.startswith("best: ")]
    assert [line.partition(" dev ")[2].split(",")[0] for line in said] == [
        "accuracy 100.00",
        "accuracy 100.00",
        "F1 100.00",
        "F1 100.00",
        "accuracy 100.00",
    ]
    tagged = [line.split() for line in printed.splitlines() if "\t" in line]
    assert [row[0] for row in tagged] == 5 * ["the", "big", "dog", "sees", "Rome", "."]
    columns = [[row[1] for row in tagged[k : k + 6]] for k in (0, 6)]
    assert columns[0] == ["DT", "JJ", "NN", "VBZ", "NNP", "."]
    assert columns[1] == ["DET", "ADJ", "NOUN", "VERB", "PROPN", "PUNCT"]
    assert tagged[-3] == ["sees", "VBZ", "Pres"]


@pytest.mark.script
def test_the_page_on_fine_tuning(tmp_path):
    (tmp_path / "corpora").mkdir()
    rows = [[f"{row[0]}\t{row[3]}\n" for row in sentence] for sentence in corpus(10)]
    (tmp_path / "corpora" / "mine.tsv").write_text("\n".join(map("".join, rows)))
    printed, said = run_page(
        "fine-tune.md",
        tmp_path,
        tune=["training.epochs=2"],
        med=["training.epochs=25"],
    )
    assert "models/en:ner does not know DISEASE: the output layer is new" in said
    page = (DOCS / "fine-tune.md").read_text(encoding="utf-8")
    shown = next(
        text for text in page.split("```\n") if text.startswith("         Angela")
    )
    assert printed.endswith(f"{shown}\n")


# The configurations of pages, in order, besides that of the first page.
CONFIGURED = {
    "cascades.md": ["chk"],
    "ensembles.md": ["student"],
    "roles-and-trees.md": ["srl", "psg"],
    "several-tasks.md": ["several"],
}
LOOP = re.compile(r"^for seed in ([\d ]+); do\n(.*?)^done\n", re.DOTALL | re.MULTILINE)


def without_loops(block):
    """The commands of a block, with those of loops over seeds as often as they run."""
    return LOOP.sub(
        lambda loop: "".join(
            loop[2].replace("$seed", seed) for seed in loop[1].split()
        ),
        block,
    )


def write_data_of_pages(directory, page):
    """Write the files that the pages name, of a few sentences."""
    columns = {"train.tsv": (0, 1, 2), "dev.tsv": (0, 1, 2), "names.tsv": (0, 3)}
    columns |= {"train.srl.tsv": (0, 5, 6), "dev.srl.tsv": (0, 5, 6)}
    if page == "several-tasks.md":
        columns["dev.tsv"] = (0, 1, 2, 3)
    for name, kept in columns.items():
        rows = [[[row[c] for c in kept] for row in s] for s in corpus(12)]
        write_columns(directory / name, rows)
    tree = "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NNP Rome))) (. .))\n"
    for name in ("train.mrg", "dev.mrg"):
        (directory / name).write_text(tree)


@pytest.mark.script
@pytest.mark.parametrize("page", CONFIGURED)
def test_the_other_pages_on_training(page, tmp_path):
    text, first = ((DOCS / n).read_text("utf-8") for n in (page, "first-tagger.md"))
    configs = re.compile(r"^```toml\n(tasks? = .*?)^```$", re.DOTALL | re.MULTILINE)
    (tmp_path / "pos.toml").write_text(configs.findall(first)[0])
    for name, config in zip(CONFIGURED[page], configs.findall(text), strict=False):
        (tmp_path / f"{name}.toml").write_text(config)
    write_data_of_pages(tmp_path / "corpora", page)
    (tmp_path / "news.txt").write_text("the big dog sees Rome .\n")
    shell = Shell(tmp_path, {"senna-train": ["--set", "training.epochs=1"]})
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    printed = "".join(shell.run_block(without_loops(block)) for block in blocks)
    assert "Rome" in printed
