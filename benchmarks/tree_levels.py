"""How many trees of a corpus are the same after they were taken apart into levels and built again.

python benchmarks/tree_levels.py FILE...

FILE: bracketed trees, or columns of words, parts of speech and parse bits. Trees are compared
without traces and function tags, as they are learned. Beside the counts stand the number of levels
and of labels, and how many trees are another one after they were written as brackets.
"""

from collections import Counter

import click

from senna_py.corpora.brackets import format_tree, parse_tree
from senna_py.corpora.tree_files import read_tree_records
from senna_py.errors import SennaError
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tree_levels import levels_of_tree, tree_of_levels
from senna_py.labels.trees import bare_tree


def loss(tree, levels):
    """What is lost of a tree by its levels, or by writing it; None if nothing is."""
    try:
        if tree_of_levels(tree.leaves, levels) != tree:
            return "levels give another tree"
        if parse_tree(format_tree(tree)) != tree:
            return "brackets give another tree"
    except ValueError as error:
        return str(error.args[-1])
    return None


def check(path):
    """Counts of one file: trees, and those lost by what is lost; most levels; labels by number."""
    n_trees, lost, n_levels, labels = 0, Counter(), Counter(), Counter()
    for record in read_tree_records(path):
        n_trees += 1
        tree = record.tree and bare_tree(record.tree)
        if tree is None:
            lost[record.problem or "no word"] += 1
            continue
        levels = levels_of_tree(tree)
        n_levels[len(levels)] += 1
        labels.update(label for level in levels for label, _, _ in segments(level))
        if what := loss(tree, levels):
            lost[what] += 1
    return n_trees, lost, n_levels, labels


@click.command()
@click.argument("files", nargs=-1, required=True)
def main(files):
    """Print the counts of each file."""
    for path in files:
        try:
            n_trees, lost, n_levels, labels = check(path)
        except SennaError as error:
            raise click.ClickException(str(error)) from None
        frequent = sum(n >= 10 for n in labels.values())
        click.echo(
            f"{path}: {n_trees:,} trees, {lost.total():,} not reproduced; at most "
            f"{max(n_levels, default=0)} levels, {len(labels)} labels, {frequent} of them "
            "10 times or more"
        )
        for what, n in lost.most_common():
            click.echo(f"  {n:,}: {what}")


if __name__ == "__main__":
    main()
