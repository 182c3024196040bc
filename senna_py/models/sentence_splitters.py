"""Native models that learn to find sentences and abbreviations as a treebank has them."""

from itertools import chain

from senna_py.corpora.raw_text import raw_text, read_paragraphs
from senna_py.errors import SennaError
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.shipped import shipped_or
from senna_py.text.tokens import Tokenizer

__all__ = ["add_splitter"]


def add_splitter(path, model, treebanks):
    """Write a native model to `path` with a splitter that learned from CoNLL-U files.

    path: a file or a directory; model: path of it; treebanks: paths. The model's own tokenizer
    finds the tokens, with the abbreviations of the treebanks, which it keeps. Returns the path of
    the file. Raises SennaError if a file cannot be read, or if the model's tokens are SENNA's.
    """
    source = NativeModel(shipped_or(model))
    paragraphs = [each for treebank in treebanks for each in read_paragraphs(treebank)]
    plain = Tokenizer(source.words, source.tokenizer)
    own = plain.learn_abbreviations(chain.from_iterable(paragraphs))
    tokenizer = Tokenizer(source.words, source.tokenizer, own)
    try:
        splitter = tokenizer.learn_sentences(map(raw_text, paragraphs))
    except SennaError as error:
        raise SennaError(f"{source.path}: {error}") from None
    return build_model(path, [model], splitter=splitter)
