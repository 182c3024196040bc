"""Tokens and sentences of raw text: F1 on a treebank, and tokens a second.

The text of a CoNLL-U file is rebuilt from `SpaceAfter=No`, `# newdoc` and `# newpar`: the sentences
of a paragraph stand in one line, with a blank between them, and paragraphs are parted by an empty
line, as in the text files that Universal Dependencies come with. F1 is that of their evaluation:
a token counts if its first and its last character are right, a sentence likewise, white space
aside. A multiword token is one token.

Column files (word, tag of the Penn Treebank) tell neither. Blanks come from `detokenize`. Lines
come from a guess: a sentence without a final mark (a title, a greeting, an entry of a list) is a
line of its own; with `--one-paragraph`, all sentences stand in one line. The truth is between the
two.

    python benchmarks/raw_text.py english ewt/dev.pos.tsv gum/dev.parse.tsv
    python benchmarks/raw_text.py french fr_sequoia/dev.conllu
"""

import argparse
import re
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np

from senna_py.models.sentence_splitters import read_paragraphs as read_paragraphs_of
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

__all__ = ["detokenize", "f1", "raw_text", "read_paragraphs", "spans"]

_LEFT = {"-RRB-", "''", "POS", "HYPH"}  # tags of what follows without a blank
_RIGHT = {"-LRB-", "``", "$", "HYPH"}  # and of what has none behind it
_LEFT_WORDS = re.compile(r"[.,;:!?%…]+|['’](?:s|re|ve|ll|d|m)|n['’]?t|[”’]", re.IGNORECASE)
_BARE = {  # contractions without an apostrophe: "im", "thats", "youre"
    ("m", "VBP"), ("s", "VBZ"), ("re", "VBP"), ("ve", "VBP"), ("ll", "MD"), ("d", "MD"),
    ("nt", "RB"), ("na", "TO"), ("ta", "TO"), ("not", "RB can"), ("me", "PRP gim"),
    ("me", "PRP lem"), ("s", "PRP let"),
}  # fmt: skip


def detokenize(tokens):
    """Whether a blank follows each of `tokens`: a list of (word, Penn tag); returns a list of bool.

    Words have their marks as they are printed: none before a closing mark, a clitic and a period,
    none behind an opening one, none around a hyphen (HYPH), a slash, and a dash between numbers.
    """
    blank = []
    for (word, tag), (follower, its_tag) in pairwise(tokens):
        joined = (
            tag in _RIGHT
            or its_tag in _LEFT
            or word in "/#"
            or follower == "/"
            or (_LEFT_WORDS.fullmatch(follower) and (follower, its_tag) != (":", "NFP"))
            or (follower.lower(), its_tag) in _BARE
            or (follower.lower(), f"{its_tag} {word.lower()}") in _BARE
            or ("SYM" in (tag, its_tag) and {word, follower} & {"-", "–"})
            or (word, follower) == ("'", "s")
        )
        blank.append(not joined)
    return [*blank, True]


def _read_columns(path, one_paragraph):
    """Paragraphs of a column file: lists of sentences, which are lists of (word, blank)."""
    paragraphs = [[]]
    for block in Path(path).read_text("utf-8").split("\n\n"):
        rows = [line.split("\t")[:2] for line in block.split("\n") if line]
        if not rows:
            continue
        blanks = detokenize([tuple(row) for row in rows])
        words = [word for word, _ in rows]
        ends = any(word[-1] in ".!?…" for word in words[-3:])
        if not ends and not one_paragraph:
            paragraphs.append([])
        paragraphs[-1].append(list(zip(words, blanks, strict=True)))
        if not ends and not one_paragraph:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _read_conllu(path):
    """Paragraphs of a CoNLL-U file, as `_read_columns` returns them."""
    paragraphs = [[]]
    for block in Path(path).read_text("utf-8").split("\n\n"):
        lines = block.split("\n")
        if any(line.startswith(("# newdoc", "# newpar")) for line in lines):
            paragraphs.append([])
        sentence, inside = [], 0
        for line in lines:
            if not line or line.startswith("#"):
                continue
            number, word, *_, misc = line.split("\t")
            if "." in number or ("-" not in number and int(number) <= inside):
                continue
            if "-" in number:
                inside = int(number.split("-")[1])
            sentence.append((word, "SpaceAfter=No" not in misc))
        if sentence:
            paragraphs[-1].append(sentence)
    return [paragraph for paragraph in paragraphs if paragraph]


def read_paragraphs(path, one_paragraph=False):
    """Paragraphs of a treebank: lists of sentences, which are lists of (word, blank behind it)."""
    if str(path).endswith(".conllu"):
        return _read_conllu(path)
    return _read_columns(path, one_paragraph)


def raw_text(paragraphs):
    """The text of paragraphs: a line for each, with an empty one behind it; a str."""
    lines = (
        "".join(word + " " * blank for sentence in paragraph for word, blank in sentence)
        for paragraph in paragraphs
    )
    return "".join(f"{line.rstrip()}\n\n" for line in lines)


def spans(pieces):
    """Places of `pieces`, a list of str, in the text they make up without its white space."""
    ends = np.cumsum([0, *(len("".join(piece.split())) for piece in pieces)])
    return list(pairwise(ends.tolist()))


def f1(gold, found):
    """F1, in percent, of spans: two lists of (begin, end)."""
    return 200 * len(set(gold) & set(found)) / max(len(gold) + len(found), 1)


def tokenizer(kind, train=None):
    """A Tokenizer of a kind, without a dictionary; train: CoNLL-U that its splitter learns from."""
    words = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
    words.longest = 1
    splitter = train and Tokenizer(words, kind).learn_sentences(read_paragraphs_of(train))
    return Tokenizer(words, kind, splitter=splitter)


def tokenize(kind, text, train=None):
    """Sentences that a tokenizer finds in `text`: lists of str."""
    tokens = tokenizer(kind, train)
    found = tokens.split_sentences(tokens.lines(text.encode()))
    words = [found.text(t) for t in range(len(found))]
    return [words[a:b] for a, b in pairwise(found.starts.tolist())]


def _udpipe(path, text):
    """Sentences that a model of UDPipe 1 finds: lists of str."""
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


def _flat(sentences):
    return [word for sentence in sentences for word in sentence]


def _errors(gold, found, n):
    """The most frequent differences: (gold tokens, found tokens) and how often."""
    g, f = spans(gold), spans(found)
    common = {end for _, end in g} & {end for _, end in f}
    counts = Counter()

    def groups(words, places):
        group = []
        for word, (_, end) in zip(words, places, strict=True):
            group.append(word)
            if end in common:
                yield " ".join(group)
                group = []

    for pair in zip(groups(gold, g), groups(found, f), strict=True):
        counts[pair] += pair[0] != pair[1]
    return [(pair, count) for pair, count in counts.most_common(n) if count]


def _report(name, gold, found, n_errors):
    tokens, words = _flat(gold), _flat(found)
    sentences = [f1(spans(map("".join, gold)), spans(map("".join, found)))]
    print(
        f"{name:40} tokens {f1(spans(tokens), spans(words)):6.2f}   sentences {sentences[0]:6.2f}"
    )
    for (right, wrong), count in _errors(tokens, words, n_errors):
        print(f"  {count:4}  {right}   found: {wrong}")
    if n_errors:
        _report_ends("split", found, gold)
        _report_ends("joined", gold, found)


def _report_ends(name, sentences, others):
    """Print the ends of sentences that are no ends of the others."""
    ends = {end for _, end in spans(map("".join, others))}
    places = spans(map("".join, sentences))
    for (_, end), (sentence, follower) in zip(places, pairwise([*sentences, []]), strict=True):
        if end not in ends:
            print(f"  {name}:", " ".join(sentence[-4:]), "|", " ".join(follower[:4]))


def _speed(kind, text, train=None):
    """Tokens a second, of the best of five runs, and sentences found on top of them."""
    data, tool = text.encode(), tokenizer(kind, train)
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
    print(f"{kind:40} {rates[0]:,.0f} tokens/s, {rates[1]:,.0f} with sentences")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tokenizer", help="kind of tokenizer, as a model names it")
    parser.add_argument("treebanks", nargs="+", metavar="FILE", help="CoNLL-U, or columns")
    parser.add_argument("--one-paragraph", action="store_true")
    parser.add_argument("--train", metavar="FILE", help="CoNLL-U to learn sentences from")
    parser.add_argument("--udpipe", metavar="MODEL", help="measure a model of UDPipe 1 as well")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="print N differences")
    parser.add_argument("--speed", action="store_true", help="tokens a second")
    options = parser.parse_args()
    for path in options.treebanks:
        paragraphs = read_paragraphs(path, options.one_paragraph)
        gold = [[word for word, _ in sentence] for part in paragraphs for sentence in part]
        text = raw_text(paragraphs)
        name = "/".join(Path(path).parts[-2:])
        found = tokenize(options.tokenizer, text, options.train)
        _report(f"{name}, {options.tokenizer}", gold, found, options.errors)
        if options.udpipe:
            _report(f"{name}, UDPipe", gold, _udpipe(options.udpipe, text), options.errors)
        if options.speed:
            _speed(options.tokenizer, text, options.train)


if __name__ == "__main__":
    main()
