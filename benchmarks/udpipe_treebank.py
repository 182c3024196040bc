"""Scores of UDPipe 1, trained on a treebank with its default settings.

    python benchmarks/udpipe_treebank.py fr_sequoia/train.conllu fr_sequoia/dev.conllu

UDPipe is given the tokens of dev. With `--path MODEL`, the script also prints the words
per second of processor time of UDPipe and the model. Both predict all that the treebank
has, on the same sentences, alternately.
"""

import argparse
import os
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ufal import udpipe

from senna_py import load
from senna_py.corpora.raw_text import read_paragraphs
from senna_py.evaluation.raw_text import score_text
from senna_py.evaluation.report import text_report

__all__ = ["parsed", "read", "train"]

_TIMES = 5


def read(path):
    """Return the sentences of a CoNLL-U file."""
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(Path(path).read_text("utf-8"))
    error, sentence, found = udpipe.ProcessingError(), udpipe.Sentence(), []
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return found


def train(path, target):
    """Train a tagger and a parser on a file, and write them to `target`."""
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    for sentence in read(path):
        sentences.append(sentence)
    model = udpipe.Trainer.train(
        "morphodita_parsito", sentences, udpipe.Sentences(), "none", "", "", error
    )
    if error.occurred():
        sys.exit(error.message)
    Path(target).write_bytes(model)


def parsed(model, path):
    """Tag and parse the sentences of a file; return CoNLL-U and the seconds."""
    sentences, writer = read(path), udpipe.OutputFormat.newOutputFormat("conllu")
    begin = time.process_time()
    for sentence in sentences:
        model.tag(sentence, model.DEFAULT)
        model.parse(sentence, model.DEFAULT)
    seconds = time.process_time() - begin
    return "".join(map(writer.writeSentence, sentences)), seconds


def _scores(gold, text):
    """Return lines with the scores of a CoNLL-U text."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "found.conllu"
        path.write_text(text, encoding="utf-8")
        return text_report(
            score_text(*(chain(*read_paragraphs(each)) for each in (gold, path)))
        )


def _seconds_here(nlp, sentences):
    begin = time.process_time()
    for sentence in nlp.pipe(sentences):
        _ = [*sentence.tags.values(), sentence.arcs]
    return time.process_time() - begin


def main():
    """Train unless there is a model, and print scores and rates."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train", help="CoNLL-U file to learn from")
    parser.add_argument("dev", help="CoNLL-U file to measure on")
    parser.add_argument(
        "--model", default="model.udpipe", help="where UDPipe's model is kept"
    )
    parser.add_argument("--path", help="our model, to compare rates")
    options = parser.parse_args()
    if not Path(options.model).exists():
        train(options.train, options.model)
    model = udpipe.Model.load(options.model)
    print(*_scores(options.dev, parsed(model, options.dev)[0]), sep="\n")
    if options.path:
        nlp = load(options.path)
        words = [
            [word.form for token in sentence.words for word in token]
            for sentence in chain(*read_paragraphs(options.dev))
        ]
        n_words, seconds = sum(map(len, words)), {"UDPipe": [], "senna-py": []}
        _seconds_here(nlp, words)  # compiles
        for _ in range(_TIMES):
            seconds["UDPipe"].append(parsed(model, options.dev)[1])
            seconds["senna-py"].append(_seconds_here(nlp, words))
        for name, times in seconds.items():
            print(f"{name}: {n_words / median(times):,.0f} words/s of processor time")


if __name__ == "__main__":
    main()
