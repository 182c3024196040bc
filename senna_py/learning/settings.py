"""The settings of learning, which depend on the size of the data."""

from typing import Any, NamedTuple

BATCH = 16  # sentences per update
_REHEARSAL_WEIGHT = 1.0
_KEEP = 0.3


class Limits(NamedTuple):
    """The learning rate, the number of updates, and limits of the number of epochs."""

    rate: float
    updates: int
    fewest: int
    most: int


_KNOWN = Limits(0.001, 250, 10, 20)  # The network knows all labels.
_NEW = Limits(0.001, 1000, 15, 60)  # It has new ones.


def training_settings(n_sentences: int, has_new: bool, seed: int) -> dict[str, Any]:
    """Return the table `[training]` of a training.

    Args:
        n_sentences: The number of sentences to learn from, without rehearsal.
        has_new: Whether there are labels that the network does not know.
        seed: The random seed.
    """
    limits = _NEW if has_new else _KNOWN
    batches = -(-max(n_sentences, 1) // BATCH)
    epochs = min(max(limits.updates // batches, limits.fewest), limits.most)
    return {"rate": limits.rate, "epochs": epochs, "batch": BATCH, "seed": seed}


def share_to_keep(has_new: bool) -> float:
    """Return the weight of the old parameters in their mean with the learned ones.

    Args:
        has_new: Whether there are tags that the network does not know. Their parameters
            have no old values, so the mean is not taken.
    """
    return 0.0 if has_new else _KEEP


def rehearsal_weight() -> float:
    """Return the weight of the cost of a sentence of the rehearsal."""
    return _REHEARSAL_WEIGHT
