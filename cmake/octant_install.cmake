# SPDX-License-Identifier: MIT
# What `make install` puts where: library, headers, package files for CMake and pkg-config, and
# from a top-level build the command with its man page, completion and schemas.
# The package files find their prefix from their own place, so that an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/octant)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# A shared library comes alone: the others would need a static copy of it.
set(libraries octant)
if(PROJECT_IS_TOP_LEVEL AND NOT BUILD_SHARED_LIBS)
    list(APPEND libraries octant_play octant_lab)
endif()
install(TARGETS ${libraries} EXPORT octant_targets)
# Apart, so that who lacks the libraries that it needs can use the others.
if(PROJECT_IS_TOP_LEVEL AND NOT BUILD_SHARED_LIBS)
    install(TARGETS octant_files EXPORT octant_files_targets)
    install(EXPORT octant_files_targets NAMESPACE octant:: FILE octant-files-targets.cmake
            DESTINATION ${package_dir})
    list(APPEND libraries octant_files)
endif()
install(DIRECTORY include/octant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")

install(EXPORT octant_targets NAMESPACE octant:: FILE octant-targets.cmake
        DESTINATION ${package_dir})
install(FILES cmake/octant-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/octant-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/octant-config-version.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH pkgconfig_to_prefix /prefix/${pkgconfig_dir} /prefix)
# A static library leaves libm to whoever links it.
if(BUILD_SHARED_LIBS)
    set(pkgconfig_libs "")
else()
    set(pkgconfig_libs " -lm")
endif()
# What each library needs of the others.
set(requires_octant "")
set(requires_octant_play "octant")
set(requires_octant_files "octant_play expat jansson libzstd")
if(ASSIMP_FOUND)
    string(APPEND requires_octant_files " assimp")
endif()
set(requires_octant_lab "octant_play")
set(also_octant_files "")
if(octant_has_recast)
    set(also_octant_files " -lRecast -lDetour")
endif()
set(plain_libs "${pkgconfig_libs}")
foreach(library ${libraries})
    set(pkgconfig_libs "${also_${library}}${plain_libs}")
    set(pkgconfig_requires "${requires_${library}}")
    configure_file(cmake/octant.pc.in ${library}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${pkgconfig_dir})
endforeach()

if(TARGET octant_cli)
    install(TARGETS octant_cli)
    install(FILES docs/reference/octant.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(DIRECTORY docs/reference/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/octant
            FILES_MATCHING PATTERN "*.schema.json")
    install(FILES src/cli/octant.bash RENAME octant
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
