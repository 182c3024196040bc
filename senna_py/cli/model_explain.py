"""Which words the max layer of a sentence network listens to, for `senna-model explain`."""

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.networks.sentence import SentenceNetwork
from senna_py.tagger import Tagger

__all__ = ["draw_units", "explain", "unit_lines"]

_WORD_WIDTH = 15


def explain(model, task, text, word=None):
    """Words of a sentence, and columns of units of the max layer that listen to each.

    model: a Model; word: the word that is labelled, None for the mean over all. Returns the list of
    words and {predicate, or the task: float64[n_words]}. Raises SennaError if the network has no
    max layer or the sentence no such word or no predicate.
    """
    if task not in model.storage.networks:
        has = ", ".join(model.storage.networks)
        raise SennaError(f"{model.path}: has no network {task}; it has {has}")
    network = model.storage.network(task)
    if not isinstance(network, SentenceNetwork):
        raise SennaError(
            f"{model.path}: the network {task} has no max layer: its approach is {network.kind}"
        )
    tagger = Tagger(model, [task])
    tokens = tagger.tokenizer.texts([text])
    if not len(tokens):
        raise UsageError("expected a sentence, found no word")
    if tagger.longest_sentence:
        tokens = tokens.cut(tagger.longest_sentence).sentences(0, 1)
    words = [tokens.text(i) for i in range(len(tokens))]
    if word is not None and word not in words:
        raise UsageError(f"the sentence has no word {word!r}; it has {', '.join(words)}")
    network, index, found = tagger.inputs_of(task, tokens)
    if not network.has_predicates:
        (counts,) = network.heard(index, tokens.starts)
        return words, {task: _of_word(counts, words, word)}
    places = found.roles.predicate
    if not len(places):
        raise SennaError(f"{model.path}: found no predicate in the sentence")
    heard = network.heard(index, tokens.starts, np.zeros(len(places), np.int32), places)
    columns = {}
    for place, counts in zip(places.tolist(), heard, strict=True):
        name = words[place] if words.count(words[place]) == 1 else f"{words[place]} ({place + 1})"
        columns[name] = _of_word(counts, words, word)
    return words, columns


def _of_word(counts, words, word):
    return counts.mean(axis=0) if word is None else counts[words.index(word)].astype(np.float64)


def unit_lines(words, columns):
    """Lines with a row for each word and a column for each predicate, below its name."""
    width = max(10, *map(len, columns))
    lines = ["\t".join([" " * _WORD_WIDTH, *(name.rjust(width) for name in columns)])]
    for word, *units in zip(words, *columns.values(), strict=True):
        cells = (f"{each:{width}.1f}".removesuffix(".0").rjust(width) for each in units)
        lines.append("\t".join([word.rjust(_WORD_WIDTH), *cells]))
    return lines


def draw_units(words, columns, path):
    """Draw bars as Figure 3 of the paper has them, one picture below the other; needs matplotlib.

    Raises SennaError if it cannot be written.
    """
    from senna_py.io.pictures import new_figure, save_figure

    figure = new_figure()
    figure.set_size_inches(max(6, 0.4 * len(words)), 2.2 * len(columns) + 1)
    all_axes = figure.subplots(len(columns), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (name, units) in zip(all_axes, columns.items(), strict=True):
        axes.bar(range(len(words)), units)
        axes.set_ylabel("units")
        axes.set_title(name, loc="left", fontsize="medium", parse_math=False)
    axes.set_xticks(range(len(words)))
    axes.set_xticklabels(words, rotation=90, parse_math=False)
    save_figure(figure, path)
