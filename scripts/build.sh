#!/bin/sh
# SPDX-License-Identifier: MIT
# Configures and builds one preset; quiet unless something goes wrong.
#   scripts/build.sh PRESET [TARGET...]
set -eu
cd "$(dirname "$0")/.."

preset=$1
shift
[ $# -eq 0 ] || set -- --target "$@"
log=build/$preset.log
mkdir -p build
# The options of an outer make are not meant for the one that CMake starts.
unset MAKEFLAGS MFLAGS MAKELEVEL

echo "Building $preset ..."
if ! { cmake --preset "$preset" && cmake --build --preset "$preset" -j "$(nproc)" "$@"; } \
    >"$log" 2>&1; then
    { grep -E -A 12 ' error: |CMake Error|undefined reference' "$log" || tail -n 40 "$log"; } |
        head -n 100 >&2
    echo "build of $preset failed; all of it: $log" >&2
    exit 1
fi
