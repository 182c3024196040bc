import importlib
import inspect
import pkgutil

from senna_py import layers
from senna_py.layers.cost import Cost
from senna_py.layers.protocol import Layer

# What tags and holds arrays, but is not trained.
TAGGING = {
    "Constraints",
    "Decoder",
    "PackedLinear",
    "Transitions",
    "ForwardPass",
    "TrainingPass",
    "InferencePass",
    "Int8Weight",
    "WindowLayer",
    "ProductCache",
    "LayerCache",
    "TableSums",
    "InputSums",
    "InputRows",
}
HELPERS = {
    "ArcScores",
    "Array",
    "Cost",
    "Layer",
    "ByteColumns",
    "ByteRows",
    "ChangedTable",
    "Gradients",
    "MpiGroup",
    "PathScores",
    "RoundedRows",
    "SpanScores",
    "WeightedGradients",
}


def test_every_layer_has_the_protocol():
    found = set()
    for module in pkgutil.iter_modules(layers.__path__):
        loaded = importlib.import_module(f"{layers.__name__}.{module.name}")
        for name, cls in inspect.getmembers(loaded, inspect.isclass):
            is_its_own = cls.__module__ == loaded.__name__ and not name.startswith("_")
            if is_its_own and name not in TAGGING | HELPERS:
                assert issubclass(cls, Layer | Cost), name
                assert cls.forward not in (Layer.forward, Cost.forward)
                assert cls.backward not in (Layer.backward, Cost.backward)
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
        "Biaffine",
        "ArcHead",
        "SpanHead",
    }
    assert expected <= found
