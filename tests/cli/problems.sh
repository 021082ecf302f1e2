#!/bin/sh
# SPDX-License-Identifier: MIT
# octant check: what is wrong with worlds and scripts, with file and line; and the same as notes of
# octant test.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

mkdir worlds scripts
cp "$source/worlds/door_and_button.json" "$source/worlds/three_doors.json" worlds

# prints LINE...: standard output begins with these lines.
prints() {
    printf '%s\n' "$@" >expected
    head -n $# out | cmp -s expected - || fail "it should print: $*"
}

# ---- worlds ----

works check worlds/door_and_button.json
prints "0 errors, 0 warnings in 1 world, 0 scripts, 0 tests"
works check worlds/three_doors.json
prints "worlds/three_doors.json:30: warning: panel 'Button2' has no wires: its buttons do nothing" \
    "" "0 errors, 1 warning in 1 world, 0 scripts, 0 tests"
expect 1 check worlds/three_doors.json --strict
works check worlds --json
is_json
equals "$(field errors)" 0
equals "$(field warnings)" 1
equals "$(field worlds)" 2
says '"severity": "warning"'
says '"line": 30'

# A wire that was bent, a button too many, a misspelt key, a block in a wall: all in one run.
sed -e 's/"slot": 0, "action": "toggle", "to": 1/"slot": 4, "to": 9/' \
    -e 's/{"id": 4, "type": "lamp", "grid": 0, "cell": \[4, 3, 3\]}/{"id": 4, "type": "lamp", "grd": 0, "cell": [4, 3, 3]}/' \
    -e 's/"cell": \[9, 1, 15\]/"cell": [4, 1, 15]/' \
    worlds/door_and_button.json >worlds/broken.json
expect 1 check worlds/broken.json
[ ! -s err ] || fail "problems are no complaints"
prints "worlds/broken.json:28: error: block 3 (id 4): unknown key 'grd'" \
    "worlds/broken.json:32: error: tall battery 8 and battery 7 both cover cell 4 1 15 of grid 0" \
    "worlds/broken.json:43: error: panel 'Panel' has no button 4: its buttons are 0 to 3" \
    "worlds/broken.json:43: error: button 4 of panel 'Panel' leads to block 9, which is not there" \
    "" "4 errors, 0 warnings in 1 world, 0 scripts, 0 tests"
expect 1 check worlds/broken.json --json
is_json
equals "$(field errors)" 4
says '"what": "block 3 (id 4): unknown key '"'grd'"'"'
says '"kind": "wire-slot"'

sed -e 's/"position": \[16.27, 2.87, 33.77\]/"position": [1.27, 1.27, 1.27]/' \
    worlds/door_and_button.json >worlds/walled.json
expect 1 check worlds/walled.json
prints "worlds/walled.json:9: error: there is no room for a body at the start, 1.27, 1.27, 1.27"
sed -e '/"start"/d' worlds/door_and_button.json >worlds/homeless.json
works check worlds/homeless.json
prints "worlds/homeless.json:1: warning: there is no start: every test has to say one"
head -c 700 worlds/three_doors.json >worlds/cut.json
expect 1 check worlds/cut.json
grep -q '^worlds/cut.json:18: error: premature end of input' out || fail "the end of a cut file is not told"
: >worlds/empty.json
expect 1 check worlds/empty.json
rm worlds/empty.json

# ---- scripts ----

cat >scripts/good.lua <<'END_OF_SCRIPT'
world "worlds/door_and_button.json"
test("the panel is there", function() return close_to_button "Panel" end)
END_OF_SCRIPT
works check scripts/good.lua
prints "0 errors, 0 warnings in 1 world, 1 script, 1 test"
cat >scripts/typos.lua <<'END_OF_SCRIPT'
world "worlds/three_doors.json"
test("Buton1 can be pressed", function()
  return FIRSTof { close_to_button "Button1",
                   press_button "Buton1" }
end)
test("it has no world", { world = "worlds/nowhere.json" }, function() return explore() end)
test("it has no goal", function() end)
world "worlds/homeless.json"
test("it starts somewhere", { start = { 16.27, 2.87, 33.77 } }, function() return explore() end)
test("it starts nowhere", function() return explore() end)
test("it starts in a wall", { start = { 1.27, 1.27, 1.27 } }, function() return explore() end)
END_OF_SCRIPT
expect 1 check scripts
prints "worlds/three_doors.json:30: warning: panel 'Button2' has no wires: its buttons do nothing" \
    "scripts/typos.lua:4: error: no block is called Buton1; Button1?" \
    "scripts/typos.lua:6: error: there is no world 'worlds/nowhere.json' beside the script, above, or in the working folder" \
    "scripts/typos.lua:7: error: test 'it has no goal', in line 7: its body must return a goal, not nil" \
    "scripts/typos.lua:10: error: the world has no start: say start = {x, y, z}" \
    "scripts/typos.lua:11: error: there is no room for a body at the start, 1.27, 1.27, 1.27" \
    "" "5 errors, 1 warning in 3 worlds, 2 scripts, 7 tests"
# A world that is given itself has its own problems too, and each once.
expect 1 check scripts worlds/homeless.json worlds/homeless.json
says "worlds/homeless.json:1: warning: there is no start: every test has to say one"
says "5 errors, 2 warnings in 3 worlds"

echo 'test(' >scripts/broken.lua
expect 1 check scripts/broken.lua
grep -q '^scripts/broken.lua:[0-9]*: error: ' out || fail "a broken script is no problem"
echo 'x = 1' >scripts/empty.lua
expect 1 check scripts/empty.lua
prints "scripts/empty.lua:1: error: it declares no test"

# What our own tests name is there.
works check "$source/worlds/tests" "$source/examples"

# ---- what cannot be checked ----

refuses "nowhere.json: cannot open: No such file or directory" check nowhere.json
refuses "notes.txt: neither a world (.json, .sbs) nor a script (.lua)" check notes.txt
mkdir nothing
refuses "nothing: there is no world or script in this folder" check nothing
refuses "check: FILE is missing; 'octant check --help' says more" check

# ---- notes ----

works test scripts/typos.lua --filter Buton1 --verbose
says "note: scripts/typos.lua:4: no block is called Buton1; Button1?"
says "note: worlds/three_doors.json:30: panel 'Button2' has no wires: its buttons do nothing"
says "1 passed"
works test scripts/typos.lua --filter Buton1 --json --junit report.xml --html report.html
says "no block is called Buton1; Button1?"
grep -q "no block is called Buton1; Button1?" report.xml || fail "JUnit lacks the note"
grep -q "no block is called Buton1; Button1?" report.html || fail "HTML lacks the note"
# The start of a world does not matter to a test that has its own.
works test scripts/typos.lua --filter somewhere --verbose
grep -q 'note:' out && fail "a note of a start that nobody uses"
exit 0
