#!/bin/sh
# SPDX-License-Identifier: MIT
# octant test: verdicts, exit codes, reports, and the same results for any number of threads.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

mkdir scripts worlds files empty
cp "$source/worlds/three_doors.json" "$source/worlds/door_and_button.json" worlds
cat >scripts/b_good.lua <<'END_OF_SCRIPT'
world "worlds/three_doors.json"
test("Button1 can be pressed", { view = 20 }, function()
  print("pressing")
  return SEQ { close_to_button "Button1", press_button "Button1" }
end)
world "worlds/door_and_button.json"
test("the room is seen", function() return explore() end)
END_OF_SCRIPT
cat >scripts/a_bad.lua <<'END_OF_SCRIPT'
world "worlds/three_doors.json"
test("the dummy is in the first room", function()
  return close_to_block { type = "TargetDummy", side = "back" }
end)
test("all is seen at once", { turns = 3 }, function() return explore() end)
test("it begins", function() error("no goal") end)
END_OF_SCRIPT
echo 'not a script' >scripts/c_note.txt

# without_times FILE: what does not depend on time or threads.
without_times() {
    sed -E -e 's/ +[0-9.e+-]+ (ns|us|ms|s)$//' -e '/of the game in|time of the agents/d' \
        -e '/"[a-z_]*_(ms|ns)":/d' -e '/"(threads|steers)":/d' "$1"
}

# ---- verdicts and exit codes ----

works test scripts/b_good.lua
says "scripts/b_good.lua"
says "  pass         Button1 can be pressed "
says "  pass         the room is seen "
says "2 passed, 0 failed, 0 inconclusive, 0 errors"
grep -q 'pressing' out && fail "notes of what passed are for --verbose"
works test scripts/b_good.lua --verbose
says "note: pressing"
says "line of sight, 20 m; seed 1; cells:"
for word in 'in all' 'game' 'initialising' 'adding' 'exploring' 'pathfinding' 'steering' \
    'moving'; do
    says "$word"
done
works test scripts/b_good.lua --quiet
[ "$(head -n 1 out)" = "" ] || fail "--quiet prints what passed"
says "2 passed"

expect 1 test scripts/a_bad.lua
says "  FAIL         the dummy is in the first room"
says "TargetDummy was not found without pressing: it may be beyond Door1, Door3"
says "scripts/a_bad.lua:2; the agent was at "
says "  INCONCLUSIVE all is seen at once"
says "  ERROR        it begins"
says "no goal"
says "0 passed, 1 failed, 1 inconclusive, 1 error"
[ ! -s err ] || fail "it complains, and has no reason"

# What is inconclusive may be a warning; what fails or is an error is none.
expect 1 test scripts/a_bad.lua --inconclusive fail --filter 'seen at once'
works test scripts/a_bad.lua --inconclusive warn --filter 'seen at once' --junit files/warn.xml
says "0 passed, 0 failed, 1 inconclusive, 0 errors (inconclusive tests are warnings)"
grep -q 'failures="0" errors="0" skipped="1"' files/warn.xml || fail "a warning is a failure"
grep -q '<skipped message="inconclusive: out of budget: 3 turns' files/warn.xml ||
    fail "a warning has no reason"
expect 1 test scripts/a_bad.lua --inconclusive warn
expect 1 test scripts/a_bad.lua --inconclusive warn --filter begins
works test scripts/a_bad.lua scripts/b_good.lua --filter 'is seen' --fail-fast --inconclusive warn
says "1 passed, 0 failed, 1 inconclusive, 0 errors"
refuses "test: --inconclusive must be one of fail|warn, not 'pass'" \
    test scripts --inconclusive pass

# A folder: all scripts of it, in the order of their names.
expect 1 test scripts --quiet
says "2 passed, 1 failed, 1 inconclusive, 1 error"
works test --list scripts
equals "$(wc -l <out)" 5
equals "$(head -n 1 out)" "scripts/a_bad.lua:2: the dummy is in the first room"
works test scripts --list --filter 'is seen' --repeat 2 --seed 4
equals "$(tail -n 1 out)" "scripts/b_good.lua:7: the room is seen [seed 5]"
equals "$(wc -l <out)" 4
works test --list --json scripts
is_json

# ---- choosing ----

works test scripts --filter Button1
says "1 passed"
refuses "test: no test matches --filter 'nothing at all'" test scripts --filter 'nothing at all'
works test scripts --filter Button1 --repeat 3 --json
is_json
equals "$(field passed)" 3
equals "$(grep -c '"seed": [123],' out)" 3
works test scripts/b_good.lua --filter Button1 --seed 7 --verbose
says "seed 7;"

# ---- plain maps in place of the octree ----

works test scripts/b_good.lua --structure octree
structures='grid set'
[ -z "${OCTANT_TEST_SAMPLE-}" ] || structures=grid # one takes a sanitizer long enough
for structure in $structures; do
    works test scripts/b_good.lua --filter Button1 --structure $structure
    says "1 passed, 0 failed, 0 inconclusive, 0 errors"
    expect 1 test scripts/a_bad.lua --filter dummy --structure $structure
    says "0 passed, 0 failed, 1 inconclusive, 0 errors"
    says "(not certain: a plain map proves nothing)"
done
refuses "test: --structure must be one of octree|grid|set, not 'list'" \
    test scripts --structure list

# ---- the first that does not pass ----

for threads in 1 4; do
    expect 1 test scripts/b_good.lua scripts/a_bad.lua --fail-fast --threads $threads \
        --trace files/fast
    equals "$(find files/fast -type f | wc -l)" 3
    says "2 passed, 1 failed, 0 inconclusive, 0 errors, 2 not played: an earlier test did not pass"
    grep -q 'seen at once' out && fail "--fail-fast goes on"
done

# ---- any number of threads ----

expect 1 test scripts --threads 1 --verbose --trace files/one
without_times out | sed -e '/in all/d' -e '/moving/d' -e 's/files\/one//' >one
expect 1 test scripts --threads 4 --verbose --trace files/four
without_times out | sed -e '/in all/d' -e '/moving/d' -e 's/files\/four//' >four
cmp one four || fail "threads change the results"
diff -r files/one files/four || fail "threads change the traces"
expect 1 test scripts --threads 1 --json
without_times out >one
expect 1 test scripts --threads 4 --json
without_times out >four
cmp one four || fail "threads change the JSON"

# ---- JSON ----

expect 1 test scripts --json
is_json
equals "$(field passed)" 2
equals "$(field failed)" 1
equals "$(field inconclusive)" 1
equals "$(field errors)" 1
for name in name verdict reason where file line world agents turns game_s time_ms sight view \
    seed coverage explored notes times all_ms moving_s initialising_ms adding_ms \
    exploring_ms pathfinding_ms steering_ms; do
    grep -q "\"$name\":" out || fail "the JSON lacks $name"
done
grep -q '"verdict": "inconclusive"' out || fail "verdicts are words"

# ---- reports ----

expect 1 test scripts --junit files/out.xml --html files/out.html --trace files/replay
says "2 passed"
grep -q '<testsuites name="octant" tests="5" failures="2" errors="1"' files/out.xml ||
    fail "not JUnit"
grep -q '<failure type="inconclusive"' files/out.xml || fail "an inconclusive test is a failure"
equals "$(grep -c '<testsuite ' files/out.xml)" 2
for word in '<!DOCTYPE html>' 'the dummy is in the first room' 'class="m-track' 'class="m-open"' \
    'Time line' 'Goals (' 'Coverage' 'Buttons' 'line of sight, 20 m' '</html>'; do
    grep -qF "$word" files/out.html || fail "the page lacks $word"
done
grep -Eq '(src|href)="(https?:|/)' files/out.html && fail "the page needs other files"
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' files/out.xml ||
        fail "not XML"
fi
ls files/replay >out
cat >expected <<'LIST'
001-the-dummy-is-in-the-first-room.jsonl
002-all-is-seen-at-once.jsonl
003-it-begins.jsonl
004-button1-can-be-pressed.jsonl
005-the-room-is-seen.jsonl
LIST
cmp -s out expected || fail "other traces"
tail -n 1 files/replay/001* >out
says '{"event": "end", "verdict": "fail", "reason": "TargetDummy was not found'
grep -Eq '"proof": "cut", "assumes": \["means", .*"proofs": \[\{"kind": "cut", .*"shut": \[[0-9].*"reached": \[\[' out ||
    fail "no proof in the trace"
head -n 1 files/replay/004* >out
says '"task": "test", "test": "Button1 can be pressed", "script": "scripts/b_good.lua", "line": 2'
says '"sight": "line"'
grep -q '"verb": "use", "target": 4, "button": 0, "came": "done"' files/replay/004* ||
    fail "no press in the trace"
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - "$source/docs/reference/schemas/trace.schema.json" files/replay/*.jsonl <<'PYTHON' >out 2>err ||
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.argv[2:]:
    for line in open(name, encoding="utf-8"):
        validator.validate(json.loads(line))
PYTHON
        fail "a trace breaks its schema"
fi

# ---- Ctrl-C ----

# Two wait for ever, the third will not have begun: reports are whole, and say what was cut short.
mkdir files/cut
cat >endless.lua <<'END_OF_SCRIPT'
world "worlds/door_and_button.json"
local function never() return wait_until("never", function() return false end) end
test("it begins", function() return SUCCESS() end)
test("it waits", { seconds = 1000000 }, never)
test("it is left open", { seconds = 1000000, expect = "inconclusive" }, never)
test("it comes later", function() return SUCCESS() end)
END_OF_SCRIPT

# interrupt SIGNAL OPTION...: plays them until two have begun, then sends the signal.
interrupt() {
    signal=$1
    shift
    rm -rf files/cut
    "$octant" test endless.lua --threads 2 --trace files/cut "$@" >out 2>err &
    running=$!
    waited=0
    until [ -e files/cut/001-it-begins.jsonl ] && [ "$(drafts $running files/cut)" -eq 2 ]; do
        kill -0 $running 2>/dev/null || fail "the run ended early"
        sleep 0.1
        waited=$((waited + 1))
        [ $waited -lt 600 ] || fail "no trace"
    done
    kill -"$signal" $running
    code=0
    wait $running || code=$?
    case $signal in
    INT) equals "$code" 130 ;;
    TERM) equals "$code" 143 ;;
    HUP) equals "$code" 129 ;;
    esac
    [ ! -s err ] || fail "it complains, and has no reason"
}

for signal in INT TERM HUP; do
    interrupt $signal --junit files/cut.xml --html files/cut.html
    says "  pass         it begins"
    says "  INCONCLUSIVE it waits"
    says "  INCONCLUSIVE it is left open"
    equals "$(grep -c '^ *interrupted$' out)" 2
    says "1 passed, 0 failed, 2 inconclusive, 0 errors, 1 not played: interrupted"
    equals "$(find files/cut -type f | wc -l)" 3
    for trace in files/cut/002* files/cut/003*; do
        tail -n 1 "$trace" |
            grep -q '"event": "end", "verdict": "inconclusive", "reason": "interrupted"' ||
            fail "$trace has no end"
    done
    equals "$(grep -c '<failure type="inconclusive" message="interrupted"' files/cut.xml)" 2
    tail -n 1 files/cut.xml | grep -q '^</testsuites>' || fail "the XML has no end"
    grep -q '</html>' files/cut.html || fail "the page has no end"
done
interrupt INT --json
is_json
equals "$(field inconclusive)" 2
equals "$(field not_played)" 1

# ---- what is wrong ----

refuses "nowhere.lua: cannot open: No such file or directory" test nowhere.lua
refuses "empty: there is no .lua file in this folder" test empty
echo 'test("a", function() return' >broken.lua
expect 2 test scripts broken.lua
grep -q '^octant: broken.lua:2: ' err || fail "it does not say where"
[ ! -s out ] || fail "something was played before all was loaded"
equals "$(wc -l <err)" 1
: >nothing.lua
refuses "nothing.lua: it declares no test" test nothing.lua
refuses "files: cannot replace what is not a regular file" test scripts --junit files
refuses "test: --junit and --html name the same file" test scripts --junit files/x --html files/x

# A test that outgrows its memory is an error, and the others are played.
cat >large.lua <<'END_OF_SCRIPT'
world "worlds/door_and_button.json"
test("far", { view = 1000, sight = "through", cell = 0.1 }, function() return explore() end)
test("small", { memory = 1 }, function() return explore() end)
test("enough", { memory = 50 }, function() return explore() end)
END_OF_SCRIPT
expect 1 test large.lua --threads 1
says "more than 1 GB: a map of all that is nearer than 1000 m has a surface of more than 1200 million"
says "more than 1 MB: "
says "a larger cell or a smaller view needs less, memory = 2 (megabytes) allows more"
says "1 passed, 0 failed, 0 inconclusive, 2 errors"
expect 1 test large.lua --filter enough --memory 1
says "more than 1 MB: "
works test large.lua --filter small --memory 50 --json
equals "$(field passed)" 1
[ "$(sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p' out)" -gt 500000 ] || fail "no memory"
works test large.lua --filter enough --verbose
grep -q '; memory [0-9.]* MB$' out || fail "--verbose does not speak of memory"
echo 'test("a", { memory = 0 }, function() return explore() end)' >none.lua
expect 2 test none.lua
grep -q "memory must be .*1" err || fail "a test without memory"

# Cells that may shut doorways are spoken of where something was not reached.
cat >coarse.lua <<'END_OF_SCRIPT'
world "worlds/door_and_button.json"
test("coarse", { cell = 1 }, function() return smart_close_to_block "Target" end)
END_OF_SCRIPT
expect 1 test coarse.lua
says "note: cells of 1 m, with a padding of 1 m, may shut passages of 2.5 m"
refuses "worlds/three_doors.json: Not a directory" \
    test scripts --trace worlds/three_doors.json
exit 0
