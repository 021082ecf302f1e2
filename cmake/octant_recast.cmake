# SPDX-License-Identifier: MIT
# Recast and Detour, where librecast-dev and a C++ compiler are installed: what bakes meshes to walk
# on, and what paths on them are compared with. Without them a source in C says what is missing.
option(OCTANT_RECAST "Use Recast and Detour where they are installed" ON)
set(octant_recast_sources)
set(octant_recast_libraries)
set(octant_recast_include)
set(octant_recast_definitions)

include(CheckLanguage)
check_language(CXX)
find_path(RECAST_INCLUDE Recast.h PATH_SUFFIXES recastnavigation)
find_library(RECAST_LIBRARY Recast)
find_library(DETOUR_LIBRARY Detour)
# The fuzz targets and the sanitizers are for our own code.
if(OCTANT_RECAST AND NOT OCTANT_FUZZ AND CMAKE_CXX_COMPILER AND RECAST_INCLUDE AND RECAST_LIBRARY
   AND DETOUR_LIBRARY)
    enable_language(CXX)
    set(octant_recast_sources src/files/recast_shim.cpp)
    set(octant_recast_definitions OCTANT_HAS_RECAST)
    set(octant_recast_libraries ${RECAST_LIBRARY} ${DETOUR_LIBRARY})
    set(octant_recast_include ${RECAST_INCLUDE})
    set_source_files_properties(src/files/recast_shim.cpp PROPERTIES
        COMPILE_OPTIONS "-fno-exceptions;-fno-rtti;-Wno-conversion;-Wno-sign-conversion;-Wno-double-promotion")
endif()

# A library of its own: whoever links liboctant_files from C needs neither Recast nor C++.
add_library(octant_recast STATIC src/files/recast_absent.c ${octant_recast_sources})
octant_target(octant_recast)
target_include_directories(octant_recast PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_include_directories(octant_recast SYSTEM PRIVATE ${octant_recast_include})
target_compile_definitions(octant_recast PRIVATE ${octant_recast_definitions})
target_link_libraries(octant_recast PRIVATE ${octant_recast_libraries})
