#!/bin/sh
# SPDX-License-Identifier: MIT
# A short tour of the command on worlds that it makes itself. What it writes is in build/demo.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/build:$PATH
rm -rf build/demo
mkdir -p build/demo
cd build/demo

say() {
    printf '\n%s\n' "$*"
}

show() {
    echo "\$ $*"
    "$@"
}

say 'Make a world from a seed: a hollow cube of 256 cells a side in which boxes crowd together.'
show octant gen clusters --seed 1 -o clusters.octant

say 'What it holds. The octree keeps its 16.7 million cells in less than two megabytes.'
show octant map info clusters.octant

say 'Write it as text for the Moving AI benchmarks, and for OctoMap. JSON is for programs.'
show octant map convert clusters.octant clusters.3dmap
show octant map convert clusters.octant clusters.bt --json
show ls -l

say 'The same world came through: the cells are those of before.'
show octant map info clusters.bt

say 'The same code at two dimensions is a quadtree.'
show octant gen wall --dims 2 --size 24 --boxes 8 --seed 3 -o wall.map
show cat wall.map

say 'A world of things: a box of glass with two houses in it. A map of it is for a body that has to fit
through, here one of 1.8 m; cells that may close passages are warned of.'
show octant gen glass-box -o box.json
show octant map info box.json --cell 0.5

say 'A path through the crowded cube, judged by exact arithmetic: no corner is clipped.'
show octant path clusters.octant --from 3,3,3 --to 250,250,250 --check --points

say 'The same over cells, as the public benchmarks have it: longer, and with many more turns.'
show octant path clusters.octant --from 3,3,3 --to 250,250,250 --graph cells --algorithm astar

say 'And in the house of glass, for the body of 1.8 m.'
show octant path box.json --cell 0.5 --from 10,10,10 --to 100,110,80

say 'The same house, explored by a body that has never seen it: it looks, asks where to go, and looks again.
A flood of the true world says whether it has seen all that it can reach.'
show octant explore box.json --cell 0.5 --radius 30 --check --trace tour.jsonl

say 'The 2D laboratory: ten algorithms on flat maps of three clusterings, every path judged.'
show octant lab --size 128 --coverage 20 --clustering 0,4,64 --check --repeat 3 --csv lab.csv

say 'How fast it is, on this machine and on a smaller world; "make bench" runs all of it in full.'
show octant bench map --size 128 --repeat 5 --filter clusters/octree

say "The files are in build/demo. 'build/octant --help' lists the commands."
