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
refuses "path: --rules is for --walk" path ramp.obj --rules step=1 --from 1,0,1 --to 1,0,2

# Two floors apart, and one above: by the rules of a body.
cat >gap.obj <<'END'
v 0 0 0
v 4 0 0
v 4 0 4
v 0 0 4
v 6 0 0
v 9 0 0
v 9 0 4
v 6 0 4
v 9 0.3 0
v 12 0.3 0
v 12 0.3 4
v 9 0.3 4
f 1 2 3 4
f 5 6 7 8
f 9 10 11 12
END
expect 1 path gap.obj --walk --from 1,0,1 --to 11,0.3,1
expect 1 path gap.obj --walk --from 1,0,1 --to 11,0.3,1 --rules leap=1.9,step=0.3
expect 0 path gap.obj --walk --from 1,0,1 --to 11,0.3,1 --rules leap=2,step=0.3 --json --svg gap.svg
equals "$(field jumps)" 1
equals "$(field steps)" 1
grep -q 'a jump' gap.svg || fail "the picture has no jump"
refuses "path: --rules must be metres such as step=0.4,climb=1.1,leap=3,drop=4, also slope, margin, \
stride, spacing; not 'leap=x'" \
    path gap.obj --walk --from 1,0,1 --to 11,0.3,1 --rules step=1,leap=x

# Exploring uses the links: without rules it stays on the first floor.
expect 0 explore gap.obj --walk --radius 3 --strategy nearest
equals "$(awk '/^nearest/ { seen = $4; links = $9 } /^of/ { print links, $7, (seen < $2) }' out)" \
    "0 0 1"
expect 0 explore gap.obj --walk --radius 3 --strategy nearest --rules leap=2,step=0.3 \
    --svg jumped.svg
equals "$(awk '/^nearest/ { seen = $4; links = $9 } /^of/ { print (links > 0), (seen == $2) }' out)" \
    "1 1"
grep -q 'a jump' jumped.svg || fail "the picture of the tour has no jump"
refuses "explore: --rules is for --walk" explore gap.obj --rules step=1

# An obstacle is gone around; a hazard with a price is, too, if that is cheaper.
cat >field.obj <<'END'
v 0 0 0
v 10 0 0
v 10 0 10
v 0 0 10
f 1 2 3 4
END
cat >wall.json <<'END'
{"shapes": [{"outline": [[4,0,2], [6,0,2], [6,0,8], [4,0,8]], "low": -1, "high": 2}]}
END
expect 0 path field.obj --walk --from 1,0,5 --to 9,0,5 --json
equals "$(field length)" 8.0
expect 0 path field.obj --walk --from 1,0,5 --to 9,0,5 --shapes wall.json --json --svg wall.svg
case "$(field length)" in 10.4*) ;; *) fail "not around the wall" ;; esac
grep -q 'an obstacle' wall.svg || fail "the picture has no obstacle"
sed 's/"high": 2/"high": 2, "effect": "priced", "metre_price": 3/' wall.json >lava.json
expect 0 path field.obj --walk --from 0,0,0 --to 10,0,10 --shapes lava.json --json
sed 's/\[4,0,2\]/[4,0]/' wall.json >bad.json
refuses "bad.json:1:1: shapes[0] has a point that is not three numbers within +-1e7" \
    path field.obj --walk --from 1,0,5 --to 9,0,5 --shapes bad.json
expect 0 map info field.obj --walk --shapes wall.json --svg info.svg
grep -q 'an edge that is blocked' info.svg || fail "no blocked edge"

# Pairs of points.
printf '# from, to, length\n\n1 0 1 4 0 5 5\n1 0 1 1 0 1 0\n-1 0 1 4 0 5\n' >pairs.txt
expect 1 scen field.obj pairs.txt --walk --json --csv pairs.csv
equals "$(field queries)" 3
equals "$(field solved)" 2
equals "$(field off)" 1
equals "$(field wrong_length)" 0
equals "$(sed -n 2p pairs.csv | cut -d, -f1-4)" 0,found,5,5
printf '1 0 1 4 0 5 4\n' >wrong.txt
expect 1 scen field.obj wrong.txt --walk --json
equals "$(field wrong_length)" 1
printf '1 0 1 4 0 5\n1 2 3\n' >short.txt
refuses "short.txt:2:6: expected x y z x y z in metres, then the length or nothing" \
    scen field.obj short.txt --walk
refuses "scen: --limit is not for --walk" scen field.obj pairs.txt --walk --limit 1
refuses "scen: --step is for --walk" scen field.obj pairs.txt --step 1

# Exploring: all strategies, or one, and what was seen so far.
expect 0 explore field.obj --walk --radius 3
says 'directed'
expect 0 explore field.obj --walk --radius 3 --strategy directed --json
expect 1 explore field.obj --walk --radius 3 --strategy nearest --calls 1 --svg seen.svg
grep -q 'the frontier' seen.svg || fail "no frontier"
refuses "explore: --strategy gain is not for --walk" explore field.obj --walk --strategy gain
refuses "explore: --strategy directed is for --walk" explore field.obj --strategy directed
