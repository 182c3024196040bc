#!/usr/bin/env bash
# Taggers with and without the spelling of new words, for docs/results.md: three pairs of short runs on
# little data, and their scores on all words and on those outside the dictionary.
#   recipes/paper/spelling.sh CORPORA VECTORS RUNS
# CORPORA is as recipes/README.md says, with char.lm, a model of `senna-lm train char`.
set -euo pipefail
corpora=$1 vectors=$2 runs=$3
here=$(dirname "$0")
spelled=(--set 'spelling.char="char.lm"' --set 'features."spelling.char"=50')
ewt='train=[{files=["ewt/train.pos.tsv"],columns=["word","pos"]}]'
types=(person=PER location=LOC corporation=ORG group=ORG product=O creative-work=O)
ner='train=[{files=["ewt/train.ner.tsv"],columns=["word","-","ner"],labels={OTH="O"}},
    {files=["ner/wnut17.train.tsv"],columns=["word","-","ner"],labels={person="PER",location="LOC",
    corporation="ORG",group="ORG",product="O",creative-work="O"}}]'

pair() {
    local name=$1 recipe=$2
    shift 2
    senna-train "$recipe" "$corpora" "$runs/$name" --vectors "$vectors" --no-folds "$@"
    senna-train "$recipe" "$corpora" "$runs/$name-spelled" --vectors "$vectors" --no-folds "$@" \
        "${spelled[@]}"
}

score() {
    local name=$1
    shift
    python "$here/../../benchmarks/unknown_words.py" "$@" "$runs/$name" "$runs/$name-spelled"
}

pair few "$here/spelling.toml"
pair pos "$here/../en/pos.toml" --set "${ewt}" --set training.epochs=5 --set training.seed=1
pair ner "$here/../en/ner.toml" --set "${ner//$'\n'/}" --set training.epochs=5
for name in few pos; do
    score $name pos "$corpora/ewt/dev.pos.tsv" --columns word,pos
    score $name pos "$corpora/gum/dev.parse.tsv" --columns word,pos,parse
    score $name pos "$corpora/wsj_sample/dev.parse.tsv" --columns word,pos,parse
done
score ner ner "$corpora/ewt/dev.ner.tsv" --columns word,-,ner --label OTH=O
score ner ner "$corpora/ner/wnut17.dev.tsv" --columns word,-,ner "${types[@]/#/--label=}"
