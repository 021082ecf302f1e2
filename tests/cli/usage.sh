#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong arguments: exit code 2 and one line that says what is wrong.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

kinds='boxes|wall|clusters|checkerboard|tunnels|potential|glass-box|glass-maze|svo-random|svo-wall|puzzle|level|lab'
refuses "map info: FILE is missing; 'octant map info --help' says more" map info
refuses "map info: 'b' is one argument too many" map info a b
refuses "map info: unknown option '--jsn'; did you mean '--json'?" map info a --jsn
refuses "map info: unknown option '-x'; 'octant map info --help' lists them" map info -x
refuses "map info: FILE must not be empty" map info ''
refuses "map convert: OUT is missing; 'octant map convert --help' says more" map convert a.bt
refuses "map convert: --unknown must be one of open|blocked, not 'free'" \
    map convert a.bt b.bt --unknown free
refuses "gen: KIND is missing; 'octant gen --help' says more" gen
refuses "gen: --output is missing; 'octant gen --help' says more" gen boxes
refuses "gen: KIND must be one of $kinds, not 'maze'" gen maze -o a.bt
refuses "gen: KIND must be one of $kinds, not 'wal'; did you mean 'wall'?" gen wal -o a.bt
refuses "gen: unknown option '--sise'; did you mean '--size'?" gen boxes --sise=8 -o a.bt
refuses "gen: --size needs a value, N" gen boxes -o a.bt --size
refuses "gen: --json takes no value" gen boxes -o a.bt --json=yes
for bad in 7 4097 8x 0x10 ' 8' 8.0 '' -8 99999999999999999999 nan; do
    refuses "gen: --size must be a whole number from 8 to 4096, not '$bad'" \
        gen boxes -o a.bt --size "$bad"
done
for bad in -0.1 0.5 nan inf 1e999 0.1x '' .; do
    refuses "gen: --fill must be a number from 0 to 0.4, not '$bad'" \
        gen clusters -o a.bt --fill "$bad"
done
for bad in -0.1 1.01 nan inf 40% ''; do
    refuses "gen: --coverage must be a number from 0 to 1, not '$bad'" \
        gen potential -o a.map --coverage "$bad"
done
for bad in -1 1001 0.5 ''; do
    refuses "gen: --clustering must be a whole number from 0 to 1000, not '$bad'" \
        gen potential -o a.map --clustering "$bad"
done
refuses "gen: a map drawn by potential has 2 dimensions" gen potential -o a.octant --dims 3
refuses "a.bt: a .bt file has 3 dimensions, but the map has 2" gen potential -o a.bt
refuses "gen: --seed must be a whole number from 0 to 9007199254740992, not '-1'" \
    gen boxes -o a.bt --seed -1
refuses "gen: --size of a checkerboard of three dimensions is at most 1024" \
    gen checkerboard -o a.bt --size 1025
refuses "a.txt: maps are written as .octant, .3dmap, .map, .bt or .obj" gen boxes -o a.txt
refuses "a.map: a .map file has 2 dimensions, but the map has 3" gen boxes -o a.map --dims 3
refuses "a.bt: a .bt file has 3 dimensions, but the map has 2" gen boxes -o a.bt --dims 2
refuses "explore: unknown option '--sigt'; did you mean '--sight'?" explore a.json --sigt=line
refuses "explore: --sight must be one of line|through, not 'x'" explore a.json --sight x
refuses "explore: --structure must be one of octree|grid|set, not 'list'" \
    explore a.json --structure list
for aim in "--to 1,2,3" "--find lamp" "--strategy gain"; do
    # shellcheck disable=SC2086
    refuses "explore: --structure grid and set explore everything, the nearest first: without \
--to, --find and --strategy" explore a.json --structure grid $aim
done
for bad in 0 -1 nan 1e7 ''; do
    refuses "explore: --radius must be a number from 0.001 to 1e+06, not '$bad'" \
        explore a.json --radius "$bad"
done
refuses "explore: --calls must be a whole number from 1 to 9007199254740992, not '0'" \
    explore a.json --calls 0
refuses "bench: NAME must be one of map|search|flat|frontier|moving|swarm|game|link|table, not 'mpa'; did you mean 'map'?" bench mpa
refuses "bench: TABLE is missing; 'octant bench --help' says more" bench table
refuses "bench: TABLE must be one of worlds|mesh|flat|units|flights|puzzles|surfaces|graphs, not 'unit'; did you mean \
'units'?" bench table unit
refuses "bench: 'mesh' is one argument too many" bench map mesh
refuses "bench: no table matches --filter 'nothing at all'" \
    bench table mesh --filter 'nothing at all'
refuses "bench: no table matches --filter 'wall/2/'" bench table units --filter wall/2/
refuses "bench: the scenes of table units have one size" bench table units --size 64
refuses "bench: the worlds of flights have one size" bench table flights --size 64
refuses "bench: worlds: No such file or directory" bench table flights
refuses "bench: nowhere: No such file or directory" bench table flights --scenes nowhere
refuses "bench: --svg is for table flat" bench table flights --svg .
refuses "bench: puzzles have no size" bench table puzzles --size 64
refuses "bench: nothing to measure: there is no none/space_engineers/worlds/test4a_Glass_box_maze.json, \
worlds/glass_maze.json, worlds/scrapyard.json, worlds/drifting_ship.json" bench game --data none
refuses "bench: no row matches --filter 'clusters'" bench game --data none --filter clusters
refuses "bench: --repeat must be a whole number from 1 to 1000, not '0'" bench map --repeat 0
refuses "bench: no row matches --filter 'nothing at all'" bench map --filter 'nothing at all'
refuses "test: SCRIPT is missing; 'octant test --help' says more" test
refuses "test: unknown option '--filtre'; did you mean '--filter'?" test a.lua --filtre=x
refuses "test: --repeat must be a whole number from 1 to 10000, not '0'" test a.lua --repeat 0
refuses "test: --seed must be a whole number from 1 to 9007199254740992, not '0'" \
    test a.lua --seed=0
refuses "test: --quiet and --verbose do not go together" test a.lua -q -v
refuses "nowhere/a.xml: cannot create a file beside it: No such file or directory" test a.lua --junit nowhere/a.xml
refuses "nowhere/a.html: cannot create a file beside it: No such file or directory" test a.lua --html nowhere/a.html

# Control characters from outside do not reach the terminal.
refuses "gen: KIND must be one of $kinds, not 'a?b?[1m'" gen "$(printf 'a\nb\033[1m')" -o a.bt

# All ways to write an option mean the same.
works gen boxes -o a.bt --size 16 --seed 3
works gen -ob.bt --seed=3 --size=16 boxes
works gen --output c.bt --size 16 --seed 3 -- boxes
cmp -s a.bt b.bt || fail "options mean different things"
cmp -s a.bt c.bt || fail "options mean different things"
works gen boxes --output=--d.bt --size 16 --seed 3
works map info -- --d.bt
[ -e a.txt ] && fail "a refused command wrote a file"
exit 0
