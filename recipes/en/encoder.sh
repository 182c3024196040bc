#!/usr/bin/env bash
# The encoder that the networks of the English model can begin with: one pass through running text, in
# which what is written on the web is read more often than it is there. Some three hours on two cores.
#   recipes/en/encoder.sh TEXT RUN [OPTION...]
# TEXT has the files below, a paragraph a line; OPTIONs are those of `senna-lm train encoder`, such as
# --time-limit. A run that is there is continued.
set -euo pipefail
text=$1 run=$2
shift 2
declare -A weights=(
    [enwiki_core]=0.6 [enwiki_2014]=0.3 [enwiki_2014_tail]=0.5
    [news_allsides]=0.8 [news_bbc_foreign]=2 [nltk_abc_speeches]=2
    [web_enron]=2 [web_20newsgroups]=3 [web_mozilla_support]=0.7 [web_airbnb]=1
    [web_stackexchange]=3 [web_usgov_blogs]=3 [web_hu_liu_reviews]=4
)
files=()
for name in $(printf '%s\n' "${!weights[@]}" | sort); do
    files+=("$text/$name.txt.xz=${weights[$name]}")
done
[[ ! -e $run/checkpoint.npz ]] || set -- --resume "$@"
senna-lm train encoder "$run" "${files[@]}" --vectors models/embeddings/embeddings.npy --threads 2 "$@"
