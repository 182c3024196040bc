#!/usr/bin/env bash
# The character model of open English text: one pass through some 30 million words of encyclopedia,
# news, mail, newsgroups, questions, reviews and weblogs. About an hour on one core.
#   recipes/en/characters.sh TEXT RUN [OPTION...]
# TEXT has the files below, a paragraph a line. Of each every so many-th paragraph is read; every
# thousandth is held out. OPTIONs are those of `senna-lm train char`, such as --time-limit. A run
# that is there is continued.
set -euo pipefail
needs=2 # arguments
. "$(dirname "$0")/../help.sh"
text=$1 run=$2
shift 2
declare -A every=(
    [enwiki_core]=8 [enwiki_2014]=16 [enwiki_2014_tail]=4
    [news_allsides]=4 [news_bbc_foreign]=1 [nltk_abc_speeches]=1
    [web_enron]=2 [web_20newsgroups]=1 [web_mozilla_support]=4 [web_airbnb]=4
    [web_stackexchange]=1 [web_usgov_blogs]=1 [web_hu_liu_reviews]=1
)
names=$(printf '%s\n' "${!every[@]}" | sort)
if [[ ! -s $run/train.txt ]]; then
    mkdir -p "$run"
    for name in $names; do
        xz -dc "$text/$name.txt.xz" | awk 'NR % 1000 == 1'
    done | senna-py tokenize > "$run/valid.txt"
    for name in $names; do
        xz -dc "$text/$name.txt.xz" | awk -v n="${every[$name]}" 'NR % 1000 != 1 && NR % n == 0'
    done | senna-py tokenize > "$run/train.txt.new"
    mv "$run/train.txt.new" "$run/train.txt"
fi
[[ ! -e $run/checkpoint.npz ]] || set -- --resume "$@"
senna-lm train char "$run" "$run/train.txt" --valid "$run/valid.txt" --size 12000 --spell-unknown \
    --hidden 200 --output-layer clusters --batch 64 --dropout 0 --epochs 1 --final-rate 0.02 "$@"
[[ -e $run/model.lm ]] || exit 0  # stopped before the end of the pass
senna-lm export "$run" "$run/english.lm" --to lm --half
