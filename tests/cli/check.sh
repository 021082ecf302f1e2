# SPDX-License-Identifier: MIT
# What the scripts share. Each is called with the path of octant and the source folder, and works in
# a folder of its own that vanishes with it:
#   tests/cli/help.sh build/octant .
# Standard output of the last run is in `out`, standard error in `err`.
# shellcheck shell=sh
set -u
octant=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
# shellcheck disable=SC2034 # some scripts use it
source=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
OCTANT_CACHE=$work/cache
export OCTANT_CACHE
unset NO_COLOR OCTANT_DATA

fail() {
    echo "FAILED: $*" >&2
    echo "--- stdout" >&2
    cat "$work/out" >&2
    echo "--- stderr" >&2
    cat "$work/err" >&2
    exit 1
}

# expect CODE ARGUMENT...: octant exits with the code.
expect() {
    expected=$1
    shift
    code=0
    "$octant" "$@" >"$work/out" 2>"$work/err" || code=$?
    [ "$code" -eq "$expected" ] || fail "octant $* exits with $code, not $expected"
}

# works ARGUMENT...: octant exits with 0 and complains of nothing.
works() {
    expect 0 "$@"
    [ ! -s "$work/err" ] || fail "octant $* complains"
}

# refuses MESSAGE ARGUMENT...: octant exits with 2, prints that one line on stderr and nothing else.
refuses() {
    message=$1
    shift
    expect 2 "$@"
    printf 'octant: %s\n' "$message" >"$work/expected"
    cmp -s "$work/expected" "$work/err" || fail "octant $* should say: $message"
    [ ! -s "$work/out" ] || fail "octant $* prints something"
}

# says TEXT: standard output holds the text.
says() {
    grep -qF -e "$1" "$work/out" || fail "the output lacks: $1"
}

# is_json: standard output is one JSON object. Its shape is checked by eye where there is no python.
is_json() {
    [ "$(head -c 1 "$work/out")" = '{' ] || fail "no JSON object"
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; assert isinstance(json.load(sys.stdin), dict)' \
            <"$work/out" || fail "not JSON"
    fi
}

# field NAME: the value of a field that is a number, from indented JSON.
field() {
    sed -n "s/^  \"$1\": \([^,]*\),\{0,1\}\$/\1/p" "$work/out"
}

# equals WHAT EXPECTED: compares two words.
equals() {
    [ "$1" = "$2" ] || fail "'$1' should be '$2'"
}

# only FILE...: the folder holds these files and no others, finished or not.
only() {
    ls -A "$work/files" >"$work/listed"
    printf '%s\n' "$@" | sort | sed '/^$/d' >"$work/expected"
    cmp -s "$work/expected" "$work/listed" || fail "files left: $(tr '\n' ' ' <"$work/listed")"
}

# drafts PID FOLDER: how many files in a folder a process is writing, finished or not. They may have
# no name yet.
drafts() {
    count=0
    for descriptor in /proc/"$1"/fd/*; do
        case $(readlink "$descriptor") in
        */"$2"/*) [ ! -s "$descriptor" ] || count=$((count + 1)) ;;
        esac
    done
    echo $count
}

# what_came FILE: what must be the same wherever the game is. What there is beyond what was seen is
# known of a world alone.
what_came() {
    grep -e '"name"' -e '"verdict"' -e '"reason"' -e '"turns"' -e '"game_s"' -e '"hash"' \
        -e '"presses"' -e '"looks"' "$1"
}

# nobody_is_left TEXT: no process whose command line has the text.
nobody_is_left() {
    sleep 0.2
    # shellcheck disable=SC2009 # pgrep is not everywhere
    if ps ax -o args | grep -v grep | grep -q -e "$1"; then
        fail "a process is left: $1"
    fi
}
