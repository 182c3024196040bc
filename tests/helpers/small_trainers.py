"""Small runs of every trainer, for checkpoints that are damaged and for processes that
are killed.

`TRAINERS[name](directory)` makes what the runs of a trainer learn from, once, below a
Path that may be there already; it returns a function from the directory of a run to its
TrainingRun.
"""

import re
from unittest.mock import patch

_OF_TIME = re.compile("second|hour|speed")  # figures of the log


def _tagger(task="pos", network=(), training=(), **more):
    def prepare(directory):
        from tests.helpers.small_corpora import run, settings

        corpora = corpora_of(directory)
        config = settings(
            task,
            network=dict(network),
            training={"epochs": 4, **dict(training)},
            **more,
        )
        return lambda to: run(to, config, corpora).trainer()

    return prepare


def _joint(directory):
    """A run of three tasks with one network."""
    from senna_py.tagging.config import Config
    from tests.helpers.small_corpora import run, settings

    corpora = corpora_of(directory)
    values = settings(
        "pos", network=_DILATED, training={"epochs": 4, **_ADAM, **_DROPOUT}
    ).as_dict()
    del values["task"], values["kind"]
    config = Config.of(
        values | {"tasks": ["pos", "chk", "psg"], "heads": {"pos": {"after": 1}}}
    )
    return lambda to: run(to, config, corpora).trainer()


def corpora_of(directory):
    """Where train.tsv, dev.tsv and vectors.txt of all tasks are, which are written
    once.
    """
    from tests.helpers.small_corpora import write_corpora, write_vectors

    corpora = directory / "corpora"
    if not (corpora / "vectors.txt").exists():
        write_corpora(corpora, 40, 10)
        write_vectors(corpora / "vectors.txt")
    return corpora


def _text(directory):
    """Path of a text file of a small language."""
    from tests.helpers.small_language import paragraphs

    path = directory / "text.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text("\n".join(paragraphs()) + "\n")
    return path


def ranking_run(corpus, directory, **changes):
    """A run on a Corpus; changes: of the settings, as of the runs below."""
    from senna_py.lm.ranking.settings import RankingSettings
    from senna_py.lm.ranking.training import RankingTraining
    from senna_py.training.run import TrainingRun

    small = {
        "stages": ((12, 1), (20, 1)),
        "window": 5,
        "dim": 8,
        "hidden": 10,
        "examples": 60_000,
    }
    return TrainingRun(
        RankingTraining(corpus, RankingSettings(**small | changes)), directory
    )


def _ranking(directory):
    from senna_py.lm.text.corpus import is_corpus, open_corpus, prepare

    place = directory / "corpus"
    if not is_corpus(place):
        prepare([_text(directory)], place, processes=1)
    corpus = open_corpus(place)
    return lambda to: ranking_run(corpus, to)


def skipgram_run(forms, directory, weight=1.0, size=100, **changes):
    """A run on a Corpus of forms; weight: of its file; size: of the dictionary."""
    from senna_py.lm.skipgram.settings import SkipGramSettings
    from senna_py.lm.skipgram.training import SkipGramTraining
    from senna_py.lm.text.dictionary import dictionary_of
    from senna_py.training.run import TrainingRun

    small = {"dim": 8, "context": 2, "sample": 0.01, "rate": 0.1, "passes": 4.0}
    words, settings = (
        dictionary_of(forms, [weight], (), size),
        SkipGramSettings(**small | changes),
    )
    return TrainingRun(SkipGramTraining(forms, [weight], words, settings), directory)


def _skipgram(directory):
    from senna_py.lm.skipgram import training
    from senna_py.lm.text.corpus import Preparation, prepare

    forms = prepare([_text(directory)], directory / "forms", Preparation("form"), 1)

    def new(to):
        with patch.object(training, "_NOISE", 1 << 12):
            return skipgram_run(forms, to, passes=40.0)

    return new


def _clusters(directory):
    import numpy as np

    from senna_py.lm.brown.clustering import BrownClustering, Words
    from senna_py.training.run import TrainingRun

    stream = np.random.default_rng(0).integers(400, size=3000).astype(np.int32)
    words = Words([f"w{i}" for i in range(400)], np.bincount(stream), stream)
    return lambda to: TrainingRun(BrownClustering(words, 5), to)


def nplm_run(directory, text=None, group=None, **changes):
    """A run on Streams, which are those of `small_text` if None."""
    from senna_py.layers.process_group import ALONE
    from senna_py.lm.nplm.settings import NplmSettings
    from senna_py.lm.nplm.training import NplmTraining
    from senna_py.training.run import TrainingRun
    from tests.helpers.small_text import streams

    small = {
        "order": 3,
        "dim": 4,
        "hidden": 6,
        "batch": 16,
        "optimizer": "adagrad",
        "rate": 0.3,
        "decay": 0.0,
        "epochs": 3,
    }
    settings = NplmSettings(**small | changes)
    training = NplmTraining(text or streams(), settings, group=group or ALONE)
    return TrainingRun(training, directory)


def _nplm(**changes):
    return lambda directory: lambda to: nplm_run(to, epochs=5, **changes)


def lstm_run(directory, text=None, **changes):
    """A run on Streams, which are those of `small_text` if None.

    The small language needs larger weights than the published ones to be learned so
    soon.
    """
    import numpy as np

    from senna_py.lm.lstm.lexicon import Morphemes
    from senna_py.lm.lstm.settings import LstmSettings
    from senna_py.lm.lstm.training import LstmTraining
    from senna_py.training.run import TrainingRun
    from tests.helpers.small_text import streams

    small = {
        "dim": 8,
        "char_dim": 4,
        "widths": 3,
        "filters": 3,
        "hidden": 10,
        "steps": 6,
        "batch": 2,
        "spread": 0.5,
        "rate": 0.5,
        "least_gain": 0.0,
        "dropout": 0.1,
        "epochs": 4,
    }
    text, morphemes = text or streams(), None
    if changes.get("input") == "morph":
        starts = np.array([0, 2] + [3] * (len(text.word_list) - 1), np.int32)
        morphemes = Morphemes(["a", "b"], np.array([0, 1, 0], np.int32), starts)
        changes = {"segmentation": "given"} | changes
    settings = LstmSettings(**small | changes)
    return TrainingRun(LstmTraining(text, settings, morphemes=morphemes), directory)


def _lstm(**shape):
    return lambda directory: lambda to: lstm_run(to, **shape)


_DROPOUT = {"dropout": 0.1, "embedding_dropout": 0.2, "unknown": 0.1}
_DILATED = {"approach": "dilated", "width": 12, "dilations": [1, 2]}
_ADAM = {"optimizer": "adam", "rate": 0.01}
TRAINERS = {
    "sgd": _tagger("pos", training={"optimizer": "sgd", "rate": 0.05, "batch": 1}),
    "adagrad": _tagger("chk"),
    "adam": _tagger("ner", _DILATED, _ADAM | _DROPOUT),
    "srl": _tagger("srl"),
    "chart": _tagger("psg", {**_DILATED, "approach": "chart"}, _ADAM | _DROPOUT),
    "joint": _joint,
    "ranking": _ranking,
    "skipgram": _skipgram,
    "clusters": _clusters,
    "nplm": _nplm(direct=True, dropout=0.1),
    "nplm-energy": _nplm(output="energy", samples=5),
    "nplm-classes": _nplm(output="classes", classes=3),
    "char": _lstm(input="char"),
    "word": _lstm(input="word"),
    "word-clusters": _lstm(input="word", output="clusters"),
    "morph": _lstm(input="morph"),
}


def assert_same_run(run, other):
    """Check that two finished runs left the same checkpoint, model and log."""
    from senna_py.models.checkpoint import read_arrays
    from senna_py.training.log import read_log

    (header, arrays), (expected_header, expected) = (
        read_arrays(each.checkpoint) for each in (run, other)
    )
    assert arrays.keys() == expected.keys()
    for name, array in arrays.items():
        assert array.tobytes() == expected[name].tobytes(), name
    assert header["state"] == expected_header["state"]
    if run.trainable.model_file:
        models = [each.directory / run.trainable.model_file for each in (run, other)]
        assert models[0].read_bytes() == models[1].read_bytes()
    logs = [
        [{k: v for k, v in row.items() if not _OF_TIME.search(k)} for row in rows]
        for rows in (read_log(run.log), read_log(other.log))
    ]
    assert logs[0] == logs[1]
