"""Recipes: what those of the English model do without PyTorch, and figures of
recipes/paper.
"""

import ast
import importlib
import json
import runpy
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.labels.tasks import find_task
from senna_py.lm.lstm.lexicon import Alphabet
from senna_py.model import Model
from senna_py.models.native import NativeModel
from senna_py.models.shipped import shipped_model
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from tests.helpers.commands import MODEL, run_program
from tests.helpers.small_corpora import (
    conllu,
    corpus,
    run,
    settings,
    write_corpora,
    write_vectors,
)

EN = Path(__file__).resolve().parent.parent / "recipes/en"


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(EN / "teacher"))
    monkeypatch.syspath_prepend(str(EN))
    yield
    for name in (
        *("annotated", "average", "corpora", "damage", "entities", "labels", "sample"),
        *("tweets", "without_label", "write_scores", "written"),
    ):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    "word, is_time",
    [
        ("3am", True),
        ("10:30p.m.", True),
        ("7.15PM", True),
        ("10am-6pm", True),
        ("9-5pm", True),
        ("am", False),
        ("123am", False),
        ("3amp", False),
        ("3", False),
        ("3-4", False),
    ],
)
def test_times_of_day(word, is_time):
    import tweets

    assert (tweets.TIME_OF_DAY.fullmatch(word) is not None) == is_time


@pytest.mark.parametrize(
    "options, left",
    [
        ({"S-LOC"}, {"S-LOC": 1}),
        ({"O", "S-MISC"}, {"O": 0.75, "S-MISC": 0.25}),
        ({"E-PER"}, {"E-PER": 1}),
        (None, {"O": 0.6, "S-LOC": 0.2, "S-MISC": 0.2}),
    ],
)
def test_where_a_corpus_leaves_several_labels_a_model_chooses(options, left):
    import entities

    shares = {"O": 0.6, "S-LOC": 0.2, "S-MISC": 0.2}
    assert entities.left_by(options, shares) == pytest.approx(left)


def test_a_label_is_taken_from_a_network():
    import without_label

    shapes = {
        "output_weight": (2, 3),
        "output_bias": 3,
        "initial": 3,
        "final": 3,
        "transition": (3, 3),
    }
    arrays = {f"networks/pos/{name}": np.zeros(shape) for name, shape in shapes.items()}
    arrays["networks/pos/output_bias"] = np.arange(3)
    arrays["networks/pos/labels"] = np.frombuffer(b"DT\nSU\nNN\n", np.uint8)
    without_label.drop_label(arrays, "pos", "SU")
    assert arrays["networks/pos/labels"].tobytes() == b"DT\nNN\n"
    assert arrays["networks/pos/output_bias"].tolist() == [0, 2]
    assert arrays["networks/pos/output_weight"].shape == (2, 2)
    assert arrays["networks/pos/transition"].shape == (2, 2)


def test_weights_of_two_models_are_averaged_by_label():
    import average

    def arrays(labels, weight, byte):
        return {
            "words": np.full(3, byte, np.uint8),
            "networks/srl/labels": np.zeros(labels, np.uint8),
            "networks/srl/output_bias": np.array(weight, np.float16),
            "networks/srl/block": np.full((2, 1), byte, np.int8),
            "networks/srl/block_scales": np.ones(1, np.float32),
            "networks/feats/output_bias": np.full(1, byte, np.float16),
        }

    labels = {"srl": (["A0", "A1"], ["A1", "A2", "A0"]), "feats": ([], [])}
    first, second = arrays(2, [1, 2], 40), arrays(3, [10, 20, 30], 80)
    found = average.averaged(first, second, 0.25, labels)
    assert found["networks/srl/output_bias"].tolist() == [4, 20, 8.25]  # A2 is new
    weight = found["networks/srl/block"] * found["networks/srl/block_scales"]
    assert np.allclose(weight, 50, rtol=0.005)
    assert found["networks/feats/output_bias"] == [80] and found["words"][0] == 80


def test_scores_are_written_into_a_model(tmp_path):
    import write_scores

    scores = {"pos": {"dev": {"accuracy": 12.34}, "data": "EWT"}}
    (tmp_path / "scores.json").write_text(json.dumps(scores))
    new = tmp_path / "new.safetensors"
    write_scores.main(shipped_model(), tmp_path / "scores.json", new)
    model = NativeModel(new)
    assert model.part_info("pos")["scores"] == scores["pos"]
    assert all(
        "scores" not in model.part_info(name)
        for name in model.networks
        if name != "pos"
    )


def test_a_corpus_without_misc_is_silent_about_it(tmp_path):
    import corpora

    (tmp_path / "a.tsv").write_text(
        "Rome\t-\tB-LOC\nwas\t-\tO\nART\t-\tB-magazine\n\n", "utf-8"
    )
    source = corpora.Source("a", "a.tsv", "word - ner", "ner", silent=True)
    (sentence,) = corpora.read([source], tmp_path)
    assert sentence.options[0] == {"S-LOC"}
    assert sentence.options[1] == {"O", "B-MISC", "I-MISC", "E-MISC", "S-MISC"}
    assert sentence.options[2] is None
    (sentence,) = corpora.read([source._replace(silent=False)], tmp_path)
    assert sentence.options[1] == {"O"}


def test_dependencies_are_those_of_the_same_words(tmp_path):
    import corpora

    rows = [f"1\tGo\t_\t{upos}\t_\tA=B\t0\troot\t_\t_\n\n" for upos in ("VERB", "NOUN")]
    for group, text in (("ewt", "# one\n" + "".join(rows)), ("gum", "")):
        (tmp_path / group).mkdir()
        (tmp_path / group / "dev.conllu").write_text(text, "utf-8")
    sentences = [corpora.Sentence([word], "ewt") for word in ("Go", "on", "Go", "Go")]
    corpora.add_dependencies(sentences, tmp_path, "dev")
    assert [s.dep and s.dep[2] for s in sentences] == [
        ["VERB"],
        None,
        ["NOUN"],
        ["VERB"],
    ]
    assert sentences[0].dep == [["0"], ["root"], ["VERB"], ["A=B"]]


LABELS = {"pos": ["NN", "VB"], "psg": ["NP", "S"], "srl": ["O", "S-A0", "S-V"]}
LABELS |= {task: ["O", "S-X"] for task in ("chk", "ner", "pt0", "vbs", "upos", "val")}
LABELS["rel"] = ["nsubj", "root"]
WORDS = [["It", "goes"], ["Go"]]
ARRAYS = {
    "pos.best": [0, 1, 1],
    "pos.other.gap": [0, 2],
    "pos.other": [1, 0],
    "pos.other.share": [4, 25],
    "psg.gap": [0, 0, 2],
    "psg.words": [2, 1, 1],
    "psg": [1, 0, 1],
    "psg.share": [25, 24, 20],
    "srl.predicate.gap": [1, 2],
    "srl.gap": [0, 0, 1],
    "srl.word": [0, 1, 0],
    "srl": [1, 2, 2],
    "srl.share": [20, 25, 22],
    "dep.head": [2, 0, 0],
    "dep.relation": [0, 1, 1],
    "dep.share": [20, 25, 24],
}


def labels_below(directory):
    import labels

    own = {name: np.array(array) for name, array in ARRAYS.items()}
    own["val.best"] = np.array([0, 1, 0])
    for task in ("chk", "ner", "pt0", "vbs", "upos"):
        own |= {
            f"{task}.best": np.array([0, 1, 0]),
            f"{task}.other.gap": np.array([], int),
        }
        own |= {f"{task}.other{end}": np.array([], int) for end in ("", ".share")}
    labels.Labels.new(directory, WORDS, LABELS).add(own)
    return labels


def test_labels_are_read_as_they_were_written(tmp_path):
    read = labels_below(tmp_path / "labels").Labels(tmp_path / "labels")
    assert (
        read.sentences == WORDS
        and read.index["labels"] == LABELS
        and read.index["words"] == 3
    )
    for name, array in ARRAYS.items():
        told = np.cumsum(read[name]) if name.endswith("gap") else read[name]
        assert told.tolist() == array and read[name].dtype == np.uint8
    with pytest.raises(SystemExit, match=r"labels: no array feats\.best"):
        read["feats.best"]


@pytest.mark.parametrize("block", [1, 2])
def test_labels_as_columns(block, monkeypatch, tmp_path):
    labels = labels_below(tmp_path / "labels")
    monkeypatch.setattr(labels, "BLOCK", block)
    labels.main(tmp_path / "labels", tmp_path / "columns")
    files = sorted((tmp_path / "columns").glob("*.tsv"))
    assert len(files) == 3 - block
    nothing, something = (
        "\t".join([label + ":1"] * 5 + [label]) for label in ("O", "S-X")
    )
    assert "".join(path.read_text("utf-8") for path in files) == (
        f"It\tNN:0.92,VB:0.08\t{nothing}\tS/2:1,NP/1:0.96\t2\tnsubj\t0.8\t-\tS-A0:0.8,O:0.2\n"
        f"goes\tVB:1\t{something}\t-\t0\troot\t1\tgoes\tS-V:1\n\n"
        f"Go\tNN:0.5,VB:0.5\t{nothing}\tS/1:0.8\t0\troot\t0.96\tGo\tS-V:0.88,O:0.12\n\n"
    )


ANNOTATED = """
" `` O O `` - 6 punct - O
Go VB S-VP O S-VP S/2:1,VP/1:0.9 6 ccomp Go S-V
! . O O . - 2 punct - O
" '' O O '' - 6 punct - O
, , B-NP:0.6,O:0.4 O , - 6 punct - B-A0
Anna NNP I-NP:0.7,E-NP:0.3 B-PER:1 E-X NP/3:1,NP/2:0.5 0 root - E-A0
- HYPH E-NP I-PER:1 - - 6 punct - O
Lee NNP O E-PER:1 - - 6 flat - O
""".strip().split("\n")
COLUMNS = "pos", "chk", "ner", "pt0", "psg", "head", "relation", "predicate"


def annotated_sentence():
    import annotated

    words, *columns = zip(*(line.split(" ") for line in ANNOTATED), strict=True)
    named = dict(zip(COLUMNS, map(list, columns), strict=False))
    return annotated.Annotated(list(words), named, [list(columns[-1])])


def test_labels_fit_when_words_are_gone():
    cut = annotated_sentence().without({0, 2, 3, 4, 6})
    assert cut.words == ["Go", "Anna", "Lee"]
    assert cut.columns["pos"] == ["VB", "NNP", "NNP"]
    assert cut.columns["chk"] == ["S-VP", "S-NP:1", "O"]
    assert cut.columns["ner"] == ["O", "B-PER:1", "E-PER:1"]
    assert cut.columns["psg"] == ["S(VP/1:0.9", "NP/2:1,NP/1:0.5", "-"]
    assert cut.columns["head"] == ["2", "0", "2"]
    assert cut.roles == [["S-V", "S-A0", "O"]]


def test_constituents_that_become_equal_are_joined():
    import annotated

    sentence = annotated.Annotated(["Rome", "."], {"psg": ["FRAG/2:1,NP/1:1", "-"]})
    assert sentence.without({1}).columns["psg"] == ["FRAG(NP/1:1"]


def test_a_sentence_keeps_its_root():
    assert annotated_sentence().without({5}) is None
    assert annotated_sentence().without({*range(8)}) is None


def test_damaged_sentences_keep_their_labels(tmp_path):
    import damage

    lines = ["Go\tVB\tO", "on\tRP\tO", ",\t,\tO", "Anna\tNNP\tB-PER", "!\t.\tO"]
    (tmp_path / "a.tsv").write_text("".join(f"{x}\n" for x in [*lines, ""]) * 50)
    wanted = {
        "lower": ["go", "on", ",", "anna", "!"],
        "lower-unpunctuated": ["go", "on", "anna"],
        "unfinished": ["Go", "on", ",", "Anna"],
        "title": ["Go", "On", ",", "Anna", "!"],
        "upper": ["GO", "ON", ",", "ANNA", "!"],
    }
    for way, words in wanted.items():
        sentences = damage.read_annotated(tmp_path / "a.tsv", ["word", "pos", "-2"])
        first, *_ = damage.damaged(sentences, 1.0, way, seed=1)
        assert first.words == words
        assert first.columns["pos"][3 if "," in words else 2] == "NNP"
    for way in (None, "typed", "scanned"):
        sentences = damage.read_annotated(tmp_path / "a.tsv", ["word", "pos", "-2"])
        copies = [*damage.damaged(sentences, 1.0, way, seed=1)]
        assert 20 < len(copies) <= 50
        assert {len(copy.columns["pos"]) for copy in copies} <= {3, 4, 5}
    assert any("Anna" not in copy.words for copy in copies)


def test_errors_of_the_teacher_in_values_are_mended():
    import labels

    for text, wanted in (
        ("$/O 5/S-MONEY", "B-MONEY E-MONEY"),
        ("#/O 5/S-MONEY", "O S-CARDINAL"),
        ("5/B-MONEY per/I-MONEY cent/E-MONEY", "B-PERCENT I-PERCENT E-PERCENT"),
        ("at/O 2am/S-CARDINAL", "O S-TIME"),
        ("*/S-CARDINAL two/S-CARDINAL", "O S-CARDINAL"),
        ("5/B-MONEY euros/E-MONEY", "B-MONEY E-MONEY"),
    ):
        words, tags = zip(*(pair.split("/") for pair in text.split(" ")), strict=True)
        assert labels.mended_values(words, tags) == wanted.split(" ")


@pytest.mark.slow
def test_written_sentences(tmp_path):
    import written

    (tmp_path / "gazetteers").mkdir()
    for name in ("person.first.nltk_kantrowitz", "person.last.census1990"):
        (tmp_path / f"gazetteers/{name}.txt").write_text("Anna\nLEE\n")
    (tmp_path / "gazetteers/location.nltk.txt").write_text("Rome\n")
    written.main(str(tmp_path))
    tasks = {
        name: find_task(name) for name in ("pos", "chk", "ner", "upos", "val", "dep")
    }
    for name, columns in (
        ("names", ["word", "pos", "ner"]),
        ("values", ["word", "pos", "val"]),
        ("short", ["word", "pos", "chk", "upos", "head", "relation"]),
    ):
        data = DataSet([f"written/{name}.tsv"], columns)
        known = {task: tasks[task] for task in data.labeled_tasks(tasks)}
        sentences = read_sentences([data], known, tmp_path)
        assert len(sentences) > 500
    arcs = sentences.gold["dep"].layer
    assert {"nsubj", "obj", "root"} <= {*arcs.names}


def test_text_that_shares_eight_words_with_dev_is_left_out(tmp_path):
    import lzma

    import sample

    path = tmp_path / "a.txt.xz"
    seen = "one two three four five six seven eight"
    path.write_bytes(
        lzma.compress(f"Zero {seen}-nine.\nzero one two three four.\n".encode())
    )
    known = set(sample.rows_of_words(seen.upper().split()))
    assert [len(words) for words in sample.draw(path, 100, known, Random(1))] == [6]


WORDNET = {
    "noun.lemmas.txt": "lens\nlense\nstar\nleaf\n.22\n",
    "noun.exc.tsv": "leaves\tleaf leave\n",
    "verb.lemmas.txt": "hop\nhope\nfeed\n",
    "verb.exc.tsv": "fed\tfeed\nhopped\thop\nhopping\thop\n",
    "adj.lemmas.txt": "true\n",
    "adj.exc.tsv": "better\tgood well\n",
    "adv.lemmas.txt": "well\n",
    "adv.exc.tsv": "better\twell\n",
}
FORMS = """
lens lens NOUN; lense lense NOUN; star star NOUN; leaf leaf NOUN; stars star NOUN; leaves leaf NOUN
lenses lens NOUN; hop hop VERB; hops hop VERB; hopped hop VERB; hopping hop VERB; hoped hope VERB
hoping hope VERB; feed feed VERB; fed feed VERB; feeding feed VERB; truer true ADJ; truest true ADJ
better good ADJ; better well ADV; gim give VERB
"""


def test_a_model_gets_the_words_of_wordnet(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, text in WORDNET.items():
        (folder / name).write_text(text)
    model = NativeModel(shipped_model()).path
    monkeypatch.setattr(
        sys, "argv", ["", str(folder), str(model), str(EN / "forms.tsv")]
    )
    runpy.run_path(str(EN / "wordnet.py"), run_name="__main__")
    printed = capsys.readouterr().out
    lines = {" ".join(line.split("\t")) for line in printed.splitlines()}
    assert {
        line.strip() for line in FORMS.replace("\n", ";").split(";") if line.strip()
    } <= lines
    assert not {"leaves leave NOUN", "feeded feed VERB", "lenses lense NOUN"} & lines
    (folder / "forms.tsv").write_text(printed)
    for bank in ("ewt", "gum"):
        (tmp_path / bank).mkdir()
        for name in ("train", "dev"):
            (tmp_path / bank / f"{name}.conllu").write_text(conllu(corpus(40)))
    out = tmp_path / "model.safetensors"
    monkeypatch.setattr(sys, "argv", ["", str(model), str(tmp_path), str(out)])
    runpy.run_path(str(EN / "lemmas.py"), run_name="__main__")
    lemmas = NativeModel(out).resource("lemmas", "pos")
    assert (
        lemmas.find("leaves", "NNS") == "leaf" and lemmas.find("fed", "VBZ") == "feed"
    )
    assert (
        NativeModel(out).part("pos").labels.data
        == NativeModel(model).part("pos").labels.data
    )


RECIPES = Path(__file__).resolve().parent.parent / "recipes/paper"
explain = runpy.run_path(str(RECIPES / "max_layer.py"))["explain"]
CHARACTERS = RECIPES.parent.parent / "models/characters/english.lm"
TEXT = "allow executives to report exercises of options later"


@pytest.fixture(scope="module")
def model():
    return Model(MODEL)


def test_all_units_listen_to_some_word(model):
    words, columns = explain(model, "srl", TEXT)
    assert words == TEXT.split()
    assert columns
    n_units = len(model.storage.network("srl").conv_bias)
    for name, units in columns.items():
        assert name.split()[0] in words
        assert len(units) == len(words)
        assert units.sum() == pytest.approx(n_units)
    _, of_word = explain(model, "srl", TEXT, "later")
    assert all((units == units.astype(int)).all() for units in of_word.values())
    assert any((of_word[name] != columns[name]).any() for name in columns)


def test_what_cannot_be_explained(model):
    for text, task, word, said in (
        (TEXT, "srl", "nothing", "no word nothing; it has allow"),
        ("", "srl", None, "the sentence has no word"),
        ("of", "srl", None, "no predicate"),
        (TEXT, "pos", None, "no network pos of the sentence approach"),
        (TEXT, "none", None, "no network none of the sentence approach"),
    ):
        with pytest.raises(SennaError, match=said):
            explain(model, task, text, word)


def test_a_network_for_words_is_explained(tmp_path):
    corpora = write_corpora(tmp_path)
    write_vectors(tmp_path / "vectors.txt")
    config = settings("chk", network={"approach": "sentence"}, training={"epochs": 1})
    assert run(tmp_path / "run", config, corpora).trainer().run()
    words, columns = explain(Model(tmp_path / "run"), "chk", "the dog sees Anna .")
    assert list(columns) == ["chk"]
    assert columns["chk"].sum() == pytest.approx(14)
    assert len(words) == 5


@pytest.mark.extra
def test_a_column_for_each_predicate_is_printed_and_drawn(
    tmp_path, monkeypatch, capsys
):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "units.svg"
    given = ["max_layer.py", str(MODEL), f"{TEXT} $x$", "--plot", str(picture)]
    monkeypatch.setattr(sys, "argv", given)
    runpy.run_path(str(RECIPES / "max_layer.py"), run_name="__main__")
    head, *rows = capsys.readouterr().out.splitlines()
    assert [row.split("\t")[0].strip() for row in rows] == [
        *TEXT.split(),
        "$",
        "x",
        "$",
    ]
    assert {line.count("\t") for line in rows} == {head.count("\t")} != {0}
    assert "later" in picture.read_text()


@pytest.mark.extra
def test_hidden_units_are_drawn_from_the_logs_of_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    corpora = write_corpora(tmp_path)
    write_vectors(tmp_path / "vectors.txt")
    best = {}
    for hidden, seed in ((4, 1), (4, 2), (8, 1)):
        config = settings(
            "chk", network={"hidden": hidden}, training={"epochs": 2, "seed": seed}
        )
        trainer = run(tmp_path / f"r{hidden}-{seed}", config, corpora).trainer()
        assert trainer.run()
        best.setdefault(hidden, []).append(trainer.best[0])
    runs = [str(path) for path in sorted(tmp_path.glob("r*-*"))]
    picture = tmp_path / "units.svg"
    monkeypatch.setattr(sys, "argv", ["hidden_units.py", str(picture), *runs])
    runpy.run_path(str(RECIPES / "hidden_units.py"), run_name="__main__")
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        [
            "chk",
            f"{n} hidden units",
            f"F1 {np.mean(best[n]):.2f}",
            f"{len(best[n])} runs",
        ]
        for n in (4, 8)
    ]
    assert "hidden units" in picture.read_text()


@pytest.mark.extra
def test_ngrams_of_characters_are_drawn(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "ngrams.png"
    monkeypatch.setattr(sys, "argv", ["ngrams.py", str(CHARACTERS), str(picture)])
    runpy.run_path(str(RECIPES / "ngrams.py"), run_name="__main__")
    assert "prefix" in capsys.readouterr().out
    assert picture.stat().st_size > 1000


def test_ngrams_of_two_words_and_their_kinds():
    script = runpy.run_path(str(RECIPES / "ngrams.py"))
    alphabet = Alphabet(["-", "a", "b"])
    hyphen, a, b = 6, 7, 8
    found = script["ngrams_of"](alphabet, ["<unk>", "ab", "a-b", "aa"], 3)
    # Of "ab" = ^ab$, "a-b" = ^a-b$ and "aa" = ^aa$; ^ is 1, $ is 2. A hyphen is in one
    # word only.
    assert found == [(1, a), (a,), (b,), (b, 2)]
    kinds = [
        script["kind_of"](ngram, alphabet)
        for ngram in ((1, a), (a,), (b, 2), (a, hyphen))
    ]
    assert kinds == ["prefix", "other", "suffix", "hyphenated"]


SCRIPTS = [
    path
    for path in sorted(EN.parent.rglob("*.py"))
    if "__main__" in path.read_text("utf-8")
]


@pytest.mark.parametrize(
    "path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_every_script_in_python_says_how_it_is_called(path, monkeypatch, capsys):
    for arguments, code in ((["--help"], 0), ([], 2)):
        monkeypatch.setattr(sys, "argv", [str(path), *arguments])
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as end:
            assert (end.code or 0) == code
        except ModuleNotFoundError as error:
            assert error.name in ("torch", "spacy")
            pytest.skip(f"needs {error.name}")
        else:
            assert code == 0
        said = capsys.readouterr()[code // 2]
        assert path.name in said and "Traceback" not in said


# What no test runs: it needs PyTorch.
SCRIPTS = sorted(
    path for name in ("teacher", "gpu") for path in (EN / name).glob("*.py")
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_what_is_imported_from_the_package_is_there(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("senna_py"):
            module = importlib.import_module(node.module)
            for name in node.names:
                assert hasattr(module, name.name), (
                    f"line {node.lineno}: {node.module} {name.name}"
                )


SCRIPTS = sorted(EN.parent.glob("*/*.sh"))


@pytest.mark.process
@pytest.mark.parametrize(
    "script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_every_script_says_how_it_is_called(script, tmp_path):
    first = script.read_text(encoding="utf-8").split("\n")[1].removeprefix("# ")
    for option in ("--help", "-h"):
        asked = run_program(script, option, cwd=tmp_path)
        assert (asked.returncode, asked.stderr) == (0, "")
        assert (
            asked.stdout.startswith(f"{first}\n") and f"{script.name} " in asked.stdout
        )
        assert "set -e" not in asked.stdout
    bare = run_program(script, cwd=tmp_path)
    assert (bare.returncode, bare.stdout, bare.stderr) == (2, "", asked.stdout)
    if "needs=" in script.read_text("utf-8"):
        few = run_program(script, "x", cwd=tmp_path)
        assert (few.returncode, few.stdout, few.stderr) == (2, "", asked.stdout)
    assert not [*tmp_path.iterdir()]
