// SPDX-License-Identifier: MIT
// What the tests of links share.
#ifndef OCTANT_TESTS_LINKS_SUPPORT_H
#define OCTANT_TESTS_LINKS_SUPPORT_H

#include "agent/links_internal.h"
#include "support.h"

#include "octant/links.h"
#include "valid.h"

#define SHUT OCT_DOOR_SHUT
#define OPEN OCT_DOOR_OPEN
#define MOVING OCT_DOOR_MOVING
#define UNKNOWN OCT_DOOR_UNKNOWN

static inline oct_links *make_links(const oct_allocator *allocator, uint64_t settle, uint64_t most)
{
    oct_links_def def = oct_links_def_default();
    oct_links *links;
    def.settle = settle;
    def.settle_most = most;
    def.allocator = allocator;
    assert_int_equal(oct_links_create(&def, &links), OCT_OK);
    return links;
}

static inline uint32_t add_button(oct_links *links, uint64_t panel, uint32_t number)
{
    uint32_t index = UINT32_MAX;
    assert_int_equal(oct_links_add_button(links, (oct_button){panel, number}, &index), OCT_OK);
    return index;
}

static inline uint32_t add_door(oct_links *links, uint64_t id)
{
    uint32_t index = UINT32_MAX;
    assert_int_equal(oct_links_add_door(links, id, &index), OCT_OK);
    return index;
}

static inline oct_links *make_level(uint64_t settle, uint64_t most, uint32_t buttons,
                                    uint32_t doors)
{
    oct_links *const links = make_links(NULL, settle, most);
    for (uint32_t i = 0; i < buttons; i++) {
        assert_int_equal(add_button(links, 100, i), i);
    }
    for (uint32_t i = 0; i < doors; i++) {
        assert_int_equal(add_door(links, 200 + i), i);
    }
    return links;
}

static inline void press(oct_links *links, uint32_t button, uint64_t tick)
{
    assert_int_equal(oct_links_press(links, button, tick), OCT_OK);
}

static inline void see(oct_links *links, uint32_t door, uint64_t tick, oct_door_state state)
{
    assert_int_equal(oct_links_see(links, door, tick, state), OCT_OK);
    assert_true(oct_links_is_valid(links));
}

#endif
