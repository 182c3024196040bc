"""Equal names of a document are pooled."""

from collections import defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.features.protocol import Batch
from senna_py.networks.pooling import Pooling, RepeatedNames
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokens import LONGEST_STRETCH
from senna_py.text.vocabulary import Vocabulary

LABELS = ("O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y")
TYPES = [0, 1, 1, 1, 1, 2, 2, 2, 2]
SHARE = 0.8
tokenizer = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))
WORDS = st.sampled_from(["Ann", "Lee", "Éa", "saw", "in", "."])
SENTENCES = st.lists(WORDS, min_size=1, max_size=5)
DOCUMENTS = st.lists(st.lists(SENTENCES, max_size=4), max_size=4)


def tokens_of(documents):
    """Tokens of documents, which are lists of sentences."""
    tokens = tokenizer.pretokenized([each for doc in documents for each in doc])
    tokens.document = np.repeat(np.arange(len(documents)), [*map(len, documents)])
    return tokens


def pooled(documents, scores):
    names = RepeatedNames.of_batch(Batch(tokens_of(documents)))
    scores = scores.copy()
    if names is not None:
        Pooling(SHARE, LABELS).apply(scores, names)
    return scores


def shares(row):
    weights = np.exp(row.astype(float) - row.max())
    of_types = np.bincount(TYPES, weights)
    return of_types / of_types.sum()


def plainly_pooled(documents, scores):
    """The same, word by word."""
    words = [
        (d, s, i, sentence)
        for d, document in enumerate(documents)
        for s, sentence in enumerate(document)
        for i in range(len(sentence))
    ]
    groups = defaultdict(list)
    for row, (d, _, i, sentence) in enumerate(words):
        if sentence[i][0].isupper():
            goes_on = i + 1 < len(sentence) and sentence[i + 1][0].isupper()
            groups[d, sentence[i], goes_on].append(row)
    changed = scores.astype(float)
    for rows in groups.values():
        counted = [row for row in rows if words[row][2] > 0]
        if len({words[row][1] for row in rows}) < 2 or not counted:
            continue
        own = {row: shares(scores[row]) for row in rows}
        weights = [own[row].max() for row in counted]
        average = np.average([own[row] for row in counted], axis=0, weights=weights)
        for row in rows:
            new = (1 - SHARE) * own[row] + SHARE * average
            changed[row] += np.log(new / own[row])[TYPES]
    return changed


def random_scores(documents, seed):
    n_words = sum(len(each) for document in documents for each in document)
    rng = np.random.default_rng(seed)
    return rng.normal(0, 2, (n_words, len(LABELS))).astype(np.float32)


@settings(max_examples=60)
@given(DOCUMENTS, st.integers(0, 9))
def test_scores_are_those_of_the_definition(documents, seed):
    scores = random_scores(documents, seed)
    found = pooled(documents, scores)
    np.testing.assert_allclose(found, plainly_pooled(documents, scores), atol=1e-5)


@settings(max_examples=60)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS, st.integers(0, 9))
def test_a_document_does_not_depend_on_its_company(before, documents, after, seed):
    everything = [*before, *documents, *after]
    scores = random_scores(everything, seed)
    begin = sum(len(each) for document in before for each in document)
    end = begin + sum(len(each) for document in documents for each in document)
    alone = pooled(documents, scores[begin:end])
    assert pooled(everything, scores)[begin:end].tobytes() == alone.tobytes()


def test_one_sentence_is_not_changed():
    documents = [[["in", "Ann", "and", "Ann"]], [["in", "Ann"]]]
    assert RepeatedNames.of_batch(Batch(tokens_of(documents))) is None
    tokens = tokens_of(documents * 2)
    tokens.document = None
    assert RepeatedNames.of_batch(Batch(tokens)) is None


def test_the_kind_of_mark_stays_and_types_follow_the_document():
    documents = [[["in", "Ann"], ["of", "Ann"], ["Ann", "Lee", "saw"]]]
    scores = np.zeros((7, len(LABELS)), np.float32)
    scores[1, LABELS.index("S-X")] = 8
    scores[3, LABELS.index("S-Y")] = 1
    found = pooled(documents, scores)
    assert LABELS[found[1].argmax()] == "S-X"
    assert LABELS[found[3].argmax()] != "S-Y"
    assert (found[4:] == scores[4:]).all()  # `Ann Lee` is another name than `Ann`.


def test_long_documents_are_divided():
    sentence = ["in", "Ann"] * 500
    tokens = tokens_of([[sentence] * 20, [sentence] * 3])
    stretches = tokens.stretches()
    counts = np.bincount(stretches)[1:] * 1000
    assert counts.tolist() == [8000, 8000, 4000, 3000]
    assert counts.max() <= LONGEST_STRETCH
    parts = [*tokens.parts(12_000)]
    assert [len(part) for part in parts] == [8000, 12_000, 3000]
    again = [np.bincount(part.stretches())[1:] * 1000 for part in parts]
    assert np.concatenate(again).tolist() == counts.tolist()
