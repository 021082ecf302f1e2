#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make install` puts in place can be used, also after it was moved: the command runs, and a
# program builds against the library through pkg-config and through CMake; a test in C against the
# library that plays. A third program takes the sources in with add_subdirectory, as a shared
# library, with no other library to be found.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make -s -C "$source" install DESTDIR="$work/stage" PREFIX=/opt/octant >"$work/install.log"
mv "$work/stage/opt/octant" "$work/moved"

cat >"$work/main.c" <<'END'
#include <octant/octant.h>
#include <octant/tree.h>
#include <stdio.h>

int main(void)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree *tree;
    if (oct_tree_create(&def, &tree) != OCT_OK) {
        return 1;
    }
    oct_tree_destroy(tree);
    return puts(oct_version()) < 0;
}
END

version=$("$work/moved/bin/octant" --version | sed 's/^octant //')
# expect WAY PROGRAM: the program prints the version that the command has.
expect() {
    got=$("$2")
    if [ "$got" != "$version" ]; then
        echo "$1: the program says '$got', the command '$version'" >&2
        exit 1
    fi
    echo "$1: works"
}

for file in share/man/man1/octant.1 share/bash-completion/completions/octant \
    share/octant/schemas/lab.schema.json share/octant/schemas/trace.schema.json \
    share/octant/schemas/world.schema.json; do
    if [ ! -s "$work/moved/$file" ]; then
        echo "not installed: $file" >&2
        exit 1
    fi
done

PKG_CONFIG_PATH=$(find "$work/moved" -type d -name pkgconfig)
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Wpedantic -Werror -o "$work/by_pkg_config" "$work/main.c" \
    $(pkg-config --cflags --libs octant)
expect pkg-config "$work/by_pkg_config"
# A test in C needs the library that plays, and no other package.
mkdir "$work/reports"
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Wpedantic -Werror -o "$work/plays" "$source/examples/test_in_c.c" \
    $(pkg-config --cflags --libs octant_play)
"$work/plays" "$work/reports" >"$work/plays.log"
for file in junit.xml report.html trace.jsonl; do
    if [ ! -s "$work/reports/$file" ]; then
        echo "the test in C has not written $file" >&2
        exit 1
    fi
done
echo 'octant_play: works'
cat >"$work/others.c" <<'END'
#include <octant/files.h>
#include <octant/lab.h>
#include <octant/play.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    oct_error error;
    oct_world *world;
    if (argc != 2 || oct_world_load(argv[1], NULL, NULL, &world, NULL, &error) != OCT_OK) {
        return 1;
    }
    oct_world_destroy(world);
    return oct_lab() && puts(oct_version()) >= 0 ? 0 : 1;
}
END
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Wpedantic -Werror -o "$work/others" "$work/others.c" \
    $(pkg-config --cflags --libs octant_files octant_lab)
"$work/others" "$source/worlds/tight.json" >/dev/null
echo 'octant_files and octant_lab: work'
if command -v c++ >/dev/null; then
    # shellcheck disable=SC2046
    c++ -Wall -Wextra -Werror -o "$work/by_cxx" -x c++ "$work/main.c" -x none \
        $(pkg-config --cflags --libs octant)
    expect C++ "$work/by_cxx"
fi

# by_cmake NAME LINE OPTION...: builds the program in a project that gets Octant by that line.
by_cmake() {
    name=$1
    mkdir "$work/$name"
    cat >"$work/$name/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
$2
add_executable(user ../main.c)
target_link_libraries(user PRIVATE octant::octant)
if(TARGET octant::octant_files)
    add_executable(others ../others.c)
    target_link_libraries(others PRIVATE octant::octant_files octant::octant_lab)
endif()
END
    shift 2
    if ! { cmake -S "$work/$name" -B "$work/$name/build" "$@" &&
        cmake --build "$work/$name/build" -j "$(nproc)"; } >"$work/$name.log" 2>&1; then
        cat "$work/$name.log" >&2
        exit 1
    fi
    expect "$name" "$work/$name/build/user"
}

by_cmake find_package "find_package(octant $version REQUIRED)" -DCMAKE_PREFIX_PATH="$work/moved"
if [ ! -x "$work/find_package/build/others" ]; then
    echo 'find_package does not give octant_files' >&2
    exit 1
fi
by_cmake add_subdirectory "add_subdirectory(\"$source\" octant)" -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
