"""The labels of the networks of a run, and notes about them for the user."""

from collections.abc import Mapping

from senna_py.errors import SennaError, SettingError, counted
from senna_py.io.file_errors import prefix_errors
from senna_py.labels.tasks import TOKENS
from senna_py.networks.checks import MOST_TAGS
from senna_py.networks.tags import MOST_WITH_TRANSITIONS
from senna_py.tagging.config import Config
from senna_py.tagging.initial import InitialNetwork
from senna_py.tagging.sentences import Sentences
from senna_py.tagging.targets.base import Learner
from senna_py.text.vocabulary import LONGEST_LABEL

_SHOWN = 5  # The maximum number of labels in a note.


def find_keys(config: Config, name: str, learner: Learner, train: Sentences) -> None:
    """Set the keys of a learner to the labels in the training data.

    Args:
        config: The configuration of the run.
        name: The name of the task.
        learner: The learner of the task.
        train: The training data.

    Raises:
        SennaError: If there is nothing to learn, there are too many labels, or a label
            is too long for a model.
    """
    files = ", ".join(file for data in config.train for file in data.files)
    gold = train.gold[name]
    with prefix_errors(files):
        learner.find_keys(gold, config.training.min_label_count)
    if learner.has_nothing(gold):
        raise SennaError(
            f"{files}: every word has the label O: there is no {name} to learn"
        )
    n_keys = len(learner.keys)
    if n_keys > MOST_TAGS:  # Checked before the transition matrix is allocated.
        raise SennaError(f"{files}: {n_keys:,} labels; the limit is {MOST_TAGS:,}")
    by_transitions = config.plans[name].criterion == "sentence" and learner.chooses
    if by_transitions and n_keys > MOST_WITH_TRANSITIONS:
        raise SennaError(
            f"{files}: {n_keys:,} labels of {name}; a network that scores which label "
            f"follows which may have {MOST_WITH_TRANSITIONS:,}, one with "
            f'criterion = "word" {MOST_TAGS:,}'
        )
    if any(len(key.encode()) > LONGEST_LABEL for key in learner.keys):
        _refuse_long_labels(name, learner, train)


def _refuse_long_labels(name: str, learner: Learner, train: Sentences) -> None:
    """Raise a SennaError that names the file and line of a label that is too long."""
    keys = learner.keys
    learner.take_keys([key for key in keys if len(key.encode()) <= LONGEST_LABEL])
    unknown = learner.unknown(train.gold[name])
    learner.take_keys(keys)
    for label, token in unknown:
        raise SennaError(
            f"{train.place_of(name, token)}: a label of {len(label.encode()):,} bytes, "
            f"of which it may have {LONGEST_LABEL:,}"
        )


def take_initial_keys(
    config: Config,
    learner: Learner,
    initial: InitialNetwork,
    label_sets: Mapping[str, list[str]],
) -> list[str]:
    """Use the keys of a learner's initial network, followed by the new ones.

    If the network is that of another task and lacks keys, the learner keeps its own.

    Args:
        config: The configuration of the run.
        learner: The learner, with keys from the training data.
        initial: The trained network to start from.
        label_sets: The labels of each network of the cascade, by its name.

    Returns:
        A list with a note for the user if the network lacks labels; otherwise empty.

    Raises:
        SettingError: If the network was trained with other labels of the cascade.
    """
    initial.check_labels(label_sets)
    new = sorted(learner.missing_from(initial.keys))
    if not new:
        learner.take_keys(initial.keys)
        return []
    text = ", ".join(new[:_SHOWN])
    if len(new) > _SHOWN:
        text += f" and {len(new) - _SHOWN} more"
    note = f"{config.network.init} does not know {text}"
    if learner.head != "words" or learner.task.name != initial.part.name:
        return [f"{note}: the output layer is new"]
    known = {*initial.keys}
    added = [key for key in learner.keys if key not in known]
    learner.take_keys([*initial.keys, *added])
    return [f"{note}: new labels are added to its output layer"]


def knows_all_labels(
    learners: Mapping[str, Learner], initial: Mapping[str, InitialNetwork]
) -> bool:
    """Return whether all networks start from trained networks with the same labels."""
    return bool(initial) and all(
        name in initial and [*learner.keys] == initial[name].keys
        for name, learner in learners.items()
    )


def notes_on_keeping(config: Config, tunes: bool) -> list[str]:
    """Return a note that fine-tuning forgets, unless `network.keep` is set.

    Args:
        config: The configuration, with `network.init`.
        tunes: Whether the networks keep their labels; see `knows_all_labels`.

    Returns:
        A list of lines for the user, which may be empty.

    Raises:
        SettingError: If `network.keep` is set, but the labels are not the same.
    """
    init, keep = config.network.init, config.network.keep
    if tunes and not keep:
        return [
            f"what {init} learned from other text is partly forgotten; "
            "network.keep=0.3 keeps more of it"
        ]
    if keep and not tunes:
        raise SettingError(
            f"network.keep: {init} does not know all labels, and new ones have no old weights"
        )
    return []


def notes_on_labels(
    learners: Mapping[str, Learner], train: Sentences, dev: Sentences
) -> list[str]:
    """Return lines on the size of the data, and on dev labels missing in training."""
    notes = []
    for name, learner in learners.items():
        to_train, to_score = train.gold[name], dev.gold[name]
        sequence, item = "sentence", "token"
        if name == TOKENS:
            sequence, item = "paragraph", "unit"
        notes.append(
            f"{name}: {counted(len(to_train.labeled), sequence)}, "
            f"{counted(to_train.n_tokens, item)} to train on, "
            f"{len(to_score.labeled):,} and {to_score.n_tokens:,} in dev, "
            f"{counted(len(learner.keys), 'label')}"
        )
        if learner.has_nothing(to_score):
            notes.append(f"{name}: every word of dev has the label O: its F1 will be 0")
        notes += _notes_on_unknown_labels(name, learner, dev)
    return notes


def _notes_on_unknown_labels(name: str, learner: Learner, dev: Sentences) -> list[str]:
    first: dict[str, int] = {}
    for label, token in learner.unknown(dev.gold[name]):
        first.setdefault(label, token)
    notes = [
        f"{dev.place_of(name, token)}: dev has the label {label}, which the network "
        "will never give"
        for label, token in sorted(first.items())[:_SHOWN]
    ]
    if len(first) > _SHOWN:
        notes.append(f"and {len(first) - _SHOWN} more such labels")
    return notes
