#!/usr/bin/env bash
# The networks pos, ner, srl and psg of the English model. Each learns what its recipe says and, but in the
# last epochs, what networks that were trained before say about running text.
#   recipes/en/students.sh CORPORA SENTENCES RUNS VECTORS
# SENTENCES: made by sample.py, see README.md; RUNS: has the runs pos, psg, vbs, srl and ner, and gets
# pos-student, ner-student and so on; CORPORA gets a directory `web` of labelled sentences.
set -euo pipefail
corpora=$1 sentences=$2 runs=$3 vectors=$4
recipes=$(dirname "$0")
soft=$'soft = true\nweight = 0.5'
mkdir -p "$corpora/web"

# student TASK COLUMNS SETTINGS OPTION...: train by the recipe of a task and its file of labelled text
student() {
    { cat "$recipes/$1.toml"; cat; } > "$runs/$1-student.toml" << END
[[train]]
until = 0.6
files = ["web/$1.tsv"]
columns = $2
$3
END
    senna-train "$runs/$1-student.toml" "$corpora" "$runs/$1-student" --vectors "$vectors" "${@:4}"
}

senna-train "$recipes/pos.toml" "$corpora" "$runs/pos-2" --vectors "$vectors" --no-folds --seed 3
senna-model ensemble "$runs/pos-teacher" "$runs/pos" "$runs/pos-2" --how scores
head -60000 "$sentences" | senna-tag -pos --probabilities -path "$runs/pos-teacher" > "$corpora/web/pos.tsv"
student pos '["word", "pos"]' "$soft" --no-folds --seed 4

head -60000 "$sentences" | senna-tag -ner --probabilities -path "$runs/ner" > "$corpora/web/ner.tsv"
student ner '["word", "ner"]' "$soft" --seed 3 --set training.epochs=10

senna-model build "$runs/roles" "$runs/pos" "$runs/psg" "$runs/vbs" "$runs/srl"
sed -n 60001,85000p "$sentences" | senna-tag -srl -path "$runs/roles" > "$corpora/web/srl.tsv"
student srl '["word", "predicate", "roles"]' $'scheme = "iobes"\nweight = 0.5' --seed 2 \
    --set training.epochs=12

sed -n 85001,100000p "$sentences" | senna-tag -pos -psg -path "$runs/roles" > "$corpora/web/psg.tsv"
student psg '["word", "pos", "parse"]' '' --no-folds --seed 3 --set training.epochs=12
