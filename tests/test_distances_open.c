// SPDX-License-Identifier: MIT
// Opening databases of local distances: what was written opens, damage anywhere is found, and what
// lies under a checksum that is right is refused where looking up would rely on it.
#include "distances_support.h"
#include "flat/distances.h"

#include <math.h>
#include <stdlib.h>

// A copy in memory that ends where the bytes end; the caller frees it.
static uint8_t *copy_of(const oct_distances *d, size_t *size)
{
    const void *const bytes = oct_distances_bytes(d, size);
    uint8_t *copy = malloc(*size);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    return copy;
}

// The same answers to everything.
static void check_same(const oct_distances *d, const oct_distances *other, uint32_t code)
{
    for (uint32_t i = 0; i < d->points * d->points; i++) {
        const uint32_t a = i / d->points, b = i % d->points;
        const double distance = oct_distances_between(d, code, a, b);
        assert_true(oct_distances_between(other, code, a, b) == distance);
        if (distance >= 0.0) {
            uint8_t bends[2][OCT_DISTANCES_BENDS_MAX];
            const uint32_t count = oct_distances_bends(d, code, a, b, bends[0]);
            assert_int_equal(oct_distances_bends(other, code, a, b, bends[1]), count);
            assert_memory_equal(bends[0], bends[1], count);
        }
    }
}

static void check_refused(const void *bytes, size_t size)
{
    oct_error error = {.message = ""};
    oct_distances *d = (oct_distances *)&error;
    assert_int_equal(oct_distances_open(bytes, size, NULL, &d, &error), OCT_ERROR_FORMAT);
    assert_null(d);
    assert_true(error.message[0] != '\0' && error.offset <= size);
    assert_int_equal(oct_distances_open(bytes, size, NULL, &d, NULL), OCT_ERROR_FORMAT);
}

static void what_was_written_opens(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        oct_distances *d = make_distances(3, (oct_distances_kind)(i / 4), i & 1, i & 2), *opened;
        size_t size, again;
        uint8_t *bytes = copy_of(d, &size);
        oct_error error;
        assert_int_equal(oct_distances_open(bytes, size, NULL, &opened, &error), OCT_OK);
        assert_ptr_equal(oct_distances_bytes(opened, &again), bytes);
        assert_int_equal(again, size);
        for (uint32_t code = 0; code < 512; code += 7) {
            check_same(opened, d, code);
        }
        oct_distances_destroy(opened);
        oct_distances_destroy(d);
        free(bytes);
    }
}

static void damage_is_found(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        oct_distances *d = make_distances(2, OCT_DISTANCES_PLAIN, packed, false);
        size_t size;
        uint8_t *bytes = copy_of(d, &size);
        for (size_t i = 0; i < size; i++) {
            for (int bit = 0; bit < (packed ? 8 : 1); bit++) {
                bytes[i] ^= (uint8_t)(1u << bit);
                check_refused(bytes, size);
                bytes[i] ^= (uint8_t)(1u << bit);
            }
        }
        for (size_t i = 0; i < size; i += packed ? 1 : 61) {
            uint8_t *cut = malloc(i ? i : 1);
            assert_non_null(cut);
            memcpy(cut, bytes, i);
            check_refused(cut, i);
            free(cut);
        }
        uint8_t *longer = calloc(1, size + 8);
        assert_non_null(longer);
        memcpy(longer, bytes, size);
        check_refused(longer, size + 8);
        memmove(longer + 4, bytes, size);
        oct_distances *opened;
        oct_error error;
        assert_int_equal(oct_distances_open(longer + 4, size, NULL, &opened, &error),
                         OCT_ERROR_ARGUMENT);
        assert_null(opened);
        free(longer);
        free(bytes);
        oct_distances_destroy(d);
    }
}

// A lie under a checksum that is right.
static void check_lie(uint8_t *bytes, size_t size, size_t at, const void *lie, size_t lie_size)
{
    uint8_t truth[8];
    distances_header *const header = (distances_header *)(void *)bytes;
    const uint64_t checksum = header->checksum;
    memcpy(truth, bytes + at, lie_size);
    memcpy(bytes + at, lie, lie_size);
    header->checksum = oct_distances_checksum(bytes, size);
    check_refused(bytes, size);
    memcpy(bytes + at, truth, lie_size);
    header->checksum = checksum;
}

static void check_number_lie(uint8_t *bytes, size_t size, size_t at, uint32_t lie)
{
    check_lie(bytes, size, at, &lie, sizeof lie);
}

static void lies_in_the_header_are_refused(void **state)
{
    (void)state;
    oct_distances *d = make_distances(2, OCT_DISTANCES_PLAIN, true, false);
    size_t size;
    uint8_t *bytes = copy_of(d, &size);
    static const uint32_t lies[] = {0, 1, 2, 3, 4, 5, 7, 9, 10, 65536, 65537, UINT32_MAX};
    const distances_header truth = *d->header;
    for (size_t at = 0; at < offsetof(distances_header, checksum); at += 4) {
        uint32_t now;
        memcpy(&now, bytes + at, sizeof now);
        for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
            // A packed database that says that it squeezes is a different one, but sound.
            const bool sound = at == offsetof(distances_header, squeeze) && lies[i] == 1;
            if (lies[i] != now && !sound) {
                check_number_lie(bytes, size, at, lies[i]);
            }
        }
    }
    assert_memory_equal(&truth, bytes, sizeof truth);
    free(bytes);
    oct_distances_destroy(d);
}

static void lies_behind_the_header_are_refused(void **state)
{
    (void)state;
    static const double distances[] = {
        -2.0, -0.5, 64.0, HUGE_COST, (double)INFINITY, (double)-INFINITY, (double)NAN};
    // Boundary points, a gap, no point at all, seven bends. Point 4 is inside.
    static const uint32_t bends[] = {1, 3, 5, 8, 9, 31, 4 << 5, 4 | 4 << 10, 1u << 30, UINT32_MAX};
    for (int packed = 0; packed < 2; packed++) {
        oct_distances *d = make_distances(2, OCT_DISTANCES_PLAIN, packed, false);
        size_t size;
        uint8_t *bytes = copy_of(d, &size);
        const distances_header header = *d->header;
        for (uint32_t i = 0; packed && i < 16; i++) {
            check_number_lie(bytes, size, header.at[SECTION_CODES] + 4 * i, 6 * SYMMETRIES);
            check_number_lie(bytes, size, header.at[SECTION_CODES] + 4 * i, UINT32_MAX);
        }
        for (uint32_t i = 0; packed && i < header.rows * header.pairs; i++) {
            const uint16_t lie = (uint16_t)header.ways;
            check_lie(bytes, size, header.at[SECTION_ENTRIES] + 2 * i, &lie, sizeof lie);
        }
        uint8_t *longer = calloc(1, size + 8);
        assert_non_null(longer);
        memcpy(longer, bytes, size);
        check_number_lie(longer, size + 8, size, 0); // true, but too much
        free(longer);
        for (uint32_t i = 0; i < header.ways; i += packed ? 1 : 31) {
            for (size_t j = 0; j < sizeof distances / sizeof *distances; j++) {
                check_lie(bytes, size, header.at[SECTION_DISTANCES] + 8 * i, &distances[j], 8);
            }
            for (size_t j = 0; j < sizeof bends / sizeof *bends; j++) {
                check_number_lie(bytes, size, header.at[SECTION_BENDS] + 4 * i, bends[j]);
            }
        }
        free(bytes);
        oct_distances_destroy(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_opens),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(lies_in_the_header_are_refused),
        cmocka_unit_test(lies_behind_the_header_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
