"""Make a dictionary for lemmas from WordNet and from lists of one's own.

python recipes/en/wordnet.py CORPORA/wordnet MODEL recipes/en/forms.tsv >
CORPORA/wordnet/forms.tsv

A line is a form, its lemma and its universal part of speech. Known words are their own
lemmas. WordNet has words and irregular forms. Regular forms are made of all words, so
that training sees which lemmas its rules would miss. If a form has two lemmas, the one
in the user's list comes first, then the more frequent word: a model has its words in
the order of frequency.
"""

import re
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.models.native import NativeModel

CLASSES = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}
LONGEST_GRADED = 6  # letters of adjectives with regular comparatives


def add_s(word):
    """Return the plural of a noun, or the third person of a verb."""
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def add(word, ending):
    """Return a verb with -ed or -ing, or an adjective with -er or -est.

    Forms with doubled letters are in WordNet.
    """
    if ending == "ing":
        silent = re.search(r"[^aeioy]e$", word)
        return (word[:-1] if silent else word) + ending
    if re.search(r"[^aeiou]y$", word):
        word = word[:-1] + "i"
    return word + (ending[1:] if word.endswith("e") else ending)


def regular(word, of_class, irregular):
    """Return the regular forms of a word; `irregular` has the forms of WordNet."""
    if of_class == "noun":
        return (
            [] if any(not form.endswith("ves") for form in irregular) else [add_s(word)]
        )
    if of_class == "verb":
        endings = [] if any(form.endswith("ing") for form in irregular) else ["ing"]
        if not any(not form.endswith(("ing", "s")) for form in irregular):
            endings.append("ed")
        return [add_s(word), *(add(word, ending) for ending in endings)]
    if of_class == "adj" and len(word) <= LONGEST_GRADED and not irregular:
        return [add(word, "er"), add(word, "est")]
    return []


def entries(place, of_class, rank):
    """Return the forms of a part of speech with all their lemmas, and the known words.

    They are a dict and a set.
    """
    words = (place / f"{of_class}.lemmas.txt").read_text().split("\n")
    words = [word for word in words if re.fullmatch(r"[a-z][a-z'-]*[a-z]|[aio]", word)]
    forms, irregular = {word: [word] for word in words}, {}
    for line in (place / f"{of_class}.exc.tsv").read_text().split("\n"):
        form, _, lemmas = line.partition("\t")
        for lemma in lemmas.split():
            if form != lemma and "_" not in form:
                irregular.setdefault(lemma, []).append(form)
    for word in sorted({*words, *irregular}):
        own = irregular.get(word, [])
        for form in (*own, *(regular(word, of_class, own) if word in forms else ())):
            if word not in forms.setdefault(form, []):
                forms[form].append(word)
    known = set(words)
    # *memoranda* is no noun of its own, but *found* and *bore* are verbs.
    if of_class != "verb":
        known -= {
            form
            for lemma, each in irregular.items()
            for form in each
            if rank.get(lemma, len(rank)) < rank.get(form, len(rank))
        }
    return forms, known


def main(place, model, own):
    """Print all forms."""
    words = NativeModel(model).words
    rank = {words[i].lower(): i for i in reversed(range(len(words)))}
    given = {}
    for line in Path(own).read_text(encoding="utf-8").splitlines():
        form, lemma, of_class = line.split("\t")
        given[form, of_class] = lemma
    for name, of_class in CLASSES.items():
        forms, known = entries(Path(place), name, rank)
        for form, lemmas in sorted(forms.items()):
            if form in known:
                print(form, form, of_class, sep="\t")
            others = [lemma for lemma in lemmas if lemma != form]
            if others and (form, of_class) not in given:
                best = min(others, key=lambda lemma: rank.get(lemma, len(rank)))
                print(form, best, of_class, sep="\t")
    for (form, of_class), lemma in given.items():
        print(form, lemma, of_class, sep="\t")


if __name__ == "__main__":
    run_script(main, __doc__)
