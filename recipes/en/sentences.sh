#!/bin/sh
# sentences.sh MODEL CORPORA NEW TEXT: writes MODEL to NEW with a sentence splitter that learned where
# sentences of English end: from EWT and GUM as they stand, from MASC and CoNLL-2000 with the lines
# that a sentence without a final mark is thought to have, and from all of them without any lines;
# from sentences.txt, five times; and from edited paragraphs of which only the marks are known. MASC
# has slashes, tagged SU, where speakers of telephone calls end a line: they are no text.
set -eu
needs=4 # arguments
. "$(dirname "$0")/../help.sh"
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

cut -f1,2 "$2/masc/train.srl.tsv" | awk -F"\t" '$2 != "SU"' > "$work/masc.tsv"
cut -d" " -f1,2 "$2/conll2000/train.txt" | tr " " "\t" > "$work/conll2000.tsv"
for name in enwiki_core news_allsides news_bbc_foreign web_usgov_blogs; do
    [ -r "$4/$name.txt.xz" ] || { echo "$4/$name.txt.xz: no such file" >&2; exit 1; }
done
paragraphs() { # TEXT NAME N STEP: N paragraphs of whole sentences, one of STEP
    xz -dc "$1/$2.txt.xz" | awk -v n="$3" -v step="$4" \
        'NR > 3000 && NR % step == 1 && length > 150 && /^[A-Z].*[.!?]$/ { print; if (++k == n) exit }'
}
{
    paragraphs "$4" enwiki_core 3000 22
    paragraphs "$4" news_allsides 4000 22
    paragraphs "$4" news_bbc_foreign 1000 10
    paragraphs "$4" web_usgov_blogs 750 6
} > "$work/running.txt" 2> /dev/null # xz, whose reader leaves
[ -s "$work/running.txt" ] || { echo "$4: no running text" >&2; exit 1; }

made=$here/sentences.txt
senna-model sentences "$3" "$1" "$2/ewt/train.conllu" "$2/gum/train.conllu" \
    "$work/masc.tsv" "$work/conll2000.tsv" "$made" "$made" "$made" "$made" "$made" \
    --columns word,pos --running "$work/running.txt"
