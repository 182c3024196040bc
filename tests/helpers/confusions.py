"""What confusions say of counts."""


def assert_confusions_add_up(scores):
    """Of each label, as many are confused with others as are missed and in excess."""
    for label, counts in scores.labels.items():
        missed = sum(n for (gold, _), n in scores.confusions.items() if gold == label)
        excess = sum(
            n for (_, predicted), n in scores.confusions.items() if predicted == label
        )
        assert (counts.missed, counts.excess) == (missed, excess)
