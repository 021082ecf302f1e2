#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that scripts name lie below the root, wherever links and '..' lead, and are regular files.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

mkdir -p in/tests in/worlds away data
cp "$source/worlds/door_and_button.json" in/worlds/w.json
cp in/worlds/w.json away/w.json
cp in/worlds/w.json data/d.json
echo 'secret = 1' >away/part.lua

# script WORLD: a test in that world.
script() {
    printf 'world "%s"\ntest("a", function() return SUCCESS() end)\n' "$1" >in/tests/t.lua
}

# plays ARGUMENT...: the test passes, played from the folder `in`.
plays() {
    (cd in && exec "$octant" test tests/t.lua "$@") >"$work/out" 2>err || fail "not played: $*"
}

# ends MESSAGE ARGUMENT...: the test is an error that says so.
ends() {
    message=$1
    shift
    code=0
    (cd in && exec timeout 20 "$octant" test tests/t.lua "$@") >"$work/out" 2>err || code=$?
    equals "$code" 1
    says "$message"
}

for world in worlds/w.json ../worlds/w.json "$work/in/worlds/w.json" ../../in/worlds/w.json; do
    script "$world"
    plays
    plays --root .
    plays --root "$work"
done

# Outside: by '..', by an absolute path, by a link, by a folder above.
root="is not below the root, $work/in; --root names another"
for world in ../../away/w.json "$work/away/w.json" away/w.json ../worlds/../../away/w.json; do
    script "$world"
    ends "$work/away/w.json $root"
    plays --root ..
done
ln -s ../../away/w.json in/worlds/link.json
ln -s ../../away in/worlds/folder
for world in worlds/link.json worlds/folder/w.json; do
    script "$world"
    ends "$work/away/w.json $root"
    plays --root "$work"
    ends "$work/away/w.json is not below the root, $work/in/tests; --root names another" \
        --root tests
done
script worlds/w.json
ends "is not below the root, $work/in/tests" --root tests
script /etc/passwd
ends "/etc/passwd is not below the root"
script nowhere.json
ends "there is no world 'nowhere.json'"

# A folder whose name merely begins like the root's.
mkdir in2
cp away/w.json in2
script ../../in2/w.json
ends "$work/in2/w.json $root"

# The data folder counts, unless there is a root.
script "$work/data/d.json"
ends "$work/data/d.json $root"
OCTANT_DATA=$work/data
export OCTANT_DATA
plays
ends "is not below the root, $work/in;" --root .
unset OCTANT_DATA

# What is not a file: nobody waits for a pipe.
mkfifo in/worlds/pipe.json
script worlds/pipe.json
ends "not a regular file"
script worlds
ends "not a regular file"
script worlds/../../in/worlds/pipe.json
ends "not a regular file"

# Names with a scheme are not looked for.
mkdir -p 'in/tests/res:'
cp away/w.json 'in/tests/res:/level'
script res://level
ends "the world 'res://level' needs a game that knows 'res://'"

# Included scripts.
ln -s ../../away/part.lua in/tests/part.lua
mkfifo in/tests/pipe.lua
echo 'include "part.lua"' >in/tests/t.lua
(cd in && exec "$octant" test tests/t.lua) >"$work/out" 2>err && fail "an include from outside"
grep -q "include: part.lua: $work/away/part.lua $root" err || fail "the message"
echo 'include "pipe.lua"' >in/tests/t.lua
(cd in && exec timeout 20 "$octant" test tests/t.lua) >"$work/out" 2>err && fail "a pipe was read"
grep -q 'include: pipe.lua: not a regular file' err || fail "the message"
(cd in && exec timeout 20 "$octant" test tests) >"$work/out" 2>err && fail "a pipe was read"
grep -q '^octant: tests/pipe.lua: not a regular file$' err || fail "the message"

refuses "nowhere: No such file or directory" test in/tests/t.lua --root nowhere
refuses "in/tests/t.lua: Not a directory" test in/tests/t.lua --root in/tests/t.lua

# A map that a laboratory file names.
mkfifo pipe.map
echo '{"format": "octant-lab", "version": 1, "map": {"file": "pipe.map"}}' >l.json
refuses "l.json: its map, pipe.map: not a regular file" lab l.json --csv a.csv
