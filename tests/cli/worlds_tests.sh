#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of our worlds: worlds/tests pass, worlds/tests_failing fail, each for its reason.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
cd "$source" || exit 2
out=$work/out

# all_pass ARGUMENT...: every test passes.
all_pass() {
    expect 0 test "$@" --json
    is_json
    equals "$(field failed) $(field inconclusive) $(field errors)" "0 0 0"
}

# Large worlds take a sanitizer minutes.
if [ -n "${OCTANT_TEST_SAMPLE-}" ]; then
    all_pass worlds/tests/agents.lua worlds/tests/door_and_button.lua worlds/tests/tools.lua
else
    all_pass worlds/tests
    equals "$(field passed)" "$("$octant" test --list worlds/tests | wc -l)"
fi

# What was moved is found, and noted.
expect 0 test worlds/tests/moved.lua --verbose
grep -qF 'note: Button1 was not at 3.8, 3.8, 28.8 but at 18.8, 3.8, 18.8' "$out" ||
    fail "no note of what was moved"

# fails NAME VERDICT REASON: a test of worlds/tests_failing, exactly so.
fails() {
    expect 1 test worlds/tests_failing --filter "$1" --json
    # Lives have a verdict and a reason too, further in.
    equals "$(sed -n 's/^      "verdict": "\(.*\)",.*/\1/p' "$out")" "$2"
    equals "$(sed -n 's/^      "reason": "\(.*\)",.*/\1/p' "$out")" "$3"
}

fails "a button that is not wired" fail \
    "TargetDummy is not reachable: sealed by Door1, which no known button opens; Panel1 moves no known door"
fails "a target that is walled in" fail \
    "TargetDummy is not reachable: walled in, no door leads there"
fails "two seconds are not enough" fail \
    "not done within 2.0 s by this agent (no way to TargetDummy is known)"
fails "a button takes too long" fail "not done within 0.5 s by this agent (on the way to Panel2)"
fails "the closet stays shut" fail "Door2 is shut did not hold at 2.2 s"
fails "opens another door" fail \
    "TargetDummy is not reachable without pressing: sealed by Door1"
fails "not what its links say" fail "missing link: button 0 of Panel1 does not open Door1"
fails "a missing link" fail "missing link: button 0 of Panel2 does not toggle Door2"
fails "an extra link" fail "extra link: button 0 of Panel2 toggles Door1"
fails "without a grinder" fail "there is no grinder in the toolbar"
fails "that is nowhere" fail \
    "TargetDummy was not found: everything that can be reached was explored; a passage ends at 13.9, 3.9, 11.4"
fails "in ten turns" inconclusive "out of budget: 10 turns (TargetDummy was not found)"
fails "within bounds" inconclusive \
    "TargetDummy was not found: not everything was explored: there is more beyond the bounds"
expect 1 test worlds/tests_failing --json
equals "$(field passed) $(field failed) $(field inconclusive) $(field errors)" "0 11 2 0"
exit 0
