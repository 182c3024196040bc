#!/usr/bin/env bash
# Ensembles of networks for entities that begin with different random numbers (Collobert et al. 2011,
# section 6.4). Prints dev F1: of the networks, and of each kind of ensemble.
#   recipes/paper/ensemble.sh CORPORA VECTORS RUNS [NETWORKS [--set SETTING]...]
# CORPORA has conll2003/eng.train and conll2003/eng.testa; NETWORKS: how many, 10 as in the paper;
# SETTINGs, such as training.epochs=1, are for all that is trained. Runs that were stopped go on.
set -euo pipefail
needs=3 # arguments
. "$(dirname "$0")/../help.sh"
corpora=$1 vectors=$2 runs=$3 count=${4:-10}
shift $(($# < 4 ? $# : 4))
config=$(dirname "$0")/entities.toml

f1() { # of a model
    senna-eval model ner "$corpora/conll2003/eng.testa" --columns word,-,-,ner -path "$1" |
        sed -n 's/.*FB1: *\([0-9.]*\)$/\1/p' | head -1
}

mkdir -p "$runs"
members=()
for ((seed = 1; seed <= count; seed++)); do
    run=$runs/network$seed
    senna-train "$config" "$corpora" "$run" --vectors "$vectors" --seed "$seed" --resume "$@" \
        >/dev/null 2>"$run.log.txt" || { cat "$run.log.txt" >&2; exit 1; }
    members+=("$run")
done
for run in "${members[@]}"; do f1 "$run"; done | sort -n | awk '
    { total += $1; score[NR] = $1 }
    END { printf "worst %.2f\nmean  %.2f\nbest  %.2f\n", score[1], total / NR, score[NR] }'
for how in vote scores joined; do
    out=$runs/$how train=()
    [[ $how != joined ]] || train=(--train "$config" "$corpora" --set training.epochs=3 "$@")
    [[ -e $out/model.safetensors ]] ||
        senna-model ensemble "$out" "${members[@]}" --how "$how" ${train[@]+"${train[@]}"} \
            >/dev/null 2>"$out.log.txt" || { cat "$out.log.txt" >&2; exit 1; }
    printf '%s %s\n' "$how" "$(f1 "$out")"
done
