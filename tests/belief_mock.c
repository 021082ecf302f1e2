// SPDX-License-Identifier: MIT
#include "belief_mock.h"

#include <string.h>

static const oct_point places[MOCK_PLACES] = {{5, 0, 0}, {-5, 0, 0}, {40, 0, 0}, {-40, 0, 0}};

static void destroy(void *self)
{
    (void)self;
}

static const oct_game_info *describe(const void *self)
{
    return &((const mock *)self)->info;
}

static uint32_t players(const void *self)
{
    (void)self;
    return 1;
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    (void)self, (void)pose, (void)who;
    return OCT_ERROR_RANGE;
}

static oct_entity slab(void)
{
    return (oct_entity){.thing = {.id = MOCK_SLAB_ID,
                                  .box = {{-0.5, -60, -60}, {0.5, 60, 60}},
                                  .label = OCT_BLOCKED,
                                  .opaque = true,
                                  .tag = MOCK_SLAB},
                        .name = "slab",
                        .type = "slab",
                        .forward = {0, 0, -1},
                        .up = {0, 1, 0}};
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    (void)who;
    mock *const m = self;
    size_t count = 0;
    for (int i = 0; i < MOCK_THINGS; i++) {
        if (m->things[i].there) {
            m->seen[count++] = m->things[i].e;
        }
    }
    m->seen[count++] = slab();
    *out = (oct_observation){.self = m->self, .entities = m->seen, .count = count};
    return OCT_OK;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    (void)who;
    *out = ((const mock *)self)->self;
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    (void)self, (void)who, (void)action, (void)came;
    return OCT_ERROR_ARGUMENT;
}

static oct_result step(void *self, uint32_t ticks)
{
    ((mock *)self)->self.tick += ticks;
    return OCT_OK;
}

static uint64_t tick(const void *self)
{
    return ((const mock *)self)->self.tick;
}

void mock_be(oct_entity *e, int type)
{
    static const char *const names[MOCK_TYPES] = {"plain", "other", "door", "panel", "slab"};
    static const char *const uses[] = {"press", "press"};
    e->type = names[type];
    e->kind = type == MOCK_DOOR    ? OCT_ENTITY_DOOR
              : type == MOCK_PANEL ? OCT_ENTITY_BUTTON
                                   : OCT_ENTITY_SOLID;
    e->uses = uses;
    e->use_count = type == MOCK_PANEL ? 2 : 0;
}

void mock_init(mock *m, oct_sight sight)
{
    static const oct_game_ops ops = {.destroy = destroy,
                                     .describe = describe,
                                     .players = players,
                                     .join = join,
                                     .observe = observe,
                                     .self = self_of,
                                     .act = act,
                                     .step = step,
                                     .tick = tick,
                                     .hash = tick};
    *m = (mock){.game = {&ops}, .info = oct_game_info_default()};
    m->info.game = "mock";
    m->info.slide = 60;
    m->info.sight = sight;
    for (int i = 0; i < MOCK_THINGS; i++) {
        m->things[i].e = (oct_entity){.thing = {.id = 10 + (uint64_t)i, .label = OCT_BLOCKED},
                                      .name = "",
                                      .forward = {0, 0, -1},
                                      .up = {0, 1, 0}};
        mock_be(&m->things[i].e, MOCK_PLAIN);
    }
    mock_stand(m, 0);
}

void mock_put(mock *m, int thing, int place, uint32_t slot)
{
    mock_thing *const t = &m->things[thing];
    const oct_point at = {places[place].x + (slot % 3 - 1.0) * 1.5,
                          (slot / 3 % 2 ? -4.0 : 4.0), // beside the player, who stands at 0 0
                          (slot / 6 % 3 - 1.0) * 4.0};
    t->there = true;
    t->place = place;
    t->e.thing.box =
        (oct_bounds){{at.x - 0.5, at.y - 0.5, at.z - 0.5}, {at.x + 0.5, at.y + 0.5, at.z + 0.5}};
}

bool mock_sees(const mock *m, int from, int to)
{
    const bool is_near = from < 2 && to < 2;
    return from == to || (is_near && m->info.sight == OCT_SIGHT_THROUGH);
}

void mock_stand(mock *m, int place)
{
    m->place = place;
    m->self.centre = m->self.eye = places[place];
}

oct_belief *mock_belief(const mock *m, const oct_allocator *allocator)
{
    oct_belief_def def = oct_belief_def_default();
    def.info = &m->info;
    def.cell = 2.0;
    def.padding = 2.0;
    def.settle = 60;
    def.allocator = allocator;
    oct_belief *belief;
    const oct_result result = oct_belief_create(&def, &belief);
    assert_true(result == OCT_OK || (allocator && result == OCT_ERROR_MEMORY));
    return belief;
}

static bool is_point(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool mock_is_thing(const oct_thing *a, const oct_thing *b)
{
    return a->id == b->id && a->label == b->label && a->opaque == b->opaque && a->tag == b->tag &&
           is_point(a->box.min, b->box.min) && is_point(a->box.max, b->box.max);
}

bool mock_is_entity(const oct_entity *a, const oct_entity *b)
{
    return mock_is_thing(&a->thing, &b->thing) && strcmp(a->name, b->name) == 0 &&
           strcmp(a->type, b->type) == 0 &&
           oct_props_are_equal(a->props, a->prop_count, b->props, b->prop_count) &&
           a->opening == b->opening && is_point(a->forward, b->forward) && is_point(a->up, b->up) &&
           is_point(a->velocity, b->velocity);
}
