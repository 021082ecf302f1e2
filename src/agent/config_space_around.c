// SPDX-License-Identifier: MIT
// From which parts of a configuration space something can be got at: the free pieces of cells are
// flooded from its box, on a lattice along its own axes, so that walls that are turned like it cut
// cells exactly.
#include "agent/config_space.h"

#include "geom/geom_internal.h"
#include "octree/octree_internal.h"

#include <math.h>

// Steps from cell to cell along a straight line: at most this many for each of its length.
#define STEPS 1.7320508075688774

static const oct_vec faces[] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

// A flood under way.
typedef struct flood {
    config_space *s;
    const space_aim *aim;
    piece_index *index;
    oct_box bounds; // cells of the frame; the world ends there
    oct_part_fn *visit;
    void *ctx;
} flood;

static bool is_within(const oct_box *b, oct_vec c)
{
    return c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
           c.z >= b->min.z && c.z < b->max.z;
}

static double beyond(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

// Whether some point of a cell is so near to what is aimed at.
static bool is_near(const flood *f, oct_vec c)
{
    const oct_bounds *const box = &f->aim->within;
    const double size = oct_tree_cell_size(f->s->shut);
    const oct_point o = oct_tree_origin(f->s->shut);
    const double x = beyond(o.x + (c.x + 0.5) * size, box->min.x, box->max.x);
    const double y = beyond(o.y + (c.y + 0.5) * size, box->min.y, box->max.y);
    const double z = beyond(o.z + (c.z + 0.5) * size, box->min.z, box->max.z);
    return sqrt(x * x + y * y + z * z) <= f->aim->reach + size;
}

static oct_bounds grown(const oct_bounds *b, double by)
{
    return (oct_bounds){{b->min.x - by, b->min.y - by, b->min.z - by},
                        {b->max.x + by, b->max.y + by, b->max.z + by}};
}

static oct_result cells_of(const config_space *s, const oct_bounds *b, oct_box *cells)
{
    return oct_cells_of_bounds(3, oct_tree_origin(s->shut), oct_tree_cell_size(s->shut), b,
                               OCT_COVER_TOUCH, cells);
}

// ---- pieces ----

// Queues the free pieces of a cell that touch a box, and those that touch them in turn: a line
// takes a step when it leaves the cell, not within it.
static oct_result push_pieces(const flood *f, oct_vec cell, const oct_bounds *from)
{
    config_space *const s = f->s;
    cell_pieces p;
    OCT_TRY(oct_piece_index_get(f->index, cell, &p));
    for (uint32_t i = 0; i < p.count; i++) {
        if (!oct_pieces_touch(&p.all[i], from)) {
            continue;
        }
        const lattice_key key = {cell.x, cell.y, cell.z, i};
        OCT_TRY(oct_key_table_reserve(&s->visited, &s->allocator, 1));
        key_slot *const slot = key_table_slot(&s->visited, key);
        if (!key_slot_is_used(&s->visited, slot)) {
            const cell_strip strip = {cell, i};
            const oct_bounds piece = p.all[i];
            key_slot_fill(&s->visited, slot, key, 0);
            OCT_TRY(oct_array_push(&s->strips, &s->allocator, sizeof strip, &strip));
            OCT_TRY(push_pieces(f, cell, &piece));
            OCT_TRY(oct_piece_index_get(f->index, cell, &p));
        }
    }
    return OCT_OK;
}

// From a piece to those that it touches, in its own cell and in those beside it.
static oct_result spread_piece(const flood *f, oct_vec cell, const oct_bounds *from)
{
    const bool is_upright = f->aim->frame == FRAME_UPRIGHT;
    OCT_TRY(push_pieces(f, cell, from));
    for (int i = 0; i < 6; i++) {
        const oct_vec next = {cell.x + faces[i].x, cell.y + faces[i].y, cell.z + faces[i].z};
        const bool is_solid = is_upright && oct_tree_label(f->s->solid, next) == OCT_BLOCKED;
        if (!is_solid && is_within(&f->bounds, next) && is_near(f, next)) {
            OCT_TRY(push_pieces(f, next, from));
        }
    }
    return OCT_OK;
}

static oct_result push_around(const flood *f)
{
    const oct_bounds around = grown(&f->aim->box, oct_tree_cell_size(f->s->shut));
    oct_box cells;
    OCT_TRY(cells_of(f->s, &around, &cells));
    oct_key_table_clear(&f->s->visited);
    f->s->strips.count = 0;
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                OCT_TRY(push_pieces(f, (oct_vec){x, y, z}, &f->aim->box));
            }
        }
    }
    return OCT_OK;
}

// ---- doorways that a way from something may come through ----

static oct_result find_near_doors(const flood *f)
{
    config_space *const s = f->s;
    const history_thing *const all = s->history->things.items;
    const double size = oct_tree_cell_size(s->shut);
    const oct_bounds around = grown(&f->aim->within, f->aim->reach + 2.0 * size);
    s->near.count = 0;
    for (size_t i = 0; i < s->history->things.count; i++) {
        if (all[i].door > 0 && oct_history_stays(&all[i])) {
            const near_door new = {all[i].door - 1,
                                   oct_solid_list_box_in(&s->walls, f->aim->frame, &all[i].told)};
            OCT_TRY(oct_pieces_touch(&new.box, &around)
                        ? oct_array_push(&s->near, &s->allocator, sizeof new, &new)
                        : OCT_OK);
        }
    }
    return OCT_OK;
}

static void visit_door(const flood *f, uint32_t door)
{
    const space_part *const parts = f->s->parts.items;
    for (uint32_t i = 0; i < f->s->parts.count; i++) {
        for (uint32_t k = 0; k < parts[i].door_count; k++) {
            if (parts[i].doors[k] == door) {
                f->visit(f->ctx, i);
            }
        }
    }
}

// Visits the parts of the doors that a box touches, each door once.
static void visit_doors(const flood *f, const oct_bounds *box)
{
    near_door *const near = f->s->near.items;
    for (size_t i = 0; i < f->s->near.count;) {
        if (oct_pieces_touch(&near[i].box, box)) {
            visit_door(f, near[i].door);
            near[i] = near[--f->s->near.count];
        } else {
            i++;
        }
    }
}

// ---- parts ----

static void visit_cell(const flood *f, oct_vec cell)
{
    const uint32_t part = oct_config_space_part(f->s, cell);
    if (part != PART_NONE) {
        f->visit(f->ctx, part);
    }
}

static bool overlap(const oct_bounds *a, const oct_bounds *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// The cells of the world that a piece of a turned frame may reach into: along no axis of either
// frame they are apart.
static oct_result visit_turned(const flood *f, const oct_bounds *piece)
{
    const solid_list *const walls = &f->s->walls;
    const oct_bounds upright = oct_solid_list_turned(walls, f->aim->frame, FRAME_UPRIGHT, piece);
    oct_box cells;
    OCT_TRY(cells_of(f->s, &upright, &cells));
    for (int32_t z = cells.min.z; z < cells.max.z; z++) {
        for (int32_t y = cells.min.y; y < cells.max.y; y++) {
            for (int32_t x = cells.min.x; x < cells.max.x; x++) {
                const oct_bounds cell = oct_cell_bounds(f->s->shut, (oct_vec){x, y, z});
                const oct_bounds own =
                    oct_solid_list_turned(walls, FRAME_UPRIGHT, f->aim->frame, &cell);
                if (overlap(&own, piece)) {
                    visit_cell(f, (oct_vec){x, y, z});
                }
            }
        }
    }
    return OCT_OK;
}

// ---- the whole ----

static oct_result visit_piece(const flood *f, cell_strip at)
{
    cell_pieces own;
    OCT_TRY(oct_piece_index_get(f->index, at.cell, &own));
    const oct_bounds piece = own.all[at.piece];
    if (f->aim->frame == FRAME_UPRIGHT) {
        visit_cell(f, at.cell);
    } else {
        OCT_TRY(visit_turned(f, &piece));
    }
    visit_doors(f, &piece);
    return spread_piece(f, at.cell, &piece);
}

// Steps from cell to cell that a line of some length takes at most.
static size_t steps_of(const config_space *s, double length)
{
    return (size_t)(STEPS * length / oct_tree_cell_size(s->shut)) + 2;
}

static oct_result set_bounds(flood *f)
{
    const config_space *const s = f->s;
    f->bounds = s->bounds;
    if (f->aim->frame == FRAME_UPRIGHT) {
        return OCT_OK;
    }
    const double size = oct_tree_cell_size(s->shut);
    const oct_point o = oct_tree_origin(s->shut);
    const oct_box *const b = &s->bounds;
    const oct_bounds world = {
        {o.x + b->min.x * size, o.y + b->min.y * size, o.z + b->min.z * size},
        {o.x + b->max.x * size, o.y + b->max.y * size, o.z + b->max.z * size}};
    const oct_bounds own = oct_solid_list_turned(&s->walls, FRAME_UPRIGHT, f->aim->frame, &world);
    return cells_of(s, &own, &f->bounds);
}

oct_result oct_config_space_around(config_space *s, const space_aim *aim, oct_part_fn *visit,
                                   void *ctx)
{
    flood f = {.s = s,
               .aim = aim,
               .index = (piece_index *)s->indices.items + aim->frame,
               .visit = visit,
               .ctx = ctx};
    const oct_bounds *const within = &aim->within;
    const double across = fmax(within->max.x - within->min.x,
                               fmax(within->max.y - within->min.y, within->max.z - within->min.z));
    const size_t layers = steps_of(s, across + aim->reach);
    OCT_TRY(set_bounds(&f));
    OCT_TRY(push_around(&f));
    OCT_TRY(find_near_doors(&f));
    visit_doors(&f, &aim->box);
    size_t begin = 0;
    for (size_t layer = 0; layer <= layers && begin < s->strips.count; layer++) {
        const size_t end = s->strips.count;
        for (; begin < end; begin++) {
            OCT_TRY(visit_piece(&f, ((const cell_strip *)s->strips.items)[begin]));
        }
    }
    return OCT_OK;
}

space_aim oct_config_space_aim_at(const config_space *s, const oct_entity *entity, double reach)
{
    space_aim aim = {.reach = reach};
    aim.frame = oct_solid_list_frame_of(&s->walls, entity, &aim.box);
    aim.within = aim.box;
    return aim;
}

// A box along the axes of a turn, in the world.
static oct_piece piece_of(const double turn[4], const oct_bounds *b)
{
    oct_piece p = {.kind = OCT_PIECE_OBB};
    memcpy(p.turn, turn, sizeof p.turn);
    for (int i = 0; i < 8; i++) {
        const oct_point own = {i & 1 ? b->max.x : b->min.x, i & 2 ? b->max.y : b->min.y,
                               i & 4 ? b->max.z : b->min.z};
        const oct_point at = oct_piece_world(&p, own);
        p.box = i == 0 ? (oct_bounds){at, at} : bounds_join(p.box, (oct_bounds){at, at});
    }
    p.centre = oct_piece_world(&p, point_scale(point_add(b->min, b->max), 0.5));
    p.half = point_scale(point_sub(b->max, b->min), 0.5);
    return p;
}

space_aim oct_config_space_aim(const config_space *s, const double turn[4], const oct_bounds *box,
                               const oct_bounds *within, double reach)
{
    space_aim aim = {.frame = FRAME_UPRIGHT, .box = *box, .within = *within, .reach = reach};
    if (turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0) {
        const oct_piece one = piece_of(turn, box), two = piece_of(turn, within);
        aim.frame = oct_solid_list_own_box(&s->walls, &one, &aim.box);
        (void)oct_solid_list_own_box(&s->walls, &two, &aim.within);
    }
    return aim;
}
