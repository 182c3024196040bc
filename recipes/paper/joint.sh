#!/usr/bin/env bash
# Tasks by networks of their own and by one that they share (section 5 of the paper, Table 9), for
# research/replications.md: POS, chunks and entities by the window approach, and the same with roles by the
# sentence approach. Prints dev scores.
#   recipes/paper/joint.sh window|sentence CORPORA VECTORS RUNS [--set SETTING]...
# CORPORA has ewt/{train,dev}.pos.tsv, conll2000/train.txt, conll2003/eng.train and conll2003/eng.testa,
# and for the sentence approach ewt/{train,dev}.srl.tsv. Runs that are there are continued.
set -euo pipefail
needs=4 # arguments
. "$(dirname "$0")/../help.sh"
approach=$1 corpora=$2 vectors=$3 runs=$4
shift 4
here=$(dirname "$0")
recipes=(joint/pos joint/chk entities joint)
settings=()
if [ "$approach" = sentence ]; then
    recipes=(joint/pos joint/chk entities joint/srl joint-sentence)
    settings=(--set "network.approach='sentence'" --set network.sentence.window=3 --set network.sentence.conv=300
        --set network.sentence.hidden=500 --set training.rate=0.01)
fi

mkdir -p "$runs"
for recipe in "${recipes[@]}"; do
    name=$(basename "$recipe")
    senna-train "$here/$recipe.toml" "$corpora" "$runs/$name" --vectors "$vectors" --resume "${settings[@]}" "$@" \
        >"$runs/$name.scores.txt" 2>"$runs/$name.log.txt" || { cat "$runs/$name.log.txt" >&2; exit 1; }
    printf '%-15s%s\n' "$name" "$(sed -n 's/^best: epoch [0-9]*, dev \(.*\), in .*/\1/p' "$runs/$name.log.txt")"
done
