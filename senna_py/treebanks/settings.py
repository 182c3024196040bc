"""The settings for training on a treebank: `settings.toml`, which a user may change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting
from senna_py.io.toml import parse_setting, read_toml
from senna_py.tagging.config import override

_MOST_NETWORKS = 100
_FILE = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True)
class TextSettings(Settings):
    """The settings for word vectors and word classes.

    Attributes:
        min_count: The minimum number of occurrences of a word in the dictionary. It is
            1 if the text has less than 8 kB.
        dim: The size of the word vectors.
        passes: The number of passes over the text.
        clusters: The number of word classes.
    """

    min_count: int = setting(least=1)
    dim: int = setting(least=1, most=1024)
    passes: float = setting(above=0, most=1e6)
    clusters: int = setting(least=1)


@dataclass(frozen=True)
class EpochSettings(Settings):
    """The settings for the number of epochs of the network of words and trees.

    Attributes:
        words: The approximate number of words in all epochs together.
        least: The minimum number of epochs.
        most: The maximum number of epochs.
    """

    words: int = setting(least=1)
    least: int = setting(least=1)
    most: int = setting(least=1)

    def epochs(self, n_words: int) -> int:
        """Return the number of epochs for training data of `n_words` words."""
        return max(min(self.words // n_words, self.most), self.least)


@dataclass(frozen=True)
class TreebankSettings(Settings):
    """The settings for training on a treebank.

    Attributes:
        tokens: The tables of the configuration of the learned tokenizer.
        text: The settings for word vectors and word classes.
        epochs: The settings for the number of epochs.
        words: The tables of the configuration of the network of words and trees.
        entities: The tables of the configuration of the networks of entities, and the
            number of these networks under the key `networks`.
    """

    tokens: dict = setting()
    text: TextSettings = setting()
    epochs: EpochSettings = setting()
    words: dict = setting()
    entities: dict = setting()

    def check(self) -> None:
        networks = self.entities["networks"]
        if type(networks) is not int or not 1 <= networks <= _MOST_NETWORKS:
            raise UsageError(
                f"entities.networks: expected 1 to {_MOST_NETWORKS}, found {networks!r}"
            )


def read_settings(
    changes: Iterable[str] = (), seed: int | None = None
) -> TreebankSettings:
    """Return the settings of `settings.toml` with changes.

    Args:
        changes: Settings such as `training.rate=0.1`. They belong to the table `words`
            unless they begin with the name of a table, as in `text.dim=96`.
        seed: The random seed of the networks, or None for the seeds of `settings.toml`.

    Raises:
        UsageError: If a change does not have the form of a setting.
        SennaError: If a value is not allowed. The message names the setting.
    """
    values: dict[str, Any] = read_toml(_FILE)
    if seed is not None:
        for name in ("tokens", "words", "entities"):
            override(values[name], {"training": {"seed": seed}})
    for change in changes:
        parsed: Mapping[str, Any] = parse_setting(change)
        if not {*parsed} <= {*values}:
            parsed = {"words": parsed}
        override(values, parsed)
    return TreebankSettings.of(values)
