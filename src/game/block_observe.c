// SPDX-License-Identifier: MIT
// What is in range of a player: gathered from the solids, sorted by id, described.
#include "game/block_internal.h"

#include <math.h>

static oct_property number_of(const char *name, double number)
{
    return (oct_property){.name = name, .kind = OCT_VALUE_NUMBER, .number = number};
}

static oct_property bool_of(const char *name, bool is)
{
    return (oct_property){.name = name, .kind = OCT_VALUE_BOOL, .number = is ? 1.0 : 0.0};
}

static const char *held_of(const block_world *g, const player *p)
{
    return p->held.kind == OCT_ITEM_GRINDER  ? "grinder"
           : p->held.kind == OCT_ITEM_WELDER ? "welder"
           : p->held.kind == OCT_ITEM_BLOCK  ? type_at(g, p->held.type)->name
                                             : "";
}

void oct_block_self(const block_world *g, uint32_t who, oct_self *out)
{
    player *const p = player_at(g, who);
    const body *const b = &p->body;
    const double half = OCT_BLOCK_WORLD_HEIGHT / 2.0;
    const oct_point up = b->frame.up, back = b->frame.back;
    const oct_point forward = {-back.x, -back.y, -back.z};
    p->props[SELF_HELD] =
        (oct_property){.name = "held", .kind = OCT_VALUE_TEXT, .text = held_of(g, p)};
    p->props[SELF_PAGE] = number_of("page", p->page);
    p->props[SELF_DAMPENERS] = bool_of("dampeners", b->damps);
    p->props[SELF_BOOTS] = bool_of("boots", b->boots);
    p->props[SELF_WORKS] = bool_of("works", p->works);
    p->props[SELF_GRIND] = number_of("grind", g->rules.grind);
    *out = (oct_self){.tick = g->tick,
                      .id = p->id,
                      .pose = {.position = {b->centre.x - up.x * half, b->centre.y - up.y * half,
                                            b->centre.z - up.z * half},
                               .forward = forward,
                               .up = up},
                      .centre = b->centre,
                      .eye = b->centre,
                      .look = forward,
                      .velocity = b->velocity,
                      .health = 1.0,
                      .stands = b->stands,
                      .flies = b->flies,
                      .ticks = b->ticks,
                      .bumps = b->bumps,
                      .props = p->props,
                      .prop_count = SELF_PROPS};
}

// ---- what is near ----

static oct_bounds moved(oct_bounds box, oct_point by)
{
    return (oct_bounds){{box.min.x + by.x, box.min.y + by.y, box.min.z + by.z},
                        {box.max.x + by.x, box.max.y + by.y, box.max.z + by.z}};
}

// On a grid that stands it is moved by 0, which leaves it as it is: what does not move must not
// seem to.
static oct_bounds box_of(const block_world *g, const block *b)
{
    return b->placed ? moved(b->box, oct_block_offset(rigid_at(g, b->grid))) : b->box;
}

// The box around a capsule.
static oct_bounds box_of_player(const player *p)
{
    const capsule c = oct_body_capsule(&p->body);
    const oct_point to = {fabs(c.axis.x) * c.half + c.radius, fabs(c.axis.y) * c.half + c.radius,
                          fabs(c.axis.z) * c.half + c.radius};
    return (oct_bounds){{c.centre.x - to.x, c.centre.y - to.y, c.centre.z - to.z},
                        {c.centre.x + to.x, c.centre.y + to.y, c.centre.z + to.z}};
}

static double outside(double at, double lo, double hi)
{
    return at < lo ? lo - at : at > hi ? at - hi : 0.0;
}

// A hair more than the radius: a map that decides what is in sight must be told all within it.
static bool is_within(const oct_bounds *box, oct_point at, double radius)
{
    const double x = outside(at.x, box->min.x, box->max.x);
    const double y = outside(at.y, box->min.y, box->max.y);
    const double z = outside(at.z, box->min.z, box->max.z);
    return x * x + y * y + z * z <= radius * radius * (1.0 + 0x1p-40);
}

typedef struct gathering {
    block_world *g;
    oct_point at;
    double radius;
    oct_result result;
} gathering;

static void gather(gathering *x, const oct_bounds *box, near_item item)
{
    if (is_within(box, x->at, x->radius)) {
        x->result = oct_array_push(&x->g->near, &x->g->allocator, sizeof item, &item);
    }
}

static bool gather_block(void *ctx, uint32_t solid)
{
    gathering *const x = ctx;
    const uint32_t index = ((const uint32_t *)x->g->owners.items)[solid];
    const block *const b = block_at(x->g, index);
    const oct_bounds box = box_of(x->g, b);
    gather(x, &box, (near_item){.id = b->id, .index = index});
    return x->result == OCT_OK;
}

static oct_result gather_all(block_world *g, uint32_t who)
{
    gathering x = {g, player_at(g, who)->body.centre, g->info.view, OCT_OK};
    g->near.count = 0;
    // Boxes in the world may come nearer than what they hold.
    const double reach = (x.radius + g->slack) * (1.0 + 0x1p-30) + 0x1p-20;
    oct_solids_near(g->solids, x.at, reach, gather_block, &x);
    for (uint32_t i = 0; i < g->players.count && x.result == OCT_OK; i++) {
        const player *const p = player_at(g, i);
        const oct_bounds box = box_of_player(p);
        if (i != who) {
            gather(&x, &box, (near_item){.id = p->id, .index = i, .is_player = true});
        }
    }
    return x.result;
}

// By id, which no two share: merges runs of 1, 2, 4, ... from one array to the other and back.
static oct_result sort_near(block_world *g)
{
    const size_t count = g->near.count;
    OCT_TRY(oct_array_reserve(&g->near_other, &g->allocator, sizeof(near_item), g->near.capacity));
    for (size_t run = 1; run < count; run *= 2) {
        const near_item *const from = g->near.items;
        near_item *const to = g->near_other.items;
        for (size_t low = 0; low < count; low += 2 * run) {
            const size_t middle = low + run < count ? low + run : count;
            const size_t high = middle + run < count ? middle + run : count;
            size_t a = low, b = middle;
            for (size_t i = low; i < high; i++) {
                const bool first = a < middle && (b == high || from[a].id < from[b].id);
                to[i] = first ? from[a++] : from[b++];
            }
        }
        g->near_other.count = count;
        const oct_array swapped = g->near;
        g->near = g->near_other;
        g->near_other = swapped;
    }
    return OCT_OK;
}

// ---- how it looks ----

static oct_point side_of(const motion_frame *axes, uint8_t side)
{
    const oct_point all[3] = {axes->back, axes->right, axes->up};
    const oct_point axis = all[side / 2];
    const bool is_along =
        side == OCT_SIDE_BACKWARD || side == OCT_SIDE_RIGHT || side == OCT_SIDE_UP;
    return is_along ? axis : (oct_point){-axis.x, -axis.y, -axis.z};
}

// Of a plain box nobody knows which way it faces: its up is the world's.
static void set_facing(const block_world *g, const block *b, oct_entity *e)
{
    if (b->placed) {
        const motion_frame *const axes = &rigid_at(g, b->grid)->axes;
        e->forward = side_of(axes, b->forward);
        e->up = side_of(axes, b->up);
        return;
    }
    e->up = (oct_point){g->up == OCT_UP_X, g->up == OCT_UP_Y, g->up == OCT_UP_Z};
    e->forward = g->up == OCT_UP_Y ? (oct_point){0, 0, -1} : (oct_point){0, 1, 0};
}

static oct_entity_kind kind_of(uint8_t kind)
{
    static const uint8_t kinds[] = {[OCT_KIND_SOLID] = OCT_ENTITY_SOLID,
                                    [OCT_KIND_DOOR] = OCT_ENTITY_DOOR,
                                    [OCT_KIND_PANEL] = OCT_ENTITY_BUTTON,
                                    [OCT_KIND_TIMER] = OCT_ENTITY_SOLID,
                                    [OCT_KIND_TARGET] = OCT_ENTITY_GOAL};
    _Static_assert(sizeof kinds == OCT_KIND_COUNT, "a kind for each");
    return (oct_entity_kind)kinds[kind];
}

// What can be done to a panel: its buttons are pressed.
static const char *const *uses_of(uint32_t buttons)
{
#define EIGHT "press", "press", "press", "press", "press", "press", "press", "press"
    static const char *const presses[] = {EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};
    _Static_assert(sizeof presses / sizeof *presses == OCT_WORLD_BUTTONS_MAX, "one for each");
#undef EIGHT
    return buttons > 0 ? presses : NULL;
}

// Written in place: an entity is large, and an observation has many.
static void tell_block(const block_world *g, block *b, oct_entity *e)
{
    const oct_world_type *const type = type_at(g, b->type);
    const bool is_door = b->kind == OCT_KIND_DOOR;
    const bool is_open = is_door ? b->is.door.opened == g->door_ticks : b->passable;
    b->props[0] = number_of("integrity", b->integrity);
    b->props[1] = number_of("whole", type->integrity);
    *e = (oct_entity){0};
    e->thing.id = b->id;
    e->thing.box = box_of(g, b);
    e->thing.opaque = !is_open && type->opaque;
    e->thing.tag = (uint16_t)b->type;
    e->name = b->name;
    e->type = type->name;
    e->kind = kind_of(b->kind);
    e->opening = is_door ? b->is.door.opened / (double)g->door_ticks : 0.0;
    e->uses = uses_of(type->buttons);
    e->use_count = type->buttons;
    e->harm = OCT_NOT_TOLD;
    e->props = b->props;
    e->prop_count = 2;
    e->thing.label = (uint8_t)oct_entity_label(e, is_door || !b->passable);
    set_facing(g, b, e);
    if (b->placed) {
        const rigid *const r = rigid_at(g, b->grid);
        e->velocity = oct_block_drift(r);
        e->whole = r->step > 0.0 ? (uint64_t)b->grid + 1 : 0;
    }
}

// A block on a turned grid is a turned box.
static oct_piece piece_of(const block_world *g, const block *b, const oct_entity *e)
{
    const rigid *const r = rigid_at(g, b->grid);
    const oct_bounds home = oct_block_home(g, b);
    const oct_point half = {(home.max.x - home.min.x) / 2.0, (home.max.y - home.min.y) / 2.0,
                            (home.max.z - home.min.z) / 2.0};
    const oct_point middle = {home.min.x + half.x, home.min.y + half.y, home.min.z + half.z};
    oct_piece piece = {.kind = OCT_PIECE_OBB,
                       .box = e->thing.box,
                       .centre = oct_solids_to_world(g->solids, frame_of(b), middle),
                       .half = half};
    memcpy(piece.turn, r->turn, sizeof piece.turn);
    return piece;
}

// Players are OPEN: they pass through each other, and a map on which they blocked would keep one
// from planning a way past another who is gone before one gets there.
static oct_entity entity_of_player(const block_world *g, uint32_t index)
{
    const player *const p = player_at(g, index);
    const oct_point back = p->body.frame.back;
    return (oct_entity){.thing = {.id = p->id,
                                  .box = box_of_player(p),
                                  .label = OCT_OPEN,
                                  .opaque = false,
                                  .tag = UINT16_MAX},
                        .name = "",
                        .type = "",
                        .kind = OCT_ENTITY_PLAYER,
                        .forward = {-back.x, -back.y, -back.z},
                        .up = p->body.frame.up,
                        .velocity = p->body.velocity,
                        .harm = OCT_NOT_TOLD};
}

// ---- observing ----

// Blocks on turned grids have shapes: there is room for all of them.
static void set_shape(block_world *g, const block *b, oct_entity *e)
{
    if (b->placed && rigid_at(g, b->grid)->is_turned) {
        oct_piece *const piece = (oct_piece *)g->pieces.items + g->pieces.count++;
        *piece = piece_of(g, b, e);
        e->shape = (oct_shape){piece, 1};
    }
}

static oct_result describe_near(block_world *g)
{
    const near_item *const near = g->near.items;
    const size_t room = g->near.capacity;
    OCT_TRY(oct_array_reserve(&g->entities, &g->allocator, sizeof(oct_entity), room));
    if (g->has_turned) {
        OCT_TRY(oct_array_reserve(&g->pieces, &g->allocator, sizeof(oct_piece), room));
    }
    g->pieces.count = 0;
    oct_entity *const entities = g->entities.items;
    for (size_t i = 0; i < g->near.count; i++) {
        if (near[i].is_player) {
            entities[i] = entity_of_player(g, near[i].index);
            continue;
        }
        block *const b = block_at(g, near[i].index);
        tell_block(g, b, &entities[i]);
        if (g->has_turned) {
            set_shape(g, b, &entities[i]);
        }
    }
    return OCT_OK;
}

oct_result oct_block_observe(block_world *g, uint32_t who, oct_observation *out)
{
    OCT_TRY(gather_all(g, who));
    OCT_TRY(sort_near(g));
    OCT_TRY(describe_near(g));
    *out = (oct_observation){.entities = g->entities.items, .count = g->near.count};
    oct_block_self(g, who, &out->self);
    return OCT_OK;
}
