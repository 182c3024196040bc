#!/usr/bin/env bash
# All that a treebank of Universal Dependencies has, learned in one run: tokens, sentences, parts of speech,
# features, lemmas, dependencies; and entities, if there are any. Prints dev scores, of given tokens and of raw
# text; the model is RUN/model.safetensors. An interrupted command goes on if it is repeated.
#   recipes/ud/train.sh [OPTION VALUE]... TREEBANK RUN [TEXT.txt]...
# TREEBANK: a directory with train.conllu and dev.conllu, or files whose names end so, such as
# fr_sequoia-ud-train.conllu; or with ner.train and ner.dev, entities in the layout of CoNLL-2002; or with all of
# them. TEXT: running text of the language, a paragraph per line, for word vectors and classes. Options:
#   --language LANGUAGE    such as fr; default: what the names of the files or of the directory begin with, fr_
#   --tokenizer NAME       default: that of the language, or unicode
#   --vectors FILE         word vectors in place of those that are learned from the treebank and TEXT
#   --set KEY=VALUE        another setting for senna-train, of treebank.toml; may be repeated. Entities are learned
#                          as ner.toml says
set -euo pipefail
. "$(dirname "$0")/../help.sh"
stop() { echo "train.sh: $1" >&2; exit 1; }
language='' tokenizer='' vectors='' settings=()
while [[ ${1-} == --* ]]; do
    [ $# -gt 1 ] || stop "$1: expected a value"
    case $1 in
        --language) language=$2 ;;
        --tokenizer) tokenizer=$2 ;;
        --vectors) vectors=$2 ;;
        --set) settings+=(--set "$2") ;;
        *) stop "$1: no such option" ;;
    esac
    shift 2
done
[ $# -ge 2 ] || stop "expected TREEBANK RUN [TEXT.txt]..."
treebank=$1 run=$2
shift 2
here=$(dirname "$0")
command -v senna-train > /dev/null || stop "no senna-train here: is the environment active?"

# the PATTERN: the file of the treebank with such a name, or nothing
the() {
    local found=("$treebank"/$1)
    [ ${#found[@]} -eq 1 ] || stop "$treebank: several files $1"
    [ ! -e "${found[0]}" ] || realpath "${found[0]}"
}

# logged NAME COMMAND...: its messages go into a file, of which the last line is shown if it fails
logged() {
    "${@:2}" 2> "$run/$1.log.txt" || { tail -n 1 "$run/$1.log.txt" >&2; exit 1; }
}

corpora=$run/corpora labeled=()
mkdir -p "$corpora"
for kind in train.conllu:dev.conllu ner.train:ner.dev; do
    train=$(the "*${kind%:*}")
    dev=$(the "*${kind#*:}")
    [ -n "$train" ] || continue
    [ -n "$dev" ] || stop "$treebank/${kind#*:}: no such file, to choose by"
    ln -sfn "$train" "$corpora/${kind%:*}"
    ln -sfn "$dev" "$corpora/${kind#*:}"
    labeled+=("$corpora/${kind%:*}")
    name=${name:-$(basename "$train")}
done
[ ${#labeled[@]} -gt 0 ] || stop "$treebank: neither train.conllu nor ner.train is there"
[[ $name == *_* ]] || name=$(basename "$(realpath "$treebank")")
language=${language:-${name%%_*}}
case $language in
    de) known=german ;; en) known=english ;; es) known=spanish ;; fr) known=french ;; it) known=italian ;;
    nl) known=dutch ;; pt) known=portuguese ;; tr) known=turkish ;; *) known=unicode ;;
esac
tokenizer=${tokenizer:-$known}

python "$here/text.py" "$tokenizer" "${labeled[@]}" "$@" > "$run/tokens.txt"
if [ -z "$vectors" ]; then
    vectors=$run/vectors
    logged vectors senna-py vectors train skipgram "$vectors" "$run/tokens.txt" --tokenized --min-count 2 \
        --dim 64 --epochs 30 --resume
fi
logged classes senna-py vectors cluster "$corpora/brown.tsv" "$run/tokens.txt" --clusters 400 --min-count 2

# learn NAME RECIPE OPTION...: train, and print the dev scores
learn() {
    logged "$1" senna-train "$here/$2.toml" "$corpora" "$run/$1" --vectors "$vectors" --resume \
        --set "info.language='$language'" --set "info.tokenizer='$tokenizer'" "${@:3}" > "$run/$1.scores.txt"
    printf '%-9s%s\n' "$1" "$(sed -n 's/^best: epoch [0-9]*, dev \(.*\), in .*/\1/p' "$run/$1.log.txt")"
}

parts=() trained=$run/trained.safetensors
if [ -e "$corpora/train.conllu" ]; then
    awk -v RS= -v ORS='\n\n' '/(^|\n)[0-9]+-[0-9]+\t/' "$corpora/train.conllu" > "$corpora/multiwords.conllu"
    tasks=$(awk -F '\t' '$1 ~ /^[0-9]+$/ { for (i = 3; i < 8; i++) if ($i != "_") has[i] = 1 }
        END { split("- - lemma upos xpos feats dep", name, " ")
              for (i = 3; i < 8; i++) if (i in has) { printf "%s\"%s\"", comma, name[i]; comma = ", " } }' \
        "$corpora/train.conllu")
    # About 20 minutes of training on one core for 400,000 words; small treebanks need more epochs.
    words=$(cat "$corpora"/{train,multiwords}.conllu | grep -c '^[0-9]*[[:blank:]]')
    epochs=$((6000000 / words))
    learn treebank treebank --set "tasks=[$tasks]" \
        --set "training.epochs=$((epochs > 40 ? 40 : epochs < 10 ? 10 : epochs))" ${settings[@]+"${settings[@]}"}
    parts+=("$run/treebank")
fi
if [ -e "$corpora/ner.train" ]; then
    for seed in 1 2 3; do
        learn "ner-$seed" ner --seed "$seed"
    done
    rm -rf "$run/ner"
    logged ner senna-model ensemble "$run/ner" "$run"/ner-[123] --how scores
    printf '%-9s%s\n' ner "$(senna-eval model ner "$corpora/ner.dev" --layout conll2002 --columns word,ner -path "$run/ner" |
        sed -n 's/^accuracy.*FB1: *\(.*\)/F1 \1/p')"
    parts+=("$run/ner")
fi
model=$run/model.safetensors
[ ! -e "$corpora/train.conllu" ] || model=$trained
senna-model build "$model" "${parts[@]}" > "$run/build.log.txt"
if [ -e "$corpora/train.conllu" ]; then
    model=$run/model.safetensors
    senna-model sentences "$model" "$trained" "$corpora/train.conllu"
    rm "$trained"
    echo "dev, tokens given"
    senna-tag --format conllu --path "$model" "$corpora/dev.conllu" | senna-eval text "$corpora/dev.conllu" -
    echo "dev, raw text"
    senna-eval text "$corpora/dev.conllu" --path "$model"
fi
