#!/bin/sh
# SPDX-License-Identifier: MIT
# Configures and builds one preset. Shows how far it is; prints more only if something goes wrong.
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
# CMake refuses a folder that another generator has made.
if [ -f "build/$preset/CMakeCache.txt" ] && ! grep -q '^CMAKE_GENERATOR:INTERNAL=Ninja$' "build/$preset/CMakeCache.txt"; then
    rm -rf "build/$preset"
fi

scripts/viewer.sh
echo "Building $preset ..."
{ cmake --preset "$preset" && cmake --build --preset "$preset" "$@"; } >"$log" 2>&1 &
job=$!
trap 'kill $job 2>/dev/null; exit 130' INT TERM

# The step that the build is at, as "[123/456]".
progress() {
    grep -o '^\[[0-9]*/[0-9]*\]' "$log" 2>/dev/null | tail -n 1
}
looks=0
while kill -0 $job 2>/dev/null; do
    sleep 0.2
    looks=$((looks + 1))
    if [ -t 1 ]; then
        printf '\r  %s ' "$(progress)"
    elif [ $((looks % 100)) -eq 0 ]; then
        echo "  $(progress)"
    fi
done
[ ! -t 1 ] || printf '\r\033[K'

if ! wait $job; then
    { grep -E -A 12 ' error: |CMake Error|undefined reference' "$log" || tail -n 40 "$log"; } |
        head -n 100 >&2
    echo "build of $preset failed; the whole log: $log" >&2
    exit 1
fi
