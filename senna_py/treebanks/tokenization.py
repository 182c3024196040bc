"""The choice and training of a tokenizer and sentence splitter for a treebank."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from senna_py.answers.annotations import Annotations
from senna_py.answers.reading import sentences_of_lines
from senna_py.corpora.raw_text import RawSentence, raw_text
from senna_py.evaluation.raw_sentences import raw_sentence
from senna_py.evaluation.raw_text import score_text
from senna_py.io.files import AnyPath
from senna_py.io.streaming import Source, check_text, read_batches
from senna_py.models.native import NativeModel
from senna_py.text.learning import learn_abbreviations, learn_splitter
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokenizer_kinds import LEARNED
from senna_py.text.tokens import Tokens
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_split_learning import learn_words
from senna_py.text.word_splitting import WordSplitter

_BATCH = 1 << 20  # The number of bytes of text that are tokenized at a time.
# A point of F1 of words changes the scores of trees by more than a point, and a point of
# sentences, which have some 20 words, by a tenth of one.
_WEIGHT_OF_WORDS = 10
# The name of a learned tokenizer with a splitter, among the names of tokenizers.
WITH_SPLITTER = f"{LEARNED} with a splitter"
Paragraphs = Sequence[Sequence[RawSentence]]


class TokenScores(NamedTuple):
    """The F1 of words and of sentences in raw text."""

    words: float
    sentences: float

    @property
    def mean(self) -> float:
        """The weighted mean, in which words count more than sentences."""
        return (_WEIGHT_OF_WORDS * self.words + self.sentences) / (_WEIGHT_OF_WORDS + 1)

    def __str__(self) -> str:
        return f"words F1 {self.words:.2f}, sentences F1 {self.sentences:.2f}"


@dataclass(frozen=True)
class Tokenization:
    """A tokenizer for a treebank.

    Attributes:
        tokenizer: The tokenizer, with its splitters and without a dictionary.
    """

    tokenizer: Tokenizer

    def sentences(self, data: bytes) -> Iterator[list[str]]:
        """Yield the words of each sentence of a text; each line is a paragraph."""
        tokens = self._tokens(data)
        for begin, end in pairwise(tokens.starts.tolist()):
            yield [tokens.text(word) for word in range(begin, end)]

    def _tokens(self, data: bytes) -> Tokens:
        return self.tokenizer.split_sentences(self.tokenizer.lines(data))

    def sentences_of(self, path: AnyPath) -> Iterator[list[str]]:
        """Yield the words of each sentence of a text file.

        Raises:
            SennaError: If the file cannot be read or is not text.
        """
        with Source(path) as source:
            for number, batch in enumerate(read_batches(source, _BATCH)):
                if not number:
                    check_text(source.name, batch)
                yield from self.sentences(batch)

    def score(self, paragraphs: Paragraphs) -> TokenScores:
        """Score the words and sentences that the tokenizer finds in gold paragraphs."""
        lines = (raw_text(paragraph)[0] for paragraph in paragraphs)
        tokens = self._tokens("\n".join(lines).encode("utf-8", "surrogateescape"))
        predicted = (
            raw_sentence(sentence, place="the tokenizer's text")
            for sentence in sentences_of_lines(Annotations(tokens))
        )
        counts = score_text(chain.from_iterable(paragraphs), predicted).counts
        return TokenScores(counts["words"].f1, counts["sentences"].f1)


def rules_alone(kind: str) -> Tokenization:
    """Return a rule tokenizer without training.

    Args:
        kind: The name of the tokenizer.
    """
    return Tokenization(Tokenizer(_no_words(), kind))


def _no_words() -> Vocabulary:
    return Vocabulary.from_keys(["PADDING", "UNKNOWN"])


def learn_by_rules(kind: str, train: Paragraphs) -> Tokenization:
    """Train a rule tokenizer: its abbreviations and its sentence splitter.

    Args:
        kind: The name of the tokenizer.
        train: The paragraphs to learn from.
    """
    words = _no_words()
    tokenizer = Tokenizer(words, kind)
    abbreviations = learn_abbreviations(tokenizer, chain.from_iterable(train))
    tokenizer = Tokenizer(words, kind, abbreviations)
    splitter = learn_splitter(tokenizer, map(raw_text, train))
    return Tokenization(Tokenizer(words, kind, splitter=splitter))


def learned_tokens(model: AnyPath, train: Paragraphs) -> Tokenization:
    """Return a learned tokenizer, with a splitter for a treebank's multiword tokens.

    Args:
        model: The model that has the network of the tokenizer.
        train: The paragraphs from which the splitter is learned.
    """
    finder, word_splitter = NativeModel(model).finder, learn_word_splitter(train)
    tokenizer = Tokenizer(
        _no_words(), LEARNED, word_splitter=word_splitter, finder=finder
    )
    return Tokenization(tokenizer)


def with_splitter(learned: Tokenization, train: Paragraphs) -> Tokenization:
    """Return a learned tokenizer with a splitter that finds the ends of sentences.

    Args:
        learned: The tokenizer, whose network also finds ends of sentences.
        train: The paragraphs to learn from.
    """
    finder = learned.tokenizer.finder
    surface = Tokenizer(_no_words(), LEARNED, finder=finder)
    tokenizer = Tokenizer(
        _no_words(),
        LEARNED,
        splitter=learn_splitter(surface, map(raw_text, train)),
        word_splitter=learned.tokenizer.word_splitter,
        finder=finder,
    )
    return Tokenization(tokenizer)


def learn_word_splitter(
    paragraphs: Iterable[Iterable[RawSentence]],
) -> WordSplitter | None:
    """Return a splitter for the multiword tokens of a treebank, or None without any.

    Args:
        paragraphs: The paragraphs of the treebank.
    """
    tokens = [
        (form, [word.form for word in words])
        for sentence in chain.from_iterable(paragraphs)
        for form, words in zip(sentence.forms, sentence.words, strict=True)
        if len(words) > 1
    ]
    return learn_words(tokens) if tokens else None
