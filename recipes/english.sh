# What en/model.sh and en/further.sh share: the options --set, read before the arguments, and steps, which use corpora,
# runs, model and here.
. "$(dirname "$0")/../help.sh"
settings=()
while [[ ${1-} == --set ]]; do
    settings+=(--set "$2")
    shift 2
done

new() { # FILE COMMAND...: make a file or directory, if it is not there
    [ -e "$1" ] || "${@:2}"
}
hyphens() { python "$here/hyphens.py" "$corpora/conll2000/train.txt" > "$runs/hyphens.txt" && mv "$runs/hyphens.txt" "$corpora/conll2000"; }
forms() { # the words of WordNet, for lemmas
    python "$here/wordnet.py" "$corpora/wordnet" "$model" "$here/forms.tsv" > "$runs/forms.tsv" && mv "$runs/forms.tsv" "$corpora/wordnet"
}
columns() { python "$here/teacher/labels.py" "$corpora/labels" "$runs/labels" && mv "$runs/labels" "$corpora/labels/all"; }
