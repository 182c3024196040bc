# Every recipe reads this before its arguments: --help prints the recipe's first comment; so do, as an error,
# fewer arguments than it needs: $needs, or 1.
usage() { sed '1d;/^[^#]/,$d;s/^# \{0,1\}//' "$0"; }
case ${1-} in
--help | -h)
    usage
    exit 0
    ;;
esac
[ $# -ge "${needs:-1}" ] || {
    usage >&2
    exit 2
}
