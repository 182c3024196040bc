#!/usr/bin/env bash
# Dev figures of the teacher, of models of this project, and of their means.
#   recipes/en/teacher/table.sh CORPORA RUN ENCODER OUT MODEL...
set -euo pipefail
corpora=$1 run=$2 encoder=$3 out=$4
models=("${@:5}")
here=$(dirname "$0")
names=(teacher)
python "$here/table.py" "$corpora" "$out"
python "$here/predict.py" "$run" "$encoder" "$corpora/gazetteers" "$out/sentences" "$out/teacher" \
    --predicates "$out/predicates"
for model in "${models[@]}"; do
    name=$(basename "$model")
    names+=("$name")
    mkdir -p "$out/$name"
    for options in -pos -chk -ner -pt0 "-task vbs" -psg "-srl -usrvbs $out/predicates"; do
        task=${options#-task } task=${task#-} task=${task%% *}
        [ -e "$out/$name/$task.tsv" ] || senna-tag -usrtokens $options --probabilities -path "$model" \
            "$out/sentences" -o "$out/$name/$task.tsv"
    done
done
python "$here/table.py" "$corpora" "$out" "${names[@]}" | tee "$out/table"
