#!/bin/sh
# SPDX-License-Identifier: MIT
# The inner loop: what must hold before every commit, in seconds. `make test` is the whole.
set -eu
cd "$(dirname "$0")/.."

began=$(date +%s)
scripts/setup.sh --check build
echo 'Looking at the format of the sources ...'
scripts/format.sh --check || [ $? -eq 77 ]
echo 'Looking at the order of the modules ...'
tests/module_order.sh
scripts/build.sh debug
echo 'Looking for files that nothing uses ...'
tests/every_file_is_used.sh build/debug
echo 'Running the quick tests ...'
log=build/check.log
if ! ctest --preset quick -j "$(nproc)" >$log 2>&1; then
    cat $log
    echo "One of them alone: build/debug/tests/NAME" >&2
    exit 1
fi
grep 'tests passed' $log
echo "Done in $(($(date +%s) - began)) s."
