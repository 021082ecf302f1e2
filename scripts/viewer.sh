#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the page of octant view where npm is there: build/viewer/page.c, which the command carries.
# Without npm the command builds without it, and says so when it is asked for the page.
set -eu
cd "$(dirname "$0")/.."
out=build/viewer/page.c

if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    [ -f $out ] || echo "The viewer is not built: npm is missing."
    exit 0
fi
mkdir -p build/viewer
exec 9>build/viewer/lock
! command -v flock >/dev/null || flock 9
# What it is made of has not changed: the same page.
sum=$(cat viewer/package-lock.json viewer/build.mjs viewer/src/* | cksum)
if [ -f $out ] && [ "$(cat build/viewer/sum 2>/dev/null)" = "$sum" ]; then
    exit 0
fi
if ! {
    [ viewer/node_modules/.package-lock.json -nt viewer/package-lock.json ] ||
        npm ci --prefix viewer
    (cd viewer && node build.mjs ../$out.new)
} >build/viewer/log 2>&1; then
    tail -n 5 build/viewer/log >&2
    [ -f $out ] || echo "The viewer is not built; the whole log: build/viewer/log"
    exit 0
fi
mv $out.new $out
echo "$sum" >build/viewer/sum
