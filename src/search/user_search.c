// SPDX-License-Identifier: MIT
// Dijkstra's algorithm, A* and Lazy Theta* over a caller's graph.
#include "search/rules.h"
#include "search/user.h"

oct_result oct_user_run_dijkstra(search *s)
{
    return search_run(&user_ops, &dijkstra_rule, s);
}

oct_result oct_user_run_astar(search *s)
{
    return search_run(&user_ops, &astar_rule, s);
}

oct_result oct_user_run_lazy_theta(search *s)
{
    return search_run(&user_ops, &lazy_theta_rule, s);
}

const search_algorithm oct_user_dijkstra = {
    .name = "dijkstra", .run = {[SPACE_USER] = oct_user_run_dijkstra}, .is_complete = true};

const search_algorithm oct_user_astar = {
    .name = "astar", .run = {[SPACE_USER] = oct_user_run_astar}, .is_complete = true};

const search_algorithm oct_user_lazy_theta = {.name = "lazy-theta",
                                              .run = {[SPACE_USER] = oct_user_run_lazy_theta},
                                              .is_complete = true,
                                              .is_smooth = true,
                                              .is_any_angle = true};
