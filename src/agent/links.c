// SPDX-License-Identifier: MIT
// The log of presses and sightings, and what the doors' equations say.
//
// Of each door one sighting is kept for each time between two presses: all that count then agree,
// or else effects come later than was thought, or the door is odd. `settle` only grows; so what
// does not count now never will, and need not be kept.
#include "agent/link_rows.h"
#include "agent/links_internal.h"

#define COOKIE 0x4c4e4b53u // "LNKS"

// Of a new life no press: an entry whose button is NEW_LIFE, after which all doors are as they were
// before the first press.
typedef struct press {
    uint64_t tick;
    uint32_t button;
} press;

#define NEW_LIFE UINT32_MAX

// A door at rest, after so many entries of the log; both ticks count.
typedef struct sighting {
    uint64_t first, last;
    uint32_t presses;
    bool open;
} sighting;

typedef struct door {
    link_rows rows;
    oct_array sightings; // sighting
    bool restless;       // it moved when no press can have been the cause: odd for ever
} door;

// Ids in the order of coming in, and their indices in the order of the ids.
typedef struct names {
    oct_array ids;    // oct_button; a door has number 0
    oct_array sorted; // uint32_t
} names;

struct oct_links {
    oct_allocator allocator;
    names buttons, doors;
    oct_array door; // door
    oct_array log;  // press
    oct_array each; // uint32_t: presses of each button
    // The equation that a sighting would be now: column 0, and the buttons pressed an odd number of
    // times.
    uint64_t now[LINK_WORDS_MAX];
    uint32_t words; // of it that are in use
    uint64_t tick;  // of the last call
    uint64_t settle, settle_most;
};

static const char *const link_names[OCT_LINK_COUNT] = {"no", "yes", "open", "odd"};

const char *oct_link_name(oct_link link)
{
    return (uint32_t)link < OCT_LINK_COUNT ? link_names[link] : NULL;
}

// ---- life ----

oct_links_def oct_links_def_default(void)
{
    return (oct_links_def){.settle = 180, .settle_most = 3600, .cookie = COOKIE};
}

oct_result oct_links_create(const oct_links_def *def, oct_links **out)
{
    *out = NULL;
    if (def->cookie != COOKIE) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_links *const links = oct_alloc(&allocator, sizeof *links, _Alignof(oct_links));
    if (!links) {
        return OCT_ERROR_MEMORY;
    }
    *links =
        (oct_links){.allocator = allocator,
                    .now = {1},
                    .words = 1,
                    .settle = def->settle,
                    .settle_most = def->settle > def->settle_most ? def->settle : def->settle_most};
    *out = links;
    return OCT_OK;
}

static void names_free(names *n, const oct_allocator *allocator)
{
    oct_array_free(&n->ids, allocator, sizeof(oct_button));
    oct_array_free(&n->sorted, allocator, sizeof(uint32_t));
}

void oct_links_destroy(oct_links *links)
{
    if (!links) {
        return;
    }
    const oct_allocator allocator = links->allocator;
    for (size_t i = 0; i < links->door.count; i++) {
        door *const d = (door *)links->door.items + i;
        oct_link_rows_free(&d->rows, &allocator);
        oct_array_free(&d->sightings, &allocator, sizeof(sighting));
    }
    names_free(&links->buttons, &allocator);
    names_free(&links->doors, &allocator);
    oct_array_free(&links->door, &allocator, sizeof(door));
    oct_array_free(&links->log, &allocator, sizeof(press));
    oct_array_free(&links->each, &allocator, sizeof(uint32_t));
    oct_free(&allocator, links, sizeof *links);
}

// ---- names ----

static int compare(oct_button a, oct_button b)
{
    if (a.panel != b.panel) {
        return a.panel < b.panel ? -1 : 1;
    }
    return a.number < b.number ? -1 : a.number > b.number;
}

// Where an id stands among the sorted ones, or would.
static bool names_find(const names *n, oct_button id, size_t *at)
{
    const oct_button *const ids = n->ids.items;
    const uint32_t *const sorted = n->sorted.items;
    size_t low = 0, high = n->sorted.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare(ids[sorted[middle]], id);
        if (order == 0) {
            *at = middle;
            return true;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *at = low;
    return false;
}

static bool names_index(const names *n, oct_button id, uint32_t *index)
{
    size_t at;
    if (!names_find(n, id, &at)) {
        return false;
    }
    *index = ((const uint32_t *)n->sorted.items)[at];
    return true;
}

// Makes room for one more.
static oct_result names_grow(names *n, const oct_allocator *allocator, uint32_t most)
{
    if (n->ids.count == most) {
        return OCT_ERROR_RANGE;
    }
    if (n->ids.count == n->ids.capacity) {
        OCT_TRY(oct_array_grow(&n->ids, allocator, sizeof(oct_button)));
    }
    if (n->sorted.count == n->sorted.capacity) {
        OCT_TRY(oct_array_grow(&n->sorted, allocator, sizeof(uint32_t)));
    }
    return OCT_OK;
}

static uint32_t names_insert(names *n, oct_button id)
{
    size_t at;
    const uint32_t index = (uint32_t)n->ids.count;
    uint32_t *const sorted = n->sorted.items;
    names_find(n, id, &at);
    memmove(sorted + at + 1, sorted + at, (n->sorted.count - at) * sizeof *sorted);
    sorted[at] = index;
    n->sorted.count++;
    ((oct_button *)n->ids.items)[n->ids.count++] = id;
    return index;
}

oct_result oct_links_add_button(oct_links *links, oct_button button, uint32_t *index)
{
    if (names_index(&links->buttons, button, index)) {
        return OCT_OK;
    }
    static const uint32_t never = 0;
    OCT_TRY(names_grow(&links->buttons, &links->allocator, OCT_LINKS_BUTTONS_MAX));
    OCT_TRY(oct_array_push(&links->each, &links->allocator, sizeof never, &never));
    *index = names_insert(&links->buttons, button);
    links->words = (*index + 1) / 64 + 1;
    return OCT_OK;
}

oct_result oct_links_add_door(oct_links *links, uint64_t id, uint32_t *index)
{
    const oct_button name = {id, 0};
    if (names_index(&links->doors, name, index)) {
        return OCT_OK;
    }
    static const door unseen = {0};
    OCT_TRY(names_grow(&links->doors, &links->allocator, OCT_LINKS_DOORS_MAX));
    OCT_TRY(oct_array_push(&links->door, &links->allocator, sizeof unseen, &unseen));
    *index = names_insert(&links->doors, name);
    return OCT_OK;
}

bool oct_links_find_button(const oct_links *links, oct_button button, uint32_t *index)
{
    return names_index(&links->buttons, button, index);
}

bool oct_links_find_door(const oct_links *links, uint64_t id, uint32_t *index)
{
    return names_index(&links->doors, (oct_button){id, 0}, index);
}

uint32_t oct_links_buttons(const oct_links *links)
{
    return (uint32_t)links->buttons.ids.count;
}

uint32_t oct_links_doors(const oct_links *links)
{
    return (uint32_t)links->doors.ids.count;
}

oct_button oct_links_button(const oct_links *links, uint32_t index)
{
    OCT_ASSERT(index < oct_links_buttons(links));
    return ((const oct_button *)links->buttons.ids.items)[index];
}

uint64_t oct_links_door(const oct_links *links, uint32_t index)
{
    OCT_ASSERT(index < oct_links_doors(links));
    return ((const oct_button *)links->doors.ids.items)[index].panel;
}

// ---- presses and sightings ----

// Ticks from the last of so many presses, of which there is one, to a later tick.
static uint64_t ticks_since(const oct_links *links, size_t presses, uint64_t tick)
{
    return tick - ((const press *)links->log.items)[presses - 1].tick;
}

// Whether nothing was pressed in the life that so many entries have come to.
static bool is_before_all(const oct_links *links, size_t presses)
{
    return presses == 0 || ((const press *)links->log.items)[presses - 1].button == NEW_LIFE;
}

static bool counts(const oct_links *links, size_t presses, uint64_t tick)
{
    return is_before_all(links, presses) || ticks_since(links, presses, tick) >= links->settle;
}

oct_result oct_links_press(oct_links *links, uint32_t button, uint64_t tick)
{
    if (button >= oct_links_buttons(links) || tick < links->tick) {
        return OCT_ERROR_ARGUMENT;
    }
    if (links->log.count == UINT32_MAX) {
        return OCT_ERROR_RANGE;
    }
    const press p = {tick, button};
    OCT_TRY(oct_array_push(&links->log, &links->allocator, sizeof p, &p));
    ((uint32_t *)links->each.items)[button]++;
    link_flip(links->now, 1 + button);
    links->tick = tick;
    return OCT_OK;
}

oct_result oct_links_begin_life(oct_links *links)
{
    if (links->log.count == UINT32_MAX) {
        return OCT_ERROR_RANGE;
    }
    const press begin = {0, NEW_LIFE};
    OCT_TRY(oct_array_push(&links->log, &links->allocator, sizeof begin, &begin));
    for (size_t i = 0; i < links->each.count; i++) {
        ((uint32_t *)links->each.items)[i] = 0;
    }
    memset(links->now, 0, sizeof links->now);
    links->now[0] = 1;
    links->tick = 0;
    return OCT_OK;
}

// Adds an entry of the log to the columns of an equation.
static void add_entry(uint64_t *columns, const press *entry)
{
    if (entry->button == NEW_LIFE) {
        memset(columns, 0, LINK_WORDS_MAX * sizeof *columns);
        columns[0] = 1;
    } else {
        link_flip(columns, 1 + entry->button);
    }
}

// Drops the sightings of a door that no longer count, and solves what is left. Takes no memory: the
// equations of fewer sightings span no more.
static void recount(const oct_links *links, door *d)
{
    uint64_t columns[LINK_WORDS_MAX] = {1};
    const press *const log = links->log.items;
    sighting *const all = d->sightings.items;
    const size_t count = d->sightings.count;
    uint32_t presses = 0, kept = 0;
    oct_link_rows_clear(&d->rows);
    for (size_t i = 0; i < count; i++) {
        sighting s = all[i];
        for (; presses < s.presses; presses++) {
            add_entry(columns, &log[presses]);
        }
        if (counts(links, s.presses, s.last)) {
            s.first = counts(links, s.presses, s.first) ? s.first : s.last;
            oct_link_rows_add(&d->rows, columns, s.open, kept);
            all[kept++] = s;
        }
    }
    d->sightings.count = kept;
}

// An effect was seen so many ticks after the last press. Some more are allowed for, so that a door
// on its way does not move the bound with every tick.
static void settle_later(oct_links *links, uint64_t ticks)
{
    const uint64_t more = ticks / 4 + 1;
    links->settle = ticks < links->settle_most && more < links->settle_most - ticks
                        ? ticks + more
                        : links->settle_most;
    for (size_t i = 0; i < links->door.count; i++) {
        recount(links, (door *)links->door.items + i);
    }
}

// Nothing will ever follow from its sightings.
static void give_up(oct_links *links, door *d)
{
    oct_link_rows_free(&d->rows, &links->allocator);
    oct_array_free(&d->sightings, &links->allocator, sizeof(sighting));
    d->restless = true;
}

// A door moved between two ticks, which both count, without a press in between.
static void see_late(oct_links *links, door *d, uint64_t before, uint64_t tick)
{
    const size_t presses = links->log.count;
    if (is_before_all(links, presses) ||
        ticks_since(links, presses, before) >= links->settle_most) {
        give_up(links, d);
    } else {
        settle_later(links, ticks_since(links, presses, tick));
    }
}

static oct_result see_first(oct_links *links, door *d, uint64_t tick, bool open)
{
    const sighting s = {tick, tick, (uint32_t)links->log.count, open};
    OCT_TRY(oct_link_rows_reserve(&d->rows, &links->allocator, links->words));
    OCT_TRY(oct_array_push(&d->sightings, &links->allocator, sizeof s, &s));
    oct_link_rows_add(&d->rows, links->now, open, (uint32_t)d->sightings.count - 1);
    return OCT_OK;
}

// A sighting that counts.
static oct_result see(oct_links *links, door *d, uint64_t tick, oct_door_state state)
{
    sighting *const all = d->sightings.items;
    sighting *const last = d->sightings.count > 0 ? &all[d->sightings.count - 1] : NULL;
    const bool again = last && last->presses == links->log.count;
    const bool open = state == OCT_DOOR_OPEN;
    if (state == OCT_DOOR_MOVING) {
        // Before all presses it tells nothing: it may have been on its way when all began.
        if (!is_before_all(links, links->log.count)) {
            see_late(links, d, tick, tick);
        }
        return OCT_OK;
    }
    if (!again) {
        return see_first(links, d, tick, open);
    }
    const uint64_t before = last->last;
    const bool moved = last->open != open;
    last->last = tick;
    if (moved) {
        last->open = open;
        see_late(links, d, before, tick);
    }
    return OCT_OK;
}

oct_result oct_links_see(oct_links *links, uint32_t index, uint64_t tick, oct_door_state state)
{
    if (index >= oct_links_doors(links) || tick < links->tick ||
        (uint32_t)state > OCT_DOOR_MOVING) {
        return OCT_ERROR_ARGUMENT;
    }
    door *const d = (door *)links->door.items + index;
    if (!d->restless && counts(links, links->log.count, tick)) {
        OCT_TRY(see(links, d, tick, state));
    }
    links->tick = tick;
    return OCT_OK;
}

uint64_t oct_links_settled(const oct_links *links)
{
    const size_t presses = links->log.count;
    if (is_before_all(links, presses)) {
        return 0;
    }
    const uint64_t last = ((const press *)links->log.items)[presses - 1].tick;
    return links->settle < UINT64_MAX - last ? last + links->settle : UINT64_MAX;
}

uint64_t oct_links_settle(const oct_links *links)
{
    return links->settle;
}

// ---- what follows ----

static const door *door_at(const oct_links *links, uint32_t index)
{
    OCT_ASSERT(index < oct_links_doors(links));
    return (const door *)links->door.items + index;
}

static bool is_odd(const door *d)
{
    return d->restless || d->rows.odd;
}

static bool is_zero(const uint64_t *columns, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++) {
        any |= columns[i];
    }
    return any == 0;
}

// The row that says that a link is there or not, or LINK_NONE.
static uint32_t deciding_row(const door *d, uint32_t button)
{
    const uint32_t row = oct_link_rows_find(&d->rows, 1 + button);
    return row != LINK_NONE && oct_link_rows_is_single(&d->rows, row) ? row : LINK_NONE;
}

oct_link oct_links_get(const oct_links *links, uint32_t button, uint32_t index)
{
    OCT_ASSERT(button < oct_links_buttons(links));
    const door *const d = door_at(links, index);
    if (is_odd(d)) {
        return OCT_LINK_ODD;
    }
    const uint32_t row = deciding_row(d, button);
    if (row == LINK_NONE) {
        return OCT_LINK_UNDECIDED;
    }
    return link_rows_head(&d->rows, row)->value ? OCT_LINK_YES : OCT_LINK_NO;
}

static oct_door_state predict(const oct_links *links, const door *d, uint64_t *columns)
{
    bool open = false;
    oct_link_rows_reduce(&d->rows, columns, &open);
    if (is_odd(d) || !is_zero(columns, links->words)) {
        return OCT_DOOR_UNKNOWN;
    }
    return open ? OCT_DOOR_OPEN : OCT_DOOR_SHUT;
}

oct_door_state oct_links_predict(const oct_links *links, uint32_t index)
{
    uint64_t columns[LINK_WORDS_MAX];
    memcpy(columns, links->now, sizeof columns);
    return predict(links, door_at(links, index), columns);
}

oct_door_state oct_links_predict_presses(const oct_links *links, uint32_t index,
                                         const uint32_t *buttons, size_t count)
{
    uint64_t columns[LINK_WORDS_MAX];
    memcpy(columns, links->now, sizeof columns);
    for (size_t i = 0; i < count; i++) {
        OCT_ASSERT(buttons[i] < oct_links_buttons(links));
        link_flip(columns, 1 + buttons[i]);
    }
    return predict(links, door_at(links, index), columns);
}

oct_door_state oct_links_predict_press(const oct_links *links, uint32_t index, uint32_t button)
{
    return oct_links_predict_presses(links, index, &button, 1);
}

bool oct_links_sum(const oct_links *links, uint32_t index, bool with_start, const uint32_t *buttons,
                   size_t count, bool *value)
{
    uint64_t columns[LINK_WORDS_MAX] = {with_start};
    for (size_t i = 0; i < count; i++) {
        OCT_ASSERT(buttons[i] < oct_links_buttons(links));
        link_flip(columns, 1 + buttons[i]);
    }
    const door *const d = door_at(links, index);
    *value = false;
    oct_link_rows_reduce(&d->rows, columns, value);
    return !is_odd(d) && is_zero(columns, links->words);
}

// Seeing the door now adds one equation, `now`. If it is certain already, it says nothing, and
// after the press it says what the link is. Else it decides the link if and only if the two are
// the same up to what is certain.
oct_advice oct_links_advise(const oct_links *links, uint32_t button, uint32_t index)
{
    if (oct_links_get(links, button, index) != OCT_LINK_UNDECIDED) {
        return OCT_ADVICE_NONE;
    }
    const door *const d = door_at(links, index);
    uint64_t columns[LINK_WORDS_MAX];
    bool value = false;
    memcpy(columns, links->now, sizeof columns);
    oct_link_rows_reduce(&d->rows, columns, &value);
    if (is_zero(columns, links->words)) {
        return OCT_ADVICE_PRESS_SEE;
    }
    link_flip(columns, 1 + button);
    oct_link_rows_reduce(&d->rows, columns, &value);
    return is_zero(columns, links->words) ? OCT_ADVICE_SEE : OCT_ADVICE_SEE_PRESS_SEE;
}

uint32_t oct_links_presses(const oct_links *links, uint32_t button)
{
    OCT_ASSERT(button < oct_links_buttons(links));
    return ((const uint32_t *)links->each.items)[button];
}

// The entries of the log up to this life.
static size_t life_begins(const oct_links *links)
{
    const press *const log = links->log.items;
    size_t at = links->log.count;
    while (at > 0 && log[at - 1].button != NEW_LIFE) {
        at--;
    }
    return at;
}

size_t oct_links_evidence(const oct_links *links, uint32_t button, uint32_t index,
                          oct_sighting *out, size_t capacity)
{
    OCT_ASSERT(button < oct_links_buttons(links));
    const door *const d = door_at(links, index);
    const uint32_t row = is_odd(d) ? LINK_NONE : deciding_row(d, button);
    const sighting *const all = d->sightings.items;
    const size_t life = life_begins(links);
    size_t count = 0;
    for (uint32_t i = 0; row != LINK_NONE && i < d->rows.heads.count; i++) {
        if (link_rows_has(&d->rows, row, i)) {
            if (count < capacity) {
                const sighting *const s = &all[link_rows_head(&d->rows, i)->sighting];
                out[count] = (oct_sighting){s->first, s->open ? OCT_DOOR_OPEN : OCT_DOOR_SHUT,
                                            s->presses < life};
            }
            count++;
        }
    }
    return count;
}

bool oct_links_is_valid(const oct_links *links)
{
    for (size_t i = 0; i < links->door.count; i++) {
        const door *const d = (const door *)links->door.items + i;
        const sighting *const all = d->sightings.items;
        for (size_t j = 0; j < d->sightings.count; j++) {
            if ((j > 0 && all[j].presses <= all[j - 1].presses) || all[j].first > all[j].last ||
                !counts(links, all[j].presses, all[j].first)) {
                return false;
            }
        }
        if (!oct_link_rows_is_valid(&d->rows) || (d->restless && d->rows.heads.count > 0)) {
            return false;
        }
    }
    return links->settle <= links->settle_most;
}
