"""The limits on requests, which are options of `senna-py serve`."""

from dataclasses import dataclass

# The maximum length of a sentence in tokens; longer ones are cut, because text without
# ends of sentences would take ten times as long.
LONGEST_SENTENCE = 256


@dataclass(frozen=True)
class Limits:
    """The limits on requests.

    Attributes:
        max_body: The maximum size of the body of a request in bytes.
        max_texts: The maximum number of texts in a request.
        max_concurrent: The maximum number of requests that wait for a thread or are
            being tagged.
        timeout: The time limit for a request in seconds, waiting included.
    """

    max_body: int = 1 << 18
    max_texts: int = 256
    max_concurrent: int = 512
    timeout: float = 60.0
