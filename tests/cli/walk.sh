#!/bin/sh
# SPDX-License-Identifier: MIT
# Paths on surfaces: lengths that can be checked by hand, ends that are off, and what is refused.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# Two squares; the second one is a ramp.
cat >ramp.obj <<'END'
v 0 0 0
v 4 0 0
v 4 0 4
v 0 0 4
v 8 3 0
v 8 3 4
f 1 2 3 4
f 2 5 6 3
END
expect 0 path ramp.obj --walk --from 1,0,1 --to 8,3,1 --json
equals "$(field status)" '"found"'
equals "$(field length)" 7.0
expect 0 map info ramp.obj --walk --json
equals "$(field faces)" 2
equals "$(field islands)" 1
equals "$(field area)" 32.0
expect 1 path ramp.obj --walk --from 1,5,1 --to 8,3,1
says 'the start is not on the surface; the nearest place, 5 m away: 1, 0, 1'

# Around the inner corner of an L.
cat >corner.json <<'END'
{"vertices": [[0,0,0], [4,0,0], [4,0,1], [1,0,1], [1,0,4], [0,0,4]],
 "faces": [[0,1,2,3,4,5]]}
END
expect 0 path corner.json --walk --from 4,0,1 --to 1,0,4 --json
equals "$(field length)" 6.0

# What cannot be read is named with its line.
printf 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n' >bad.obj
refuses "bad.obj:4:7: expected the index of a point, 1 to 3, or negative from the last" \
    map info bad.obj --walk
refuses "path: --from must be X,Y,Z in metres, not '1,2'" \
    path ramp.obj --walk --from 1,2 --to 1,2,3
refuses "path: --step is for --walk" path ramp.obj --step 1 --from 1,0,1 --to 1,0,2
