// SPDX-License-Identifier: MIT
/// \file
/// What every other header uses: version, results, errors from outside data, allocators.
/// Nothing here holds state; everything may be used from any thread.
#ifndef OCTANT_BASE_H
#define OCTANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OCT_VERSION_MAJOR 0
#define OCT_VERSION_MINOR 1
#define OCT_VERSION_PATCH 0

#ifdef __cplusplus
#define OCT_EXTERN extern "C"
#else
#define OCT_EXTERN
#endif

/// Marks what the library offers; C++ may call it too.
#if defined(_WIN32) && defined(OCTANT_SHARED)
#ifdef OCTANT_BUILDING
#define OCT_API OCT_EXTERN __declspec(dllexport)
#else
#define OCT_API OCT_EXTERN __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define OCT_API OCT_EXTERN __attribute__((visibility("default")))
#else
#define OCT_API OCT_EXTERN
#endif

/// Lets compilers check a printf format: the argument that it is, and the first that it formats.
#if defined(__MINGW32__)
// Its printf is that of the standard; `printf` would mean the one of Microsoft.
#define OCT_FORMAT(at, first) __attribute__((format(gnu_printf, at, first)))
#elif defined(__GNUC__)
#define OCT_FORMAT(at, first) __attribute__((format(printf, at, first)))
#else
#define OCT_FORMAT(at, first)
#endif

/// How a call ended. Outcomes such as "no path" are not errors: they are statuses of their own.
typedef enum oct_result {
    OCT_OK = 0,
    OCT_ERROR_MEMORY,     ///< an allocation failed; the object is as it was
    OCT_ERROR_ARGUMENT,   ///< an argument breaks the function's contract
    OCT_ERROR_RANGE,      ///< a coordinate leaves the lattice, or a size exceeds its limit
    OCT_ERROR_FORMAT,     ///< outside data is malformed; an oct_error says where
    OCT_ERROR_FILE,       ///< the operating system refused a file; an oct_error says why
    OCT_ERROR_LOST,       ///< the journal no longer reaches back that far: look at everything
    OCT_ERROR_EXISTS,     ///< something has that id already
    OCT_ERROR_ABSENT,     ///< nothing has that id
    OCT_ERROR_LINK,       ///< the connection to a game has ended
    OCT_ERROR_UNSUPPORTED ///< a game cannot do that
} oct_result;

/// A short English phrase for a result, never NULL.
OCT_API const char *oct_result_text(oct_result result);

/// Where and why outside data was refused. Readers fill it on failure; it may be NULL everywhere.
typedef struct oct_error {
    uint64_t offset;   ///< byte offset from the start of the data
    uint32_t line;     ///< 1-based line of text data; 0 where lines mean nothing
    uint32_t column;   ///< 1-based column of text data; 0 where lines mean nothing
    char message[168]; ///< what is wrong, without file name or trailing newline
} oct_error;

/// Where an object takes its memory from. `free` is told the size that was asked for.
typedef struct oct_allocator {
    /// Returns `size` > 0 bytes aligned to `align` (a power of two), or NULL.
    void *(*alloc)(void *ctx, size_t size, size_t align);
    /// Takes back what `alloc` returned, with the same size. `ptr` is never NULL.
    void (*free)(void *ctx, void *ptr, size_t size);
    void *ctx; ///< handed to both, not touched
} oct_allocator;

/// The C library's heap: what NULL stands for wherever an allocator is asked for.
OCT_API oct_allocator oct_allocator_default(void);

/// A limit for all memory that is taken through one allocator, and a count of it. What the limit
/// refuses is an allocation that failed: OCT_ERROR_MEMORY, and the object stays as it was.
/// Bytes are those that were asked for. Not for several threads at the same time.
typedef struct oct_budget {
    oct_allocator allocator; ///< to be passed on; refers to this struct, which must not move
    oct_allocator base;      ///< where the memory comes from
    size_t limit;            ///< bytes
    size_t used;             ///< bytes that were taken and not given back
    size_t peak;             ///< the most that was ever used
    size_t refused; ///< bytes that were asked for when the limit refused first; 0 = it never did
} oct_budget;

/// Prepares a budget over an allocator, which is copied; NULL = malloc.
OCT_API void oct_budget_init(oct_budget *budget, size_t limit, const oct_allocator *base);

/// A piece of work that was cut into parts: does part `index`. `worker` < the executor's `workers`;
/// no two parts run with the same one at the same time.
typedef void oct_task_fn(void *arg, uint32_t index, uint32_t worker);

/// Threads that the caller lends. What uses them gives the same bits with any number of them.
typedef struct oct_executor {
    /// Calls task(arg, i, worker) once for each i < count, on any threads, in any order, and
    /// returns when all have ended. Must not fail.
    void (*run)(void *ctx, uint32_t count, oct_task_fn *task, void *arg);
    void *ctx;        ///< handed to run, not touched
    uint32_t workers; ///< at least 1: how many parts may run at the same time
} oct_executor;

/// A clock for budgets and measures, in any unit that rises.
typedef uint64_t oct_clock_fn(void *ctx);

/// Takes the next bytes of what is written; returns false to stop (OCT_ERROR_FILE).
typedef bool oct_write_fn(void *ctx, const void *data, size_t size);

/// The version that was linked, as "0.1.0".
OCT_API const char *oct_version(void);

#endif
