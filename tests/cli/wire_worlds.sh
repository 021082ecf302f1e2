#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of worlds over the wire: the same verdicts, turns and hashes as in process, behind tcp:
# and behind exec:. With OCTANT_SOAK all of ours, those that fail, and where OCTANT_DATA names the
# data those of the original worlds; else some that are quick. Prints CPU seconds and turns.
data=${OCTANT_DATA:-$2/../shared/data}
[ ! -d "$data" ] || data=$(cd "$data" && pwd)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
unset OCTANT_CONNECT OCTANT_PORT
server=
trap 'if [ "$server" ]; then kill "$server" 2>/dev/null; fi; rm -rf "$work"' EXIT

# since: CPU seconds of all that has ended, less those at the call before. Not for a subshell, which
# has a clock of its own.
ended=0
since() {
    times >"$work/times"
    all=$(awk -F'[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "$work/times")
    seconds=$((all - ended))
    ended=$all
}

# plays CODE FOLDER ROOT ARGUMENT...: in process, behind tcp: and behind exec:, from a folder, with
# the levels below another one.
plays() {
    code=$1
    root=$3
    cd "$2" || exit 2
    shift 3
    since
    expect "$code" test "$@" --json
    since
    took=$seconds
    is_json
    what_came "$work/out" >"$work/in_process"
    tests=$(grep -c '^      "name"' "$work/out")
    [ "$tests" -gt 0 ] || fail 'no test was played'
    turns=$(awk -F'[:,]' '/^      "turns"/ { n += $2 } END { print n }' "$work/out")
    : >"$work/port" # not that of a server before
    "$octant" serve "$(find "$root"/ -name '*.json' | sort | head -n 1)" --root "$root" --port 0 \
        >"$work/port" 2>"$work/served" &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -s "$work/port" ] || sleep 0.3
    done
    port=$(sed -n 's/^listening on 127.0.0.1://p' "$work/port")
    [ "$port" ] || fail 'serve does not tell its port'
    for game in "tcp:127.0.0.1:$port" "exec:'$octant' serve --root '$root'"; do
        since
        expect "$code" test "$@" --json --game "$game"
        since
        took="$took $seconds"
        what_came "$work/out" >"$work/wire"
        cmp -s "$work/in_process" "$work/wire" || {
            diff "$work/in_process" "$work/wire" >"$work/out"
            fail "runs over ${game%%:*}: differ from those in process"
        }
    done
    kill "$server"
    wait "$server" 2>/dev/null
    server=
    echo "$tests tests, $turns turns: the same in process, over tcp: and over exec:"
    echo "  CPU seconds of octant, without the server behind tcp: $took"
}

if [ ! "${OCTANT_SOAK-}" ]; then
    plays 0 "$source" "$source/worlds" worlds/tests/agents.lua worlds/tests/door_and_button.lua \
        worlds/tests/tools.lua
    exit
fi
plays 0 "$source" "$source/worlds" worlds/tests
plays 1 "$source" "$source/worlds" worlds/tests_failing
if [ -d "$data/space_engineers/worlds" ]; then
    mkdir "$work/original" "$work/original/shared"
    ln -s "$data" "$work/original/shared/data"
    cp "$source"/worlds/tests/original/*.lua "$work/original"
    OCTANT_DATA=$data
    export OCTANT_DATA
    plays 0 "$work/original" "$data/space_engineers/worlds" .
fi
