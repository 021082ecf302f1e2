#!/bin/sh
# SPDX-License-Identifier: MIT
# What takes too long for `make test`. Goes on after a failure; exits 1 if anything failed.
#   SOAK_SECONDS   how long each fuzz target runs (default 60)
#   SOAK_RUNS      instead: so many executions over all fuzz targets, such as 100000000
#   SOAK_LISTS     lists of arguments for the command (default 10000)
#   SOAK_STEP      every so many-th call of every command fails (default 1: each)
#   SOAK_LEVELS    levels of each class, and as many twins, for the oracle (default 100)
#   SOAK_KILLS     games that are killed at a random moment (default 1000)
#   SOAK_SEED      of lists, of allocations that fail and of games that are killed (default 1)
set -u
cd "$(dirname "$0")/.." || exit 1
failed=
summary=build/soak.txt
mkdir -p build
: >$summary

step() {
    printf '\n== %s\n' "$*"
}

# attempt WHAT COMMAND...: the last line that it prints goes into the summary; 77 means skipped.
attempt() {
    what=$1
    shift
    step "$what"
    "$@" >build/soak.log 2>&1
    code=$?
    cat build/soak.log
    printf '%s: %s\n' "$what" "$(tail -n 1 build/soak.log)" >>$summary
    [ $code -eq 0 ] || [ $code -eq 77 ] || failed="$failed $what;"
}

# The analyzer looks at one file at a time and knows no promise of an assertion, a caller or a
# function elsewhere: it takes a value for unset though the function that sets it said OCT_OK, or a
# count for 0 in the middle of a loop over it. It is to be read, and fails nothing. Left out: advice to use functions that no
# Debian has (memcpy_s), to sort fields by size, and a check of va_list that version 14 gets wrong.
step 'the analyzer of clang (takes minutes)'
found=build/analyzer.txt
scripts/tidy.sh '-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.*,-clang-analyzer-security.FloatLoopCounter,-clang-analyzer-optin.performance.Padding,-clang-analyzer-valist.Uninitialized' >$found
case $? in
0) echo 'nothing was found' ;;
77) cat $found ;;
*) echo "$(grep ' error: ' $found | sort -u | grep -c .) findings: see $found" ;;
esac

# Attacks on the command run without a sanitizer: memory is limited, and a library is preloaded.
release=build/release
if scripts/build.sh release; then
    attempt 'lists of arguments' $release/tests/attack_arguments $release/octant . \
        "${SOAK_LISTS:-10000}" "${SOAK_SEED:-1}"
    attempt 'calls that fail' $release/tests/attack_calls $release/octant \
        $release/tests/libfailing_calls.so . "${SOAK_STEP:-1}" "${SOAK_SEED:-1}"
    attempt 'values that were not set' scripts/memcheck.sh
    attempt 'all tests with all their rounds' \
        env OCTANT_SOAK=1 ctest --preset release --timeout 7200 -j "$(nproc)"
    attempt 'games that are killed' env OCTANT_KILLS="${SOAK_KILLS:-1000}" \
        OCTANT_SEED="${SOAK_SEED:-1}" tests/cli/killed_games.sh $release/octant .
    attempt 'levels against the oracle' \
        env OCTANT_LEVEL_SEEDS="${SOAK_LEVELS:-100}" $release/tests/test_level_oracle
else
    failed="$failed build of release;"
fi
# make test has gcc's sanitizers; clang's know more, such as an offset that is added to NULL.
if scripts/build.sh clang-asan; then
    attempt 'all tests under the sanitizers of clang' ctest --preset clang-asan -j "$(nproc)"
else
    failed="$failed build of clang-asan;"
fi
if [ -n "${SOAK_RUNS-}" ]; then
    attempt "libFuzzer, $SOAK_RUNS executions over all targets" scripts/fuzz.sh "$SOAK_RUNS"
else
    attempt "libFuzzer, ${SOAK_SECONDS:-60} s for each target" \
        scripts/fuzz.sh --seconds "${SOAK_SECONDS:-60}"
fi

step 'summary'
cat $summary
if [ -n "$failed" ]; then
    echo "failed:$failed"
    exit 1
fi
echo 'nothing failed'
