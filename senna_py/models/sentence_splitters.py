"""Native models that learn to find sentences as a treebank has them."""

from senna_py.corpora.conllu import ConlluFile
from senna_py.errors import SennaError
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.shipped import shipped_or
from senna_py.text.known_texts import learn_abbreviations
from senna_py.text.tokens import Tokenizer

__all__ = ["add_splitter", "read_paragraphs"]


def read_paragraphs(path):
    """Yield the paragraphs of a CoNLL-U file: the text, and where its sentences begin.

    The text is rebuilt from `SpaceAfter=No`; sentences stand in one line, with a blank between
    them, up to `# newdoc` or `# newpar`. Raises SennaError naming the line that cannot be read.
    """
    parts, begins, length = [], [], 0
    for sentence in ConlluFile(path, "tokens"):
        is_new = any(comment.startswith(("newdoc", "newpar")) for comment in sentence.comments)
        if is_new and parts:
            yield "".join(parts), begins
            parts, begins, length = [], [], 0
        begins.append(length)
        last = len(sentence.forms) - 1
        for i, (form, space) in enumerate(zip(sentence.forms, sentence.spaces, strict=True)):
            parts.append(form + " " * (space or i == last))
            length += len(parts[-1])
    if parts:
        yield "".join(parts), begins


def add_splitter(path, model, treebanks):
    """Write a native model to `path` with a splitter that learned from CoNLL-U files.

    path: a file or a directory; model: path of it; treebanks: paths. The model's own tokenizer
    finds the tokens, with the abbreviations of the treebanks, which it keeps. Returns the path of
    the file. Raises SennaError if a file cannot be read, or if the model's tokens are SENNA's.
    """
    source = NativeModel(shipped_or(model))
    sentences = (each for path in treebanks for each in ConlluFile(path, "tokens"))
    tokenizer = Tokenizer(source.words, source.tokenizer, learn_abbreviations(sentences))
    paragraphs = [each for treebank in treebanks for each in read_paragraphs(treebank)]
    try:
        splitter = tokenizer.learn_sentences(paragraphs)
    except SennaError as error:
        raise SennaError(f"{source.path}: {error}") from None
    return build_model(path, [model], splitter=splitter)
