#!/usr/bin/env bash
# A tagger for a language: vectors and classes of words, parts of speech, entities if there are any, and
# where sentences end. Prints dev scores, of given tokens and of raw text; the model is RUNS/model.safetensors.
#   recipes/ud/train.sh LANGUAGE TOKENIZER CORPORA RUNS [TEXT.txt]...
# LANGUAGE: such as fr; TOKENIZER: the one of the language, or unicode. CORPORA has train.conllu and
# dev.conllu, a treebank of Universal Dependencies, or ner.train and ner.dev, entities in the layout of
# CoNLL-2002, or all of them. TEXT: running text of the language, a paragraph per line. Runs are continued.
set -euo pipefail
stop() { echo "train.sh: $1" >&2; exit 1; }
[ $# -ge 4 ] || stop "expected LANGUAGE TOKENIZER CORPORA RUNS [TEXT.txt]..."
language=$1 tokenizer=$2 corpora=$3 runs=$4
shift 4
here=$(dirname "$0")
command -v senna-train > /dev/null || stop "no senna-train here: is the environment active?"

labelled=() parts=()
for pair in train.conllu:dev.conllu ner.train:ner.dev; do
    train=$corpora/${pair%:*} dev=$corpora/${pair#*:}
    [ -e "$train" ] || continue
    [ -e "$dev" ] || stop "$dev: no such file, to choose by"
    labelled+=("$train")
done
[ ${#labelled[@]} -gt 0 ] || stop "$corpora: neither train.conllu nor ner.train is there"
mkdir -p "$runs" "$corpora/classes"
info=(--set "info.language='$language'" --set "info.tokenizer='$tokenizer'")

# logged NAME COMMAND...: its messages go into a file, of which the last line is shown if it fails
logged() {
    "${@:2}" 2> "$runs/$1.log.txt" || { tail -n 1 "$runs/$1.log.txt" >&2; exit 1; }
}

python "$here/text.py" "$tokenizer" "${labelled[@]}" "$@" > "$runs/tokens.txt"
logged vectors senna-py vectors train skipgram "$runs/vectors" "$runs/tokens.txt" --tokenized --min-count 2 \
    --dim 64 --epochs 30 --resume
logged classes senna-py vectors cluster "$corpora/classes/brown.tsv" "$runs/tokens.txt" --clusters 400 --min-count 2

# learn RUN RECIPE OPTION...: train, and print the dev score
learn() {
    logged "$1" senna-train "$here/$2.toml" "$corpora" "$runs/$1" --vectors "$runs/vectors" --resume \
        "${info[@]}" "${@:3}" > "$runs/$1.scores.txt"
    printf '%-8s%s\n' "$1" "$(sed -n 's/^best: epoch [0-9]*, dev \(.*\), in .*/\1/p' "$runs/$1.log.txt")"
}

if [ -e "$corpora/train.conllu" ]; then
    learn upos upos
    parts+=("$runs/upos")
fi
if [ -e "$corpora/train.conllu" ] && ! awk -F '\t' '$1 ~ /^[0-9]+$/ && $5 != "_" { found = 1; exit } END { exit found }' "$corpora/train.conllu"; then
    learn xpos upos --set "task='xpos'" \
        --set "train=[{files=['train.conllu'], columns=['form', 'xpos'], multiwords='tokens'}]" \
        --set "dev=[{files=['dev.conllu'], columns=['form', 'xpos'], multiwords='tokens'}]"
    parts+=("$runs/xpos")
fi
if [ -e "$corpora/ner.train" ]; then
    for seed in 1 2 3; do
        learn "ner-$seed" ner --seed "$seed"
    done
    rm -rf "$runs/ner"
    logged ner senna-model ensemble "$runs/ner" "$runs"/ner-[123] --how scores
    printf '%-8s%s\n' ner "$(senna-eval model ner "$corpora/ner.dev" --layout conll2002 --columns word,ner -path "$runs/ner" |
        sed -n 's/^accuracy.*FB1: *\(.*\)/F1 \1/p')"
    parts+=("$runs/ner")
fi
built=$runs/model.safetensors
[ ! -e "$corpora/train.conllu" ] || built=$runs/built.safetensors
senna-model build "$built" "${parts[@]}" > "$runs/build.log.txt"
if [ -e "$corpora/train.conllu" ]; then
    senna-model sentences "$runs/model.safetensors" "$built" "$corpora/train.conllu"
    rm "$built"
    senna-eval text "$corpora/dev.conllu" --multiwords tokens -path "$runs/model.safetensors"
fi
