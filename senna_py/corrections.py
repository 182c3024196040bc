"""Corrections of a network's labels by rules: for features, values, signs and marks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from senna_py.answers.layer import Layer
from senna_py.labels.tasks import FEATS, UPOS, VALUES
from senna_py.text.marks import MarkRule
from senna_py.text.signs import SignRule, sign_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.features.protocol import Batch
    from senna_py.labels.features import FeatureRules
    from senna_py.models.storage import Storage
    from senna_py.text.values import ValueRules


class Correction(Protocol):
    """A function that corrects the layer of a network. Threads may share it."""

    def __call__(self, layer: Layer, batch: Batch) -> Layer:
        """Return the corrected layer of a batch, which may be `layer` itself.

        Args:
            layer: The layer that the network predicted, which does not change.
            batch: The batch, with the layers of the networks that ran before.
        """
        ...


def find_corrections(
    storage: Storage,
    networks: Iterable[str],
    tasks: Iterable[str],
    feature_rules: FeatureRules | None,
    marks: MarkRule | None,
) -> dict[str, list[Correction]]:
    """Return the corrections of each network by name, in the order of their use.

    Args:
        storage: The file or directory of the model.
        networks: The names of the networks that run.
        tasks: The requested tasks. Values are corrected only if they are among them.
        feature_rules: The rules for morphological features, or None.
        marks: The rule for universal parts of speech of punctuation, or None.
    """
    corrections: dict[str, list[Correction]] = {name: [] for name in networks}
    if feature_rules is not None:
        corrections[FEATS].append(partial(_correct_features, feature_rules))
    if VALUES in tasks and (value_rules := _value_rules(storage)) is not None:
        corrections[VALUES].append(partial(_correct_values, value_rules))
    for name, of_network in corrections.items():
        if (signs := sign_rule(name, storage.labels(name).names)) is not None:
            of_network.append(partial(_correct_by_form, signs))
    if marks is not None:
        corrections[UPOS].append(partial(_correct_by_form, marks))
    return corrections


def _value_rules(storage: Storage) -> ValueRules | None:
    from senna_py.text.values import value_rules  # noqa: PLC0415 - few ask for values

    language = storage.info.get("language")
    return value_rules(language, storage.labels(VALUES).names) if language else None


def _correct_features(rules: FeatureRules, layer: Layer, batch: Batch) -> Layer:
    upos = batch.layers[UPOS].label
    return layer.with_labels(rules.apply(layer.label, upos, batch.tokens))


def _correct_values(rules: ValueRules, layer: Layer, batch: Batch) -> Layer:
    if layer.tags is None:
        return layer
    tags, decided = rules.apply(batch.tokens, layer.tags.tag)
    return Layer.from_tags(layer.task, layer.tags.decided(tags, decided))


def _correct_by_form(rule: SignRule | MarkRule, layer: Layer, batch: Batch) -> Layer:
    labels = layer.of_tokens(len(batch.tokens))
    return layer.with_labels(rule.apply(labels, batch.tokens))
