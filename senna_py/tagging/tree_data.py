"""Trees out of training files: from columns with parse bits, or from bracketed text."""

from senna_py.corpora.tree_files import read_bracketed_trees
from senna_py.errors import SennaError
from senna_py.labels.tasks import POS
from senna_py.labels.trees import TRACE, Leaf, bare_tree, build_tree, tree_of_bits

__all__ = ["BRACKETS", "BracketReader", "rename_phrases", "tree_of_columns"]

BRACKETS = "brackets"  # the one column of files that are bracketed text


class BracketReader:
    """Reads one file of bracketed trees as `data._Reader` reads one of columns."""

    def __init__(self, path, data):
        """path: of the file; data: its config.DataSet."""
        self._path, self._names = path, data.labels

    def read(self, features):
        """Yield line, words, tree and columns of each sentence that has a word; traces are none.

        features: of these, parts of speech are a column. Raises SennaError naming file and line.
        """
        for record in read_bracketed_trees(self._path):
            if record.problem is not None:
                raise SennaError(record.problem)
            tree = record.tree and bare_tree(record.tree)
            if tree is None:
                continue
            leaves = tree.leaves
            columns = {POS: [leaf.tag for leaf in leaves]} if POS in features else {}
            words = [leaf.word for leaf in leaves]
            yield record.line, words, rename_phrases(tree, self._names), columns


def tree_of_columns(file, sentence, columns, names):
    """The Tree of a sentence of a ColumnFile, under the root TOP and without function tags.

    sentence: the ColumnSentence; columns: lists of str by name, `word`, `pos` and `parse` among
    them; names: see `rename_phrases`. Raises SennaError naming file and line.
    """
    leaves = list(map(Leaf, columns["word"], columns[POS]))
    for token, leaf in enumerate(leaves):
        if leaf.tag == TRACE:
            raise file.error(sentence.line_of(token), f"expected a word, found a trace ({TRACE})")
    try:
        tree = tree_of_bits(leaves, columns["parse"])
    except ValueError as error:
        token, problem = error.args
        raise file.error(sentence.line_of(token), problem) from None
    for phrase in tree.phrases:
        if not phrase.label:
            line = sentence.line_of(phrase.begin)
            raise file.error(line, "expected a label after each (, found none")
    return rename_phrases(tree, names)


def rename_phrases(tree, names):
    """The tree whose phrases below the root have other names; those called O there are left out.

    names: new label by old one.
    """
    if not names:
        return tree
    root, *others = tree.phrases
    renamed = [phrase._replace(label=names.get(phrase.label, phrase.label)) for phrase in others]
    return build_tree(tree.leaves, [root, *(phrase for phrase in renamed if phrase.label != "O")])
