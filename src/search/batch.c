// SPDX-License-Identifier: MIT
// Many queries over an executor.
#include "search/planner.h"

typedef struct batch {
    oct_planner *const *planners;
    const oct_query *queries;
    oct_path_fn *done;
    void *ctx;
} batch;

static void plan_one(void *arg, uint32_t index, uint32_t worker)
{
    const batch *const b = arg;
    oct_planner *const p = b->planners[worker];
    oct_path path;
    const oct_result result = oct_planner_plan(p, &b->queries[index], &path);
    if (result == OCT_OK) {
        b->done(b->ctx, index, worker, &path);
    } else if (p->failure == OCT_OK || index < p->failed_query) {
        p->failure = result;
        p->failed_query = index;
    }
}

static void run_here(void *ctx, uint32_t count, oct_task_fn *task, void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        task(arg, i, 0);
    }
}

oct_result oct_planner_plan_batch(oct_planner *const *planners, const oct_executor *executor,
                                  const oct_query *queries, size_t count, oct_path_fn *done,
                                  void *ctx)
{
    const oct_executor here = {run_here, NULL, 1};
    const oct_executor *const used = executor ? executor : &here;
    batch b = {planners, queries, done, ctx};
    if (count > UINT32_MAX) {
        return OCT_ERROR_RANGE;
    }
    for (uint32_t i = 0; i < used->workers; i++) {
        // Which worker takes a query is chance: planners of two trees would answer by chance.
        if (planners[i]->tree != planners[0]->tree) {
            return OCT_ERROR_ARGUMENT;
        }
        planners[i]->failure = OCT_OK;
    }
    used->run(used->ctx, (uint32_t)count, plan_one, &b);
    const oct_planner *first = planners[0];
    for (uint32_t i = 1; i < used->workers; i++) {
        const oct_planner *const p = planners[i];
        if (p->failure != OCT_OK &&
            (first->failure == OCT_OK || p->failed_query < first->failed_query)) {
            first = p;
        }
    }
    return first->failure;
}
