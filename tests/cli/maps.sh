#!/bin/sh
# SPDX-License-Identifier: MIT
# Maps from format to format: gen, info, convert, info; the same seed, the same file.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Times differ from run to run and bytes from version to version.
steady() {
    sed 's/\("[a-z]*_ms"\): [0-9.e-]*/\1: T/; s/\("[a-z_]*bytes"\): [0-9]*/\1: B/' out
}

works gen boxes -o a.octant --size 32 --seed 7 --json
is_json
equals "$(field cells)" 32768
blocked=$(field blocked)
[ "$(field bytes)" -gt 0 ] || fail "no bytes"
equals "$(field file_bytes)" "$(($(wc -c <a.octant)))"
steady >now
printf '{\n  "cells": 32768,\n  "blocked": %s,\n  "bytes": B,\n  "file_bytes": B\n}\n' \
    "$blocked" >expected
cmp -s now expected || fail "the fields of gen"

for format in octant bt 3dmap; do
    works gen boxes -o one.$format --size 32 --seed 7
    works gen boxes -o two.$format --size 32 --seed 7
    cmp -s one.$format two.$format || fail "one seed, two .$format files"
    works gen boxes -o two.$format --size 32 --seed 8
    cmp -s one.$format two.$format && fail "two seeds, one .$format file"
    works map info one.$format --json
    is_json
    says "\"format\": \"$format\""
    equals "$(field dims)" 3
    equals "$(field open)" $((32768 - blocked))
    equals "$(field blocked)" "$blocked"
    equals "$(field unknown)" 0
    equals "$(field cell_size)" 1.0
done

# From each format to each other and back: the same cells, and the same bytes.
for from in octant bt 3dmap; do
    for to in octant bt 3dmap; do
        works map convert one.$from over.$to --json
        is_json
        [ "$(field bytes)" -gt 0 ] || fail "no bytes"
        [ -n "$(field build_ms)" ] || fail "no time"
        cmp -s over.$to one.$to || fail ".$from to .$to changes the map"
        works map convert over.$to back.$from
        cmp -s back.$from one.$from || fail ".$from to .$to and back changes the map"
    done
done
cp one.bt same.bt
refuses "map convert: OUT names same.bt, which is read; choose another file" \
    map convert same.bt same.bt
cmp -s same.bt one.bt || fail "a map onto itself changes it"

# The cell size stays where the format has one.
works gen wall -o fine.octant --size 16 --cell 0.25
works map convert fine.octant fine.bt
works map info fine.bt --json
equals "$(field cell_size)" 0.25

# Two dimensions.
works gen clusters -o flat.map --size 40
works map convert flat.map flat.octant
works map info flat.octant --json
equals "$(field dims)" 2
equals $(($(field open) + $(field blocked))) 1600
works map convert flat.octant again.map
cmp -s flat.map again.map || fail "a flat map changes"
refuses "x.3dmap: a .3dmap file has 3 dimensions, but the map has 2" map convert flat.map x.3dmap
refuses "x.map: a .map file has 2 dimensions, but the map has 3" map convert one.bt x.map
refuses "x.txt: maps are written as .octant, .3dmap, .map, .bt or .obj" map convert one.bt x.txt

# As many cells as asked for, the same from the same seed, and flat without being told.
for clustering in 0 1 1000; do
    works gen potential -o one.map --size 50 --coverage 0.3 --clustering $clustering --json
    is_json
    equals "$(field cells) $(field blocked)" "2500 750"
    works gen potential -o two.octant --size 50 --coverage 0.3 --clustering $clustering
    works map convert two.octant two.map
    cmp -s one.map two.map || fail "one seed, two maps"
    works gen potential -o two.map --size 50 --coverage 0.3 --clustering $clustering --seed 2
    cmp -s one.map two.map && fail "two seeds, one map"
done
works gen potential -o none.map --size 8 --coverage 0 --json
equals "$(field blocked)" 0
works gen potential -o all.map --size 8 --coverage 1 --json
equals "$(field blocked)" 64

# What people read.
works map info flat.octant
cat >expected <<END
flat.octant
  format     .octant, 2 dimensions
  cell size                1  m
  cells      40 x 40 from (0, 0)
END
head -4 out >first
cmp -s first expected || fail "map info as text"
grep -q '^  level        nodes       leaves$' out || fail "no table of levels"

# Three known cells of eight: sixteen inner nodes down to them, then blocked, open and blocked.
{
    printf '# Octomap OcTree binary file\nid OcTree\nsize 19\nres 0.5\ndata\n\000\300'
    i=0
    while [ $i -lt 14 ]; do
        printf '\003\000'
        i=$((i + 1))
    done
    printf '\006\200'
} >part.bt
works map info part.bt --json
equals "$(field open) $(field blocked) $(field unknown)" "1 2 5"
works map convert part.bt part.octant
works map convert part.octant back.bt
tail -c 32 part.bt >tree
tail -c 32 back.bt | cmp -s tree - || fail "unknown cells get lost"
refuses "part.bt: has unknown cells, which a .3dmap file cannot hold; say what they become: \
--unknown open or --unknown blocked" map convert part.bt part.3dmap
[ -e part.3dmap ] && fail "a refused command wrote a file"
works map convert part.bt open.3dmap --unknown open
works map info open.3dmap --json
equals "$(field open) $(field blocked) $(field unknown)" "6 2 0"
works map convert part.bt blocked.3dmap --unknown blocked
works map info blocked.3dmap --json
equals "$(field open) $(field blocked) $(field unknown)" "1 7 0"
