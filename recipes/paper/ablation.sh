#!/usr/bin/env bash
# The ablations of research/replications.md: chunking (CoNLL-2000) and entities (CoNLL-2003), each with one
# thing changed. Prints a table of dev F1.
#   recipes/paper/ablation.sh CORPORA VECTORS RUNS [--set SETTING]...
# CORPORA has conll2000/train.txt, conll2003/eng.train and conll2003/eng.testa. SETTINGs, such as
# training.epochs=1, are for all networks.
set -euo pipefail
needs=3 # arguments
. "$(dirname "$0")/../help.sh"
corpora=$1 vectors=$2 runs=$3
shift 3
here=$(dirname "$0")

variants=(
    "base"
    "word-level likelihood|network.criterion='word'"
    "random vectors|network.vectors='random'"
    "random vectors, word-level|network.vectors='random'|network.criterion='word'"
    "vectors fixed|training.fixed=['word']"
    "linear|network.window.hidden=0"
    "linear, vectors fixed|network.window.hidden=0|training.fixed=['word']"
)
printf '%-28s%10s%10s\n' "" chunking entities
for variant in "${variants[@]}"; do
    IFS='|' read -r name first second <<<"$variant"
    changes=("$@")
    for change in "$first" "$second"; do
        [[ -z $change ]] || changes+=(--set "$change")
    done
    printf '%-28s' "$name"
    for task in chunking entities; do
        mkdir -p "$runs/$task"
        run="$runs/$task/${name//[ ,]/_}"
        score=$(senna-train "$here/$task.toml" "$corpora" "$run" --vectors "$vectors" \
            ${changes[@]+"${changes[@]}"} 2>"$run.log.txt" | sed -n 's/.*FB1: *\([0-9.]*\)$/\1/p' | head -1) ||
            { cat "$run.log.txt" >&2; exit 1; }
        printf '%10s' "$score"
    done
    printf '\n'
done
