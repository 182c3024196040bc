#!/usr/bin/env bash
# Score the English model, or another, on all that docs/models/accuracy.md and its card give scores of.
#   recipes/en/scores.sh CORPORA [MODEL [TASK...]]
# TASK: only these, such as pos lemma.
set -euo pipefail
. "$(dirname "$0")/../help.sh"
model=$(realpath "${2:-$(dirname "$0")/../../models/en}")
cd "$1"
shift $(($# < 2 ? $# : 2))
tasks=" $* "

# wanted TASK: whether it is asked for
wanted() { [ "$tasks" = "  " ] || [[ $tasks == *" $1 "* ]]; }

# score TASK FILE OPTION...: the command, and the line of its figures
score() {
    wanted "$1" || return 0
    local line='^accuracy|^ *Overall|^UAS'
    [ "$1" != vbs ] || line='^ *VB:'
    [ "$1" != psg ] || line='^Bracketing FMeasure'
    echo "$*"
    senna-eval model "$@" -path "$model" | grep -m 1 -E "$line"
}

wsj=wsj_sample/dev
for file in "ewt/dev.pos.tsv --columns word,pos" \
    "masc/dev.srl.tsv --columns word,pos,parse,predicate,roles" \
    "gum/dev.parse.tsv --columns word,pos,parse" "$wsj.parse.tsv --columns word,pos,parse"; do
    score pos $file
done
score chk conll2000/train.txt --columns word,-,chk --part 0.9 1.0
# MISC is scored where it is marked.
score ner ewt/dev.ner.tsv --columns word,-,ner --label MISC=O
score ner masc/dev.ner.tsv --columns word,-,ner --label DATE=O --label MISC=O
score ner ner/wnut17.dev.tsv --columns word,-,ner --label person=PER --label location=LOC \
    --label corporation=ORG --label group=ORG --label product=O --label creative-work=O --label MISC=O
wikigold="ner/wikigold.tsv --columns word,-,ner --part 0.5 1" # the rest is for training
score ner $wikigold --label MISC=O
score ner $wikigold --label PER=O --label LOC=O --label ORG=O
for file in "ewt/dev.srl.tsv --columns word,-,parse,predicate,roles" \
    "masc/dev.srl.tsv --columns word,-,parse,predicate,roles" \
    "gum/dev.parse.tsv --columns word,-,parse" "$wsj.parse.tsv --columns word,-,parse"; do
    score pt0 $file
done
for file in "ewt/dev.srl.tsv --columns word,pos,parse,predicate,roles" \
    "masc/dev.srl.tsv --columns word,pos,parse,predicate,roles" \
    "gum/dev.parse.tsv --columns word,pos,parse" "$wsj.parse.tsv --columns word,pos,parse"; do
    score psg $file
done
for file in ewt/dev masc/dev "$wsj"; do
    for command in vbs srl "srl --find-predicates"; do
        set -- $command
        score "$1" $file.srl.tsv --columns word,-,-,predicate,roles "${@:2}"
    done
done
for bank in ewt gum; do
    for task in upos feats dep; do
        score $task $bank/dev.conllu
    done
    wanted lemma || continue
    echo "lemma $bank/dev.conllu, by predicted tags"
    senna-tag --format conllu --pos --lemma --path "$model" $bank/dev.conllu | senna-eval text $bank/dev.conllu - | grep ^Lemmas
done
# EWT by genre: its documents stand in the order of theirs.
for part in "0 0.1154" "0.1154 0.3768" "0.3768 0.5137" "0.5137 0.7231" "0.7231 1"; do
    score pos ewt/dev.pos.tsv --columns word,pos --part $part
done
for part in "0 0.1175" "0.1175 0.3825" "0.3825 0.5209" "0.5209 0.7335" "0.7335 1"; do
    score pt0 ewt/dev.srl.tsv --columns word,-,parse,predicate,roles --part $part
    score psg ewt/dev.srl.tsv --columns word,pos,parse,predicate,roles --part $part
    for command in vbs srl "srl --find-predicates"; do
        set -- $command
        score "$1" ewt/dev.srl.tsv --columns word,-,-,predicate,roles "${@:2}" --part $part
    done
done
for part in "0.8846 1" "0.2094 0.4708" "0.4708 0.6077" "0 0.2094" "0.6077 0.8846"; do
    score ner ewt/dev.ner.tsv --columns word,-,ner --label MISC=O --part $part
done
