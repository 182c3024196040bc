"""Small language models of every kind with random weights, for tests."""

import numpy as np

KINDS = (
    "ngram",
    "interpolated",
    "classes",
    "nplm-direct",
    "nplm-classed",
    "nplm-energy",
    "mixture",
    "char",
    "word",
    "clusters",
    "morph",
)
_WORDS = ["a", "b", "c", "d", "e", "the", "in", "he", "x", "y"]


def language_models(directory):
    """Write a small language model of all KINDS, and `spelled`; returns them by their
    Paths.
    """
    from senna_py.lm.lstm.model import LstmModel
    from senna_py.lm.lstm.network import new_network as new_lstm
    from senna_py.lm.mixture import learn_mixture
    from senna_py.lm.ngram.classes import train_class_model
    from senna_py.lm.ngram.interpolated import train_interpolated
    from senna_py.lm.ngram.kneser_ney import train_kneser_ney
    from senna_py.lm.word_list import OpenWordList, WordList

    directory.mkdir(parents=True, exist_ok=True)
    words = WordList.of_words(_WORDS, True)
    train = np.array(
        [1, 3, 4, 5, 2, 1, 3, 4, 2, 1, 6, 0, 3, 2, 1, 7, 8, 9, 2] * 3, np.int32
    )
    classes = {word.encode(): b"%d" % (i % 3) for i, word in enumerate(_WORDS)}
    models = {
        "ngram": train_kneser_ney(train, 3, words),
        "interpolated": train_interpolated(train, train[:20], 3, words),
        "classes": train_class_model(train, train[:20], 3, words, classes),
    }
    rng, named = (
        np.random.default_rng(0),
        WordList(["<unk>", "<s>", "</s>", *_WORDS], None, True),
    )
    for name, shape, parts in _lstms(named.words):
        network = new_lstm(shape, parts, 0.7, rng)
        models[name] = LstmModel(shape, parts, network, named, {})
    models["spelled"] = LstmModel(shape, parts, network, OpenWordList(named), {})
    models |= _nplms(named, rng)
    parts = {
        str(directory / f"{name}.lm"): models[name]
        for name in ("ngram", "interpolated")
    }
    models["mixture"] = learn_mixture(
        list(parts.values()), list(parts), "learned", lambda _: train[:20]
    )
    for name, model in models.items():
        model.write(
            directory / f"{name}.lm", **({"half": True} if name == "spelled" else {})
        )
    return {directory / f"{name}.lm": models[name] for name in sorted(models)}


def _lstms(words):
    from senna_py.lm.lstm.lexicon import Alphabet, Lexicon, Morphemes
    from senna_py.lm.lstm.settings import LstmShape

    n = len(words)
    cluster = np.arange(n, dtype=np.int32) % 3
    starts = np.array([0, 2, 3, *[3] * (n - 2)], np.int32)
    morphemes = Morphemes(["s", "look"], np.array([0, 1, 0], np.int32), starts)
    char = {"char_dim": 2, "widths": 3, "filters": 1, "most_filters": 3, "hidden": 3}
    yield "word", LstmShape(input="word", dim=4, hidden=3), Lexicon(words, None)
    yield (
        "morph",
        LstmShape(input="morph", dim=4, hidden=3),
        Lexicon(words, None, morphemes),
    )
    yield (
        "char",
        LstmShape(input="char", **char),
        Lexicon(words, Alphabet.of_words(words)),
    )
    shape = LstmShape(input="char", output="clusters", **char)
    yield "clusters", shape, Lexicon(words, Alphabet.of_words(words), None, cluster)


def _nplms(words, rng):
    from senna_py.lm.nplm.build import new_network
    from senna_py.lm.nplm.model import NeuralModel, Unseen
    from senna_py.lm.nplm.settings import NplmShape

    counts, shapes = (
        np.arange(len(words)),
        {
            "direct": NplmShape(4, 3, 5, True),
            "classed": NplmShape(3, 3, 4, True, "classes"),
            "energy": NplmShape(3, 3, 4, False, "energy"),
        },
    )
    for name, shape in shapes.items():
        word_class = counts.astype(np.int32) % 3 if shape.output == "classes" else None
        network = new_network(shape, counts, rng, word_class)
        for array in network.parameters().values():
            array[...] = 3 * array  # so that they matter
        unseen = Unseen(np.array([0], np.int32), 0.01, len(words))
        yield f"nplm-{name}", NeuralModel(shape, network, unseen, words, {})
