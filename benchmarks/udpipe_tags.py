"""UPOS and XPOS of UDPipe 1, trained with its default settings, on given tokens.

A token of several words is right if all of its words are.

    python benchmarks/udpipe_tags.py fr_sequoia/train.conllu fr_sequoia/dev.conllu
"""

import argparse
import sys
from pathlib import Path

from ufal import udpipe

__all__ = ["accuracy", "read", "train"]


def read(path):
    """Sentences of a CoNLL-U file."""
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
    """Train a tagger on a file, and write it to `target`."""
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    for sentence in read(path):
        sentences.append(sentence)
    model = udpipe.Trainer.train(
        "morphodita_parsito", sentences, udpipe.Sentences(), "none", "", "none", error
    )
    if error.occurred():
        sys.exit(error.message)
    Path(target).write_bytes(model)


def accuracy(model, path):
    """Percent of the tokens whose UPOS and whose XPOS are right."""
    n, right = 0, [0, 0]
    for sentence in read(path):
        gold = [(word.upostag, word.xpostag) for word in sentence.words]
        model.tag(sentence, model.DEFAULT)
        found = [(word.upostag, word.xpostag) for word in sentence.words]
        first = {
            number: token.idFirst
            for token in sentence.multiwordTokens
            for number in range(token.idFirst, token.idLast + 1)
        }
        tokens = {}
        for number in range(1, len(gold)):
            pair = zip(gold[number], found[number], strict=True)
            tokens.setdefault(first.get(number, number), []).append([a == b for a, b in pair])
        n += len(tokens)
        for words in tokens.values():
            for kind, all_right in enumerate(map(all, zip(*words, strict=True))):
                right[kind] += all_right
    return [100 * count / n for count in right]


def main():
    """Train unless the model is there, and print both figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train", help="CoNLL-U file to learn from")
    parser.add_argument("dev", help="CoNLL-U file to measure on")
    parser.add_argument("--model", default="model.udpipe", help="where the model is kept")
    options = parser.parse_args()
    if not Path(options.model).exists():
        train(options.train, options.model)
    upos, xpos = accuracy(udpipe.Model.load(options.model), options.dev)
    print(f"UDPipe: UPOS {upos:.2f}, XPOS {xpos:.2f}")


if __name__ == "__main__":
    main()
