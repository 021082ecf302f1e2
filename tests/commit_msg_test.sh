#!/bin/sh
# SPDX-License-Identifier: MIT
# The hook accepts messages as CONTRIBUTING.md asks for them, and refuses others with a reason.
#   commit_msg_test.sh SOURCE
set -eu
hook=$1/scripts/commit-msg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# accepts MESSAGE
accepts() {
    printf "$1" >"$work/message"
    if ! "$hook" "$work/message" 2>"$work/said"; then
        echo "refused: $1: $(cat "$work/said")" >&2
        failed=1
    fi
}

# refuses REASON MESSAGE
refuses() {
    printf "$2" >"$work/message"
    if "$hook" "$work/message" 2>"$work/said"; then
        echo "accepted: $2" >&2
        failed=1
    elif ! grep -qF -- "$1" "$work/said"; then
        echo "refused for another reason than '$1': $2: $(cat "$work/said")" >&2
        failed=1
    fi
}

repeat() {
    awk -v c="$1" -v n="$2" 'BEGIN { while (n-- > 0) printf "%s", c }'
}

accepts 'map: add a window\n'
accepts 'map: add a window'
accepts '\n# what git adds\nmap: add a window\n\nBecause it is dark.\n\nA second paragraph.\n# a comment\n'
accepts "map: $(repeat x 60)\n"
accepts "map: add a window\n\n$(repeat y 100)\n"
accepts "map: add a window\n\nWhy.\n# ------------------------ >8 ------------------------\n$(repeat d 200)\n"
accepts 'fixup! map: add a window\n'
accepts 'Revert "map: add a window"\n\nThis reverts commit 1.\n'

refuses 'has 66 characters; at most 65' "map: $(repeat x 61)\n"
refuses 'must be `module: imperative subject`' 'add a window\n'
refuses 'must be `module: imperative subject`' 'Map: add a window\n'
refuses 'must be `module: imperative subject`' 'map:add a window\n'
refuses 'no full stop' 'map: add a window.\n'
refuses 'must be imperative' 'map: added a window\n'
refuses 'must be imperative' 'map: adds a window\n'
refuses 'the second line must be blank' 'map: add a window\nBecause it is dark.\n'
refuses 'line 3 has 101 characters; at most 100' "map: add a window\n\n$(repeat y 101)\n"
refuses 'there is no subject' '# only a comment\n\n'
refuses 'says nothing after the module' 'map: \n'
exit $failed
