// SPDX-License-Identifier: MIT
#include "link_mock.h"

#include "base/base_internal.h"
#include "link/link_entity.h"

#include <math.h>
#include <stdio.h>

#define PLAYERS_MAX 4

typedef struct mock {
    oct_game game; // first
    oct_allocator allocator;
    oct_game_info info;
    oct_player_body body;
    uint64_t seed;
    uint32_t things;
    bool is_small; // told in numbers of few digits, which are quick to write and to read
    size_t parts_total, parts_page;
    uint64_t tick, bumps;
    uint32_t players;
    oct_point at[PLAYERS_MAX], move[PLAYERS_MAX];
    uint32_t left[PLAYERS_MAX];
    uint64_t told_events[PLAYERS_MAX];
    uint32_t presses;
    bool crouches;
    char refusal[64], text[32];
    oct_entity *entities;
    oct_piece pieces[2];
    oct_point hull[5];
    oct_bounds stops[2];
    oct_property props[3], own_props[2];
    oct_event events[2];
    oct_scenery_part *parts;
    oct_piece *part_pieces;
    uint32_t triangles[6];
} mock;

static const char *const uses[] = {"left", "ri\"ght\n"};
static const char *const verbs[] = {"move", "use", "jump", "crouch"};
static const char *const doubts[] = {"Walker is a player: the only body with a camera",
                                     "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"};

static void destroy(void *self)
{
    mock *const m = self;
    const oct_allocator own = m->allocator;
    oct_free(&own, m->entities, (m->things + 1u) * sizeof *m->entities);
    oct_free(&own, m->parts, m->parts_page * sizeof *m->parts);
    oct_free(&own, m->part_pieces, m->parts_page * sizeof *m->part_pieces);
    oct_free(&own, m, sizeof *m);
}

static const oct_game_info *describe(const void *self)
{
    return &((const mock *)self)->info;
}

static uint32_t players(const void *self)
{
    return ((const mock *)self)->players;
}

static oct_result join(void *self, const oct_pose *pose, uint32_t *who)
{
    mock *const m = self;
    if (m->players == PLAYERS_MAX) {
        return OCT_ERROR_RANGE;
    }
    *who = m->players++;
    m->at[*who] = pose ? pose->position : (oct_point){0.1, 0.2, 0.3};
    return OCT_OK;
}

static const oct_player_body *body(const void *self, uint32_t who)
{
    (void)who;
    return &((const mock *)self)->body;
}

// A number as it is told.
static double told(const mock *m, double value)
{
    return m->is_small ? floor(value * 8.0) / 8.0 : value;
}

static oct_result self_of(void *self, uint32_t who, oct_self *out)
{
    mock *const m = self;
    const double turn = m->is_small ? 0.0 : (double)m->tick * 0.01;
    const double c = cos(turn), s = sin(turn);
    *out = (oct_self){.tick = m->tick,
                      .id = UINT64_C(0xfedcba9876543210) + who,
                      .pose = {m->at[who], {c, 0.0, s}, {-0.0, 1.0, 0.0}},
                      .look = {c, 0.0, s},
                      .velocity = m->move[who],
                      .health = 1.0 / (1.0 + (double)m->presses),
                      .stands = m->tick % 2 == 0,
                      .flies = m->tick % 3 == 0,
                      .on = m->tick % 5 == 0 ? UINT64_C(1) << 63 : 0,
                      .ticks = m->left[who],
                      .bumps = m->bumps,
                      .props = m->own_props,
                      .prop_count = 2};
    const double high = m->crouches ? 1.0 : m->body.height;
    out->centre = m->at[who];
    out->centre.y += high / 2.0;
    out->eye = m->at[who];
    out->eye.y += 0.9 * high; // not quite what follows from the description
    m->own_props[0] = (oct_property){"sco\\re", OCT_VALUE_NUMBER, 1e-300 * turn, NULL};
    m->own_props[1] = (oct_property){"key", OCT_VALUE_BOOL, m->tick % 2 == 1 ? 1.0 : 0.0, NULL};
    return OCT_OK;
}

static oct_bounds box_at(double x, double y, double z, double half)
{
    return (oct_bounds){{x - half, y - half, z - half}, {x + half, y + half, z + half}};
}

// One of each kind, again and again; some move, some rest, every seventh is away now and then.
static void make_entity(mock *m, uint32_t i, oct_entity *e)
{
    const double phase = (double)(i % 3 == 0 ? m->tick : 0) * 0.1 + i;
    const double x = told(m, sin(phase) * 5.0), z = told(m, cos(phase) * 5.0 + 0.1 * i);
    *e = oct_link_entity_default(&m->info);
    e->thing.id = i % 11 == 10 ? (UINT64_C(1) << 63) + i : 100 + i;
    e->thing.box = box_at(x, told(m, 1.0 / 3.0), z, 0.25 + told(m, 0.01 * i));
    e->kind = (oct_entity_kind)(i % OCT_ENTITY_COUNT);
    e->name = i % 2 ? "Door/\"7\"" : "";
    e->type = "t\xc3\xbcr";
    e->thing.opaque = i % 4 != 0;
    e->thing.label = i % 6 == 5 ? OCT_OPEN : OCT_BLOCKED;
    e->velocity = (oct_point){x, -0.0, z};
    if (e->kind == OCT_ENTITY_DOOR) {
        e->opening = (double)(m->presses % 5) / 4.0;
        e->has_gap = i % 4 == 1;
        e->gap = box_at(x, 0.0, z, 0.5);
        e->meets = (oct_meets)(m->presses % 4);
        e->thing.label = e->opening >= 1.0 && i % 8 != 1 ? OCT_OPEN : OCT_BLOCKED;
        // A leaf that has left its box hides nothing.
        e->thing.opaque = e->thing.opaque && (e->has_gap || e->opening < 1.0);
        e->shape = (oct_shape){&m->pieces[0], 1 + i % 2};
        e->whole = i;
    } else if (e->kind == OCT_ENTITY_BUTTON) {
        e->uses = uses;
        e->use_count = 2;
        e->props = m->props;
        e->prop_count = 3;
    } else if (e->kind == OCT_ENTITY_HAZARD) {
        e->harm = 0.5;
        e->shape = (oct_shape){&m->pieces[1], 1};
        e->thing.tag = 7;
    } else if (e->kind == OCT_ENTITY_MOVER) {
        e->stops = m->stops;
        e->stop_count = 1 + m->presses % 2;
    }
    for (size_t j = 0; j < e->shape.count; j++) {
        e->thing.box = oct_link_join_boxes(e->thing.box, e->shape.pieces[j].box);
    }
}

static int by_id(const void *a, const void *b)
{
    const uint64_t x = ((const oct_entity *)a)->thing.id, y = ((const oct_entity *)b)->thing.id;
    return x < y ? -1 : x > y;
}

static void make_shared(mock *m)
{
    const double part = m->is_small ? 0.0 : (double)(m->tick % 7) * 0.01;
    const double c = cos(part), s = sin(part);
    m->pieces[0] = (oct_piece){.kind = OCT_PIECE_OBB,
                               .centre = {1.0, 2.0, 3.0},
                               .half = {0.1, 0.2, 0.3},
                               .turn = {0.0, s, 0.0, c}};
    m->pieces[0].box = oct_link_piece_box(&m->pieces[0]);
    for (uint32_t i = 0; i < 5; i++) {
        m->hull[i] = (oct_point){told(m, i * 0.3), i == 4 ? 1.0 : 0.0, (i % 2) * (1.0 + part)};
    }
    m->pieces[1] = (oct_piece){.kind = OCT_PIECE_HULL, .points = m->hull, .point_count = 5};
    m->pieces[1].box = oct_link_piece_box(&m->pieces[1]);
    m->stops[0] = box_at(0.0, 0.0, 0.0, 1.0);
    m->stops[1] = box_at(0.0, 9.0, 0.0, 1.0);
    snprintf(m->text, sizeof m->text, "pressed\t%u", (unsigned)m->presses);
    m->props[0] = (oct_property){"presses", OCT_VALUE_NUMBER, m->presses * 0.1, NULL};
    m->props[1] = (oct_property){"text", OCT_VALUE_TEXT, 0.0, m->text};
    m->props[2] = (oct_property){"lit", OCT_VALUE_BOOL, m->presses % 2, NULL};
}

static oct_result observe(void *self, uint32_t who, oct_observation *out)
{
    mock *const m = self;
    size_t count = 0;
    *out = (oct_observation){.entities = m->entities};
    (void)self_of(m, who, &out->self);
    make_shared(m);
    for (uint32_t i = 0; i < m->things; i++) {
        if (i % 7 != 6 || m->tick / 40 % 2 == 0) {
            make_entity(m, i, &m->entities[count++]);
        }
    }
    qsort(m->entities, count, sizeof *m->entities, by_id);
    out->count = count;
    if (m->presses > m->told_events[who]) {
        m->told_events[who] = m->presses;
        m->events[0] = (oct_event){m->tick, "said", 103, "click \"\xe2\x82\xac\"\n"};
        m->events[1] = (oct_event){m->tick, "hurt", 0, ""};
        out->events = m->events;
        out->event_count = 2;
    }
    out->over = m->presses > 8 ? OCT_OVER_WON : OCT_OVER_NOT;
    return OCT_OK;
}

static oct_result scenery(void *self, size_t from, oct_scenery_page *out)
{
    mock *const m = self;
    static const oct_point corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 1, 1}};
    for (size_t i = 0; i < m->parts_page; i++) {
        oct_piece *const piece = &m->part_pieces[i];
        *piece = (oct_piece){.kind = OCT_PIECE_BOX};
        piece->box = box_at(told(m, (double)(from + i) / 3.0), -1.0, 0.0, 0.5);
        if (i % 5 == 1) {
            *piece = (oct_piece){.kind = OCT_PIECE_TRIANGLES,
                                 .points = corners,
                                 .point_count = 4,
                                 .triangles = m->triangles,
                                 .triangle_count = 2};
            piece->box = oct_link_piece_box(piece);
        }
        m->parts[i] = (oct_scenery_part){.id = 100000 + from + i,
                                         .name = i % 3 ? "Floor" : "",
                                         .shape = {piece, 1},
                                         .solid = i % 7 != 0,
                                         .opaque = i % 9 != 0};
    }
    const size_t next = from + m->parts_page;
    *out = (oct_scenery_page){m->parts, m->parts_page, next < m->parts_total ? next : 0};
    return OCT_OK;
}

static oct_result act(void *self, uint32_t who, const oct_action *action, oct_act *came)
{
    mock *const m = self;
    *came = OCT_ACT_DONE;
    m->refusal[0] = '\0';
    switch (action->verb) {
    case OCT_VERB_WAIT:
        m->left[who] = 0;
        break;
    case OCT_VERB_MOVE:
        m->move[who] = action->move;
        m->left[who] = action->ticks;
        break;
    case OCT_VERB_USE:
        m->presses += action->target % 2;
        *came = action->target % 2 ? OCT_ACT_DONE : OCT_ACT_TOO_FAR;
        break;
    case OCT_VERB_DO:
        m->crouches = action->on;
        *came = action->number > 5.0 ? OCT_ACT_REFUSED : OCT_ACT_DONE;
        snprintf(m->refusal, sizeof m->refusal, "%s",
                 action->number > 5.0 ? "that is \"too\" much" : "");
        break;
    default:
        *came = OCT_ACT_NOT_NOW;
    }
    return OCT_OK;
}

static const char *refusal(const void *self)
{
    return ((const mock *)self)->refusal;
}

static oct_result step(void *self, uint32_t ticks)
{
    mock *const m = self;
    for (uint32_t i = 0; i < ticks; i++) {
        m->tick++;
        m->bumps += m->tick % 13 == 0;
        for (uint32_t who = 0; who < m->players; who++) {
            if (m->left[who] > 0) {
                m->left[who]--;
                m->at[who].x += m->move[who].x / 7.0;
                m->at[who].y += m->move[who].y / 7.0;
                m->at[who].z += m->move[who].z / 7.0;
            }
        }
    }
    return OCT_OK;
}

static uint64_t tick_of(const void *self)
{
    return ((const mock *)self)->tick;
}

static uint64_t hash_of(const void *self)
{
    const mock *const m = self;
    uint64_t words[PLAYERS_MAX * 3 + 3] = {m->tick, m->presses, m->seed};
    memcpy(&words[3], m->at, sizeof m->at);
    return oct_hash_words(words, sizeof words / sizeof *words);
}

static void begin(mock *m, const oct_game_start *start)
{
    m->tick = m->bumps = m->presses = 0;
    m->players = 1;
    m->crouches = false;
    m->seed = start->seed;
    memset(m->left, 0, sizeof m->left);
    memset(m->told_events, 0, sizeof m->told_events);
    memset(m->move, 0, sizeof m->move);
    m->at[0] = start->start_count > 0 ? start->starts[0].position : (oct_point){0.0, -0.0, 1e-7};
    m->info.view = start->view > 0.0 ? start->view : 17.3;
    m->info.sight = start->has_sight ? start->sight : OCT_SIGHT_LINE;
    m->info.level = start->level && strcmp(start->level, "two") == 0 ? "two" : "one";
    m->at[0].x += oct_property_number(start->options, start->option_count, "shift", 0.0);
}

static oct_result reset(void *self, const oct_game_start *start)
{
    if (start->level && strcmp(start->level, "none") == 0) {
        return OCT_ERROR_RANGE;
    }
    begin(self, start);
    return OCT_OK;
}

oct_result mock_game(uint64_t seed, uint32_t things, const oct_allocator *allocator, oct_game **out)
{
    static const oct_game_ops ops = {.destroy = destroy,
                                     .describe = describe,
                                     .players = players,
                                     .join = join,
                                     .body = body,
                                     .observe = observe,
                                     .self = self_of,
                                     .scenery = scenery,
                                     .act = act,
                                     .refusal = refusal,
                                     .step = step,
                                     .tick = tick_of,
                                     .hash = hash_of,
                                     .reset = reset};
    const oct_allocator own = oct_allocator_or_default(allocator);
    mock *const m = oct_alloc(&own, sizeof *m, _Alignof(mock));
    *out = NULL;
    if (!m) {
        return OCT_ERROR_MEMORY;
    }
    // Small games are for fuzzing: they have few parts as well, and plain numbers.
    *m = (mock){.game = {&ops},
                .allocator = own,
                .things = things,
                .is_small = things < 5,
                .parts_total = things < 5 ? 6 : 2500,
                .parts_page = things < 5 ? 3 : 500,
                .triangles = {0, 1, 2, 2, 1, 3}};
    m->entities = oct_alloc(&own, (things + 1u) * sizeof *m->entities, _Alignof(oct_entity));
    m->parts = oct_alloc(&own, m->parts_page * sizeof *m->parts, _Alignof(oct_scenery_part));
    m->part_pieces = oct_alloc(&own, m->parts_page * sizeof *m->part_pieces, _Alignof(oct_piece));
    if (!m->entities || !m->parts || !m->part_pieces) {
        destroy(m);
        return OCT_ERROR_MEMORY;
    }
    m->info = oct_game_info_default();
    m->info.game = "mock";
    m->info.rate = 50.0;
    m->info.up = OCT_UP_Y;
    m->info.left_handed = true;
    m->info.metre = 1.0 / 0.3048;
    m->info.fov = 1.9;
    m->info.gravity = (oct_point){0.0, -9.81, 0.0};
    m->info.promises = 1u << OCT_ASSUME_CAUSES | 1u << OCT_ASSUME_TOGGLES;
    m->info.denies = 1u << OCT_ASSUME_MEMORY;
    m->info.settle = 777;
    m->info.has_settle = true;
    m->info.slide = 33;
    m->info.repeats = m->info.can_reset = true;
    m->info.has_bounds = true;
    m->info.bounds = box_at(0.0, 0.0, 0.0, 100.1);
    m->info.doubts = doubts;
    m->info.doubt_count = 2;
    m->body = oct_player_body_default();
    m->body.speed = 4.3;
    m->body.acceleration = 1.0 / 3.0;
    m->body.brakes_axes = m->body.uses_all_around = true;
    m->body.step = 0.31;
    m->body.jump = 4.5;
    m->body.verbs = verbs;
    m->body.verb_count = 4;
    begin(m, &(oct_game_start){.seed = seed});
    *out = &m->game;
    return OCT_OK;
}

// ---- hosts and links ----

static oct_result make(void *ctx, oct_game **out)
{
    mock_host *const host = ctx;
    host->made++;
    return mock_game(host->seed, host->things, host->allocator, out);
}

link_host mock_link_host(mock_host *host)
{
    return (link_host){.make = make, .ctx = host};
}

static uint64_t no_clock(void *ctx)
{
    (void)ctx;
    return 0;
}

static link_status wire_read(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    mock_wire *const w = ctx;
    (void)until;
    const size_t left = w->answers.count - w->taken;
    size_t count = left < room ? left : room;
    count = w->chunk > 0 && w->chunk < count ? w->chunk : count;
    if (count == 0) {
        return LINK_CLOSED;
    }
    memcpy(buffer, (const char *)w->answers.items + w->taken, count);
    w->taken += count;
    *got = count;
    return LINK_FINE;
}

static link_status wire_write(void *ctx, const void *bytes, size_t size, uint64_t until)
{
    mock_wire *const w = ctx;
    const oct_allocator heap = oct_allocator_default();
    const char *answer;
    size_t count;
    (void)until;
    if (w->is_closed) {
        return LINK_CLOSED;
    }
    w->is_closed = !oct_link_server_answer(w->server, bytes, size - 1, &answer, &count);
    w->answers.count = w->taken = 0;
    if (oct_array_reserve(&w->answers, &heap, 1, count + 1) != OCT_OK) {
        return LINK_NO_MEMORY;
    }
    memcpy(w->answers.items, answer, count);
    w->answers.count = count;
    return LINK_FINE;
}

link_carrier mock_wire_carrier(mock_wire *wire)
{
    return (link_carrier){wire_read, wire_write, no_clock, wire};
}

oct_result mock_wire_open(mock_wire *wire, const link_host *host, const oct_allocator *allocator)
{
    *wire = (mock_wire){.taken = 0};
    OCT_TRY(oct_link_server_create(host, allocator, &wire->server));
    const oct_result result = oct_link_server_greet(wire->server);
    if (result != OCT_OK) {
        mock_wire_close(wire);
    }
    return result;
}

void mock_wire_close(mock_wire *wire)
{
    const oct_allocator heap = oct_allocator_default();
    oct_link_server_destroy(wire->server);
    oct_array_free(&wire->answers, &heap, 1);
    wire->server = NULL;
}

// ---- scripts ----

static link_status script_read(void *ctx, void *buffer, size_t room, uint64_t until, size_t *got)
{
    mock_script *const s = ctx;
    (void)until;
    const size_t left = s->size - s->taken, count = left < room ? left : room;
    if (count == 0) {
        return s->is_silent ? LINK_SILENT : LINK_CLOSED;
    }
    memcpy(buffer, s->out + s->taken, count);
    s->taken += count;
    *got = count;
    return LINK_FINE;
}

static link_status script_write(void *ctx, const void *bytes, size_t size, uint64_t until)
{
    mock_script *const s = ctx;
    unsigned long long n = 0;
    (void)until;
    const size_t kept = size < sizeof s->asked - 1 ? size : sizeof s->asked - 1;
    memcpy(s->asked, bytes, kept);
    s->asked[kept] = '\0';
    sscanf(s->asked, "{\"n\":%llu", &n);
    s->size = s->taken = 0;
    if (s->next == s->count) {
        return LINK_FINE;
    }
    for (const char *at = s->lines[s->next++]; *at; at++) {
        if (at[0] == '$' && at[1] == 'n') {
            s->size += (size_t)snprintf(s->out + s->size, 24, "%llu", n);
            at++;
        } else {
            s->out[s->size++] = *at;
        }
    }
    s->out[s->size++] = '\n';
    return LINK_FINE;
}

link_carrier mock_script_carrier(mock_script *script)
{
    return (link_carrier){script_read, script_write, no_clock, script};
}

// ---- comparing ----

#define SAME(what, condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "differs: %s\n", what);                                                \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_props(const oct_property *a, size_t a_count, const oct_property *b, size_t b_count)
{
    oct_entity x = {.props = a, .prop_count = a_count}, y = {.props = b, .prop_count = b_count};
    return !(oct_link_entity_differs(&x, &y) >> LINK_PROPS & 1u);
}

static bool same_self(const oct_self *a, const oct_self *b)
{
    SAME("self.tick", a->tick == b->tick);
    SAME("self.id", a->id == b->id);
    SAME("self.pose", same_bytes(&a->pose, &b->pose, sizeof a->pose));
    SAME("self.centre", same_bytes(&a->centre, &b->centre, sizeof a->centre));
    SAME("self.eye", same_bytes(&a->eye, &b->eye, sizeof a->eye));
    SAME("self.look", same_bytes(&a->look, &b->look, sizeof a->look));
    SAME("self.velocity", same_bytes(&a->velocity, &b->velocity, sizeof a->velocity));
    SAME("self.health", same_bytes(&a->health, &b->health, sizeof a->health));
    SAME("self.stands", a->stands == b->stands && a->flies == b->flies);
    SAME("self.on", a->on == b->on);
    SAME("self.ticks", a->ticks == b->ticks && a->bumps == b->bumps);
    SAME("self.props", same_props(a->props, a->prop_count, b->props, b->prop_count));
    return true;
}

bool mock_same_observation(const oct_observation *a, const oct_observation *b)
{
    SAME("self", same_self(&a->self, &b->self));
    SAME("count", a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        SAME("entity id", a->entities[i].thing.id == b->entities[i].thing.id);
        SAME("entity label", a->entities[i].thing.label == b->entities[i].thing.label);
        const uint32_t fields = oct_link_entity_differs(&a->entities[i], &b->entities[i]);
        if (fields != 0) {
            fprintf(stderr, "differs: entity %zu, fields %lx\n", i, (unsigned long)fields);
            return false;
        }
    }
    SAME("events", a->event_count == b->event_count);
    for (size_t i = 0; i < a->event_count; i++) {
        SAME("event", a->events[i].tick == b->events[i].tick && a->events[i].id == b->events[i].id);
        SAME("event what", same_text(a->events[i].what, b->events[i].what));
        SAME("event text", same_text(a->events[i].text, b->events[i].text));
    }
    SAME("over", a->over == b->over);
    SAME("scene", a->scene == b->scene);
    return true;
}

bool mock_same_info(const oct_game_info *a, const oct_game_info *b)
{
    SAME("names", same_text(a->game, b->game) && same_text(a->level, b->level));
    SAME("rate", a->rate == b->rate && a->up == b->up && a->left_handed == b->left_handed);
    SAME("metre", a->metre == b->metre && a->view == b->view && a->sight == b->sight);
    SAME("fov", a->fov == b->fov && same_bytes(&a->gravity, &b->gravity, sizeof a->gravity));
    SAME("delay", a->delay_min == b->delay_min && a->delay_max == b->delay_max);
    SAME("runs", a->runs == b->runs && a->promises == b->promises && a->denies == b->denies);
    SAME("settle", a->settle == b->settle && a->has_settle == b->has_settle);
    SAME("slide", a->slide == b->slide && a->repeats == b->repeats);
    SAME("reset", a->can_reset == b->can_reset && a->has_bounds == b->has_bounds);
    SAME("bounds", same_bytes(&a->bounds, &b->bounds, sizeof a->bounds));
    SAME("doubts", a->doubt_count == b->doubt_count);
    for (size_t i = 0; i < a->doubt_count; i++) {
        SAME("doubt", same_text(a->doubts[i], b->doubts[i]));
    }
    return true;
}

bool mock_same_body(const oct_player_body *a, const oct_player_body *b)
{
    oct_player_body x = *a, y = *b;
    SAME("verbs", a->verb_count == b->verb_count);
    for (size_t i = 0; i < a->verb_count; i++) {
        SAME("verb", same_text(a->verbs[i], b->verbs[i]));
    }
    SAME("words", a->shape == b->shape && a->tumbles == b->tumbles && a->gait == b->gait);
    SAME("control", a->control == b->control && a->brakes_axes == b->brakes_axes &&
                        a->uses_all_around == b->uses_all_around && a->weighs == b->weighs);
    const double *const p[] = {&x.height, &x.width, &x.eye,  &x.speed, &x.acceleration, &x.brake,
                               &x.turn,   &x.reach, &x.walk, &x.step,  &x.slope,        &x.jump,
                               &x.climb,  &x.leap,  &x.air,  &x.fall,  &x.hurts,        &x.low};
    const double *const q[] = {&y.height, &y.width, &y.eye,  &y.speed, &y.acceleration, &y.brake,
                               &y.turn,   &y.reach, &y.walk, &y.step,  &y.slope,        &y.jump,
                               &y.climb,  &y.leap,  &y.air,  &y.fall,  &y.hurts,        &y.low};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        SAME("body", same_bytes(p[i], q[i], sizeof(double)));
    }
    return true;
}

bool mock_same_page(const oct_scenery_page *a, const oct_scenery_page *b)
{
    SAME("parts", a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        const oct_scenery_part *const p = &a->parts[i], *const q = &b->parts[i];
        SAME("part", p->id == q->id && p->solid == q->solid && p->opaque == q->opaque);
        SAME("part name", same_text(p->name, q->name));
        SAME("part shape", oct_link_same_shape(&p->shape, &q->shape));
    }
    return true;
}
