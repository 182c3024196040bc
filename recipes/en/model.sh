#!/usr/bin/env bash
# Make the English model: RUNS/en. What is there is not made again, and a run that was stopped goes on.
#   recipes/en/model.sh [--set KEY=VALUE]... CORPORA TEXT RUNS MODEL [ENCODER]
# CORPORA, TEXT and ENCODER: see recipes/README.md; MODEL: the model of the version before. CORPORA gets the
# directories everyday, tweets and entities, and labels, unless it is there; only then ENCODER is needed.
# --set: another setting for senna-train, of english.toml, such as training.epochs=1.
set -euo pipefail
needs=4 # arguments
. "$(dirname "$0")/../english.sh"
corpora=$1 text=$2 runs=$3 model=$4 encoder=${5-}
here=$(dirname "$0")
mkdir -p "$runs/en"

sentences() { python "$here/sample.py" "$corpora" "$text" > "$runs/new.txt" && mv "$runs/new.txt" "$runs/sentences.txt"; }

labels() { # what three teachers say of running text
    new "$runs/sentences.txt" sentences
    for seed in 1 2 3; do
        python "$here/teacher/train.py" "$corpora" "${encoder:?}" "$runs/teacher/$seed" --seed $seed
    done
    python "$here/teacher/label.py" "$corpora" "$encoder" "$runs/sentences.txt" "$corpora/labels" "$runs"/teacher/?
    python "$here/teacher/values.py" "$corpora/labels"
}

new "$corpora/conll2000/hyphens.txt" hyphens
new "$corpora/wordnet/forms.tsv" forms
new "$corpora/everyday/chk.tsv" python "$here/everyday.py" "$corpora"
new "$corpora/tweets/pos.tsv" python "$here/tweets.py" "$corpora" -path "$model"
new "$corpora/entities/others.tsv" python "$here/entities.py" "$corpora" -path "$model"
new "$corpora/labels/val.best.xz" labels
new "$corpora/labels/all" columns
senna-train "$here/english.toml" "$corpora" "$runs/english" --vectors "$here/../../models/embeddings/embeddings.npy" --resume \
    ${settings[@]+"${settings[@]}"}
senna-model build "$runs/model.safetensors" "$runs/english" --info "$here/model.toml" --vector-bits 8
python "$here/without_label.py" "$runs/model.safetensors" pos SU "$runs/labels.safetensors"
"$here/sentences.sh" "$runs/labels.safetensors" "$corpora" "$runs/en/model.safetensors" "$text"
