r"""Count the units of a max layer by the words that they select (Figure 3).

    senna-train recipes/paper/joint/srl.toml CORPORA runs/srl --vectors VECTORS
    senna-model build roles.safetensors runs/srl models/en:vbs,pos,psg
    python recipes/paper/max_layer.py roles.safetensors \
        "The company said it would report earnings in London on Thursday" \
        --word Thursday --plot max-layer.png

The script prints a column for each predicate, which the network vbs finds, or one
column for a network for words. The network must have the sentence approach. A unit of
the convolution selects the word at which it has its maximum over the sentence. Without
--word, the figures are means over all labeled words.
"""

import argparse

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch
from senna_py.layers.distance import DistanceConvolution
from senna_py.model import Model
from senna_py.networks.batch import WordBatch
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.trunk import Trunk
from senna_py.tagger import Tagger
from senna_py.training.plots import check_plotting, new_figure, save_figure

_WORD_WIDTH = 15


def explain(model, task, text, word=None):
    """Count for each word of a sentence the units of the max layer that select it.

    Args:
        model: A Model.
        task: The task.
        text: The sentence.
        word: The labeled word, or None for the mean over all words.

    Returns:
        The list of words, and {predicate, or the task: float64[n_words]}.

    Raises:
        SennaError: If the network has no max layer, or the sentence does not have the word
            or a predicate.
    """
    network = model.storage.network(task) if task in model.storage.networks else None
    if not isinstance(network, SentenceNetwork):
        raise SennaError(f"{model.path}: no network {task} of the sentence approach")
    tagger = Tagger(model, [task])
    tokens = tagger.tokenizer.texts([text])
    if not len(tokens):
        raise SennaError("the sentence has no word")
    if tagger.longest_sentence:
        tokens = tokens.cut(tagger.longest_sentence).sentences(0, 1)
    words = [tokens.text(i) for i in range(len(tokens))]
    if word not in (None, *words):
        raise SennaError(f"the sentence has no word {word}; it has {', '.join(words)}")
    layers = tagger.annotate(tokens).layers
    batch = Batch(tokens, layers)
    index = Assembly.of_network(model.storage, task)(batch)
    states = Trunk({task: network}).states(WordBatch(index, tokens.starts))[task]
    if network.labels == "words":
        return words, {task: _of_word(units_by_word(network, states), words, word)}
    if not len(layers[task].anchors):
        raise SennaError(f"{model.path}: found no predicate in the sentence")
    columns = {}
    for place in layers[task].anchors.tolist():
        name = (
            words[place]
            if words.count(words[place]) == 1
            else f"{words[place]} ({place + 1})"
        )
        columns[name] = _of_word(units_by_word(network, states, place), words, word)
    return words, columns


def units_by_word(network, states, predicate=None):
    """Return the units whose value comes from each word: int64[n_words, n_words].

    A row is for a labeled word. `states` is float32[n_words, n_conv], the convolution
    without distances; `predicate` is the place of the predicate.
    """
    n, values = len(states), states
    if predicate is not None:
        table, weight = network.verb_distances, network.verb_distance_weight
        values = values + _of_distances(table, weight, n, predicate)
    table, weight = network.word_distances, network.word_distance_weight
    found = (values + _of_distances(table, weight, n, place) for place in range(n))
    return np.stack([np.bincount(each.argmax(axis=0), minlength=n) for each in found])


def _of_distances(table, weight, n_words, place):
    """Return what distances to a place add to the convolution, float32[n_words, n]."""
    parts, _ = DistanceConvolution("distance", table, weight).forward(n_words)
    m = len(parts) // 2
    return parts[np.clip(np.arange(n_words) - place, -m, m) + m]


def _of_word(counts, words, word):
    return (
        counts.mean(axis=0)
        if word is None
        else counts[words.index(word)].astype(np.float64)
    )


def unit_lines(words, columns):
    """Return lines with a row for each word and a column for each predicate."""
    width = max(10, *map(len, columns))
    lines = ["\t".join([" " * _WORD_WIDTH, *(name.rjust(width) for name in columns)])]
    for word, *units in zip(words, *columns.values(), strict=True):
        cells = (f"{each:{width}.1f}".removesuffix(".0").rjust(width) for each in units)
        lines.append("\t".join([word.rjust(_WORD_WIDTH), *cells]))
    return lines


def draw_units(words, columns, path):
    """Draw bars as in the figure of the paper, one picture below the other."""
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


def main():
    """Print the columns, and perhaps draw them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("sentence")
    parser.add_argument("--task", default="srl", help="the network; default: srl")
    parser.add_argument(
        "--word", help="the word that is labeled; default: the mean over all"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="also draw bars; needs matplotlib"
    )
    options = parser.parse_args()
    try:
        if options.plot:
            check_plotting(options.plot)
        found = explain(
            Model(options.model), options.task, options.sentence, options.word
        )
        print("\n".join(unit_lines(*found)))
        if options.plot:
            draw_units(*found, options.plot)
    except SennaError as error:
        parser.exit(error.exit_code, f"{error}\n")


if __name__ == "__main__":
    main()
