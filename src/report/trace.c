// SPDX-License-Identifier: MIT
// Traces of tests: what agents saw, wanted, thought and did, turn by turn, so that a run can be
// replayed without the game. The format is in docs/reference/trace-file.md.
//
// Lines are written while the test is played; nothing is kept but what the last lines said.
#include "agent/belief_internal.h"
#include "agent/mind.h"
#include "agent/mind_internal.h"
#include "base/words.h"
#include "octant/tree.h"
#include "report/report_internal.h"
#include "report/trace_learned.h"
#include "report/trace_parts.h"

#define AGENTS_MAX 64

// What was last told of an agent.
typedef struct traced_agent {
    uint64_t turns, tick, looks, path;
    uint64_t changes; // of what it knew, when its links were told
    uint64_t links;   // their hash
} traced_agent;

struct oct_trace {
    oct_allocator allocator;
    sink out;
    const oct_report_test *test;
    uint32_t lives; // that have begun
    traced_agent agents[AGENTS_MAX];
};

// ---- life ----

oct_result oct_trace_create(const oct_report_test *test, oct_write_fn *write, void *ctx,
                            const oct_allocator *allocator, oct_trace **out)
{
    const oct_allocator own = oct_allocator_or_default(allocator);
    oct_trace *const trace = oct_alloc(&own, sizeof *trace, _Alignof(oct_trace));
    *out = trace;
    if (!trace) {
        return OCT_ERROR_MEMORY;
    }
    *trace = (oct_trace){.allocator = own, .out = {.write = write, .ctx = ctx}, .test = test};
    return OCT_OK;
}

void oct_trace_destroy(oct_trace *trace)
{
    if (trace) {
        const oct_allocator allocator = trace->allocator;
        oct_free(&allocator, trace, sizeof *trace);
    }
}

// ---- the first line ----

static void begin_head(oct_trace *t)
{
    sink *const out = &t->out;
    oct_sink_text(out, "{\"octant_trace\": ");
    oct_sink_number(out, OCT_TRACE_VERSION);
    oct_trace_word(out, "task", "test");
    oct_trace_word(out, "test", t->test->name);
    oct_trace_word(out, "script", t->test->file);
    oct_trace_count(out, "line", t->test->line);
    oct_trace_word(out, "world", t->test->world);
    oct_trace_count(out, "seed", t->test->result.seed);
}

static void put_world(sink *out, const oct_game_info *info)
{
    static const char *const ups[] = {"x", "y", "z"};
    oct_trace_word(out, "name", info->level);
    oct_trace_count(out, "dims", 3);
    oct_trace_word(out, "up", ups[info->up]);
    oct_trace_word(out, "handed", info->left_handed ? "left" : "right");
}

static void put_map(sink *out, const oct_agent *agent)
{
    const oct_belief *const belief = oct_agent_belief(agent);
    const oct_map *const map = oct_belief_map(belief);
    const oct_game_info *const info = oct_belief_info(belief);
    oct_trace_word(out, "game", info->game);
    oct_trace_number(out, "cell", oct_tree_cell_size(oct_map_tree(map)));
    oct_trace_point(out, "origin", oct_tree_origin(oct_map_tree(map)));
    oct_trace_number(out, "height", oct_belief_body(belief)->height);
    oct_trace_number(out, "width", oct_belief_body(belief)->width);
    oct_trace_point(out, "padding", oct_map_padding(map));
    oct_trace_number(out, "radius", info->view);
    oct_trace_word(out, "sight", info->sight == OCT_SIGHT_LINE ? "line" : "through");
    oct_trace_number(out, "ticks", info->rate);
}

static void on_begins(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count)
{
    oct_trace *const t = ctx;
    if (t->lives++ > 0) {
        memset(t->agents, 0, sizeof t->agents);
        oct_sink_text(&t->out, "{\"event\": \"life\"");
        oct_trace_count(&t->out, "life", t->lives);
        oct_sink_text(&t->out, "}\n");
        return;
    }
    begin_head(t);
    (void)world;
    if (count > 0) {
        put_world(&t->out, oct_belief_info(oct_agent_belief(agents[0])));
        put_map(&t->out, agents[0]);
    }
    oct_trace_key(&t->out, "agents");
    oct_sink_text(&t->out, "[");
    for (size_t i = 0; i < count; i++) {
        oct_sink_text(&t->out, i > 0 ? ", " : "");
        oct_words_json(&t->out, oct_agent_name(agents[i]));
    }
    oct_sink_text(&t->out, "]}\n");
}

// ---- looks ----

static void put_thing(sink *out, const oct_known *known)
{
    const oct_entity *const e = &known->now;
    oct_sink_text(out, "{\"id\": ");
    oct_trace_id(out, e->thing.id);
    oct_trace_word(out, "type", known->now.type);
    if (e->name[0]) {
        oct_trace_word(out, "name", e->name);
    }
    oct_trace_bounds(out, "box", e->thing.box);
    if (e->thing.label != OCT_BLOCKED) {
        oct_trace_word(out, "label", e->thing.label == OCT_OPEN ? "open" : "unknown");
    }
    if (!e->thing.opaque) {
        oct_trace_key(out, "opaque");
        oct_sink_text(out, "false");
    }
    if (known->now.kind == OCT_ENTITY_DOOR) {
        oct_trace_number(out, "opening", e->opening);
    }
    oct_sink_text(out, "}");
}

typedef enum news { NEWS_FIRST, NEWS_CHANGED, NEWS_GONE, NEWS_COUNT } news;

static news news_of(const oct_known *known)
{
    return known->gone ? NEWS_GONE : known->changes == 0 ? NEWS_FIRST : NEWS_CHANGED;
}

static void put_news(sink *out, const oct_belief *belief, news which)
{
    size_t count;
    const uint32_t *const indices = oct_belief_news(belief, &count);
    bool is_first = true;
    oct_sink_text(out, "[");
    for (size_t i = 0; i < count && !out->failed; i++) {
        const oct_known *const known = oct_belief_get(belief, indices[i]);
        if (news_of(known) != which) {
            continue;
        }
        oct_sink_text(out, is_first ? "" : ", ");
        is_first = false;
        if (which == NEWS_GONE) {
            oct_trace_id(out, known->now.thing.id);
        } else {
            put_thing(out, known);
        }
    }
    oct_sink_text(out, "]");
}

static void put_look(sink *out, size_t index, const oct_belief *belief)
{
    static const char *const keys[NEWS_COUNT] = {"things", "changed", "gone"};
    const oct_self *const self = oct_belief_self(belief);
    const oct_seen seen = oct_belief_seen(belief);
    oct_sink_text(out, "{\"event\": \"look\"");
    oct_trace_count(out, "agent", index);
    oct_trace_count(out, "tick", self->tick);
    oct_trace_point(out, "at", self->centre);
    oct_trace_count(out, "cells", seen.cells);
    oct_trace_count(out, "hidden", seen.hidden);
    for (int i = 0; i < NEWS_COUNT; i++) {
        oct_trace_key(out, keys[i]);
        put_news(out, belief, (news)i);
    }
    oct_sink_text(out, "}\n");
}

// ---- turns ----

static void put_action(sink *out, const oct_agent *agent)
{
    oct_action action;
    const oct_act came = oct_agent_came(agent, &action);
    oct_trace_word(out, "verb", oct_verb_name(action.verb));
    if (action.verb == OCT_VERB_DO) {
        oct_trace_word(out, "name", action.name);
    }
    if (action.verb == OCT_VERB_USE) {
        oct_trace_key(out, "target");
        oct_trace_id(out, action.target);
        oct_trace_count(out, "button", action.button);
    }
    oct_trace_word(out, "came", oct_act_name(came));
}

static void put_turn(oct_trace *t, size_t index, const oct_agent *agent, bool acted)
{
    sink *const out = &t->out;
    const oct_self *const self = oct_belief_self(oct_agent_belief(agent));
    const oct_mind *const mind = oct_agent_mind(agent);
    size_t count;
    const oct_point *const points = oct_agent_path(agent, &count);
    const uint64_t path = count > 0 ? oct_hash_words(points, 3 * count) : 0;
    oct_sink_text(out, "{\"event\": \"turn\"");
    oct_trace_count(out, "agent", index);
    oct_trace_count(out, "tick", self->tick);
    oct_trace_count(out, "turn", oct_agent_turns(agent));
    oct_trace_point(out, "at", self->centre);
    oct_trace_point(out, "forward", self->pose.forward);
    oct_trace_point(out, "up", self->pose.up);
    if (acted) {
        put_action(out, agent);
    }
    oct_trace_word(out, "goal", oct_mind_goal(mind));
    oct_trace_word(out, "action", oct_mind_action(mind));
    oct_trace_word(out, "thought", oct_agent_thought(agent));
    if (path != t->agents[index].path) {
        oct_trace_points(out, points, count);
    }
    oct_sink_text(out, "}\n");
    t->agents[index].path = path;
}

static void on_turned(void *ctx, oct_agent *const *agents, size_t count)
{
    oct_trace *const t = ctx;
    for (size_t i = 0; i < count && i < AGENTS_MAX; i++) {
        const oct_belief *const belief = oct_agent_belief(agents[i]);
        traced_agent *const last = &t->agents[i];
        const uint64_t looks = oct_belief_looks(belief), turns = oct_agent_turns(agents[i]);
        const uint64_t tick = oct_belief_self(belief)->tick;
        if (looks != last->looks) {
            put_look(&t->out, i, belief);
        }
        if (looks > 0 && (turns != last->turns || tick != last->tick)) {
            put_turn(t, i, agents[i], turns != last->turns);
        }
        // What one presses shows in changes.
        if (oct_belief_changes(belief) != last->changes) {
            last->changes = oct_belief_changes(belief);
            oct_trace_links(&t->out, i, agents[i], &last->links);
        }
        last->looks = looks;
        last->turns = turns;
        last->tick = tick;
    }
}

static void on_ends(void *ctx, oct_agent *const *agents, size_t count)
{
    oct_trace *const t = ctx;
    for (size_t i = 0; i < count && i < AGENTS_MAX; i++) {
        oct_trace_links(&t->out, i, agents[i], &t->agents[i].links);
    }
}

// ---- goals ----

static void on_event(void *ctx, size_t agent, const oct_mind_event *event)
{
    oct_trace *const t = ctx;
    const char *const what = event->kind == OCT_MIND_BEGINS        ? "begins"
                             : event->kind == OCT_MIND_ENDS        ? "ends"
                             : event->kind == OCT_MIND_INTERRUPTED ? "interrupted"
                                                                   : NULL;
    if (!what) {
        return; // turns say which action there was
    }
    oct_sink_text(&t->out, "{\"event\": \"goal\"");
    oct_trace_count(&t->out, "agent", agent);
    oct_trace_count(&t->out, "tick", event->tick);
    oct_trace_word(&t->out, "what", what);
    oct_trace_count(&t->out, "depth", event->depth);
    oct_trace_word(&t->out, "goal", event->goal);
    if (event->kind == OCT_MIND_ENDS) {
        oct_trace_word(&t->out, "status", oct_goal_status_name(event->status));
    }
    if (event->text && event->text[0]) {
        oct_trace_word(&t->out, event->kind == OCT_MIND_ENDS ? "reason" : "handler", event->text);
    }
    oct_sink_text(&t->out, "}\n");
}

oct_play_watch oct_trace_watch(oct_trace *trace)
{
    return (oct_play_watch){
        .ctx = trace, .begins = on_begins, .turned = on_turned, .event = on_event, .ends = on_ends};
}

void oct_trace_flush(oct_trace *trace)
{
    oct_sink_flush(&trace->out);
}

// ---- the last line ----

oct_result oct_trace_end(oct_trace *t)
{
    sink *const out = &t->out;
    const oct_play_result *const result = &t->test->result;
    if (t->lives == 0) {
        begin_head(t);
        oct_sink_text(out, ", \"agents\": []}\n");
    }
    oct_sink_text(out, "{\"event\": \"end\"");
    oct_trace_word(out, "verdict", oct_verdict_name(result->verdict));
    oct_trace_word(out, "reason", result->reason ? result->reason : "");
    oct_trace_word(out, "where", result->where ? result->where : "");
    oct_trace_count(out, "seed", result->seed);
    oct_trace_count(out, "turns", result->turns);
    oct_trace_count(out, "tick", result->ticks);
    oct_trace_count(out, "open", result->open);
    oct_trace_count(out, "blocked", result->blocked);
    oct_trace_count(out, "unknown", result->unknown);
    oct_trace_number(out, "explored", result->explored);
    oct_trace_key(out, "notes");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < result->note_count; i++) {
        oct_sink_text(out, i > 0 ? ", " : "");
        oct_words_json(out, result->notes[i]);
    }
    oct_sink_text(out, "]");
    oct_trace_proof(out, result);
    oct_sink_text(out, "}\n");
    return oct_report_finish(out);
}
