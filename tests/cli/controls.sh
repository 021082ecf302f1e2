#!/bin/sh
# SPDX-License-Identifier: MIT
# What steers a terminal, or turns the direction of writing, does not get there: not from worlds, not
# from scripts, not from names of files; nor is it in reports, where XML forbids it.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
LC_ALL=C
export LC_ALL

# clean FILE...: printable UTF-8 and ends of lines alone.
clean() {
    for each in "$@"; do
        ! grep -q "$(printf '[\001-\011\013-\037\177]')" "$each" || fail "$each: a control character"
        ! grep -q "$(printf '\302[\200-\237]')" "$each" || fail "$each: a C1 control character"
        ! grep -q "$(printf '\342\200[\252-\256]\\|\342\201[\246-\251]')" "$each" ||
            fail "$each: it turns the direction of writing"
        iconv -f UTF-8 -t UTF-8 "$each" >/dev/null || fail "$each: not UTF-8"
    done
}

# shows CODE ARGUMENT...: octant prints something clean.
shows() {
    expect "$@"
    clean out err
    [ -s out ] || [ -s err ] || fail "octant $* prints nothing"
}

# A world whose names are full of it, in a file whose name is, too.
evil='\\u001b[31m\\u009b2J\\u0007\\u007f\\u202e\\u2066\\u0085\\n\\r'
bytes=$(printf 'b\033[31m\302\2332J\233\177\342\200\256\377')
sed "s/\"Panel\"/\"${evil}Panel\"/g; s/door and button/${evil}world/" \
    "$source/worlds/door_and_button.json" >"$bytes.json"
grep -q 'u001b.*Panel' "$bytes.json" || fail "the world is not evil"
cp "$bytes.json" w.json
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n...\n' >"$bytes.map"
printf 'version 1\n0\tm.map\t3\t2\t0\t0\t2\t0\t2\n' >"$bytes.scen"
cat >"$bytes.lua" <<'END_OF_SCRIPT'
world "w.json"
local evil = "\27[31m\u{9b}2J\155\7\127\u{202e}\u{2066}\255\n\r\tx"
test(evil, function(a) return interacted(evil) end)
test("note" .. evil, function() return interacted { type = "panel" } end)
test("raise" .. evil, function() error(evil) end)
test("fail" .. evil, function() return FAIL(evil) end)
test("world" .. evil, { world = evil .. ".json" }, function() return SUCCESS() end)
END_OF_SCRIPT

shows 0 map info "$bytes.json"
shows 0 map info "$bytes.json" --json
shows 0 map info "$bytes.map"
shows 0 map convert "$bytes.json" "$bytes.octant"
shows 0 map convert "$bytes.json" "$bytes.out.json"
shows 0 gen boxes --size 16 -o "$bytes.bt"
shows 0 gen glass-box -o "$bytes.gen.json"
shows 0 scen "$bytes.map" "$bytes.scen"
shows 2 lab "$bytes.map" --tasks 1 --csv a.csv --algorithms portal
cp "$bytes.map" m.map
shows 0 lab m.map --tasks 1 --csv "$bytes.csv" --algorithms portal
shows 0 path "$bytes.map" --from 0.5,0.5 --to 2.5,0.5
shows 0 explore "$bytes.map" --from 0.5,0.5 --radius 2
shows 0 explore w.json --find panel --json
shows 2 explore w.json --find "$bytes"
shows 2 map info "$bytes.none"
shows 1 test "$bytes.lua" --verbose --junit j.xml --html h.html
clean j.xml h.html
shows 1 test "$bytes.lua" --json
is_json
shows 0 test "$bytes.lua" --list
shows 0 test "$bytes.lua" --list --json
shows 2 test "$bytes.lua" --filter "none$bytes"
if command -v xmllint >/dev/null; then
    xmllint --noout j.xml || fail "not XML"
fi

# On a terminal, with the live line and colours of our own alone.
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$octant' test '$bytes.lua' --verbose" /dev/null >out 2>&1 </dev/null
    sed "s/$(printf '\033')\\[[0-9]*m//g" out | tr -d '\r' >seen
    [ -s seen ] || fail "no terminal"
    clean seen
fi
exit 0
