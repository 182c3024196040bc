"""The networks of taggers: one line each."""

from senna_py.networks.dilated import DilatedNetwork
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork

__all__ = ["APPROACHES", "NETWORKS"]

NETWORKS = {cls.kind: cls for cls in (WindowNetwork, SentenceNetwork, TreeNetwork, DilatedNetwork)}
APPROACHES = {kind: cls for kind, cls in NETWORKS.items() if cls.settings}  # of senna-train
