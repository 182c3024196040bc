#!/usr/bin/env bash
# Train the English model further: RUNS/en. What is there is not made again, and a run that was stopped goes on.
#   recipes/en/further.sh [--set KEY=VALUE]... CORPORA RUNS MODEL
# MODEL: the model to begin with; see recipes/README.md. CORPORA gets the directories everyday, tweets, merged,
# damaged, written and labels/all.
# --set: another setting for senna-train, of further.toml, such as training.epochs=1; it holds for all three runs.
set -euo pipefail
needs=3 # arguments
. "$(dirname "$0")/../english.sh"
corpora=$1 runs=$2 model=$(realpath "$3")
here=$(dirname "$0")
mkdir -p "$runs/en"

damage() { # NAME FILE SHARE SEED COLUMNS: damaged copies of some sentences
    new "$corpora/damaged/$1.tsv" python "$here/damage.py" "$2" "$corpora/damaged/$1.tsv" --share "$3" --seed "$4" --columns "$5"
}

new "$corpora/conll2000/hyphens.txt" hyphens
new "$corpora/everyday/chk.tsv" python "$here/everyday.py" "$corpora"
new "$corpora/tweets/pos.tsv" python "$here/tweets.py" "$corpora" -path "$model"
new "$corpora/labels/all" columns
for n in 0{000..013}; do
    [ -e "$corpora/labels/all/$n.tsv" ] || { echo "$corpora/labels/all/$n.tsv: no such file" >&2; exit 1; }
done
new "$corpora/merged/ewt.tsv" python "$here/merged.py" "$corpora" -path "$model"
new "$corpora/written/names.tsv" python "$here/written.py" "$corpora"
arcs=upos,feats,head,relation roles=predicate,roles
damage ewt "$corpora/merged/ewt.tsv" 0.4 21 word,pos,ner,pt0,vbs,psg,$arcs,$roles
damage gum "$corpora/merged/gum.tsv" 0.4 22 word,pos,pt0,psg,$arcs
damage masc "$corpora/merged/masc.tsv" 0.5 23 word,pos,ner,pt0,vbs,psg,$roles
damage names "$corpora/merged/names.tsv" 0.25 24 word,ner
for n in 0 1 2 3 4; do
    damage labels.$n "$corpora/labels/all/000$n.tsv" 0.4 1$n word,pos,chk,ner,pt0,vbs,upos,val,psg,head,relation,share,$roles
done
# join RUN: the networks of a run in the model
join() {
    senna-model build "$runs/$1.safetensors" "$model" "$runs/$1" --replace --info "$runs/model.toml" --vector-bits 8
}

# again NAME FILES COPIES OPTION...: a run from where the first one ends, on other labels, which weigh more
again() {
    sed -E "s#labels/all/000\[0-2\]#labels/all/$2#; s#labels\.\[0-2\]#labels.$3#; s/^weight = 0\.7$/weight = 1.0/" \
        "$here/further.toml" > "$runs/$1.toml"
    senna-train "$runs/$1.toml" "$corpora" "$runs/$1" --resume --set network.init="$runs/first.safetensors" \
        --set training.rate=0.0005 "${@:4}" ${settings[@]+"${settings[@]}"}
    join "$1"
}

{ cat "$here/model.toml" && echo 'tasks = ["pos", "chk", "ner", "srl", "psg", "dep"]'; } > "$runs/model.toml"
senna-train "$here/further.toml" "$corpora" "$runs/first" --resume --set network.init="$model" ${settings[@]+"${settings[@]}"}
join first
again second '000[6-9]' '[3-4]' --set training.epochs=3
again third '001[0-3]' '[0-2]' --set training.epochs=1 --set training.seed=2
python "$here/average.py" "$runs/second.safetensors" "$runs/third.safetensors" "$runs/runs.safetensors" 0.5
python "$here/average.py" "$model" "$runs/runs.safetensors" "$runs/average.safetensors" 0.6
new "$corpora/wordnet/forms.tsv" forms
python "$here/lemmas.py" "$runs/average.safetensors" "$corpora" "$runs/lemmas.safetensors"
python "$here/features.py" "$runs/lemmas.safetensors" "$corpora" "$runs/features.safetensors"
python "$here/pooling.py" "$runs/features.safetensors" "$runs/en/model.safetensors"
