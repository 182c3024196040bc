#!/usr/bin/env bash
# Make the English model: RUNS/en. What is there is not made again, and a run that was stopped goes on.
#   recipes/en/model.sh CORPORA TEXT RUNS ENCODER MODEL
# CORPORA, TEXT and ENCODER: see recipes/README.md; MODEL: the model of the version before, which labels
# running text beside the teacher. CORPORA gets the directories everyday, tweets, entities and labels.
set -euo pipefail
corpora=$1 text=$2 runs=$3 encoder=$4 model=$5
here=$(dirname "$0")
teacher=$here/../../models/teacher
mkdir -p "$runs/en" "$corpora/labels"

new() { # FILE COMMAND...: make a file or directory, if it is not there
    [ -e "$1" ] || "${@:2}"
}
sentences() { python "$here/sample.py" "$corpora" "$text" > "$runs/new.txt" && mv "$runs/new.txt" "$runs/sentences.txt"; }

hyphens() { python "$here/hyphens.py" "$corpora/conll2000/train.txt" > "$runs/hyphens.txt" && mv "$runs/hyphens.txt" "$corpora/conll2000"; }

new "$runs/sentences.txt" sentences
new "$corpora/conll2000/hyphens.txt" hyphens
new "$corpora/everyday/chk.tsv" python "$here/everyday.py" "$corpora"
new "$corpora/tweets/pos.tsv" python "$here/tweets.py" "$corpora" -path "$model"
new "$corpora/entities/others.tsv" python "$here/teacher/entities.py" "$corpora" "$teacher" "$encoder"
"$here/teacher/labels.sh" "$teacher" "$encoder" "$corpora/gazetteers" "$runs/sentences.txt" "$corpora/labels" "$model"
new "$corpora/labels/all" python "$here/join_labels.py" "$corpora/labels" "$corpora/labels/all" pos chk ner pt0 vbs psg srl
senna-train "$here/english.toml" "$corpora" "$runs/english" --vectors "$here/../../models/embeddings/embeddings.npy" --resume
senna-model build "$runs/model.safetensors" "$runs/english" --info "$here/model.toml" --vector-bits 8
"$here/sentences.sh" "$runs/model.safetensors" "$corpora" "$runs/en/model.safetensors" "$text"
