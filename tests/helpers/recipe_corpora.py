"""Small files in place of the corpora that the recipes of the English model read."""

import re

from tests.helpers.small_corpora import conllu, write_columns

__all__ = ["ROLES", "write_corpora"]

# Columns of `corpus`: word, tag, chunk, entity, parse bit, predicate and role.
POS, CHUNKS, ENTITIES = (0, 1), (0, 1, 2), (0, 1, 3)
TREES, ROLES = (0, 1, 4), (0, 1, 4, 5, 6)
COLUMNS = {
    "conll2000/train.txt": CHUNKS,
    "gum/train.parse.tsv": TREES,
    "gum/dev.parse.tsv": TREES,
    "wsj_sample/dev.parse.tsv": TREES,
    "wsj_sample/dev.srl.tsv": ROLES,
    "conll2003/eng.train": (0, 1, 2, 3),
    "conll2003/eng.testa": (0, 1, 2, 3),
}
COLUMNS |= {f"ewt/{part}.pos.tsv": POS for part in ("train", "dev")}
COLUMNS |= {
    f"{name}/{part}.srl.tsv": ROLES
    for name in ("ewt", "masc")
    for part in ("train", "dev")
}
COLUMNS |= {
    f"{name}/{part}.ner.tsv": ENTITIES
    for name in ("ewt", "masc")
    for part in ("train", "dev")
}
COLUMNS |= {
    f"ner/{name}.tsv": ENTITIES
    for name in (
        "wnut17.train",
        "wnut17.dev",
        "crossner_ai.train",
        "sec_filings.train",
        "wikigold",
    )
}
COLUMNS |= {f"ner/btc.{part}.tsv": ENTITIES for part in "abegh"}


def write_corpora(place, rows):
    """Write sentences of `corpus` to the files of a directory, with their names and
    columns.
    """
    named = [[(*r[:3], r[3].replace("NAME", "PER"), *r[4:]) for r in s] for s in rows]
    for name, columns in COLUMNS.items():
        write_columns(
            place / name, [[[r[c] for c in columns] for r in s] for s in named]
        )
    for name in ("ewt/train", "ewt/dev", "gum/train", "gum/dev"):
        (place / f"{name}.conllu").write_text(_with_heads(conllu(rows)))


def _with_heads(text):
    """CoNLL-U in which each word hangs from the one before."""
    return re.sub(
        r"^(\d+)(\t.*)\t_\t_\t_\t(.*)$",
        lambda m: (
            f"{m[1]}{m[2]}\t{int(m[1]) - 1}\t{'dep' if m[1] != '1' else 'root'}\t_\t{m[3]}"
        ),
        text,
        flags=re.MULTILINE,
    )
