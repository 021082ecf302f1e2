# SPDX-License-Identifier: MIT
# Test scripts: Lua in a sandbox, and what plays their tests.

pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4)

add_library(octant_script STATIC
    src/script/bind_agent.c
    src/script/bind_combinators.c
    src/script/bind_formulas.c
    src/script/bind_goals.c
    src/script/bind_tactics.c
    src/script/box.c
    src/script/callback.c
    src/script/fields.c
    src/script/lib_base.c
    src/script/lib_string.c
    src/script/lib_table.c
    src/script/measure.c
    src/script/options.c
    src/script/play.c
    src/script/players.c
    src/script/sandbox.c
    src/script/script.c
    src/script/stage.c)
octant_target(octant_script)
target_include_directories(octant_script PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(octant_script PUBLIC octant_inside octant_io PRIVATE PkgConfig::LUA
                      $<$<BOOL:${UNIX}>:m>)
