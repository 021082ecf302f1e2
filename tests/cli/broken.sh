#!/bin/sh
# SPDX-License-Identifier: MIT
# Broken files: the message names file, line and column, or the byte; and no failure leaves half a
# file behind or harms the old one.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

# at WHERE FILE: the file is refused, and the message says where.
at() {
    expect 2 map info "$2"
    [ ! -s out ] || fail "$2: prints something"
    [ "$(wc -l <err)" -eq 1 ] || fail "$2: not one line"
    grep -Eq "^octant: $2:$1 [^ ].*" err || fail "$2: does not say '$1'"
}

printf 'voxel 4 4 4\n1 2 3\n0 x 1\n' >word.3dmap
at 3:3: word.3dmap
printf 'voxel 4 4 4\n1 2 3\n0 0 4\n' >range.3dmap
at 3:5: range.3dmap
printf 'voxel 4 4\n' >head.3dmap
at '1:[0-9]+:' head.3dmap
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n.?.\n' >cell.map
at 6:2: cell.map
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n' >short.map
at '[0-9]+:[0-9]+:' short.map
: >empty.3dmap
at '' empty.3dmap
printf 'hello' >no_map
at '' no_map

works gen boxes -o good.bt --size 32
head -c 300 good.bt >cut.bt
at ' byte [0-9]+:' cut.bt
works gen boxes -o good.octant --size 32
head -c 200 good.octant >cut.octant
at ' byte [0-9]+:' cut.octant
{
    head -c 150 good.octant
    printf 'rubbish'
    tail -c +158 good.octant
} >damaged.octant
at ' byte [0-9]+:' damaged.octant

refuses "nowhere.bt: cannot open: No such file or directory" map info nowhere.bt
expect 2 map info .
grep -q '^octant: \.: ' err || fail "a folder is not refused"
expect 2 map convert word.3dmap out.bt
grep -q '^octant: word.3dmap:3:3: ' err || fail "convert does not say where"
[ -e out.bt ] && fail "a broken file was converted"

# Nothing is left behind by what fails, and the old file stays.
mkdir files
expect 2 gen boxes -o files/no/such/folder.bt --size 16
only
printf 'old' >files/old.3dmap
full() {
    # A limit on file sizes stands for a full disk; the signal must not kill the command.
    (
        trap '' XFSZ
        ulimit -f 1
        exec "$octant" "$@"
    ) >out 2>err
}
for file in new.3dmap old.3dmap; do
    full gen clusters -o files/$file --size 64
    equals $? 2
    grep -q "^octant: files/$file: " err || fail "a full disk is not reported"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line"
    only old.3dmap
done
equals "$(cat files/old.3dmap)" old
full map convert good.octant files/old.3dmap
equals $? 2
equals "$(cat files/old.3dmap)" old
only old.3dmap
full bench map --size 16 --repeat 1 --filter wall/octree --csv files/rows.csv --data none
equals $? 2
only old.3dmap
expect 2 bench map --size 16 --repeat 1 --csv files/no/rows.csv
only old.3dmap

# A file that must not be replaced by a regular one.
if [ -c /dev/full ]; then
    ln -s /dev/full files/full.bt
    expect 2 gen boxes -o files/full.bt --size 16
    [ -c /dev/full ] || fail "a device was replaced"
    only full.bt old.3dmap
    # What cannot be printed is an error too.
    "$octant" map info good.bt >/dev/full 2>err
    equals $? 2
    equals "$(cat err)" "octant: standard output: No space left on device"
    "$octant" map info good.bt --json >/dev/full 2>err
    equals $? 2
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line"
    "$octant" bench map --size 16 --repeat 1 --data none --json >/dev/full 2>err # more than a buffer
    equals $? 2
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line"
    "$octant" --version >/dev/full 2>err
    equals $? 2
fi
exit 0
