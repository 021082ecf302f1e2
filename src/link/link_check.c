// SPDX-License-Identifier: MIT
#include "link/link_check.h"

#include "base/print.h"
#include "base/words.h"
#include "link/check_internal.h"
#include "link/link_socket.h"

#include <math.h>
#include <stdlib.h>

#define IDLE_TICKS 90
#define JUMP_M 1.0     // what moves more in one tick was somewhere else
#define SHAPE_M 0.011  // by which a difference may be behind: 5 mm each way, and rounding
#define MEASURE_MS 250 // of stepping

const char *oct_link_fault_name(link_fault fault)
{
    static const char *const names[FAULT_COUNT] = {
        "ids_change",    "entities_jump", "tick_differs", "no_geometry",   "inside_out",
        "too_fast",      "since_lost",    "act_ignored",  "reset_differs", "silent",
        "start_differs", "no_player",     "protocol"};
    return fault < FAULT_COUNT ? names[fault] : NULL;
}

void oct_check_found(link_check *out, link_fault fault, const char *format, ...)
{
    va_list values;
    if (out->what[fault][0]) {
        return;
    }
    va_start(values, format);
    oct_vsnprintf(out->what[fault], LINK_WHAT_SIZE, format, values);
    va_end(values);
}

void oct_check_advise(link_check *out, const char *format, ...)
{
    char text[LINK_ADVICE_SIZE];
    va_list values;
    va_start(values, format);
    oct_vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (size_t i = 0; i < out->advice_count; i++) {
        if (strcmp(out->advice[i], text) == 0) {
            return;
        }
    }
    if (out->advice_count < LINK_ADVICE_MAX) {
        memcpy(out->advice[out->advice_count++], text, sizeof text);
    }
}

size_t oct_link_check_faults(const link_check *check)
{
    size_t count = 0;
    for (int i = 0; i < FAULT_COUNT; i++) {
        count += check->what[i][0] != '\0';
    }
    return count;
}

// ---- looking ----

static uint64_t hash_props(const oct_entity *e)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < e->prop_count; i++) {
        const oct_property *const p = &e->props[i];
        uint64_t words[3] = {oct_hash_bytes(p->name, strlen(p->name)), 0, 0};
        memcpy(&words[1], &p->number, sizeof p->number);
        words[2] = p->text ? oct_hash_bytes(p->text, strlen(p->text)) : 0;
        sum += oct_hash_words(words, 3); // in any order
    }
    return sum;
}

void oct_check_keep(seen_things *things, const oct_observation *o)
{
    things->count = 0;
    for (size_t i = 0; i < o->count && things->count < CHECK_THINGS; i++) {
        const oct_entity *const e = &o->entities[i];
        seen_thing *const t = &things->items[things->count++];
        *t = (seen_thing){.id = e->thing.id,
                          .box = e->thing.box,
                          .kind = e->kind,
                          .opening = e->opening,
                          .props = hash_props(e)};
        oct_snprintf(t->name, sizeof t->name, "%.60s", e->name);
    }
}

const seen_thing *oct_check_find(const seen_things *things, uint64_t id)
{
    for (size_t i = 0; i < things->count; i++) {
        if (things->items[i].id == id) {
            return &things->items[i];
        }
    }
    return NULL;
}

static const char *name_of(const seen_thing *t, char out[100])
{
    oct_snprintf(out, 100, t->name[0] ? "'%s' (id %llu)" : "%sthe thing with id %llu",
                 t->name[0] ? t->name : "", (unsigned long long)t->id);
    oct_words_defuse(out, '?');
    return out;
}

// The only one of its name; NULL where there is none, or several.
static const seen_thing *only_of(const seen_things *things, const char *name)
{
    const seen_thing *found = NULL;
    for (size_t i = 0; name[0] && i < things->count; i++) {
        if (strcmp(things->items[i].name, name) == 0) {
            if (found) {
                return NULL;
            }
            found = &things->items[i];
        }
    }
    return found;
}

// What has one name has one id, in every look and every life.
static void compare_ids(link_check *out, const seen_things *a, const seen_things *b,
                        const char *when)
{
    for (size_t i = 0; i < a->count; i++) {
        const seen_thing *const x = only_of(a, a->items[i].name);
        const seen_thing *const y = only_of(b, a->items[i].name);
        char name[100];
        if (x && y && x->id != y->id) {
            oct_check_found(out, FAULT_IDS_CHANGE,
                            "%s has id %llu %s: the same level must give the same ids, in the "
                            "order of its scene; engine handles do not",
                            name_of(x, name), (unsigned long long)y->id, when);
            return;
        }
    }
}

static double moved(const oct_bounds *a, const oct_bounds *b)
{
    const double x = (a->min.x + a->max.x - b->min.x - b->max.x) / 2.0;
    const double y = (a->min.y + a->max.y - b->min.y - b->max.y) / 2.0;
    const double z = (a->min.z + a->max.z - b->min.z - b->max.z) / 2.0;
    return sqrt(x * x + y * y + z * z);
}

static void watch_jumps(check_life *life, uint32_t ticks)
{
    const oct_game_info *const info = oct_game_describe(life->game);
    for (size_t i = 0; i < life->now.count; i++) {
        const seen_thing *const now = &life->now.items[i];
        const seen_thing *const before = oct_check_find(&life->before, now->id);
        char name[100];
        // A door may open at once.
        if (!before || now->kind == OCT_ENTITY_DOOR) {
            continue;
        }
        const double way = moved(&before->box, &now->box);
        if (way > JUMP_M * info->metre * ticks) {
            oct_check_found(life->out, FAULT_ENTITIES_JUMP,
                            "%s moved by %.3g within %u tick%s, which is %.0f per second: what "
                            "moves must be told on its way; what disappears and is elsewhere "
                            "needs another id",
                            name_of(now, name), way, ticks, ticks == 1 ? "" : "s",
                            way * info->rate / ticks);
            return;
        }
    }
}

oct_result oct_check_look(check_life *life, uint32_t ticks)
{
    oct_observation seen;
    OCT_TRY(oct_game_observe(life->game, 0, &seen));
    memcpy(&life->before, &life->now, sizeof life->now);
    // A game that runs on by itself tells how long it was.
    if (ticks > 0 && oct_game_describe(life->game)->runs) {
        ticks = (uint32_t)(seen.self.tick - life->self.tick);
    }
    life->self = seen.self;
    life->self.props = NULL;
    oct_check_keep(&life->now, &seen);
    for (size_t i = 0; i < seen.event_count; i++) {
        if (strcmp(seen.events[i].what, "error") == 0) {
            char text[200];
            oct_snprintf(text, sizeof text, "%.180s", seen.events[i].text);
            oct_words_defuse(text, '?');
            oct_check_advise(life->out, "the game told an error: %s", text);
        }
    }
    if (ticks > 0) {
        watch_jumps(life, ticks);
        compare_ids(life->out, &life->before, &life->now, "in the next look");
    }
    return OCT_OK;
}

// ---- parts ----

static oct_result check_scenery(check_life *life)
{
    size_t parts = 0, from = 0;
    do {
        oct_scenery_page page;
        OCT_TRY(oct_game_scenery(life->game, from, &page));
        parts += page.count;
        from = page.next;
    } while (from > 0);
    OCT_TRY(oct_check_look(life, 0));
    bool has_walls = parts > 0;
    for (size_t i = 0; i < life->now.count; i++) {
        has_walls = has_walls || life->now.items[i].kind == OCT_ENTITY_SOLID ||
                    life->now.items[i].kind == OCT_ENTITY_MOVER;
    }
    if (!has_walls) {
        oct_check_found(life->out, FAULT_NO_GEOMETRY,
                        "it tells no walls: neither 'geometry' nor an entity that is solid; agents "
                        "will fly into them, and see through them");
    }
    return OCT_OK;
}

// A look that asks for all must show what the differences so far have made.
static oct_result check_since(check_life *life)
{
    // What runs on by itself is another one at the second look.
    if (!life->out->facts.can_since || oct_game_describe(life->game)->runs) {
        return OCT_OK;
    }
    OCT_TRY(oct_check_look(life, 0));
    oct_link_forget(life->game, 0);
    OCT_TRY(oct_check_look(life, 0));
    const seen_things *const told = &life->before, *const is = &life->now;
    char name[100];
    for (size_t i = 0; i < is->count; i++) {
        const seen_thing *const now = &is->items[i];
        const seen_thing *const then = oct_check_find(told, now->id);
        const char *const what =
            !then                                          ? "it was not told when it came in view"
            : moved(&then->box, &now->box) > SHAPE_M       ? "it has moved, which was not told"
            : fabs(then->opening - now->opening) > SHAPE_M ? "its 'opening' was not told"
            : then->props != now->props                    ? "its 'props' were not told"
                                                           : NULL;
        if (what) {
            oct_check_found(life->out, FAULT_SINCE_LOST,
                            "answers by difference ('since') leave something out: %s: %s",
                            name_of(now, name), what);
            return OCT_OK;
        }
    }
    for (size_t i = 0; i < told->count && is->count < CHECK_THINGS; i++) {
        if (!oct_check_find(is, told->items[i].id)) {
            oct_check_found(life->out, FAULT_SINCE_LOST,
                            "answers by difference ('since') leave something out: %s is no longer "
                            "there, and was not in 'gone'",
                            name_of(&told->items[i], name));
        }
    }
    return OCT_OK;
}

static oct_result measure_speed(check_life *life)
{
    uint64_t begin = oct_link_clock(), now = begin, ticks = 0;
    for (uint32_t some = 1; now - begin < MEASURE_MS; some = some < 1800 ? some * 2 : 3600) {
        OCT_TRY(oct_game_step(life->game, some));
        ticks += some;
        now = oct_link_clock();
    }
    life->out->ticks_per_s = (double)ticks * 1e3 / (double)(now - begin);
    begin = now;
    uint64_t turns = 0;
    for (; now - begin < MEASURE_MS; turns++, now = oct_link_clock()) {
        const oct_action keep = {.verb = OCT_VERB_KEEP, .ticks = 1};
        oct_observation seen;
        oct_act came;
        OCT_TRY(oct_game_turn(life->game, 0, &keep, &came));
        OCT_TRY(oct_game_observe(life->game, 0, &seen));
    }
    life->out->turns_per_s = (double)turns * 1e3 / (double)(now - begin);
    return OCT_OK;
}

static oct_result check_refusals(check_life *life)
{
    const oct_action use = {.verb = OCT_VERB_USE, .target = (UINT64_C(1) << 53) - 2};
    oct_act came;
    OCT_TRY(oct_game_act(life->game, 0, &use, &came));
    if (came == OCT_ACT_DONE) {
        oct_check_advise(life->out, "'use' of an id that does not exist is answered 'done', "
                                    "rather than 'no target'");
    }
    return OCT_OK;
}

// What is told once, and is unwise.
static void advise(check_life *life)
{
    link_check *const out = life->out;
    const oct_game_info *const info = oct_game_describe(life->game);
    out->info = *info;
    oct_snprintf(out->game, sizeof out->game, "%.120s", info->game);
    oct_snprintf(out->level, sizeof out->level, "%.120s", info->level);
    oct_words_defuse(out->game, '?');
    oct_words_defuse(out->level, '?');
    for (size_t i = 0; i < info->doubt_count; i++) {
        oct_check_advise(out, "it was guessed: %.200s", info->doubts[i]);
    }
    if (!info->has_bounds) {
        oct_check_advise(out, "'rules' has no 'bounds': agents will look for ways out, and no test "
                              "fails for certain");
    } else if (out->facts.has_own_bounds) {
        oct_check_advise(out,
                         "'rules' has no 'bounds': they are taken to be around the geometry, "
                         "and what is told as the level begins, and as far beyond as one sees");
    }
    if (!info->has_settle) {
        oct_check_advise(out,
                         "'rules' has no 'settle': agents wait %g s before they are sure of "
                         "what a press does",
                         OCT_SETTLE_DEFAULT);
    }
    if (!out->facts.can_reset) {
        oct_check_advise(out, "it has no 'reset': every test needs a new process");
    }
    for (size_t i = 0; i < life->now.count; i++) {
        const seen_thing *const t = &life->now.items[i];
        char name[100];
        if (t->name[0] && !only_of(&life->now, t->name)) {
            oct_check_advise(out, "there are several things of the name %s: tests choose by name",
                             name_of(t, name));
            break;
        }
    }
}

// ---- lives ----

static oct_result begin_life(check_life *life)
{
    const oct_game_start start = {.level = life->def->level, .seed = 1};
    life->now.count = life->before.count = 0;
    if (life->out->facts.can_reset) {
        const oct_result result = oct_game_reset(life->game, &start);
        if (result == OCT_ERROR_RANGE && !start.level) {
            oct_check_found(life->out, FAULT_NO_PLAYER,
                            "'reset' without a level is refused, as out of range: --world names "
                            "a level that it has");
            return OCT_ERROR_ABSENT;
        }
        OCT_TRY(result);
    }
    if (oct_game_players(life->game) == 0) {
        oct_check_found(life->out, FAULT_NO_PLAYER,
                        life->def->level ? "the level has no player"
                                         : "it has no player, or no level yet: --world names one");
        return OCT_ERROR_ABSENT;
    }
    return OCT_OK;
}

static oct_result examine(check_life *life)
{
    OCT_TRY(begin_life(life));
    OCT_TRY(check_scenery(life));
    advise(life);
    for (uint32_t i = 0; i < IDLE_TICKS; i++) {
        OCT_TRY(oct_game_step(life->game, 1));
        OCT_TRY(oct_check_look(life, 1));
    }
    OCT_TRY(oct_check_moves(life));
    OCT_TRY(check_since(life));
    if (life->out->facts.can_reset) {
        OCT_TRY(begin_life(life));
        OCT_TRY(oct_check_look(life, 0));
    }
    OCT_TRY(oct_check_uses(life));
    OCT_TRY(check_since(life));
    OCT_TRY(check_refusals(life));
    return measure_speed(life);
}

// The same life twice.
static oct_result compare_lives(check_life *life)
{
    link_check *const out = life->out;
    uint64_t first, second;
    if (!out->facts.can_reset) {
        return OCT_OK;
    }
    seen_things *const kept = malloc(sizeof *kept);
    if (!kept) {
        return OCT_ERROR_MEMORY;
    }
    oct_result result = begin_life(life);
    result = result == OCT_OK ? oct_check_look(life, 0) : result;
    *kept = life->now;
    result = result == OCT_OK ? oct_check_run(life, &first) : result;
    result = result == OCT_OK ? begin_life(life) : result;
    result = result == OCT_OK ? oct_check_look(life, 0) : result;
    if (result == OCT_OK) {
        compare_ids(out, kept, &life->now, "after a reset");
        result = oct_check_run(life, &second);
    }
    free(kept);
    OCT_TRY(result);
    out->reset_repeats = first == second ? LINK_YES : LINK_NO;
    if (first != second && out->facts.exact_reset) {
        oct_check_found(out, FAULT_RESET_DIFFERS,
                        "'exact' lists 'reset', and the same actions gave another run after a "
                        "reset: something of the last life is left, or 'reset' must not be listed");
    }
    return OCT_OK;
}

// The beginning of a process, to be compared with another one.
static oct_result run_process(check_life *life, seen_things *things, uint64_t *sum)
{
    OCT_TRY(begin_life(life));
    OCT_TRY(oct_check_look(life, 0));
    *things = life->now;
    return oct_check_run(life, sum);
}

// ---- the whole ----

// What a link that failed says.
static void take_trouble(link_check *out, const char *trouble)
{
    char line[LINK_WHAT_SIZE];
    oct_snprintf(line, sizeof line, "%s", trouble);
    for (char *end = strchr(line, '\n'); end; end = strchr(end, '\n')) {
        *end = ' ';
    }
    if (strstr(trouble, "inside out")) {
        oct_check_found(out, FAULT_INSIDE_OUT, "%s", line);
    } else if (strstr(trouble, "did not answer")) {
        oct_check_found(out, FAULT_SILENT, "%s", line);
    } else {
        oct_check_found(out, FAULT_PROTOCOL, "%s", line);
    }
}

// Whether the examination may go on with another game.
static oct_result take_result(check_life *life, oct_result result)
{
    if (result == OCT_OK || result == OCT_ERROR_ABSENT || result == OCT_ERROR_MEMORY) {
        return result == OCT_ERROR_ABSENT ? OCT_OK : result;
    }
    const char *const trouble = oct_game_trouble(life->game);
    take_trouble(life->out, trouble[0] ? trouble : oct_result_text(result));
    return OCT_OK;
}

static oct_result compare_processes(check_life *life, char *trouble, size_t size)
{
    link_check *const out = life->out;
    seen_things *const kept = malloc(2 * sizeof *kept);
    uint64_t sums[2] = {0, 0};
    oct_result result = kept ? OCT_OK : OCT_ERROR_MEMORY;
    for (int i = 0; i < 2 && result == OCT_OK && oct_link_check_faults(out) == 0; i++) {
        result = life->def->open(life->def->ctx, &life->game, trouble, size);
        if (result != OCT_OK) {
            take_trouble(out, trouble);
            result = result == OCT_ERROR_MEMORY ? result : OCT_OK;
            break;
        }
        result = take_result(life, run_process(life, &kept[i], &sums[i]));
        oct_game_destroy(life->game);
        life->game = NULL;
        if (result == OCT_OK && i == 1 && oct_link_check_faults(out) == 0) {
            compare_ids(out, &kept[0], &kept[1], "in another process");
            out->start_repeats = sums[0] == sums[1] ? LINK_YES : LINK_NO;
        }
    }
    if (out->start_repeats == LINK_NO && out->facts.exact_start) {
        oct_check_found(out, FAULT_START_DIFFERS,
                        "'exact' lists 'start', and the same actions gave another run in another "
                        "process");
    }
    free(kept);
    return result;
}

oct_result oct_link_check(const link_check_def *def, link_check *out, char *trouble, size_t size)
{
    *out = (link_check){.ticks_per_s = 0.0};
    check_life *const life = calloc(1, sizeof *life);
    if (!life) {
        return OCT_ERROR_MEMORY;
    }
    *life = (check_life){.def = def, .out = out};
    oct_result result = def->open(def->ctx, &life->game, trouble, size);
    if (result == OCT_OK) {
        out->facts = oct_link_facts(life->game);
        out->facts.engine = out->facts.addon = "";
        result = take_result(life, examine(life));
        if (result == OCT_OK && oct_game_step(life->game, 0) == OCT_OK) {
            result = take_result(life, compare_lives(life));
        }
        const link_facts facts = oct_link_facts(life->game);
        out->facts.requests = facts.requests;
        out->facts.sent = facts.sent;
        out->facts.taken = facts.taken;
        oct_game_destroy(life->game);
        if (result == OCT_OK && def->is_process) {
            result = compare_processes(life, trouble, size);
        }
    } else if (result != OCT_ERROR_MEMORY) {
        result = OCT_ERROR_LINK;
    }
    out->info.game = out->info.level = "";
    out->info.doubts = NULL;
    out->info.doubt_count = 0;
    free(life);
    return result;
}
