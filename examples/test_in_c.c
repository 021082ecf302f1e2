// SPDX-License-Identifier: MIT
// A test written in C: an agent shall reach a target behind a door that a button opens. Writes a
// report for people, one for other programs, and a trace to replay.
//   test_in_c FOLDER
#include <octant/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// '@' is the start, 'B' a button that opens the door 'D', 'T' the target.
static const char *const level[] = {"############", "#....#.....#", "#.@..D...T.#", "#..B.#.....#",
                                    "############"};
enum { ROWS = sizeof level / sizeof *level };
#define EDGE 2.5 // of a block, metres

static void check(oct_result result)
{
    if (result != OCT_OK) {
        fprintf(stderr, "%s\n", oct_result_text(result));
        exit(2);
    }
}

// A block of so many cells, from a cell of the level on.
static void add(oct_world *world, uint64_t id, const char *name, uint32_t type, oct_vec at,
                oct_vec size)
{
    const oct_point min = {at.x * EDGE, at.y * EDGE, at.z * EDGE};
    const oct_point max = {min.x + size.x * EDGE, min.y + size.y * EDGE, min.z + size.z * EDGE};
    check(oct_world_add(
        world, &(oct_world_block){
                   .id = id, .name = name, .type = type, .label = OCT_BLOCKED, .box = {min, max}}));
}

static oct_result build(void *ctx, const oct_allocator *allocator, oct_world **out,
                        oct_error *error)
{
    static const oct_world_type types[] = {{"wall", true, OCT_KIND_SOLID, 0, {1, 1, 1}, 100},
                                           {"door", true, OCT_KIND_DOOR, 0, {1, 1, 1}, 100},
                                           {"button", true, OCT_KIND_PANEL, 1, {1, 1, 1}, 100},
                                           {"target", true, OCT_KIND_TARGET, 0, {1, 1, 1}, 100}};
    static const char kinds[] = "#DBT";
    const int columns = (int)strlen(level[0]);
    (void)ctx, (void)error;
    check(oct_world_create(&(oct_world_def){allocator}, out));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        check(oct_world_define(*out, &types[i], NULL));
    }
    add(*out, 1, "floor", 0, (oct_vec){0, 0, -1}, (oct_vec){columns, ROWS, 1});
    add(*out, 2, "ceiling", 0, (oct_vec){0, 0, 1}, (oct_vec){columns, ROWS, 1});
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < columns; x++) {
            const char name[] = {level[y][x], '\0'};
            const char *const kind = strchr(kinds, name[0]);
            const oct_point feet = {(x + 0.5) * EDGE, (y + 0.5) * EDGE, 0.1};
            if (name[0] == '@') {
                check(oct_world_set_start(*out, &(oct_pose){feet, {1, 0, 0}, {0, 0, 1}}));
            } else if (kind) {
                add(*out, kind == kinds ? 1000u + (uint64_t)(y * columns + x) : (uint64_t)name[0],
                    name, (uint32_t)(kind - kinds), (oct_vec){x, y, 0}, (oct_vec){1, 1, 1});
            }
        }
    }
    return oct_world_add_wire(*out, &(oct_world_wire){'B', 0, OCT_WIRE_TOGGLE, 'D', ""});
}

static oct_result begin(void *ctx, oct_agent *agent, oct_goal **goal)
{
    (void)ctx, (void)agent;
    *goal = oct_goal_smart_close_to_block(NULL, &(oct_pick){.name = "T"}, OCT_SIDE_ANY, 0.0);
    return OCT_OK;
}

static bool write_file(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size;
}

static FILE *create(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "wb");
    check(file ? OCT_OK : OCT_ERROR_FILE);
    return file;
}

int main(int argc, char **argv)
{
    const char *const folder = argc > 1 ? argv[1] : ".";
    oct_test_agent agent = oct_test_agent_default();
    agent.begin = begin;
    oct_test_def def = oct_test_def_default();
    def.load = build;
    def.agents = &agent;
    def.agent_count = 1;
    def.seconds = 120.0;

    // Who looks on: a record for the pages of the report, and a trace.
    FILE *const files[] = {create(folder, "trace.jsonl"), create(folder, "report.html"),
                           create(folder, "junit.xml")};
    oct_report_test test = {
        .file = "test_in_c.c", .name = "the target can be reached", .world = ""};
    oct_play_record *record;
    oct_trace *trace;
    check(oct_play_record_create(NULL, &record));
    check(oct_trace_create(&test, write_file, files[0], NULL, &trace));
    const oct_play_watch watches[] = {oct_play_record_watch(record), oct_trace_watch(trace)};
    const oct_play_options options = {.watches = watches, .watch_count = 2};

    check(oct_play_test(&def, &options, &test.result));
    test.record = record;
    const oct_report_run run = {.tests = &test, .count = 1, .threads = 1};
    check(oct_trace_end(trace));
    check(oct_report_html(&run, write_file, files[1]));
    check(oct_report_junit(&run, write_file, files[2]));
    check(oct_report_text(&run, write_file, stdout));
    const bool is_good = oct_report_is_good(&run);
    for (int i = 0; i < 3; i++) {
        check(fclose(files[i]) == 0 ? OCT_OK : OCT_ERROR_FILE);
    }
    oct_trace_destroy(trace);
    oct_play_record_destroy(record);
    oct_play_result_free(&test.result);
    return is_good ? 0 : 1;
}
