#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of our worlds over the wire: the same verdicts, turns and hashes as in process, behind
# tcp: and behind exec:. With OCTANT_SOAK all of them, else some that are quick.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
unset OCTANT_CONNECT OCTANT_PORT
server=
trap 'if [ "$server" ]; then kill "$server" 2>/dev/null; fi; rm -rf "$work"' EXIT
cd "$source" || exit 2

set -- worlds/tests
[ "${OCTANT_SOAK-}" ] ||
    set -- worlds/tests/agents.lua worlds/tests/door_and_button.lua worlds/tests/tools.lua

works test "$@" --json
is_json
what_came "$work/out" >"$work/in_process"
tests=$(grep -c '^      "name"' "$work/out")
[ "$tests" -gt 0 ] || fail 'no test was played'

# plays GAME ARGUMENT...: as in process.
plays() {
    game=$1
    shift
    works test "$@" --json --game "$game"
    what_came "$work/out" >"$work/wire"
    cmp -s "$work/in_process" "$work/wire" || {
        diff "$work/in_process" "$work/wire" >"$work/out"
        fail "runs over ${game%%:*}: differ from those in process"
    }
}

"$octant" serve worlds/door_and_button.json --port 0 >"$work/port" 2>"$work/served" &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s "$work/port" ] || sleep 0.3
done
port=$(sed -n 's/^listening on 127.0.0.1://p' "$work/port")
[ "$port" ] || fail 'serve does not tell its port'
plays "tcp:127.0.0.1:$port" "$@"
plays "exec:'$octant' serve" "$@"
echo "$tests tests were the same in process, over tcp: and over exec:"
