# SPDX-License-Identifier: MIT
# What every target of ours is compiled with. Flags belong to targets, never to the directory, so
# that a project which takes Octant in keeps its own.

set(octant_warnings
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -Wcast-qual -Wundef -Wvla -Wdouble-promotion)

# Some 300 tests are linked in each of several builds.
if(OCTANT_FAST_LINK)
    find_program(OCTANT_LLD ld.lld)
endif()

function(octant_target name)
    set_target_properties(${name} PROPERTIES
        C_STANDARD 17
        C_STANDARD_REQUIRED ON
        C_EXTENSIONS OFF)
    # A fused multiply-add rounds once instead of twice: results would depend on the machine.
    target_compile_options(${name} PRIVATE ${octant_warnings} -ffp-contract=off)
    # The isfinite of mingw names its argument as a float too, in a branch that is not taken.
    if(MINGW)
        target_compile_options(${name} PRIVATE -Wno-float-conversion)
    endif()
    if(OCTANT_WERROR)
        target_compile_options(${name} PRIVATE -Werror)
    endif()
    if(OCTANT_NATIVE)
        target_compile_options(${name} PRIVATE -march=native)
    endif()
    get_target_property(type ${name} TYPE)
    if(OCTANT_FAST_LINK AND OCTANT_LLD AND type STREQUAL "EXECUTABLE")
        target_link_options(${name} PRIVATE -fuse-ld=lld)
    endif()
    if(OCTANT_SANITIZE)
        target_compile_definitions(${name} PRIVATE OCTANT_SANITIZED)
        target_compile_options(${name} PRIVATE
            -fsanitize=${OCTANT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${name} PUBLIC -fsanitize=${OCTANT_SANITIZE})
        # gcc guesses wrong among what a sanitizer inserts; the other builds keep this warning.
        if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
            target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
        endif()
    endif()
endfunction()
