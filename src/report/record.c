// SPDX-License-Identifier: MIT
#include "report/record.h"
#include "agent/belief_internal.h"
#include "agent/mind_internal.h"

#include "base/words.h"
#include "geom/geom_internal.h"

#include <stdio.h>

#define TEXT_LENGTH_MAX 256
#define NO_PATH UINT64_C(0)
#define SHORTEST_MAX (UINT64_C(1) << 40)

// ---- life ----

oct_result oct_play_record_create(const oct_allocator *may_be_null, oct_play_record **out)
{
    const oct_allocator allocator = oct_allocator_or_default(may_be_null);
    oct_play_record *const record =
        oct_alloc(&allocator, sizeof *record, _Alignof(oct_play_record));
    *out = record;
    if (!record) {
        return OCT_ERROR_MEMORY;
    }
    *record = (oct_play_record){.allocator = allocator, .rate = 60.0};
    oct_arena_init(&record->texts, &record->allocator);
    return OCT_OK;
}

static void free_agent(record_agent *agent, const oct_allocator *allocator)
{
    oct_array_free(&agent->track.places, allocator, sizeof(record_place));
    oct_array_free(&agent->replans.places, allocator, sizeof(record_place));
    oct_array_free(&agent->spans, allocator, sizeof(record_span));
    oct_array_free(&agent->marks, allocator, sizeof(record_mark));
    oct_array_free(&agent->goals, allocator, sizeof(record_goal));
    oct_array_free(&agent->links, allocator, sizeof(record_link));
    oct_array_free(&agent->path, allocator, sizeof(oct_point));
}

void oct_play_record_destroy(oct_play_record *record)
{
    if (!record) {
        return;
    }
    for (size_t i = 0; i < record->agent_count; i++) {
        free_agent(&record->agents[i], &record->allocator);
    }
    for (size_t i = 0; i < record->plan_count; i++) {
        oct_array_free(&record->plans[i].cells, &record->allocator, 1);
        oct_array_free(&record->plans[i].boxes, &record->allocator, sizeof(record_box));
    }
    oct_arena_free(&record->texts);
    const oct_allocator allocator = record->allocator;
    oct_free(&allocator, record, sizeof *record);
}

// ---- parts ----

const char *oct_record_words(oct_play_record *record, const char *words)
{
    char clean[TEXT_LENGTH_MAX];
    const size_t size = strlen(oct_words_copy(words, clean, sizeof clean)) + 1;
    const char **const slot = &record->recent[oct_hash_bytes(clean, size) % 256];
    if (*slot && strcmp(*slot, clean) == 0) {
        return *slot;
    }
    char *const copy = record->text_bytes + size <= RECORD_TEXT_MAX
                           ? oct_arena_alloc(&record->texts, size, 1)
                           : NULL;
    if (!copy) {
        record->left_out++;
        return "...";
    }
    record->text_bytes += size;
    *slot = memcpy(copy, clean, size);
    return copy;
}

void oct_record_push(oct_play_record *record, oct_array *array, size_t item_size, const void *item,
                     size_t most)
{
    if (array->count >= most) {
        record->left_out++;
    } else if (record->result == OCT_OK) {
        record->result = oct_array_push(array, &record->allocator, item_size, item);
    }
}

// ---- tracks ----

static void thin(record_track *track)
{
    record_place *const places = track->places.items;
    size_t kept = 0;
    for (size_t i = 0; i < track->places.count; i += 2) {
        places[kept++] = places[i];
    }
    track->places.count = kept;
    track->stride *= 2;
}

static void follow(oct_play_record *record, record_track *track, record_place place)
{
    track->stride = track->stride ? track->stride : 1;
    if (track->seen++ % track->stride != 0) {
        return;
    }
    if (track->places.count == RECORD_TRACK_MAX) {
        thin(track);
        if ((track->seen - 1) % track->stride != 0) {
            return;
        }
    }
    oct_record_push(record, &track->places, sizeof place, &place, RECORD_TRACK_MAX);
}

// ---- spans ----

static record_span *span_at(record_agent *agent, uint32_t index)
{
    return (record_span *)agent->spans.items + index;
}

// Forgets the spans that are shorter than the shortest to be kept, unless they are open.
static void forget_short_spans(oct_play_record *record, record_agent *agent)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < agent->spans.count; i++) {
        const record_span bar = *span_at(agent, i);
        uint32_t *const open = bar.is_thought ? &agent->thought : &agent->open[bar.depth];
        const bool is_open = *open == i + 1;
        if (is_open || bar.to - bar.from >= agent->shortest) {
            *span_at(agent, kept++) = bar;
            *open = is_open ? kept : *open;
        } else {
            record->left_out++;
        }
    }
    agent->spans.count = kept;
}

// Makes room for at least a quarter, at the expense of the shortest; in vain where all are long.
static void drop_short_spans(oct_play_record *record, record_agent *agent)
{
    forget_short_spans(record, agent);
    while (agent->spans.count > RECORD_SPANS_MAX / 4 * 3 && agent->shortest < SHORTEST_MAX) {
        agent->shortest = agent->shortest ? agent->shortest * 2 : 1;
        forget_short_spans(record, agent);
    }
}

// Returns its index + 1, or 0 where there is no room.
static uint32_t begin_span(oct_play_record *record, record_agent *agent, const record_span *bar)
{
    if (agent->spans.count == RECORD_SPANS_MAX) {
        drop_short_spans(record, agent);
    }
    const size_t before = agent->spans.count;
    oct_record_push(record, &agent->spans, sizeof *bar, bar, RECORD_SPANS_MAX);
    return agent->spans.count > before ? (uint32_t)agent->spans.count : 0;
}

static uint32_t depth_of(const oct_mind_event *event)
{
    return event->depth < OCT_GOAL_DEPTH_MAX ? event->depth : OCT_GOAL_DEPTH_MAX;
}

// What is deeper than a goal ends with it, whether or not it was told so.
static void leave_below(record_agent *agent, uint32_t depth, uint64_t tick)
{
    for (uint32_t i = depth; i <= OCT_GOAL_DEPTH_MAX; i++) {
        if (agent->open[i] > 0) {
            span_at(agent, agent->open[i] - 1)->to = tick;
        }
        agent->open[i] = 0;
    }
}

static void begin_goal(oct_play_record *record, record_agent *agent, const oct_mind_event *event)
{
    const record_span bar = {.from = event->tick,
                             .to = event->tick,
                             .name = oct_record_words(record, event->goal),
                             .text = "",
                             .depth = depth_of(event),
                             .status = OCT_GOAL_CURRENT};
    leave_below(agent, bar.depth, event->tick);
    agent->open[bar.depth] = begin_span(record, agent, &bar);
}

static void end_goal(oct_play_record *record, record_agent *agent, const oct_mind_event *event)
{
    const uint32_t open = agent->open[depth_of(event)];
    leave_below(agent, depth_of(event), event->tick);
    if (open > 0) {
        record_span *const bar = span_at(agent, open - 1);
        bar->status = (uint8_t)event->status;
        bar->text = oct_record_words(record, event->text);
    }
}

static void interrupt(oct_play_record *record, record_agent *agent, const oct_mind_event *event)
{
    const record_place *const places = agent->track.places.items;
    const size_t count = agent->track.places.count;
    const record_mark mark = {.tick = event->tick,
                              .at = count > 0 ? places[count - 1].at : (oct_point){0, 0, 0},
                              .kind = RECORD_INTERRUPT,
                              .text = oct_record_words(record, event->text)};
    oct_record_push(record, &agent->marks, sizeof mark, &mark, RECORD_MARKS_MAX);
}

static void on_event(void *ctx, size_t index, const oct_mind_event *event)
{
    oct_play_record *const record = ctx;
    if (index >= record->agent_count || record->result != OCT_OK) {
        return;
    }
    record_agent *const agent = &record->agents[index];
    switch (event->kind) {
    case OCT_MIND_BEGINS:
        begin_goal(record, agent, event);
        break;
    case OCT_MIND_ENDS:
        end_goal(record, agent, event);
        break;
    case OCT_MIND_INTERRUPTED:
        interrupt(record, agent, event);
        break;
    case OCT_MIND_ACTS:
    case OCT_MIND_WAITS:
        break;
    }
}

// ---- turns ----

static void think(oct_play_record *record, record_agent *kept, const oct_agent *agent,
                  uint64_t tick)
{
    const char *const thought = oct_agent_thought(agent);
    const char *const words =
        oct_record_words(record, *thought ? thought : oct_mind_action(oct_agent_mind(agent)));
    record_span *const last = kept->thought > 0 ? span_at(kept, kept->thought - 1) : NULL;
    if (last) {
        last->to = tick;
    }
    if (!last || strcmp(last->name, words) != 0) {
        const record_span bar = {
            .from = tick, .to = tick, .name = words, .text = "", .is_thought = true};
        kept->thought = 0;
        kept->thought = *words ? begin_span(record, kept, &bar) : 0;
    }
}

static void note_action(oct_play_record *record, record_agent *kept, const oct_agent *agent,
                        const oct_self *self)
{
    oct_action action;
    const oct_act came = oct_agent_came(agent, &action);
    const oct_belief *const belief = oct_agent_belief(agent);
    uint32_t index;
    if (action.verb != OCT_VERB_USE) {
        return;
    }
    char name[96] = "?", words[160];
    if (oct_belief_find(belief, action.target, &index)) {
        (void)oct_belief_name(belief, oct_belief_get(belief, index), name, sizeof name);
    }
    const bool done = came == OCT_ACT_DONE;
    snprintf(words, sizeof words, "%s:%u%s%s", name, action.button, done ? "" : ", ",
             done ? "" : oct_act_name(came));
    const record_mark mark = {.tick = self->tick,
                              .at = self->centre,
                              .kind = done ? RECORD_PRESS : RECORD_REFUSED,
                              .text = oct_record_words(record, words)};
    oct_record_push(record, &kept->marks, sizeof mark, &mark, RECORD_MARKS_MAX);
}

static void note_path(oct_play_record *record, record_agent *kept, const oct_agent *agent,
                      const record_place *place)
{
    size_t count;
    const oct_point *const points = oct_agent_path(agent, &count);
    const uint64_t hash = count > 0 ? oct_hash_words(points, 3 * count) : NO_PATH;
    if (hash == kept->path_hash || hash == NO_PATH) {
        return;
    }
    kept->path_hash = hash;
    follow(record, &kept->replans, *place);
    kept->path.count = 0;
    for (size_t i = 0; i < count; i++) {
        oct_record_push(record, &kept->path, sizeof *points, &points[i], RECORD_PATH_MAX);
    }
}

static void take_turn(oct_play_record *record, record_agent *kept, const oct_agent *agent)
{
    const oct_self *const self = oct_belief_self(oct_agent_belief(agent));
    const record_place place = {self->centre, self->tick};
    kept->travelled += kept->has_last ? point_length(point_sub(place.at, kept->last)) : 0.0;
    kept->last = place.at;
    kept->has_last = true;
    follow(record, &kept->track, place);
    note_path(record, kept, agent, &place);
    think(record, kept, agent, self->tick);
    if (oct_agent_turns(agent) > kept->turns) {
        note_action(record, kept, agent, self);
    }
    kept->turns = oct_agent_turns(agent);
    record->ticks = self->tick > record->ticks ? self->tick : record->ticks;
}

static void on_turned(void *ctx, oct_agent *const *agents, size_t count)
{
    oct_play_record *const record = ctx;
    for (size_t i = 0; i < count && i < record->agent_count && record->result == OCT_OK; i++) {
        if (oct_belief_looks(oct_agent_belief(agents[i])) > 0) {
            take_turn(record, &record->agents[i], agents[i]);
        }
    }
}

// ---- begin and end ----

static void choose_axes(oct_play_record *record, const oct_game_info *info)
{
    static const int axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    record->up = (int)info->up;
    record->axis[0] = axes[record->up][0];
    record->axis[1] = axes[record->up][1];
    // Seen from above with the first axis to the right.
    record->flipped = (record->up != 1) != info->left_handed;
}

static void on_begins(void *ctx, const oct_world *world, oct_agent *const *agents, size_t count)
{
    oct_play_record *const record = ctx;
    // Of several lives the last one is shown.
    for (size_t i = 0; i < record->agent_count; i++) {
        free_agent(&record->agents[i], &record->allocator);
    }
    record->ticks = 0;
    if (count > 0) {
        const oct_game_info *const info = oct_belief_info(oct_agent_belief(agents[0]));
        choose_axes(record, info);
        record->rate = info->rate;
    }
    record->has_extent = world != NULL;
    record->extent = world ? oct_world_extent(world) : (oct_bounds){0};
    record->agent_count = count < RECORD_AGENTS_MAX ? count : RECORD_AGENTS_MAX;
    record->left_out += count - record->agent_count;
    for (size_t i = 0; i < record->agent_count; i++) {
        record->agents[i] =
            (record_agent){.name = oct_record_words(record, oct_agent_name(agents[i]))};
    }
}

static void on_ends(void *ctx, oct_agent *const *agents, size_t count)
{
    oct_play_record *const record = ctx;
    for (size_t i = 0; i < count && i < record->agent_count; i++) {
        leave_below(&record->agents[i], 0, record->ticks);
        oct_record_end_agent(record, &record->agents[i], agents[i]);
    }
    if (record->agent_count > 0) {
        oct_record_draw_plans(record, agents[0]);
    }
}

oct_play_watch oct_play_record_watch(oct_play_record *record)
{
    return (oct_play_watch){record, on_begins, on_turned, on_event, on_ends};
}
