// SPDX-License-Identifier: MIT
// The mesh that the lab world serves, and what of it is seen.
#include "recruits_support.h"

// ---- support ----

static const oct_point *points_of(const recruits_world *g, size_t *count)
{
    *count = g->mesh.points.count;
    return g->mesh.points.items;
}

static const uint32_t *corners_of(const recruits_world *g, size_t *count)
{
    *count = g->mesh.triangles.count;
    return g->mesh.triangles.items;
}

static double area_of(oct_point a, oct_point b, oct_point c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// No two vertices are near each other, all triangles have an area and the same orientation, and no
// vertex lies on the edge of a triangle that does not have it.
static void check_mesh(const recruits_world *g)
{
    size_t count, corners;
    const oct_point *const p = points_of(g, &count);
    const uint32_t *const t = corners_of(g, &corners);
    assert_int_equal(corners % 3, 0);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_true(point_length(point_sub(p[i], p[k])) > 0.019);
        }
    }
    for (size_t i = 0; i < corners; i += 3) {
        assert_true(area_of(p[t[i]], p[t[i + 1]], p[t[i + 2]]) > 1e-9);
        for (int e = 0; e < 3; e++) {
            const oct_point a = p[t[i + (size_t)e]], b = p[t[i + (size_t)(e + 1) % 3]];
            const oct_point way = point_sub(b, a);
            for (size_t k = 0; k < count; k++) {
                const oct_point off = point_sub(p[k], a);
                const double share = point_dot(off, way) / point_dot(way, way);
                const oct_point beside = point_sub(off, point_scale(way, share));
                if (share > 1e-6 && share < 1.0 - 1e-6 && point_length(beside) < 1e-6) {
                    fail_msg("vertex %zu at %.3f %.3f %.3f divides an edge", k, p[k].x, p[k].y,
                             p[k].z);
                }
            }
        }
    }
}

// How many triangles hold a place, as seen from above, near a height.
static uint32_t count_over(const recruits_world *g, double x, double y, double z)
{
    size_t count, corners;
    const oct_point *const p = points_of(g, &count);
    const uint32_t *const t = corners_of(g, &corners);
    const oct_point at = {x, y, z};
    uint32_t found = 0;
    for (size_t i = 0; i < corners; i += 3) {
        const oct_point a = p[t[i]], b = p[t[i + 1]], c = p[t[i + 2]];
        const bool is_level = fabs(a.y - y) < 0.1 && fabs(b.y - y) < 0.1 && fabs(c.y - y) < 0.1;
        found += is_level && area_of(a, b, at) >= 0.0 && area_of(b, c, at) >= 0.0 &&
                 area_of(c, a, at) >= 0.0;
    }
    return found;
}

// ---- the oracle: every cell near a place can be stood in, and no furniture is near ----

static bool stands(const recruits_world *g, int32_t x, int32_t y, int32_t z)
{
    const bool bears = (cell_at(g, x, y, z) & CELL_FLOOR) || (cell_at(g, x, y - 1, z) & CELL_WALL);
    const uint8_t filled = CELL_WALL | CELL_RAMP;
    return bears && !(cell_at(g, x, y, z) & filled) && !(cell_at(g, x, y + 1, z) & filled) &&
           !(cell_at(g, x, y + 1, z) & CELL_FLOOR);
}

static bool is_free(const recruits_world *g, double x, int32_t y, double z)
{
    for (int dz = -1; dz <= 1; dz += 2) {
        for (int dx = -1; dx <= 1; dx += 2) {
            if (!stands(g, axis_floor(x + dx * 0.24 + 0.5), y, axis_floor(z + dz * 0.24 + 0.5))) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < g->things.count; i++) {
        const recruits_thing *const t = thing_at(g, i);
        const oct_bounds *const b = &t->box;
        if (t->kind >= OCT_RECRUITS_CHAIR && b->min.y < y + 1.7 && b->max.y > y + 0.02 &&
            x > b->min.x - 0.24 && x < b->max.x + 0.24 && z > b->min.z - 0.24 &&
            z < b->max.z + 0.24) {
            return false;
        }
    }
    return true;
}

// Not so near to a border that the mesh may differ.
static bool is_clear(const recruits_world *g, double x, int32_t y, double z)
{
    const bool here = is_free(g, x, y, z);
    const double hair = 0.021;
    return here == is_free(g, x + hair, y, z) && here == is_free(g, x - hair, y, z) &&
           here == is_free(g, x, y, z + hair) && here == is_free(g, x, y, z - hair) &&
           here == is_free(g, x + hair, y, z + hair) && here == is_free(g, x - hair, y, z - hair) &&
           here == is_free(g, x + hair, y, z - hair) && here == is_free(g, x - hair, y, z + hair);
}

static void random_levels_have_the_mesh_of_the_oracle(void **state)
{
    static const char *const words[] = {"",  "w", "w",     "f",      "f",
                                        "f", "f", "f:t>s", "f:bc>n", "f:d^x"};
    oct_random random = oct_random_seed(3);
    uint32_t free_places = 0, compared = 0;
    (void)state;
    for (int round = 0; round < 30; round++) {
        char text[4000] = "";
        for (int i = 0; i < 2 * 49; i++) {
            const char *const word = words[oct_random_below(&random, i < 49 ? 10 : 3)];
            snprintf(text + strlen(text), 20, "%s%s%s", i % 49 == 0 ? "|" : "", word,
                     i % 7 == 6 ? "\n" : ",");
        }
        oct_game *const game = recruits_play(text);
        const recruits_world *const g = oct_recruits_inside(game);
        check_mesh(g);
        for (int i = 0; i < 300; i++) {
            const double x = oct_random_unit(&random) * 7.0 - 0.5;
            const double z = oct_random_unit(&random) * 7.0 - 0.5;
            const int32_t y = (int32_t)oct_random_below(&random, 3);
            if (!is_clear(g, x, y, z)) {
                continue;
            }
            const bool is_wanted = is_free(g, x, y, z);
            compared++;
            free_places += is_wanted;
            if (count_over(g, x, y, z) != is_wanted) {
                fail_msg("%s\nat %.4f %d %.4f", text, x, y, z);
            }
        }
        oct_game_destroy(game);
    }
    assert_true(compared > 5000 && free_places > 500);
}

// ---- what clients of the game look for ----

static bool has_vertex(const recruits_world *g, double x, double y, double z)
{
    size_t count;
    const oct_point *const p = points_of(g, &count);
    for (size_t i = 0; i < count; i++) {
        if (point_length(point_sub(p[i], (oct_point){x, y, z})) < 0.1) {
            return true;
        }
    }
    return false;
}

static void tops_of_walls_are_islands(void **state)
{
    (void)state;
    oct_game *const game = recruits_play("w,w,w,w,w\nw,f:a^x,f,f,w\nw,f,f,f,w\nw,w,w,w,w\n");
    const recruits_world *const g = oct_recruits_inside(game);
    check_mesh(g);
    assert_true(has_vertex(g, -0.2, 1.0, -0.2) && has_vertex(g, 5 - 0.8, 1.0, 4 - 0.8));
    assert_true(has_vertex(g, 0.74, 0.03, 0.74) && has_vertex(g, 3.26, 0.03, 2.26));
    oct_game_destroy(game);
    oct_game *const high =
        recruits_play("|w,w,w,w\nw,f:a^x,f,w\nw,w,w,w\n|w,w,w,w\nw,,,w\nw,w,w,w\n");
    assert_true(has_vertex(oct_recruits_inside(high), -0.2, 2.0, -0.2));
    assert_false(has_vertex(oct_recruits_inside(high), -0.2, 1.0, -0.2));
    oct_game_destroy(high);
}

static void doors_and_whatever_moves_do_not_cut_it(void **state)
{
    static const char *const things[] = {"f:d>e^d", "f:od^d", "f:cs^s", "f:b^b",  "f:g^g",
                                         "f:dhf",   "f:m^m",  "f:a^y",  "f:npc^n"};
    (void)state;
    oct_game *const plain = recruits_play("w,w,w,w,w\nw,f:a^x,f,f,w\nw,w,w,w,w\n");
    const recruits_world *const g = oct_recruits_inside(plain);
    for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
        char text[200];
        snprintf(text, sizeof text, "w,w,w,w,w\nw,f:a^x,%s,f,w\nw,w,w,w,w\n", things[i]);
        oct_game *const game = recruits_play(text);
        const recruits_world *const other = oct_recruits_inside(game);
        assert_int_equal(other->mesh.points.count, g->mesh.points.count);
        assert_int_equal(other->mesh.triangles.count, g->mesh.triangles.count);
        oct_game_destroy(game);
    }
    oct_game_destroy(plain);
}

static uint32_t island_at(const oct_surface *s, double x, double y, double z)
{
    const oct_surface_place place = oct_surface_locate(s, (oct_point){x, y, z}, 0.5);
    assert_true(place.is_on);
    return oct_surface_face_of(s, place.face).island;
}

static void ramps_join_storeys(void **state)
{
    (void)state;
    oct_game *const game =
        recruits_play("bob,p1\n"
                      "|w,w,w,w,w,w,w\nf,f:a^x,f:r>e,f,f,f:ng^p1,f\nw,w,w,w,w,w,w\n"
                      "|,,,,,,\n,,,r>e,,,\n,,,,,,\n|,,,,,,\n,,,,r>e,,\n,,,,,,\n|,,,,,,\n,,,,,f,f:"
                      "npc^bob\n,,,,,,\n");
    const recruits_world *const g = oct_recruits_inside(game);
    check_mesh(g);
    assert_non_null(g->surface);
    assert_int_equal(island_at(g->surface, 0.0, 0.0, 1.0), island_at(g->surface, 6.0, 3.0, 1.0));
    assert_int_equal(island_at(g->surface, 0.0, 0.0, 1.0), island_at(g->surface, 3.0, 1.5, 1.0));
    assert_true(island_at(g->surface, 0.0, 1.0, 0.0) != island_at(g->surface, 0.0, 0.0, 1.0));
    oct_game_destroy(game);
}

static void vertices_are_seen_where_nothing_hides_them(void **state)
{
    (void)state;
    oct_game *const game = recruits_play(
        "|w,w,w,w,w,w\nf:a^x,f,f:d>w^d,f,f,f\nw,w,w,w,w,w\n|w,w,w,w,w,w\n,,,,,\nw,w,w,w,w,w\n");
    const recruits_world *const g = oct_recruits_inside(game);
    size_t count;
    const oct_point *const p = points_of(g, &count);
    uint32_t seen = 0, hidden = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_seen = oct_recruits_sees_vertex(g, 0, p[i]);
        if (p[i].y < 0.1) {
            assert_int_equal(is_seen, p[i].x < 1.4);
        }
        seen += is_seen;
        hidden += !is_seen;
    }
    assert_true(seen > 0 && hidden > 0);
    oct_game_destroy(game);
}

static void the_games_levels_have_proper_meshes(void **state)
{
    static const char *const names[] = {"gym/square.csv",
                                        "gym/square2.csv",
                                        "gym/CLRSWTCH.csv",
                                        "gym/samira_8room.csv",
                                        "gym/contest/CR3_3_3_MH.csv",
                                        "demo/twoFloorsTest1.csv",
                                        "demo/ramptest2.csv",
                                        "demo/stucktest1.csv"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        oct_game *const game = recruits_load(names[i]);
        if (!game) {
            skip();
        }
        check_mesh(oct_recruits_inside(game));
        oct_game_destroy(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_levels_have_the_mesh_of_the_oracle),
        cmocka_unit_test(tops_of_walls_are_islands),
        cmocka_unit_test(doors_and_whatever_moves_do_not_cut_it),
        cmocka_unit_test(ramps_join_storeys),
        cmocka_unit_test(vertices_are_seen_where_nothing_hides_them),
        cmocka_unit_test(the_games_levels_have_proper_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
