#!/bin/sh
# SPDX-License-Identifier: MIT
# A module includes only modules above it, so that each can be read, tested and replaced knowing
# only those. And the library's modules include nothing from outside but the C library.
#   tests/module_order.sh [SOURCE]
set -eu
cd "${1:-$(dirname "$0")/..}"

# `bench` stands beside `src`; only the command uses it.
order='base geom octree map mesh search explore surface footing moving world game agent play report files flat classic baseline generate verify link view script bench cli'
library='base geom octree map mesh search explore surface footing moving world game agent play report flat classic baseline generate verify'
libc='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads
time uchar wchar wctype'

find include/octant src bench -name '*.[ch]' | sort |
    xargs grep -HE '^[[:space:]]*#[[:space:]]*include' |
    awk -v order="$order" -v library="$library" -v libc="$libc" '
    BEGIN {
        n = split(order, names, " ")
        for (i = 1; i <= n; i++) rank[names[i]] = i
        n = split(library, names, " ")
        for (i = 1; i <= n; i++) in_library[names[i]] = 1
        n = split(libc, names, " ")
        for (i = 1; i <= n; i++) allowed[names[i] ".h"] = 1
        # Which module a public header speaks for; octant.h for the whole library.
        n = split("base:base geom:geom tree:octree map:map clearance:map mesh:mesh cells:octree line:search names:moving body:map world:world world_check:world recruits_level:world formats:octree " \
                  "generate:generate generate_level:generate generate_puzzle:generate generate_recruits:generate generate_world:generate graph:search components:search distances:flat lab_search:flat lab:verify search:search " \
                  "scenario:verify proof_check:verify explore:explore surface:surface surface_path:surface surface_graph:surface surface_carve:surface surface_explore:surface surface_walking:surface footing:footing watch:moving crowd:moving " \
                  "game:game game_data:game game_parts:game scenery:game block_world:game recruits_world:game flight:agent goal:agent links:agent ltl:agent proof:agent message:agent " \
                  "belief:agent agent:agent tactics:agent play_test:play report:report play:report octant:moving files:files surface_bake:files", pairs, " ")
        for (i = 1; i <= n; i++) {
            split(pairs[i], pair, ":")
            public[pair[1] ".h"] = pair[2]
        }
    }
    function complain(text) {
        print file ": " text > "/dev/stderr"
        bad = 1
    }
    {
        file = substr($0, 1, index($0, ":") - 1)
        line = substr($0, index($0, ":") + 1)
        split(file, path, "/")
        module = path[1] == "include" ? public[path[3]] : path[1] == "bench" ? "bench" : path[2]
        if (!(module in rank)) {
            complain("belongs to no module that tests/module_order.sh knows")
            next
        }
        if (match(line, /<[^>]*>/)) {
            header = substr(line, RSTART + 1, RLENGTH - 2)
            # The one place for extensions.
            if (file == "src/base/platform.h" && header ~ /^(immintrin|malloc)\.h$/) next
            if (module in in_library && !(header in allowed))
                complain("<" header "> is not of the C library")
            next
        }
        match(line, /"[^"]*"/)
        header = substr(line, RSTART + 1, RLENGTH - 2)
        slash = index(header, "/")
        if (!slash) {
            complain("\"" header "\" does not name its folder")
            next
        }
        folder = slash ? substr(header, 1, slash - 1) : module
        if (folder == "tests" || header ~ /\.\./) {
            complain("\"" header "\" is of the tests")
            next
        }
        if (folder == "octant") folder = public[substr(header, slash + 1)]
        if (!(folder in rank)) complain("\"" header "\" is of no known module")
        else if (rank[folder] > rank[module])
            complain("\"" header "\" is of module " folder ", which stands below " module)
    }
    END { exit bad || NR == 0 }'
