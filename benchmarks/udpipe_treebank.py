"""Scores of UDPipe 1, trained on a treebank, beside those of a model.

    python benchmarks/udpipe_treebank.py fr_sequoia/train.conllu fr_sequoia/dev.conllu
        --model fr.udpipe --path runs/fr/model.safetensors

The script trains UDPipe unless the file of `--model` exists, with its default settings
unless `--tokenizer`, `--tagger` or `--parser` has others. It prints the F1 scores of
the CoNLL 2018 shared task on dev, from raw text and with gold tokens. Without a dev
file, the last tenth of the training file is held out, as `senna-py train` does. With
`--path MODEL`, it prints the same of that model; then both are timed alternately: the
words per second that they tag and parse, and the characters per second that they
tokenize, in processor time.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ufal import udpipe

from senna_py import load
from senna_py.corpora.raw_text import raw_text, read_paragraphs
from senna_py.evaluation.raw_text import score_text
from senna_py.model import Model
from senna_py.tagging.score_model import score_raw_text

__all__ = ["parse_text", "parse_words", "read", "split_off_dev", "train"]

_TIMES = 5
_LEAST_BYTES = 1 << 20  # of the text on which tokenizers are timed
_MEASURES = {
    "tokens": "tokens",
    "sentences": "sents",
    "words": "words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "feats",
    "lemma": "lemmas",
    "uas": "UAS",
    "las": "LAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}


def read(text):
    """Return the sentences of a text in CoNLL-U."""
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(text)
    return _sentences(reader)


def _sentences(reader):
    error, sentence, sentences = udpipe.ProcessingError(), udpipe.Sentence(), []
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(error.message)
    return sentences


def split_off_dev(path, directory):
    """Write the last tenth of a file's sentences to dev.conllu, the rest to train.conllu.

    Returns:
        The paths of both files.
    """
    sentences = Path(path).read_text("utf-8").strip().split("\n\n")
    n_dev = len(sentences) // 10
    paths = Path(directory, "train.conllu"), Path(directory, "dev.conllu")
    parts = sentences[:-n_dev], sentences[-n_dev:]
    for target, part in zip(paths, parts, strict=True):
        target.write_text("".join(f"{each}\n\n" for each in part), "utf-8")
    return paths


def train(
    path: str | Path,
    target: str | Path,
    tokenizer: str = "",
    tagger: str = "",
    parser: str = "",
) -> None:
    """Train a tokenizer, a tagger and a parser on a file, and write them to `target`.

    Args:
        path: A file in CoNLL-U.
        target: The file that is written.
        tokenizer: Options for the training of the tokenizer, such as `epochs=10`, or
            `none` for no tokenizer.
        tagger: Options for the training of the tagger, such as `iterations=10`.
        parser: Options for the training of the parser.
    """
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    for sentence in read(Path(path).read_text("utf-8")):
        sentences.append(sentence)
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        sentences,
        udpipe.Sentences(),
        tokenizer,
        tagger,
        parser,
        error,
    )
    if error.occurred():
        sys.exit(error.message)
    Path(target).write_bytes(model)


def _parsed(model, sentences):
    writer = udpipe.OutputFormat.newOutputFormat("conllu")
    for sentence in sentences:
        model.tag(sentence, model.DEFAULT)
        model.parse(sentence, model.DEFAULT)
    return "".join(map(writer.writeSentence, sentences))


def parse_words(model, conllu):
    """Tag and parse the words of a CoNLL-U text; return CoNLL-U."""
    return _parsed(model, read(conllu))


def tokenize(model, text):
    """Return the sentences of a raw text."""
    reader = model.newTokenizer(model.DEFAULT)
    reader.setText(text)
    return _sentences(reader)


def parse_text(model, text):
    """Tokenize, tag and parse a raw text; return CoNLL-U."""
    return _parsed(model, tokenize(model, text))


def _scores(gold, conllu):
    """Return the scores of a CoNLL-U text, by measure."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "predicted.conllu")
        path.write_text(conllu, "utf-8")
        return score_text(chain(*gold), chain(*read_paragraphs(path)))


def _print_row(name, scores):
    cells = [
        f"{scores.counts[key].f1:6.2f}" if key in scores.counts else f"{'':6}"
        for key in _MEASURES
    ]
    print(f"{name:24}", *cells)


def _tagged_words(path, dev):
    """Return CoNLL-U of a file whose words our model has tagged and parsed."""
    command = [sys.executable, "-m", "senna_py", "tag", "--format", "conllu"]
    done = subprocess.run(
        [*command, "--path", path, dev], stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def _read_all(nlp, sentences):
    """Tag and parse lists of words, and read all tags and arcs."""
    for sentence in nlp.pipe(sentences):
        _ = [*sentence.tags.values(), sentence.arcs]


def _seconds(run, *arguments):
    """Return the seconds of processor time of a call."""
    begin = time.process_time()
    run(*arguments)
    return time.process_time() - begin


def _compare_rates(model, path, gold, conllu, text):
    """Time both programs alternately, and print their rates."""
    nlp = load(path)
    words = [
        [word.form for token in sentence.words for word in token]
        for sentence in chain(*gold)
    ]
    long_text = text * (1 + _LEAST_BYTES // len(text.encode()))
    data = long_text.encode()
    tokenizer = nlp.tokenizer
    runs = {
        ("UDPipe", "words"): (parse_words, model, conllu),
        ("senna-py", "words"): (_read_all, nlp, words),
        ("UDPipe", "characters"): (tokenize, model, long_text),
        ("senna-py", "characters"): (lambda: _tokenize_here(tokenizer, data),),
    }
    amounts = {"words": sum(map(len, words)), "characters": len(long_text)}
    seconds = {key: [] for key in runs}
    for turn in range(_TIMES + 1):
        for key, run in runs.items():
            each = _seconds(*run)
            if turn:  # The first turn may compile.
                seconds[key].append(each)
    for unit, verb in (("words", "tagged and parsed"), ("characters", "tokenized")):
        rates = {
            name: amounts[unit] / median(seconds[name, unit])
            for name in ("UDPipe", "senna-py")
        }
        print(
            f"{unit} {verb} per second: UDPipe {rates['UDPipe']:,.0f}, senna-py "
            f"{rates['senna-py']:,.0f}, {rates['senna-py'] / rates['UDPipe']:.1f} times"
        )


def _tokenize_here(tokenizer, data):
    return tokenizer.split_sentences(tokenizer.lines(data))


def _compare(model, path, dev):
    """Print the scores of UDPipe and, if there is a path, those of our model."""
    gold = [*read_paragraphs(dev)]
    conllu = Path(dev).read_text("utf-8")
    text = "\n\n".join(raw_text(paragraph)[0].strip() for paragraph in gold) + "\n"
    print(f"{'F1 on dev':24}", *(f"{name:>6}" for name in _MEASURES.values()))
    _print_row("UDPipe, raw text", _scores(gold, parse_text(model, text)))
    if path:
        _print_row("senna-py, raw text", score_raw_text(Model(path), gold))
    _print_row("UDPipe, gold tokens", _scores(gold, parse_words(model, conllu)))
    if path:
        _print_row("senna-py, gold tokens", _scores(gold, _tagged_words(path, dev)))
        _compare_rates(model, path, gold, conllu, text)


def main():
    """Train UDPipe unless there is a model, and print scores and rates."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train", help="CoNLL-U file to learn from")
    parser.add_argument("dev", nargs="?", help="CoNLL-U file to measure on")
    parser.add_argument(
        "--model", default="model.udpipe", help="the file of UDPipe's model"
    )
    parser.add_argument("--path", help="our model, to compare with")
    for part, example in {
        "tokenizer": "epochs=10",
        "tagger": "iterations=10",
        "parser": "iterations=4",
    }.items():
        parser.add_argument(
            f"--{part}",
            default="",
            metavar="OPTIONS",
            help=f"options for the training of UDPipe's {part}, such as {example}",
        )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        paths = options.train, options.dev
        if options.dev is None:
            paths = split_off_dev(options.train, directory)
        if not Path(options.model).exists():
            train(
                paths[0],
                options.model,
                options.tokenizer,
                options.tagger,
                options.parser,
            )
        _compare(udpipe.Model.load(options.model), options.path, paths[1])


if __name__ == "__main__":
    main()
