// SPDX-License-Identifier: MIT
#include "proof_scene.h"
#include "game_words.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.25
#define RADIUS 0.498

// ---- the world ----

uint32_t proof_scene_add(proof_scene *s, uint64_t id, oct_entity_kind kind, oct_bounds box)
{
    static const char *const uses[SCENE_BUTTONS] = {NULL};
    const uint32_t at = s->thing_count++;
    s->things[at] = (oct_entity){
        .thing = {.id = id, .box = box, .label = OCT_BLOCKED, .opaque = true},
        .name = "",
        .type = "",
        .kind = kind,
        .forward = {1, 0, 0},
        .up = {0, 0, 1},
        .uses = uses,
        .use_count = kind == OCT_ENTITY_BUTTON ? SCENE_BUTTONS : 0,
    };
    return at;
}

static void add_wall(proof_scene *s, double x0, double y0, double z0, double x1, double y1,
                     double z1)
{
    (void)proof_scene_add(s, 1 + s->thing_count, OCT_ENTITY_SOLID,
                          (oct_bounds){{x0, y0, z0}, {x1, y1, z1}});
}

static void add_doorway(proof_scene *s, double x, bool has_door)
{
    add_wall(s, x, 0, 0, x + 0.5, 1, 2);
    add_wall(s, x, 2.5, 0, x + 0.5, 3, 2);
    if (!has_door) {
        add_wall(s, x, 1, 0, x + 0.5, 2.5, 2);
        return;
    }
    s->doors[s->door_count] = proof_scene_add(s, SCENE_DOOR_ID + s->door_count, OCT_ENTITY_DOOR,
                                              (oct_bounds){{x, 1, 0}, {x + 0.5, 2.5, 2}});
    s->door_count++;
}

static void describe(proof_scene *s)
{
    oct_game_info *const info = &s->log.info;
    oct_player_body body = flying_body();
    body.reach = 1.0;
    body.speed = 1.0;
    info->rate = 60.0;
    info->slide = 6;
    info->has_settle = true;
    info->promises = 1u << OCT_ASSUME_CAUSES;
    info->repeats = true;
    info->has_bounds = true;
    info->bounds = (oct_bounds){{-1.5, -1.5, -1.5}, {12.5, 4.5, 3.5}};
    s->starts[0] = (oct_log_start){.centre = {2, 1.5, 1}, .body = body};
    s->log.starts = s->starts;
    s->log.start_count = 1;
    s->log.things = s->versions;
    s->log.looks = s->looks;
    s->log.changes = s->changes;
    s->log.acts = s->acts;
}

proof_scene *proof_scene_create(uint32_t doors)
{
    proof_scene *const s = calloc(1, sizeof *s);
    if (!s) {
        abort();
    }
    describe(s);
    // Floor and ceiling in pieces, whose seams lie on no lattice.
    const double cuts[] = {-0.5, 1.37, 3.3, 6.61, 9.1, 11.5};
    for (int i = 0; i < 5; i++) {
        add_wall(s, cuts[i], -0.5, -0.5, cuts[i + 1], 3.5, 0);
        add_wall(s, cuts[i], -0.5, 2, cuts[i + 1], 3.5, 2.5);
    }
    add_wall(s, -0.5, -0.5, 0, 11.5, 0, 2);
    add_wall(s, -0.5, 3, 0, 11.5, 3.5, 2);
    add_wall(s, -0.5, 0, 0, 0, 3, 2);
    add_wall(s, 11, 0, 0, 11.5, 3, 2);
    (void)proof_scene_add(s, SCENE_PANEL_ID, OCT_ENTITY_BUTTON,
                          (oct_bounds){{0, 1.25, 0.75}, {0.25, 1.75, 1.25}});
    (void)proof_scene_add(s, SCENE_TARGET_ID, OCT_ENTITY_GOAL,
                          (oct_bounds){{10.5, 1.25, 0.5}, {11, 1.75, 1}});
    add_doorway(s, 4, (doors & 1) != 0);
    add_doorway(s, 7.5, (doors & 2) != 0);
    return s;
}

void proof_scene_destroy(proof_scene *s)
{
    free(s);
}

// ---- the log ----

void proof_scene_wait(proof_scene *s, uint64_t ticks)
{
    s->tick += ticks;
}

void proof_scene_open(proof_scene *s, uint32_t door, double opening)
{
    oct_entity *const e = &s->things[s->doors[door]];
    e->opening = opening;
    e->thing.label = opening >= 1.0 ? OCT_OPEN : OCT_BLOCKED;
    e->thing.opaque = opening < 1.0;
}

static uint32_t version_of(proof_scene *s, uint32_t thing)
{
    for (uint32_t i = 0; i < s->log.thing_count; i++) {
        if (memcmp(&s->versions[i], &s->things[thing], sizeof *s->versions) == 0) {
            return i;
        }
    }
    const uint32_t at = (uint32_t)s->log.thing_count++;
    s->versions[at] = s->things[thing];
    return at;
}

void proof_scene_look(proof_scene *s, oct_point centre)
{
    oct_log_look *const l = &s->looks[s->log.look_count++];
    *l = (oct_log_look){.tick = s->tick,
                        .centre = centre,
                        .eye = centre,
                        .radius = 20,
                        .sight = OCT_SIGHT_LINE,
                        .first = (uint32_t)s->log.change_count};
    for (uint32_t i = 0; i < s->thing_count; i++) {
        const uint32_t now = s->is_gone[i] ? 0 : version_of(s, i) + 1;
        if (now == s->told[i]) {
            continue;
        }
        s->changes[s->log.change_count++] =
            now ? (oct_log_change){now - 1, false} : (oct_log_change){s->told[i] - 1, true};
        s->told[i] = now;
        l->count++;
    }
}

void proof_scene_look_around(proof_scene *s, int room)
{
    const double x0 = room == 0 ? 0.75 : 5.25, x1 = room == 0 ? 3.25 : 6.75;
    for (int i = 0; i < 12; i++) {
        const oct_point at = {i & 1 ? x1 : x0, i & 2 ? 2.25 : 0.75,
                              i < 4   ? 0.75
                              : i < 8 ? 1.25
                                      : 1.0};
        proof_scene_look(s, at);
        s->tick++;
    }
}

void proof_scene_press(proof_scene *s, uint32_t button)
{
    proof_scene_look(s, (oct_point){0.8, 1.5, 1});
    s->acts[s->log.act_count++] = (oct_log_act){.tick = s->tick,
                                                .centre = {0.8, 1.5, 1},
                                                .verb = OCT_VERB_USE,
                                                .target = SCENE_PANEL_ID,
                                                .button = button,
                                                .came = OCT_ACT_DONE};
    for (uint32_t d = 0; d < s->door_count; d++) {
        if ((s->toggles[button] >> d & 1) != 0) {
            proof_scene_open(s, d, s->things[s->doors[d]].opening >= 1.0 ? 0.0 : 1.0);
        }
    }
    proof_scene_wait(s, 100);
    proof_scene_look(s, (oct_point){0.8, 1.5, 1});
    proof_scene_wait(s, 100);
}

// ---- space, slowly ----

#define X0 (-8)
#define Y0 (-8)
#define Z0 (-8)
#define NX 64
#define NY 32
#define NZ 24
#define CLOSED UINT32_MAX

typedef struct grid {
    uint32_t doors[NX][NY][NZ]; // that close a cell, as bits; or CLOSED
    uint32_t part[NX][NY][NZ];
} grid;

static bool is_near(const oct_bounds *b, double x, double y, double z)
{
    for (int i = 0; i < 8; i++) {
        const double px = x + (i & 1 ? CELL : 0), py = y + (i & 2 ? CELL : 0),
                     pz = z + (i & 4 ? CELL : 0);
        const double dx = fmax(0, fmax(b->min.x - px, px - b->max.x));
        const double dy = fmax(0, fmax(b->min.y - py, py - b->max.y));
        const double dz = fmax(0, fmax(b->min.z - pz, pz - b->max.z));
        if (sqrt(dx * dx + dy * dy + dz * dz) > RADIUS) {
            return false;
        }
    }
    return true;
}

static uint32_t closed_by(const proof_scene *s, double x, double y, double z)
{
    const oct_bounds *const b = &s->log.info.bounds;
    uint32_t doors = 0;
    if (x + CELL <= b->min.x || y + CELL <= b->min.y || z + CELL <= b->min.z || x >= b->max.x ||
        y >= b->max.y || z >= b->max.z) {
        return CLOSED;
    }
    for (uint32_t i = 0; i < s->thing_count; i++) {
        if (!is_near(&s->things[i].thing.box, x, y, z)) {
            continue;
        }
        if (s->things[i].kind != OCT_ENTITY_DOOR) {
            return CLOSED;
        }
        doors |= 1u << (s->things[i].thing.id - SCENE_DOOR_ID);
    }
    return doors;
}

static void spread(proof_scene *s, grid *g, int x, int y, int z, uint32_t part)
{
    static const int faces[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                    {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    int(*const stack)[3] = malloc(sizeof *stack * NX * NY * NZ);
    size_t count = 1;
    stack[0][0] = x;
    stack[0][1] = y;
    stack[0][2] = z;
    g->part[x][y][z] = part;
    while (count > 0) {
        count--;
        const int at[3] = {stack[count][0], stack[count][1], stack[count][2]};
        for (int i = 0; i < 6; i++) {
            const int u = at[0] + faces[i][0], v = at[1] + faces[i][1], w = at[2] + faces[i][2];
            if (u < 0 || v < 0 || w < 0 || u >= NX || v >= NY || w >= NZ) {
                continue;
            }
            if (g->part[u][v][w] == 0 && g->doors[u][v][w] == g->doors[x][y][z]) {
                g->part[u][v][w] = part;
                stack[count][0] = u;
                stack[count][1] = v;
                stack[count][2] = w;
                count++;
            } else if (g->part[u][v][w] > 0) {
                s->links[part][g->part[u][v][w]] = s->links[g->part[u][v][w]][part] = 1;
            }
        }
    }
    free(stack);
}

// Parts from 1; part 0 is nothing.
static void find_parts(proof_scene *s, grid *g)
{
    uint32_t parts = 1;
    memset(s->links, 0, sizeof s->links);
    for (int x = 0; x < NX; x++) {
        for (int y = 0; y < NY; y++) {
            for (int z = 0; z < NZ; z++) {
                g->doors[x][y][z] = closed_by(s, (X0 + x) * CELL, (Y0 + y) * CELL, (Z0 + z) * CELL);
            }
        }
    }
    for (int x = 0; x < NX; x++) {
        for (int y = 0; y < NY; y++) {
            for (int z = 0; z < NZ; z++) {
                if (g->doors[x][y][z] == CLOSED || g->part[x][y][z] != 0) {
                    continue;
                }
                oct_proof_part *const p = &s->parts[parts];
                *p = (oct_proof_part){.door_count = 0};
                for (uint32_t d = 0; d < SCENE_DOORS; d++) {
                    if ((g->doors[x][y][z] >> d & 1) != 0) {
                        p->doors[p->door_count++] = d;
                    }
                }
                spread(s, g, x, y, z, parts++);
            }
        }
    }
    s->proof.part_count = parts;
}

static void add_leaf(proof_scene *s, int x, int y, int z, uint32_t level, uint32_t part)
{
    s->leaves[s->proof.leaf_count++] = (oct_proof_leaf){
        {(X0 + x) / (1 << level), (Y0 + y) / (1 << level), (Z0 + z) / (1 << level)}, level, part};
}

// Cubes of 2 cells where they are all of one part, else single cells.
static void add_leaves(proof_scene *s, const grid *g, int x, int y, int z)
{
    bool is_one = g->part[x][y][z] != 0;
    for (int i = 0; i < 8 && is_one; i++) {
        is_one = g->part[x + i % 2][y + i / 2 % 2][z + i / 4] == g->part[x][y][z];
    }
    if (is_one) {
        add_leaf(s, x, y, z, 1, g->part[x][y][z]);
    }
    for (int i = 0; i < 8 && !is_one; i++) {
        const int u = x + i % 2, v = y + i / 2 % 2, w = z + i / 4;
        if (g->part[u][v][w] != 0) {
            add_leaf(s, u, v, w, 0, g->part[u][v][w]);
        }
    }
}

static void find_contacts(proof_scene *s, const grid *g)
{
    const oct_bounds b = {{0, 1.25, 0.75}, {0.25, 1.75, 1.25}};
    s->proof.contact_count = 0;
    uint8_t found[SCENE_PARTS] = {0};
    for (int i = 0; i < NX * NY * NZ; i++) {
        const int x = i % NX, y = i / NX % NY, z = i / NX / NY;
        const double px = (X0 + x + 0.5) * CELL, py = (Y0 + y + 0.5) * CELL,
                     pz = (Z0 + z + 0.5) * CELL;
        const double dx = fmax(0, fmax(b.min.x - px, px - b.max.x));
        const double dy = fmax(0, fmax(b.min.y - py, py - b.max.y));
        const double dz = fmax(0, fmax(b.min.z - pz, pz - b.max.z));
        const uint32_t part = g->part[x][y][z];
        if (part != 0 && !found[part] && px > 0 && sqrt(dx * dx + dy * dy + dz * dz) < 1 + CELL) {
            found[part] = 1;
            s->contacts[s->proof.contact_count++] = part;
        }
    }
}

// ---- proofs ----

static uint32_t part_at(const proof_scene *s, double x, double y, double z)
{
    for (size_t i = 0; i < s->proof.leaf_count; i++) {
        const oct_proof_leaf *const l = &s->leaves[i];
        const double edge = CELL * (1 << l->level);
        if (x >= l->at.x * edge && x < (l->at.x + 1) * edge && y >= l->at.y * edge &&
            y < (l->at.y + 1) * edge && z >= l->at.z * edge && z < (l->at.z + 1) * edge) {
            return l->part;
        }
    }
    return 0;
}

// Marks what can be reached from a part through parts whose doors are passable; the least part.
static uint32_t reach(const proof_scene *s, uint32_t from, uint64_t passable, uint8_t *reached)
{
    memset(reached, 0, SCENE_PARTS);
    reached[from] = 1;
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t a = 1; a < s->proof.part_count; a++) {
            for (uint32_t b = 1; b < s->proof.part_count; b++) {
                bool is_free = reached[a] && !reached[b] && s->links[a][b];
                for (uint32_t k = 0; k < s->parts[b].door_count; k++) {
                    is_free = is_free && (passable >> s->parts[b].doors[k] & 1) != 0;
                }
                reached[b] |= is_free;
                grows = grows || is_free;
            }
        }
    }
    uint32_t least = 1;
    while (!reached[least]) {
        least++;
    }
    return least;
}

static void list_buttons(proof_scene *s)
{
    oct_proof *const p = &s->proof;
    p->doors = s->proof_doors;
    p->door_count = s->door_count;
    p->buttons = s->buttons;
    p->button_count = SCENE_BUTTONS;
    p->effects = s->effects;
    for (uint32_t b = 0; b < SCENE_BUTTONS; b++) {
        s->buttons[b] = (oct_proof_button){{SCENE_PANEL_ID, b}, 0, (uint32_t)p->contact_count};
        for (uint32_t d = 0; d < s->door_count && d < SCENE_DOORS; d++) {
            s->effects[b * s->door_count + d] =
                (s->toggles[b] >> d & 1) != 0 ? OCT_EFFECT_TOGGLE : OCT_EFFECT_NOTHING;
        }
    }
}

static void prove(proof_scene *s, bool is_known)
{
    oct_proof *const p = &s->proof;
    grid *const g = calloc(1, sizeof *g);
    if (!g) {
        abort();
    }
    *p = (oct_proof){.origin = {0, 0, 0}, .cell_size = CELL, .radius = RADIUS};
    p->leaves = s->leaves;
    p->parts = s->parts;
    p->contacts = s->contacts;
    p->states = s->states;
    find_parts(s, g);
    for (int x = 0; x < NX; x += 2) {
        for (int y = 0; y < NY; y += 2) {
            for (int z = 0; z < NZ; z += 2) {
                add_leaves(s, g, x, y, z);
            }
        }
    }
    find_contacts(s, g);
    free(g);
    p->target.is_known = is_known;
    p->target.box = p->target.within = s->things[15].thing.box;
    p->target.reach = 2;
    p->target.presses = true;
    list_buttons(s);
}

#define BIT(a) (1u << (a))
#define OF_SPACE                                                                                   \
    (BIT(OCT_ASSUME_MEANS) | BIT(OCT_ASSUME_BODY) | BIT(OCT_ASSUME_SOLID) | BIT(OCT_ASSUME_TRUTH))
#define OF_DOORS                                                                                   \
    (BIT(OCT_ASSUME_CAUSES) | BIT(OCT_ASSUME_DELAY) | BIT(OCT_ASSUME_MEMORY) |                     \
     BIT(OCT_ASSUME_ALONE))

// A door as it was told first.
static uint32_t first_state(const proof_scene *s, uint32_t door)
{
    for (size_t i = 0; i < s->log.thing_count; i++) {
        if (s->versions[i].thing.id == SCENE_DOOR_ID + door) {
            return s->versions[i].opening >= 1.0 ? 2 : 1;
        }
    }
    return 3;
}

void proof_scene_prove_cut(proof_scene *s, uint32_t free_doors, bool is_known)
{
    uint8_t reached[SCENE_PARTS];
    prove(s, is_known);
    s->proof.kind = OCT_PROOF_CUT;
    s->proof.assumes = OF_SPACE | (s->door_count > 0 ? OF_DOORS : 0);
    (void)reach(s, part_at(s, 2, 1.5, 1), free_doors, reached);
    for (uint32_t i = 0; i < s->proof.part_count; i++) {
        s->parts[i].is_reached = reached[i];
    }
    for (uint32_t d = 0; d < s->door_count; d++) {
        s->proof_doors[d] = (oct_proof_door){SCENE_DOOR_ID + d, (free_doors >> d & 1) != 0, false,
                                             first_state(s, d)};
    }
}

void proof_scene_prove_links(proof_scene *s, bool is_linear)
{
    s->proof = (oct_proof){.kind = OCT_PROOF_WITNESS,
                           .assumes = BIT(OCT_ASSUME_CAUSES) | BIT(OCT_ASSUME_DELAY) |
                                      BIT(OCT_ASSUME_TRUTH) |
                                      BIT(is_linear ? OCT_ASSUME_TOGGLES : OCT_ASSUME_MEMORY)};
    list_buttons(s);
    for (uint32_t d = 0; d < s->door_count; d++) {
        s->proof_doors[d] = (oct_proof_door){.id = SCENE_DOOR_ID + d, .at_start = 3};
    }
}

// All that presses lead to; nothing is near enough to be held or to slip through.
void proof_scene_prove_states(proof_scene *s, bool is_linear)
{
    uint8_t reached[SCENE_PARTS];
    uint64_t opens = 0;
    prove(s, true);
    oct_proof *const p = &s->proof;
    p->kind = OCT_PROOF_STATES;
    p->is_linear = is_linear;
    p->assumes =
        OF_SPACE | BIT(OCT_ASSUME_PACE) |
        (is_linear ? BIT(OCT_ASSUME_CAUSES) | BIT(OCT_ASSUME_DELAY) | BIT(OCT_ASSUME_TOGGLES)
                   : OF_DOORS);
    for (uint32_t d = 0; d < s->door_count; d++) {
        s->states[0].open |= first_state(s, d) == 2 ? UINT64_C(1) << d : 0;
    }
    s->states[0].home = reach(s, part_at(s, 2, 1.5, 1), s->states[0].open, reached);
    p->state_count = 1;
    for (size_t i = 0; i < p->state_count; i++) {
        const oct_proof_state at = s->states[i];
        (void)reach(s, at.home, at.open, reached);
        opens |= at.open;
        for (uint32_t k = 0; k < p->part_count; k++) {
            s->parts[k].is_reached = s->parts[k].is_reached || reached[k];
        }
        for (uint32_t b = 0; b < SCENE_BUTTONS && reached[part_at(s, 0.8, 1.5, 1)]; b++) {
            oct_proof_state to = {.open = at.open ^ s->toggles[b]};
            uint8_t ignored[SCENE_PARTS];
            to.home = reach(s, part_at(s, 0.8, 1.5, 1), to.open, ignored);
            bool is_new = true;
            for (size_t k = 0; k < p->state_count; k++) {
                is_new = is_new && (s->states[k].open != to.open || s->states[k].home != to.home);
            }
            if (is_new) {
                s->states[p->state_count++] = to;
            }
        }
    }
    for (uint32_t d = 0; d < s->door_count; d++) {
        s->proof_doors[d] =
            (oct_proof_door){SCENE_DOOR_ID + d, (opens >> d & 1) != 0, false, first_state(s, d)};
    }
}

const char *proof_scene_check(const proof_scene *s, oct_proof_verdict *verdict)
{
    oct_proof proof = s->proof;
    proof.extent = oct_run_log_extent(&s->log);
    return oct_proof_check(&proof, &s->log, NULL, verdict) == OCT_OK ? verdict->reason : "error";
}

void proof_scene_accepts(const proof_scene *s)
{
    oct_proof_verdict v;
    const char *const reason = proof_scene_check(s, &v);
    assert_string_equal(reason, "");
    assert_true(v.is_accepted);
}

void proof_scene_rejects(proof_scene *s, const char *expected, int line)
{
    oct_proof_verdict v;
    const char *const reason = proof_scene_check(s, &v);
    if (v.is_accepted || !strstr(reason, expected)) {
        fail_msg("line %d: \"%s\" in place of \"%s\"", line, reason, expected);
    }
    proof_scene_destroy(s);
}
