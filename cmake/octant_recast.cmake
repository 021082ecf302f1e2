# SPDX-License-Identifier: MIT
# Recast and Detour, where librecast-dev and a C++ compiler are installed: what bakes meshes to walk
# on, and what paths on them are compared with. Without them a source in C says what is missing.
option(OCTANT_RECAST "Use Recast and Detour where they are installed" ON)

include(CheckLanguage)
check_language(CXX)
find_path(RECAST_INCLUDE Recast.h PATH_SUFFIXES recastnavigation)
find_library(RECAST_LIBRARY Recast)
find_library(DETOUR_LIBRARY Detour)

# The fuzz targets are for our own code.
set(octant_has_recast FALSE)
if(OCTANT_RECAST AND NOT OCTANT_FUZZ AND CMAKE_CXX_COMPILER AND RECAST_INCLUDE AND RECAST_LIBRARY
   AND DETOUR_LIBRARY)
    enable_language(CXX)
    set(octant_has_recast TRUE)
endif()

# octant_add_recast(TARGET): adds the shim, or what stands in for it, to a library.
function(octant_add_recast name)
    target_sources(${name} PRIVATE src/files/recast_absent.c)
    if(octant_has_recast)
        target_sources(${name} PRIVATE src/files/recast_shim.cpp)
        target_compile_definitions(${name} PRIVATE OCTANT_HAS_RECAST)
        target_include_directories(${name} SYSTEM PRIVATE ${RECAST_INCLUDE})
        target_link_libraries(${name} PRIVATE ${RECAST_LIBRARY} ${DETOUR_LIBRARY})
        set_source_files_properties(src/files/recast_shim.cpp PROPERTIES COMPILE_OPTIONS
            "-fno-exceptions;-fno-rtti;-Wno-conversion;-Wno-sign-conversion;-Wno-double-promotion")
    endif()
endfunction()
