#!/usr/bin/env bash
# Entities of CoNLL-2003, for measuring only: a network, a teacher, and a student of both. Prints dev F1 of
# the teacher, of the network and of their means, then of the student. Runs that were stopped go on.
#   recipes/paper/conll2003.sh CORPORA TEXT VECTORS ENCODER RUNS
# TEXT and ENCODER are as ../README.md says.
set -euo pipefail
corpora=$1 text=$2 vectors=$3 encoder=$4 runs=$(realpath -m "$5")
here=$(dirname "$0")
config=$here/conll2003.toml en=$here/../en
mkdir -p "$runs"/{dev,news}/{teacher,network}

senna-train "$config" "$corpora" "$runs/network" --vectors "$vectors" --resume
python "$en/teacher/train.py" "$corpora" "$encoder" "$runs/teacher" --config "$config" --epochs 5

python "$en/teacher/table.py" "$corpora" "$runs/dev" --config "$config"
python "$en/sample.py" "$corpora" "$text" news_bbc_foreign=500000 --config "$config" > "$runs/news/sentences"
for part in "$runs/dev" "$runs/news"; do
    python "$en/teacher/predict.py" "$runs/teacher" "$encoder" "$corpora/gazetteers" "$part/sentences" \
        "$part/teacher"
    senna-tag -usrtokens -ner --probabilities -path "$runs/network" "$part/sentences" -o "$part/network/ner.tsv"
done
python "$en/teacher/table.py" "$corpora" "$runs/dev" teacher network --config "$config"
labels=$runs/news/ner.tsv
if [ ! -e "$labels" ]; then # the student goes on only with those it began with
    python "$en/teacher/average.py" ner "$runs/news/teacher/ner.tsv=1" "$runs/news/network/ner.tsv=1" > "$labels.new"
    mv "$labels.new" "$labels"
fi

gold='{files = ["conll2003/eng.train"], columns = ["word", "pos", "-", "ner"]}'
soft="{files = ['$labels'], columns = ['word', 'ner'], soft = true, weight = 0.5, until = 0.7}"
senna-train "$config" "$corpora" "$runs/student" --vectors "$vectors" --resume --set "train = [$gold, $soft]"
senna-eval model ner "$corpora/conll2003/eng.testa" --columns word,-,-,ner -path "$runs/student"
