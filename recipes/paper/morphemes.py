"""Find the morphemes of words by Morfessor, for `senna-lm train morph`.

python recipes/paper/morphemes.py TEXT... > morphemes.txt

TEXT has a sentence per line, with words between spaces. Morfessor Baseline (Creutz and
Lagus 2007; Virpioja et al. 2013) learns from the different words, each once. It comes
with the package morfessor. The same text gives the same morphemes.
"""

import random
import sys

from senna_py.cli.scripts import run_script
from senna_py.errors import SennaError
from senna_py.lm.text.streams import read_text
from senna_py.lm.word_list import SPECIAL


def segmented(words):
    """Yield each word, a str, with its morphemes."""
    try:
        import morfessor  # noqa: PLC0415 - not a dependency
    except ImportError:
        raise SennaError("Morfessor is missing: pip install morfessor") from None
    random.seed(1)  # Morfessor takes the words in random order
    model = morfessor.BaselineModel()
    model.load_data([(1, word) for word in words])
    model.train_batch()
    for word in words:
        yield word, model.viterbi_segment(word)[0]


def main(*paths):
    """Print a line per word: the word, then its morphemes."""
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    text = read_text(paths)
    words = [word.decode("utf-8", "surrogateescape") for word in text.words]
    for word, morphemes in segmented([word for word in words if word not in SPECIAL]):
        print(word, *morphemes)


if __name__ == "__main__":
    run_script(main, __doc__)
