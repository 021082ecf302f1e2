// SPDX-License-Identifier: MIT
// A turn of a game that is played over a link: what it takes more than in process, and how many
// bytes it exchanges.
//
// The block world of three_doors, with so far a view that at least 100 things are in it. A turn is
// 20 ticks of flying about and a look. In process it is two calls; over the link one exchange on
// the loopback, with a server in a thread of its own, and differences of what was told before. Time
// is what passes: a server waits and wakes up. Both games are asked in turn, and each turn is
// timed.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include "files/files_internal.h"
#include "link/link_connect.h"
#include "link/link_listen.h"
#include "octant/block_world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORLD OCT_BENCH_WORLDS "/three_doors.json"
#define THINGS 100
#define VIEW_MAX 40.0
#define TURNS 1000
#define WARM 20
#define TICKS 20
#define US 1e6

typedef struct link_scene {
    oct_world *world;
    int listener;
    atomic_bool ends;
    double in_process, over_link, added; // medians of a turn, microseconds
    double bytes, things;                // of a turn; in view, on average
} link_scene;

// ---- games ----

static oct_result make(void *ctx, oct_game **out)
{
    const link_scene *const s = ctx;
    return oct_block_world_create(&(oct_block_world_def){s->world, NULL}, out);
}

static bool has_ended(void *ctx)
{
    return atomic_load(&((link_scene *)ctx)->ends);
}

static void *serve(void *ctx)
{
    link_scene *const s = ctx;
    const link_host host = {.make = make, .ctx = s};
    (void)oct_link_serve(&host, s->listener, has_ended, s, NULL);
    return NULL;
}

static oct_result open_link(uint32_t port, oct_game **out)
{
    char name[40], trouble[2048];
    const link_connect_def def = {.start = NULL};
    (void)snprintf(name, sizeof name, "tcp:127.0.0.1:%u", (unsigned)port);
    return oct_link_open_game(name, &def, out, trouble, sizeof trouble);
}

// ---- turns ----

static double turn(oct_game *game, uint32_t number, size_t *things)
{
    oct_random random = oct_random_seed(number);
    oct_action action = {.verb = OCT_VERB_MOVE, .ticks = TICKS};
    action.move = (oct_point){2.0 * oct_random_unit(&random) - 1.0, 0.0,
                              2.0 * oct_random_unit(&random) - 1.0};
    action.rotate.y = 2.0 * oct_random_unit(&random) - 1.0;
    oct_observation seen;
    oct_act came;
    const double begin = oct_bench_wall_s();
    const bool is_well = oct_game_turn(game, 0, &action, &came) == OCT_OK &&
                         oct_game_observe(game, 0, &seen) == OCT_OK;
    const double took = (oct_bench_wall_s() - begin) * US;
    *things = is_well ? seen.count : 0;
    return is_well ? took : -1.0;
}

static bool measure_both(link_scene *s, oct_game *plain, oct_game *link)
{
    static double here[TURNS], there[TURNS], more[TURNS];
    uint64_t bytes = 0;
    double things = 0.0;
    for (uint32_t i = 0; i < WARM + TURNS; i++) {
        size_t a, b;
        if (i == WARM) {
            const link_facts facts = oct_link_facts(link);
            bytes = facts.sent + facts.taken;
        }
        const double x = turn(plain, i, &a), y = turn(link, i, &b);
        if (x < 0.0 || y < 0.0 || a != b || oct_game_hash(plain) != oct_game_hash(link)) {
            return false; // they are one game
        }
        const uint32_t k = i < WARM ? 0 : i - WARM;
        here[k] = x;
        there[k] = y;
        more[k] = y - x;
        things += i < WARM ? 0.0 : (double)a / TURNS;
    }
    const link_facts facts = oct_link_facts(link);
    s->bytes = (double)(facts.sent + facts.taken - bytes) / TURNS;
    s->things = things;
    s->in_process = oct_bench_median(here, TURNS);
    s->over_link = oct_bench_median(there, TURNS);
    s->added = oct_bench_median(more, TURNS);
    return true;
}

// The smallest whole view that has so many things in it from the start.
static bool choose_view(link_scene *s)
{
    oct_world_rules rules = oct_world_rules_of(s->world);
    size_t things = 0;
    for (rules.view = 4.0; rules.view < VIEW_MAX && things < THINGS; rules.view++) {
        oct_game *game;
        oct_observation seen;
        if (oct_world_set_rules(s->world, &rules) != OCT_OK || make(s, &game) != OCT_OK) {
            return false;
        }
        things = oct_game_observe(game, 0, &seen) == OCT_OK ? seen.count : 0;
        oct_game_destroy(game);
    }
    return things >= THINGS;
}

static bool measure_all(link_scene *s)
{
    pthread_t thread;
    uint32_t port;
    oct_error error;
    oct_game *plain = NULL, *link = NULL;
    if (!choose_view(s) || oct_link_listen(0, &s->listener, &port, &error) != OCT_OK) {
        return false;
    }
    if (pthread_create(&thread, NULL, serve, s) != 0) {
        return false;
    }
    const bool is_well = make(s, &plain) == OCT_OK && open_link(port, &link) == OCT_OK &&
                         measure_both(s, plain, link);
    oct_game_destroy(link);
    oct_game_destroy(plain);
    atomic_store(&s->ends, true);
    (void)pthread_join(thread, NULL);
    (void)close(s->listener);
    return is_well;
}

// ---- rows ----

static double added(void *scene)
{
    return ((const link_scene *)scene)->added;
}

static double in_process(void *scene)
{
    return ((const link_scene *)scene)->in_process;
}

static double over_link(void *scene)
{
    return ((const link_scene *)scene)->over_link;
}

static double bytes(void *scene)
{
    return ((const link_scene *)scene)->bytes;
}

static double things(void *scene)
{
    return ((const link_scene *)scene)->things;
}

static const bench_work works[] = {
    {.measure = in_process}, {.measure = over_link}, {.measure = added},
    {.measure = bytes},      {.measure = things},
};

static const bench link_benches[] = {
    {"process", "turn_us", NULL, 1.0, &works[0]},
    {"loopback", "turn_us", "process turn_us", 1.0, &works[1]},
    {"loopback", "added_us", NULL, 1.0, &works[2]},
    {"loopback", "turn_bytes", NULL, 1.0, &works[3]},
    {"loopback", "things", NULL, 1.0, &works[4]},
};

static const bench_goal link_goals[] = {{"three_doors", "added_us", 300.0}};

static const bench_suite link_suite = {
    .benches = link_benches,
    .bench_count = sizeof link_benches / sizeof link_benches[0],
    .goals = link_goals,
    .goal_count = sizeof link_goals / sizeof link_goals[0],
    .all_have_goals = true,
    .now_s = oct_bench_wall_s,
};

oct_result oct_bench_link(bench_report *report)
{
    oct_error error = {.line = 0};
    link_scene s = {.listener = -1};
    report->scene = 0;
    report->scene_count = 1;
    if (!oct_bench_wants(report, &link_suite, "three_doors")) {
        return OCT_OK;
    }
    if (!oct_bench_file_exists(WORLD)) {
        oct_bench_skip(report, WORLD);
        return OCT_OK;
    }
    oct_result result = oct_world_load(WORLD, NULL, NULL, &s.world, NULL, &error);
    if (result != OCT_OK) {
        oct_bench_explain(report, WORLD, result, &error);
        return result;
    }
    if (measure_all(&s)) {
        result = oct_bench_scene(report, &link_suite, "three_doors", &s, true);
    } else {
        (void)snprintf(report->message, sizeof report->message,
                       "the link does not play as in process");
        result = OCT_ERROR_LINK;
    }
    oct_world_destroy(s.world);
    return result;
}
