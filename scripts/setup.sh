#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a task needs and that are missing; touches nothing otherwise.
#   scripts/setup.sh [--check] GROUP...    groups: build, recast, test, viewer,
#   big_endian, portable
# With --check it installs nothing: where something is missing it says so in one line and exits 1.
# An entry COMMAND:PACKAGE counts as there when the command is, wherever it came from; a plain
# entry counts as there when the package is.
set -eu

entries_of() {
    case $1 in
    build)
        echo 'cc:gcc cmake:cmake ninja:ninja-build pkg-config:pkgconf'
        echo 'libassimp-dev libc6-dev libcmocka-dev libexpat1-dev libjansson-dev liblua5.4-dev libwebsockets-dev libzstd-dev'
        ;;
    viewer) echo 'chromium:chromium node:nodejs npm:npm' ;;
    recast) echo 'librecast-dev g++:g++' ;;
    test) echo 'clang-format:clang-format clang-tidy:clang-tidy clang:clang ld.lld:lld libclang-rt-dev python3:python3 valgrind:valgrind' ;;
    big_endian)
        echo 's390x-linux-gnu-gcc:gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-s390x:qemu-user'
        ;;
    portable)
        entries_of big_endian
        echo 'aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
        echo 'x86_64-w64-mingw32-gcc:gcc-mingw-w64-x86-64 wine:wine wine64'
        echo 'wasm-ld:lld wasi-libc libclang-rt-dev-wasm32 node:nodejs musl-gcc:musl-tools g++:g++'
        ;;
    *)
        echo "setup: unknown group '$1' (build, recast, test, viewer, big_endian, portable)" >&2
        return 2
        ;;
    esac
}

has_dpkg() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null
}

# Without dpkg only commands can be looked for.
is_there() {
    case $1 in
    *:*) command -v "${1%%:*}" >/dev/null ;;
    *)
        ! has_dpkg ||
            [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
        ;;
    esac
}

check_only=
if [ "${1-}" = --check ]; then
    check_only=1
    shift
fi
missing=
wanted=
for group in "$@"; do
    entries=$(entries_of "$group")
    for entry in $entries; do
        wanted="$wanted ${entry##*:}"
        is_there "$entry" || missing="$missing ${entry##*:}"
    done
done

if [ "$check_only" ]; then
    [ -n "$missing" ] || exit 0
    echo "missing:$missing; run: make setup" >&2
    exit 1
fi
if ! has_dpkg; then
    [ -z "$missing" ] || echo "setup: no apt-get here; not found:$missing"
    echo "setup: what Octant needs is known to Debian as:$wanted"
    exit 0
fi
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: missing:$missing; as root, run: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

echo "setup: installing:$missing"
apt_get() {
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
if ! { apt_get update && apt_get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    cat "$log" >&2
    echo "setup: apt-get could not install:$missing" >&2
    exit 1
fi
echo "setup: done"
