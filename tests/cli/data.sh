#!/bin/sh
# SPDX-License-Identifier: MIT
# Exact counts of real maps, and the table of worlds in those of Hoekzema 2024. Exit code 77 = skipped:
# the folder that OCTANT_DATA names, else ../shared/data beside the source folder, is not there.
data=${OCTANT_DATA:-$2/../shared/data}
if [ ! -d "$data/voxel3d" ] || [ ! -d "$data/octomap" ] || [ ! -d "$data/space_engineers" ]; then
    echo "skipped: no maps in $data"
    exit 77
fi
data=$(cd "$data" && pwd)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# counts FILE OPEN BLOCKED: what map info finds.
counts() {
    works map info "$data/$1" --json
    is_json
    equals "$1 $(field open) $(field blocked)" "$1 $2 $3"
}

# blocked FILE W H D BLOCKED: everything else in the box is open.
blocked() {
    counts "voxel3d/$1.3dmap" $(($2 * $3 * $4 - $5)) "$5"
    equals "$(field unknown)" 0
}

blocked Simple 105 132 105 512
blocked Complex 246 154 205 46298
blocked DA1 389 313 511 140501
blocked BC1 853 245 321 222663
blocked A1 896 390 255 123236
counts octomap/geb079.bt 950759 185673
counts octomap/fr_079.bt 4807673 401373
counts octomap/freiburg1_360.bt 7942528 1019366

# Through our own file and back a .bt file is the same to the byte.
for file in geb079 fr_079 freiburg1_360; do
    works map convert "$data/octomap/$file.bt" $file.octant
    works map convert $file.octant $file.bt
    cmp -s "$data/octomap/$file.bt" $file.bt || fail "$file.bt changes"
done

# blocks FILE BLOCKS PARTS: a world, whose cells are all of its extent; of its parts how many grids,
# doors, panels, timers and wires.
parts() {
    echo "$(field grids) $(field doors) $(field panels) $(field timers) $(field wires)"
}
# blocks FILE BLOCKS PARTS [CELL]: the largest cell that keeps every passage open is that.
blocks() {
    cell=${4-0.35}
    works map info "$data/space_engineers/worlds/$1.json" --cell "$cell" --json
    is_json
    equals "$1 $(field blocks) $(field unknown) $(field safe_cell)" "$1 $2 0 $cell"
    equals "$1 $(parts)" "$1 $3"
    [ "$(field blocked)" -gt "$2" ] || fail "$1: blocks take less than a cell each"
    works map convert "$data/space_engineers/worlds/$1.json" ours.json
    works map info ours.json --cell "$cell" --json
    equals "$1 $(field blocks) $(field unknown) $(field safe_cell)" "$1 $2 0 $cell"
    equals "$1 $(parts)" "$1 $3"
}

blocks test1_myworld-3_Indoors 740 "8 2 1 0 1"
blocks test1b_myworld-3_Indoors_open-door 740 "8 2 1 0 1"
# A ship in it is turned.
blocks test2_CR3_3_3_M 966 "2 8 5 3 15" 0.202072594
blocks test3a_Glass_box 12476 "8 1 1 0 1"
blocks test4a_Glass_box_maze 15545 "28 1 1 0 1"

# Hoekzema's worlds, with what it printed beside them; 3 and 4 only by the octree, which is quick.
works bench table worlds --data "$data" --repeat 1 --filter /world1 --csv world1.csv
for structure in octree grid set; do
    grep -q "^times,world1,$structure,path_ms,20,.*,1[0-9][.0-9]*,[0-9]* expanded\$" world1.csv ||
        fail "world 1, $structure: no way to the button"
    grep -q "^times,world1,$structure,none_ms,20,.*,\"[0-9]* expanded, no way\"\$" world1.csv ||
        fail "world 1, $structure: a way through the closed door"
done
grep -q '^memory,world1,octree,cells_bytes,20,[0-9]*,no,4970000,' world1.csv ||
    fail "world 1: what is in print is missing"
equals "$(grep -c '^explore,world1,.*,explore_ms,20,' world1.csv)" 3
for rows in 'memory/world2' 'memory/world3 octree' 'memory/world4 octree' whole/world4; do
    works bench table worlds --data "$data" --repeat 1 --filter "$rows" --csv rows.csv
    grep -q "^${rows%%/*},world" rows.csv || fail "$rows: no rows"
    awk -F, '$4 ~ /_bytes$/ && $13 != "" && $6 > $13 { exit 1 }' rows.csv ||
        fail "$rows: a tree is larger than its goal"
done
equals "$(grep -c ',calls,.*,explored$' rows.csv)" 2 # radii
works bench table worlds --data "$data" --repeat 1 --filter 'explore/world4 octree'
equals "$(grep -c 'explore_ms .* m, ' out)" 7
refuses "bench: no table matches --filter 'explore/world2'" bench table worlds --data "$data" \
    --filter explore/world2
