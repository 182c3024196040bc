"""What a run learns of words by counting: lemmas, and what rare labels are read as."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from senna_py.errors import SennaError
from senna_py.evaluation.tokens import TokenScores
from senna_py.io.files import AnyPath
from senna_py.io.streaming import Source, read_lines
from senna_py.labels.lemma_learning import Dictionary, learn_lemmas
from senna_py.labels.lemmas import AUXILIARY, Lemmas
from senna_py.labels.tasks import LEMMA, LEMMA_TAGS, UPOS
from senna_py.tagging.data import Sentences
from senna_py.tagging.kinds import kind_of

_LONGEST_ENTRY = 300  # characters of a word in a dictionary
_LEAST_AUXILIARY = 3  # tokens of a lemma of auxiliaries


def best_lemmas(
    train: Sentences, dev: Sentences, files: Iterable[AnyPath] = ()
) -> tuple[Lemmas, str, str]:
    """Lemmas of Sentences, the task whose tags they go by, and a line for the user.

    They go by the first of LEMMA_TAGS that says anything; features would help, but
    predicted ones are wrong too often. files: those of a dictionary, see
    `read_dictionary`. Raises SennaError if no word has both a tag and a lemma.
    """
    labels = {
        name: {label for i in train.labeled(name) for label in train.labels[name][i]}
        for name in LEMMA_TAGS
        if name in train.labels
    }
    tag = max(labels, key=lambda name: len(labels[name]) > 1)
    sentences = [
        [
            row
            for row in zip(words, column, lemmas, strict=True)
            if row[2] != "_" or row[0] == "_"
        ]
        for words, column, lemmas in _sentences(train, tag)
    ]
    if not any(sentences):
        raise SennaError(f"no word has both a lemma and a label of {tag}")
    dictionary = read_dictionary(files)
    dictionary.classes, dictionary.auxiliaries = (
        _classes(train, tag),
        _auxiliaries(train),
    )
    if (dictionary.words or dictionary.forms) and not dictionary.classes:
        raise SennaError(
            "lemmas: a dictionary goes by the labels of upos, which is no task"
        )
    lemmas = learn_lemmas(sentences, dictionary)
    accuracy = score_lemmas(lemmas, tag, dev).accuracy
    n = sum(map(len, sentences))
    note = (
        f"{n:,} tokens to learn from, by {tag}; with the labels of dev {accuracy:.2f}%"
    )
    return lemmas, tag, f"{LEMMA}: {note} are right"


def read_dictionary(files: Iterable[AnyPath]) -> Dictionary:
    """Read a dictionary: a form, its lemma and its universal part of speech on each
    line.

    A form that is its own lemma is a known word; of several lines for another form the
    last counts. Raises SennaError naming the line of what is none.
    """
    found = Dictionary()
    for path in files:
        with Source(path) as source:
            for number, line in enumerate(read_lines(source), 1):
                form, lemma, of_class = _entry(path, number, line)
                if form == lemma:
                    found.words.add((of_class, form.lower()))
                else:
                    found.forms[of_class, form.lower()] = lemma.lower()
    return found


def _entry(path, number, line):
    try:
        parts = line.removesuffix(b"\r").decode().split("\t")
    except UnicodeDecodeError:
        raise SennaError(f"{path}: line {number}: not UTF-8") from None
    if len(parts) != 3 or not all(parts) or max(map(len, parts)) > _LONGEST_ENTRY:
        raise SennaError(
            f"{path}: line {number}: expected a form, its lemma and its part of speech, with tabs "
            "between them"
        )
    return parts


def _classes(train, tag):
    """The universal part of speech of most forms of each tag, if the data say any."""
    if UPOS not in train.labels:
        return {}
    forms = defaultdict(Counter)
    words = set()
    for i in set(train.labeled(tag)) & set(train.labeled(UPOS)):
        small = [word.lower() for word in train.words[i]]
        words.update(
            zip(small, train.labels[tag][i], train.labels[UPOS][i], strict=True)
        )
    for _, label, of_class in sorted(words):
        forms[label][of_class] += 1
    return {label: classes.most_common(1)[0][0] for label, classes in forms.items()}


def _auxiliaries(train):
    """The lemmas of auxiliaries, but for slips, the most frequent first."""
    if UPOS not in train.labels:
        return []
    counts = Counter()
    for i in set(train.labeled(UPOS)) & set(train.labeled(LEMMA)):
        pairs = zip(train.labels[UPOS][i], train.labels[LEMMA][i], strict=True)
        counts.update(lemma for of_class, lemma in pairs if of_class == AUXILIARY)
    return [
        lemma
        for lemma, n in counts.most_common()
        if n >= _LEAST_AUXILIARY and lemma != "_"
    ]


def score_lemmas(
    lemmas: Lemmas,
    task: str,
    sentences: Sentences,
    found: Mapping[str, list[Any]] | None = None,
) -> TokenScores:
    """TokenScores of Lemmas by the tags of a task, gold or `found` for sentences with
    labels.
    """
    return kind_of(LEMMA).score(
        (
            gold,
            lemmas.of_sentence(
                [word.encode("utf-8", "surrogateescape") for word in words], tags
            ),
        )
        for words, tags, gold in _sentences(sentences, task, found)
    )


def _sentences(sentences, task, found=None):
    """Yield the words, the tags of a task, and the lemmas of sentences that have
    both.
    """
    places = sentences.labeled(task)
    labels = found[task] if found else [sentences.labels[task][i] for i in places]
    tags = dict(zip(places, labels, strict=True))
    for i in sentences.labeled(LEMMA):
        if i in tags:
            yield sentences.words[i], tags[i], sentences.labels[LEMMA][i]
