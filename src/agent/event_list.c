// SPDX-License-Identifier: MIT
#include "agent/event_list.h"
#include "octant/belief.h"

typedef struct kept_event {
    uint64_t tick, id;
    char *what, *text;
} kept_event;

static kept_event *slot(const event_list *l, uint64_t index)
{
    return (kept_event *)l->kept.items + index % OCT_BELIEF_EVENTS_MAX;
}

static void drop(const kept_event *k, const oct_allocator *allocator)
{
    oct_free_text(allocator, k->what);
    oct_free_text(allocator, k->text);
}

void oct_event_list_free(event_list *l, const oct_allocator *allocator)
{
    for (size_t i = 0; i < l->kept.count; i++) {
        drop((const kept_event *)l->kept.items + i, allocator);
    }
    oct_array_free(&l->kept, allocator, sizeof(kept_event));
    *l = (event_list){.told = 0};
}

// A copy of at most OCT_BELIEF_TEXT_MAX bytes, cut between characters.
static char *copy(const oct_allocator *allocator, const char *text)
{
    char cut[OCT_BELIEF_TEXT_MAX + 1];
    size_t length = 0;
    while (text && length < OCT_BELIEF_TEXT_MAX && text[length]) {
        length++;
    }
    while (length > 0 && text[length] && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    memcpy(cut, text ? text : "", length);
    cut[length] = '\0';
    return oct_copy_text(allocator, cut);
}

oct_result oct_event_list_note(event_list *l, const oct_allocator *allocator,
                               const oct_event *event)
{
    const kept_event new = {event->tick, event->id, copy(allocator, event->what),
                            copy(allocator, event->text)};
    oct_result result = new.what &&new.text ? OCT_OK : OCT_ERROR_MEMORY;
    if (result == OCT_OK && l->kept.count == OCT_BELIEF_EVENTS_MAX) {
        drop(slot(l, l->told), allocator);
        *slot(l, l->told) = new;
    } else if (result == OCT_OK) {
        result = oct_array_push(&l->kept, allocator, sizeof new, &new);
    }
    if (result != OCT_OK) {
        drop(&new, allocator);
        return result;
    }
    l->told++;
    return OCT_OK;
}

bool oct_event_list_get(const event_list *l, uint64_t index, oct_event *out)
{
    if (index >= l->told || l->told - index > l->kept.count) {
        return false;
    }
    const kept_event *const k = slot(l, index);
    *out = (oct_event){.tick = k->tick, .what = k->what, .id = k->id, .text = k->text};
    return true;
}
