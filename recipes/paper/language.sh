#!/usr/bin/env bash
# The small models of Kim et al. (2016), Table 4, on any language: words, morphemes, characters, and
# characters that are read of unknown words, too (`--spell-unknown`, not in the paper). Prints
# validation perplexities. It needs Morfessor (pip install morfessor).
#   [EPOCHS=25] recipes/paper/language.sh TRAIN VALID RUNS [OPTION...]
# TRAIN, VALID: tokenised text, a sentence per line (docs/train/character-models.md makes it of treebanks).
# OPTIONS of `senna-lm train`, such as --min-count 2, are those of all four. Runs that are there
# are continued.
set -euo pipefail
needs=3 # arguments
. "$(dirname "$0")/../help.sh"
train=$1 valid=$2 runs=$3
shift 3
mkdir -p "$runs"
[[ -s $runs/morphemes.txt ]] || {
    python "$(dirname "$0")/morphemes.py" "$train" > "$runs/morphemes.txt.new"
    mv "$runs/morphemes.txt.new" "$runs/morphemes.txt"
}
declare -A kind=([word]=word [morph]=morph [char]=char [spelled]=char)
for name in word morph char spelled; do
    own=(--epochs "${EPOCHS:-25}" "$@")
    [[ $name != morph ]] || own+=(--segmentation "$runs/morphemes.txt")
    [[ $name != spelled ]] || own+=(--spell-unknown)
    [[ ! -e $runs/$name/checkpoint.npz ]] || own+=(--resume)
    senna-lm train "${kind[$name]}" "$runs/$name" "$train" --valid "$valid" "${own[@]}"
done
for name in word morph char spelled; do
    printf '%-8s%10s\n' "$name" "$(senna-lm info "$runs/$name" | sed -n 's/^validation perplexity: //p')"
done
