#!/usr/bin/env bash
# The neural language models of research/replications.md on the Brown corpus (Bengio et al. 2003, Table 1),
# alone and mixed with the interpolated trigram. Prints validation perplexities.
#   recipes/paper/nplm.sh CORPUS RUNS [NAME...]
# CORPUS has brown.train.txt, brown.valid.txt and brown.vocab.txt. NAME: mlp5, mlp9, classes, large,
# energy; all of them without one. Runs that are there are continued.
set -euo pipefail
needs=2 # arguments
. "$(dirname "$0")/../help.sh"
corpus=$1 runs=$2
shift 2
mkdir -p "$runs"
text=("$corpus/brown.train.txt" --valid "$corpus/brown.valid.txt"
    --vocabulary "$corpus/brown.vocab.txt" --one-stream)
trigram=$runs/trigram.lm kneser_ney=$runs/kneser-ney.lm
[[ -e $trigram ]] || senna-lm train ngram "$trigram" "${text[@]}" --smoothing interpolated
[[ -e $kneser_ney ]] || senna-lm train ngram "$kneser_ney" "${text[@]}" --order 5

[[ -e $runs/paths.tsv ]] || senna-py vectors cluster "$runs/paths.tsv" "$corpus/brown.train.txt" \
    --one-stream --vocabulary "$corpus/brown.vocab.txt" --clusters 500

common=(--order 5 --batch 128 --optimizer adagrad --rate 0.05 --patience 2)
classes="--output-layer classes --classes $runs/paths.tsv"
declare -A settings=(
    [mlp5]="--dim 30 --hidden 50 --direct --rate-decay 1e-6 --weight-decay 4e-5 --epochs 10"
    [mlp9]="--dim 30 --hidden 100 --rate-decay 1e-6 --weight-decay 4e-5 --epochs 10"
    [classes]="--dim 30 --hidden 100 --rate-decay 1e-6 --weight-decay 4e-5 --epochs 10 $classes"
    [energy]="--output-layer energy --softmax-samples 512 --dim 30 --hidden 100 --rate-decay 1e-6 --weight-decay 4e-5 --epochs 10"
    [large]="--dim 100 --hidden 200 --rate-decay 5e-7 --weight-decay 2e-5 --dropout 0.3 --epochs 10 $classes"
)
perplexity() { # what `senna-lm mix` says about the last line's model
    senna-lm mix "$@" --valid "$corpus/brown.valid.txt" 2>&1 | sed -n 's/^mixture:.*perplexity //p'
}
[[ $# -gt 0 ]] || set -- mlp5 mlp9 classes large energy
printf '%-10s%10s%10s%10s%10s%10s\n' "" alone fixed learned frequency "and KN"
for name in "$@"; do
    resume=()
    [[ ! -e $runs/$name/checkpoint.npz ]] || resume=(--resume)
    read -ra own <<<"${settings[$name]}"
    senna-lm train nplm "$runs/$name" "${text[@]}" "${common[@]}" "${own[@]}" ${resume[@]+"${resume[@]}"}
    printf '%-10s%10s' "$name" "$(senna-lm info "$runs/$name" | sed -n 's/^validation perplexity: //p')"
    for weights in fixed learned frequency; do
        printf '%10s' "$(perplexity "$runs/$name-$weights.lm" "$runs/$name" "$trigram" --weights $weights)"
    done
    printf '%10s\n' \
        "$(perplexity "$runs/$name-all.lm" "$runs/$name" "$trigram" "$kneser_ney" --weights frequency)"
done
