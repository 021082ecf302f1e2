// SPDX-License-Identifier: MIT
#include "level_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- frames ----

static double dot(oct_point a, oct_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

oct_point scene_to_world(const level_scene *s, oct_point at)
{
    return (oct_point){
        s->origin.x + at.x * s->right.x + at.y * s->up.x + at.z * s->back.x,
        s->origin.y + at.x * s->right.y + at.y * s->up.y + at.z * s->back.y,
        s->origin.z + at.x * s->right.z + at.y * s->up.z + at.z * s->back.z,
    };
}

oct_point scene_from_world(const level_scene *s, oct_point at)
{
    const oct_point by = {at.x - s->origin.x, at.y - s->origin.y, at.z - s->origin.z};
    return (oct_point){dot(by, s->right), dot(by, s->up), dot(by, s->back)};
}

static double apart(double a_min, double a_max, double b_min, double b_max)
{
    return b_min > a_max ? b_min - a_max : a_min > b_max ? a_min - b_max : 0.0;
}

double scene_between(const oct_bounds *a, const oct_bounds *b)
{
    const double x = apart(a->min.x, a->max.x, b->min.x, b->max.x);
    const double y = apart(a->min.y, a->max.y, b->min.y, b->max.y);
    const double z = apart(a->min.z, a->max.z, b->min.z, b->max.z);
    return sqrt(x * x + y * y + z * z);
}

double scene_from_point(const oct_bounds *a, oct_point p)
{
    const oct_bounds b = {p, p};
    return scene_between(a, &b);
}

// ---- reading ----

static void read_frame(level_scene *s, const oct_world *world)
{
    const oct_world_grid grid = oct_world_get_grid(world, 0);
    const oct_point f = grid.pose.forward, u = grid.pose.up;
    s->origin = grid.pose.position;
    s->up = u;
    s->right = (oct_point){f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    s->back = (oct_point){-f.x, -f.y, -f.z};
}

// The box of a block in the frame of the first grid; all grids are turned like it.
static oct_bounds box_of(const level_scene *s, const oct_world *world, const oct_world_block *block)
{
    if (!block->placed) {
        const oct_point a = scene_from_world(s, block->box.min);
        const oct_point b = scene_from_world(s, block->box.max);
        return (oct_bounds){{fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)},
                            {fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)}};
    }
    const oct_world_grid grid = oct_world_get_grid(world, block->grid);
    const oct_vec span = oct_world_span(world, block), c = block->cell;
    const oct_point at = scene_from_world(s, grid.pose.position);
    const double e = grid.cell;
    return (oct_bounds){{at.x + (c.x - 0.5) * e, at.y + (c.y - 0.5) * e, at.z + (c.z - 0.5) * e},
                        {at.x + (c.x + span.x - 0.5) * e, at.y + (c.y + span.y - 0.5) * e,
                         at.z + (c.z + span.z - 0.5) * e}};
}

static oct_point side_vector(uint8_t side)
{
    static const oct_point sides[OCT_SIDE_COUNT] = {{0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                                    {1, 0, 0},  {0, 1, 0}, {0, -1, 0}};
    return sides[side];
}

static void read_door(level_scene *s, const oct_world_block *block, oct_bounds box)
{
    assert_true(s->doors < SCENE_DOORS);
    const oct_point f = side_vector(block->forward), u = side_vector(block->up);
    const double right[3] = {f.y * u.z - f.z * u.y, f.z * u.x - f.x * u.z, f.x * u.y - f.y * u.x};
    const double sizes[3] = {box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z};
    scene_door *d = &s->door[s->doors++];
    d->id = block->id;
    d->box = box;
    d->axis = right[0] != 0 ? 0 : right[1] != 0 ? 1 : 2;
    d->sign = right[d->axis];
    d->width = sizes[d->axis];
    d->open = block->label == OCT_OPEN;
}

static void read_panel(level_scene *s, const oct_world *world, const oct_world_block *block,
                       oct_bounds box, uint32_t buttons)
{
    assert_true(s->panels < SCENE_PANELS);
    const oct_world_grid grid = oct_world_get_grid(world, block->grid);
    scene_panel *p = &s->panel[s->panels++];
    *p = (scene_panel){.id = block->id, .buttons = buttons, .box = box, .swept = box};
    const double speed = sqrt(dot(grid.drift, grid.drift));
    if (speed > 0.0) {
        const double x = dot(grid.drift, s->right) / speed * grid.range;
        const double z = dot(grid.drift, s->back) / speed * grid.range;
        p->swept.min.x += fmin(x, 0.0);
        p->swept.max.x += fmax(x, 0.0);
        p->swept.min.z += fmin(z, 0.0);
        p->swept.max.z += fmax(z, 0.0);
        p->period = 2.0 * grid.range / speed;
    }
}

static void read_block(level_scene *s, const oct_world *world, size_t index)
{
    const oct_world_block block = oct_world_get(world, index);
    const oct_world_type type = oct_world_get_type(world, block.type);
    const oct_bounds box = box_of(s, world, &block);
    if (type.kind == OCT_KIND_DOOR) {
        read_door(s, &block, box);
        return;
    }
    if (type.kind == OCT_KIND_PANEL) {
        read_panel(s, world, &block, box, type.buttons);
        if (s->panel[s->panels - 1].period > 0.0) {
            return;
        }
    } else if (type.kind == OCT_KIND_TIMER) {
        assert_true(s->timers < SCENE_TIMERS);
        s->timer_id[s->timers] = block.id;
        s->delay[s->timers++] = block.delay;
    } else if (type.kind == OCT_KIND_TARGET) {
        assert_false(s->has_target);
        s->has_target = true;
        s->target = box;
    }
    s->solids[s->solid_count++] = box;
}

static bool find_timer(const level_scene *s, uint64_t id, uint32_t *index)
{
    for (*index = 0; *index < s->timers && s->timer_id[*index] != id; ++*index) {
    }
    return *index < s->timers;
}

static void read_wire(level_scene *s, const oct_world *world, size_t index)
{
    const oct_world_wire wire = oct_world_get_wire(world, index);
    scene_wire w = {.slot = wire.slot, .action = wire.action};
    w.from_timer = find_timer(s, wire.from, &w.from);
    for (uint32_t i = 0; !w.from_timer && i < s->panels; i++) {
        w.from = s->panel[i].id == wire.from ? i : w.from;
    }
    if (wire.action == OCT_WIRE_START || wire.action == OCT_WIRE_STOP) {
        assert_true(find_timer(s, wire.to, &w.to));
    } else {
        for (w.to = 0; w.to < s->doors && s->door[w.to].id != wire.to; w.to++) {
        }
        if (w.to == s->doors) {
            return; // to nothing that is there
        }
    }
    assert_true(s->wires < SCENE_WIRES);
    s->wire[s->wires++] = w;
}

level_scene *level_scene_read(const oct_world *world)
{
    level_scene *s = test_calloc(1, sizeof *s);
    s->solids = test_calloc(oct_world_blocks(world) + 1, sizeof *s->solids);
    read_frame(s, world);
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        read_block(s, world, i);
    }
    for (size_t i = 0; i < oct_world_wires(world); i++) {
        read_wire(s, world, i);
    }
    oct_pose start;
    assert_true(oct_world_start(world, &start));
    s->start = scene_from_world(s, start.position);
    s->start.y += 0.9;
    s->rules = oct_world_rules_of(world);
    return s;
}

void level_scene_free(level_scene *s)
{
    test_free(s->solids);
    test_free(s);
}

// ---- cells ----

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static double lo_of(const oct_bounds *b, int axis)
{
    return axis == 0 ? b->min.x : axis == 1 ? b->min.y : b->min.z;
}

static double hi_of(const oct_bounds *b, int axis)
{
    return axis == 0 ? b->max.x : axis == 1 ? b->max.y : b->max.z;
}

// Faces of grown boxes along an axis; those that differ by rounding alone are one.
static void make_axis(level_space *p, int axis)
{
    const level_scene *s = p->scene;
    const size_t most = 2 * (s->solid_count + s->doors + s->panels);
    double *faces = test_calloc(most, sizeof *faces);
    size_t count = 0;
    for (size_t i = 0; i < s->solid_count; i++) {
        faces[count++] = lo_of(&s->solids[i], axis) - p->half[axis];
        faces[count++] = hi_of(&s->solids[i], axis) + p->half[axis];
    }
    for (uint32_t i = 0; i < s->doors; i++) {
        faces[count++] = lo_of(&s->door[i].box, axis) - p->half[axis];
        faces[count++] = hi_of(&s->door[i].box, axis) + p->half[axis];
    }
    for (uint32_t i = 0; i < s->panels; i++) {
        faces[count++] = lo_of(&s->panel[i].swept, axis) - p->half[axis];
        faces[count++] = hi_of(&s->panel[i].swept, axis) + p->half[axis];
    }
    qsort(faces, count, sizeof *faces, compare);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (faces[i] - faces[kept - 1] > 1e-7) {
            faces[kept++] = faces[i];
        }
    }
    p->at[axis] = faces;
    p->n[axis] = (int)kept - 1;
}

// The first cell whose middle is not below a face.
static int first_cell(const level_space *p, int axis, double face)
{
    int lo = 0, hi = p->n[axis];
    while (lo < hi) {
        const int mid = (lo + hi) / 2;
        if (0.5 * (p->at[axis][mid] + p->at[axis][mid + 1]) < face) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static void mark(level_space *p, const oct_bounds *box, int label)
{
    int from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = first_cell(p, axis, lo_of(box, axis) - p->half[axis]);
        to[axis] = first_cell(p, axis, hi_of(box, axis) + p->half[axis]);
    }
    for (int z = from[2]; z < to[2]; z++) {
        for (int y = from[1]; y < to[1]; y++) {
            for (int x = from[0]; x < to[0]; x++) {
                p->label[(z * p->n[1] + y) * p->n[0] + x] = label;
            }
        }
    }
}

void space_neighbours(const level_space *p, int cell, int out[6])
{
    const int x = cell % p->n[0], y = cell / p->n[0] % p->n[1], z = cell / p->n[0] / p->n[1];
    const int row = p->n[0], layer = p->n[0] * p->n[1];
    out[0] = x > 0 ? cell - 1 : -1;
    out[1] = x < p->n[0] - 1 ? cell + 1 : -1;
    out[2] = y > 0 ? cell - row : -1;
    out[3] = y < p->n[1] - 1 ? cell + row : -1;
    out[4] = z > 0 ? cell - layer : -1;
    out[5] = z < p->n[2] - 1 ? cell + layer : -1;
}

// Regions are numbered from 1 while they are flooded: 0 is not flooded yet.
static void flood(level_space *p, int from, int *stack)
{
    int depth = 0;
    p->label[from] = p->regions + 1;
    stack[depth++] = from;
    while (depth > 0) {
        int next[6];
        space_neighbours(p, stack[--depth], next);
        for (int i = 0; i < 6; i++) {
            if (next[i] >= 0 && p->label[next[i]] == 0) {
                p->label[next[i]] = p->regions + 1;
                stack[depth++] = next[i];
            }
        }
    }
    p->regions++;
}

level_space *level_space_make(const level_scene *s, double half_width, double half_height,
                              bool is_generous)
{
    level_space *p = test_calloc(1, sizeof *p);
    *p = (level_space){
        .scene = s, .half = {half_width, half_height, half_width}, .is_generous = is_generous};
    for (int axis = 0; axis < 3; axis++) {
        make_axis(p, axis);
    }
    const size_t cells = (size_t)p->n[0] * (size_t)p->n[1] * (size_t)p->n[2];
    p->label = test_calloc(cells, sizeof *p->label);
    p->length = test_calloc(cells, sizeof *p->length);
    int *stack = test_calloc(cells, sizeof *stack);
    for (uint32_t i = 0; i < s->doors; i++) {
        mark(p, &s->door[i].box, -2 - (int)i);
    }
    for (uint32_t i = 0; i < s->panels; i++) {
        if (s->panel[i].period > 0.0 && !is_generous) {
            mark(p, &s->panel[i].swept, SPACE_SOLID);
        }
    }
    for (size_t i = 0; i < s->solid_count; i++) {
        mark(p, &s->solids[i], SPACE_SOLID);
    }
    for (size_t i = 0; i < cells; i++) {
        p->length[i] = -1.0;
        if (p->label[i] == 0) {
            flood(p, (int)i, stack);
        }
    }
    for (size_t i = 0; i < cells; i++) {
        p->label[i] -= p->label[i] > 0;
    }
    test_free(stack);
    return p;
}

void level_space_free(level_space *p)
{
    for (int axis = 0; axis < 3; axis++) {
        test_free(p->at[axis]);
    }
    test_free(p->length);
    test_free(p->label);
    test_free(p);
}

oct_point space_middle(const level_space *p, int cell)
{
    const int at[3] = {cell % p->n[0], cell / p->n[0] % p->n[1], cell / p->n[0] / p->n[1]};
    double middle[3];
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = 0.5 * (p->at[axis][at[axis]] + p->at[axis][at[axis] + 1]);
    }
    return (oct_point){middle[0], middle[1], middle[2]};
}

int space_cell_of(const level_space *p, oct_point point)
{
    const double of[3] = {point.x, point.y, point.z};
    int at[3];
    for (int axis = 0; axis < 3; axis++) {
        const double *faces = p->at[axis];
        for (at[axis] = 0; at[axis] < p->n[axis] && faces[at[axis] + 1] < of[axis]; at[axis]++) {
        }
        if (at[axis] == p->n[axis] || of[axis] < faces[0]) {
            return -1;
        }
    }
    return (at[2] * p->n[1] + at[1]) * p->n[0] + at[0];
}

// ---- pressing ----

// Whether a line meets the inside of a box that is smaller by `shrink` on all sides.
static bool meets(const double a[3], const double b[3], const oct_bounds *box, double shrink)
{
    double from = 0.0, to = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double lo = lo_of(box, axis) + shrink, hi = hi_of(box, axis) - shrink;
        const double by = b[axis] - a[axis];
        if (fabs(by) < 1e-12) {
            if (a[axis] <= lo || a[axis] >= hi) {
                return false;
            }
            continue;
        }
        const double t0 = (lo - a[axis]) / by, t1 = (hi - a[axis]) / by;
        from = fmax(from, fmin(t0, t1));
        to = fmin(to, fmax(t0, t1));
    }
    return from < to - 1e-9;
}

static bool same_box(const oct_bounds *a, const oct_bounds *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool is_free_line(const level_space *p, const double eye[3], const double at[3],
                         const scene_panel *panel, int door)
{
    const level_scene *s = p->scene;
    // No more than that: lines must not slip through between the blocks of a wall.
    const double shrink = p->is_generous ? 1e-6 : -1e-6;
    for (size_t i = 0; i < s->solid_count; i++) {
        if (!same_box(&s->solids[i], &panel->box) &&
            scene_between(&s->solids[i], &panel->swept) < 3.0 &&
            meets(eye, at, &s->solids[i], shrink)) {
            return false;
        }
    }
    // Who presses through a door that is open can as well do so from its doorway.
    for (uint32_t i = 0; i < s->doors; i++) {
        if ((int)i != door && meets(eye, at, &s->door[i].box, shrink)) {
            return false;
        }
    }
    return true;
}

bool space_can_press(const level_space *p, oct_point from, uint32_t which, int door)
{
    const scene_panel *panel = &p->scene->panel[which];
    const oct_bounds *box = p->is_generous ? &panel->swept : &panel->box;
    const double reach = p->scene->rules.reach - (p->is_generous ? -0.01 : 0.05);
    const double eye[3] = {from.x, from.y, from.z};
    if (scene_from_point(box, from) > reach) {
        return false;
    }
    for (int side = 0; side < 3; side++) {
        if (eye[side] > lo_of(box, side) && eye[side] < hi_of(box, side)) {
            continue; // not turned to the body
        }
        // The nearest point but for the edges, and the middle; for the ideal player the corners as
        // well.
        for (int k = 0; k < (p->is_generous ? 10 : 2); k++) {
            double at[3], square = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                const double lo = lo_of(box, axis) + 0.05, hi = hi_of(box, axis) - 0.05;
                const double shares[10][3] = {{0},       {.5, .5, .5}, {0, 0, 0}, {1, 0, 0},
                                              {0, 1, 0}, {0, 0, 1},    {1, 1, 0}, {1, 0, 1},
                                              {0, 1, 1}, {1, 1, 1}};
                at[axis] = k > 0 ? lo + (hi - lo) * shares[k][axis] : fmin(fmax(eye[axis], lo), hi);
            }
            at[side] = eye[side] <= lo_of(box, side) ? lo_of(box, side) : hi_of(box, side);
            for (int axis = 0; axis < 3; axis++) {
                square += (at[axis] - eye[axis]) * (at[axis] - eye[axis]);
            }
            if (sqrt(square) <= reach && is_free_line(p, eye, at, panel, door)) {
                return true;
            }
        }
    }
    return false;
}

// ---- ways ----

static double step_between(const level_space *p, int a, int b)
{
    const oct_point from = space_middle(p, a), to = space_middle(p, b);
    return fabs(from.x - to.x) + fabs(from.y - to.y) + fabs(from.z - to.z);
}

// Goes back along lengths, straight on for as long as it can.
static size_t find_bends(const level_space *p, int first, int last, oct_point *bends)
{
    oct_point back[SPACE_BENDS_MAX];
    size_t count = 0;
    int at = last, direction = -1;
    back[count++] = space_middle(p, at);
    while (at != first) {
        int next[6], best = -1;
        space_neighbours(p, at, next);
        for (int i = 0; i < 6; i++) {
            if (next[i] >= 0 && p->length[next[i]] >= 0.0 &&
                fabs(p->length[next[i]] + step_between(p, at, next[i]) - p->length[at]) < 1e-6 &&
                (best < 0 || i == direction)) {
                best = i;
            }
        }
        assert_true(best >= 0 && count < SPACE_BENDS_MAX - 1);
        if (best != direction && at != last) {
            back[count++] = space_middle(p, at);
        }
        direction = best;
        at = next[best];
    }
    back[count++] = space_middle(p, first);
    for (size_t i = 0; i < count; i++) {
        bends[i] = back[count - 1 - i];
    }
    return count;
}

// Ways go from middle to middle; neighbouring cells have the same cross-section, so that the line
// between their middles is free.
double space_way(const level_space *p, oct_point from, oct_point to, oct_point *bends,
                 size_t *count)
{
    const int first = space_cell_of(p, from), last = space_cell_of(p, to);
    const size_t cells = (size_t)p->n[0] * (size_t)p->n[1] * (size_t)p->n[2];
    if (first < 0 || last < 0 || p->label[first] < 0 || p->label[first] != p->label[last]) {
        return -1.0;
    }
    int *queue = test_calloc(cells + 1, sizeof *queue);
    bool *queued = test_calloc(cells, sizeof *queued);
    size_t head = 0, tail = 1;
    queue[0] = first;
    p->length[first] = 0.0;
    while (head != tail) { // a label-correcting search: cells are few
        const int at = queue[head];
        head = (head + 1) % (cells + 1);
        queued[at] = false;
        int next[6];
        space_neighbours(p, at, next);
        for (int i = 0; i < 6; i++) {
            if (next[i] < 0 || p->label[next[i]] != p->label[first]) {
                continue;
            }
            const double length = p->length[at] + step_between(p, at, next[i]);
            if (p->length[next[i]] < 0.0 || length < p->length[next[i]] - 1e-9) {
                p->length[next[i]] = length;
                if (!queued[next[i]]) {
                    queued[next[i]] = true;
                    queue[tail] = next[i];
                    tail = (tail + 1) % (cells + 1);
                }
            }
        }
    }
    const double way = p->length[last];
    if (bends) {
        *count = find_bends(p, first, last, bends);
    }
    for (size_t i = 0; i < cells; i++) {
        p->length[i] = -1.0;
    }
    test_free(queued);
    test_free(queue);
    return way;
}
