#!/usr/bin/env bash
# The word vectors that the networks of the English model can begin with: five passes through running
# text, in which what is written on the web is read more often than it is there. The dictionary has
# the words of the labeled training files. Some forty minutes on two cores.
#   recipes/en/vectors.sh TEXT CORPORA RUN [OPTION...]
# TEXT has the files below, a paragraph a line; CORPORA the labeled ones; OPTIONs are those of
# `senna-py vectors train skipgram`, such as --time-limit. A run that is there is continued.
set -euo pipefail
needs=3 # arguments
. "$(dirname "$0")/../help.sh"
text=$1 corpora=$2 run=$3
shift 3
declare -A weights=(
    [enwiki_core]=1 [enwiki_2014]=1 [enwiki_2014_tail]=1
    [news_allsides]=1 [news_bbc_foreign]=2 [nltk_abc_speeches]=2
    [web_enron]=2 [web_20newsgroups]=2 [web_mozilla_support]=1 [web_airbnb]=1
    [web_stackexchange]=3 [web_usgov_blogs]=3 [web_hu_liu_reviews]=4
)
labeled=(
    ewt/train.{pos,srl,ner}.tsv masc/train.{srl,ner}.tsv gum/train.parse.tsv conll2000/train.txt
    ner/wnut17.train.tsv ner/btc.{a,b,e,g,h}.tsv
)
files=() cover=()
for name in $(printf '%s\n' "${!weights[@]}" | sort); do
    files+=("$text/$name.txt.xz=${weights[$name]}")
done
for name in "${labeled[@]}"; do
    cover+=(--cover "$corpora/$name")
done
[[ ! -e $run/checkpoint.npz ]] || set -- --resume "$@"
senna-py vectors train skipgram "$run" "${files[@]}" "${cover[@]}" --threads 2 "$@"
