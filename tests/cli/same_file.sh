#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs never replace inputs, nor each other, however their names are spelled.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

mkdir sub folder
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n...\n' >m.map
printf 'version 1\n0\tm.map\t3\t2\t0\t0\t2\t0\t2\n' >s.scen
cp "$source/worlds/door_and_button.json" w.json
cp w.json other.json
printf 'include "part.lua"\nworld "w.json"\ntest("a", function() return SUCCESS() end)\n' >t.lua
printf 'world "sub/w.json"\ntest("b", function() return SUCCESS() end)\n' >u.lua
cp w.json sub/w.json
echo 'x = 1' >part.lua
echo '{"format": "octant-lab", "version": 1, "map": {"file": "m.map"},
"start": [0.5, 0.5], "goal": [2.5, 0.5]}' >l.json
works lab l.json --csv first.csv --algorithms portal
mkdir save
printf '<MyObjectBuilder_Sector></MyObjectBuilder_Sector>' >save/a.sbs
echo '{}' >save/block_sizes.json

# keeps FILE MESSAGE ARGUMENT...: refused with that line, and the file is as it was.
keeps() {
    kept=$1
    shift
    cp "$kept" "$work/before"
    refuses "$@"
    cmp -s "$kept" "$work/before" || fail "octant $*: $kept has changed"
}

# What was seen to happen.
keeps s.scen "scen: --csv names s.scen, which is read; choose another file" scen m.map s.scen --csv s.scen
keeps w.json "explore: --trace names w.json, which is read; choose another file" \
    explore w.json --trace w.json
keeps t.lua "test: --html names t.lua, which is read; choose another file" test t.lua --html t.lua
keeps m.map "lab: --csv names m.map, which is read; choose another file" lab m.map --csv m.map --force
refuses "test: --junit and --html name the same file" test t.lua --junit ./q.xml --html q.xml
[ ! -e q.xml ] || fail "something was written"

# Files that the command line does not name.
keeps w.json "test: --html names $work/w.json, which is read; choose another file" \
    test t.lua --html w.json
keeps sub/w.json "test: --junit names $work/sub/w.json, which is read; choose another file" \
    test t.lua u.lua --junit sub/w.json
keeps part.lua "test: --junit names $work/part.lua, which is read; choose another file" \
    test t.lua --junit part.lua
keeps m.map "lab: --csv names m.map, which is read; choose another file" \
    lab l.json --csv m.map --force
keeps save/block_sizes.json \
    "map convert: OUT names save/block_sizes.json, which is read; choose another file" \
    map convert save/a.sbs save/block_sizes.json

# Entries of a folder of traces.
mkdir traces
ln t.lua traces/001-a.jsonl
keeps t.lua "test: --trace names t.lua, which is read; choose another file" test t.lua --trace traces
rm traces/001-a.jsonl
refuses "test: --junit and --trace name the same file" \
    test t.lua --trace traces --junit traces/001-a.jsonl

# Every input against every output of every command, spelled in every way.
ln -s "$work" folder/up
pairs=0
while IFS='|' read -r input rest; do
    ln -f "$input" folder/hard
    ln -sf "../$input" folder/soft
    for name in "$input" "./$input" ".//$input" "sub/../$input" "folder/up/$input" folder/hard \
        folder/soft "$work/$input"; do
        cp "$input" before
        # shellcheck disable=SC2086 # words
        expect 2 $(echo "$rest" | sed "s#@#$name#")
        equals "$(wc -l <err)" 1
        grep -q ', which is read; choose another file$' err || fail "not refused: $rest, $name"
        cmp -s "$input" before || fail "$input has changed"
        pairs=$((pairs + 1))
    done
done <<'END_OF_PAIRS'
m.map|scen m.map s.scen --csv @ --force
s.scen|scen m.map s.scen --csv @ --force
m.map|lab m.map --csv @ --force
m.map|lab m.map --scen s.scen --csv @ --force
s.scen|lab m.map --scen s.scen --csv @ --force
l.json|lab l.json --csv @ --force
l.json|lab l.json --csv a.csv --save @
m.map|lab m.map --csv @ --resume
w.json|explore w.json --trace @
m.map|explore m.map --from 1,1 --radius 2 --trace @
m.map|map convert m.map @
w.json|map convert w.json @
t.lua|test t.lua --junit @
t.lua|test u.lua t.lua --html @
t.lua|test . --html @
w.json|test t.lua --junit @
END_OF_PAIRS
equals "$pairs" 128

# Two outputs that do not exist yet, and one that does.
ln -s later folder/dangling
for names in "a.x ./a.x" "a.x sub/../a.x" "a.x folder/up/a.x" "folder/dangling folder/later"; do
    # shellcheck disable=SC2086 # words
    set -- $names
    refuses "test: --junit and --html name the same file" test t.lua --junit "$1" --html "$2"
done
refuses "lab: --csv and --save name the same file" lab m.map --tasks 1 --csv a.json --save ./a.json
[ ! -e a.json ] || fail "something was written"
[ ! -e folder/later ] || fail "something was written"

# The same input twice is fine, and so are devices and files of other folders with equal names.
works test t.lua t.lua --junit sub/t.lua
works scen m.map s.scen --csv /dev/null

# What cannot be written is refused before the work, not after it.
long=$(printf '%0256d' 0)
for option in --junit --html; do
    expect 2 test t.lua $option "$long"
    [ ! -s out ] || fail "it was played first"
    grep -q 'File name too long$' err || fail "a name that is too long"
    expect 2 test t.lua $option no/such/folder
    [ ! -s out ] || fail "it was played first"
done
expect 2 gen boxes -o "$long.octant"
expect 2 lab m.map --csv "$long"
expect 2 explore w.json --trace no/such/folder/a
[ "$(wc -l <err)" -eq 1 ] || fail "not one line"
