"""The meanings of the labels of all tasks, from a table.

Dependency relations, their subtypes and morphological features are defined by Universal
Dependencies.
"""

from pathlib import Path

from senna_py.errors import UsageError
from senna_py.io.package_tables import read_table


def meanings() -> dict[str, dict[str, str]]:
    """Return the meanings of names as {category: {name: meaning}}.

    The categories are `label`, `prefix` (of a label, before its hyphen), `subtype` (of
    a relation, after its colon), `feature`, `layer` (of a feature, in brackets, as in
    `Number[psor]`), and the name of each feature, for its values.
    """
    return read_table(Path(__file__).with_suffix(".tsv"))


def explain(label: str) -> str:
    """Return the meaning of a label of any task.

    The label may have a prefix (`B-NP`) or a subtype (`nsubj:pass`), name several
    phrases (`S(VP`), or consist of features (`A=B|C=D`). Unknown subtypes, features and
    values stand for themselves.

    Raises:
        UsageError: If the label is not known.
        TypeError: If it is not a str.

    Example:
        >>> from senna_py import explain
        >>> explain("NNS"), explain("B-PER")
        ('noun, plural', 'first token of: person')
    """
    if not isinstance(label, str):
        raise TypeError(f"a label is a str, not {type(label).__name__}")
    known = meanings()["label"]
    if label in known:
        return known[label]
    if "=" in label:
        return ", ".join(map(_feature, label.split("|")))
    relation, _, subtype = label.partition(":")
    if relation.islower() and subtype and relation in known:
        return f"{known[relation]}: {meanings()['subtype'].get(subtype, subtype)}"
    prefix, _, rest = label.partition("-")
    if rest and prefix in meanings()["prefix"]:
        return f"{meanings()['prefix'][prefix]}: {explain(rest)}"
    phrases = [part for part in label.split("(") if part]
    if phrases and phrases != [label]:
        return ", over ".join(map(explain, phrases))
    advice = f"; did you mean {label.upper()}?" if label.upper() in known else ""
    raise UsageError(f"no such label: {label!r}{advice}")


def _feature(pair: str) -> str:
    """Return the meaning of a feature with its values, such as `Case=Acc,Nom`.

    Unknown names are not replaced.
    """
    name, _, values = pair.partition("=")
    name, _, layer = name.partition("[")
    meaning = meanings()["feature"].get(name, name)
    meaning_of_value = meanings()[name] if meaning != name else {}
    owner = f" {meanings()['layer'].get(layer[:-1], layer[:-1])}" if layer else ""
    listed = ", ".join(
        meaning_of_value.get(value, value) for value in values.split(",")
    )
    return f"{meaning}{owner}: {listed}"
