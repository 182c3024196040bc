"""Tokenizers without a model: tokens and sentences of raw text, and tokens a second.

Scores are those of `senna-eval text`, which scores models.

    python benchmarks/raw_text.py english ewt/dev.pos.tsv gum/dev.parse.tsv --columns
    word,pos python benchmarks/raw_text.py french fr_sequoia/dev.conllu --train
    fr_sequoia/train.conllu
"""

import argparse
import time
from itertools import chain, pairwise

from senna_py.corpora.raw_text import RawSentence, Word, raw_text, read_paragraphs
from senna_py.evaluation.raw_text import score_text
from senna_py.evaluation.report import confusion_report, text_report
from senna_py.text.learning import learn_abbreviations, learn_splitter
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def tokenizer(kind, train=None):
    """Return a Tokenizer of a kind, without a dictionary.

    It learns from the CoNLL-U file `train`, if there is one.
    """
    words = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
    if train is None:
        return Tokenizer(words, kind)
    paragraphs = list(read_paragraphs(train))
    own = learn_abbreviations(Tokenizer(words, kind), chain.from_iterable(paragraphs))
    splitter = learn_splitter(Tokenizer(words, kind, own), map(raw_text, paragraphs))
    return Tokenizer(words, kind, splitter=splitter)


def tokenize(tool, text):
    """Return the sentences that a Tokenizer finds in a text, as lists of str."""
    found = tool.split_sentences(tool.lines(text.encode()))
    words = [found.text(t) for t in range(len(found))]
    return [words[a:b] for a, b in pairwise(found.starts.tolist())]


def _udpipe(path, text):
    """Return the sentences that a model of UDPipe 1 finds, as lists of str."""
    from ufal import udpipe

    model = udpipe.Model.load(path)  # which must outlive its tokenizer
    reader = model.newTokenizer("")
    reader.setText(text)
    sentence, sentences = udpipe.Sentence(), []
    while reader.nextSentence(sentence):
        words, inside = [], 0
        first = {token.idFirst: token for token in sentence.multiwordTokens}
        for i in range(1, len(sentence.words)):
            if i in first:
                words.append(first[i].form)
                inside = first[i].idLast
            elif i > inside:
                words.append(sentence.words[i].form)
        sentences.append(words)
        sentence = udpipe.Sentence()
    return sentences


def _report(name, gold, found, confusions):
    as_raw = (
        RawSentence(name, words, [True] * len(words), [[Word(word)] for word in words])
        for words in found
    )
    scores = score_text(gold, as_raw)
    lines = text_report(scores)[:4] + (confusion_report(scores) if confusions else [])
    print(name, *lines, sep="\n")


def _speed(tool, text):
    """Return tokens per second, the best of five runs, without and with finding
    sentences.
    """
    data = text.encode()
    data = data * max(1, (1 << 21) // len(data))
    best = [float("inf")] * 2
    for _ in range(6):
        begin = time.perf_counter()
        found = tool.lines(data)
        middle = time.perf_counter()
        tool.split_sentences(found)
        end = time.perf_counter()
        best = [min(best[0], middle - begin), min(best[1], end - middle)]
    rates = len(found) / best[0], len(found) / sum(best)
    print(f"{rates[0]:,.0f} tokens/s, {rates[1]:,.0f} with sentences")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tokenizer", help="kind of tokenizer, as a model names it")
    parser.add_argument(
        "treebanks", nargs="+", metavar="FILE", help="CoNLL-U, or columns"
    )
    parser.add_argument(
        "--columns", metavar="NAMES", help="of column files, such as word,pos"
    )
    parser.add_argument("--one-paragraph", action="store_true")
    parser.add_argument("--train", metavar="FILE", help="CoNLL-U to learn from")
    parser.add_argument(
        "--udpipe", metavar="MODEL", help="measure a model of UDPipe 1 as well"
    )
    parser.add_argument("--confusions", action="store_true", help="print what differs")
    parser.add_argument("--speed", action="store_true", help="tokens a second")
    options = parser.parse_args()
    tool = tokenizer(options.tokenizer, options.train)
    for path in options.treebanks:
        paragraphs = list(
            read_paragraphs(path, options.columns and options.columns.split(","))
        )
        gold = list(chain.from_iterable(paragraphs))
        paragraphs = [gold] if options.one_paragraph else paragraphs
        text = "".join(
            f"{raw_text(paragraph)[0].rstrip()}\n\n" for paragraph in paragraphs
        )
        name = f"{path}, {options.tokenizer}"
        _report(name, gold, tokenize(tool, text), options.confusions)
        if options.udpipe:
            _report(
                f"{path}, UDPipe",
                gold,
                _udpipe(options.udpipe, text),
                options.confusions,
            )
        if options.speed:
            _speed(tool, text)


if __name__ == "__main__":
    main()
