# SPDX-License-Identifier: MIT
# Test scripts: Lua in a sandbox, and what plays their tests.

pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4)

add_library(octant_script STATIC ${octant_script_sources})
octant_target(octant_script)
target_include_directories(octant_script PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(octant_script PUBLIC octant_files PRIVATE PkgConfig::LUA
                      $<$<BOOL:${UNIX}>:m>)
