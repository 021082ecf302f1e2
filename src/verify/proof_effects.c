// SPDX-License-Identifier: MIT
// Effects: what presses may do to doors, by what was told after them.
//
// A press does nothing to a door, toggles, opens or shuts it, and what was not told to be otherwise
// may be any of these. Presses count that are isolated: nobody pressed anything else while what
// they set going could come. Where every link is a toggle or nothing, each door has one linear
// equation over GF(2) for each time that it was told at rest: how it was at the start and the
// links of all buttons pressed an odd number of times add up to how it is.
#include "verify/proof_internal.h"

#include "octant/links.h"

#define WATCH_GAP 20u

static const told_pose *poses_of(const proof_check *c, uint32_t door)
{
    return c->poses[door].items;
}

// Earlier lives tell something of the last one only where the game repeats exactly.
static bool counts(const proof_check *c, uint32_t life)
{
    return c->log->info.repeats || life == c->last_life;
}

static bool is_at_rest(const told_pose *p)
{
    return !p->is_held && (p->opening <= 0.0 || p->opening >= 1.0);
}

static bool is_open(const told_pose *p)
{
    return p->opening >= 1.0;
}

static bool is_same_button(oct_button a, oct_button b)
{
    return a.panel == b.panel && a.number == b.number;
}

// ---- isolated presses ----

static const told_press *beside(const proof_check *c, size_t press, bool is_after)
{
    const size_t at = is_after ? press + 1 : press - 1; // before the first there is none: wraps
    return at < c->press_count && c->presses[at].life == c->presses[press].life ? &c->presses[at]
                                                                                : NULL;
}

static bool is_isolated(const proof_check *c, size_t press)
{
    const uint64_t most = c->settle + c->slide + PROOF_SLACK, tick = c->presses[press].tick;
    const told_press *const before = beside(c, press, false), *const after = beside(c, press, true);
    return (!before || tick - before->tick >= most) && (!after || after->tick - tick >= most);
}

// The last pose at rest in which a door was told between two ticks, or NULL.
static const told_pose *last_at_rest(const proof_check *c, uint32_t door, uint32_t life,
                                     uint64_t from, uint64_t to)
{
    const told_pose *const all = poses_of(c, door), *found = NULL;
    for (size_t i = 0; i < c->poses[door].count; i++) {
        if (all[i].life == life && all[i].tick >= from && all[i].tick <= to &&
            is_at_rest(&all[i])) {
            found = &all[i];
        }
    }
    return found;
}

// Whether a door was told in looks close to each other from one until everything had to have come.
static bool is_watched(const proof_check *c, uint32_t door, const told_pose *from, uint64_t press,
                       uint64_t settled, uint64_t until)
{
    const told_pose *const all = poses_of(c, door);
    uint64_t last = from->tick;
    bool is = press - last <= WATCH_GAP;
    for (size_t i = (size_t)(from - all) + 1; i < c->poses[door].count && is; i++) {
        if (all[i].life != from->life || all[i].tick > until) {
            break;
        }
        is = all[i].tick - last <= WATCH_GAP || last >= settled;
        last = all[i].tick;
    }
    return is && last >= settled;
}

static bool has_moved(const proof_check *c, uint32_t door, const told_pose *from, uint64_t press,
                      uint64_t until)
{
    const told_pose *const all = poses_of(c, door);
    for (size_t i = (size_t)(from - all) + 1; i < c->poses[door].count; i++) {
        if (all[i].life == from->life && all[i].tick > press && all[i].tick <= until &&
            all[i].opening != (is_open(from) ? 1.0 : 0.0)) {
            return true;
        }
    }
    return false;
}

// The effects that fit what an isolated press showed.
static uint32_t fit(const proof_check *c, size_t press, uint32_t door)
{
    const told_press *const p = &c->presses[press];
    const told_press *const prior = beside(c, press, false), *const next = beside(c, press, true);
    const uint64_t since = prior ? prior->tick + c->settle + c->slide : 0;
    const uint64_t settled = p->tick + c->settle + c->slide;
    const uint64_t until = next ? next->tick : UINT64_MAX;
    const told_pose *const before = last_at_rest(c, door, p->life, since, p->tick);
    const told_pose *const after = last_at_rest(c, door, p->life, settled, until);
    if (!before || !after) {
        return OCT_EFFECT_ANY;
    }
    if (is_open(before) != is_open(after)) {
        return OCT_EFFECT_TOGGLE | (is_open(after) ? OCT_EFFECT_OPEN : OCT_EFFECT_SHUT);
    }
    // It may have been moved, and moved back.
    if (has_moved(c, door, before, p->tick, until) ||
        (c->settle > 0 && !is_watched(c, door, before, p->tick, settled, until))) {
        return OCT_EFFECT_ANY;
    }
    return OCT_EFFECT_NOTHING | (is_open(before) ? OCT_EFFECT_OPEN : OCT_EFFECT_SHUT);
}

// ---- equations ----

static size_t columns_of(const proof_check *c)
{
    return 1 + c->pressed.count;
}

// The last bit of a row is its value.
static size_t words_of(const proof_check *c)
{
    return (columns_of(c) + 1 + 63) / 64;
}

static void flip(uint64_t *row, size_t bit)
{
    row[bit / 64] ^= UINT64_C(1) << bit % 64;
}

static bool has(const uint64_t *row, size_t bit)
{
    return (row[bit / 64] >> bit % 64 & 1) != 0;
}

// Subtracts equations from a row; the first column that is left, or their count.
static size_t reduce(const proof_check *c, const door_equations *e, uint64_t *row)
{
    size_t first = columns_of(c);
    for (size_t i = 0; i < columns_of(c); i++) {
        if (has(row, i) && e->rows[i]) {
            for (size_t k = 0; k < words_of(c); k++) {
                row[k] ^= e->rows[i][k];
            }
        }
        first = has(row, i) && first == columns_of(c) ? i : first;
    }
    return first;
}

static uint32_t column_of(const proof_check *c, oct_button button)
{
    const oct_button *const all = c->pressed.items;
    for (uint32_t i = 0; i < c->pressed.count; i++) {
        if (is_same_button(all[i], button)) {
            return 1 + i;
        }
    }
    return PROOF_NONE;
}

static oct_result add_equation(proof_check *c, door_equations *e, const uint64_t *parity,
                               bool value, uint64_t *scratch)
{
    memcpy(scratch, parity, words_of(c) * sizeof *scratch);
    if (value) {
        flip(scratch, columns_of(c));
    }
    const size_t first = reduce(c, e, scratch);
    if (first == columns_of(c)) {
        e->is_odd = e->is_odd || has(scratch, first);
        return OCT_OK;
    }
    e->rows[first] = oct_proof_alloc(c, words_of(c), sizeof(uint64_t));
    if (!e->rows[first]) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(e->rows[first], scratch, words_of(c) * sizeof *scratch);
    return OCT_OK;
}

// All equations of a door: presses and poses in the order of time, life by life.
static oct_result solve(proof_check *c, uint32_t door)
{
    door_equations *const e = &c->equations[door];
    e->rows = oct_proof_alloc(c, columns_of(c), sizeof *e->rows);
    uint64_t *const parity = oct_proof_alloc(c, words_of(c), sizeof *parity);
    uint64_t *const scratch = oct_proof_alloc(c, words_of(c), sizeof *scratch);
    if (!e->rows || !parity || !scratch) {
        return OCT_ERROR_MEMORY;
    }
    const told_pose *const all = poses_of(c, door);
    size_t press = 0;
    for (size_t i = 0; i < c->poses[door].count; i++) {
        if (i == 0 || all[i].life != all[i - 1].life) {
            memset(parity, 0, words_of(c) * sizeof *parity);
            flip(parity, 0);
            while (press < c->press_count && c->presses[press].life < all[i].life) {
                press++;
            }
        }
        for (; press < c->press_count && c->presses[press].life == all[i].life &&
               c->presses[press].tick < all[i].tick;
             press++) {
            flip(parity, column_of(c, c->presses[press].button));
        }
        const told_press *const last = press > 0 ? &c->presses[press - 1] : NULL;
        const bool is_settled =
            !last || last->life != all[i].life || last->tick + c->settle + c->slide <= all[i].tick;
        if (is_settled && is_at_rest(&all[i]) && counts(c, all[i].life)) {
            OCT_TRY(add_equation(c, e, parity, is_open(&all[i]), scratch));
        }
    }
    return OCT_OK;
}

static bool is_certain(const proof_check *c, uint32_t door, uint64_t *row, bool *value)
{
    const door_equations *const e = &c->equations[door];
    const bool is = reduce(c, e, row) == columns_of(c) && !e->is_odd;
    *value = has(row, columns_of(c));
    return is;
}

#define WORDS_MAX 66 // of the buttons that one log may have pressed

bool oct_proof_sum(const proof_check *c, uint32_t door, bool with_start, uint64_t buttons,
                   bool *value)
{
    uint64_t row[WORDS_MAX] = {with_start};
    if (!c->toggles) {
        return false;
    }
    for (uint32_t i = 0; i < 64; i++) {
        if ((buttons >> i & 1) != 0) {
            const uint32_t column = column_of(c, c->proof->buttons[i].button);
            if (column == PROOF_NONE) {
                return false;
            }
            flip(row, column);
        }
    }
    return is_certain(c, door, row, value);
}

static uint32_t by_equations(const proof_check *c, oct_button button, uint32_t door)
{
    uint64_t row[WORDS_MAX] = {0};
    const uint32_t column = column_of(c, button);
    bool value;
    if (c->equations[door].is_odd) {
        return OCT_EFFECT_ANY;
    }
    if (column == PROOF_NONE) {
        return OCT_EFFECT_NOTHING | OCT_EFFECT_TOGGLE;
    }
    flip(row, column);
    return !is_certain(c, door, row, &value) ? OCT_EFFECT_NOTHING | OCT_EFFECT_TOGGLE
           : value                           ? OCT_EFFECT_TOGGLE
                                             : OCT_EFFECT_NOTHING;
}

// ---- the whole ----

// What one button may do to one of the proof's doors.
static uint32_t effects_of(const proof_check *c, oct_button button, uint32_t door)
{
    if ((c->denies >> OCT_ASSUME_MEMORY & 1) != 0) {
        return OCT_EFFECT_ANY;
    }
    uint32_t effects = c->toggles ? by_equations(c, button, door) : OCT_EFFECT_ANY;
    for (size_t i = 0; i < c->press_count; i++) {
        if (is_same_button(c->presses[i].button, button) && counts(c, c->presses[i].life) &&
            is_isolated(c, i)) {
            effects &= fit(c, i, door);
        }
    }
    return effects == 0 ? OCT_EFFECT_ANY : effects; // it is no function of the door's state
}

// Whether a press was the cause that a door left a pose between two looks.
static bool has_cause(const proof_check *c, const told_pose *from, const told_pose *to)
{
    for (size_t i = 0; i < c->press_count; i++) {
        const told_press *const p = &c->presses[i];
        if (p->life == to->life && p->tick <= to->tick &&
            p->tick + c->settle + c->slide + PROOF_SLACK >= from->tick) {
            return true;
        }
    }
    return false;
}

static bool moves_alone(const proof_check *c, uint32_t door)
{
    const told_pose *const all = poses_of(c, door);
    for (size_t i = 1; i < c->poses[door].count; i++) {
        // What was held, or on its way, goes on by itself.
        if (all[i].opening != all[i - 1].opening && all[i].life == all[i - 1].life &&
            is_at_rest(&all[i - 1]) && !has_cause(c, &all[i - 1], &all[i])) {
            return true;
        }
    }
    return false;
}

// The tick from which on nothing was pending that was pressed up to another.
static uint64_t quiet_before(const proof_check *c, uint32_t life, uint64_t tick)
{
    uint64_t quiet = 0;
    for (size_t i = 0; i < c->press_count; i++) {
        const told_press *const p = &c->presses[i];
        quiet = p->life == life && p->tick <= tick ? p->tick + c->settle + c->slide : quiet;
    }
    return quiet;
}

// Whether a door was told at rest, as it was, in looks close to each other for the longest delay,
// while nothing was pending: one that moves by itself does not do that.
static bool was_still(const proof_check *c, uint32_t door)
{
    const told_pose *const all = poses_of(c, door);
    uint64_t from = 0;
    bool is = c->settle == 0 || (c->log->info.promises >> OCT_ASSUME_CAUSES & 1) != 0;
    for (size_t i = 0; i < c->poses[door].count && !is; i++) {
        const bool goes_on = i > 0 && all[i].life == all[i - 1].life &&
                             all[i].opening == all[i - 1].opening && is_at_rest(&all[i - 1]) &&
                             all[i].tick - all[i - 1].tick <= WATCH_GAP;
        const uint64_t quiet = quiet_before(c, all[i].life, all[i].tick);
        from = goes_on ? from : all[i].tick;
        from = quiet > from ? quiet : from;
        is = is_at_rest(&all[i]) && counts(c, all[i].life) && all[i].tick >= from + c->settle;
    }
    return is;
}

// How a door may have been at the start of a life by how it was told first: bit 0 = shut, bit 1 =
// open.
static uint32_t by_first(const proof_check *c, uint32_t door, const told_pose *first)
{
    if (first->opening > 0.0 && first->opening < 1.0) {
        return 3;
    }
    for (size_t i = 0; i < c->press_count; i++) {
        const told_press *const p = &c->presses[i];
        if (p->life == first->life && p->tick < first->tick &&
            (c->is_loose[door] ||
             c->pressed_effects[column_of(c, p->button) - 1] != OCT_EFFECT_NOTHING)) {
            return 3;
        }
    }
    return is_open(first) ? 2 : 1;
}

static uint32_t find_start(const proof_check *c, uint32_t door)
{
    const told_pose *const all = poses_of(c, door);
    uint32_t left = 3;
    for (size_t i = 0; i < c->poses[door].count; i++) {
        if ((i == 0 || all[i].life != all[i - 1].life) && counts(c, all[i].life)) {
            left &= by_first(c, door, &all[i]);
        }
    }
    bool value = false;
    if (c->toggles && oct_proof_sum(c, door, true, 0, &value)) {
        left &= value ? 2u : 1u;
    }
    return left == 0 ? 3 : left; // lives that differ say nothing
}

static oct_result list_pressed(proof_check *c)
{
    for (size_t i = 0; i < c->press_count; i++) {
        const oct_button b = c->presses[i].button;
        OCT_TRY(column_of(c, b) != PROOF_NONE
                    ? OCT_OK
                    : oct_array_push(&c->pressed, &c->allocator, sizeof b, &b));
    }
    return words_of(c) <= WORDS_MAX ? OCT_OK : oct_proof_reject(c, "too many buttons were pressed");
}

static oct_result check_door(proof_check *c, uint32_t door)
{
    const oct_proof_door *const claimed = &c->proof->doors[door];
    const told_thing *const t = &c->things[c->door_things[door]];
    const bool is_placed =
        c->proof->kind != OCT_PROOF_WITNESS; // buttons do the same wherever it is
    c->is_loose[door] = (is_placed && !t->stays) || (c->denies >> OCT_ASSUME_CAUSES & 1) != 0 ||
                        moves_alone(c, door) || !was_still(c, door);
    if (c->is_loose[door] && !claimed->is_loose) {
        return oct_proof_reject(c, "door %u moves by itself, or does not stay", door);
    }
    for (uint32_t b = 0; b < c->proof->button_count; b++) {
        const size_t at = b * c->proof->door_count + door;
        c->effects[at] = (uint8_t)effects_of(c, c->proof->buttons[b].button, door);
        if ((c->effects[at] & ~(uint32_t)c->proof->effects[at]) != 0 && !claimed->is_loose) {
            return oct_proof_reject(c, "button %u may do more to door %u than is claimed", b, door);
        }
    }
    const oct_button *const pressed = c->pressed.items;
    for (size_t i = 0; i < c->pressed.count; i++) {
        c->pressed_effects[i] = (uint8_t)effects_of(c, pressed[i], door);
    }
    c->at_start[door] = (uint8_t)find_start(c, door);
    // Where equations decide, they are asked in place of this.
    if ((c->at_start[door] & ~claimed->at_start) != 0 && is_placed && !claimed->is_loose &&
        !c->proof->is_linear) {
        return oct_proof_reject(c, "door %u may have been otherwise at the start", door);
    }
    return OCT_OK;
}

oct_result oct_proof_check_effects(proof_check *c)
{
    const oct_proof *const p = c->proof;
    c->is_loose = oct_proof_alloc(c, p->door_count, 1);
    c->at_start = oct_proof_alloc(c, p->door_count, 1);
    c->effects = oct_proof_alloc(c, p->door_count * p->button_count, 1);
    c->equations = oct_proof_alloc(c, p->door_count, sizeof *c->equations);
    if (!c->is_loose || !c->at_start || !c->effects || !c->equations) {
        return OCT_ERROR_MEMORY;
    }
    OCT_TRY(list_pressed(c));
    c->pressed_effects = oct_proof_alloc(c, c->pressed.count, 1);
    OCT_TRY(c->pressed_effects ? OCT_OK : OCT_ERROR_MEMORY);
    for (uint32_t i = 0; i < p->door_count; i++) {
        OCT_TRY(c->toggles ? solve(c, i) : OCT_OK);
    }
    for (uint32_t i = 0; i < p->door_count; i++) {
        OCT_TRY(check_door(c, i));
    }
    return OCT_OK;
}
