"""A tiny treebank of Universal Dependencies, in an invented language."""

import random

NOUNS = ("hundo", "kato", "urbo", "domo", "viro", "birdo")
VERBS = ("vidas", "amas", "havas", "trovas")
NAMES = ("Maria", "Petro", "Anna", "La Karlo")

# Settings of networks that learn it in seconds.
SMALL = (
    "tokens.network.dilated.width=16",
    "tokens.network.dilated.dilations=[1]",
    "tokens.training.epochs=8",
    "tokens.training.rate=0.01",
    "tokens.training.batch=4",
    "words.network.dilated.width=16",
    "words.network.dilated.dilations=[1]",
    "training.epochs=6",
    "training.rate=0.01",
    "training.dropout=0.0",
    "text.dim=8",
    "text.passes=3",
    "text.clusters=6",
    "entities.networks=2",
    "entities.training.epochs=8",
    "entities.network.dilated.width=16",
    "entities.network.dilated.dilations=[1]",
)
# For runs whose scores do not matter.
QUICK = (
    *SMALL,
    "tokens.training.epochs=1",
    "training.epochs=1",
    "text.passes=1",
    "entities.training.epochs=1",
)


def small_treebank(n_sentences, seed=1, entities=False):
    """Return the text of a CoNLL-U file.

    A sentence is a name, a verb, and either a noun with its article or `del` with a
    name, which is a token of the two words `de la`.
    """
    rng = random.Random(seed)
    blocks = []
    for number in range(n_sentences):
        name, verb, noun = map(rng.choice, (NAMES, VERBS, NOUNS))
        entity = "NER=B-PER" if entities else "_"
        rows = [
            row(1, name, name, "PROPN", "_", 2, "nsubj", entity),
            row(2, verb, f"{verb[:-2]}i", "VERB", "Tense=Pres", 0, "root"),
        ]
        if number % 3:
            rows.append(row(3, "la", "la", "DET", "_", 4, "det"))
            rows.append(row(4, f"{noun}n", noun, "NOUN", "Case=Acc", 2, "obj", GLUED))
            end = 5
        else:
            rows.append("3-4\tdel" + "\t_" * 8)
            rows.append(row(3, "de", "de", "ADP", "_", 5, "case"))
            rows.append(row(4, "la", "la", "DET", "_", 5, "det"))
            rows.append(row(5, noun, noun, "NOUN", "Case=Nom", 2, "obl", GLUED))
            end = 6
        rows.append(row(end, ".", ".", "PUNCT", "_", 2, "punct"))
        blocks.append("\n".join(["# newpar"] * (number % 2) + rows))
    return "\n\n".join(blocks) + "\n\n"


GLUED = "SpaceAfter=No"


def row(number, form, lemma, upos, feats, head, relation, misc="_"):
    """Return a line of CoNLL-U."""
    cells = (number, form, lemma, upos, upos[0], feats, head, relation, "_", misc)
    return "\t".join(map(str, cells))


def small_entities(n_sentences, seed=1):
    """Return the text of a file with tokens and entities, as in CoNLL-2002."""
    rng = random.Random(seed)
    rows = []
    for _ in range(n_sentences):
        name, verb, noun = map(rng.choice, (NAMES, VERBS, NOUNS))
        name = name.split()[-1]
        rows += [f"{name} B-PER", f"{verb} O", "la O", f"{noun}n O", ". O", ""]
    return "\n".join(rows) + "\n"
