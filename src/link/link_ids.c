// SPDX-License-Identifier: MIT
#include "link/link_ids.h"

#include <stdio.h>

static uint64_t large_at(const link_ids *ids, uint32_t index)
{
    return ((const uint64_t *)ids->large.items)[index];
}

// ---- telling ----

static oct_result add(link_ids *ids, const oct_allocator *allocator, uint64_t id)
{
    if (ids->large.count >= UINT32_MAX / 2) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_index_table_reserve(&ids->by_id, allocator, 1));
    OCT_TRY(oct_array_push(&ids->large, allocator, sizeof id, &id));
    oct_index_table_put(&ids->by_id, id, (uint32_t)ids->large.count - 1u);
    return OCT_OK;
}

oct_result oct_link_ids_tell(link_ids *ids, const oct_allocator *allocator, uint64_t id,
                             uint64_t *told)
{
    uint32_t index;
    *told = id;
    if (id < LINK_IDS_LARGE) {
        return OCT_OK;
    }
    if (index_table_find(&ids->by_id, id, &index)) {
        *told = LINK_IDS_LARGE + index;
        return OCT_OK;
    }
    *told = LINK_IDS_LARGE + ids->large.count;
    return add(ids, allocator, id);
}

oct_result oct_link_put_id(link_ids *ids, const oct_allocator *allocator, link_writer *w,
                           const char *name, uint64_t id)
{
    uint64_t told;
    char field[16], digits[24];
    OCT_TRY(oct_link_ids_tell(ids, allocator, id, &told));
    oct_link_put_whole(w, name, told);
    if (told != id && told - LINK_IDS_LARGE >= ids->known) {
        snprintf(field, sizeof field, "%s64", name);
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)id);
        oct_link_put_text(w, field, digits);
    }
    return OCT_OK;
}

// ---- taking ----

uint64_t oct_link_ids_real(const link_ids *ids, uint64_t told)
{
    const bool is_large = told >= LINK_IDS_LARGE && told - LINK_IDS_LARGE < ids->large.count;
    return is_large ? large_at(ids, (uint32_t)(told - LINK_IDS_LARGE)) : told;
}

uint64_t oct_link_ids_told(const link_ids *ids, uint64_t id)
{
    uint32_t index;
    return index_table_find(&ids->by_id, id, &index) ? LINK_IDS_LARGE + index : id;
}

static bool parse_digits(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        const uint64_t digit = (uint64_t)text[i] - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return length > 0;
}

// Takes the digits as the id, if they and the number go together: both new, and the number the next
// in order, or both as before.
static oct_result take_large(link_ids *ids, const oct_allocator *allocator, link_reader *in,
                             const char *digits, uint64_t told, uint64_t *id)
{
    uint64_t real;
    uint32_t index;
    if (!parse_digits(digits, &real) || real < LINK_IDS_LARGE || told < LINK_IDS_LARGE) {
        return oct_link_refuse(in, "'id64' must be the digits of an id from 2^52 on");
    }
    *id = real;
    if (index_table_find(&ids->by_id, real, &index)) {
        return LINK_IDS_LARGE + index == told
                   ? OCT_OK
                   : oct_link_refuse(in, "'id64' was told before with another id");
    }
    return told == LINK_IDS_LARGE + ids->large.count
               ? add(ids, allocator, real)
               : oct_link_refuse(in, "'id64' is new, but its id is not the next one");
}

oct_result oct_link_get_id(link_ids *ids, const oct_allocator *allocator, link_reader *in,
                           const json_t *object, const char *name, bool needed, uint64_t *id)
{
    char field[16];
    const json_t *const value = oct_link_field(object, name);
    uint64_t told = 0;
    snprintf(field, sizeof field, "%s64", name);
    const json_t *const digits = oct_link_field(object, field);
    if (!value) {
        return needed ? oct_link_refuse(in, "'%s' is missing", name) : OCT_OK;
    }
    if (!oct_link_is_whole(value, &told)) {
        return oct_link_refuse(in, "'%s' must be a whole number from 0 to 2^53 - 1", name);
    }
    if (json_is_string(digits)) {
        return take_large(ids, allocator, in, json_string_value(digits), told, id);
    }
    *id = oct_link_ids_real(ids, told);
    return OCT_OK;
}

// ---- life ----

void oct_link_ids_clear(link_ids *ids)
{
    ids->large.count = ids->known = 0;
    oct_index_table_clear(&ids->by_id);
}

void oct_link_ids_free(link_ids *ids, const oct_allocator *allocator)
{
    oct_array_free(&ids->large, allocator, sizeof(uint64_t));
    oct_index_table_free(&ids->by_id, allocator);
}
