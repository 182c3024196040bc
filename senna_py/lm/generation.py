"""Text that a language model makes up, word by word."""

import numpy as np

from senna_py.errors import SennaError


def generate(model, prompt=(), length=50, temperature=1.0, seed=1):
    """Words that follow a prompt, up to the end of the sentence: a list of str.

    model: LanguageModel; prompt: a sequence of str, the words before; length: of words
    at most;
    temperature: probabilities p become proportional to p ** (1 / temperature), with 0
    the most likely word is taken; seed: of the random numbers. Unknown words are never
    made up. A model without marks of sentences has no end. Raises SennaError if the
    model gives no probabilities.
    """
    word_list, rng = model.word_list, np.random.default_rng(seed)
    ids = [word_list.begin] * word_list.marks + word_list.indices(prompt).tolist()
    found = []
    while len(found) < length:
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
        found.append(word_list.words[word])
    return found


def _draw(p, temperature, rng):
    if temperature < 1e-300:  # too small to divide by
        return int(p.argmax())
    known = np.flatnonzero(p)
    scores = np.log(p[known]) / temperature
    weight = np.exp(scores - scores.max())
    return int(rng.choice(known, p=weight / weight.sum()))
