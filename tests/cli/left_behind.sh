#!/bin/sh
# SPDX-License-Identifier: MIT
# What commands leave when they are ended: no unfinished file, and an exit code that names the
# signal; also where the file system has no files without a name. Standard streams that are closed.
# shellcheck source=tests/cli/check.sh
. "$(dirname "$0")/check.sh"

mkdir files
works gen boxes -o in.octant --size 32
cat >t.lua <<'END_OF_SCRIPT'
world "rooms.json"
test("it ends", function() return SUCCESS() end)
END_OF_SCRIPT
cp "$source/worlds/door_and_button.json" rooms.json

# ends SIGNAL CODE ARGUMENT...: octant is writing into files/ when it gets the signal.
ends() {
    signal=$1 expected=$2
    shift 2
    rm -rf files
    mkdir files
    LD_PRELOAD=$OCTANT_SLOW_DISK ASAN_OPTIONS=verify_asan_link_order=0 "$octant" "$@" >out 2>err &
    running=$!
    waited=0
    until [ "$(drafts $running files)" -gt 0 ]; do
        kill -0 $running 2>/dev/null || fail "octant $* ended early"
        sleep 0.02
        waited=$((waited + 1))
        [ $waited -lt 500 ] || fail "octant $* writes nothing"
    done
    kill -"$signal" $running
    code=0
    wait $running || code=$?
    equals "$code" "$expected"
    only
}

if [ -n "${OCTANT_SLOW_DISK:-}" ]; then
    ends TERM 143 gen boxes -o files/a.octant --size 32
    ends INT 130 map convert in.octant files/a.bt
    ends HUP 129 gen glass-box -o files/a.json
    ends TERM 143 test t.lua --junit files/a.xml
    ends TERM 143 bench map --repeat 1 --size 16 --filter clusters/ --csv files/a.csv
    # Without a signal the file is there, and nothing else.
    rm -rf files
    mkdir files
    for i in 1 2; do
        LD_PRELOAD=$OCTANT_SLOW_DISK ASAN_OPTIONS=verify_asan_link_order=0 \
            "$octant" gen boxes -o files/a.octant --size 32 >out 2>err || fail "no file: $i"
    done
    only a.octant
    works map info files/a.octant
fi

# The end of the process itself, wherever it is.
rm -rf files
mkdir files
for delay in 0 0.01 0.02 0.03 0.05 0.08; do
    for signal in TERM KILL; do
        "$octant" gen boxes -o files/a.octant --size 160 >out 2>err &
        running=$!
        sleep $delay
        kill -$signal $running 2>/dev/null
        wait $running 2>/dev/null
        rm -f files/a.octant
        only
    done
done

# What is printed when standard output is closed must not end up in a file; nor is it lost in
# silence.
code=0
"$octant" scen "$source/tests/cli/nowhere.map" x >&- 2>err || code=$?
equals "$code" 2
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n...\n' >flat.map
printf 'version 1\n0\tflat.map\t3\t2\t0\t0\t2\t0\t2\n' >flat.scen
code=0
"$octant" scen flat.map flat.scen --csv closed.csv >&- 2>err || code=$?
equals "$code" 2
equals "$(cat err)" "octant: standard output: Bad file descriptor"
equals "$(wc -l <closed.csv)" 2
code=0
"$octant" gen boxes -o closed.octant --size 16 >&- 2>&- || code=$?
equals "$code" 2
works map info closed.octant

# A reader that goes away is no reason to die: what else is to be written is written.
works gen boxes -o pipe.octant --size 16
rm pipe.octant
code=0
{
    sleep 0.2
    "$octant" gen boxes -o pipe.octant --size 16 2>err || code=$?
    echo $code >code
} | :
equals "$(cat code)" 2
equals "$(cat err)" "octant: standard output: Broken pipe"
works map info pipe.octant
