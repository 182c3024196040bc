"""Generation of text by sampling from a language model, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.lm.language_model import LanguageModel


def generate(
    model: LanguageModel,
    prompt: Sequence[str] = (),
    length: int = 50,
    temperature: float = 1.0,
    seed: int = 1,
) -> list[str]:
    """Sample words up to the end of the sentence or up to `length` words.

    `<unk>` is never sampled. A model without sentence marks never ends a sentence. The
    result is shorter if no word has a probability above 0.

    Args:
        model: The language model.
        prompt: The words that precede the generated words.
        length: The maximum number of words to generate.
        temperature: The sampling temperature: words are drawn in proportion to
            p ** (1 / temperature). At 0, the most likely word is chosen.
        seed: The random seed.

    Returns:
        The generated words, without the prompt.

    Raises:
        SennaError: If a probability is not finite, which happens if the model is
            damaged.
    """
    word_list = model.word_list
    rng = np.random.default_rng(seed)
    ids = word_list.indices(prompt).tolist()
    if word_list.marks:
        ids.insert(0, word_list.begin)
    generated: list[str] = []
    while len(generated) < length:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            p = np.array(model.probabilities(np.array(ids, np.int32)), np.float64)
        if not np.isfinite(p).all():
            raise SennaError(f"{model.name}: damaged: it gives a word no probability")
        p[word_list.unknown] = 0
        if word_list.marks:
            p[word_list.begin] = 0
        if not p.any():
            break
        word = _draw(p, temperature, rng)
        if word == word_list.end:
            break
        ids.append(word)
        generated.append(word_list.words[word])
    return generated


def _draw(p: NDArray[np.float64], temperature: float, rng: np.random.Generator) -> int:
    if temperature < 1e-300:  # division would overflow
        return int(p.argmax())
    known = np.flatnonzero(p)
    scores = np.log(p[known]) / temperature
    weight = np.exp(scores - scores.max())
    return int(rng.choice(known, p=weight / weight.sum()))
