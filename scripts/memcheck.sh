#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs unit tests under valgrind, which finds values that are used but were never set: the one kind
# of mistake that the other sanitizers of this project do not see.
#   scripts/memcheck.sh [TEST...]    default: all quick tests of build/release, which must be built
# Exits 77 where valgrind is not here, or cannot run.
set -u
cd "$(dirname "$0")/.." || exit 1
build=build/release

if ! valgrind -q true >/dev/null 2>&1; then
    echo 'skipped: valgrind is not here (make setup installs it)'
    exit 77
fi
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046
    set -- $(ctest --test-dir $build -N -L quick | sed -n 's/^.*: \(test_[a-z0-9_]*\)$/\1/p')
fi

# What a case of cmocka starts in a child is not looked at.
check() {
    log=build/memcheck_$1.log
    if ! valgrind -q --error-exitcode=99 --child-silent-after-fork=yes "$build/tests/$1" \
        >"$log" 2>&1; then
        grep -A 12 '^==' "$log" | head -n 40
        echo "FAILED under valgrind: $1; see $log"
        return 1
    fi
    rm -f "$log"
}
if [ "${MEMCHECK_ONE-}" ]; then
    check "$1"
    exit
fi
printf '%s\n' "$@" | MEMCHECK_ONE=1 xargs -n 1 -P "$(nproc)" scripts/memcheck.sh || exit 1
echo "$# tests use no value that was not set"
