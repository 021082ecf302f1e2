#!/bin/sh
# SPDX-License-Identifier: MIT
# What takes too long for `make test`: clang's analyzer over src, and every fuzz target for
# SOAK_SECONDS (default 60). Goes on after a failure; exits 1 if something failed.
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${SOAK_SECONDS:-60}
failed=

step() {
    printf '\n== %s\n' "$*"
}

step 'the analyzer of clang (takes minutes)'
scripts/tidy.sh '-*,clang-analyzer-*'
case $? in
0 | 77) ;;
*) failed="$failed analyzer;" ;;
esac

step "libFuzzer, $seconds s for each loader"
if scripts/build.sh fuzz; then
    for program in build/fuzz/tests/fuzz_*; do
        name=${program##*/fuzz_}
        corpus=tests/fuzz/corpus/$name
        [ -d "$corpus" ] || continue
        # What is found is kept between runs, outside version control.
        found=build/fuzz/tests/found/$name
        log=build/soak_$name.log
        mkdir -p "$found"
        echo "$name ..."
        if ! "$program" -timeout=20 -max_total_time="$seconds" -artifact_prefix="$found/" \
            "$found" "$corpus" >"$log" 2>&1; then
            tail -n 30 "$log"
            failed="$failed fuzz_$name;"
        fi
    done
else
    failed="$failed build of fuzz;"
fi

echo
if [ -n "$failed" ]; then
    echo "failed:$failed"
    exit 1
fi
echo 'nothing was found'
