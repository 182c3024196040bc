# Every recipe reads this before its arguments: --help, and no argument, print the recipe's first comment.
case ${1---help} in
--help | -h)
    [ $# -gt 0 ] || exec >&2
    sed '1d;/^[^#]/,$d;s/^# \{0,1\}//' "$0"
    exit $(($# > 0 ? 0 : 2))
    ;;
esac
