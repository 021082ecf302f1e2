// SPDX-License-Identifier: MIT
#include "level_model.h"

#include <math.h>
#include <string.h>

level_space *level_oracle_space(const level_scene *s, bool is_generous)
{
    // The ideal body is the cube in the ball in the capsule.
    return is_generous ? level_space_make(s, 0.288, 0.288, true)
                       : level_space_make(s, 0.501, 0.901, false);
}

// ---- places in a space ----

typedef bool test_fn(const level_space *p, int cell, uint32_t which);

static bool is_by_doorway(const level_space *p, int cell, uint32_t door)
{
    int next[6];
    space_neighbours(p, cell, next);
    for (int i = 0; i < 6; i++) {
        if (next[i] >= 0 && p->label[next[i]] == -2 - (int)door) {
            return true;
        }
    }
    return false;
}

// The ideal body may be anywhere in a cell.
static bool is_by_panel(const level_space *p, int cell, uint32_t panel)
{
    const int door = p->label[cell] <= -2 ? -2 - p->label[cell] : -1;
    const oct_point middle = space_middle(p, cell);
    if (space_can_press(p, middle, panel, door)) {
        return true;
    }
    const int x = cell % p->n[0], y = cell / p->n[0] % p->n[1], z = cell / p->n[0] / p->n[1];
    for (int i = 0; p->is_generous && i < 8; i++) {
        const oct_point corner = {p->at[0][x + (i & 1)], p->at[1][y + (i >> 1 & 1)],
                                  p->at[2][z + (i >> 2)]};
        const oct_point eye = {corner.x + 1e-3 * (middle.x - corner.x),
                               corner.y + 1e-3 * (middle.y - corner.y),
                               corner.z + 1e-3 * (middle.z - corner.z)};
        if (space_can_press(p, eye, panel, door)) {
            return true;
        }
    }
    return false;
}

static bool is_by_target(const level_space *p, int cell, uint32_t ignored)
{
    (void)ignored;
    return scene_from_point(&p->scene->target, space_middle(p, cell)) <
           (p->is_generous ? 2.0 : 1.3);
}

// The cell with a label that passes a test and is nearest to a box, at most so far from it; -1.
static int nearest_cell(const level_space *p, const oct_bounds *box, double far, int label,
                        test_fn *test, uint32_t which)
{
    const double lo[3] = {box->min.x - far, box->min.y - far, box->min.z - far};
    const double hi[3] = {box->max.x + far, box->max.y + far, box->max.z + far};
    int from[3], to[3], best = -1;
    double least = 1e9;
    for (int axis = 0; axis < 3; axis++) {
        for (from[axis] = 0; from[axis] < p->n[axis] && p->at[axis][from[axis] + 1] < lo[axis];) {
            from[axis]++;
        }
        for (to[axis] = from[axis]; to[axis] < p->n[axis] && p->at[axis][to[axis]] < hi[axis];) {
            to[axis]++;
        }
    }
    const oct_point centre = {0.5 * (box->min.x + box->max.x), 0.5 * (box->min.y + box->max.y),
                              0.5 * (box->min.z + box->max.z)};
    for (int z = from[2]; z < to[2]; z++) {
        for (int y = from[1]; y < to[1]; y++) {
            for (int x = from[0]; x < to[0]; x++) {
                const int cell = (z * p->n[1] + y) * p->n[0] + x;
                const oct_point m = space_middle(p, cell);
                const double away = hypot(hypot(m.x - centre.x, m.y - centre.y), m.z - centre.z);
                if (p->label[cell] == label && away < least && test(p, cell, which)) {
                    best = cell;
                    least = away;
                }
            }
        }
    }
    return best;
}

static bool place_of(const level_space *p, int cell, oct_point *out)
{
    if (cell >= 0) {
        *out = space_middle(p, cell);
    }
    return cell >= 0;
}

bool level_place_by_door(const level_space *p, uint32_t door, int region, oct_point *out)
{
    return place_of(p, nearest_cell(p, &p->scene->door[door].box, 2.5, region, is_by_doorway, door),
                    out);
}

bool level_place_by_panel(const level_space *p, uint32_t panel, int region, oct_point *out)
{
    return place_of(
        p, nearest_cell(p, &p->scene->panel[panel].swept, 3.1, region, is_by_panel, panel), out);
}

bool level_place_by_target(const level_space *p, int region, oct_point *out)
{
    return p->scene->has_target &&
           place_of(p, nearest_cell(p, &p->scene->target, 2.0, region, is_by_target, 0), out);
}

bool level_presses_in_doorway(const level_space *p, uint32_t panel, uint32_t door)
{
    return nearest_cell(p, &p->scene->panel[panel].swept, 3.1, -2 - (int)door, is_by_panel,
                        panel) >= 0;
}

// ---- the model: nodes, and what is left of doors and timers ----

bool level_model_wire_counts(const model *m, const scene_wire *w)
{
    return w->action == OCT_WIRE_START || w->action == OCT_WIRE_STOP ? m->timer_counts[w->to]
                                                                     : m->counts[w->to];
}

static void find_timers(model *m)
{
    const level_scene *s = m->scene;
    for (uint32_t round = 0; round <= s->timers; round++) {
        for (uint32_t i = 0; i < s->wires; i++) {
            if (s->wire[i].from_timer && level_model_wire_counts(m, &s->wire[i])) {
                m->timer_counts[s->wire[i].from] = true;
            }
        }
    }
}

bool level_model_button_counts(const model *m, uint32_t panel, uint32_t slot)
{
    for (uint32_t i = 0; i < m->scene->wires; i++) {
        const scene_wire *w = &m->scene->wire[i];
        if (!w->from_timer && w->from == panel && w->slot == slot &&
            level_model_wire_counts(m, w)) {
            return true;
        }
    }
    return false;
}

static bool panel_counts(const model *m, uint32_t panel)
{
    bool counts = false;
    for (uint32_t k = 0; k < m->scene->panel[panel].buttons; k++) {
        counts = counts || level_model_button_counts(m, panel, k);
    }
    return counts;
}

static int root_of(const int *group, int region)
{
    while (group[region] != region) {
        region = group[region];
    }
    return region;
}

// Joins the regions on the sides of doors that do not count.
void level_model_join(model *m)
{
    const level_space *p = m->space;
    const int cells = p->n[0] * p->n[1] * p->n[2];
    int first[SCENE_DOORS];
    memset(first, 0xff, sizeof first);
    m->group = test_calloc((size_t)p->regions + 1, sizeof *m->group);
    for (int i = 0; i < p->regions; i++) {
        m->group[i] = i;
    }
    for (int cell = 0; cell < cells; cell++) {
        const int door = -2 - p->label[cell];
        if (p->label[cell] > -2 || m->counts[door]) {
            continue;
        }
        int next[6];
        space_neighbours(p, cell, next);
        for (int i = 0; i < 6; i++) {
            if (next[i] >= 0 && p->label[next[i]] >= 0) {
                const int at = root_of(m->group, p->label[next[i]]);
                first[door] = first[door] < 0 ? at : root_of(m->group, first[door]);
                m->group[at] = first[door];
            }
        }
    }
    for (int i = 0; i < p->regions; i++) {
        m->group[i] = root_of(m->group, i);
    }
}

static void add_node(model *m, node n)
{
    assert_true(m->nodes < NODES_MAX);
    // Regions that became one give one node.
    for (uint32_t i = 0; i < m->nodes; i++) {
        if (n.kind != NODE_START && m->node[i].kind == n.kind && m->node[i].which == n.which &&
            m->node[i].group == n.group) {
            return;
        }
    }
    m->node[m->nodes++] = n;
}

// Regions in which somebody could be at all: beside a door, or with a start.
static bool *regions_of_interest(const model *m, const oct_point *starts)
{
    const level_space *p = m->space;
    bool *seen = test_calloc((size_t)p->regions + 1, sizeof *seen);
    const int cells = p->n[0] * p->n[1] * p->n[2];
    for (int cell = 0; cell < cells; cell++) {
        int next[6];
        space_neighbours(p, cell, next);
        for (int i = 0; p->label[cell] <= -2 && i < 6; i++) {
            if (next[i] >= 0 && p->label[next[i]] >= 0) {
                seen[p->label[next[i]]] = true;
            }
        }
    }
    for (uint32_t i = 0; i < m->agents; i++) {
        const int cell = space_cell_of(p, starts[i]);
        assert_true(cell >= 0 && p->label[cell] >= 0);
        seen[p->label[cell]] = true;
    }
    return seen;
}

static void add_nodes(model *m, const oct_point *starts)
{
    const level_space *p = m->space;
    const level_scene *s = m->scene;
    bool *seen = regions_of_interest(m, starts);
    oct_point at;
    for (uint32_t i = 0; i < m->agents; i++) {
        const int region = p->label[space_cell_of(p, starts[i])];
        add_node(m,
                 (node){NODE_START, i, m->group[region], starts[i], {starts[i], starts[i]}, 0.1});
    }
    for (uint32_t d = 0; d < s->doors; d++) {
        const oct_bounds b = s->door[d].box;
        const oct_point centre = {0.5 * (b.min.x + b.max.x), 0.5 * (b.min.y + b.max.y),
                                  0.5 * (b.min.z + b.max.z)};
        if (m->counts[d]) {
            add_node(m, (node){NODE_DOORWAY, d, -1, centre, b, 1.0});
        }
        for (int r = 0; m->counts[d] && r < p->regions; r++) {
            if (seen[r] && level_place_by_door(p, d, r, &at)) {
                add_node(m, (node){NODE_SIDE, d, m->group[r], at, b, 1.0});
            }
        }
    }
    for (uint32_t i = 0; i < s->panels; i++) {
        for (int r = 0; panel_counts(m, i) && r < p->regions; r++) {
            if (seen[r] && level_place_by_panel(p, i, r, &at)) {
                add_node(m, (node){NODE_PANEL, i, m->group[r], at, s->panel[i].swept, 3.1});
            }
        }
    }
    m->is_target = test_calloc((size_t)p->regions + 1, sizeof *m->is_target);
    for (int r = 0; r < p->regions; r++) {
        if (seen[r] && level_place_by_target(p, r, &at)) {
            add_node(m, (node){NODE_TARGET, 0, m->group[r], at, s->target, 2.1});
            m->is_target[m->group[r]] = true;
        }
    }
    test_free(seen);
}

static uint8_t travel_between(const model *m, const node *a, const node *b)
{
    double quanta;
    if (m->space->is_generous) {
        const double way = scene_between(&a->box, &b->box) - a->slack - b->slack;
        quanta = way > 0.0 ? floor(way / m->scene->rules.speed / m->quantum) : 0.0;
    } else {
        const double way = space_way(m->space, a->at, b->at, NULL, NULL);
        const double wait = b->kind == NODE_PANEL ? m->scene->panel[b->which].period : 0.0;
        assert_true(way >= 0.0);
        quanta = ceil((UNHURRIED_SECONDS(way) + wait) / m->quantum);
    }
    // Ways that take too long for a byte are not flown, or in less time.
    return quanta < NEVER ? (uint8_t)quanta : m->space->is_generous ? NEVER - 1 : NEVER;
}

static void measure_travel(model *m)
{
    m->travel = test_calloc((size_t)m->nodes * m->nodes + 1, 1);
    m->presses = test_calloc((size_t)m->nodes * SCENE_PANELS + 1, sizeof *m->presses);
    for (uint32_t i = 0; i < m->nodes; i++) {
        const node *a = &m->node[i];
        for (uint32_t k = 0; k < m->nodes; k++) {
            const node *b = &m->node[k];
            const bool walks = i != k && a->kind != NODE_DOORWAY && b->kind != NODE_DOORWAY &&
                               a->group == b->group && b->kind != NODE_START;
            m->travel[i * m->nodes + k] = walks ? travel_between(m, a, b) : NEVER;
        }
        for (uint32_t panel = 0; panel < m->scene->panels; panel++) {
            bool *presses = &m->presses[i * SCENE_PANELS + panel];
            *presses = a->kind == NODE_PANEL && a->which == panel;
            if (a->kind == NODE_DOORWAY && panel_counts(m, panel)) {
                *presses = m->space->is_generous
                               ? level_presses_in_doorway(m->space, panel, a->which)
                               : space_can_press(m->space, a->at, panel, (int)a->which);
            }
        }
    }
}

// How many doors are ahead of each group, at least.
static void look_ahead(model *m)
{
    const int regions = m->space->regions;
    m->ahead = test_calloc((size_t)regions + 1, 1);
    for (int i = 0; i < regions; i++) {
        m->ahead[i] = m->is_target[i] ? 0 : 80;
    }
    for (uint32_t round = 0; round <= m->scene->doors; round++) {
        for (uint32_t i = 0; i < m->nodes; i++) {
            for (uint32_t k = 0; m->node[i].kind == NODE_SIDE && k < m->nodes; k++) {
                const node *a = &m->node[i], *b = &m->node[k];
                if (b->kind == NODE_SIDE && a->which == b->which &&
                    m->ahead[a->group] > m->ahead[b->group] + 1) {
                    m->ahead[a->group] = (uint8_t)(m->ahead[b->group] + 1);
                }
            }
        }
    }
}

static void choose_quantum(model *m)
{
    double unit = 1.0;
    const level_scene *s = m->scene;
    for (uint32_t i = 0; i < s->timers; i++) {
        assert_true(fmod(s->delay[i], 0.5) == 0.0 && s->delay[i] > 0.0);
        unit = fmod(s->delay[i], 1.0) != 0.0 ? 0.5 : unit;
    }
    assert_true(fmod(s->rules.door, 0.5) == 0.0);
    unit = fmod(s->rules.door, 1.0) != 0.0 ? 0.5 : unit;
    m->quantum = unit / 2.0;
    m->pose_max = (uint32_t)(s->rules.door / m->quantum + 0.5);
    assert_true(m->pose_max < 128);
}

model *level_model_make(const level_space *space, const oct_point *starts, uint32_t agents,
                        const bool *counts)
{
    model *m = test_calloc(1, sizeof *m);
    *m = (model){.space = space, .scene = space->scene, .counts = counts, .agents = agents};
    choose_quantum(m);
    find_timers(m);
    level_model_join(m);
    add_nodes(m, starts);
    measure_travel(m);
    look_ahead(m);
    m->bytes = 3u * agents + 1u + m->scene->doors + m->scene->timers;
    return m;
}

void level_model_free(model *m)
{
    test_free(m->ahead);
    test_free(m->is_target);
    test_free(m->presses);
    test_free(m->travel);
    test_free(m->group);
    test_free(m);
}
