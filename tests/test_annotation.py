import pickle

import nltk
import pytest

from senna_py import Tree
from senna_py.annotation import Frame, Sentence, Span, Token
from senna_py.labels.tag_schemes import segments
from senna_py.model import TASKS
from senna_py.tagger import Tagger

TEXT = "Anna  Keller can’t sleep\n in the 日本 hotel , 3.5% 😀 ."


def test_tokens_slice_their_text(tagger):
    sentence = tagger(TEXT)
    assert sentence.text == TEXT
    expected = [
        "Anna", "Keller", "can", "’", "t", "sleep", "in", "the", "日本", "hotel", ",", "3.5", "%",
        "😀", ".",
    ]  # fmt: skip
    assert [token.text for token in sentence] == expected
    for token in sentence:
        assert TEXT[token.start : token.end] == token.text
    assert len(sentence) == 15
    assert str(sentence[1]) == "Keller"
    assert sentence[1:3] == sentence.tokens[1:3]


def test_tags_are_those_of_the_tokens(tagger):
    sentence = tagger(TEXT)
    assert set(sentence.tags) == {"pos", "chk", "ner", "pt0"}
    for task, tags in sentence.tags.items():
        assert tags == tuple(getattr(token, task) for token in sentence)
        known = {tagger.labels(task)[i] for i in range(len(tagger.labels(task)))}
        assert set(tags) <= known


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
            assert span.text == TEXT[first.start : last.end]
    for span in (*sentence.chunks, *(a for frame in sentence.frames for a in frame.arguments)):
        assert span.tokens == sentence[span.start : span.end]
        assert TEXT[span.start_char : span.end_char] == span.text


def test_frames(tagger):
    sentence = tagger(TEXT)
    found = tagger.annotate(tagger.tokenizer.texts([TEXT]))
    assert sentence.frames
    assert [frame.predicate for frame in sentence.frames] == found.roles.predicate.tolist()
    for p, frame in enumerate(sentence.frames):
        assert frame.text == sentence[frame.predicate].text
        rows = found.roles.tags[found.roles.begin[p] : found.roles.begin[p + 1]]
        tags = [tagger.labels("srl")[index] for index in rows]
        arguments = [(span.label, span.start, span.end) for span in frame.arguments]
        assert arguments == segments(tags)


def test_a_tree_has_the_words_as_leaves(golden, tagger):
    lines = (golden / "prose.txt").read_text().splitlines()
    for sentence in tagger.pipe(["( a ) (b) .", *lines]):
        root = nltk.Tree.fromstring(str(sentence.tree))
        assert root.label() == "S1"
        assert len(root) == 1  # one tree below it
        escaped = [t.text.replace("(", "-LRB-").replace(")", "-RRB-") for t in sentence]
        assert root.pos() == list(zip(escaped, sentence.tags["pos"], strict=True))


def test_trees_agree_with_the_columns(golden, tagger):
    """Without its leaves a tree is what SENNA prints, whose `*` stand for the words."""
    printed = (golden / "expected" / "prose.psg.txt").read_text().split("\n\n")[:-1]
    texts = (golden / "prose.txt").read_text().splitlines()
    trees = [str(sentence.tree) for sentence in tagger.pipe(texts) if len(sentence)]
    for tree, rows in zip(trees, printed, strict=True):
        columns = "".join(row.split("\t")[1] for row in rows.split("\n"))
        leafless = tree
        for word, tag in nltk.Tree.fromstring(tree).pos():
            leafless = leafless.replace(f" ({tag} {word})", "*", 1)
        assert leafless.replace(" ", "") == columns


@pytest.mark.parametrize("text", ["", " ", "\n\t\xa0", []])
def test_an_empty_text(tagger, text):
    sentence = tagger(text)
    assert sentence.text == (text if isinstance(text, str) else "")
    assert sentence.tokens == ()
    assert sentence.tags == {"pos": (), "chk": (), "ner": (), "pt0": ()}
    assert sentence.chunks == sentence.entities == sentence.frames == ()
    assert str(sentence.tree) == ""
    assert sentence.tree == Tree("S1", ())
    assert repr(sentence) == "<Sentence >"


def test_given_tokens_may_hold_anything(tagger):
    words = ["New York", "line\nbreak", " ", "tab\t", "日本", "can't", "\x00", "\r"]
    sentence = tagger(words)
    assert [token.text for token in sentence] == words
    assert sentence.text == " ".join(words)
    assert [(t.start, t.end) for t in sentence][:3] == [(0, 8), (9, 19), (20, 21)]
    assert tagger(tuple(words)) == sentence


@pytest.mark.parametrize(
    "text", ["a \udcff b", "a\ud800b c", "\udce2\udc82\udcac x", "é \udce2\udc82\udcac é", "\udfff"]
)
def test_lone_surrogates(tagger, text):
    for given in (text, text.split()):
        sentence = tagger(given)
        assert sentence.text == text
        assert all(text[token.start : token.end] == token.text for token in sentence)
        assert "".join(token.text for token in sentence) == text.replace(" ", "")
        assert sentence[-1].end == len(text)


def test_what_was_not_asked_for_is_none(model):
    for task in TASKS:
        sentence = Tagger(model, [task])("He reads .")
        assert set(sentence.tags) == {task} & {"pos", "chk", "ner", "pt0"}
        for name in ("pos", "chk", "ner", "pt0"):
            assert (getattr(sentence[0], name) is not None) == (task == name)
        assert (sentence.chunks is not None) == (task == "chk")
        assert (sentence.entities is not None) == (task == "ner")
        assert (sentence.frames is not None) == (task == "srl")
        assert (sentence.tree is not None) == (task == "psg")


def test_reprs():
    token = Token("a", 0, 1, "DT", ner="O")
    assert repr(token) == "Token('a', 0, 1, pos='DT', ner='O')"
    assert repr(Token("é\n", 3, 5)) == "Token('é\\n', 3, 5)"
    span = Span("NP", 0, 2, "a b")
    assert repr(span) == "Span(NP, 0:2, 'a b')"
    frame = Frame(1, "b", (span,))
    assert repr(frame) == "Frame(predicate=1, text='b', arguments=(Span(NP, 0:2, 'a b'),))"
    sentence = Sentence("a b", (token, Token("b", 2, 3)), {"pos": ("DT", "NN"), "chk": ("O", "O")})
    assert repr(sentence) == "<Sentence a/DT/O b/NN/O>"


def test_sentences_are_values(tagger):
    one, other = tagger(TEXT), tagger(TEXT)
    assert one == other
    assert one != tagger(TEXT + " !")
    assert len({one, other, tagger("Another one.")}) == 2
    with pytest.raises(AttributeError):
        one.text = ""


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
    (in_document, *_) = tagger.document(f"  {text}") or [sentence]
    assert Sentence.from_dict(in_document.to_dict()) == in_document


@pytest.mark.parametrize(
    "text",
    ["[]", "{}", '{"text": "a", "tokens": [], "tags": {"pos": ["X"]}}', "nonsense"],
)
def test_what_is_no_sentence_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        Sentence.from_json(text)


def test_taggers_are_pickled_by_path_and_options(tagger):
    again = pickle.loads(pickle.dumps(Tagger(tagger.model, ["pos", "srl"], "given", True)))
    assert again.tasks == ("pos", "srl")
    assert again.predicates == "given"
    assert again.with_scores
    assert again.model.path == tagger.model.path.absolute()
    assert pickle.loads(pickle.dumps(tagger))(TEXT) == tagger(TEXT)
    assert pickle.loads(pickle.dumps(tagger(TEXT))) == tagger(TEXT)


def test_pipe_takes_documents_and_pairs(tagger):
    texts = ["One sentence. Another one.", "", "A third."]
    assert list(tagger.pipe(texts, documents=True)) == [tagger.document(text) for text in texts]
    pairs = list(tagger.pipe(zip(texts, "abc", strict=True), batch_size=2, as_tuples=True))
    assert pairs == [(tagger(text), key) for text, key in zip(texts, "abc", strict=True)]
    pairs = list(tagger.pipe([(texts[0], 1)], documents=True, as_tuples=True))
    assert pairs == [(tagger.document(texts[0]), 1)]


def test_scores_are_probabilities_of_tags_and_spans(model):
    plain, tagger = Tagger(model, TASKS), Tagger(model, TASKS, with_scores=True)
    sentence = tagger(TEXT)
    assert plain(TEXT).tags == sentence.tags
    assert plain(TEXT).scores == {}
    assert set(sentence.scores) == set(sentence.tags)
    for task, scores in sentence.scores.items():
        assert len(scores) == len(sentence)
        assert all(0 < score <= 1.0001 for score in scores), task
    arguments = [argument for frame in sentence.frames for argument in frame.arguments]
    for span in (*sentence.chunks, *sentence.entities, *arguments):
        assert 0 < span.score <= 1.0001
    for task, spans in (("chk", sentence.chunks), ("ner", sentence.entities)):
        for span in spans:
            assert span.score <= min(sentence.scores[task][span.start : span.end]) * 1.0001
            if span.end == span.start + 1:
                assert span.score == pytest.approx(sentence.scores[task][span.start])


def test_scores_of_tags_are_those_that_are_printed(model):
    tagger = Tagger(model, ["chk"], with_scores=True)
    tokens = tagger.tokenizer.texts([TEXT])
    found = tagger.annotate(tokens, uncertain=["chk"]).probabilities["chk"]
    tags = tagger.annotate(tokens).tags["chk"]
    expected = found[range(len(tags)), tags]
    assert tagger(TEXT).scores["chk"] == pytest.approx(expected.tolist(), rel=1e-4)
