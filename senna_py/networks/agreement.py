"""The layer of English features that agree with the dependency tree.

It needs no network of its own. The rules read the labels of `pos`, which models of other
languages need not have; see `labels/agreement.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.labels.agreement import Agreement, TaggedWords
from senna_py.labels.tasks import ARCS, FEATS, POS, UPOS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.text.tokens import Tokens


def agreeing(
    agreement: Agreement, layers: Mapping[str, Layer], tokens: Tokens
) -> Layer:
    """Return the layer of features, changed where they have to agree with the tree.

    The result is the layer of `layers` itself if nothing changes.

    Args:
        agreement: The rules of an English model.
        layers: The layers of the batch by task. They must include `pos`, `upos`,
            `feats` and `dep`.
        tokens: The tokens of the batch.
    """

    def forms(rows: NDArray[np.integer]) -> list[str]:
        return [form.decode("utf-8", "replace").lower() for form in tokens.texts(rows)]

    chosen = [layers[name] for name in (POS, UPOS, FEATS, ARCS)]
    tag, upos, feats, relation = (layer.label for layer in chosen)
    a, b, c, d = (layer.names for layer in chosen)
    head = layers[ARCS].anchor
    assert head is not None, "words have heads"
    words = TaggedWords(forms, tag, upos, feats, relation, (a, b, c, d), head)
    labels = agreement.apply(words)
    return chosen[2] if labels is feats else chosen[2].with_labels(labels)
