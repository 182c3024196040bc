#!/usr/bin/env bash
# Train the Portuguese model from two treebanks: words and trees of two conventions, entities, sentences.
#   recipes/pt/model.sh TREEBANKS RUNS MODEL
# TREEBANKS: see corpora.py. MODEL: a directory, which gets model.safetensors and gsd.safetensors. An interrupted
# command goes on if it is repeated.
set -euo pipefail
needs=3
. "$(dirname "$0")/../help.sh"
here=$(dirname "$0") treebanks=$1 runs=$2 model=$3
corpora=$runs/corpora
mkdir -p "$runs" "$model"

python "$here/corpora.py" "$treebanks" "$corpora"
senna-py vectors train skipgram "$runs/vectors" "$corpora/words.txt" --tokenized --min-count 2 --dim 64 --epochs 30 \
    --resume
[ -e "$corpora/brown.tsv" ] ||
    senna-py vectors cluster "$corpora/brown.tsv" "$corpora/words.txt" --clusters 400 --min-count 2
senna-train "$here/portuguese.toml" "$corpora" "$runs/first" --vectors "$runs/vectors" --resume
# Each run begins with the best epoch of the one before, at a rate that rises and falls again.
run=first
for settings in "second 0.001 6" "third 0.0015 12" "words 0.0018 16"; do
    read -r name rate epochs <<<"$settings"
    senna-train "$here/second.toml" "$corpora" "$runs/$name" --set network.init="$(realpath "$runs/$run")" \
        --set training.rate="$rate" --set training.epochs="$epochs" --resume
    run=$name
done
for name in tokens tokens-gsd; do
    senna-train "$here/$name.toml" "$corpora" "$runs/$name" --resume
done
python "$here/build.py" "$runs/words" "$runs/tokens" "$corpora/bosque.train.conllu,$corpora/gsd.train.conllu" \
    "$here/model.toml" "$model/model.safetensors" upos feats dep ner
python "$here/build.py" "$runs/words" "$runs/tokens-gsd" "$corpora/gsd-old.train.conllu,$corpora/gsd.train.conllu" \
    "$here/gsd.toml" "$model/gsd.safetensors" upos=upos_gsd feats dep=dep_gsd ner
