import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import senna_py.tagger
from senna_py import Document, Tree, load
from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError, UsageError
from senna_py.formats.columns import ColumnPrinter
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.model import TASKS, Model, find_model
from senna_py.tagger import Tagger
from senna_py.text import sentences
from tests.helpers.native_models import all_parts, by_sentence, write_parts
from tests.helpers.tagging import print_columns, tag_paths


def test_threads_share_a_tagger(golden, tagger):
    lines = (golden / "random.txt").read_bytes().splitlines()
    batches = [b"\n".join(lines[i::8]) for i in range(8)]
    columns = ColumnPrinter(tagger)

    def tag(batch):
        return bytes(
            columns.format(
                tagger.annotate(tagger.tokenizer.lines(batch)), BatchPlace("x")
            )
        )

    def work(i):
        return [tag(batch) for batch in batches[i:] + batches[:i]]

    expected = work(0)
    with ThreadPoolExecutor(8) as pool:
        for i, results in enumerate(pool.map(work, range(8))):
            assert results == expected[i:] + expected[:i]


def test_threads_share_a_model_that_nothing_is_read_of(golden):
    model = Model(golden / "model")
    with ThreadPoolExecutor(8) as pool:
        taggers = [*pool.map(lambda _: Tagger(model, TASKS), range(8))]
    texts = [repr(tagger("He reads .")) for tagger in taggers]
    assert texts == [texts[0]] * len(texts)
    assert len({id(tagger.labels("pos")) for tagger in taggers}) == 1


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("native", [True, False])
def test_a_tagger_is_freed_at_once(golden, tmp_path, native, plain):
    """Not only when Python looks for cycles, which it does seldom beside so few large
    objects.
    """
    path = golden / "model"
    if native:
        path = write_parts(tmp_path / "model", all_parts(np.random.default_rng(0)))

    def use():
        tagger = Tagger(path)
        tagger("The cat sat .")
        tagger.document("A dog. It ran.")
        return [
            weakref.ref(kept) for kept in (tagger, tagger.model, tagger.model.storage)
        ]

    with fixed_kernels(plain):
        use()  # compiles kernels
        gc.disable()
        try:
            assert [kept() for kept in use()] == [None] * 3
        finally:
            gc.enable()


# Tasks and networks.


def test_only_what_a_task_needs_is_run(golden, model):
    tokens = Tagger(model).tokenizer.lines(b"He reads .")
    needed = {
        "pos": {"pos"},
        "chk": {"pos", "chk"},
        "ner": {"ner"},
        "pt0": {"pos", "pt0"},
        "srl": {"pos", "pt0", "vbs", "srl"},
        "psg": {"pos", "psg"},
    }
    for task in TASKS:
        found = Tagger(model, [task]).annotate(tokens)
        assert set(found.layers) == needed[task]
    assert set(Tagger(model, ["srl"], "pos").annotate(tokens).layers) == {
        "pos",
        "pt0",
        "srl",
    }


def test_without_tasks_there_are_only_tokens(model):
    (token,) = Tagger(model, [])("reads")
    assert (token.text, token.tags) == ("reads", {})


def test_missing_network(copied_model):
    path = copied_model / "data" / "pt0.dat"
    path.unlink()
    for task, predicates in (
        ("pt0", "vbs"),
        ("srl", "vbs"),
        ("srl", "pos"),
        ("srl", "given"),
    ):
        with pytest.raises(SennaError) as error:
            Tagger(copied_model, [task], predicates)
        assert str(error.value) == (
            f"{copied_model}: the model cannot do {task}: it has no pt0 network "
            f"({path} is missing); it has pos, chk, ner, srl, psg"
        )
    assert Tagger(copied_model).tasks == ("pos", "chk", "ner", "psg")


def test_unknown_names(model):
    with pytest.raises(
        UsageError, match="no such task: 'parse'; there are pos, chk, ner, pt0"
    ):
        Tagger(model, ["parse"])
    with pytest.raises(
        UsageError, match="no such source of predicates: 'x'; there are vbs, pos"
    ):
        Tagger(model, ["srl"], "x")


def test_where_a_model_is_found(golden, monkeypatch, tmp_path):
    monkeypatch.setenv("SENNA_PY_MODEL", str(golden / "model"))
    assert find_model() == golden / "model"
    assert find_model(tmp_path) == tmp_path
    assert load(tasks=["pos"]).model.path == golden / "model"
    assert load(tmp_path.parent / golden / "model").model.path == golden / "model"


@pytest.mark.parametrize("place", ["package/models/en", "models/en"])
def test_where_the_shipped_model_is_found(monkeypatch, tmp_path, place):
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)
    module = tmp_path / "package" / "models" / "shipped.py"
    monkeypatch.setattr("senna_py.models.shipped.__file__", str(module))
    path = tmp_path / place / "model.safetensors"
    path.parent.mkdir(parents=True)
    path.touch()
    (tmp_path / "pyproject.toml").touch()  # as in a checkout
    assert find_model() == path.parent
    if place == "models/en":  # beside an installed package, which has no such file
        (tmp_path / "pyproject.toml").unlink()
    else:
        path.unlink()
    with pytest.raises(
        SennaError,
        match=r"this installation has no English model; .* --path MODEL or SENNA_PY_MODEL=PATH",
    ):
        find_model()


@pytest.mark.parametrize("name", ["pt", "models/pt"])
def test_where_a_model_with_a_wheel_of_its_own_is_found(monkeypatch, tmp_path, name):
    monkeypatch.chdir(tmp_path)
    module = tmp_path / "package" / "models" / "shipped.py"
    monkeypatch.setattr("senna_py.models.shipped.__file__", str(module))
    with pytest.raises(
        SennaError,
        match=rf"^{name}: the Portuguese model is not installed; .*: "
        r"pip install \./models/pt, or --path models/pt$",
    ):
        load(name)
    directory = tmp_path / "site" / "senna_py_pt"
    directory.mkdir(parents=True)
    monkeypatch.syspath_prepend(directory.parent)
    for file in ("model.safetensors", "gsd.safetensors"):
        (directory / file).touch()
    assert find_model(name) == directory
    assert find_model("pt-gsd") == directory / "gsd.safetensors"
    (tmp_path / "models" / "pt").mkdir(parents=True)
    if name == "models/pt":
        assert find_model(name) == Path(name)  # a user's own model comes first


def test_a_checkout_has_the_portuguese_model(monkeypatch, tmp_path):
    module = tmp_path / "package" / "models" / "shipped.py"
    monkeypatch.setattr("senna_py.models.shipped.__file__", str(module))
    path = tmp_path / "models" / "pt" / "model.safetensors"
    path.parent.mkdir(parents=True)
    path.touch()
    (tmp_path / "pyproject.toml").touch()
    assert find_model("pt") == path.parent


# Predicates.


def test_any_label_beginning_with_v_makes_a_predicate(golden, model, copied_model):
    path = copied_model / "hash" / "pos.lst"
    path.write_bytes(path.read_bytes().replace(b"VB", b"VX"))
    text = (golden / "prose.txt").read_bytes()
    printed = []
    for tagger in (Tagger(model, ["srl"], "pos"), Tagger(copied_model, ["srl"], "pos")):
        printed.append(print_columns(tagger, tagger.tokenizer.lines(text)))
    assert printed[0] == printed[1]


def test_given_predicates(model):
    tagger = Tagger(model, ["srl"], "given")
    words = ["He", "reads", "old", "books", "."]
    by_network = Tagger(model, ["srl"])(words)
    predicates = [frame.predicate for frame in by_network.frames]
    assert tagger(words, predicates=predicates) == by_network
    sentence = tagger("He reads old books .", predicates=[3, 1])
    assert [(f.predicate, f.text) for f in sentence.frames] == [
        (1, "reads"),
        (3, "books"),
    ]
    assert tagger(words).frames == tagger(words, predicates=[]).frames == ()
    assert [s.frames for s in tagger.pipe([words, "a b"])] == [(), ()]


@pytest.mark.parametrize(("text", "index"), [("a b", 2), ("a b", -1), ("", 0)])
def test_given_predicates_outside_the_sentence(model, text, index):
    tagger = Tagger(model, ["srl"], "given")
    with pytest.raises(
        SennaError, match=f"^predicate {index} of a sentence of [02] tokens$"
    ):
        tagger(text, predicates=[index])


# Sentences longer than roles and trees can take.


@pytest.mark.parametrize("given", [True, False])
def test_a_long_sentence_is_cut_and_whole_again(golden, tagger, monkeypatch, given):
    monkeypatch.setattr(senna_py.tagger, "LONGEST_SENTENCE", 7)
    words = (golden / "prose.txt").read_text().split()[:40]
    text = words if given else " ".join(words)
    sentence = tagger(text)
    assert sentence.text == " ".join(words)
    split = tagger.tokenizer.pretokenized if given else tagger.tokenizer.texts
    parts = split([text]).cut(7)
    assert len(parts.starts) > 5
    assert len(sentence) == len(parts)
    starts = parts.starts.tolist()
    alone = [
        tagger([token.text for token in sentence[a:b]]) for a, b in pairwise(starts)
    ]
    if given:  # else words were found in the text, and may be others on their own
        for task in ("pos", "chk", "ner", "pt0"):
            assert sentence.tags[task] == sum((part.tags[task] for part in alone), ())
        assert sentence.tree.to_tree() == Tree(
            "S1", tuple(part.tree.to_tree() for part in alone)
        )
        assert (
            str(sentence.tree) == f"(S1 {' '.join(str(part.tree) for part in alone)})"
        )
        assert [frame.predicate for frame in sentence.frames] == [
            a + frame.predicate
            for a, part in zip(starts[:-1], alone, strict=True)
            for frame in part.frames
        ]
    assert [child.label for child in sentence.tree.children] == ["S1"] * (
        len(starts) - 1
    )
    found_in = set()
    for frame in sentence.frames:
        assert sentence[frame.predicate].text == frame.text
        (part,) = [(a, b) for a, b in pairwise(starts) if a <= frame.predicate < b]
        found_in.add(part)
        # A role does not reach into another part.
        assert all(
            part[0] <= span.start < span.end <= part[1] for span in frame.arguments
        )
    assert len(found_in) > 3


def test_predicates_of_a_sentence_that_is_cut(model, monkeypatch):
    monkeypatch.setattr(senna_py.tagger, "LONGEST_SENTENCE", 4)
    tagger = Tagger(model, ["srl", "psg"], "given")
    assert tagger.longest_sentence == 4
    assert Tagger(model, ["pos", "chk", "ner"]).longest_sentence is None
    sentence = tagger(["dog"] * 10, predicates=[0, 3, 4, 9])
    assert [frame.predicate for frame in sentence.frames] == [0, 3, 4, 9]
    assert [len(child.leaves) for child in sentence.tree.children] == [4, 4, 2]


def test_networks_that_see_whole_sentences_cut(tmp_path, monkeypatch):
    """Also where only another network needs their labels."""
    monkeypatch.setattr(senna_py.tagger, "LONGEST_SENTENCE", 4)
    parts = by_sentence(all_parts(np.random.default_rng(0)), "pos")
    tagger = Tagger(write_parts(tmp_path / "model", parts), ["pt0"])
    assert tagger.longest_sentence == 4
    words = ["he", "reads", "in", "chicago", ".", "x", "y", "z", "the"]
    parts = tagger(words[:4]), tagger(words[4:8]), tagger(words[8:])
    assert tagger(words).tags["pt0"] == sum((part.tags["pt0"] for part in parts), ())


def test_a_note_says_why_a_line_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(senna_py.tagger, "LONGEST_SENTENCE", 4)
    parts = by_sentence(all_parts(np.random.default_rng(0)), "pos")
    write_parts(tmp_path / "model", parts)
    (tmp_path / "in").write_text("he reads in chicago x y\n")
    for task, limiting in (("pos", "pos"), ("psg", "pos, psg")):
        notes = []
        tag_paths(
            [tmp_path / "in"],
            [task],
            tmp_path / "model",
            output=tmp_path / "out",
            note=notes.append,
        )
        (note,) = notes
        assert note.endswith(
            f"a line of 6 tokens is cut into sentences of at most 4 for {limiting}"
        )


# Running text.

DOCUMENT = (
    "Mr. Smith, é, left.  He can't.\nThen “she” \udcff went.\n\n  No. 5 (it). OK\n"
)
SENTENCES = [
    "Mr. Smith, é, left.",
    "He can't.",
    "Then “she” \udcff went.",
    "No. 5 (it).",
    "OK",
]


def treebank_tagger(golden, **options):
    model = Model(golden / "model")
    model.storage.tokenizer = "treebank"
    return Tagger(model, TASKS, **options)


@pytest.mark.parametrize("kind", ["senna", "treebank"])
def test_a_document_has_the_sentences(golden, tagger, kind):
    used = tagger if kind == "senna" else treebank_tagger(golden)
    found = used.document(DOCUMENT)
    assert [sentence.text for sentence in found.sentences] == SENTENCES
    for sentence in found.sentences:
        assert DOCUMENT[sentence.start_char : sentence.end_char] == sentence.text
        for token in sentence:
            assert DOCUMENT[token.start_char : token.end_char] == token.text
        alone = used(sentence.text)
        assert (alone.start_char, alone.end_char) == (0, len(alone.text))
        places = [
            (
                token.start_char - sentence.start_char,
                token.end_char - sentence.start_char,
            )
            for token in sentence
        ]
        assert places == [(token.start_char, token.end_char) for token in alone]
        assert sentence.tags == alone.tags
        assert str(sentence.tree) == str(alone.tree)
        assert [*map(str, sentence.frames)] == [*map(str, sentence.frames)]


@pytest.mark.parametrize("text", ["", " \n\n\t"])
def test_a_document_without_a_token(tagger, text):
    assert tagger.document(text) == Document(text, ())


def test_a_long_sentence_of_a_document(golden, tagger, monkeypatch):
    whole = tagger.document(DOCUMENT)
    monkeypatch.setattr(senna_py.tagger, "LONGEST_SENTENCE", 4)
    cut = tagger.document(DOCUMENT)
    assert [(s.text, s.start_char, len(s)) for s in cut.sentences] == [
        (s.text, s.start_char, len(s)) for s in whole.sentences
    ]
    assert [child.label for child in cut.sentences[0].tree.children] == ["S1", "S1"]


def test_a_document_has_no_given_predicates(model):
    found = Tagger(model, ["srl"], "given").document(DOCUMENT)
    assert [sentence.frames for sentence in found.sentences] == [()] * 5


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        (b"bytes", "a sentence is a str or an iterable of str tokens, not bytes"),
        (
            None,
            "a sentence is a str or an iterable of str tokens, not NoneType; give ''",
        ),
        (3, "a sentence is a str or an iterable of str tokens, not int"),
        ({"a": 1}, "a sentence is a str or an iterable of str tokens, not dict"),
        ({"a"}, "a sentence is a str or an iterable of str tokens, not set"),
        ([1], "a token is a str, not int"),
    ],
)
def test_what_is_no_sentence(sentence, problem, model):
    tagger = Tagger(model, ["pos"])
    with pytest.raises(TypeError, match=problem):
        tagger(sentence)
    with pytest.raises(TypeError, match=f"item 1: {problem}"):
        list(tagger.pipe(["She runs", sentence]))


def test_sentences_in_the_place_of_tokens(tagger):
    for tokens in (
        ["He left.", "She stayed."],
        ["Did he go?", "No.", 'She said "no!"', "OK"],
    ):
        with pytest.raises(UsageError, match="tag a list of sentences with pipe"):
            tagger(tokens)
    with pytest.raises(SennaError, match="a token is an empty string"):
        tagger(["", "a"])
    for tokens in (
        ["New York", "Los Angeles"],
        ["1 1/2", "p. m.", "."],
        ["He left."],
        ["A.", "B."],
        ["at", "5 p. m.", "or", "6 p. m.", "."],
    ):
        assert [token.text for token in tagger(tokens)] == tokens


# Many sentences.


def test_pipe_keeps_the_order(golden, tagger):
    lines = ["", *(golden / "prose.txt").read_text().splitlines()[:9], " ", "word"]
    inputs = [line.split() if i % 3 == 1 else line for i, line in enumerate(lines)]
    expected = [tagger(text) for text in inputs]
    for size in (1, 2, 5, 64):
        assert list(tagger.pipe(iter(inputs), batch_size=size)) == expected


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("documents", [False, True])
def test_pipe_gives_what_is_good_before_what_is_bad(model, jobs, documents):
    tagger, texts = Tagger(model, ["pos"], jobs=jobs), [f"word {i}" for i in range(9)]
    tag = tagger.document if documents else tagger

    def broken():
        yield from texts
        raise OSError("no more")

    for given, error in (
        ([*texts, 3, "more"], "item 9: a .* not int"),
        (broken(), "no more"),
    ):
        found = []
        with pytest.raises((TypeError, OSError), match=error):
            found.extend(tagger.pipe(given, batch_size=4, documents=documents))
        assert found == [tag(text) for text in texts]


@pytest.mark.parametrize("given", [None, 3, "text", b"text", {"a": 1}, {"a"}])
def test_what_is_not_many_sentences_is_refused_at_the_call(tagger, given):
    with pytest.raises(
        TypeError, match=f"pipe takes an iterable .* not {type(given).__name__}"
    ):
        tagger.pipe(given)


@pytest.mark.parametrize("item", ["ab", 3, ("a", 1, 2)])
def test_pairs_are_pairs(tagger, item):
    with pytest.raises(
        TypeError, match="item 1: expected a pair of text and anything else, not"
    ):
        list(tagger.pipe([("a", 1), item], as_tuples=True))


def test_threads_of_pipe_give_the_same(golden, model):
    lines = (golden / "prose.txt").read_text().splitlines()
    one, two = Tagger(model, TASKS), Tagger(model, TASKS, jobs=2)
    assert list(two.pipe(lines, batch_size=3)) == list(one.pipe(lines))
    assert list(two.pipe(lines, documents=True)) == list(
        one.pipe(lines, documents=True)
    )


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"tasks": 3}, "tasks: expected an iterable of str, not int"),
        ({"tasks": ["pos", 3]}, "tasks: expected str, not int"),
        (
            {"abbreviations": "Mr"},
            "abbreviations: expected an iterable of str, not str",
        ),
        ({"jobs": "2"}, "jobs is an int, not str"),
        ({"path": 3}, "path: expected a path or a Model, not int"),
    ],
)
def test_types_of_the_arguments_of_load(model, options, problem):
    with pytest.raises(TypeError, match=problem):
        load(**{"path": model} | options)


def test_wrong_arguments(model):
    tagger = Tagger(model, ["srl"], "given")
    for error, problem, call in (
        (
            TypeError,
            "a predicate is the index of a token, not str",
            lambda: tagger("She runs", predicates=["runs"]),
        ),
        (
            TypeError,
            "predicates are indices of tokens, not int",
            lambda: tagger("She runs", predicates=1),
        ),
        (
            TypeError,
            r"annotate takes Tokens, not str: use nlp\(text\)",
            lambda: tagger.annotate("a"),
        ),
        (
            TypeError,
            "batch_size is an int, not float",
            lambda: tagger.pipe(["a"], batch_size=1.5),
        ),
        (
            ValueError,
            "batch_size is 0, expected at least 1",
            lambda: tagger.pipe(["a"], 0),
        ),
        (
            UsageError,
            'predicates="given"',
            lambda: Tagger(model, "srl")("She", predicates=[0]),
        ),
        (
            UsageError,
            "none were given",
            lambda: tagger.annotate(tagger.tokenizer.lines(b"She runs")),
        ),
        (
            TypeError,
            "a document is a str, not bytes",
            lambda: tagger.document(b"bytes"),
        ),
        (
            TypeError,
            r"item 0: .* not list; a document of your own tokens is nlp\.document\(tok",
            lambda: [*tagger.pipe([["a"]], documents=True)],
        ),
        (TypeError, "a str, not NoneType; give ''", lambda: tagger.document(None)),
        (TypeError, "a str, not float; give ''", lambda: tagger.document(float("nan"))),
        (
            TypeError,
            "item 1: .*, not float64; give ''",
            lambda: [*tagger.pipe(["", np.float64("nan")])],
        ),
        (TypeError, "a str, not float$", lambda: tagger.document(1.5)),
    ):
        with pytest.raises(error, match=problem):
            call()
    assert tagger("She runs", predicates=np.array([1])).frames[0].text == "runs"
    assert (
        len([*load(model, jobs=np.int64(1)).pipe(["a"], batch_size=np.int64(1))]) == 1
    )


def test_what_has_no_labels_is_an_error_that_names_what_has(model):
    tagger = Tagger(model, ["pos"])
    with pytest.raises(
        UsageError, match=r"no labels of 'lemma': lemmas are no .*; there are pos,"
    ):
        tagger.labels("lemma")
    with pytest.raises(
        UsageError, match="no labels of 'x': there is no such network; there"
    ):
        tagger.labels("x")
    with pytest.raises(UsageError, match="the task 'x' is not run; there are pos"):
        tagger.task("x")


def test_pipe_is_lazy(tagger):
    taken = []

    def texts():
        for i in range(10):
            taken.append(i)
            yield f"word {i}"

    found = tagger.pipe(texts(), batch_size=3)
    assert taken == []
    assert next(found).text == "word 0"
    assert taken == [0, 1, 2]
    assert [sentence.text for sentence in found] == [f"word {i}" for i in range(1, 10)]


def test_pipe_tags_short_documents_together(model, monkeypatch):
    tagger, sizes, taken = Tagger(model, ["pos"]), [], []
    texts = [DOCUMENT, "", " \n", "é \ud800 He", DOCUMENT, "i"]
    expected = [tagger.document(text) for text in texts]
    annotate = tagger.annotate
    monkeypatch.setattr(
        tagger, "annotate", lambda *of: sizes.append(len(of[0])) or annotate(*of)
    )
    assert list(tagger.pipe(texts, batch_size=4, documents=True)) == expected
    assert sizes == [sum(map(len, batch)) for batch in (expected[:4], expected[4:])]
    monkeypatch.setattr("senna_py.arguments.BATCH_BYTES", len(DOCUMENT))
    found = tagger.pipe((taken.append(text) or text for text in texts), documents=True)
    # A long one is tagged alone.
    assert (next(found), taken) == (
        expected[0],
        [DOCUMENT],
    )
    words, taken[:] = ["word"] * (len(DOCUMENT) // 5 + 1), []
    next(tagger.pipe(taken.append(1) or words for _ in range(3)))
    assert taken == [1]  # so are many tokens


def test_pages_that_were_given_back_are_read_again(golden, model, tagger, monkeypatch):
    monkeypatch.setattr(senna_py.tagger, "_MAPPED_BYTES", 0)
    released = []
    release = senna_py.tagger.release_pages
    monkeypatch.setattr(
        senna_py.tagger,
        "release_pages",
        lambda table: (released.append(1), release(table)),
    )
    data = (golden / "prose.txt").read_bytes()
    other = Tagger(golden / "model", TASKS)
    expected = print_columns(tagger, tagger.tokenizer.lines(data, False))
    for _ in range(2):
        assert print_columns(other, other.tokenizer.lines(data, False)) == expected
    assert released


def test_documents_of_wrapped_lines(golden):
    text = "Mary sleeps\nin Rome. Then\nit é rains.\n\n> Yes\n> it does.\nNo"
    tagger = Tagger(golden / "model", ["pos"])
    found = tagger.document(text, paragraphs=True)
    assert [*tagger.pipe([text], documents=True, paragraphs=True)] == [found]
    with pytest.raises(UsageError, match="can be used only with documents=True"):
        tagger.pipe([text], paragraphs=True)
    assert [sentence.text for sentence in found.sentences] == [
        "Mary sleeps\nin Rome.",
        "Then\nit é rains.",
        "Yes\n> it does.",
        "No",
    ]
    assert all(text[s.start_char : s.end_char] == s.text for s in found.sentences)
    assert all(
        text[token.start_char : token.end_char] == token.text for token in found.tokens
    )


def test_scores_that_overflow_are_an_error(copied_model):
    tagger = Tagger(copied_model, "pos", with_scores=True)
    network = tagger._networks["pos"]
    network.output_weight = np.full_like(network.output_weight, 3e38)
    with pytest.raises(
        SennaError, match=f"{copied_model}: network pos: numbers so large"
    ):
        tagger("He sleeps .")


def test_probabilities_that_do_not_add_up_are_an_error(copied_model):
    tagger = Tagger(copied_model, "pos")
    network = tagger._networks["pos"]
    large = np.random.default_rng(1).normal(scale=1e9, size=network.transition.shape)
    network.transition = large.astype(np.float32)
    tokens = tagger.tokenizer.lines(
        b"He sleeps in Rome . He sleeps in Rome and there ."
    )
    with pytest.raises(SennaError, match="network pos: numbers so large"):
        tagger.annotate(tokens, None, ("pos",))


@pytest.fixture
def notes(monkeypatch, caplog):
    """Warnings of a process that has tagged nothing yet."""
    monkeypatch.setattr(sentences, "_noted", [])
    return caplog


@pytest.mark.parametrize("by_pipe", [False, True])
def test_several_sentences_given_as_one_are_noted_once(tagger, notes, by_pipe):
    for text in ("He left.", ["One.", "Two.", "Three."], "Mr. Smith left."):
        tagger(text)
    tagger.document("One. Two. Three.")
    assert not notes.records
    for text in ("One. Two. Three.", 'He left. "She stayed."'):
        assert len(list(tagger.pipe([text])) if by_pipe else [tagger(text)]) == 1
    (record,) = notes.records
    assert (record.name, record.levelname) == ("senna_py", "WARNING")
    assert record.getMessage() == (
        "a text given as one sentence looks like several: 'One. Two. Three.'; "
        "use nlp.document(text), or pipe(texts, documents=True)"
    )


def test_the_english_model_is_called_en(shipped_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        load("en").model.path
        == load(Path("models/en")).model.path
        == shipped_model.path
    )
    with pytest.raises(
        SennaError, match=r"en_core_web_sm: no such .* English model is called en$"
    ):
        load("en_core_web_sm")
    (tmp_path / "en").mkdir()
    with pytest.raises(SennaError, match=r"^en: not a model directory"):
        load("en")
