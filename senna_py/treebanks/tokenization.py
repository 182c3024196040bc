"""The tokenizer of a treebank, and its sentence splitter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from senna_py.corpora.raw_text import RawSentence, Word, raw_text
from senna_py.evaluation.raw_text import TextScores, score_text
from senna_py.io.files import AnyPath
from senna_py.io.streaming import Source, check_text, read_batches
from senna_py.text.learning import learn_abbreviations, learn_splitter
from senna_py.text.splitter import SentenceSplitter
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokens import Tokens
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_split_learning import learn_words
from senna_py.text.word_splitting import WordSplitter

# The tokenizers of languages, by the codes of the languages.
RULES = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "tr": "turkish",
}
OTHER_LANGUAGES = "unicode"
_BATCH = 1 << 20  # The number of bytes of text that are tokenized at a time.
Paragraphs = Sequence[Sequence[RawSentence]]


@dataclass(frozen=True)
class Tokenization:
    """A tokenizer for a treebank.

    Attributes:
        tokenizer: The tokenizer, with its splitter and without a dictionary.
        splitter: The sentence splitter that the model gets.
        word_splitter: The words of multiword tokens, or None if there are no such
            tokens.
    """

    tokenizer: Tokenizer
    splitter: SentenceSplitter | None
    word_splitter: WordSplitter | None

    def sentences(self, data: bytes) -> Iterator[list[str]]:
        """Yield the words of each sentence of a text, in which lines are paragraphs."""
        tokens = self.tokenizer.split_sentences(self.tokenizer.lines(data))
        yield from _sentences(tokens)

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

    def score(self, paragraphs: Paragraphs) -> TextScores:
        """Score the tokens and sentences of a treebank's paragraphs."""
        lines = (raw_text(paragraph)[0] for paragraph in paragraphs)
        data = "\n".join(lines).encode("utf-8", "surrogateescape")
        return score_text(
            chain.from_iterable(paragraphs), map(_raw, self.sentences(data))
        )


def _sentences(tokens: Tokens) -> Iterator[list[str]]:
    for begin, end in pairwise(tokens.starts.tolist()):
        yield [tokens.text(token) for token in range(begin, end)]


def _raw(forms: Sequence[str]) -> RawSentence:
    words = [[Word(form)] for form in forms]
    return RawSentence(
        "the tokenizer's sentences", [*forms], [True] * len(forms), words
    )


def rules_alone(kind: str) -> Tokenization:
    """Return a rule tokenizer that has learned nothing.

    Args:
        kind: The name of the tokenizer.
    """
    return Tokenization(Tokenizer(_no_words(), kind), None, None)


def _no_words() -> Vocabulary:
    return Vocabulary.from_keys(["PADDING", "UNKNOWN"])


def learn_by_rules(kind: str, train: Paragraphs) -> Tokenization:
    """Return a rule tokenizer with abbreviations and a splitter from a treebank.

    Args:
        kind: The name of the tokenizer.
        train: The paragraphs to learn from.
    """
    words = _no_words()
    tokenizer = Tokenizer(words, kind)
    abbreviations = learn_abbreviations(tokenizer, chain.from_iterable(train))
    tokenizer = Tokenizer(words, kind, abbreviations)
    splitter = learn_splitter(tokenizer, map(raw_text, train))
    learned = Tokenizer(words, kind, splitter=splitter)
    return Tokenization(learned, splitter, _learn_words(train))


def _learn_words(train: Paragraphs) -> WordSplitter | None:
    tokens = [
        (form, [word.form for word in words])
        for sentence in chain.from_iterable(train)
        for form, words in zip(sentence.forms, sentence.words, strict=True)
        if len(words) > 1
    ]
    return learn_words(tokens) if tokens else None
