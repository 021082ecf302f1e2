// SPDX-License-Identifier: MIT
// What players do: moving, using, and the tools in their hands.
#include "game/block_internal.h"

#include "world/world_internal.h"

#include <math.h>

// A block is gone when less than this share of a whole one is left: the sum of many small bites is
// not exact, and must not take one more.
#define CRUMBS 1e-9

const char *const oct_block_verbs[BLOCK_VERBS] = {"move",      "jump",  "use",   "jetpack",
                                                  "dampeners", "boots", "equip", "activate",
                                                  "tool",      "place", "remove"};

// ---- looking ----

static const body *body_of(const block_world *g, uint32_t who)
{
    return &player_at(g, who)->body;
}

// The block that a player looks at within reach, or BLOCK_NONE.
static uint32_t looked_at(const block_world *g, uint32_t who, solid_hit *hit)
{
    const body *const b = body_of(g, who);
    const double reach = g->rules.reach;
    const oct_point to = {b->centre.x - b->frame.back.x * reach,
                          b->centre.y - b->frame.back.y * reach,
                          b->centre.z - b->frame.back.z * reach};
    return oct_solids_ray(g->solids, b->centre, to, UINT32_MAX, hit)
               ? ((const uint32_t *)g->owners.items)[hit->solid]
               : BLOCK_NONE;
}

// ---- using ----

// How far the points that are tried stay away from the edges of a side, metres: a line to the edge
// itself touches what stands beside the panel.
#define EDGE 0.05

static double clamp(double at, double lo, double hi)
{
    return at < lo ? lo : at > hi ? hi : at;
}

typedef struct touch {
    const block_world *g;
    const block *panel;
    oct_point eye; // in the world
    double from[3], lo[3], hi[3];
} touch;

static bool is_in_reach(const touch *t, const double at[3])
{
    const double x = at[0] - t->from[0], y = at[1] - t->from[1], z = at[2] - t->from[2];
    return sqrt(x * x + y * y + z * z) <= t->g->rules.reach;
}

static bool is_free_to(const touch *t, const double at[3])
{
    const oct_point to =
        oct_solids_to_world(t->g->solids, frame_of(t->panel), (oct_point){at[0], at[1], at[2]});
    return is_in_reach(t, at) && oct_solids_line_is_free(t->g->solids, t->eye, to, t->panel->solid);
}

// Whether a point of a side that is turned to the body is free: the one nearest to it, a little
// away from the edges, or the middle.
static bool side_is_free(const touch *t, int side)
{
    double near[3], middle[3];
    for (int axis = 0; axis < 3; axis++) {
        const double size = t->hi[axis] - t->lo[axis];
        const double edge = size > 4.0 * EDGE ? EDGE : size / 4.0;
        near[axis] = clamp(t->from[axis], t->lo[axis] + edge, t->hi[axis] - edge);
        middle[axis] = t->lo[axis] + size / 2.0;
    }
    near[side] = middle[side] = t->from[side] < t->lo[side] ? t->lo[side] : t->hi[side];
    return is_free_to(t, near) || is_free_to(t, middle);
}

static oct_act reach_for(const block_world *g, uint32_t who, const block *panel)
{
    const oct_bounds home = oct_solids_home(g->solids, panel->solid);
    const oct_point eye = body_of(g, who)->centre;
    const oct_point from = oct_solids_to_local(g->solids, frame_of(panel), eye);
    const touch t = {g,
                     panel,
                     eye,
                     {from.x, from.y, from.z},
                     {home.min.x, home.min.y, home.min.z},
                     {home.max.x, home.max.y, home.max.z}};
    double nearest[3];
    for (int axis = 0; axis < 3; axis++) {
        nearest[axis] = clamp(t.from[axis], t.lo[axis], t.hi[axis]);
    }
    if (!is_in_reach(&t, nearest)) {
        return OCT_ACT_TOO_FAR;
    }
    if (is_free_to(&t, nearest)) {
        return OCT_ACT_DONE;
    }
    for (int side = 0; side < 3; side++) {
        const bool is_turned = t.from[side] < t.lo[side] || t.from[side] > t.hi[side];
        if (is_turned && side_is_free(&t, side)) {
            return OCT_ACT_DONE;
        }
    }
    return OCT_ACT_IN_THE_WAY;
}

static oct_act use(block_world *g, uint32_t who, const oct_action *action)
{
    const uint32_t index = oct_block_find(g, action->target);
    if (index == BLOCK_NONE) {
        return OCT_ACT_NO_TARGET;
    }
    const block *const panel = block_at(g, index);
    // Of all types panels alone have buttons; doors are opened by them.
    if (action->button >= type_at(g, panel->type)->buttons) {
        return OCT_ACT_NO_BUTTON;
    }
    const oct_act came = reach_for(g, who, panel);
    if (came == OCT_ACT_DONE) {
        oct_block_press(g, panel, action->button);
    }
    return came;
}

// ---- taking away ----

static void remove_block(block_world *g, uint32_t index)
{
    block *const b = block_at(g, index);
    oct_block_stop(g, index);
    oct_index_table_remove(&g->ids, b->id, index);
    oct_solids_remove(g->solids, b->solid);
    // The number of the solid may be given to something else.
    for (uint32_t i = 0; i < g->players.count; i++) {
        body *const each = &player_at(g, i)->body;
        each->ground = each->ground == b->solid ? UINT32_MAX : each->ground;
    }
    b->gone = true;
    g->alive[b->kind]--;
    // Wires name blocks of the world by their slots: those are not given again.
    if (index >= g->world_blocks) {
        b->next_spare = g->spare;
        g->spare = index;
    }
}

static oct_act remove_looked_at(block_world *g, uint32_t who)
{
    solid_hit hit;
    const uint32_t index = looked_at(g, who, &hit);
    if (index == BLOCK_NONE) {
        return OCT_ACT_NO_TARGET;
    }
    remove_block(g, index);
    return OCT_ACT_DONE;
}

// ---- placing ----

// The smallest cell of a block that is set against the side of another where a ray met it: away
// from the side by as many cells as it covers, and with the cell at the ray in its middle.
static oct_vec cell_against(const block_world *g, uint32_t who, const block *other,
                            const solid_hit *hit, oct_vec span)
{
    const body *const b = body_of(g, who);
    const rigid *const r = rigid_at(g, other->grid);
    const double way = g->rules.reach * hit->share;
    const oct_point at = oct_solids_to_local(g->solids, frame_of(other),
                                             (oct_point){b->centre.x - b->frame.back.x * way,
                                                         b->centre.y - b->frame.back.y * way,
                                                         b->centre.z - b->frame.back.z * way});
    const oct_point out = oct_motion_to_local(&r->axes, hit->normal);
    const double point[3] = {at.x, at.y, at.z}, normal[3] = {out.x, out.y, out.z};
    const int32_t cells[3] = {other->cell.x, other->cell.y, other->cell.z};
    const int32_t theirs[3] = {other->span.x, other->span.y, other->span.z};
    const int32_t own[3] = {span.x, span.y, span.z};
    int side = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    side = fabs(normal[2]) > fabs(normal[side]) ? 2 : side;
    int32_t cell[3];
    for (int axis = 0; axis < 3; axis++) {
        // Rounding must not leave the block that was met.
        const double met = clamp(floor(point[axis] / r->grid.cell + 0.5), cells[axis],
                                 cells[axis] + theirs[axis] - 1);
        cell[axis] = axis != side         ? (int32_t)met - (own[axis] - 1) / 2
                     : normal[axis] > 0.0 ? cells[axis] + theirs[axis]
                                          : cells[axis] - own[axis];
    }
    return (oct_vec){cell[0], cell[1], cell[2]};
}

static bool is_apart(int32_t a, int32_t a_span, int32_t b, int32_t b_span)
{
    return a + a_span <= b || b + b_span <= a;
}

typedef struct taken {
    const block_world *g;
    const block *wanted;
    bool is;
} taken;

static bool find_taken(void *ctx, uint32_t solid)
{
    taken *const t = ctx;
    const block *const a = t->wanted;
    const block *const b = block_at(t->g, ((const uint32_t *)t->g->owners.items)[solid]);
    t->is = b->placed && b->grid == a->grid &&
            !is_apart(a->cell.x, a->span.x, b->cell.x, b->span.x) &&
            !is_apart(a->cell.y, a->span.y, b->cell.y, b->span.y) &&
            !is_apart(a->cell.z, a->span.z, b->cell.z, b->span.z);
    return !t->is;
}

static bool is_cell(int32_t cell, int32_t span)
{
    return cell >= -OCT_WORLD_CELL_MAX && cell <= OCT_WORLD_CELL_MAX - span;
}

// Whether nothing of the grid is where a block is to go, and the grid reaches that far.
static bool has_room(const block_world *g, const block *b, const oct_bounds *home)
{
    if (!is_cell(b->cell.x, b->span.x) || !is_cell(b->cell.y, b->span.y) ||
        !is_cell(b->cell.z, b->span.z)) {
        return false;
    }
    const oct_point half = {(home->max.x - home->min.x) / 2.0, (home->max.y - home->min.y) / 2.0,
                            (home->max.z - home->min.z) / 2.0};
    const oct_point middle = oct_solids_to_world(
        g->solids, frame_of(b),
        (oct_point){home->min.x + half.x, home->min.y + half.y, home->min.z + half.z});
    taken t = {g, b, false};
    oct_solids_near(g->solids, middle, sqrt(half.x * half.x + half.y * half.y + half.z * half.z),
                    find_taken, &t);
    return !t.is;
}

static oct_result place(block_world *g, uint32_t who, uint32_t type_index, oct_act *came)
{
    const oct_world_type *const type = type_at(g, type_index);
    solid_hit hit;
    uint32_t index = looked_at(g, who, &hit);
    *came = OCT_ACT_NO_TARGET;
    if (index == BLOCK_NONE || !block_at(g, index)->placed) {
        return OCT_OK; // a plain box has no cells beside it
    }
    block b = {.name = "",
               .integrity = type->integrity,
               .type = type_index,
               .grid = block_at(g, index)->grid,
               .span = type->size,
               .forward = OCT_SIDE_FORWARD,
               .up = OCT_SIDE_UP,
               .kind = type->kind,
               .placed = true};
    const rigid *const r = rigid_at(g, b.grid);
    b.cell = cell_against(g, who, block_at(g, index), &hit, b.span);
    b.box = oct_world_cells_box(&r->grid, b.cell, b.span);
    b.id = oct_block_free_id(g, oct_world_cell_id(r->grid.id, b.cell));
    if (b.kind == OCT_KIND_DOOR) {
        b.is.door.listed = BLOCK_NONE;
    } else if (b.kind == OCT_KIND_TIMER) {
        b.is.timer = (timer_state){.delay = 1, .heaped = BLOCK_NONE};
    }
    const oct_bounds home = oct_block_home(g, &b);
    *came = OCT_ACT_IN_THE_WAY;
    if (!has_room(g, &b, &home)) {
        return OCT_OK;
    }
    OCT_TRY(oct_block_add(g, &b, &home, &index));
    if (oct_block_meets_body(g, block_at(g, index))) {
        remove_block(g, index);
        return OCT_OK;
    }
    *came = OCT_ACT_DONE;
    return OCT_OK;
}

// ---- tools ----

static bool is_tool(uint8_t kind)
{
    return kind == OCT_ITEM_GRINDER || kind == OCT_ITEM_WELDER;
}

static void work(block_world *g, uint32_t who)
{
    solid_hit hit;
    const uint32_t index = looked_at(g, who, &hit);
    if (index == BLOCK_NONE) {
        return;
    }
    block *const b = block_at(g, index);
    const double whole = type_at(g, b->type)->integrity,
                 bite = g->rules.grind / OCT_BLOCK_WORLD_RATE;
    if (player_at(g, who)->held.kind == OCT_ITEM_WELDER) {
        b->integrity = b->integrity + bite < whole ? b->integrity + bite : whole;
        return;
    }
    b->integrity -= bite;
    if (b->integrity <= whole * CRUMBS) {
        remove_block(g, index);
    }
}

void oct_block_tick_tools(block_world *g)
{
    for (uint32_t i = 0; i < g->players.count; i++) {
        if (player_at(g, i)->works) {
            work(g, i);
        }
    }
}

// Takes something into the hands, and uses it where it is to be used at once.
static oct_result equip(block_world *g, uint32_t who, double slot, bool at_once, oct_act *came)
{
    const oct_item none = {0};
    const bool is_slot = slot >= 0.0 && slot < OCT_TOOLBAR_PAGES * OCT_TOOLBAR_SLOTS;
    const uint32_t number = is_slot ? (uint32_t)slot : 0;
    const uint32_t page = number / OCT_TOOLBAR_SLOTS;
    const oct_item item = is_slot ? g->items[page][number % OCT_TOOLBAR_SLOTS] : none;
    *came = OCT_ACT_NOT_HELD;
    if (item.kind == OCT_ITEM_NONE) {
        return OCT_OK;
    }
    *came = OCT_ACT_DONE;
    if (at_once && item.kind == OCT_ITEM_BLOCK) {
        OCT_TRY(place(g, who, item.type, came));
    }
    if (*came == OCT_ACT_DONE) {
        player *const p = player_at(g, who);
        p->held = item;
        p->page = page;
        p->works = at_once && is_tool(item.kind);
    }
    return OCT_OK;
}

// ---- acting ----

static oct_act move(body *b, const oct_action *action)
{
    const oct_point none = {0, 0, 0};
    const bool moves = action->verb == OCT_VERB_MOVE;
    b->move = moves ? action->move : none;
    b->rotate = moves ? action->rotate : none;
    b->ticks = action->ticks;
    return OCT_ACT_DONE;
}

static oct_act jump(body *b)
{
    if (!b->stands || b->flies) {
        return OCT_ACT_NOT_NOW;
    }
    b->jumps = true;
    return OCT_ACT_DONE;
}

static oct_act turn_tool(player *p, bool on)
{
    if (!is_tool(p->held.kind)) {
        return OCT_ACT_NOT_HELD;
    }
    p->works = on;
    return OCT_ACT_DONE;
}

static oct_act turn(bool *gear, bool on)
{
    *gear = on;
    return OCT_ACT_DONE;
}

// In the order of the verbs that bodies have: see oct_block_verbs.
static oct_result do_named(block_world *g, uint32_t who, const oct_action *action, oct_act *came)
{
    player *const p = player_at(g, who);
    size_t verb = BLOCK_JETPACK;
    while (verb < BLOCK_VERBS && strcmp(oct_block_verbs[verb], action->name) != 0) {
        verb++;
    }
    switch (verb) {
    case BLOCK_JETPACK:
        *came = turn(&p->body.flies, action->on);
        break;
    case BLOCK_DAMPENERS:
        *came = turn(&p->body.damps, action->on);
        break;
    case BLOCK_BOOTS:
        *came = turn(&p->body.boots, action->on);
        break;
    case BLOCK_EQUIP:
    case BLOCK_ACTIVATE:
        return equip(g, who, action->number, verb == BLOCK_ACTIVATE, came);
    case BLOCK_TOOL:
        *came = turn_tool(p, action->on);
        break;
    case BLOCK_PLACE:
        *came = OCT_ACT_NOT_HELD;
        return p->held.kind == OCT_ITEM_BLOCK ? place(g, who, p->held.type, came) : OCT_OK;
    case BLOCK_REMOVE:
        *came = remove_looked_at(g, who);
        break;
    default:
        g->refusal = "there is nothing of that name to do";
        *came = OCT_ACT_REFUSED;
    }
    return OCT_OK;
}

oct_result oct_block_act(block_world *g, uint32_t who, const oct_action *action, oct_act *came)
{
    player *const p = player_at(g, who);
    oct_action mirrored = *action;
    *came = OCT_ACT_DONE;
    g->refusal = "";
    switch (action->verb) {
    case OCT_VERB_KEEP:
    case OCT_VERB_COUNT:
        break;
    case OCT_VERB_WAIT:
    case OCT_VERB_MOVE:
        oct_motion_mirror(&g->info, &mirrored);
        *came = move(&p->body, &mirrored);
        break;
    case OCT_VERB_JUMP:
        *came = jump(&p->body);
        break;
    case OCT_VERB_USE:
        *came = use(g, who, action);
        break;
    case OCT_VERB_DO:
        return do_named(g, who, action, came);
    }
    return OCT_OK;
}
