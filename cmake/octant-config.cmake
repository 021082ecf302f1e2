# SPDX-License-Identifier: MIT
# The installed libraries: octant::octant, and of a static installation octant::octant_play,
# octant::octant_lab and, where expat, jansson and zstd (and assimp, if it
# was built with it) are to be found, octant::octant_files.
include(${CMAKE_CURRENT_LIST_DIR}/octant-targets.cmake)
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/octant-files-targets.cmake)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(EXPAT QUIET IMPORTED_TARGET expat)
        pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson)
        pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
        pkg_check_modules(ASSIMP QUIET IMPORTED_TARGET assimp)
    endif()
    # Whether it was built with assimp, which is optional.
    file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/octant-files-targets.cmake octant_assimp
         REGEX "PkgConfig::ASSIMP")
    if(TARGET PkgConfig::EXPAT AND TARGET PkgConfig::JANSSON AND TARGET PkgConfig::ZSTD
       AND (NOT octant_assimp OR TARGET PkgConfig::ASSIMP))
        include(${CMAKE_CURRENT_LIST_DIR}/octant-files-targets.cmake)
    endif()
endif()
