#!/bin/sh
# SPDX-License-Identifier: MIT
# Does what docs/testers/tutorial.md says: writes its files, runs its commands, and compares what they print
# but for times, turns and places, which differ between machines and versions.
#   tutorial_test.sh OCTANT SOURCE
set -eu
PATH=$(dirname "$1"):$PATH
page=$2/docs/testers/tutorial.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/parts" "$work/level"

# Each fenced block with a name, or of a console, becomes a part: 01.file.NAME, 02.console, ...
awk -v folder="$work/parts" '
    /^```/ && inside { inside = 0; close(part); next }
    /^```/ {
        inside = 1
        part = "/dev/null"
        if ($1 == "```console") part = sprintf("%s/%02d.console", folder, ++count)
        else if (NF == 2) part = sprintf("%s/%02d.file.%s", folder, ++count, $2)
        next
    }
    inside { print >part }' "$page"

blur() {
    sed -E -e '/passed,/!{
        /^[0-9]+$/!s/-?[0-9]+(\.[0-9]+)?/N/g
        s/N (ns|us|ms|s)( |$)/N time\2/g
        s/threads?/threads/
        s/(time of the agents:).*/\1/
        s/ +/ /g
    }'
}

# Runs one command of a console and compares what it prints.
run() {
    echo "\$ $1"
    (cd "$work/level" && sh -c "$1") >"$work/printed" 2>&1 || true
    blur <"$work/shown" >"$work/shown.blurred"
    blur <"$work/printed" | diff "$work/shown.blurred" -
}

play() {
    command=
    : >"$work/shown"
    while IFS= read -r line; do
        case $line in
        '$ '*)
            [ -z "$command" ] || run "$command"
            command=${line#'$ '}
            : >"$work/shown"
            ;;
        *) printf '%s\n' "$line" >>"$work/shown" ;;
        esac
    done <"$1"
    run "$command"
}

for part in "$work"/parts/*; do
    case $part in
    *.console) play "$part" ;;
    *) cp "$part" "$work/level/${part##*.file.}" ;;
    esac
done
