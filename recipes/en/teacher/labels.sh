#!/usr/bin/env bash
# Label running text: what the teacher says of it, averaged with what models of this project say.
#   recipes/en/teacher/labels.sh RUN ENCODER NAMES SENTENCES OUT MODEL...
# OUT gets TASK/BLOCK.tsv.xz for each task and block of sentences, in the format of senna-tag
# --probabilities. A run that was stopped goes on with the next block.
set -euo pipefail
run=$1 encoder=$2 names=$3 sentences=$4 out=$5
models=("${@:6}")
here=$(dirname "$0")
# The weight of each model, that of the teacher being 1; by dev, see table.py.
declare -A weight=([pos]=1 [chk]=0.43 [ner]=0.43 [pt0]=0.43 [vbs]=1 [psg]=0.43 [srl]=1)
declare -A options=([pos]=-pos [chk]=-chk [ner]=-ner [pt0]=-pt0 [vbs]="-task vbs" [psg]=-psg)
options[srl]="-srl -usrvbs $out/now/predicates"
mkdir -p "$out/blocks"
[ -e "$out/blocks/done" ] || split -l 10000 -d -a 4 "$sentences" "$out/blocks/"
touch "$out/blocks/done"

for block in "$out"/blocks/[0-9]*; do
    number=$(basename "$block")
    [ ! -e "$out/srl/$number.tsv.xz" ] || continue
    python "$here/predict.py" "$run" "$encoder" "$names" "$block" "$out/now"
    cut -f 2 "$out/now/srl.tsv" > "$out/now/predicates"
    for task in pos chk ner pt0 vbs psg srl; do
        files=("$out/now/$task.tsv=1")
        for k in "${!models[@]}"; do
            senna-tag -usrtokens ${options[$task]} --probabilities -path "${models[$k]}" "$block" \
                -o "$out/now/$task.$k.tsv"
            files+=("$out/now/$task.$k.tsv=${weight[$task]}")
        done
        mkdir -p "$out/$task"
        python "$here/average.py" "$task" "${files[@]}" | xz -1 > "$out/now/mean.xz"
        mv "$out/now/mean.xz" "$out/$task/$number.tsv.xz"
    done
done
