"""Labels of networks for trees: as tags such as `B-S(VP`, and as brackets."""

from senna_py.labels.tree_levels import phrases_of_label

__all__ = ["brackets_of_keys", "keys_of_brackets", "keys_of_types"]


def keys_of_types(types):
    """The labels of types of constituents, a list of str: O, and B, I, E and S of each."""
    return ["O", *(f"{tag}-{label}" for label in types for tag in "BIES")]


def brackets_of_keys(keys):
    """Left-hand and right-hand brackets of each label, as models have them: two lists of str."""
    left, right = [], []
    for key in keys:
        tag, _, label = key.partition("-")
        left.append(f"({label}" if tag in ("B", "S") else "")
        right.append(")" * len(phrases_of_label(label)) if tag in ("E", "S") else "")
    return left, right


def keys_of_brackets(left):
    """The labels that have these left-hand brackets, a list of str; of four, the first counts."""
    return keys_of_types([bracket.removeprefix("(") for bracket in left[1::4]])
