// SPDX-License-Identifier: MIT
// How a scene of the searches' benches is made.
#include "bench/search_scene.h"
#include "files/files_internal.h"
#include "octant/formats.h"
#include "octant/scenario.h"
#include "octant/tree.h"

#define QUERY_SEED 20260102
#define SCENARIO_BYTES_MAX (64u << 20)
#define DRAWS_MAX 100000 // where no query comes out, there is none

oct_result oct_search_scene_load(search_scene *s, const char *path, oct_error *error)
{
    const oct_tree_def def = oct_tree_def_default();
    oct_tree_info info;
    OCT_TRY(oct_tree_load(path, &def, &s->tree, &info, NULL, error));
    s->box = info.box;
    return oct_tree_shrink(s->tree);
}

static oct_result generate(search_scene *s, const oct_generate_def *def)
{
    const oct_tree_def tree_def = oct_tree_def_default();
    oct_tree_info info;
    OCT_TRY(oct_tree_generate(def, &tree_def, &s->tree, &info));
    s->box = info.box;
    return oct_tree_shrink(s->tree);
}

oct_result oct_search_scene_generate(search_scene *s, oct_generate_kind kind, uint32_t size)
{
    oct_generate_def def = oct_generate_def_default();
    def.kind = kind;
    def.size = size;
    return generate(s, &def);
}

oct_result oct_search_scene_potential(search_scene *s, uint32_t size)
{
    oct_generate_def def = oct_generate_def_default();
    def.kind = OCT_GENERATE_POTENTIAL;
    def.dims = 2;
    def.size = size;
    def.clustering = 4;
    return generate(s, &def);
}

oct_result oct_search_scene_read(search_scene *s, const char *path, size_t limit, oct_error *error)
{
    const oct_allocator memory = oct_allocator_default();
    oct_array file = {.count = 0};
    OCT_TRY(oct_file_read(path, SCENARIO_BYTES_MAX, &memory, &file, error));
    oct_scenario *scenario = NULL;
    const oct_result result = oct_scenario_read(oct_tree_dims(s->tree), file.items, file.count,
                                                &memory, &scenario, error);
    oct_array_free(&file, &memory, 1);
    OCT_TRY(result);
    const size_t count = oct_scenario_count(scenario);
    s->query_count = count < limit ? count : limit;
    for (size_t i = 0; i < s->query_count; i++) {
        const oct_scenario_query q = oct_scenario_get(scenario, i * count / s->query_count);
        s->queries[i] = (scene_query){q.from, q.to, q.length};
    }
    oct_scenario_destroy(scenario);
    return s->query_count > 0 ? OCT_OK : OCT_ERROR_RANGE;
}

static oct_vec random_cell(oct_random *random, oct_box box)
{
    const int32_t x = oct_random_range(random, box.min.x, box.max.x - 1);
    const int32_t y = oct_random_range(random, box.min.y, box.max.y - 1);
    const int32_t z = oct_random_range(random, box.min.z, box.max.z - 1);
    return (oct_vec){x, y, z};
}

oct_result oct_search_scene_draw(search_scene *s, size_t limit)
{
    oct_random random = oct_random_seed(QUERY_SEED);
    OCT_TRY(oct_search_scene_baseline(s));
    for (int i = 0; i < DRAWS_MAX && s->query_count < limit; i++) {
        const oct_vec from = random_cell(&random, s->box);
        const oct_vec to = random_cell(&random, s->box);
        baseline_path path;
        OCT_TRY(oct_baseline_find(s->baseline, from, to, &path));
        if (path.found) {
            s->queries[s->query_count++] = (scene_query){from, to, path.length};
        }
    }
    return s->query_count == limit ? OCT_OK : OCT_ERROR_RANGE;
}

oct_result oct_search_scene_baseline(search_scene *s)
{
    return s->baseline ? OCT_OK : oct_baseline_create(s->tree, s->box, NULL, &s->baseline);
}

oct_result oct_search_scene_planner(search_scene *s, size_t way)
{
    oct_planner_def def = oct_planner_def_default();
    def.tree = s->tree;
    def.lab = oct_lab();
    return s->planners[way] ? OCT_OK : oct_planner_create(&def, &s->planners[way]);
}

void oct_search_scene_free(search_scene *s)
{
    for (size_t i = 0; i < SEARCH_WAYS_MAX; i++) {
        oct_planner_destroy(s->planners[i]);
    }
    oct_baseline_destroy(s->baseline);
    oct_tree_destroy(s->tree);
}
