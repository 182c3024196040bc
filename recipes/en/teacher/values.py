"""Label the values of running text (dates, times, amounts) by a model of spaCy.

python recipes/en/teacher/values.py LABELS [MODEL]

LABELS is a directory that label.py wrote. It gets the labels of `val`, which have no
probabilities. MODEL is a name that spacy.load knows, or a path; the shipped labels come
from en_core_web_md 3.8 (MIT).
"""

from itertools import chain

import numpy as np
import spacy
from labels import Labels
from spacy.tokens import Doc

from senna_py.cli.scripts import run_script

TYPES = ["CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"]
TAGS = ["O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BIES")]


def tags_of(doc):
    """Return IOBES tags of the words of a Doc."""
    tags = ["O"] * len(doc)
    for span in doc.ents:
        if span.label_ in TYPES:
            last, kind = span.end - 1, span.label_
            tags[span.start : span.end] = [f"I-{kind}"] * len(span)
            tags[last] = f"E-{kind}"
            tags[span.start] = f"S-{kind}" if last == span.start else f"B-{kind}"
    return tags


def main(path, model="en_core_web_md"):
    """Write the labels."""
    labels, nlp, number = (
        Labels(path),
        spacy.load(model),
        {tag: k for k, tag in enumerate(TAGS)},
    )
    nlp.select_pipes(enable=["tok2vec", "ner"])
    docs = (Doc(nlp.vocab, words) for words in labels.sentences)
    tags = chain.from_iterable(map(tags_of, nlp.pipe(docs)))
    labels.index["labels"]["val"] = TAGS
    labels.add({"val.best": np.array([number[tag] for tag in tags])})


if __name__ == "__main__":
    run_script(main, __doc__)
