"""Score the trees of a model by the length of sentences.

python recipes/en/tree_lengths.py FILE --columns word,pos,parse [--path MODEL]

FILE and its columns are the same as for `senna-eval model psg`. F1 is the F1 of
brackets, as EVALB counts them, and `complete` the share of sentences without a mistake.
"""

import click

from senna_py.errors import SennaError
from senna_py.evaluation.trees import TreeTotals
from senna_py.tagging.score_model import score_model
from senna_py.tagging.settings import DataSet

# Words of the shortest sentences, but for the first: exclusive.
BOUNDS = (
    1,
    10,
    20,
    30,
    40,
    10_000,
)


@click.command()
@click.argument("file")
@click.option("--columns", required=True, help="Names of the columns.")
@click.option("--path", help="Model, as of senna-tag.")
def main(file, columns, path):
    """Print a table."""
    try:
        scores = score_model(path, "psg", DataSet([file], columns.split(",")))
    except SennaError as error:
        raise click.ClickException(str(error)) from None
    print("| words | sentences | F1 | complete, % |\n|---|---|---|---|")
    for low, high in zip((0, *BOUNDS[1:]), BOUNDS[1:], strict=False):
        some = [s for s in scores.sentences if low < s.length <= high]
        totals = TreeTotals(some)
        words = f"{low + 1} to {high}" if high < BOUNDS[-1] else f"over {low}"
        f1 = totals.brackets.f1
        print(f"| {words} | {len(some):,} | {f1:.2f} | {totals.complete:.1f} |")


if __name__ == "__main__":
    main()
