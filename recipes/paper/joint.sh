#!/usr/bin/env bash
# POS, chunks and entities, each by a network of its own and by one that they share (section 5 of the
# paper, Table 9), for docs/results.md. Prints dev scores.
#   recipes/paper/joint.sh CORPORA VECTORS RUNS [--set SETTING]...
# CORPORA has ewt/{train,dev}.pos.tsv, conll2000/train.txt, conll2003/eng.train and conll2003/eng.testa.
# Runs that are there are continued.
set -euo pipefail
corpora=$1 vectors=$2 runs=$3
shift 3
here=$(dirname "$0")

mkdir -p "$runs"
for recipe in joint/pos joint/chk entities joint; do
    name=$(basename "$recipe")
    senna-train "$here/$recipe.toml" "$corpora" "$runs/$name" --vectors "$vectors" --resume "$@" \
        >"$runs/$name.scores.txt" 2>"$runs/$name.log.txt" || { cat "$runs/$name.log.txt" >&2; exit 1; }
    printf '%-10s%s\n' "$name" "$(sed -n 's/^best: epoch [0-9]*, dev \(.*\), in .*/\1/p' "$runs/$name.log.txt")"
done
