import gc
import json
import pickle
from dataclasses import fields

import nltk
import numpy as np
import pytest

from senna_py import Document, Sentence, Tree
from senna_py.answers.json_schema import document_schema, sentence_schema
from senna_py.answers.packing import LayerForm, Packed
from senna_py.errors import UsageError
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tasks import Task
from senna_py.model import TASKS
from senna_py.tagger import Tagger
from tests.helpers import documents
from tests.helpers.json_schema import problems

TEXT = "Anna  Keller can’t sleep\n in the 日本 hotel , 3.5% 😀 ."


def test_tokens_slice_their_text(tagger):
    sentence = tagger(TEXT)
    assert sentence.text == TEXT
    expected = [
        "Anna",
        "Keller",
        "can",
        "’",
        "t",
        "sleep",
        "in",
        "the",
        "日本",
        "hotel",
        ",",
        "3.5",
        "%",
        "😀",
        ".",
    ]
    assert [token.text for token in sentence] == expected
    for token in sentence:
        assert TEXT[token.start_char : token.end_char] == token.text
    assert len(sentence) == 15
    assert str(sentence[1]) == "Keller"
    assert str(sentence) == TEXT
    assert [(token.i, token.sentence) for token in sentence] == [
        (i, sentence) for i in range(15)
    ]


def test_a_slice_is_a_span(tagger):
    sentence = tagger(TEXT)
    span = sentence[1:3]
    assert (span.text, span.start, span.end, span.label) == ("Keller can", 1, 3, "")
    assert TEXT[span.start_char : span.end_char] == span.text == str(span)
    assert (len(span), list(span), span[-1]) == (
        2,
        [*sentence.tokens[1:3]],
        sentence[2],
    )
    assert span[1:] == sentence[2:3] == sentence[2:][:1]
    for empty in (sentence[3:3], sentence[9:2], span[2:]):
        assert (len(empty), empty.text, empty.tokens) == (0, "", ())
        assert empty.start_char == empty.end_char == sentence[empty.start].start_char
    assert sentence[99:].start_char == sentence.end_char
    with pytest.raises(IndexError, match="no token 99: there are 15"):
        sentence[99]
    with pytest.raises(
        TypeError, match="a token is found by an int or a slice, not 'pos'"
    ):
        sentence["pos"]
    with pytest.raises(ValueError, match="a span has no step"):
        sentence[::2]


def test_spans_are_segments_of_tags(tagger):
    sentence = tagger(TEXT)
    for spans, tags in (
        (sentence.chunks, sentence.tags["chk"]),
        (sentence.entities, sentence.tags["ner"]),
    ):
        assert [(span.label, span.start, span.end) for span in spans] == segments(tags)
        assert spans
        for span in spans:
            first, last = sentence[span.start], sentence[span.end - 1]
            assert span.text == TEXT[first.start_char : last.end_char]
    for span in (
        *sentence.chunks,
        *(a for frame in sentence.frames for a in frame.arguments),
    ):
        assert span.tokens == sentence.tokens[span.start : span.end]
        assert TEXT[span.start_char : span.end_char] == span.text


def test_frames(tagger):
    sentence = tagger(TEXT)
    layer = tagger.annotate(tagger.tokenizer.texts([TEXT])).layers["srl"]
    assert sentence.frames
    assert [frame.predicate for frame in sentence.frames] == layer.anchors.tolist()
    rows = [*layer.rows()]
    for frame in sentence.frames:
        assert frame.text == sentence[frame.predicate].text
        arguments = [
            (span.label, span.start, span.end, frame.predicate, None)
            for span in frame.arguments
        ]
        assert arguments == [row for row in rows if row[3] == frame.predicate]
        assert all(span.anchor == frame.token for span in frame.arguments)
    for token in sentence:
        assert token.roles == {
            frame.predicate: span.label
            for frame in sentence.frames
            for span in frame.arguments
            if token in span
        }


def test_trees_have_the_words_as_leaves_and_agree_with_the_columns(golden, tagger):
    """Without its leaves a tree is what SENNA prints, whose `*` stand for the words."""
    printed = (golden / "expected" / "prose.psg.txt").read_text().split("\n\n")[:-1]
    columns = [
        "".join(row.split("\t")[1] for row in rows.split("\n")) for rows in printed
    ]
    texts = (golden / "prose.txt").read_text().splitlines()
    found = []
    for sentence in filter(len, tagger.pipe(["( a ) (b) .", *texts])):
        root, leafless = nltk.Tree.fromstring(str(sentence.tree)), str(sentence.tree)
        assert (root.label(), len(root)) == ("S1", 1)  # one tree below it
        escaped = [t.text.replace("(", "-LRB-").replace(")", "-RRB-") for t in sentence]
        assert root.pos() == list(zip(escaped, sentence.tags["pos"], strict=True))
        for word, tag in root.pos():
            leafless = leafless.replace(f" ({tag} {word})", "*", 1)
        found.append(leafless.replace(" ", ""))
    assert found[1:] == columns


@pytest.mark.parametrize("text", ["", " ", "\n\t\xa0", []])
def test_an_empty_text(tagger, text):
    sentence = tagger(text)
    assert sentence.text == (text if isinstance(text, str) else "")
    assert sentence.tokens == ()
    assert sentence.tags == {"pos": (), "chk": (), "ner": (), "pt0": ()}
    assert sentence.chunks == sentence.entities == sentence.frames == ()
    assert str(sentence.tree) == ""
    assert sentence.tree.to_tree() == Tree("S1", ())
    assert sentence.tree.children == () and not sentence.tree
    assert sentence.to_dict()["constituents"] == []
    assert Sentence.from_json(sentence.to_json()) == sentence
    assert repr(sentence) == "<Sentence >"


def test_given_tokens_may_hold_anything(tagger):
    words = ["New York", "line\nbreak", " ", "tab\t", "日本", "can't", "\x00", "\r"]
    sentence = tagger(words)
    assert [token.text for token in sentence] == words
    assert sentence.text == " ".join(words)
    assert [(t.start_char, t.end_char) for t in sentence][:3] == [
        (0, 8),
        (9, 19),
        (20, 21),
    ]
    assert tagger(tuple(words)) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "a \udcff b",
        "a\ud800b c",
        "\udce2\udc82\udcac x",
        "é \udce2\udc82\udcac é",
        "\udfff",
    ],
)
def test_lone_surrogates(tagger, text):
    for given in (text, text.split()):
        sentence = tagger(given)
        assert sentence.text == text
        assert all(
            text[token.start_char : token.end_char] == token.text for token in sentence
        )
        assert "".join(token.text for token in sentence) == text.replace(" ", "")
        assert sentence[-1].end_char == len(text)


def test_what_was_not_asked_for_is_an_error_that_names_the_task(model):
    attributes = {"chunks": "chk", "entities": "ner", "frames": "srl", "tree": "psg"}
    for task in TASKS:
        sentence = Tagger(model, [task])("He reads .")
        assert set(sentence.tags) == {task} & {"pos", "chk", "ner", "pt0"}
        found = [(sentence, name, need) for name, need in attributes.items()]
        found += [(sentence[0], name, name) for name in ("pos", "chk", "ner", "pt0")]
        for owner, name, need in (*found, (sentence[0], "roles", "srl")):
            if need == task:
                assert getattr(owner, name) is not None
            else:
                with pytest.raises(UsageError, match=f"the task {need} was not run"):
                    getattr(owner, name)


def test_what_a_task_finds_besides_tags_is_named(tagger):
    sentence = tagger(TEXT)
    for task, attribute in (("srl", "frames"), ("psg", "tree"), ("dep", "arcs")):
        for found in (sentence.tags, sentence.spans, sentence[0].tags):
            with pytest.raises(
                UsageError,
                match=f"no (tags|spans) of {task}: use sentence.{attribute}$",
            ):
                found[task]


def test_reprs():
    document = documents.document_of(
        documents.sentence_object(
            ["é", "b"],
            "é\n b",
            tags={"pos": ["DT", "NN"], "ner": ["O", "O"]},
            spans={"chk": [documents.span("NP", 0, 2)]},
            frames=[documents.frame(1, ("A0", 0, 1))],
        )
    )
    (sentence,) = document.sentences
    assert repr(sentence) == "<Sentence é/DT/O/B-NP b/NN/O/E-NP>"
    assert repr(sentence[0]) == "Token('é', 0, 1, pos='DT', ner='O', chk='B-NP')"
    assert repr(sentence.chunks[0]) == "Span(NP, 0:2, 'é\\n b')"
    assert repr(sentence[1:]) == "Span(1:2, 'b')"
    assert repr(sentence.frames[0]) == "Frame(1, 'b', (Span(A0, 0:1, 'é'),))"
    assert repr(document) == "<Document of 1 sentence: 'é\\n b'>"


def test_sentences_are_values(tagger):
    one, other = tagger(TEXT), tagger(TEXT)
    assert one == other
    assert one != tagger(TEXT + " !")
    assert len({one, other, tagger("Another one.")}) == 2
    for value in (
        one,
        one[0],
        one[1:3],
        *one.frames[:1],
        *one.chunks[:1],
        tagger.document(TEXT),
    ):
        with pytest.raises(AttributeError):
            setattr(value, fields(value)[0].name, "")
        assert pickle.loads(pickle.dumps(value)) == value
        assert len({value, pickle.loads(pickle.dumps(value))}) == 1


def test_a_sentence_keeps_nothing_of_its_batch(golden, model):
    texts = [TEXT, *(golden / "prose.txt").read_text().splitlines()]
    sentence = next(Tagger(model, TASKS, with_scores=True).pipe(texts))
    sentence.to_dict()
    waiting, seen, n_bytes = [sentence.document], set(), 0
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type | Task | LayerForm):
            continue
        seen.add(id(each))
        n_bytes += len(each) if isinstance(each, bytes) else 0
        assert (
            not isinstance(each, np.ndarray) or each.base is not None or each.size < 99
        )
        waiting += gc.get_referents(each)
    assert n_bytes == len(sentence.document._packed.data)
    assert n_bytes < 400 * len(sentence)


def test_white_space_in_a_token_does_not_break_the_tree(model):
    sentence = Tagger(model, ["psg"])(["New  York", " ", "is"])
    assert nltk.Tree.fromstring(str(sentence.tree)).leaves() == ["New_York", "_", "is"]
    assert [leaf.word for leaf in sentence.tree.leaves] == ["New  York", " ", "is"]


@pytest.mark.parametrize("text", [TEXT, "", "( [ -LRB- a_b ) \udcff"])
@pytest.mark.parametrize("with_scores", [False, True])
def test_sentences_come_back_from_json(model, text, with_scores):
    tagger = Tagger(model, TASKS, with_scores=with_scores)
    sentence = tagger(text)
    assert Sentence.from_json(sentence.to_json()) == sentence
    assert "\n" not in sentence.to_json()
    document = tagger.document(f"  {text}\n{text}")
    assert Document.from_json(document.to_json()) == document
    assert [Sentence.from_dict(each) for each in document.to_dict()["sentences"]] == [
        *document.sentences
    ]


SINGLE = '{"text": "a", "tokens": [{"text": "a", "start_char": 0, "end_char": 1}], '


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"text": "a", "tokens": [], "tags": {"pos": ["X"]}}',
        "nonsense",
        SINGLE + '"tags": {"pos": "X"}}',
        SINGLE.replace('[{"text": "a"', '[{"text": "b"') + '"tags": {}}',
        SINGLE
        + '"tags": {}, "chunks": [{"label": "NP", "start_token": 0, "end_token": 2}]}',
        SINGLE
        + '"tags": {}, "chunks": [{"label": 3, "start_token": 0, "end_token": 1}]}',
        '{"text": "a", "tokens": [], "scores": {"pos": [NaN]}}',
    ],
)
def test_what_is_no_sentence_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        Sentence.from_json(text)
    with pytest.raises(ValueError, match=r"\w"):
        Document.from_json(f'{{"text": "a", "sentences": [{text}]}}')


def test_a_document_has_the_sentences_where_they_say(tagger):
    found = tagger.document("He left. She stayed.").to_dict()
    with pytest.raises(
        ValueError, match=r"the sentence 'He left.' is not where it says"
    ):
        Document.from_dict(found | {"text": "She stayed. He left."})


def test_pydantic_writes_and_reads_the_same_json(tagger):
    pydantic = pytest.importorskip("pydantic")
    for value in (tagger(TEXT), tagger.document(TEXT)):
        adapter = pydantic.TypeAdapter(type(value))
        assert adapter.dump_python(value) == value.to_dict()
        assert json.loads(adapter.dump_json(value)) == value.to_dict()
        assert adapter.validate_python(value) is value
        assert adapter.validate_json(value.to_json()) == value
        for mode in ("serialization", "validation"):
            assert problems(value.to_dict(), adapter.json_schema(mode=mode)) == []
        with pytest.raises(pydantic.ValidationError):
            adapter.validate_python({})


def test_fastapi_describes_documents_in_requests_and_responses(tagger):
    fastapi = pytest.importorskip("fastapi")
    application = fastapi.FastAPI()

    @application.post("/same")
    def same(document: Document) -> Document:
        return document

    description = application.openapi()
    answer = description["paths"]["/same"]["post"]["responses"]["200"]
    schema = answer["content"]["application/json"]["schema"]
    assert problems(tagger.document(TEXT).to_dict(), schema, description) == []


def test_the_schema_of_documents_has_the_keys_of_all_shapes(shipped_model):
    tasks = shipped_model.tasks()
    document = Tagger(shipped_model, tasks, with_scores=True).document(TEXT)
    values = document.to_dict()
    assert problems(values, document_schema()) == []
    properties = sentence_schema()["properties"]
    for sentence in values["sentences"]:
        assert {*sentence} <= {*properties}
        assert problems(sentence, sentence_schema()) == []
    wrong = {**values, "sentences": [{**values["sentences"][0], "arcs": [{}]}]}
    assert "no head" in problems(wrong, document_schema())[0]


def test_a_document_has_places_in_its_text(tagger):
    text = f"  He can't sleep.  {TEXT}\n\nThey left."
    found = tagger.document(text)
    assert len(found.sentences) > 2
    assert [*found] == [*found.tokens] == [found[i] for i in range(len(found))]
    assert found[1:4].tokens == found.tokens[1:4]
    for number, sentence in enumerate(found.sentences):
        assert (sentence.document, sentence.number) == (found, number)
        assert found[sentence.start : sentence.end].text == sentence.text.strip()
        assert all(token.sentence == sentence for token in sentence)
    assert str(found) == text
    for name in ("tokens", "chunks", "entities", "frames"):
        assert getattr(found, name) == sum(
            (getattr(each, name) for each in found.sentences), ()
        )
    arguments = [argument for frame in found.frames for argument in frame.arguments]
    for span in (*found.chunks, *found.entities, *arguments, found.sentences[1][1:3]):
        assert text[span.start_char : span.end_char] == span.text
    assert all(
        text[token.start_char : token.end_char] == token.text for token in found.tokens
    )
    assert found._repr_html_().count("<li") == len(found.sentences)
    with pytest.raises(IndexError, match=f"no token 999: there are {len(found)}"):
        found[999]


def test_taggers_are_pickled_by_path_and_options(tagger):
    given = Tagger(tagger.model, ["pos", "srl"], "given", True)
    given.cut_sentences(9)
    again = pickle.loads(pickle.dumps(given))
    assert again.tasks == ("pos", "srl")
    assert again.predicates == "given"
    assert again.with_scores
    assert again.longest_sentence == 9
    assert again.model.path == tagger.model.path.absolute()
    assert pickle.loads(pickle.dumps(tagger))(TEXT) == tagger(TEXT)
    assert pickle.loads(pickle.dumps(tagger(TEXT))) == tagger(TEXT)


def test_pipe_takes_documents_and_pairs(tagger):
    texts = ["One sentence. Another one.", "", "A third."]
    assert list(tagger.pipe(texts, documents=True)) == [
        tagger.document(text) for text in texts
    ]
    pairs = list(
        tagger.pipe(zip(texts, "abc", strict=True), batch_size=2, as_tuples=True)
    )
    assert pairs == [
        (tagger(text), key) for text, key in zip(texts, "abc", strict=True)
    ]
    pairs = list(tagger.pipe([(texts[0], 1)], documents=True, as_tuples=True))
    assert pairs == [(tagger.document(texts[0]), 1)]


def test_scores_are_probabilities_of_tags_and_spans(model):
    plain, tagger = Tagger(model, TASKS), Tagger(model, TASKS, with_scores=True)
    sentence = tagger(TEXT)
    assert plain(TEXT).tags == sentence.tags
    with pytest.raises(UsageError, match="no scores"):
        plain(TEXT).scores  # noqa: B018
    assert set(sentence.scores) == set(sentence.tags)
    for task, scores in sentence.scores.items():
        assert len(scores) == len(sentence)
        assert all(0 < score <= 1.0001 for score in scores), task
    arguments = [argument for frame in sentence.frames for argument in frame.arguments]
    for span in (*sentence.chunks, *sentence.entities, *arguments):
        assert 0 < span.score <= 1.0001
    for task, spans in (("chk", sentence.chunks), ("ner", sentence.entities)):
        for span in spans:
            assert (
                span.score <= min(sentence.scores[task][span.start : span.end]) * 1.0001
            )
            if span.end == span.start + 1:
                assert span.score == pytest.approx(sentence.scores[task][span.start])


def test_scores_of_tags_are_those_that_are_printed(model):
    tagger = Tagger(model, ["chk"], with_scores=True)
    tokens = tagger.tokenizer.texts([TEXT])
    likely = tagger.annotate(tokens, uncertain=["chk"]).layers["chk"]
    rows = zip(likely.begin.tolist(), likely.label.tolist(), likely.score, strict=True)
    shares = {(token, label): share for token, label, share in rows}
    tags = tagger.annotate(tokens).layers["chk"].of_tokens(len(tokens))
    expected = [shares[token, tag] for token, tag in enumerate(tags.tolist())]
    assert tagger(TEXT).scores["chk"] == pytest.approx(expected, rel=1e-4)


def test_columns_are_read_once_for_all_sentences(model, monkeypatch):
    """The work for a document grows with its length, not with its square."""
    read, columns_of = [], Packed.columns_of

    def counted_columns_of(packed, name):
        read.append(name)
        return columns_of(packed, name)

    monkeypatch.setattr(Packed, "columns_of", counted_columns_of)
    tagger = Tagger(model, TASKS, with_scores=True)
    counts = []
    for n_sentences in (2, 9):
        document = tagger.document(" ".join(["She bought a new car."] * n_sentences))
        assert len(document.sentences) == n_sentences
        read.clear()
        document.to_dict()
        for sentence in document.sentences:
            assert sentence.to_dict()["scores"].keys() == sentence.scores.keys()
        counts.append(len(read))
    assert counts[0] == counts[1]
