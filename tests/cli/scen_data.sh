#!/bin/sh
# SPDX-License-Identifier: MIT
# A sample of the public benchmarks: every stated length is met, every path is valid. Exit code 77 =
# skipped: the folder that OCTANT_DATA names, else ../shared/data beside the source folder, is not
# there.
data=${OCTANT_DATA:-$2/../shared/data}
if [ ! -d "$data/voxel3d" ] || [ ! -d "$data/grid2d_anyangle" ]; then
    echo "skipped: no maps in $data"
    exit 77
fi
data=$(cd "$data" && pwd)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# real QUERIES KIND/MAP WRONG OPTION...: so many queries, all solved, none invalid; wrong lengths as
# given (null where they do not apply).
real() {
    count=$1
    map=$2
    wrong=$3
    shift 3
    works scen "$data/$map" "$(ls "$data/$map".*scen)" --limit "$count" --check --json "$@"
    equals "$map $* $(field solved) $(field wrong_length) $(field invalid_paths)" \
        "$map $* $count $wrong 0"
}

real 50 voxel3d/Simple.3dmap 0 --algorithm astar --graph cells
real 50 voxel3d/Simple.3dmap 0 --algorithm baseline
real 50 voxel3d/Complex.3dmap 0 --algorithm astar --graph cells --seed 3
real 20 voxel3d/DA1.3dmap 0 --algorithm astar --graph cells
real 10 voxel3d/BC1.3dmap 0 --algorithm astar --graph cells
real 10 voxel3d/EB1.3dmap 0 --algorithm astar --graph cells
real 5 voxel3d/A1.3dmap 0 --algorithm astar --graph cells
real 50 grid2d/arena.map 0 --algorithm astar --graph cells
real 50 grid2d/arena.map 0 --algorithm dijkstra --graph cells --threads 2
for graph in cells dual corner progressive-dual progressive-corner; do
    for algorithm in astar-smooth theta lazy-theta; do
        real 10 voxel3d/Complex.3dmap null --algorithm $algorithm --graph $graph
    done
done
for grade in best fast; do
    real 50 voxel3d/Complex.3dmap null --grade $grade --seed 3
    real 20 voxel3d/DA1.3dmap null --grade $grade
    real 10 voxel3d/BC1.3dmap null --grade $grade
    real 10 voxel3d/EB1.3dmap null --grade $grade
    real 10 voxel3d/A1.3dmap null --grade $grade
    real 50 grid2d/arena.map null --grade $grade --threads 2
done
# Nothing is shorter than the shortest.
for how in '--grade best' '--grade fast' '--graph corner' '--graph cells --taut yes'; do
    # shellcheck disable=SC2086 # many words
    works scen "$data/grid2d_anyangle/AR0500SR.map" \
        "$data/grid2d_anyangle/AR0500SR.anyangle.map.scen" --truth anyangle --ends corner --check \
        --json --limit 50 $how
    equals "$how $(field solved) $(field wrong_length) $(field invalid_paths)" "$how 50 0 0"
done
exit 0
