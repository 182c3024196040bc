"""Scores of taggers on the words that the dictionary lacks, beside those on all words.

python benchmarks/unknown_words.py TASK FILE --columns NAMES [--label A=B] MODEL...

Tags: accuracy on all words and on new ones. Segments: precision, recall and F1 of all, and of those
that have a new word in them. FILE, its columns and labels are as for `senna-eval model`.
"""

from itertools import pairwise

import click

from senna_py.evaluation.counts import Counts, percentage
from senna_py.labels.tag_schemes import recode, segments
from senna_py.labels.tasks import find_task
from senna_py.tagger import Tagger
from senna_py.tagging.config import DataSet
from senna_py.tagging.data import read_sentences, rename_tag


def predict(tagger, task, sentences):
    """Tags, and whether a word is new: lists of str and of bool for each sentence."""
    tokens = tagger.tokenizer.pretokenized(sentences.words)
    new = (tokens.word == tagger.tokenizer.unknown).tolist()
    tags = [tagger.labels(task)[i] for i in tagger.annotate(tokens).tags[task].tolist()]
    return [(tags[a:b], new[a:b]) for a, b in pairwise(tokens.starts)]


def token_scores(pairs):
    """Accuracy on all and on new words, and how many these are: pairs of gold and predictions."""
    rows = [
        (is_new, one == other)
        for gold, (tags, new) in pairs
        for is_new, one, other in zip(new, gold, tags, strict=True)
    ]
    right = [correct for is_new, correct in rows if is_new]
    whole = percentage(sum(correct for _, correct in rows), len(rows))
    of_new = percentage(sum(right), len(right))
    return f"{whole:5.2f} of {len(rows):,} words   {of_new:5.2f} of {len(right):,} new ones"


def segment_scores(pairs):
    """Precision, recall and F1 of all segments and of those with a new word."""
    total = {False: Counts(), True: Counts()}
    for tags, (predicted, new) in pairs:
        gold, found = ({*segments(each)} for each in (tags, predicted))
        for only_new in total:
            a, b = (
                {s for s in each if not only_new or any(new[s[1] : s[2]])} for each in (gold, found)
            )
            total[only_new] += Counts(len(a), len(b), len(a & b))
    return "   ".join(
        f"P {c.precision:5.2f} R {c.recall:5.2f} F1 {c.f1:5.2f} of {c.gold:,}{' new' * only_new}"
        for only_new, c in total.items()
    )


@click.command()
@click.argument("task")
@click.argument("file")
@click.argument("models", nargs=-1, required=True)
@click.option("--columns", required=True)
@click.option("--label", "labels", multiple=True)
def main(task, file, models, columns, labels):
    """Print a line for each of the MODELS."""
    names = dict(label.split("=") for label in labels)
    data = DataSet([file], columns.split(","), labels=names)
    kind = find_task(task).kind
    sentences = read_sentences([data], task, kind, ".")
    for model in models:
        found = predict(Tagger(model, task), task, sentences)
        if kind == "segments":
            found = [
                ([rename_tag(tag, names) for tag in recode(tags, "iobes")], new)
                for tags, new in found
            ]
        pairs = zip(sentences.labels, found, strict=True)
        scores = (token_scores if kind == "tags" else segment_scores)(pairs)
        click.echo(f"{model}: {scores}")


if __name__ == "__main__":
    main()
