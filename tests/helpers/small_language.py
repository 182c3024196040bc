"""A language of four places, verbs and times."""

PLACES = ["Paris", "Rome", "London", "Berlin"]
VERBS = ["visit", "like", "see", "leave"]
TIMES = ["today", "tomorrow", "soon", "later"]


def paragraphs():
    """Lines of the text."""
    return [
        f'We {verb} {place} {time}. He said: "I {verb} it ({time})", {n + 1.5} times.'
        for n in range(8)
        for place in PLACES
        for verb in VERBS
        for time in TIMES
    ]
