# SPDX-License-Identifier: MIT
# The `octant` command, the benches behind `octant bench`, and what their reports are made with.

add_library(octant_report STATIC
    src/report/html_plan.c
    src/report/html_style.c
    src/report/html_time.c
    src/report/plot.c
    src/report/plot_axis.c
    src/report/record.c
    src/report/record_end.c
    src/report/record_plan.c
    src/report/report.c
    src/report/report_html.c
    src/report/report_json.c
    src/report/report_junit.c
    src/report/report_text.c
    src/report/test_trace.c
    src/report/trace.c
    src/report/trace_parts.c
    src/report/words.c)
octant_target(octant_report)
target_include_directories(octant_report PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(octant_report PUBLIC octant_inside octant_io PkgConfig::JANSSON PRIVATE $<$<BOOL:${UNIX}>:m>)

add_library(octant_bench STATIC
    bench/baseline_astar.c
    bench/baseline_codes.c
    bench/baseline_full.c
    bench/baseline_links.c
    bench/bench.c
    bench/bench_components.c
    bench/bench_flat.c
    bench/bench_frontier.c
    bench/bench_game.c
    bench/bench_map.c
    bench/bench_moving.c
    bench/bench_search.c
    bench/bench_swarm.c
    bench/bench_things.c
    bench/flights.c
    bench/map_scene.c
    bench/puzzles.c
    bench/search_scene.c
    bench/search_ways.c
    bench/seed000_explore.c
    bench/seed000_figures.c
    bench/seed000_limit.c
    bench/seed000_times.c
    bench/seed000_world.c
    bench/seed003_full.c
    bench/seed003_listing.c
    bench/seed003_pruned.c
    bench/seed003_scene.c
    bench/shortest_around.c
    bench/swarm_hole.c
    bench/table_flights.c
    bench/table_puzzles.c
    bench/table_seed000.c
    bench/table_seed001.c
    bench/table_seed003.c
    bench/thing_scene.c)
octant_target(octant_bench)
target_include_directories(octant_bench PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(octant_bench PUBLIC octant_io octant_report)

add_executable(octant_cli
    src/cli/cache.c
    src/cli/distances.c
    src/cli/cmd_bench.c
    src/cli/cmd_explore.c
    src/cli/cmd_gen.c
    src/cli/cmd_lab.c
    src/cli/cmd_map.c
    src/cli/cmd_path.c
    src/cli/cmd_scen.c
    src/cli/cmd_test.c
    src/cli/explore_out.c
    src/cli/explore_scene.c
    src/cli/flights_out.c
    src/cli/lab_csv.c
    src/cli/lab_hooks.c
    src/cli/lab_items.c
    src/cli/lab_plan.c
    src/cli/lab_run.c
    src/cli/lab_save.c
    src/cli/lab_table.c
    src/cli/lab_table_out.c
    src/cli/main.c
    src/cli/maps.c
    src/cli/options.c
    src/cli/output.c
    src/cli/puzzles_out.c
    src/cli/rows.c
    src/cli/scen_csv.c
    src/cli/scen_file.c
    src/cli/scen_run.c
    src/cli/search_options.c
    src/cli/seed000_out.c
    src/cli/seed003_out.c
    src/cli/signals.c
    src/cli/test_files.c
    src/cli/test_live.c
    src/cli/test_run.c
    src/cli/threads.c
    src/cli/worlds.c)
octant_target(octant_cli)
set_target_properties(octant_cli PROPERTIES OUTPUT_NAME octant)
target_link_libraries(octant_cli PRIVATE octant_bench octant_io octant_script PkgConfig::JANSSON
                                         Threads::Threads)
