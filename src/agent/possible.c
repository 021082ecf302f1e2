// SPDX-License-Identifier: MIT
#include "agent/possible.h"
#include "agent/possible_internal.h"
#include "agent/walk_space.h"

// ---- where things are ----

// Appends the parts from which a box can be got at.
static oct_result find_contacts(possible *p, const space_aim *aim, oct_array *list)
{
    part_list found;
    OCT_TRY(oct_space_cache_around(p->spaces, aim, &found));
    OCT_TRY(
        oct_array_reserve(list, &p->allocator, sizeof(uint32_t), list->count + found.count + 1));
    memcpy((uint32_t *)list->items + list->count, found.all, found.count * sizeof *found.all);
    list->count += found.count;
    return OCT_OK;
}

static oct_result take_all(possible *p, oct_array *list)
{
    OCT_TRY(oct_array_reserve(list, &p->allocator, sizeof(uint32_t), list->count + p->parts + 1));
    for (uint32_t i = 0; i < p->parts; i++) {
        ((uint32_t *)list->items)[list->count++] = i;
    }
    return OCT_OK;
}

// What may move can be met anywhere.
static oct_result find_places(possible *p, const history_thing *t, double reach, oct_array *list)
{
    const space_aim aim = oct_config_space_aim_at(p->space, &t->told, reach);
    return t->is_mobile ? take_all(p, list) : find_contacts(p, &aim, list);
}

static bool was_pressed(const oct_history *h, oct_button button)
{
    const history_press *const all = h->presses.items;
    for (size_t i = 0; i < h->presses.count; i++) {
        if (all[i].button.panel == button.panel && all[i].button.number == button.number) {
            return true;
        }
    }
    return false;
}

static oct_result add_panel(possible *p, const history_thing *t)
{
    const oct_entity *const e = &t->told;
    const uint32_t first = (uint32_t)p->contacts.count;
    OCT_TRY(find_places(p, t, p->q->history->limits.reach, &p->contacts));
    for (uint32_t i = 0; i < e->use_count; i++) {
        const possible_button new = {.button = {e->thing.id, i},
                                     .panel = e->thing.box,
                                     .first = first,
                                     .count = (uint32_t)p->contacts.count - first};
        if (p->q->presses || was_pressed(p->q->history, new.button)) {
            OCT_TRY(oct_array_push(&p->buttons, &p->allocator, sizeof new, &new));
        }
    }
    return OCT_OK;
}

static oct_result find_buttons(possible *p)
{
    const history_thing *const all = p->q->history->things.items;
    for (size_t i = 0; i < p->q->history->things.count; i++) {
        OCT_TRY(all[i].told.use_count > 0 ? add_panel(p, &all[i]) : OCT_OK);
    }
    return OCT_OK;
}

static oct_result find_starts(possible *p)
{
    const oct_point *const all = p->q->history->starts.items;
    for (size_t i = 0; i < p->q->history->starts.count; i++) {
        uint32_t part;
        OCT_TRY(oct_config_space_enter(p->space, all[i], &part));
        p->is_open_ended = p->is_open_ended || part == PART_NONE;
        OCT_TRY(part == PART_NONE ? OCT_OK
                                  : oct_array_push(&p->starts, &p->allocator, sizeof part, &part));
    }
    return OCT_OK;
}

// ---- what presses may do ----

static const possible_button *button_at(const possible *p, size_t index)
{
    return (const possible_button *)p->buttons.items + index;
}

bool oct_possible_may_move(void *ctx, oct_button button, uint32_t door)
{
    const possible *const p = ctx;
    return p->is_loose[door] ||
           oct_effects_of(p->q->history, &p->rules, p->q->links, button, door) != EFFECT_NOTHING;
}

static void note_unwatched(possible *p, uint64_t door)
{
    possible_answer *const out = p->out;
    if (out->unwatched_count < POSSIBLE_DOORS_MAX) {
        out->unwatched[out->unwatched_count++] = door;
    }
}

// A door that is not where it was told, or moved by itself, or may do so unseen, is never in the
// way for certain.
static void find_loose(possible *p)
{
    p->out->unwatched_count = 0;
    for (uint32_t d = 0; d < p->doors; d++) {
        const history_thing *const t = possible_door_thing(p, d);
        p->is_loose[d] = !oct_history_stays(t) || possible_denies(p, OCT_ASSUME_CAUSES) ||
                         oct_effects_moves_alone(p->q->history, &p->rules, d);
        if (!p->is_loose[d] && !oct_effects_is_watched(p->q->history, &p->rules, d)) {
            p->is_loose[d] = true;
            note_unwatched(p, t->told.thing.id);
        }
    }
}

static void find_effects(possible *p)
{
    for (size_t b = 0; b < p->buttons.count; b++) {
        for (uint32_t d = 0; d < p->doors; d++) {
            p->effects[b * p->doors + d] = (uint8_t)oct_effects_of(
                p->q->history, &p->rules, p->q->links, button_at(p, b)->button, d);
        }
    }
}

void oct_possible_note(possible *p, size_t button, uint32_t door)
{
    possible_answer *const out = p->out;
    const possible_link new = {button_at(p, button)->button,
                               possible_door_thing(p, door)->told.thing.id,
                               possible_effects(p, button, door)};
    bool is_new = out->undecided_count < POSSIBLE_LINKS_MAX;
    for (size_t i = 0; i < out->undecided_count && is_new; i++) {
        const possible_link *const old = &out->undecided[i];
        is_new = old->door != new.door || old->button.panel != new.button.panel ||
                 old->button.number != new.button.number;
    }
    if (is_new) {
        out->undecided[out->undecided_count++] = new;
    }
}

// ---- relaxed ----

// Sets reached[] by all starts, with the doors that are free.
static void flood(possible *p)
{
    const uint32_t *const starts = p->starts.items;
    memset(p->reached, 0, p->parts);
    for (size_t i = 0; i < p->starts.count; i++) {
        p->reached[starts[i]] = 1;
    }
    oct_config_space_flood(p->space, p->free, p->reached);
}

bool oct_possible_reaches(const possible *p, const uint32_t *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (p->reached[parts[i]]) {
            return true;
        }
    }
    return false;
}

static bool can_press(const possible *p, const possible_button *b)
{
    return oct_possible_reaches(p, (const uint32_t *)p->contacts.items + b->first, b->count);
}

#define EFFECTS_OPENING (EFFECT_TOGGLE | EFFECT_OPEN)

// Whether a press of something within reach is certain to open a door.
static bool opens_for_certain(const possible *p, uint32_t door)
{
    for (size_t b = 0; b < p->buttons.count; b++) {
        const uint32_t effects = possible_effects(p, b, door);
        if ((effects & ~(uint32_t)EFFECTS_OPENING) == 0 && can_press(p, button_at(p, b))) {
            return true;
        }
    }
    return false;
}

// Frees a door that a button within reach may open; false where there is none.
static bool press_for(possible *p, uint32_t door)
{
    const bool is_joint = possible_denies(p, OCT_ASSUME_ALONE) && !p->rules.toggles;
    const bool is_certain = opens_for_certain(p, door);
    bool has_freed = false;
    for (size_t b = 0; b < p->buttons.count; b++) {
        const uint32_t effects = possible_effects(p, b, door);
        if (can_press(p, button_at(p, b)) && (is_joint || (effects & EFFECTS_OPENING) != 0)) {
            has_freed = true;
            if (!is_certain && effects_divide(effects, EFFECTS_OPENING)) {
                oct_possible_note(p, b, door);
            }
        }
    }
    return has_freed;
}

// Frees the doors that buttons within reach may open; false where there is none left.
static bool press_all(possible *p)
{
    bool has_freed = false;
    for (uint32_t d = 0; d < p->doors; d++) {
        if (!p->free[d] && press_for(p, d)) {
            p->free[d] = 1;
            has_freed = true;
        }
    }
    return has_freed;
}

// Frees what nobody is excluded from opening, and sets reached[].
static void relax(possible *p)
{
    for (uint32_t d = 0; d < p->doors; d++) {
        p->free[d] = p->is_loose[d] ||
                     (oct_effects_at_start(p->q->history, d, oct_possible_may_move, p) & 2u) != 0;
    }
    do {
        flood(p);
    } while (press_all(p));
}

static bool has_target(const possible *p)
{
    return oct_possible_reaches(p, p->targets.items, p->targets.count);
}

// Whether it would be the same without any door.
static bool rests_on_doors(possible *p)
{
    memset(p->free, 1, p->doors);
    flood(p);
    return has_target(p);
}

// ---- the whole ----

#define BIT(a) (1u << (a))
#define OF_SPACE                                                                                   \
    (BIT(OCT_ASSUME_MEANS) | BIT(OCT_ASSUME_BODY) | BIT(OCT_ASSUME_SOLID) | BIT(OCT_ASSUME_TRUTH))
#define OF_DOORS (BIT(OCT_ASSUME_CAUSES) | BIT(OCT_ASSUME_DELAY))

// What holds whatever the doors do.
static uint32_t assumed_of_space(const possible *p)
{
    return OF_SPACE | (p->space->is_on_foot ? BIT(OCT_ASSUME_FEET) : 0);
}

// What doors that stay shut rest on: that toggles add up says more than that presses remember and
// work alone.
static uint32_t assumed_of_doors(const possible *p)
{
    return OF_DOORS | (p->rules.toggles ? BIT(OCT_ASSUME_TOGGLES)
                                        : BIT(OCT_ASSUME_MEMORY) | BIT(OCT_ASSUME_ALONE));
}

// What rests on an assumption that is denied is never excluded, whatever is learned: then nothing
// more is asked.
static bool is_denied(const possible *p)
{
    possible_answer *const out = p->out;
    for (oct_assumption a = 0; a < OCT_ASSUME_COUNT && !out->has_denied; a++) {
        if ((out->assumes >> a & 1) != 0 && possible_denies(p, a)) {
            out->status = POSSIBLE_MAYBE;
            out->undecided_count = 0;
            out->has_denied = true;
            out->denied = a;
        }
    }
    return out->has_denied;
}

double oct_possible_reach(const possible *p)
{
    const double reach = p->q->history->limits.reach;
    return p->q->is_known || p->q->reach < reach ? reach : p->q->reach;
}

// The doors that are free are out of the way.
static oct_result find_unseen(possible *p, const uint8_t *free)
{
    return oct_config_space_find_unseen(p->space, free, p->reached, oct_possible_reach(p),
                                        p->q->near, &p->out->unseen);
}

// What moves may hide a place, and carry what is in it to where all was seen before. NULL where
// nothing does.
static const history_thing *find_carrier(const oct_history *h)
{
    const history_thing *const all = h->things.items;
    for (size_t i = 0; i < h->things.count; i++) {
        if (all[i].carries) {
            return &all[i];
        }
    }
    return NULL;
}

static oct_result check_seen(possible *p, const uint8_t *free)
{
    possible_answer *const out = p->out;
    if (out->status == POSSIBLE_EXCLUDED) {
        const history_thing *const carrier = find_carrier(p->q->history);
        OCT_TRY(find_unseen(p, free));
        out->has_carrier = carrier != NULL;
        out->carrier = carrier ? carrier->told.thing.id : 0;
        const bool is_seen = out->unseen.count == 0 && !out->unseen.has_hidden && !carrier;
        out->status = is_seen ? POSSIBLE_EXCLUDED : POSSIBLE_UNSEEN;
    }
    return OCT_OK;
}

// What is not there whatever the doors do rests on space alone.
static oct_result drop_doors(possible *p)
{
    possible_answer *const out = p->out;
    if ((out->status != POSSIBLE_EXCLUDED && !out->has_denied) || p->q->is_known) {
        return OCT_OK;
    }
    const possible_answer with_doors = *out;
    memset(p->free, 1, p->doors);
    flood(p);
    out->status = POSSIBLE_EXCLUDED;
    out->has_denied = false;
    out->assumes = assumed_of_space(p);
    OCT_TRY(check_seen(p, p->free));
    if (out->status != POSSIBLE_EXCLUDED) {
        relax(p); // what is free and reached is what the answer rests on
        *out = with_doors;
    }
    return OCT_OK;
}

// Notes the links that are not certain, of buttons that can be pressed in some state.
static void note_undecided(possible *p)
{
    for (size_t b = 0; b < p->buttons.count; b++) {
        for (uint32_t d = 0; d < p->doors && can_press(p, button_at(p, b)); d++) {
            const uint32_t effects = possible_effects(p, b, d);
            if ((effects & (effects - 1)) != 0 && !p->is_loose[d]) {
                oct_possible_note(p, b, d);
            }
        }
    }
}

static oct_result decide_status(possible *p)
{
    possible_answer *const out = p->out;
    relax(p);
    out->assumes = assumed_of_space(p);
    if (p->is_open_ended || p->starts.count == 0 || is_denied(p)) {
        out->status = POSSIBLE_MAYBE;
        return OCT_OK;
    }
    if (p->q->is_known && !has_target(p) && !rests_on_doors(p)) {
        out->status = POSSIBLE_EXCLUDED;
        return OCT_OK;
    }
    relax(p);
    out->assumes |= p->doors > 0 ? assumed_of_doors(p) : 0;
    if (is_denied(p)) {
        return drop_doors(p);
    }
    out->status = p->q->is_known && has_target(p) ? POSSIBLE_MAYBE : POSSIBLE_EXCLUDED;
    OCT_TRY(check_seen(p, p->free));
    if (out->status == POSSIBLE_EXCLUDED || p->rules.settle > 0) {
        return drop_doors(p);
    }
    if (possible_denies(p, OCT_ASSUME_PACE)) {
        out->has_denied = out->status == POSSIBLE_MAYBE;
        out->denied = OCT_ASSUME_PACE;
        return OCT_OK;
    }
    const possible_answer relaxed = *out;
    out->assumes |= BIT(OCT_ASSUME_PACE);
    OCT_TRY(oct_possible_search(p, &out->status));
    OCT_TRY(check_seen(p, p->met));
    if (out->status != POSSIBLE_EXCLUDED && out->undecided_count == 0) {
        note_undecided(p);
    }
    out->is_exact = true;
    if (out->status == POSSIBLE_LIMIT && relaxed.status == POSSIBLE_UNSEEN) {
        *out = relaxed;
    }
    return OCT_OK;
}

// A way that is not excluded may lead through what was not seen: then a look there tells more.
static oct_result decide(possible *p)
{
    const possible_answer *const out = p->out;
    OCT_TRY(decide_status(p));
    if (out->status != POSSIBLE_MAYBE || out->has_denied || out->undecided_count > 0) {
        return OCT_OK;
    }
    relax(p);
    return find_unseen(p, p->free);
}

static oct_result prepare(possible *p)
{
    const possible_question *const q = p->q;
    OCT_TRY(find_starts(p));
    p->doors = q->history->doors.count;
    p->parts = p->space->parts.count;
    p->is_loose = oct_alloc(&p->allocator, p->doors + 1, 1);
    p->free = oct_alloc(&p->allocator, p->doors + 1, 1);
    p->met = oct_alloc(&p->allocator, p->doors + 1, 1);
    p->reached = oct_alloc(&p->allocator, p->parts + 1, 1);
    if (!p->is_loose || !p->free || !p->met || !p->reached) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(find_buttons(p));
    const space_aim target =
        oct_config_space_aim(p->space, q->turn, &q->target, &q->within, q->reach);
    OCT_TRY(q->is_known ? find_contacts(p, &target, &p->targets) : OCT_OK);
    p->effects = oct_alloc(&p->allocator, p->buttons.count * p->doors + 1, 1);
    if (!p->effects) {
        return OCT_ERROR_MEMORY;
    }
    find_loose(p);
    find_effects(p);
    return OCT_OK;
}

static void free_all(possible *p)
{
    if (p->effects) {
        oct_free(&p->allocator, p->effects, p->buttons.count * p->doors + 1);
    }
    if (p->is_loose) {
        oct_free(&p->allocator, p->is_loose, p->doors + 1);
    }
    if (p->free) {
        oct_free(&p->allocator, p->free, p->doors + 1);
    }
    if (p->met) {
        oct_free(&p->allocator, p->met, p->doors + 1);
    }
    if (p->reached) {
        oct_free(&p->allocator, p->reached, p->parts + 1);
    }
    oct_array_free(&p->starts, &p->allocator, sizeof(uint32_t));
    oct_array_free(&p->targets, &p->allocator, sizeof(uint32_t));
    oct_array_free(&p->buttons, &p->allocator, sizeof(possible_button));
    oct_array_free(&p->contacts, &p->allocator, sizeof(uint32_t));
    oct_array_free(&p->states, &p->allocator, sizeof(oct_proof_state));
}

static oct_result take_step_in(possible *p, oct_result (*step)(possible *p))
{
    const possible_question *const q = p->q;
    OCT_TRY(oct_space_cache_take(p->spaces, q->history, q->lattice, &q->info->bounds, p->limits,
                                 &p->space));
    p->is_on_foot = p->space->is_on_foot;
    oct_result result = prepare(p);
    result = result == OCT_OK ? step(p) : result;
    free_all(p);
    return result;
}

// Takes a step in the space that the history keeps. On foot it depends on what was seen: then it is
// made for the question alone.
static oct_result take_step(possible *p, oct_result (*step)(possible *p))
{
    p->rules = oct_effect_rules_of(p->q->info);
    p->spaces = p->limits ? oct_space_cache_create(&p->allocator) : p->q->history->spaces;
    if (!p->spaces) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result = take_step_in(p, step);
    if (p->limits) {
        oct_space_cache_destroy(p->spaces);
    } else if (result != OCT_OK) {
        oct_space_cache_clear(p->spaces);
    }
    return result;
}

static oct_result decide_and_prove(possible *p)
{
    OCT_TRY(decide(p));
    const bool is_wanted = p->q->proof && p->out->status == POSSIBLE_EXCLUDED;
    const oct_proof_kind kind = p->out->is_exact ? OCT_PROOF_STATES : OCT_PROOF_CUT;
    return is_wanted ? oct_possible_prove(p, kind, p->q->proof) : OCT_OK;
}

static oct_result ask(const possible_question *q, const walk_limits *limits,
                      const oct_allocator *allocator, possible_answer *out)
{
    possible p = {.q = q, .out = out, .limits = limits, .allocator = *allocator};
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    OCT_TRY(take_step(&p, decide_and_prove));
    out->is_on_foot = out->status == POSSIBLE_EXCLUDED && p.is_on_foot;
    return OCT_OK;
}

// Where nobody could fly either that is all: else floors are asked about, where all go on foot.
static oct_result ask_on_foot(const possible_question *q, const oct_allocator *allocator,
                              possible_answer *out)
{
    walk_limits limits;
    const char *untold;
    if (out->status == POSSIBLE_EXCLUDED || !q->history->walk) {
        return OCT_OK;
    }
    if (oct_walk_is_denied(q->history, q->info)) {
        out->has_denied = out->status == POSSIBLE_MAYBE;
        out->denied = OCT_ASSUME_FEET;
        return OCT_OK;
    }
    if (!oct_walk_limits_of(q->history, q->info, &limits, &untold)) {
        out->untold = untold;
        return OCT_OK;
    }
    return ask(q, &limits, allocator, out);
}

oct_result oct_possible_ask(const possible_question *question, const oct_allocator *allocator,
                            possible_answer *out)
{
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    if (question->proof) {
        *question->proof = NULL;
    }
    if (!question->info->has_bounds) {
        out->has_denied = true;
        out->denied = OCT_ASSUME_TRUTH;
        return OCT_OK;
    }
    OCT_TRY(ask(question, NULL, allocator, out));
    return ask_on_foot(question, allocator, out);
}

// Where what holds of doors is denied they are all out of the way; where what holds of space is,
// nothing is said.
static oct_result make_model(possible *p)
{
    p->out->assumes = assumed_of_space(p);
    if (p->is_open_ended || p->starts.count == 0 || is_denied(p)) {
        return OCT_OK;
    }
    relax(p);
    p->out->assumes |= p->doors > 0 ? assumed_of_doors(p) : 0;
    if (is_denied(p)) {
        memset(p->free, 1, p->doors);
        flood(p);
    }
    return oct_possible_show(p);
}

oct_result oct_possible_model(const possible_question *question, const oct_allocator *allocator,
                              possible_model_fn *see, void *ctx)
{
    possible_answer ignored = {.status = POSSIBLE_MAYBE};
    walk_limits limits;
    const char *untold;
    const bool walks = question->history->walk &&
                       !oct_walk_is_denied(question->history, question->info) &&
                       oct_walk_limits_of(question->history, question->info, &limits, &untold);
    possible p = {.q = question,
                  .out = &ignored,
                  .limits = walks ? &limits : NULL,
                  .allocator = *allocator,
                  .see = see,
                  .see_ctx = ctx};
    return question->info->has_bounds ? take_step(&p, make_model) : OCT_OK;
}
