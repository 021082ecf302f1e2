#!/bin/sh
# SPDX-License-Identifier: MIT
# Games whose process is killed at some moment, between its start and after its end: the verdict is
# an error or the true one, nobody waits for what is dead, and no process is left.
#   OCTANT_KILLS   how often (default 5)
#   OCTANT_SEED    of the moments (default 1)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
unset OCTANT_CONNECT OCTANT_PORT
kills=${OCTANT_KILLS:-5}
# Milliseconds that a run may take: far less than the patience with a game that is silent, and more
# where the machine has other work.
longest=10000

cp "$source/worlds/door_and_button.json" "$source/worlds/tests_failing/unwired.json" .
cat >both.lua <<'END'
world "door_and_button.json"
test("pass", function() return smart_close_to_block { type = "TargetDummy" } end)
world "unwired.json"
test("fail", function() return smart_close_to_block { type = "TargetDummy" } end)
END
# The game, and beside it who kills it: with SIGKILL, so that it can say nothing. Both have this
# folder in their command lines.
cat >killed.sh <<'END'
(sleep "$2"; kill -9 $$) &
exec "$1" serve --root "$(dirname "$0")"
END

# verdicts FILE: of all tests, on one line.
verdicts() {
    sed -n 's/^      "verdict": "\(.*\)",.*/\1/p' "$1" | tr '\n' ' '
}

# milliseconds: of some clock.
milliseconds() {
    case $(date +%N) in
    *[!0-9]*) echo "$(date +%s)000" ;;
    *) date +%s%3N ;;
    esac
}

# How long a run takes that nobody ends, and its verdicts.
begin=$(milliseconds)
expect 1 test both.lua --threads 1 --json --game "exec:sh '$work/killed.sh' '$octant' 600"
took=$(($(milliseconds) - begin))
equals "$(verdicts out)" 'pass fail '
nobody_is_left "$work"
[ $((took * 5)) -lt $longest ] || longest=$((took * 5))

awk -v n="$kills" -v most="$took" -v seed="${OCTANT_SEED:-1}" \
    'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.4f\n", rand() * 0.9 * most / 1000 }' >moments
errors=0 whole=0 slowest=0
while read -r moment; do
    begin=$(milliseconds)
    code=0
    timeout 60 "$octant" test both.lua --threads 1 --json \
        --game "exec:sh '$work/killed.sh' '$octant' $moment" >out 2>err </dev/null || code=$?
    took=$(($(milliseconds) - begin))
    [ "$took" -le $longest ] || fail "killed after $moment s: it took $took ms"
    [ "$took" -le "$slowest" ] || slowest=$took
    if [ $code -eq 2 ] && [ ! -s out ]; then
        # It was killed before it was there at all.
        [ "$(wc -l <err)" -eq 1 ] || fail "killed after $moment s: not one line"
        errors=$((errors + 1))
    else
        [ $code -eq 1 ] || fail "killed after $moment s: exit code $code"
        case $(verdicts out) in
        'pass fail ') whole=$((whole + 1)) ;;
        'error fail ' | 'pass error ' | 'error error ') errors=$((errors + 1)) ;;
        *) fail "killed after $moment s: $(verdicts out)" ;;
        esac
    fi
    # shellcheck disable=SC2009 # pgrep is not everywhere
    for wait in 0.05 0.2 1 0; do
        ps ax -o args | grep -v grep | grep -q -e "$work" || break
        [ $wait != 0 ] || fail "killed after $moment s: a process is left"
        sleep $wait
    done
done <moments
[ $((errors + whole)) -eq "$kills" ] || fail 'not all were played'
echo "$kills games were killed: $errors runs with errors, $whole that had ended, $slowest ms at most"
