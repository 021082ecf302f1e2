#!/bin/sh
# SPDX-License-Identifier: MIT
# Surfaces baked of a mesh, a map and a world; what is measured of them, and what is refused.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# A floor of 10 x 10, Y up, that looks up.
cat >floor.obj <<'END'
v 0 0 0
v 10 0 0
v 10 0 10
v 0 0 10
f 4 3 2 1
END
if ! "$octant" map bake floor.obj floor.json >out 2>err; then
    grep -q 'install librecast-dev' err || fail "no word of what is missing"
    exit 77
fi
expect 0 map bake floor.obj floor.json --json
equals "$(field islands)" 1
expect 0 map info floor.json --walk --json
equals "$(field islands)" 1
grep -q '"radius": 0.4' out || fail "what it was baked for is not told"
expect 0 path floor.json --walk --from 2,0,2 --to 8,0,8 --json
equals "$(field status)" '"found"'

# The other way round there is no floor, unless both sides count.
sed 's/^f .*/f 1 2 3 4/' floor.obj >down.obj
refuses "down.obj: nothing there can be walked on" map bake down.obj down.json
works map bake down.obj down.json --two-sided

# The same floor as cells, with a ceiling: a map is all that there is.
cat >room.obj <<'END'
v 0 0 0
v 10 0 0
v 10 4 0
v 0 4 0
v 0 0 10
v 10 0 10
v 10 4 10
v 0 4 10
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END
works map convert room.obj room.octant --cell 0.25 --hollow
expect 0 map bake room.octant cells.json --json
equals "$(field islands)" 1
expect 0 path cells.json --walk --from 2,0.25,2 --to 8,0.25,8 --json
equals "$(field status)" '"found"'

works gen glass-box -o box.json
works map bake box.json world.json

refuses "map bake: --slope is for meshes, such as .obj and .stl files" \
    map bake room.octant a.json --slope 30
refuses "map bake: --cell is for worlds and meshes, such as .obj and .stl files" \
    map bake room.octant a.json --cell 1
refuses "map bake: OUT names room.obj, which is read; choose another file" \
    map bake room.obj room.obj
refuses "map bake: --radius must be a number from 0 to 1e+06, not '-1'" \
    map bake room.obj a.json --radius -1
