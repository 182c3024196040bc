"""Learns lemmas from the training data of a run and from dictionaries."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from senna_py.errors import SennaError
from senna_py.evaluation.tokens import TokenScores, score_tokens
from senna_py.io.files import AnyPath
from senna_py.io.streaming import Source, read_lines
from senna_py.labels.lemma_learning import Dictionary, learn_lemmas
from senna_py.labels.lemmas import AUXILIARY, Lemmas
from senna_py.labels.tasks import LEMMA, LEMMA_TAGS, UPOS
from senna_py.tagging.sentences import Sentences

_LONGEST_ENTRY = 300  # The maximum length of a word in a dictionary, in characters.
_LEAST_AUXILIARY = 3  # The minimum number of tokens of an auxiliary's lemma.


class LearnedLemmas(NamedTuple):
    """The result of `best_lemmas`.

    Attributes:
        lemmas: The lemmatizer.
        task: The task whose tags it needs.
        note: A line for the user about the training.
    """

    lemmas: Lemmas
    task: str
    note: str


def best_lemmas(
    train: Sentences, dev: Sentences, files: Iterable[AnyPath] = ()
) -> LearnedLemmas:
    """Learn to lemmatize words with their tags, and score the result on dev.

    The tags come from the first task in LEMMA_TAGS with more than one label in the
    training data, or from the first of these tasks if there is none. Morphological
    features would help, but predicted features are wrong too often.

    Args:
        train: The sentences to learn from.
        dev: The sentences to score on.
        files: The files of a dictionary, see `read_dictionary`.

    Raises:
        SennaError: If no word has both a tag and a lemma, a dictionary cannot be read,
            or there is a dictionary but no task `upos`.
    """
    n_labels = {
        name: len(train.gold[name].layer.names)
        for name in LEMMA_TAGS
        if name in train.gold
    }
    task = max(n_labels, key=lambda name: n_labels[name] > 1)
    sentences = [
        [
            row
            for row in zip(words, tags, lemmas, strict=True)
            if row[2] != "_" or row[0] == "_"
        ]
        for words, tags, lemmas in _sentences(train, train.gold[task].tags())
    ]
    if not any(sentences):
        raise SennaError(f"no word has both a lemma and a label of {task}")
    dictionary = read_dictionary(files)
    dictionary.classes = _classes(train, task)
    dictionary.auxiliaries = _auxiliaries(train)
    if (dictionary.words or dictionary.forms) and not dictionary.classes:
        raise SennaError(
            "lemmas: a dictionary goes by the labels of upos, which is no task"
        )
    lemmas = learn_lemmas(sentences, dictionary)
    accuracy = score_lemmas(lemmas, dev, dev.gold[task].tags()).accuracy
    n_tokens = sum(map(len, sentences))
    note = (
        f"{LEMMA}: {n_tokens:,} tokens to learn from, by {task}; with the labels of dev "
        f"{accuracy:.2f}% are right"
    )
    return LearnedLemmas(lemmas, task, note)


def read_dictionary(files: Iterable[AnyPath]) -> Dictionary:
    """Read a dictionary of forms from files.

    Each line consists of a form, its lemma and its universal part of speech, separated
    by tabs. A form that equals its lemma is stored as a known word; other forms are
    stored with their lemmas. All are converted to lower case. If a form occurs
    repeatedly, the last line counts.

    Raises:
        SennaError: If a file cannot be read, or a line is malformed. The message names
            it.
    """
    dictionary = Dictionary()
    for path in files:
        with Source(path) as source:
            for number, line in enumerate(read_lines(source), 1):
                form, lemma, word_class = _entry(path, number, line)
                if form == lemma:
                    dictionary.words.add((word_class, form.lower()))
                else:
                    dictionary.forms[word_class, form.lower()] = lemma.lower()
    return dictionary


def _entry(path: AnyPath, number: int, line: bytes) -> list[str]:
    try:
        parts = line.removesuffix(b"\r").decode().split("\t")
    except UnicodeDecodeError:
        raise SennaError(f"{path}: line {number}: not UTF-8") from None
    if len(parts) != 3 or not all(parts) or max(map(len, parts)) > _LONGEST_ENTRY:
        raise SennaError(
            f"{path}: line {number}: expected a form, its lemma and its part of speech, "
            "with tabs between them"
        )
    return parts


def _classes(train: Sentences, task: str) -> dict[str, str]:
    """Return for each tag the universal part of speech that most of its forms have.

    The result is empty if the training data have no universal parts of speech.
    """
    if UPOS not in train.gold:
        return {}
    tags, classes = train.gold[task].tags(), train.gold[UPOS].tags()
    words: set[tuple[str, str, str]] = set()
    for number in tags.keys() & classes.keys():
        forms = [word.lower() for word in train.words[number]]
        words.update(zip(forms, tags[number], classes[number], strict=True))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for _, tag, word_class in sorted(words):
        counts[tag][word_class] += 1
    return {tag: of_tag.most_common(1)[0][0] for tag, of_tag in counts.items()}


def _auxiliaries(train: Sentences) -> list[str]:
    """Return the lemmas of auxiliaries, the most frequent first, without rare ones."""
    if UPOS not in train.gold:
        return []
    classes, lemmas = train.gold[UPOS].tags(), train.gold[LEMMA].tags()
    counts: Counter[str] = Counter()
    for number in sorted(classes.keys() & lemmas.keys()):
        pairs = zip(classes[number], lemmas[number], strict=True)
        counts.update(lemma for word_class, lemma in pairs if word_class == AUXILIARY)
    return [
        lemma
        for lemma, n in counts.most_common()
        if n >= _LEAST_AUXILIARY and lemma != "_"
    ]


def score_lemmas(
    lemmas: Lemmas, sentences: Sentences, tags: Mapping[int, list[str]]
) -> TokenScores:
    """Score lemmas on the sentences that have both gold lemmas and tags.

    Args:
        lemmas: The lemmatizer.
        sentences: The sentences with gold lemmas.
        tags: The tags of the words of each sentence, by the index of the sentence.
    """
    return score_tokens(
        (
            gold,
            lemmas.of_sentence(
                [word.encode("utf-8", "surrogateescape") for word in words], tags_of
            ),
        )
        for words, tags_of, gold in _sentences(sentences, tags)
    )


def _sentences(
    sentences: Sentences, tags: Mapping[int, list[str]]
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Yield the words, tags and gold lemmas of each sentence with tags and lemmas."""
    for number, lemmas in sentences.gold[LEMMA].tags().items():
        if number in tags:
            yield sentences.words[number], tags[number], lemmas
