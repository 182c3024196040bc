"""Columns of single features, for tests."""

from senna_py.features.protocol import Batch
from senna_py.features.registry import find_feature


def feature_column(name, tokens, vocabulary=None, resource=None):
    """What the feature `name` is for Tokens."""
    return find_feature(name).column(vocabulary, resource)(Batch(tokens))
