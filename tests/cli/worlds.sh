#!/bin/sh
# SPDX-License-Identifier: MIT
# Worlds: gen, info, convert; counts that can be checked by hand; and broken files, where the message
# names file, line, column and block.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# ---- made from a seed ----

for kind in glass-box glass-maze svo-random svo-wall; do
    works gen $kind -o $kind.json --json
    is_json
    equals "$(field blocked)" "$(field blocks)"
    equals "$(field file_bytes)" "$(($(wc -c <$kind.json)))"
    [ "$(field bytes)" -gt 0 ] || fail "no bytes"
    cells=$(field cells)
    blocks=$(field blocks)
    works gen $kind -o again.json --seed 1
    cmp -s $kind.json again.json || fail "one seed, two worlds"
    [ "$(grep -c '"box"' $kind.json)" -eq "$blocks" ] || fail "not one block a line"
    # At one cell a block, without a body, the cells are the blocks.
    edge=2.5
    case $kind in svo-*) edge=10 ;; esac
    expect 0 map info $kind.json --cell $edge --body 0 --json
    equals "$(field blocks) $(field blocked) $(field unknown)" "$blocks $blocks 0"
    equals "$(($(field open) + $(field blocked)))" "$cells"
    # Octant's own format comes back to the byte.
    works map convert $kind.json again.json --json
    equals "$(field blocks) $(field file_bytes)" "$blocks $(($(wc -c <$kind.json)))"
    cmp -s $kind.json again.json || fail "$kind changes on its way"
done
works gen glass-maze -o other.json --seed 2
cmp -s glass-maze.json other.json && fail "two seeds, one world"
works gen svo-random -o other.json --blocks 100 --json
equals "$(field blocks)" 100
works gen svo-wall -o other.json
says 'other.json: '

# follow_schema FILE...: where a schema can be checked, worlds follow it.
follow_schema() {
    python3 -c 'import jsonschema' 2>/dev/null || return 0
    python3 - "$source/docs/reference/schemas/world.schema.json" "$@" <<'END' >out 2>err ||
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for path in sys.argv[2:]:
    jsonschema.Draft202012Validator(schema).validate(json.load(open(path)))
END
        fail "a world breaks its schema"
}
follow_schema glass-box.json svo-wall.json

refuses "a.bt: worlds are written as .json" gen glass-box -o a.bt
refuses "a.json: maps are written as .octant, .3dmap, .map, .bt or .obj" gen boxes -o a.json
refuses "gen: --size is for maps; glass-box is a world" gen glass-box -o a.json --size 64
refuses "gen: --blocks is for glass-maze and svo-random" gen boxes -o a.bt --blocks 9
refuses "gen: --blocks is for glass-maze and svo-random, not for svo-wall" \
    gen svo-wall -o a.json --blocks 9
refuses "gen: --blocks of a glass-maze is at most 20000" gen glass-maze -o a.json --blocks 20001
[ -e a.json ] && fail "a refused command wrote a file"

# ---- counts by hand ----

cat >small.json <<'END'
{
  "format": "octant-world",
  "version": 1,
  "name": "small",
  "up": "y",
  "passage": 2,
  "bounds": [0, 0, 0, 5, 5, 5],
  "types": [{"name": "stone"}],
  "blocks": [
    {"id": 1, "type": "stone", "box": [2, 2, 2, 3, 3, 3]},
    {"id": 2, "type": "stone", "box": [0, 0, 0, 1, 1, 1], "label": "open"},
    {"id": 3, "type": "stone", "box": [4, 4, 4, 5, 5, 5], "label": "unknown"}
  ]
}
END
# counts OPEN BLOCKED UNKNOWN OPTION...: what map info finds.
counts() {
    wanted="$1 $2 $3"
    shift 3
    expect 0 map info small.json "$@" --json
    equals "$(field open) $(field blocked) $(field unknown)" "$wanted"
}
counts 123 1 1 --cell 1 --body 0
# Half a metre more on every side: three cells wide, in the corner two; they share one cell.
counts 91 27 7 --cell 1 --body 1
counts 91 27 7 --cell 1 --body 1,1,1
counts 112 9 4 --cell 1 --body 1,1,0
counts 123 1 1 --cell 1 --body 1 --padding centre
counts 984 8 8 --cell 0.5 --body 0
works map info small.json --cell 0.5 --body 1 --json
is_json
says '"format": "octant-world"'
says '"name": "small"'
equals "$(field cell_size) $(field dims) $(field blocks) $(field types)" "0.5 3 3 1"
equals "$(field safe_cell) $(field passage)" "0.5 2.0"
for name in nodes bricks bytes obstacle_bytes load_ms build_ms; do
    [ -n "$(field $name)" ] || fail "no $name"
done
[ "$(field obstacle_bytes)" -gt 0 ] || fail "things take no bytes"

works map info small.json --cell 0.5 --body 1
cat >expected <<'END'
small.json
  format     octant-world, 3 dimensions
  name       small
  blocks                   3  of 1 types
  extent     5 x 5 x 5 m from (0, 0, 0)
  passages                 2  m, kept open by cells of 0.5 m or less
  cell size              0.5  m
  cells      10 x 10 x 10 from (0, 0, 0)
END
head -8 out >first
cmp -s first expected || fail "map info as text"

# ---- cells that are too large ----

expect 0 map info small.json --cell 0.51 --body 1
equals "$(cat err)" "octant: warning: small.json: cells of 0.51 m may close passages of 2 m for a \
body of 1 m; cells of 0.5 m or less do not"
expect 0 map info small.json --cell 0.5 --body 2 --json
equals "$(cat err)" "octant: warning: small.json: a body of 2 m does not fit through passages of 2 m"
equals "$(field safe_cell)" 0.0
works map info svo-wall.json --cell 5 --json # nothing is said of passages
equals "$(field safe_cell)" null

# ---- maps of worlds ----

works map convert small.json small.octant --cell 1 --body 0 --json
[ "$(field bytes)" -gt 0 ] || fail "no bytes"
[ -n "$(field build_ms)" ] || fail "no time"
works map info small.octant --json
equals "$(field open) $(field blocked) $(field unknown) $(field cell_size)" "123 1 1 1.0"
expect 0 map convert small.json small.bt --cell 1 --body 1
works map info small.bt --json
equals "$(field open) $(field blocked)" "91 27"
refuses "small.json: has unknown cells, which a .3dmap file cannot hold; say what they become: \
--unknown open or --unknown blocked" map convert small.json small.3dmap --cell 1 --body 0
[ -e small.3dmap ] && fail "a refused command wrote a file"
works map convert small.json small.3dmap --cell 1 --body 0 --unknown blocked
printf 'voxel 5 5 5\n2 2 2\n4 4 4\n' | cmp -s - small.3dmap || fail "the map's cells"
works map convert small.json small.3dmap --cell 1 --body 0 --unknown open
printf 'voxel 5 5 5\n2 2 2\n' | cmp -s - small.3dmap || fail "the map's other cells"
refuses "x.map: a .map file has 2 dimensions, but the map has 3" map convert small.json x.map
refuses "x.txt: maps are written as .octant, .3dmap, .map, .bt or .obj" map convert small.json x.txt
refuses "x.json: maps are written as .octant, .3dmap, .map, .bt or .obj" map convert small.bt x.json

# ---- options ----

for body in '' x -1 1,2 1,2,3,4 1,,2 nan 1e9 '1 ' ', '; do
    refuses "map info: --body must be metres such as 1.8 or 0.8,0.8,1.8, not '$body'" \
        map info small.json --body "$body"
done
refuses "map info: --cell is for worlds and meshes; a map has cells of its own" map info small.bt --cell 1
refuses "map convert: --padding is for worlds, which are .json or .sbs files" \
    map convert small.bt a.bt --padding whole
refuses "small.json: with cells of 0.001 m it does not fit into a map: block 1 \
(stone) takes 1000001000 x 1000001000 x 1000001000 of them, whose surface is too much; say a \
larger --cell" \
    map info small.json --cell 0.001 --body 1000000
sed 's/\[4, 4, 4, 5, 5, 5\]/[4, 4, 4, 5, 5, 1e12]/' small.json >far.json
refuses "far.json: with cells of 0.35 m it does not fit into a map; say a larger --cell" \
    map info far.json
sed 's/\[4, 4, 4, 5, 5, 5\]/[4, 4, 4, 5, 1e8, 1e8]/' small.json >large.json
refuses "large.json: with cells of 0.35 m it does not fit into a map: block 3 (stone) \
takes 9 x 285714281 x 285714281 of them, whose surface is too much; say a larger --cell" \
    map info large.json
expect 2 map info small.json --cell 0

# ---- Space Engineers ----

cat >game.json <<'END'
{"world": "Game", "character": {"pose": {"position": [0, 1, 0], "forward": [0, 0, -1],
"up": [0, 1, 0]}}, "grids": [{"entityId": "77"}], "blocks": [
{"type": "CubeBlock", "subtype": "Window1x1Flat", "entityId": "5", "gridIndex": 0, "min": [0, 0, 0],
"aabbMin": [0, 0, 0], "aabbMax": [2.5, 2.5, 2.5]},
{"type": "CubeBlock", "subtype": "LargeBlockArmorBlock", "entityId": null, "gridIndex": 0,
"min": [2, 0, 0], "aabbMin": [5, 0, 0], "aabbMax": [7.5, 2.5, 2.5]}]}
END
works map info game.json --json
says '"format": "space-engineers"'
equals "$(field blocks) $(field types) $(field safe_cell)" "2 2 0.35"
works map convert game.json ours.json
grep -q '"name": "77/2,0,0", "box": \[5, 0, 0, 7.5, 2.5, 2.5\]' ours.json || fail "armour has no name"
grep -q '"CubeBlock/Window1x1Flat", "opaque": false' ours.json || fail "glass is opaque"
works map info ours.json --json
equals "$(field blocks) $(field types) $(field safe_cell)" "2 2 0.35"
equals "$(field grids) $(field doors) $(field wires)" "0 0 0"

# ---- grids, doors and what opens them ----

cat >play.json <<'END'
{"format": "octant-world", "version": 1, "up": "y",
 "rules": {"speed": 15, "sight": "through", "gravity": [0, -9.81, 0]},
 "toolbar": [{"page": 0, "slot": 2, "item": "block", "type": "wall"}],
 "grids": [{"id": 1, "position": [1.25, 1.25, 1.25]},
  {"id": 2, "name": "ship", "position": [20, 0, 0], "forward": [1, 0, 0], "drift": [1, 0, 0], "range": 5}],
 "types": [{"name": "wall"}, {"name": "door", "kind": "door", "size": [1, 2, 1], "integrity": 80},
  {"name": "panel", "kind": "panel", "buttons": 4}, {"name": "timer", "kind": "timer"}],
 "blocks": [
  {"id": 10, "type": "door", "name": "Door1", "cell": [1, 1, 0], "label": "open"},
  {"id": 11, "type": "door", "grid": 1, "cell": [0, 0, 0], "forward": "up", "up": "left", "damage": 5},
  {"id": 12, "type": "panel", "cell": [4, 1, 1]},
  {"type": "timer", "cell": [4, 1, 2], "delay": 1.5}
 ],
 "fills": [{"type": "wall", "from": [0, 0, 0], "to": [3, 3, 3], "hollow": true},
  {"from": [2, 1, 3], "to": [2, 2, 3]}],
 "wires": [{"from": 12, "slot": 1, "action": "toggle", "to": 10},
  {"from": 12, "slot": 2, "action": "open", "group": "Doors"}],
 "groups": [{"name": "Doors", "blocks": [10]}, {"name": "Doors", "grid": 1, "blocks": [11]}]}
END
works map info play.json --json
is_json
# A shell of 56 cells, without two for the door and two that were cleared.
equals "$(field blocks) $(field types)" "56 4"
equals "$(field grids) $(field doors) $(field panels) $(field timers) $(field wires)" "2 2 1 1 2"
works map info play.json
says '  grids                    2  with 2 doors, 1 panels, 1 timers, 2 wires'
works map info small.json --cell 0.5 --body 1
grep -q grids out && fail "a world without grids speaks of them"
works map convert play.json played.json --json
equals "$(field blocks)" 56
grep -q fills played.json && fail "fills are written"
works map convert played.json again.json
cmp -s played.json again.json || fail "a game changes on its way"
follow_schema play.json played.json

# ---- broken files ----

# at WHERE FILE: the file is refused in one line that begins so, and nothing is printed.
at() {
    expect 2 map info "$2"
    [ ! -s out ] || fail "$2: prints something"
    [ "$(wc -l <err)" -eq 1 ] || fail "$2: not one line"
    grep -Eq "^octant: $2:$1" err || fail "$2: does not say '$1'"
}
head -n 12 small.json >cut.json
at '13:1: ' cut.json
head -c 300 small.json >cut_inside.json
at '[0-9]+:[0-9]+: premature end of input' cut_inside.json
printf 'voxel 4 4 4\n' >map.json
at "1:1: not a world: expected '\{'" map.json
: >empty.json
at ' the file is empty$' empty.json
echo '{}' >nothing.json
at '1:1: not a world: ' nothing.json
sed 's/"id": 2/"id": 1/' small.json >twice.json
at '11:5: block 1 \(id 1\): the id is that of block 0$' twice.json
sed 's/"box": \[2, 2/"box": [2, 9/' small.json >inside_out.json
at '10:5: block 0 \(id 1\): box is inside out$' inside_out.json
sed 's/"id": 3, //' small.json >no_id.json
at '12:5: block 2: id is missing$' no_id.json
sed 's/"id": 3, "type": "stone"/"id": 3, "type": "wood"/' small.json >no_type.json
at "12:5: block 2 \(id 3\): there is no type 'wood'$" no_type.json
sed 's/"version": 1/"version": "one"/' small.json >version.json
at '3:14: version must be a whole number$' version.json
sed '/"version"/d' small.json >no_version.json
at '1:1: version is missing$' no_version.json
sed 's/"passage": 2/"pasage": 2/' small.json >misspelt.json
at "6:3: unknown key 'pasage'$" misspelt.json
sed 's/\[4, 4, 4,/[4, 4, "4",/' small.json >word.json
at '12:5: block 2 \(id 3\): box must be 6 numbers$' word.json
sed 's/"cell": \[4, 1, 1\]/"cell": [4, 1, 1], "up": "backward"/' play.json >turned.json
at '11:3: block 2 \(id 12\): forward and up must be at a right angle$' turned.json
sed 's/"slot": 1,/"slot": -1,/' play.json >slot.json
at '16:12: wire 0: slot must be a whole number below 2\^32$' slot.json
sed 's/"77"/77/' game.json >grid.json
at '2:30: grid 0: entityId must be a string$' grid.json
printf '{"format": "octant-world", "na\033[1m": 1}' >colour.json
expect 2 map info colour.json
grep -q "$(printf '\033')" err && fail "a file steers the terminal"
refuses "nowhere.json: cannot open: No such file or directory" map info nowhere.json

# Nothing is left behind by what fails, and the old file stays.
mkdir files
printf 'old' >files/old.json
expect 2 map convert twice.json files/old.bt
expect 2 gen glass-box -o files/no/such.json
(
    trap '' XFSZ
    ulimit -f 1
    exec "$octant" gen glass-box -o files/old.json
) >out 2>err
equals $? 2
grep -q '^octant: files/old.json: cannot write: ' err || fail "a full disk is not reported"
only old.json
equals "$(cat files/old.json)" old
