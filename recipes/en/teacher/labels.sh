#!/usr/bin/env bash
# Label running text: what the teacher says of it, averaged with what a model of this project says.
#   recipes/en/teacher/labels.sh RUN ENCODER NAMES SENTENCES OUT MODEL
# OUT gets TASK/BLOCK.tsv for each task and block of sentences, in the format of senna-tag
# --probabilities; predicates are those of MODEL. After the first ten blocks, of 200,000 words each, only parts of
# speech and chunks are labeled. A run that was stopped goes on with the next block.
set -euo pipefail
run=$1 encoder=$2 names=$3 sentences=$4 out=$5 model=$6
here=$(dirname "$0")
now=$out/now
# The weight of the model, that of the teacher being 1; by dev, see table.py.
declare -A weight=([pos]=1 [chk]=0.43 [ner]=0.43 [pt0]=0.43 [vbs]=1 [psg]=0.43 [srl]=1)
mkdir -p "$out/blocks" "$now"
for task in "${!weight[@]}"; do mkdir -p "$out/$task"; done
[ -e "$out/blocks/done" ] || split -l 10000 -d -a 4 "$sentences" "$out/blocks/"
touch "$out/blocks/done"

for block in "$out"/blocks/[0-9]*; do
    number=$(basename "$block")
    [ ! -e "$now/done.$number" ] || continue
    tasks=("${!weight[@]}") options=(--predicates "$now/predicates")
    [[ $number < 0010 ]] || tasks=(pos chk) options=(--words)
    for task in "${tasks[@]}"; do
        senna-tag -usrtokens -task $task --probabilities -path "$model" "$block" -o "$now/$task.model.tsv"
    done
    [[ $number > 0009 ]] || cut -f 2 "$now/srl.model.tsv" > "$now/predicates"
    python "$here/predict.py" "$run" "$encoder" "$names" "$block" "$now" "${options[@]}"
    for task in "${tasks[@]}"; do
        python "$here/average.py" "$task" "$now/$task.tsv=1" "$now/$task.model.tsv=${weight[$task]}" \
            > "$out/$task/$number.tsv"
    done
    touch "$now/done.$number"
done
