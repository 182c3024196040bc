import importlib
import inspect
import pkgutil

from senna_py import layers
from senna_py.layers.protocol import Layer

# What tags and holds arrays, but is not trained.
TAGGING = {
    "Constraints",
    "Decoder",
    "PackedLinear",
    "Transitions",
    "TrainingPass",
    "InferencePass",
    "Int8Weight",
    "WindowLayer",
    "ProductCache",
}
HELPERS = {
    "Array",
    "Layer",
    "ByteColumns",
    "ByteRows",
    "ChangedTable",
    "Gradients",
    "MpiGroup",
    "PathScores",
    "Weighted",
}


def test_every_layer_has_the_protocol():
    found = set()
    for module in pkgutil.iter_modules(layers.__path__):
        loaded = importlib.import_module(f"{layers.__name__}.{module.name}")
        for name, cls in inspect.getmembers(loaded, inspect.isclass):
            is_its_own = cls.__module__ == loaded.__name__ and not name.startswith("_")
            if is_its_own and name not in TAGGING | HELPERS:
                assert issubclass(cls, Layer), name
                assert (
                    Layer.forward is not cls.forward
                    and Layer.backward is not cls.backward
                )
                found.add(name)
    expected = {
        "Linear",
        "Lookup",
        "WindowConvolution",
        "MaxOverTime",
        "HardTanh",
        "Dropout",
        "Highway",
        "LstmLayer",
        "Softmax",
        "ClassSoftmax",
        "SentenceLikelihood",
        "GatedBlock",
        "LayerNorm",
    }
    assert expected <= found
