#!/bin/sh
# SPDX-License-Identifier: MIT
# What takes too long for `make test`: clang's analyzer over src, and every fuzz target for
# SOAK_SECONDS (default 60). Goes on after a failure; exits 1 if a loader failed.
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${SOAK_SECONDS:-60}
failed=
mkdir -p build

step() {
    printf '\n== %s\n' "$*"
}

# The analyzer does not know what an assertion or a caller promises, so that most of what it finds
# cannot happen. It is to be read, and fails nothing. Left out: advice to use functions that no
# Debian has (memcpy_s), to sort fields by size, and a check of va_list that version 14 gets wrong.
step 'the analyzer of clang (takes minutes)'
found=build/analyzer.txt
scripts/tidy.sh '-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.*,-clang-analyzer-security.FloatLoopCounter,-clang-analyzer-optin.performance.Padding,-clang-analyzer-valist.Uninitialized' >$found
case $? in
0) echo 'nothing was found' ;;
77) cat $found ;;
*) echo "$(grep ' error: ' $found | sort -u | grep -c .) findings: see $found" ;;
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
echo 'no loader failed'
