#!/bin/sh
# SPDX-License-Identifier: MIT
# What a stranger sees first: help, version, and hints after a slip.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

works --version
grep -Eqx 'octant [0-9]+\.[0-9]+\.[0-9]+' out || fail "not a version"
version=$(cut -d' ' -f2 out)

cat >expected_help <<END
octant $version: play-tests worlds that one can fly through

usage
  octant COMMAND [ARGUMENT...]
  octant help [COMMAND]
  octant --version

commands
  map info     says what a map, mesh or world file holds
  map convert  writes a map in another format, or makes one of a world or mesh
  map bake     makes a surface to walk on of a mesh, map or world
  path         finds a path through a map or world
  scen         does the queries of a scenario file and compares their lengths
  lab          compares algorithms on flat maps, one CSV row a run
  gen          makes a map or a world from a seed
  explore      explores a world until nothing that can be reached is unknown
  links        finds out which button toggles which door
  test         plays the tests of Lua scripts in game worlds, with verdicts
  view         shows maps, worlds and replays on a page in a browser
  serve        lets other programs play a world, behind a protocol
  game check   says whether the adapter of a game keeps the protocol
  check        says what is wrong with worlds and scripts, without playing
  bench        measures, each row against its baseline in the same run

Every command has --help and --json. Exit codes: 0 yes, 1 no, 2 bad usage or bad input.
END
for how in help --help -h; do
    works $how
    cmp -s out expected_help || fail "octant $how"
done

cat >expected_convert <<'END'
octant map convert: writes a map in another format, or makes one of a world or mesh

usage
  octant map convert IN OUT [OPTION...]

arguments
  IN                          .octant, .3dmap, .map, .bt; mesh: .obj, .glb...; world: .json, .sbs
  OUT                         likewise; not IN itself

options
      --cell M                worlds, meshes: edge of a cell, metres (default 0.35)
      --body M                worlds: the body's extent, metres: 1.8, or 0.8,0.8,1.8 (default 1.8)
      --padding whole|centre  worlds: what blocks grow by, half the body or less (default whole)
      --sizes FILE            saves: sizes of blocks (default: block_sizes.json near by)
      --cells N               meshes: so many cells along the longest side
      --margin M              meshes: free space around their box, metres (default 0)
      --hollow                meshes: what closed parts enclose is open
      --up x|y|z              meshes: which axis points up (default y)
      --unit M                meshes: metres in a unit of the file (default 1)
      --clearance R           maps, meshes: a body's radius; R,H: capsule; X,Y,Z: half extents
      --clearance-by WORD     meshes: normals, which are wrong, to compare (default distance)
                              distance|normals
      --unknown open|blocked  what unknown cells of the map's box become
      --json                  print one JSON object instead of text
  -h, --help                  show this help

notes
  OUT's extension decides the format. A .3dmap or .map has no unknown cells: where IN has
  some, --unknown must say what they become. OUT is replaced whole or not at all.
  A map of a world has the cells of its extent, with blocks grown by the body; a world as
  .json again is written in Octant's own format. Of a map or mesh with --clearance the view
  is written: asked again, it would keep the clearance twice. As .obj the blocked leaves
  are written as boxes, to look at.
END
works map convert --help
cmp -s out expected_convert || fail "help of map convert"
works help map convert
cmp -s out expected_convert || fail "the other help of map convert"
works map convert -h a b c # help wins over what else is wrong
cmp -s out expected_convert || fail "help beside other mistakes"

works help map
says 'map convert  writes'
grep -q gen out && fail "the group shows other commands"
works map --help
says 'map info     says'

# Every command that is listed explains itself, in lines that fit, and the man page knows it.
sed 's/\\-/-/g' "$source/docs/reference/octant.1" >manual
works help
sed -n '/^commands$/,/^$/s/^  \(.*[a-z]\)  .*/\1/p' out | sed 's/  .*//' >names
[ -s names ] || fail "no commands"
while read -r name; do
    # shellcheck disable=SC2086 # a name may be two words
    works $name --help
    says "usage"
    says "--json"
    awk 'length > 100 { exit 1 }' out || fail "$name --help has lines beyond 100 columns"
    grep -q "octant $name" manual || fail "the man page lacks $name"
    grep -Eo '^ +(-[a-z], )?--[a-z-]+' out | grep -o -e '--.*' >options
    while read -r option; do
        grep -q -e "$option" manual || fail "the man page lacks $option of $name"
    done <options
done <names

refuses "no command; 'octant help' lists them"
refuses "unknown command 'frobnicate'; 'octant help' lists them" frobnicate
refuses "unknown command 'mpa'; did you mean 'map'?" mpa info x
refuses "unknown command 'map inof'; did you mean 'map info'?" map inof x
refuses "map: which command? 'octant help map' lists them" map
refuses "unknown command 'bnech'; did you mean 'bench'?" help bnech
refuses "unknown option '--verison'; 'octant help' says more" --verison

# No colours in a file, whatever the terminal.
TERM=xterm works help
grep -q "$(printf '\033')" out && fail "colours in a file"
exit 0
