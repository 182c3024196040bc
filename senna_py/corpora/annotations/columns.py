"""Column files of CoNLL: words in the first column, and tags in the last."""

from pathlib import Path

from senna_py.corpora.annotations.texts import AnnotatedFile, join_words
from senna_py.corpora.conll import DOCUMENT_MARK, ColumnFile
from senna_py.corpora.conllu import KEYS
from senna_py.corpora.layout_files import LayoutFile
from senna_py.corpora.layouts import CONLLU
from senna_py.labels.tag_schemes import is_chunk_tag, read_tag, segments


def read_columns(path: Path) -> AnnotatedFile:
    """Read the words and the last column of a column file.

    Raises:
        SennaError: If a line is malformed, or its last column is not a tag of a
            segment. The message names the file and the line.
    """
    file = ColumnFile(path, at_least=2, first="word")
    return AnnotatedFile("columns of CoNLL", _sentences(file), [])


def read_conllu(path: Path) -> AnnotatedFile:
    """Read the words of a CoNLL-U file, and their tags in MISC.

    Raises:
        SennaError: If a line is malformed, or there are no tags. The message names the
            file and, if there is one, the line.
    """
    file = LayoutFile(path, CONLLU, ["word", f"ner=misc.{KEYS['ner']}"])
    return AnnotatedFile("CoNLL-U", _sentences(file), [])


def _sentences(file: ColumnFile | LayoutFile) -> list:
    texts = []
    for sentence in file:
        words, tags = sentence.columns[0], [*map(read_tag, sentence.columns[-1])]
        if words == [DOCUMENT_MARK]:
            continue
        tags = ["O" if tag == "_" else tag for tag in tags]
        for i, tag in enumerate(tags):
            if not is_chunk_tag(tag):
                raise file.error(
                    sentence.line_of(i),
                    f"expected O or a tag such as B-PER in the last column, found {tag!r}",
                )
        place = f"{file.name}: line {sentence.line}"
        texts.append(join_words(place, words, segments(tags)))
    return texts
