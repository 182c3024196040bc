"""What labels mean: of words, phrases, chunks, names and values, roles, dependencies,
features.

Relations, their subtypes and features are those of Universal Dependencies.
"""

from pathlib import Path

from senna_py.errors import UsageError
from senna_py.io.files import read_table


def meanings() -> dict[str, dict[str, str]]:
    """What names mean, by what they name.

    `label`, `prefix` (before a hyphen), `subtype` (of a relation, behind its colon),
    `feature` (the universal ones), its `layer` (as in `Number[psor]`), or else the
    feature that they are of.
    """
    return read_table(Path(__file__).with_suffix(".tsv"))


def explain(label: str) -> str:
    """What a label means, also with a prefix (`B-NP`), of phrases (`S(VP`) or features
    (`A=B|C=D`).

    Raises:
        UsageError: If the label is not known.
    """
    if not isinstance(label, str):
        raise TypeError(f"a label is a str, not {type(label).__name__}")
    known = meanings()["label"]
    if label in known:
        return known[label]
    if "=" in label:  # features of Universal Dependencies
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
    """What a feature means; one that is not known is given as it is."""
    name, _, given = pair.partition("=")
    name, _, layer = name.partition("[")
    said = meanings()["feature"].get(name, name)
    values = meanings()[name] if said != name else {}
    owner = f" {meanings()['layer'].get(layer[:-1], layer[:-1])}" if layer else ""
    return f"{said}{owner}: {', '.join(values.get(value, value) for value in given.split(','))}"
