// SPDX-License-Identifier: MIT
// The graphs of a planner: each is made when a query first asks for it, and kept.
#include "search/planner.h"

static bool is_progressive(oct_graph graph)
{
    return graph == OCT_GRAPH_PROGRESSIVE_CORNER || graph == OCT_GRAPH_PROGRESSIVE_DUAL;
}

// ---- finding: one function for each, which makes it where it is not there yet ----

typedef oct_result find_fn(oct_planner *p, space **out);

static oct_result find_jump(oct_planner *p, space **out)
{
    if (!p->jump) {
        OCT_TRY(oct_jump_create(&p->allocator, &p->jump));
    }
    p->ops = &jump_ops;
    p->jump->plane = &p->plane;
    *out = &p->jump->base;
    return OCT_OK;
}

static oct_result find_cells(oct_planner *p, space **out)
{
    if (p->algorithm->is_jumping) {
        return find_jump(p, out);
    }
    if (!p->cells) {
        OCT_TRY(oct_cells_create(&p->allocator, &p->cells));
    }
    p->ops = &cells_ops;
    *out = &p->cells->base;
    return OCT_OK;
}

static oct_result find_dual(oct_planner *p, space **out)
{
    if (!p->dual) {
        OCT_TRY(oct_dual_create(&p->allocator, &p->dual));
    }
    p->dual->is_progressive = is_progressive(p->query.graph);
    p->ops = &dual_ops;
    *out = &p->dual->base;
    return OCT_OK;
}

static oct_result find_corner(oct_planner *p, space **out)
{
    if (!p->corner) {
        OCT_TRY(oct_corner_create(&p->allocator, &p->corner));
    }
    p->corner->is_progressive = is_progressive(p->query.graph);
    p->ops = &corner_ops;
    *out = &p->corner->base;
    return OCT_OK;
}

static oct_result find_user(oct_planner *p, space **out)
{
    if (!p->user) {
        OCT_TRY(oct_user_create(&p->allocator, &p->user));
    }
    p->user->graph = p->query.user;
    p->user->from = p->query.user_from;
    p->user->to = p->query.user_to;
    p->ops = &user_ops;
    *out = &p->user->base;
    return OCT_OK;
}

static box_space **boxes_of(oct_planner *p)
{
    return &p->boxes[p->query.terms.unknown != OCT_UNKNOWN_BLOCKED];
}

static oct_result find_boxes(oct_planner *p, space **out)
{
    box_space **const boxes = boxes_of(p);
    if (!*boxes) {
        OCT_TRY(oct_boxes_create(&p->allocator, boxes));
    }
    (*boxes)->grade = p->query.grade;
    (*boxes)->goals = p->query.goals;
    p->ops = &oct_portal_ops;
    *out = &(*boxes)->base;
    return OCT_OK;
}

static oct_result find_lattice(oct_planner *p, space **out)
{
    if (!p->grid) {
        OCT_TRY(oct_lattice_create(&p->allocator, &p->grid));
    }
    p->ops = &lattice_ops;
    *out = &p->grid->base;
    return OCT_OK;
}

static oct_result find_visibility(oct_planner *p, space **out)
{
    if (!p->visibility) {
        OCT_TRY(oct_visibility_create(&p->allocator, &p->visibility));
    }
    p->ops = &visibility_ops;
    p->visibility->plane = &p->plane;
    *out = &p->visibility->base;
    return OCT_OK;
}

static oct_result find_intervals(oct_planner *p, space **out)
{
    if (!p->intervals) {
        OCT_TRY(oct_intervals_create(&p->allocator, &p->intervals));
    }
    p->ops = &oct_anya_ops;
    p->intervals->plane = &p->plane;
    *out = &p->intervals->base;
    return OCT_OK;
}

static oct_result find_blocks(oct_planner *p, space **out)
{
    if (!p->blocks) {
        OCT_TRY(oct_blocks_create(&p->allocator, &p->blocks));
    }
    p->blocks->distances = p->query.distances;
    p->blocks->clock = p->query.clock;
    p->blocks->clock_ctx = p->query.clock_ctx;
    p->blocks->ends_time = 0;
    p->ops = &oct_block_ops;
    p->blocks->plane = &p->plane;
    *out = &p->blocks->base;
    return OCT_OK;
}

oct_result oct_spaces_find(oct_planner *p, space **out)
{
    static find_fn *const find[SPACE_COUNT] = {
        [SPACE_CELLS] = find_cells,           [SPACE_DUAL] = find_dual,
        [SPACE_CORNER] = find_corner,         [SPACE_USER] = find_user,
        [SPACE_BOXES] = find_boxes,           [SPACE_LATTICE] = find_lattice,
        [SPACE_VISIBILITY] = find_visibility, [SPACE_INTERVALS] = find_intervals,
        [SPACE_BLOCKS] = find_blocks,
    };
    return find[p->space_kind](p, out);
}

// ---- all of them ----

static oct_result begin_space(oct_planner *p)
{
    switch (p->space_kind) {
    case SPACE_CELLS:
        return p->algorithm->is_jumping ? oct_jump_begin(p->jump) : oct_cells_begin(p->cells);
    case SPACE_DUAL:
        return oct_dual_begin(p->dual);
    case SPACE_CORNER:
        return oct_corner_begin(p->corner);
    case SPACE_BOXES:
        return oct_boxes_begin(*boxes_of(p));
    case SPACE_LATTICE:
        return oct_lattice_begin(p->grid);
    case SPACE_VISIBILITY:
        return oct_visibility_begin(p->visibility);
    case SPACE_INTERVALS:
        return oct_intervals_begin(p->intervals);
    case SPACE_BLOCKS:
        return oct_blocks_begin(p->blocks);
    default:
        return oct_user_begin(p->user);
    }
}

oct_result oct_spaces_begin(oct_planner *p, space *s)
{
    s->sight_checks = 0;
    OCT_TRY(begin_space(p));
    return oct_search_begin(&p->search, s);
}

void oct_spaces_destroy(oct_planner *p)
{
    oct_cells_destroy(p->cells);
    oct_jump_destroy(p->jump);
    oct_dual_destroy(p->dual);
    oct_corner_destroy(p->corner);
    oct_boxes_destroy(p->boxes[0]);
    oct_boxes_destroy(p->boxes[1]);
    oct_lattice_destroy(p->grid);
    oct_visibility_destroy(p->visibility);
    oct_intervals_destroy(p->intervals);
    oct_blocks_destroy(p->blocks);
    oct_user_destroy(p->user);
    oct_plane_free(&p->plane, &p->allocator);
}

size_t oct_spaces_bytes(const oct_planner *p)
{
    return (p->cells ? oct_cells_bytes(p->cells) : 0) + (p->jump ? oct_jump_bytes(p->jump) : 0) +
           (p->dual ? oct_dual_bytes(p->dual) : 0) + (p->corner ? oct_corner_bytes(p->corner) : 0) +
           (p->boxes[0] ? oct_boxes_bytes(p->boxes[0]) : 0) +
           (p->boxes[1] ? oct_boxes_bytes(p->boxes[1]) : 0) +
           (p->grid ? oct_lattice_bytes(p->grid) : 0) +
           (p->visibility ? oct_visibility_bytes(p->visibility) : 0) +
           (p->intervals ? oct_intervals_bytes(p->intervals) : 0) +
           (p->blocks ? oct_blocks_bytes(p->blocks) : 0) + (p->user ? oct_user_bytes(p->user) : 0) +
           oct_plane_bytes(&p->plane);
}
