#!/bin/sh
# SPDX-License-Identifier: MIT
# One thing that goes wrong does not take the others with it: a full disk for one trace or one
# report, a reader of standard output that goes away, memory that is short during one test.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

cp "$source/worlds/door_and_button.json" w.json
cat >t.lua <<'END_OF_SCRIPT'
world "w.json"
test("first", function() return SUCCESS() end)
test("long", function() return interacted "Panel" end)
test("last", function() return SUCCESS() end)
END_OF_SCRIPT

# limited BLOCKS ARGUMENT...: files are that large at most, as on a full disk.
limited() {
    blocks=$1
    shift
    code=0
    (
        ulimit -f "$blocks"
        exec "$octant" "$@"
    ) >out 2>err || code=$?
}

works test t.lua --trace whole --junit whole.xml --html whole.html
size=$(wc -c <whole/002-long.jsonl)
[ "$size" -gt $((8 * $(wc -c <whole.xml))) ] || fail "the trace is too short for this test"
blocks=$((size / 1024)) # half of it

limited $blocks test t.lua --trace some --junit some.xml --json --threads 1
equals "$code" 2
equals "$(cat err)" "octant: t.lua:3: long: its trace, some/002-long.jsonl: cannot write: File too large"
is_json
equals "$(field passed) $(field errors)" "2 1"
equals "$(ls some | tr '\n' ' ')" "001-first.jsonl 003-last.jsonl "
equals "$(grep -c '<testcase' some.xml)" 3
grep -q '<error.*its trace, some/002-long.jsonl: cannot write: File too large' some.xml ||
    fail "the report does not say so"
tail -n 1 some.xml | grep -q '^</testsuites>' || fail "the XML has no end"

# Two of them are one line.
cat >u.lua <<'END_OF_SCRIPT'
world "w.json"
test("long", function() return interacted "Panel" end)
test("longer", function() return interacted "Panel" end)
test("last", function() return SUCCESS() end)
END_OF_SCRIPT
limited $blocks test u.lua --trace two --junit two.xml
equals "$code" 2
equals "$(cat err)" "octant: u.lua:2: long: its trace, two/001-long.jsonl: cannot write: File too \
large; and 1 more"
says "1 passed, 0 failed, 0 inconclusive, 2 errors"

# A report that does not fit leaves the others.
limited $(($(wc -c <whole.html) / 1024)) test t.lua --junit other.xml --html other.html
equals "$code" 2
equals "$(cat err)" "octant: other.html: cannot write: File too large"
says "3 passed"
[ ! -e other.html ] || fail "half a report"
equals "$(grep -c '<testcase' other.xml)" 3

# An exploration is worth more than its trace.
works explore w.json --trace whole.jsonl --json
limited $(($(wc -c <whole.jsonl) / 1024)) explore w.json --trace some.jsonl --json
equals "$code" 2
equals "$(cat err)" "octant: some.jsonl: cannot write: File too large"
is_json
equals "$(field status)" '"explored"'
[ ! -e some.jsonl ] || fail "half a trace"

# Standard output that nobody reads, or that is full.
{
    sleep 0.2
    code=0
    "$octant" test t.lua --trace pipe --junit pipe.xml --html pipe.html 2>err || code=$?
    echo $code >code
} | :
equals "$(cat code)" 2
grep -q '^octant: standard output: ' err || fail "nobody is told"
equals "$(wc -l <err)" 1
equals "$(grep -c '<testcase' pipe.xml)" 3
grep -q '</html>' pipe.html || fail "the page has no end"
equals "$(ls pipe | wc -l)" 3
if [ -c /dev/full ]; then
    code=0
    "$octant" test t.lua --junit full.xml --json >/dev/full 2>err || code=$?
    equals "$code" 2
    equals "$(grep -c '<testcase' full.xml)" 3
fi

# Memory that is short once, wherever that is: either nothing was played, or all reports are there,
# and what could not be played is an error among them.
if [ -n "${OCTANT_FAILING_CALLS:-}" ]; then
    run() {
        code=0
        LD_PRELOAD=$OCTANT_FAILING_CALLS "$octant" test t.lua --threads 1 --junit memory.xml \
            >out 2>err || code=$?
    }
    OCTANT_FAIL_COUNT=count run
    equals "$code" 0
    all=$(cut -d' ' -f2 count)
    errors=0
    for part in 5 15 25 35 45 55 65 75 85 95; do
        rm -f memory.xml
        OCTANT_FAIL_AT=memory:$((all * part / 100)):0 run
        if grep -q '^  [A-Za-z]* ' out; then
            equals "$(grep -c '<testcase' memory.xml)" 3
            [ "$code" -eq 0 ] || errors=$((errors + 1))
        fi
        [ "$code" -eq 0 ] || [ "$code" -eq 1 ] || equals "$(wc -l <err)" 1
    done
    [ $errors -gt 0 ] || fail "no test was short of memory"
fi
exit 0
