// SPDX-License-Identifier: MIT
#include "level_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256, FULL_DOORS = 12 };

// ---- states: bodies (node, quanta until they are there), who was there, doors, timers ----

typedef struct body_at {
    uint32_t node;
    uint8_t busy;
} body_at;

static body_at body_of(const uint8_t *state, uint32_t agent)
{
    const uint8_t *at = state + 3u * agent;
    return (body_at){(uint32_t)at[0] | (uint32_t)at[1] << 8, at[2]};
}

static void set_body(uint8_t *state, uint32_t agent, uint32_t to, uint8_t busy)
{
    uint8_t *at = state + 3u * agent;
    at[0] = (uint8_t)to;
    at[1] = (uint8_t)(to >> 8);
    at[2] = busy;
}

enum { OPENS = 128 }; // of a door; the rest is how far it is open

static uint8_t *doors_of(const model *m, uint8_t *state)
{
    return state + 3u * m->agents + 1u;
}

static uint8_t *timers_of(const model *m, uint8_t *state)
{
    return doors_of(m, state) + m->scene->doors;
}

static bool is_passable(const model *m, uint32_t door, uint8_t pose)
{
    const uint32_t open = pose & ~(uint32_t)OPENS;
    return m->space->is_generous
               ? open > 0
               : open * m->scene->door[door].width >= UNHURRIED_WIDTH * m->pose_max;
}

static void take_effects(const model *m, uint8_t *state, bool from_timer, uint32_t from,
                         uint32_t slot)
{
    // A timer does its wires in the order of their slots; these worlds list them so.
    for (uint32_t i = 0; i < m->scene->wires; i++) {
        const scene_wire *w = &m->scene->wire[i];
        if (w->from_timer != from_timer || w->from != from || (!from_timer && w->slot != slot) ||
            !level_model_wire_counts(m, w)) {
            continue;
        }
        uint8_t *door = &doors_of(m, state)[w->to], *timer = &timers_of(m, state)[w->to];
        switch (w->action) {
        case OCT_WIRE_TOGGLE:
            *door ^= OPENS;
            break;
        case OCT_WIRE_OPEN:
            *door |= OPENS;
            break;
        case OCT_WIRE_SHUT:
            *door &= (uint8_t)~OPENS;
            break;
        case OCT_WIRE_START:
            if (*timer == 0) {
                *timer = (uint8_t)(m->scene->delay[w->to] / m->quantum + 0.5);
            }
            break;
        default:
            *timer = 0;
        }
    }
}

// Whether a body is on its way into a doorway, and not half in yet.
static bool is_entering(const model *m, body_at b)
{
    return b.busy * m->quantum > UNHURRIED_DOORWAY / 2.0;
}

static bool is_held(const model *m, const uint8_t *state, uint32_t door)
{
    for (uint32_t a = 0; a < m->agents; a++) {
        const node *n = &m->node[body_of(state, a).node];
        if (n->kind == NODE_DOORWAY && n->which == door && !is_entering(m, body_of(state, a))) {
            return true;
        }
    }
    return false;
}

// Whether a body finds itself half in a doorway whose door has shut meanwhile.
static bool is_shut_out(const model *m, uint8_t *state)
{
    for (uint32_t a = 0; a < m->agents; a++) {
        const body_at b = body_of(state, a);
        const node *n = &m->node[b.node];
        if (n->kind == NODE_DOORWAY && !is_entering(m, b) &&
            !is_passable(m, n->which, doors_of(m, state)[n->which])) {
            return true;
        }
    }
    return false;
}

// Doors slide for a quantum. Says whether one can be passed that could not, or the reverse, or has
// come to rest.
static bool slide_doors(const model *m, uint8_t *state, bool *moves)
{
    bool news = false;
    for (uint32_t i = 0; i < m->scene->doors; i++) {
        uint8_t *door = &doors_of(m, state)[i];
        const uint8_t was = *door;
        const uint32_t pose = was & ~(uint32_t)OPENS;
        if (was & OPENS) {
            *door = (uint8_t)(was + (pose < m->pose_max));
        } else if (pose > 0) {
            const bool stays = m->space->is_generous || !is_passable(m, i, (uint8_t)(pose - 1));
            *door = (uint8_t)(was - !(stays && is_held(m, state, i)));
        }
        *moves = *moves || *door != was;
        const uint32_t now = *door & ~(uint32_t)OPENS;
        news = news || is_passable(m, i, was) != is_passable(m, i, *door) ||
               (*door != was && (now == 0 || now == m->pose_max));
    }
    return news;
}

// A quantum passes. Returns whether something has happened that one may have waited for; `moves`
// is false where nothing ever will.
static bool pass_time(const model *m, uint8_t *state, bool *moves)
{
    *moves = false;
    bool news = slide_doors(m, state, moves);
    for (uint32_t a = 0; a < m->agents; a++) {
        uint8_t *busy = &state[3u * a + 2u];
        *moves = *moves || *busy > 0;
        news = news || *busy == 1;
        *busy = (uint8_t)(*busy - (*busy > 0));
    }
    bool fires[SCENE_TIMERS] = {false};
    for (uint32_t i = 0; i < m->scene->timers; i++) {
        uint8_t *timer = &timers_of(m, state)[i];
        *moves = *moves || *timer > 0;
        fires[i] = *timer == 1;
        *timer = (uint8_t)(*timer - (*timer > 1)); // it waits until it has fired
    }
    for (uint32_t i = 0; i < m->scene->timers; i++) {
        // One that fires with it may have stopped it.
        if (fires[i] && timers_of(m, state)[i] == 1) {
            timers_of(m, state)[i] = 0;
            take_effects(m, state, true, i, 0);
            news = true;
        }
    }
    return news;
}

// ---- the search ----

typedef struct search {
    const model *m;
    uint8_t *states;
    uint32_t *index; // state + 1, by hash
    uint32_t *next;  // in its bucket, + 1
    uint32_t bucket[BUCKETS];
    size_t count, most, slots;
    bool is_too_large, is_found;
} search;

static int group_ahead(const model *m, uint32_t at)
{
    const node *n = &m->node[at];
    if (n->kind != NODE_DOORWAY) {
        return m->ahead[n->group];
    }
    int least = 80;
    for (uint32_t i = 0; i < m->nodes; i++) {
        if (m->node[i].kind == NODE_SIDE && m->node[i].which == n->which) {
            least = m->ahead[m->node[i].group] < least ? m->ahead[m->node[i].group] : least;
        }
    }
    return least;
}

// Notes who is at the target. The ideal player is there when it is in the same region.
static bool is_done(const model *m, uint8_t *state)
{
    uint8_t *done = state + 3u * m->agents;
    bool any = false;
    for (uint32_t a = 0; a < m->agents; a++) {
        const body_at b = body_of(state, a);
        const node *n = &m->node[b.node];
        if (n->kind == NODE_TARGET && b.busy == 0) {
            *done |= (uint8_t)(1u << a);
        }
        any = any || (n->kind != NODE_DOORWAY && m->is_target[n->group]);
    }
    return m->space->is_generous ? any : *done == (1u << m->agents) - 1u;
}

static void visit(search *s, uint8_t *state)
{
    const model *m = s->m;
    if (s->is_found || is_done(m, state)) {
        s->is_found = true;
        return;
    }
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < m->bytes; i++) {
        hash = (hash ^ state[i]) * UINT64_C(0x100000001b3);
    }
    size_t slot = (hash ^ hash >> 32) & (s->slots - 1);
    while (s->index[slot] != 0) {
        if (memcmp(s->states + (s->index[slot] - 1u) * m->bytes, state, m->bytes) == 0) {
            return;
        }
        slot = (slot + 1) & (s->slots - 1);
    }
    if (s->count == s->most) {
        s->is_too_large = true;
        return;
    }
    memcpy(s->states + s->count * m->bytes, state, m->bytes);
    s->index[slot] = (uint32_t)++s->count;
    int ahead = 0;
    for (uint32_t a = 0; a < m->agents; a++) {
        ahead += state[3u * m->agents] >> a & 1 ? 0 : group_ahead(m, body_of(state, a).node);
    }
    s->next[s->count - 1] = s->bucket[ahead];
    s->bucket[ahead] = (uint32_t)s->count;
}

static void try_presses(search *s, const uint8_t *state, uint32_t at, uint8_t *next)
{
    const model *m = s->m;
    for (uint32_t panel = 0; panel < m->scene->panels; panel++) {
        if (!m->presses[at * SCENE_PANELS + panel]) {
            continue;
        }
        for (uint32_t slot = 0; slot < m->scene->panel[panel].buttons; slot++) {
            if (level_model_button_counts(m, panel, slot)) {
                memcpy(next, state, m->bytes);
                take_effects(m, next, false, panel, slot);
                visit(s, next);
            }
        }
    }
}

static void try_moves(search *s, const uint8_t *state, uint32_t agent, uint32_t at, uint8_t *next)
{
    const model *m = s->m;
    const node *from = &m->node[at];
    const uint8_t doorway =
        m->space->is_generous ? 0 : (uint8_t)ceil(UNHURRIED_DOORWAY / m->quantum);
    for (uint32_t k = 0; k < m->nodes; k++) {
        const node *to = &m->node[k];
        uint8_t quanta = m->travel[at * m->nodes + k];
        const bool is_same_door = from->which == to->which;
        if (from->kind == NODE_SIDE && to->kind == NODE_DOORWAY && is_same_door) {
            memcpy(next, state, m->bytes);
            quanta = is_passable(m, to->which, doors_of(m, next)[to->which]) ? doorway : NEVER;
        } else if (from->kind == NODE_DOORWAY && to->kind == NODE_SIDE && is_same_door) {
            quanta = doorway;
        }
        if (quanta != NEVER) {
            memcpy(next, state, m->bytes);
            set_body(next, agent, k, quanta);
            visit(s, next);
        }
    }
}

static void expand(search *s, const uint8_t *state, uint8_t *next)
{
    const model *m = s->m;
    for (uint32_t a = 0; a < m->agents; a++) {
        const body_at b = body_of(state, a);
        if (b.busy == 0) {
            try_presses(s, state, b.node, next);
            try_moves(s, state, a, b.node, next);
        }
    }
    // The unhurried player waits for something to happen.
    memcpy(next, state, m->bytes);
    bool moves = true, news = false;
    while (moves && !news) {
        news = pass_time(m, next, &moves) || m->space->is_generous;
    }
    if (moves && !is_shut_out(m, next)) {
        visit(s, next);
    }
}

typedef enum search_end { SEARCH_FOUND, SEARCH_NONE, SEARCH_TOO_LARGE } search_end;

static search_end run_search(const model *m, size_t most, size_t *states)
{
    search s = {.m = m, .most = most, .slots = 1024};
    while (s.slots < 2 * most) {
        s.slots *= 2;
    }
    s.states = malloc((most + 1) * m->bytes);
    s.index = calloc(s.slots, sizeof *s.index);
    s.next = malloc((most + 1) * sizeof *s.next);
    uint8_t *first = calloc(2, m->bytes), *next = first + m->bytes;
    assert_true(s.states && s.index && s.next && first);
    for (uint32_t a = 0; a < m->agents; a++) {
        set_body(first, a, a, 0);
    }
    for (uint32_t i = 0; i < m->scene->doors; i++) {
        const bool open = m->scene->door[i].open || !m->counts[i];
        doors_of(m, first)[i] = open ? (uint8_t)(OPENS | m->pose_max) : 0;
    }
    visit(&s, first);
    for (int b = 0; b < BUCKETS && !s.is_found && !s.is_too_large;) {
        const uint32_t at = s.bucket[b];
        if (at == 0) {
            b++;
            continue;
        }
        s.bucket[b] = s.next[at - 1u];
        uint8_t *state = calloc(1, m->bytes);
        memcpy(state, s.states + (at - 1u) * m->bytes, m->bytes);
        expand(&s, state, next);
        free(state);
        b = 0;
    }
    *states += s.count;
    free(first);
    free(s.next);
    free(s.index);
    free(s.states);
    return s.is_found ? SEARCH_FOUND : s.is_too_large ? SEARCH_TOO_LARGE : SEARCH_NONE;
}

static search_end ask(const level_space *space, const oct_point *starts, uint32_t agents,
                      const bool *counts, size_t most, size_t *states)
{
    model *m = level_model_make(space, starts, agents, counts);
    const search_end end = run_search(m, most, states);
    level_model_free(m);
    return end;
}

// ---- the doors that may matter ----

// Doors that a panel may ever open.
static void may_open(const level_scene *s, uint32_t panel, bool *doors)
{
    bool timers[SCENE_TIMERS] = {false};
    for (uint32_t round = 0; round <= s->timers; round++) {
        for (uint32_t i = 0; i < s->wires; i++) {
            const scene_wire *w = &s->wire[i];
            if (w->from_timer ? !timers[w->from] : w->from != panel) {
                continue;
            }
            if (w->action == OCT_WIRE_START) {
                timers[w->to] = true;
            } else if (w->action == OCT_WIRE_TOGGLE || w->action == OCT_WIRE_OPEN) {
                doors[w->to] = true;
            }
        }
    }
}

// Doors that stay shut though all others that open once stay open: these alone count.
static void find_shut_doors(const level_space *p, const oct_point *starts, uint32_t agents,
                            bool *shut)
{
    const level_scene *s = p->scene;
    for (uint32_t i = 0; i < s->doors; i++) {
        shut[i] = !s->door[i].open;
    }
    for (uint32_t round = 0; round <= s->doors; round++) {
        model m = {.space = p, .scene = s, .counts = shut, .agents = agents};
        bool opened[SCENE_DOORS] = {false};
        level_model_join(&m);
        for (int r = 0; r < p->regions; r++) {
            bool is_reached = false;
            for (uint32_t a = 0; a < agents; a++) {
                is_reached =
                    is_reached || m.group[r] == m.group[p->label[space_cell_of(p, starts[a])]];
            }
            oct_point at;
            for (uint32_t i = 0; is_reached && i < s->panels; i++) {
                if (level_place_by_panel(p, i, r, &at)) {
                    may_open(s, i, opened);
                }
            }
        }
        // From a doorway one presses what one presses from its sides, or near to it.
        for (uint32_t i = 0; i < s->panels; i++) {
            for (uint32_t d = 0; d < s->doors; d++) {
                if (!shut[d] && level_presses_in_doorway(p, i, d)) {
                    may_open(s, i, opened);
                }
            }
        }
        for (uint32_t i = 0; i < s->doors; i++) {
            shut[i] = shut[i] && !opened[i];
        }
        test_free(m.group);
    }
}

// Whether doors that stay shut for good keep all bodies from the target.
static bool is_cut_off(const level_space *p, const oct_point *starts, uint32_t agents,
                       const bool *shut)
{
    model *m = level_model_make(p, starts, agents, shut);
    bool is_reached = false;
    for (uint32_t i = 0; i < agents; i++) {
        is_reached = is_reached || m->is_target[m->node[i].group];
    }
    level_model_free(m);
    return !is_reached;
}

// Whether the ideal player fails though all but some doors are open.
static bool fails_by_some(const level_space *p, const oct_point *starts, uint32_t agents,
                          size_t most, size_t *states)
{
    const uint32_t doors = p->scene->doors;
    bool counts[SCENE_DOORS] = {false};
    find_shut_doors(p, starts, agents, counts);
    if (is_cut_off(p, starts, agents, counts)) {
        return true;
    }
    for (uint32_t i = 0; i < doors; i++) {
        for (uint32_t k = i; k < doors; k++) { // one alone, then with each other one
            memset(counts, 0, sizeof counts);
            counts[i] = counts[k] = true;
            if (ask(p, starts, agents, counts, most, states) == SEARCH_NONE) {
                return true;
            }
        }
    }
    return false;
}

oracle_answer level_oracle_ask(const level_scene *s, const oct_point *starts, uint32_t agents,
                               size_t most)
{
    oracle_answer answer = {ORACLE_UNDECIDED, false, 0};
    bool all[SCENE_DOORS];
    memset(all, true, sizeof all);
    level_space *strict = level_oracle_space(s, false);
    // Who goes straight ahead finds a way soon, if there is one.
    if (ask(strict, starts, agents, all, most / 8, &answer.states) == SEARCH_FOUND) {
        answer.verdict = ORACLE_SOLVABLE;
    }
    level_space_free(strict);
    if (answer.verdict == ORACLE_SOLVABLE) {
        return answer;
    }
    level_space *generous = level_oracle_space(s, true);
    search_end end = SEARCH_TOO_LARGE;
    if (s->doors <= FULL_DOORS) {
        end = ask(generous, starts, agents, all, most, &answer.states);
    }
    answer.is_full = end == SEARCH_NONE;
    if (end == SEARCH_NONE || (end == SEARCH_TOO_LARGE &&
                               fails_by_some(generous, starts, agents, most, &answer.states))) {
        answer.verdict = ORACLE_UNSOLVABLE;
    }
    level_space_free(generous);
    return answer;
}
