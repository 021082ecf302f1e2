#!/bin/sh
# SPDX-License-Identifier: MIT
# Meshes and clearance: maps of OBJ and STL, paths through them, what is said of what they lack.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# A room of 8 x 8 x 8 with walls of one layer, faces outwards, and a wall with a hole in it.
cat >room.obj <<'END'
o room
v 0 0 0
v 8 0 0
v 8 8 0
v 0 8 0
v 0 0 8
v 8 0 8
v 8 8 8
v 0 8 8
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
o wall
v 4 0 0
v 4 5 0
v 4 5 8
v 4 0 8
f -4 -3 -2 -1
END

head -n 15 room.obj >clean.obj

# works, with warnings.
does() {
    "$octant" "$@" >out 2>err || fail "octant $*"
}

does map info room.obj --cell 0.5 --json
is_json
equals "$(field format)" '"obj"'
equals "$(field triangles)" 14
equals "$(field parts)" 2
equals "$(field closed)" 1
equals "$(field open_edges)" 4
equals "$(field open)" 0
does map info room.obj --cell 0.5
grep -q 'warning: room.obj: 1 of 2 parts enclose nothing: 4 open edges, one of them from (4, 0, 0)' err ||
    fail "the open part is not named"
does map info room.obj --cells 16 --hollow --json
equals "$(field cell_size)" 0.5
# The walls lie between cells: both layers are blocked.
equals "$(field blocked)" $((18 * 18 * 18 - 14 * 14 * 14 + 2 * 10 * 14))

does path room.obj --hollow --cell 0.5 --from 2,2,4 --to 6,2,4 --check --json
length=$(field length)
awk "BEGIN { exit !($length > 7.5 && $length < 10) }" || fail "the way over the wall is $length"
# The gap above the wall is 3 high: a ball of radius 1 fits, one of radius 2 does not.
does path room.obj --hollow --cell 0.25 --from 2,2,4 --to 6,2,4 --clearance 1 --check
finds_nothing() {
    "$octant" "$@" >out 2>err
    equals $? 1
}
finds_nothing path room.obj --hollow --cell 0.25 --from 2,3,4 --to 6,3,4 --clearance 1.9
does path room.obj --hollow --cell 0.25 --from 2,2,4 --to 6,2,4 --clearance 0.4,1.8
does path room.obj --hollow --cell 0.25 --from 2,2,4 --to 6,2,4 --clearance 1,1,1

# Converted: the same cells, and a picture of them.
does map convert room.obj room.octant --cell 0.5 --hollow --json
works map info room.octant --json
equals "$(field blocked)" $((18 * 18 * 18 - 14 * 14 * 14 + 2 * 10 * 14))
works map convert room.octant boxes.obj
works map info boxes.obj --cell 0.5 --json
equals "$(field open_edges)" 0
works map convert room.octant wide.octant --clearance 0.5
works map info wide.octant --json
[ "$(field blocked)" -gt $((18 * 18 * 18 - 14 * 14 * 14 + 2 * 10 * 14)) ] || fail "no clearance"

# Explored to the end, and nothing else reached than by a flood.
does explore room.obj --hollow --cell 0.5 --from 2,2,4 --radius 6 --check --json
equals "$(field differ)" 0
does explore room.obj --hollow --cell 0.5 --from 2,2,4 --radius 6 --clearance 0.5 --check --json
equals "$(field differ)" 0

# Corners moved along their normals, to compare with: a wall of one layer moves to one side.
does map info room.obj --cell 0.5 --hollow --clearance 0.5 --json
blocked=$(field blocked)
does map info room.obj --cell 0.5 --hollow --clearance 0.5 --clearance-by normals --json
[ "$(field blocked)" -lt "$blocked" ] || fail "normals block as much as distances"
refuses "map info: --clearance-by normals is for --clearance by a radius" \
    map info clean.obj --clearance 1,1,1 --clearance-by normals

# A sealed lid: what the file says collides is all that counts.
{ cat room.obj; printf 'o lid-colonly\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n'; } >collides.obj
does map info collides.obj --cell 0.5 --json
equals "$(field colliding)" 1
equals "$(field triangles)" 1

# Clearance of maps.
printf 'voxel 9 9 9\n4 4 4\n' >one.3dmap
works map info one.3dmap --clearance 2 --json
equals "$(field blocked)" 125
works map info one.3dmap --clearance 0,1.5,0 --json
equals "$(field blocked)" 5
works path one.3dmap --from 0.5,4.5,4.5 --to 8.5,4.5,4.5 --clearance 1.5 --check
printf 'version 1\none.3dmap\n0 0 0 8 8 8 13.8 1\n3 4 4 5 5 5 3 1\n' >one.3dscen
works scen one.3dmap one.3dscen --clearance 1 --check --json
equals "$(field queries)" 1
equals "$(field left_out)" 1
equals "$(field wrong_length)" null

# What assimp reads, in a child: a PLY, and a glTF whose nodes have names and places.
reads_more() {
    "$octant" map info "$1" --json >out 2>err || true
    ! grep -q 'this build reads .obj and .stl alone' err
}
cat >cube.ply <<'END'
ply
format ascii 1.0
element vertex 8
property float x
property float y
property float z
element face 6
property list uchar int vertex_indices
end_header
0 0 0
2 0 0
2 2 0
0 2 0
0 0 2
2 0 2
2 2 2
0 2 2
4 3 2 1 0
4 4 5 6 7
4 0 1 5 4
4 1 2 6 5
4 2 3 7 6
4 3 0 4 7
END
if reads_more cube.ply; then
    works map info cube.ply --cell 0.5 --json
    equals "$(field format)" '"ply"'
    equals "$(field triangles)" 12
    equals "$(field closed)" 1
    equals "$(field blocked)" 216
    works map info cube.ply --cell 0.5 --unit 0.25 --json
    equals "$(field area)" 1.5
    # One triangle, as base64; the node that collides stands 4 further along x.
    cat >scene.gltf <<'END'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
 "nodes": [{"name": "drawn", "mesh": 0}, {"name": "shape-colonly", "mesh": 0, "translation": [4, 0, 0]}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
   "min": [0, 0, 0], "max": [1, 1, 0]}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36,
   "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}
END
    does map info scene.gltf --cell 0.5 --json
    equals "$(field triangles)" 1
    equals "$(field colliding)" 1
    grep -A 1 '"min"' out | tr -d ' \n' | grep -q '\[4.0,0.0,0.0\]' ||
        grep -q '4.0' out || fail "the node's place does not count"
    # Hostile files give one line, whatever assimp does with them.
    for file in bad.glb bad.fbx bad.dae bad.ply bad.gltf; do
        head -c 4000 /dev/urandom >$file
        expect 2 map info $file
        equals "$(wc -l <err)" 1
    done
    : >empty.glb
    expect 2 map info empty.glb
    expect 2 map info absent.glb
    equals "$(wc -l <err)" 1
fi

# What is wrong is refused in one line.
refuses "path: --cells is for meshes, such as .obj and .stl files" \
    path one.3dmap --cells 4 --from 0,0,0 --to 1,1,1
refuses "map info: --body is for worlds, which are .json or .sbs files" map info room.obj --body 1
refuses "map info: --cell and --cells do not go together" map info room.obj --cell 1 --cells 3
refuses "path: --clearance must be a radius such as 0.4, the radius and height of an upright \
capsule such as 0.4,1.8, or half extents such as 0.4,0.4,0.9, all metres, not 'wide'" \
    path one.3dmap --from 0,0,0 --to 1,1,1 --clearance wide
refuses "path: a capsule of radius 1 is at least 2 high, not 1" \
    path one.3dmap --from 0,0,0 --to 1,1,1 --clearance 1,1
refuses "one.3dmap: --clearance is more than 64 cells of 1 m" \
    path one.3dmap --from 0,0,0 --to 1,1,1 --clearance 100
works map info clean.obj
refuses "clean.obj: with cells of 0.001 m it does not fit into a map; say a larger --cell, or --cells" \
    map info clean.obj --cell 0.001 --margin 1e6
refuses "clean.obj: with cells of 0.001 m it does not fit into a map; say a larger --cell, or --cells" \
    path clean.obj --cell 0.001 --margin 100 --from 0,0,0 --to 1,1,1
printf 'v 0 0 0\nf 1 2 3\n' >bad.obj
refuses "bad.obj:2:5: there is no vertex 2: there are 1" map info bad.obj
printf 'solid a\n' >bad.stl
refuses "bad.stl: this is the text form of STL; the binary form is read" map info bad.stl
refuses "explore: --clearance is for maps and meshes; worlds have --body" \
    explore world.json --clearance 1
exit 0
