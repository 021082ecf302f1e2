// SPDX-License-Identifier: MIT
#include "agent/diagnosis.h"
#include "agent/approach.h"
#include "agent/belief_internal.h"
#include "agent/link_kind.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <stdio.h>

#define EFFECTS_OPENING ((uint32_t)(EFFECT_TOGGLE | EFFECT_OPEN))
#define NAME_SIZE (OCT_REASON_MAX / 4)

// ---- words ----

// Appends the whole text, or nothing where there is no room for it.
static bool append(char *out, size_t size, const char *text)
{
    const size_t used = strlen(out), more = strlen(text);
    if (used + more >= size) {
        return false;
    }
    memcpy(out + used, text, more + 1);
    return true;
}

static const char *name_of(const oct_agent *a, uint64_t id, char *out)
{
    (void)oct_belief_name_of(a->belief, id, out, NAME_SIZE);
    return out;
}

static uint64_t door_id(const oct_agent *a, const door_list *doors, size_t index)
{
    return oct_belief_get(a->belief, doors->doors[index])->now.thing.id;
}

static void name_doors(const oct_agent *a, const door_list *doors, char *out, size_t size)
{
    char name[NAME_SIZE], text[NAME_SIZE + 4];
    for (size_t i = 0; i < doors->count; i++) {
        (void)snprintf(text, sizeof text, "%s%s", i > 0 ? ", " : "",
                       name_of(a, door_id(a, doors, i), name));
        (void)append(out, size, text);
    }
}

// ---- doors ----

static void add_door(door_list *out, uint32_t index)
{
    if (out->count < DIAGNOSIS_DOORS_MAX) {
        out->doors[out->count++] = index;
    }
}

static bool is_door(const oct_agent *a, uint32_t index)
{
    const oct_known *const k = oct_belief_get(a->belief, index);
    return !k->gone && k->now.kind == OCT_ENTITY_DOOR;
}

static bool was_open(const oct_agent *a, uint32_t index)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const oct_known *const k = oct_belief_get(a->belief, index);
    const history_thing *const t = h ? oct_history_find(h, k->now.thing.id) : NULL;
    if (!t || t->door == 0) {
        return true;
    }
    const history_door *const d = (const history_door *)h->doors.items + (t->door - 1);
    for (size_t i = 0; i < d->runs.count; i++) {
        if (((const door_run *)d->runs.items)[i].opening > 0.0) {
            return true;
        }
    }
    return false;
}

void oct_diagnosis_stuck(const oct_agent *a, door_list *out)
{
    *out = (door_list){.count = 0};
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        if (is_door(a, i) && !was_open(a, i)) {
            add_door(out, i);
        }
    }
}

static bool leads_into_dark(const oct_agent *a, const oct_known *door)
{
    const oct_map *const map = oct_belief_map(a->belief);
    const double out = oct_map_padding(map).x + oct_tree_cell_size(oct_map_tree(map));
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        oct_point normal;
        const oct_point face = oct_known_face(door, side, &normal);
        const oct_point at = point_add(face, point_scale(normal, out));
        if (oct_tree_label_at(oct_map_tree(map), at) == OCT_UNKNOWN) {
            return true;
        }
    }
    return false;
}

void oct_diagnosis_dark(const oct_agent *a, door_list *out)
{
    *out = (door_list){.count = 0};
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        if (is_door(a, i) && was_open(a, i) && leads_into_dark(a, oct_belief_get(a->belief, i))) {
            add_door(out, i);
        }
    }
}

bool oct_diagnosis_name_dark(const oct_agent *a, char *out, size_t size)
{
    door_list doors = {.count = 0};
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        if (is_door(a, i) && leads_into_dark(a, oct_belief_get(a->belief, i))) {
            add_door(&doors, i);
        }
    }
    if (doors.count > 0 && append(out, size, "beyond ")) {
        name_doors(a, &doors, out, size);
    }
    return doors.count > 0;
}

// ---- panels ----

static bool was_pressed(const oct_agent *a, uint64_t panel)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const history_press *const all = h->presses.items;
    for (size_t i = 0; i < h->presses.count; i++) {
        if (all[i].button.panel == panel) {
            return true;
        }
    }
    return false;
}

bool oct_diagnosis_is_out_of_reach(const oct_agent *a, const history_thing *panel)
{
    uint32_t index;
    if (was_pressed(a, panel->told.thing.id) ||
        !oct_belief_find(a->belief, panel->told.thing.id, &index)) {
        return false;
    }
    const oct_known *const k = oct_belief_get(a->belief, index);
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        oct_point at;
        if (oct_approach_side(a, k, side, APPROACH_HAND, &at) == APPROACH_OPEN &&
            navigator_connects(&a->navigator, agent_self(a)->centre, at)) {
            return false;
        }
    }
    return true;
}

// All effects of a panel's buttons on a door that are not excluded, together.
static uint32_t effects_of(const oct_agent *a, const history_thing *panel, uint64_t door)
{
    uint32_t effects = 0;
    for (uint32_t i = 0; i < panel->told.use_count; i++) {
        effects |= oct_agent_effects(a, (oct_button){panel->told.thing.id, i}, door);
    }
    return effects;
}

typedef enum moves { MOVES_NOT, MOVES_PERHAPS, MOVES_SURELY } moves;

// Whether one of a panel's buttons moves a door: surely, or as far as was seen.
static moves find_moves(const oct_agent *a, const history_thing *panel, uint64_t door)
{
    const oct_links *const links = oct_belief_links(a->belief);
    moves is = MOVES_NOT;
    for (uint32_t i = 0; i < panel->told.use_count; i++) {
        const oct_button button = {panel->told.thing.id, i};
        uint32_t b, d;
        if ((oct_agent_effects(a, button, door) & EFFECT_NOTHING) == 0) {
            return MOVES_SURELY;
        }
        if (oct_links_find_button(links, button, &b) && oct_links_find_door(links, door, &d) &&
            oct_links_get(links, b, d) == OCT_LINK_YES) {
            is = MOVES_PERHAPS;
        }
    }
    return is;
}

typedef struct panels {
    const history_thing *items;
    size_t count; // of all things
} panels;

static panels panels_of(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return (panels){h->things.items, h->things.count};
}

static bool is_known_door(const oct_agent *a, const history_thing *t)
{
    uint32_t index;
    return t->door > 0 && oct_belief_find(a->belief, t->told.thing.id, &index);
}

bool oct_diagnosis_may_open(const oct_agent *a, const door_list *doors)
{
    const panels all = panels_of(a);
    for (size_t i = 0; i < all.count; i++) {
        const history_thing *const p = &all.items[i];
        for (size_t k = 0; p->told.use_count > 0 && k < doors->count; k++) {
            if ((effects_of(a, p, door_id(a, doors, k)) & EFFECTS_OPENING) != 0 &&
                !oct_diagnosis_is_out_of_reach(a, p)) {
                return true;
            }
        }
    }
    return false;
}

// ---- why one door stays shut ----

typedef struct clauses {
    const oct_agent *a;
    panels all;
    uint64_t door;
    char *out;
    size_t size;
    size_t count;
    bool is_excluded; // that the door opens for whoever gets to it, whatever single links may be
} clauses;

static void add_clause(clauses *c, const char *text)
{
    const size_t used = strlen(c->out);
    if (append(c->out, c->size, "; ") && append(c->out, c->size, text)) {
        c->count++;
    } else {
        c->out[used] = '\0';
    }
}

// The first door other than the one in question that a panel moves; NULL where there is none.
static const history_thing *find_moved(const clauses *c, const history_thing *panel, moves *how)
{
    for (size_t i = 0; i < c->all.count; i++) {
        const history_thing *const t = &c->all.items[i];
        if (is_known_door(c->a, t) && t->told.thing.id != c->door) {
            *how = find_moves(c->a, panel, t->told.thing.id);
            if (*how != MOVES_NOT) {
                return t;
            }
        }
    }
    return NULL;
}

// A panel that was pressed and does not open the door: surely, or as far as was seen.
static bool is_candidate(const clauses *c, const history_thing *panel)
{
    return panel->told.use_count > 0 && was_pressed(c->a, panel->told.thing.id) &&
           ((effects_of(c->a, panel, c->door) & EFFECTS_OPENING) == 0 ||
            (c->is_excluded && find_moves(c->a, panel, c->door) == MOVES_NOT));
}

static bool is_still(const clauses *c, const history_thing *panel)
{
    for (size_t i = 0; i < c->all.count; i++) {
        const history_thing *const t = &c->all.items[i];
        if (is_known_door(c->a, t) && effects_of(c->a, panel, t->told.thing.id) != EFFECT_NOTHING) {
            return false;
        }
    }
    return true;
}

// What a panel that moves no other door does to this one.
static void tell_idle(clauses *c, const history_thing *panel)
{
    char name[NAME_SIZE], text[OCT_REASON_MAX];
    (void)name_of(c->a, panel->told.thing.id, name);
    const bool is_sure = find_moves(c->a, panel, c->door) == MOVES_SURELY;
    if (is_sure) {
        (void)snprintf(text, sizeof text, "%s only shuts it", name);
    } else if (is_still(c, panel)) {
        (void)snprintf(text, sizeof text, "%s moves no known door", name);
    } else if (c->is_excluded) {
        (void)snprintf(text, sizeof text, "%s moves no known door, as far as was seen", name);
    } else {
        (void)snprintf(text, sizeof text, "%s does not open it, and may at most shut it", name);
    }
    add_clause(c, text);
}

// Another panel that moves the same door; NULL where there is none.
static const history_thing *find_twin(const clauses *c, const history_thing *panel,
                                      const history_thing *door)
{
    for (size_t i = 0; i < c->all.count; i++) {
        const history_thing *const p = &c->all.items[i];
        if (p != panel && p->told.use_count > 0 &&
            find_moves(c->a, p, door->told.thing.id) != MOVES_NOT) {
            return p;
        }
    }
    return NULL;
}

static double distance_between(const history_thing *a, const history_thing *b)
{
    const oct_bounds *const p = &a->told.thing.box, *const q = &b->told.thing.box;
    return point_length(
        point_scale(point_sub(point_add(p->min, p->max), point_add(q->min, q->max)), 0.5));
}

// A panel that moves another door: the only one, where nothing else was said, or the nearest of
// those whose door another panel moves as well. Each door has its own button in a level that is
// wired as it was meant.
static void tell_wrong_wire(clauses *c)
{
    const history_thing *best = NULL;
    const history_thing *const here = oct_history_find(oct_belief_history(c->a->belief), c->door);
    size_t count = 0;
    moves how;
    for (size_t i = 0; i < c->all.count; i++) {
        const history_thing *const p = &c->all.items[i];
        const history_thing *const moved = is_candidate(c, p) ? find_moved(c, p, &how) : NULL;
        count += moved != NULL;
        if (moved && find_twin(c, p, moved) &&
            (!best || distance_between(p, here) < distance_between(best, here))) {
            best = p;
        }
    }
    for (size_t i = 0; i < c->all.count && count == 1 && c->count == 0; i++) {
        const history_thing *const p = &c->all.items[i];
        best = is_candidate(c, p) && find_moved(c, p, &how) ? p : best;
    }
    const history_thing *const moved = best ? find_moved(c, best, &how) : NULL;
    if (!moved) {
        return;
    }
    char panel[NAME_SIZE], door[NAME_SIZE], other[NAME_SIZE], text[OCT_REASON_MAX * 2];
    const history_thing *const twin = count > 1 ? find_twin(c, best, moved) : NULL;
    const char *const unsure = how == MOVES_SURELY ? "" : ", as far as was seen";
    (void)name_of(c->a, best->told.thing.id, panel);
    (void)name_of(c->a, moved->told.thing.id, door);
    if (twin) {
        (void)snprintf(text, sizeof text, "%s moves %s, as %s does%s", panel, door,
                       name_of(c->a, twin->told.thing.id, other), unsure);
    } else {
        (void)snprintf(text, sizeof text, "%s moves %s%s; its button may be behind it", panel, door,
                       unsure);
    }
    add_clause(c, text);
}

static void tell_causes(clauses *c)
{
    char name[NAME_SIZE], text[OCT_REASON_MAX];
    size_t known = 0;
    moves how;
    for (size_t i = 0; i < c->all.count; i++) {
        const history_thing *const p = &c->all.items[i];
        if (p->told.use_count == 0) {
            continue;
        }
        known++;
        if (oct_diagnosis_is_out_of_reach(c->a, p)) {
            (void)snprintf(text, sizeof text, "%s is out of reach",
                           name_of(c->a, p->told.thing.id, name));
            add_clause(c, text);
        } else if (is_candidate(c, p) && !find_moved(c, p, &how)) {
            tell_idle(c, p);
        }
    }
    tell_wrong_wire(c);
    if (c->count == 0) {
        add_clause(c, known == 0 ? "no button was found" : "its button may be behind it");
    }
}

// ---- doors that open, but not as is needed ----

// Panels that surely move two of the doors at once.
static void tell_joined(clauses *c, const door_list *doors)
{
    char panel[NAME_SIZE], one[NAME_SIZE], two[NAME_SIZE], text[OCT_REASON_MAX];
    for (size_t i = 0; i < c->all.count && c->count == 0; i++) {
        const history_thing *const p = &c->all.items[i];
        for (size_t k = 0; p->told.use_count > 0 && k + 1 < doors->count && c->count == 0; k++) {
            const uint64_t a = door_id(c->a, doors, k), b = door_id(c->a, doors, k + 1);
            if (find_moves(c->a, p, a) == MOVES_SURELY && find_moves(c->a, p, b) == MOVES_SURELY) {
                (void)snprintf(text, sizeof text, "%s moves both %s and %s",
                               name_of(c->a, p->told.thing.id, panel), name_of(c->a, a, one),
                               name_of(c->a, b, two));
                add_clause(c, text);
            }
        }
    }
}

// Panels that surely open the first of the doors.
static void tell_openers(clauses *c)
{
    char name[NAME_SIZE], text[OCT_REASON_MAX];
    for (size_t i = 0; i < c->all.count && c->count < 3; i++) {
        const history_thing *const p = &c->all.items[i];
        for (uint32_t b = 0; b < p->told.use_count; b++) {
            const uint32_t effects =
                oct_agent_effects(c->a, (oct_button){p->told.thing.id, b}, c->door);
            if ((effects & ~EFFECTS_OPENING) == 0) {
                (void)snprintf(text, sizeof text, "%s opens it, but not so that it helps",
                               name_of(c->a, p->told.thing.id, name));
                add_clause(c, text);
                break;
            }
        }
    }
}

static bool has_panels_out_of_reach(const clauses *c)
{
    for (size_t i = 0; i < c->all.count; i++) {
        if (c->all.items[i].told.use_count > 0 &&
            oct_diagnosis_is_out_of_reach(c->a, &c->all.items[i])) {
            return true;
        }
    }
    return false;
}

// Of a door that nothing opens.
static void tell_shut(clauses *c, bool is_only)
{
    char name[NAME_SIZE], text[OCT_REASON_MAX];
    const char *const known = has_panels_out_of_reach(c) ? "button within reach" : "known button";
    if (is_only) {
        (void)snprintf(text, sizeof text, ", which no %s opens", known);
    } else {
        (void)snprintf(text, sizeof text, "; no %s opens %s", known, name_of(c->a, c->door, name));
    }
    (void)append(c->out, c->size, text);
    tell_causes(c);
}

// Whether a panel is known that moves the door, surely or as far as was seen.
static bool is_moved(const clauses *c)
{
    for (size_t i = 0; i < c->all.count; i++) {
        const history_thing *const p = &c->all.items[i];
        if (p->told.use_count > 0 && find_moves(c->a, p, c->door) != MOVES_NOT) {
            return true;
        }
    }
    return false;
}

// A door that nobody sees open, though single links that would open it are not excluded: all that
// was seen together excludes that it is open for whoever gets to it.
static bool tell_unmoved(clauses *c, const door_list *doors)
{
    for (size_t i = 0; i < doors->count; i++) {
        c->door = door_id(c->a, doors, i);
        if (!is_moved(c)) {
            c->is_excluded = true;
            tell_shut(c, doors->count == 1);
            return true;
        }
    }
    return false;
}

void oct_diagnosis_explain(const oct_agent *a, const door_list *doors, bool is_sure, char *out,
                           size_t size)
{
    name_doors(a, doors, out, size);
    if (doors->count == 0 || !oct_belief_history(a->belief)) {
        return;
    }
    clauses c = {.a = a, .all = panels_of(a), .out = out, .size = size};
    // One that nothing opens says more than those that something opens.
    for (size_t i = 0; i < doors->count; i++) {
        const door_list one = {.doors = {doors->doors[i]}, .count = 1};
        if (!oct_diagnosis_may_open(a, &one)) {
            c.door = door_id(a, &one, 0);
            tell_shut(&c, doors->count == 1);
            return;
        }
    }
    if (is_sure && tell_unmoved(&c, doors)) {
        return;
    }
    c.door = door_id(a, doors, 0);
    if (is_sure && doors->count > 1) {
        (void)append(out, size, ", which never stand open together");
        tell_joined(&c, doors);
    } else if (is_sure) {
        tell_openers(&c);
    }
}
