#!/usr/bin/env bash
# The character-aware models of Kim et al. (2016) on the Penn Treebank: Table 3 (small and large),
# Table 7 (layers between characters and LSTM). Prints validation perplexities.
#   [EPOCHS=25] [SEGMENTATION=FILE] recipes/paper/characters.sh CORPUS RUNS [NAME...]
# CORPUS has ptb.train.txt and ptb.valid.txt. NAME: char-small, word-small, highway-none,
# highway-two, plain, char-large, word-large, and morph if SEGMENTATION names a file of morphemes
# (see docs/train/character-models.md); all of them without one. Also char-small-2, -3 and so on,
# char-small with that --seed, and the same of word-small. Runs that are there are continued. The
# large models take two cores.
set -euo pipefail
needs=2 # arguments
. "$(dirname "$0")/../help.sh"
corpus=$1 runs=$2
shift 2
names=(char-small word-small highway-none highway-two plain char-large word-large)
declare -A settings=(
    [char-small]="char"
    [word-small]="word"
    [highway-none]="char --highway 0"
    [highway-two]="char --highway 2"
    [plain]="char --plain --spread 0.1"  # from 0.05 it begins badly: research/notes.md
    [char-large]="char --preset large --threads 2"
    [word-large]="word --preset large --threads 2"
    [morph]="morph"
)
[[ -z ${SEGMENTATION:-} ]] || names+=(morph)
[[ $# -gt 0 ]] || set -- "${names[@]}"
for name in "$@"; do
    [[ ! $name =~ ^(char|word)-small-([0-9]+)$ ]] ||
        settings[$name]="${BASH_REMATCH[1]} --seed ${BASH_REMATCH[2]}"
    [[ -n ${settings[$name]:-} ]] || { echo "$name: not one of ${!settings[*]}" >&2; exit 2; }
    read -r kind options <<<"${settings[$name]}"
    read -ra own <<<"$options"
    [[ $name != morph ]] || own+=(--segmentation "${SEGMENTATION:?names the file of morphemes}")
    [[ -z ${EPOCHS:-} ]] || own+=(--epochs "$EPOCHS")
    [[ ! -e $runs/$name/checkpoint.npz ]] || own+=(--resume)
    senna-lm train "$kind" "$runs/$name" "$corpus/ptb.train.txt" --valid "$corpus/ptb.valid.txt" \
        ${own[@]+"${own[@]}"}
    printf '%-14s%10s\n' "$name" "$(senna-lm info "$runs/$name" | sed -n 's/^validation perplexity: //p')"
done
