#!/bin/sh
# SPDX-License-Identifier: MIT
# The worlds of Hoekzema 2024, explored to the end: what was reached is what a flood of the true world
# reaches. Exit code 77 = skipped: the folder that OCTANT_DATA names, else ../shared/data beside the
# source folder, is not there.
data=${OCTANT_DATA:-$2/../shared/data}
if [ ! -d "$data/space_engineers" ] || [ ! -d "$data/voxel3d" ]; then
    echo "skipped: no worlds in $data"
    exit 77
fi
data=$(cd "$data" && pwd)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"
printed="--cell 0.62 --padding centre"

# world FILE STATUS REACHABLE OPTION...: explores one, with warnings of cells that close passages.
world() {
    file=$1
    wanted="$file \"$2\" $3 0"
    shift 3
    expect 0 explore "$data/space_engineers/worlds/$file.json" --check --json "$@"
    equals "$file $(field status) $(field reachable) $(field differ)" "$wanted"
}

# shellcheck disable=SC2086 # many words
for sight in line through; do
    world test1_myworld-3_Indoors explored 1916 $printed --sight $sight
    world test1b_myworld-3_Indoors_open-door bounded 4304147 $printed --sight $sight
    # Its ship, 9 km away, is not within the bounds.
    world test2_CR3_3_3_M explored 1298 $printed --sight $sight
done
# shellcheck disable=SC2086
{
    world test3a_Glass_box explored 5013919 $printed --sight line
    # The largest of them only once where a sanitizer slows it.
    [ -n "${OCTANT_TEST_SAMPLE-}" ] ||
        world test4a_Glass_box_maze explored 4586686 $printed --sight through
    world test4a_Glass_box_maze explored 4586686 $printed --sight through --radius 50 --grade fast
    world test2_CR3_3_3_M explored 1298 $printed --sight line --strategy gain
}

# The button is found and gone to; the dummy behind the closed door is not seen in line of sight.
glass="$data/space_engineers/worlds/test3a_Glass_box.json"
# shellcheck disable=SC2086
works explore "$glass" $printed --find ButtonPanel --json
equals "$(field status)" '"arrived"'
# shellcheck disable=SC2086
expect 1 explore "$glass" $printed --find TargetDummy --json
equals "$(field status)" '"explored"'

# A scan is a truth, too: what it does not know is in the way.
works explore "$data/voxel3d/Simple.3dmap" --from 10.5,10.5,10.5 --radius 40 --check --json
equals "$(field status) $(field differ)" '"explored" 0'
exit 0
