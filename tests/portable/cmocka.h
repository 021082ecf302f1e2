// SPDX-License-Identifier: MIT
// As much of cmocka as the golden tests use, for machines that have no cmocka. What fails is
// printed and ends the program: without setjmp, which WebAssembly does not have, the tests after it
// cannot be run.
#ifndef OCTANT_TESTS_PORTABLE_CMOCKA_H
#define OCTANT_TESTS_PORTABLE_CMOCKA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Debian's run-time library of WebAssembly wants these for 128-bit division; its C library has them
// not.
#if defined(__wasm__)
extern uintptr_t __stack_chk_guard;
__attribute__((weak)) uintptr_t __stack_chk_guard = 0;
_Noreturn void __stack_chk_fail(void);
_Noreturn __attribute__((weak)) void __stack_chk_fail(void)
{
    abort();
}
#endif

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
    {                                                                                              \
#function, function                                                                        \
    }

static int cmocka_skipped;

#if defined(__MINGW32__)
#define CMOCKA_PRINTF __attribute__((format(gnu_printf, 3, 4)))
#else
#define CMOCKA_PRINTF __attribute__((format(printf, 3, 4)))
#endif

CMOCKA_PRINTF
_Noreturn static inline void cmocka_stop(const char *file, int line, const char *format, ...)
{
    fflush(stdout);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n%s:%d: error: failure\n[  FAILED  ] 1 test(s).\n", file, line);
    exit(1);
}

#define fail_msg(...) cmocka_stop(__FILE__, __LINE__, __VA_ARGS__)
#define fail() fail_msg("fail()")
// Only in the test itself, not in what it calls.
#define skip()                                                                                     \
    do {                                                                                           \
        cmocka_skipped++;                                                                          \
        return;                                                                                    \
    } while (0)
#define print_message(...) printf(__VA_ARGS__)
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define test_calloc(count, size) calloc(count, size)
#define test_free(memory) free(memory)

static inline void cmocka_check(int holds, const char *text, const char *file, int line)
{
    if (!holds) {
        cmocka_stop(file, line, "%s does not hold", text);
    }
}

static inline void cmocka_range(uintmax_t value, uintmax_t from, uintmax_t to, const char *text,
                                const char *file, int line)
{
    if (value < from || value > to) {
        cmocka_stop(file, line, "%s: %#jx is not in %#jx ... %#jx", text, value, from, to);
    }
}

#define CMOCKA_CHECK(holds, text) cmocka_check(holds, text, __FILE__, __LINE__)
#define CMOCKA_RANGE(value, from, to, text)                                                        \
    cmocka_range((uintmax_t)(value), (uintmax_t)(from), (uintmax_t)(to), text, __FILE__, __LINE__)

#define assert_true(value) CMOCKA_CHECK(!!(value), #value)
#define assert_false(value) CMOCKA_CHECK(!(value), "not: " #value)
#define assert_null(value) CMOCKA_CHECK(!(value), #value " is NULL")
#define assert_non_null(value) CMOCKA_CHECK(!!(value), #value " is not NULL")
#define assert_int_equal(a, b) CMOCKA_RANGE(a, b, b, #a " == " #b)
#define assert_in_range(value, from, to) CMOCKA_RANGE(value, from, to, #value)
#define assert_int_not_equal(a, b) CMOCKA_CHECK((uintmax_t)(a) != (uintmax_t)(b), #a " != " #b)
#define assert_ptr_equal(a, b) CMOCKA_CHECK((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_string_equal(a, b) CMOCKA_CHECK(strcmp(a, b) == 0, #a " equals " #b)
#define assert_string_not_equal(a, b) CMOCKA_CHECK(strcmp(a, b) != 0, #a " differs from " #b)
#define assert_memory_equal(a, b, size) CMOCKA_CHECK(memcmp(a, b, size) == 0, #a " equals " #b)

typedef int cmocka_fixture(void **state);

static inline int cmocka_run(const struct CMUnitTest *tests, size_t count, cmocka_fixture *setup,
                             cmocka_fixture *teardown)
{
    void *group = NULL;
    cmocka_check(!setup || setup(&group) == 0, "setup", __FILE__, __LINE__);
    for (size_t i = 0; i < count; i++) {
        printf("[ RUN      ] %s\n", tests[i].name);
        fflush(stdout);
        void *state = group;
        tests[i].run(&state);
    }
    cmocka_check(!teardown || teardown(&group) == 0, "teardown", __FILE__, __LINE__);
    printf("[  PASSED  ] %d test(s).\n", (int)count - cmocka_skipped);
    if (cmocka_skipped) {
        printf("[  SKIPPED ] %d test(s)\n", cmocka_skipped);
    }
    return 0;
}

#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)

#endif
