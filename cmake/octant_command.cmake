# SPDX-License-Identifier: MIT
# The `octant` command, the benches behind `octant bench`, and what their reports are made with.

add_library(octant_report STATIC ${octant_report_sources})
octant_target(octant_report)
target_include_directories(octant_report PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(octant_report PUBLIC octant_lab octant_files PkgConfig::JANSSON PRIVATE $<$<BOOL:${UNIX}>:m>)

add_library(octant_bench STATIC ${octant_bench_sources})
octant_target(octant_bench)
target_include_directories(octant_bench PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(octant_bench PUBLIC octant_lab octant_files octant_report)

add_executable(octant_cli ${octant_cli_sources})
octant_target(octant_cli)
set_target_properties(octant_cli PROPERTIES OUTPUT_NAME octant)
target_link_libraries(octant_cli PRIVATE octant_bench octant_files octant_script PkgConfig::JANSSON
                                         Threads::Threads)
