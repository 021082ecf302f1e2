#!/bin/sh
# SPDX-License-Identifier: MIT
# What takes too long for `make test`: clang's analyzer over src, and every fuzz target for
# SOAK_SECONDS (default 60), or SOAK_RUNS executions over all of them. Goes on after a failure;
# exits 1 if anything failed.
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

if [ -n "${SOAK_RUNS-}" ]; then
    step "libFuzzer, $SOAK_RUNS executions over all targets"
    scripts/fuzz.sh "$SOAK_RUNS" || failed="$failed fuzz targets;"
else
    step "libFuzzer, $seconds s for each target"
    scripts/fuzz.sh --seconds "$seconds" || failed="$failed fuzz targets;"
fi

echo
if [ -n "$failed" ]; then
    echo "failed:$failed"
    exit 1
fi
echo 'nothing failed'
