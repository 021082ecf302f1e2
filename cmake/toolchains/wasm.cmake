# SPDX-License-Identifier: MIT
# Debian: clang lld wasi-libc libclang-rt-14-dev-wasm32 nodejs
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# A puzzle is made in more than the 64 KB that the linker gives.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-z,stack-size=1048576)
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings
    ${CMAKE_CURRENT_LIST_DIR}/../../tests/portable/wasi.mjs)
