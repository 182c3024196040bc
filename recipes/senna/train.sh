#!/usr/bin/env bash
# Train SENNA's own networks (Tables 5 and 14 of the paper), join them, and write them as a SENNA
# directory, which senna-tag -usrtokens tags with as it does with the native file.
#   recipes/senna/train.sh CORPORA VECTORS RUNS [OPTION OF SENNA-TRAIN]...
set -euo pipefail
needs=3 # arguments
. "$(dirname "$0")/../help.sh"
corpora=$1 vectors=$2 runs=$3
shift 3
here=$(dirname "$0")
tasks=(pos chk ner pt0 vbs srl)
for task in "${tasks[@]}"; do
    senna-train "$here/$task.toml" "$corpora" "$runs/$task" --vectors "$vectors" "$@"
done
senna-model build "$runs/model.safetensors" "${tasks[@]/#/$runs/}"
senna-model export "$runs/senna" --path "$runs/model.safetensors"
