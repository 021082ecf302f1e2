# SPDX-License-Identifier: MIT
# Another C library on this machine. Debian: musl-tools
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
