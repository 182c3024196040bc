"""The labels that the networks of a run give, and what there is to say about them."""

from collections.abc import Mapping

from senna_py.errors import SennaError, SettingError, counted
from senna_py.io.file_errors import prefix_errors
from senna_py.networks.checks import MOST_TAGS
from senna_py.networks.tags import MOST_WITH_TRANSITIONS
from senna_py.tagging.config import Config
from senna_py.tagging.data import Sentences
from senna_py.tagging.initial import InitialNetwork
from senna_py.tagging.kinds.base import Kind
from senna_py.text.vocabulary import LONGEST_LABEL

_SHOWN = 5  # labels in a note


def find_keys(config: Config, name: str, kind: Kind, train: Sentences) -> None:
    """Let a kind take the labels of a task in the training data as its keys.

    Raises:
        SennaError: There is nothing to learn, or no model can have such labels.
    """
    files = ", ".join(file for data in config.train for file in data.files)
    labels = [train.labels[name][i] for i in train.labeled(name)]
    with prefix_errors(files):
        kind.find_keys(labels, config.training.min_label_count)
    if kind.has_none(labels):
        raise SennaError(
            f"{files}: every word has the label O: there is no {name} to learn"
        )
    n_keys = len(kind.keys)
    if n_keys > MOST_TAGS:  # There is no matrix of their transitions yet.
        raise SennaError(f"{files}: {n_keys:,} labels; the limit is {MOST_TAGS:,}")
    by_transitions = config.plans[name].criterion == "sentence" and kind.labels in (
        "words",
        "roles",
    )
    if by_transitions and n_keys > MOST_WITH_TRANSITIONS:
        raise SennaError(
            f"{files}: {n_keys:,} labels of {name}; a network that scores which label "
            f"follows which may have {MOST_WITH_TRANSITIONS:,}, one with "
            f'criterion = "word" {MOST_TAGS:,}'
        )
    if any(len(key.encode()) > LONGEST_LABEL for key in kind.keys):
        _refuse_long_labels(name, kind, train)


def _refuse_long_labels(name: str, kind: Kind, train: Sentences) -> None:
    """Raise SennaError with the place of the first label that is too long."""
    keys = kind.keys
    kind.take_keys([key for key in keys if len(key.encode()) <= LONGEST_LABEL])
    for labels, (path, lines) in zip(train.labels[name], train.place, strict=True):
        for label, token in kind.unknown(labels) if labels is not None else ():
            raise SennaError(
                f"{path}: line {lines[token]}: a label of {len(label.encode()):,} "
                f"bytes, of which it may have {LONGEST_LABEL:,}"
            )
    kind.take_keys(keys)


def take_initial_keys(
    config: Config,
    kind: Kind,
    initial: InitialNetwork,
    label_sets: Mapping[str, list[str]],
) -> list[str]:
    """Let a kind take the keys of a trained network that has all of its own.

    Args:
        config: The configuration.
        kind: The kind.
        initial: The network that training begins with.
        label_sets: The labels that each network of the cascade gives.

    Returns:
        A note for the user if the network lacks labels.
    """
    initial.check_labels(label_sets)
    new = sorted(kind.lacking(initial.keys))
    if not new:
        kind.take_keys(initial.keys)
        return []
    text = ", ".join(new[:_SHOWN])
    if len(new) > _SHOWN:
        text += f" and {len(new) - _SHOWN} more"
    init = config.network.init
    return [f"{init} does not know {text}: the output layer is new"]


def knows_all_labels(
    kinds: Mapping[str, Kind], initial: Mapping[str, InitialNetwork]
) -> bool:
    """Return whether all networks begin as trained ones, and keep their labels."""
    return bool(initial) and all(
        name in initial and [*kind.keys] == initial[name].keys
        for name, kind in kinds.items()
    )


def notes_on_keeping(config: Config, tunes: bool) -> list[str]:
    """Say what a trained network forgets.

    Args:
        config: The configuration, with `network.init`.
        tunes: See `knows_all_labels`.

    Raises:
        SettingError: The network is to be kept, but has other labels.
    """
    init, keep = config.network.init, config.network.keep
    if tunes and not keep:
        return [
            f"what {init} learned from other text is partly forgotten; "
            "network.keep=0.3 keeps more of it"
        ]
    if keep and not tunes:
        raise SettingError(
            f"network.keep: {init} does not know all labels: the output layer is new"
        )
    return []


def notes_on_labels(
    kinds: Mapping[str, Kind], train: Sentences, dev: Sentences
) -> list[str]:
    """Say how much there is to learn, and which labels of dev no network will give."""
    notes = []
    for name, kind in kinds.items():
        if len(kinds) > 1:
            to_train = train.take(train.labeled(name))
            to_score = dev.take(dev.labeled(name))
        else:
            to_train, to_score = train, dev
        notes.append(
            f"{name}: {counted(len(to_train), 'sentence')}, "
            f"{counted(to_train.n_tokens, 'token')} to train on, "
            f"{len(to_score):,} and {to_score.n_tokens:,} in dev, "
            f"{counted(len(kind.keys), 'label')}"
        )
        if kind.has_none(to_score.labels[name]):
            notes.append(f"{name}: every word of dev has the label O: its F1 will be 0")
        notes += _notes_on_unknown_labels(name, kind, to_score)
    return notes


def _notes_on_unknown_labels(name: str, kind: Kind, dev: Sentences) -> list[str]:
    places: dict[str, str] = {}
    for labels, (path, lines) in zip(dev.labels[name], dev.place, strict=True):
        for label, token in kind.unknown(labels):
            places.setdefault(label, f"{path}: line {lines[token]}")
    notes = [
        f"{place}: dev has the label {label}, which the network will never give"
        for label, place in sorted(places.items())[:_SHOWN]
    ]
    if len(places) > _SHOWN:
        notes.append(f"and {len(places) - _SHOWN} more such labels")
    return notes
