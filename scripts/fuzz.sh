#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzz targets and prints how often each was executed. Stops at the first finding.
#   scripts/fuzz.sh RUNS [TARGET...]            RUNS executions over all targets together
#   scripts/fuzz.sh --seconds S [TARGET...]     each target for S seconds
# Targets are named as their corpora: bt, world, ... Executions are divided by speed, so that every
# target gets the same time. All cores are used. What was found is kept between runs in
# build/fuzz/tests/found, outside version control.
set -eu
cd "$(dirname "$0")/.."
slice=30 # seconds of one target, after which the next one has its turn

# one TARGET RUNS SECONDS SEED: one run of one target; adds a line "TARGET EXECUTIONS SECONDS" to
# the tally. 255 makes xargs start no other.
one() {
    found=build/fuzz/tests/found/$1
    log=build/fuzz_$1.log
    mkdir -p "$found"
    if ! "build/fuzz/tests/fuzz_$1" -seed="$4" -runs="$2" -max_total_time="$3" -timeout=60 \
        -print_final_stats=1 -artifact_prefix="$found/" "$found" "tests/fuzz/corpus/$1" \
        >"$log" 2>&1; then
        tail -n 30 "$log"
        echo "fuzz_$1 failed; its log: $log; the input is in $found" >&2
        return 255
    fi
    awk -v name="$1" '
        /^stat::number_of_executed_units:/ { count = $2 }
        /^Done [0-9]+ runs in/ { seconds = $5 }
        END { print name, count + 0, seconds + 0 }' "$log" >>"$tally"
}
if [ "${1-}" = --one ]; then
    tally=$2
    shift 2
    one "$@"
    exit
fi

# plan RUNS SEED: prints a line "TARGET RUNS SECONDS SEED" for each target: its part of RUNS by the
# speed that the tally shows, cut to a slice.
plan() {
    awk -v runs="$1" -v seed="$2" -v slice=$slice '
        { count[$1] += $2; time[$1] += $3 > 0 ? $3 : 1 }
        END {
            for (name in count) { speed[name] = count[name] / time[name]; all += speed[name] }
            for (name in count) {
                part = runs * speed[name] / all
                most = speed[name] * slice
                printf "%s %d %d %d\n", name, (part < most ? part : most) + 1, 2 * slice, seed
            }
        }' "$tally"
}

# Executions so far.
executed() {
    awk '{ sum += $2 } END { printf "%d", sum }' "$tally"
}

run_plan() {
    xargs -r -n 4 -P "$(nproc)" scripts/fuzz.sh --one "$tally"
}

table() {
    awk '
        { count[$1] += $2; time[$1] += $3; all += $2 }
        END {
            printf "%-12s %14s %12s\n", "target", "executions", "per second"
            for (name in count) {
                speed = count[name] / (time[name] > 0 ? time[name] : 1)
                printf "%-12s %14d %12d\n", name, count[name], speed | "sort"
            }
            close("sort")
            printf "%-12s %14d\n", "all", all
        }' "$tally"
}

seconds=
if [ "${1-}" = --seconds ]; then
    seconds=$2
    shift
fi
[ $# -gt 0 ] || {
    echo 'usage: scripts/fuzz.sh RUNS [TARGET...] | --seconds S [TARGET...]' >&2
    exit 2
}
runs=$1
shift
scripts/build.sh fuzz
if [ $# -eq 0 ]; then
    for program in build/fuzz/tests/fuzz_*; do
        set -- "$@" "${program##*/fuzz_}"
    done
fi
tally=$(mktemp)
trap 'rm -f "$tally"' EXIT
trap 'exit 130' INT TERM
failed=

# The first round, as long as asked or a few seconds each, shows the speeds.
for target in "$@"; do
    echo "$target -1 ${seconds:-5} 1"
done | run_plan || failed=1
seed=2
while [ -z "$seconds" ] && [ -z "$failed" ] && [ "$(executed)" -lt "$runs" ]; do
    plan "$((runs - $(executed)))" $seed | run_plan || failed=1
    echo "  $(executed) of $runs executions"
    seed=$((seed + 1))
done
table
[ -z "$failed" ] || {
    echo 'stopped at the first finding' >&2
    exit 1
}
echo 'no finding'
