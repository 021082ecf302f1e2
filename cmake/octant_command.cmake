# SPDX-License-Identifier: MIT
# The `octant` command and the benches behind `octant bench`.

add_library(octant_bench STATIC ${octant_bench_sources})
octant_target(octant_bench)
target_include_directories(octant_bench PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(octant_bench PUBLIC octant_lab octant_files octant_link Threads::Threads)

add_executable(octant_cli ${octant_cli_sources})
octant_target(octant_cli)
set_target_properties(octant_cli PROPERTIES OUTPUT_NAME octant)
target_link_libraries(octant_cli PRIVATE octant_bench octant_files octant_link octant_script octant_view
                                         PkgConfig::JANSSON Threads::Threads)
