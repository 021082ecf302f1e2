#!/bin/sh
# SPDX-License-Identifier: MIT
# Hoekzema's four tests on its own worlds. Exit code 77 = skipped: the folder that OCTANT_DATA
# names, else ../shared/data beside the source folder, is not there.
data=${OCTANT_DATA:-$2/../shared/data}
if [ ! -d "$data/space_engineers/worlds" ]; then
    echo "skipped: no worlds in $data"
    exit 77
fi
data=$(cd "$data" && pwd)
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Scripts look for their worlds above themselves, too: beside the data, wherever that is. The folder
# is not below the working folder, so that it must be named.
OCTANT_DATA=$data
export OCTANT_DATA
mkdir shared
ln -s "$data" shared/data
cp "$source"/worlds/tests/original/*.lua .

# Large worlds take a sanitizer minutes.
if [ -n "${OCTANT_TEST_SAMPLE-}" ]; then
    expect 0 test test1.lua --json
else
    expect 0 test . --json
    equals "$(field passed)" 8
fi
equals "$(field failed) $(field inconclusive) $(field errors)" "0 0 0"
exit 0
