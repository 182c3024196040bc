#!/usr/bin/env bash
# The small models of Kim et al. (2016), Table 4, on any language: words, morphemes and characters.
# Prints validation perplexities. It needs Morfessor, the extra `morfessor`.
#   [EPOCHS=25] recipes/paper/language.sh TRAIN VALID RUNS [OPTION...]
# TRAIN, VALID: tokenised text, a sentence per line (recipes/ud/text.py makes it of treebanks).
# OPTIONS of `senna-lm train`, such as --min-count 2, are those of all three. Runs that are there
# are continued.
set -euo pipefail
train=$1 valid=$2 runs=$3
shift 3
mkdir -p "$runs"
[[ -s $runs/morphemes.txt ]] || {
    python "$(dirname "$0")/morphemes.py" "$train" > "$runs/morphemes.txt.new"
    mv "$runs/morphemes.txt.new" "$runs/morphemes.txt"
}
for kind in word morph char; do
    own=(--epochs "${EPOCHS:-25}" "$@")
    [[ $kind != morph ]] || own+=(--segmentation "$runs/morphemes.txt")
    [[ ! -e $runs/$kind/checkpoint.npz ]] || own+=(--resume)
    senna-lm train "$kind" "$runs/$kind" "$train" --valid "$valid" "${own[@]}"
done
for kind in word morph char; do
    printf '%-8s%10s\n' "$kind" "$(senna-lm info "$runs/$kind" | sed -n 's/^validation perplexity: //p')"
done
