// SPDX-License-Identifier: MIT
#include "search_scene.h"
#include "octant/line.h"
#include "octant/tree.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- worlds ----

static const oct_vec bases[] = {{0, 0, 0},      {-8, -4, -12}, {-16, -16, -16},
                                {-7, 1000, -3}, {3, -5, 2},    {4, 8, -4}};
static const double sizes[] = {1.0, 1.0, 0.25, 2.5, 0.1};
static const oct_point origins[] = {{0, 0, 0}, {0, 0, 0}, {-3.7, 12.25, 0.1}};
static const oct_mark marks[] = {OCT_MARK_OPEN, OCT_MARK_BLOCKED, OCT_MARK_UNKNOWN};

static int32_t depth(const search_scene *s)
{
    return s->drawn.max.z - s->drawn.min.z;
}

oct_box scene_random_box(search_scene *s, int32_t longest)
{
    oct_box box = s->drawn;
    int32_t *const lo[] = {&box.min.x, &box.min.y, &box.min.z};
    int32_t *const hi[] = {&box.max.x, &box.max.y, &box.max.z};
    for (int i = 0; i < 3; i++) {
        const int32_t most = *hi[i] - *lo[i];
        const int32_t length = oct_random_range(&s->random, 1, longest < most ? longest : most);
        *lo[i] += oct_random_range(&s->random, 0, most - length);
        *hi[i] = *lo[i] + length;
    }
    return box;
}

static void mark(search_scene *s, oct_box box, oct_mark as)
{
    assert_int_equal(oct_tree_set_box(s->tree, box, as), OCT_OK);
}

// Mostly free with things in it, mostly blocked with rooms in it, or a mixture.
static void fill(search_scene *s, int32_t edge, bool is_sparse)
{
    oct_random *const random = &s->random;
    const uint64_t kind = oct_random_below(random, 6);
    mark(s, s->drawn, kind == 0 ? OCT_MARK_BLOCKED : kind == 1 ? OCT_MARK_UNKNOWN : OCT_MARK_OPEN);
    const int boxes = (int)oct_random_below(random, 6);
    const uint64_t cells = (uint64_t)(edge * edge * depth(s)) / (1 + oct_random_below(random, 8));
    const int singles = (int)oct_random_below(random, is_sparse ? 15 : 1 + cells);
    for (int i = 0; i < boxes; i++) {
        // Drawn one after the other, so that worlds are the same by every compiler.
        const oct_mark with = kind == 0 ? OCT_MARK_OPEN : marks[oct_random_below(random, 3)];
        mark(s, scene_random_box(s, edge), with);
    }
    for (int i = 0; i < singles; i++) {
        const uint64_t which = oct_random_below(random, 8);
        mark(s, scene_random_box(s, 1), marks[which > 2 ? 1 : which]);
    }
}

static oct_box root_box(const search_scene *s)
{
    const oct_cell root = oct_tree_root(s->tree);
    if (root.level < 0) {
        return s->drawn;
    }
    const int32_t edge = INT32_C(1) << root.level;
    return (oct_box){{root.x, root.y, root.z},
                     {root.x + edge, root.y + edge, s->dims == 3 ? root.z + edge : 1}};
}

static oct_box grown(const search_scene *s, oct_box box, int32_t by)
{
    const int32_t z = s->dims == 3 ? by : 0;
    return (oct_box){{box.min.x - by, box.min.y - by, box.min.z - z},
                     {box.max.x + by, box.max.y + by, box.max.z + z}};
}

void scene_set_terms(search_scene *s, oct_unknown unknown, const oct_box *bounds)
{
    s->terms = oct_terms_default();
    s->terms.unknown = unknown;
    s->bounds = bounds ? *bounds : (oct_box){{0, 0, 0}, {0, 0, 0}};
    s->terms.bounds = bounds ? &s->bounds : NULL;
    // Bounds may go beyond the lattice, but nothing is there.
    const oct_box lattice = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                             {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    s->world = (exact_world){s->tree,        unknown != OCT_UNKNOWN_BLOCKED,
                             bounds != NULL, box_common(s->bounds, lattice),
                             s->dims,        false};
    s->small = s->world;
    const oct_box root = root_box(s);
    if (!bounds && s->world.unknown_is_free) {
        s->small.bounded = true;
        s->small.bounds = box_common(grown(s, box_union(root, grown(s, s->drawn, 1)), 1), lattice);
    }
    const oct_box inside = box_common(s->small.bounds, root);
    s->is_inside = !s->world.unknown_is_free ||
                   (oct_tree_root(s->tree).level >= 0 && box_equal(&inside, &s->small.bounds));
    s->is_priced = unknown == OCT_UNKNOWN_PRICED;
}

void scene_set_squeeze(search_scene *s, bool squeeze)
{
    s->world.squeeze = s->small.squeeze = squeeze;
}

static void random_terms(search_scene *s, int32_t edge, scene_wish wish)
{
    oct_random *const random = &s->random;
    oct_unknown unknown = (oct_unknown)oct_random_below(random, wish.no_prices ? 2 : 3);
    unknown = wish.known || oct_random_below(random, 3) == 0 ? OCT_UNKNOWN_BLOCKED : unknown;
    oct_box bounds = scene_random_box(s, edge);
    const uint64_t kind = oct_random_below(random, 5);
    bounds = kind == 0 ? s->drawn : kind > 1 ? grown(s, s->drawn, 1) : bounds;
    // Where UNKNOWN is free without bounds, a search looks at much: few of these will do.
    const bool is_wide = s->dims == 3 && unknown != OCT_UNKNOWN_BLOCKED;
    const bool is_free = kind > 2 && !(is_wide && oct_random_below(random, 5));
    scene_set_terms(s, unknown, is_free || wish.no_bounds ? NULL : &bounds);
    static const double prices[] = {0.5, 3.0, 0.25, 10.0};
    s->terms.unknown_price = prices[oct_random_below(random, 4)];
    if (wish.no_prices || oct_random_below(random, 4)) {
        return;
    }
    s->terms.priced = s->regions;
    s->terms.priced_count = (uint32_t)oct_random_below(random, SCENE_REGIONS + 1);
    for (int i = 0; i < SCENE_REGIONS; i++) {
        s->regions[i] =
            (oct_priced_box){scene_random_box(s, edge), prices[oct_random_below(random, 4)]};
    }
    s->is_priced = s->is_priced || s->terms.priced_count > 0;
}

static void new_tree(search_scene *s, double cell_size, oct_point origin)
{
    oct_tree_def def = oct_tree_def_default();
    def.dims = (uint32_t)s->dims;
    def.cell_size = cell_size;
    def.origin = origin;
    assert_int_equal(oct_tree_create(&def, &s->tree), OCT_OK);
}

void search_scene_init(search_scene *s, uint64_t seed, int dims, int32_t edge, scene_wish wish)
{
    *s = (search_scene){.seed = seed, .random = oct_random_seed(seed), .dims = dims};
    oct_vec base = bases[oct_random_below(&s->random, sizeof bases / sizeof bases[0])];
    double size = sizes[oct_random_below(&s->random, sizeof sizes / sizeof sizes[0])];
    oct_point origin = origins[oct_random_below(&s->random, sizeof origins / sizeof origins[0])];
    if (oct_random_below(&s->random, 12) == 0) {
        // At the end of the lattice, where numbers of the world are to be exact.
        base = (oct_vec){-OCT_RANGE, OCT_RANGE - edge, OCT_RANGE - edge};
        size = 1.0;
        origin = (oct_point){0, 0, 0};
    }
    base.z = dims == 3 ? base.z : 0;
    s->drawn = (oct_box){base, {base.x + edge, base.y + edge, dims == 3 ? base.z + edge : 1}};
    new_tree(s, size, origin);
    fill(s, edge, wish.sparse);
    random_terms(s, edge, wish);
}

void search_scene_free(search_scene *s)
{
    oct_tree_destroy(s->tree);
    s->tree = NULL;
}

void scene_draw(search_scene *s, int dims, const char *const *rows, int count, int layers)
{
    *s = (search_scene){.random = oct_random_seed(1), .dims = dims};
    new_tree(s, 1.0, (oct_point){0, 0, 0});
    s->drawn = (oct_box){{0, 0, 0}, {(int32_t)strlen(rows[0]), count, layers}};
    for (int i = 0; i < count; i++) {
        for (int x = 0; rows[i][x]; x++) {
            const int y = count - 1 - i;
            mark(s, (oct_box){{x, y, 0}, {x + 1, y + 1, layers}},
                 rows[i][x] == '#'   ? OCT_MARK_BLOCKED
                 : rows[i][x] == '.' ? OCT_MARK_OPEN
                                     : OCT_MARK_UNKNOWN);
        }
    }
    scene_set_terms(s, OCT_UNKNOWN_BLOCKED, NULL);
}

// ---- starts and goals ----

static int64_t nearest_on_axis(int64_t at, int32_t cell)
{
    const int64_t lo = (int64_t)cell * OCT_FINE, hi = lo + OCT_FINE;
    return at < lo ? lo : at > hi ? hi : at;
}

static oct_fine nearest_in_cell(oct_fine at, oct_vec cell)
{
    return (oct_fine){nearest_on_axis(at.x, cell.x), nearest_on_axis(at.y, cell.y),
                      nearest_on_axis(at.z, cell.z)};
}

static int64_t squared(oct_fine a, oct_fine b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
}

// The nearest point of the nearest free cell, of several the lowest by x, then y, then z.
static void find_anchor(const search_scene *s, scene_end *end)
{
    oct_box box = s->small.bounded ? s->small.bounds : root_box(s);
    if (s->dims == 2) {
        box.min.z = 0;
        box.max.z = 1;
    }
    int64_t best = INT64_MAX;
    for (int32_t x = box.min.x; x < box.max.x; x++) {
        for (int32_t y = box.min.y; y < box.max.y; y++) {
            for (int32_t z = box.min.z; z < box.max.z; z++) {
                const oct_vec cell = {x, y, z};
                const oct_fine near = nearest_in_cell(end->fine, cell);
                const int64_t far = squared(near, end->fine);
                if (far < best && exact_is_free(&s->world, cell)) {
                    best = far;
                    end->has_anchor = true;
                    end->anchor = (oracle_end){near, cell};
                }
            }
        }
    }
}

scene_end scene_end_of(const search_scene *s, oct_point at)
{
    scene_end end = {.at = at};
    assert_true(oct_tree_cell_at(s->tree, at, &end.cell));
    assert_true(oct_tree_fine_at(s->tree, at, &end.fine));
    if (s->dims == 2) {
        end.cell.z = 0;
        end.fine.z = OCT_FINE / 2;
    }
    end.is_blocked = !exact_is_free(&s->world, end.cell);
    if (end.is_blocked) {
        find_anchor(s, &end);
    } else {
        end.has_anchor = true;
        end.anchor = (oracle_end){end.fine, end.cell};
    }
    return end;
}

static bool is_within(const search_scene *s, oct_vec c)
{
    const oct_box *const b = &s->bounds;
    return !s->terms.bounds ||
           (c.x >= b->min.x && c.x < b->max.x && c.y >= b->min.y && c.y < b->max.y &&
            (s->dims == 2 || (c.z >= b->min.z && c.z < b->max.z)));
}

static oct_vec random_cell(search_scene *s)
{
    const oct_box box = s->terms.bounds ? s->bounds : grown(s, s->drawn, 1);
    const bool any = oct_random_below(&s->random, 4) == 0;
    oct_vec cell;
    int tries = 0;
    do {
        cell = (oct_vec){oct_random_range(&s->random, box.min.x, box.max.x - 1),
                         oct_random_range(&s->random, box.min.y, box.max.y - 1),
                         s->dims == 3 ? oct_random_range(&s->random, box.min.z, box.max.z - 1) : 0};
    } while (!any && tries++ < 20 && !exact_is_free(&s->world, cell));
    return cell;
}

// One axis of a point in a cell, in 1/256 cells.
static double random_offset(oct_random *random, uint64_t kind)
{
    const double offset = (double)oct_random_below(random, OCT_FINE);
    switch (kind) {
    case 0:
        return OCT_FINE / 2;
    case 1:
        return offset;
    case 2:
        return oct_random_below(random, 2) ? 0.0 : offset; // on faces, edges and corners
    default:
        return offset + oct_random_unit(random);
    }
}

oct_point scene_random_point(search_scene *s)
{
    for (;;) {
        const oct_vec cell = random_cell(s);
        const uint64_t kind = oct_random_below(&s->random, 4);
        const double step = oct_tree_cell_size(s->tree) / OCT_FINE;
        const oct_point origin = oct_tree_origin(s->tree);
        const oct_point at = {
            origin.x + ((double)cell.x * OCT_FINE + random_offset(&s->random, kind)) * step,
            origin.y + ((double)cell.y * OCT_FINE + random_offset(&s->random, kind)) * step,
            origin.z + ((double)cell.z * OCT_FINE + random_offset(&s->random, kind)) * step};
        oct_vec found; // may be the one below, where the point is on a face
        oct_fine fine;
        if (oct_tree_cell_at(s->tree, at, &found) && oct_tree_fine_at(s->tree, at, &fine) &&
            is_within(s, found)) {
            return at;
        }
    }
}

scene_end scene_random_end(search_scene *s)
{
    return scene_end_of(s, scene_random_point(s));
}

oct_query scene_query(const search_scene *s, const scene_end *from, const scene_end *to)
{
    oct_query query = oct_query_default();
    query.from = from->at;
    query.to = to->at;
    query.terms = s->terms;
    LAB_SET(&query, squeeze, s->world.squeeze);
    return query;
}

const oct_distances *scene_distances(const oct_query *query)
{
    static oct_distances *made[2];
    const bool squeeze = lab_of(query).squeeze;
    oct_distances_def def = oct_distances_def_default();
    def.edge = 2;
    def.kind = OCT_DISTANCES_SEMI;
    def.squeeze = squeeze;
    if (!made[squeeze]) {
        assert_int_equal(oct_distances_create(&def, &made[squeeze]), OCT_OK);
    }
    return made[squeeze];
}

bool scene_choose(const search_scene *s, oct_query *query, int i)
{
    oct_lab_query lab = lab_of(query);
    lab.graph = (oct_lab_graph)(i / OCT_LAB_ALGORITHM_COUNT);
    lab.algorithm = (oct_lab_algorithm)(i % OCT_LAB_ALGORITHM_COUNT);
    lab.distances = scene_distances(query);
    set_lab(query, &lab);
    return oct_lab_check(query, (uint32_t)s->dims) == OCT_OK;
}

bool scene_has_plane(const oct_query *query)
{
    const oct_lab_query lab = lab_of(query);
    return lab.graph == OCT_LAB_GRAPH_VISIBILITY || lab.graph == OCT_LAB_GRAPH_VISIBILITY_ALL ||
           lab.graph == OCT_LAB_GRAPH_INTERVALS || lab.graph == OCT_LAB_GRAPH_BLOCKS ||
           lab.algorithm == OCT_LAB_JPS;
}

// ---- failures ----

static void print_map(const search_scene *s)
{
    if (s->drawn.max.x - s->drawn.min.x > 64) {
        return;
    }
    for (int32_t z = s->drawn.min.z; z < s->drawn.max.z; z++) {
        printf("z %d, x from %d, y from %d up\n", z, s->drawn.min.x, s->drawn.min.y);
        for (int32_t y = s->drawn.max.y - 1; y >= s->drawn.min.y; y--) {
            for (int32_t x = s->drawn.min.x; x < s->drawn.max.x; x++) {
                putchar("?.#"[oct_tree_label(s->tree, (oct_vec){x, y, z})]);
            }
            putchar('\n');
        }
    }
}

static void print_query(const search_scene *s, const oct_query *q)
{
    const oct_lab_query lab = lab_of(q);
    printf("%s, %s, heuristic %d, neighbours %u, from (%.17g, %.17g, %.17g) to (%.17g, %.17g, "
           "%.17g)\n",
           oct_lab_graph_name(lab.graph), oct_lab_algorithm_name(lab.algorithm), (int)lab.heuristic,
           lab.neighbours, q->from.x, q->from.y, q->from.z, q->to.x, q->to.y, q->to.z);
    for (uint32_t i = 0; i < s->terms.priced_count; i++) {
        const oct_box b = s->regions[i].cells;
        printf("region (%d, %d, %d) to (%d, %d, %d) at %g\n", b.min.x, b.min.y, b.min.z, b.max.x,
               b.max.y, b.max.z, s->regions[i].price);
    }
}

void scene_fail(const search_scene *s, const oct_query *query, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const oct_point origin = oct_tree_origin(s->tree);
    const oct_cell root = oct_tree_root(s->tree);
    printf("seed %llu, dims %d, cell size %g, origin (%g, %g, %g), root (%d, %d, %d) level %d\n",
           (unsigned long long)s->seed, s->dims, oct_tree_cell_size(s->tree), origin.x, origin.y,
           origin.z, root.x, root.y, root.z, root.level);
    printf("unknown %d at %g, squeeze %d", (int)s->terms.unknown, s->terms.unknown_price,
           s->world.squeeze);
    if (s->terms.bounds) {
        const oct_box b = s->bounds;
        printf(", bounds (%d, %d, %d) to (%d, %d, %d)", b.min.x, b.min.y, b.min.z, b.max.x, b.max.y,
               b.max.z);
    }
    putchar('\n');
    print_query(s, query);
    print_map(s);
    fflush(stdout);
    fail_msg("%s", message);
}

// ---- paths ----

static double apart(oct_point a, oct_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static bool near_to(double a, double b, double by)
{
    return fabs(a - b) <= by;
}

static bool same_point(oct_point a, oct_point b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// A query's point as results give it: at two dimensions z is 0.
static oct_point flat(const search_scene *s, oct_point at)
{
    return (oct_point){at.x, at.y, s->dims == 3 ? at.z : 0.0};
}

static double turning_of(const oct_path *path)
{
    double sum = 0.0;
    for (uint32_t i = 2; i < path->lattice_count; i++) {
        const oct_fine *const at = &path->lattice[i];
        const double a[3] = {(double)(at[-1].x - at[-2].x), (double)(at[-1].y - at[-2].y),
                             (double)(at[-1].z - at[-2].z)};
        const double b[3] = {(double)(at[0].x - at[-1].x), (double)(at[0].y - at[-1].y),
                             (double)(at[0].z - at[-1].z)};
        const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]};
        sum += atan2(sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]),
                     a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    }
    return sum;
}

static void check_measures(const search_scene *s, const oct_query *query, const oct_path *path)
{
    const double size = oct_tree_cell_size(s->tree);
    double length = 0.0, cost = 0.0;
    for (uint32_t i = 1; i < path->point_count; i++) {
        length += apart(path->points[i - 1], path->points[i]);
    }
    SCENE_CHECK(s, query, near_to(path->length, length, 1e-9 * size), "length %.17g is not %.17g",
                path->length, length);
    const double straight = apart(flat(s, query->from), flat(s, query->to));
    SCENE_CHECK(s, query, near_to(path->straight, straight, 1e-9 * size), "straight is wrong");
    const double turning = turning_of(path);
    SCENE_CHECK(s, query, near_to(path->turning, turning, 1e-9), "turning %.17g is not %.17g",
                path->turning, turning);
    if (!s->is_priced) {
        SCENE_CHECK(s, query, path->cost == path->length, "cost is not the length");
        return;
    }
    // Tiny legs have at most half a step on each axis.
    const double tiny = 2.0 * sqrt(3.0) * 0.5 / OCT_FINE * size + 1e-9 * size;
    for (uint32_t i = 1; i < path->lattice_count; i++) {
        cost +=
            size * oct_tree_line_cost(s->tree, &s->terms, path->lattice[i - 1], path->lattice[i]);
    }
    SCENE_CHECK(s, query, near_to(path->cost, cost, tiny), "cost %.17g is not %.17g", path->cost,
                cost);
}

// The lattice's points are those of the world, without tiny legs at the ends.
static void check_points(const search_scene *s, const oct_query *query, const oct_path *path)
{
    SCENE_CHECK(s, query, path->lattice_count > 0 && path->point_count >= path->lattice_count,
                "points are missing");
    SCENE_CHECK(s, query, path->point_count <= path->lattice_count + 2u, "too many points");
    SCENE_CHECK(s, query, same_point(path->points[0], flat(s, query->from)), "wrong first point");
    if (path->status == OCT_PATH_FOUND && path->lattice_count == 1 &&
        same_point(flat(s, query->from), flat(s, query->to))) {
        SCENE_CHECK(s, query, path->point_count == 1, "goes to the lattice and back");
        return;
    }
    const uint32_t first = path->point_count > path->lattice_count &&
                           !same_point(path->points[0], oct_tree_point(s->tree, path->lattice[0]));
    for (uint32_t i = 0; i < path->lattice_count; i++) {
        const oct_point at = oct_tree_point(s->tree, path->lattice[i]);
        SCENE_CHECK(s, query, same_point(path->points[first + i], flat(s, at)),
                    "point %u is not the lattice's", first + i);
        SCENE_CHECK(s, query, s->dims == 3 || path->lattice[i].z == 0, "z is not 0");
        SCENE_CHECK(s, query, i == 0 || squared(path->lattice[i - 1], path->lattice[i]) > 0,
                    "point %u comes twice", i);
    }
}

static void check_end(const search_scene *s, const oct_query *query, oct_point at, oct_fine on)
{
    const scene_end end = scene_end_of(s, at);
    on.z = s->dims == 3 ? on.z : end.fine.z;
    SCENE_CHECK(s, query, squared(on, end.fine) == 0, "an end is not the nearest lattice point");
    const oct_point there = flat(s, oct_tree_point(s->tree, on)), here = flat(s, at);
    const double half = 0.5 / OCT_FINE * oct_tree_cell_size(s->tree) * (1.0 + 1e-6);
    SCENE_CHECK(s, query,
                near_to(there.x, here.x, half) && near_to(there.y, here.y, half) &&
                    near_to(there.z, here.z, half),
                "an end is more than half a step away");
}

// Where the way out of something ends, if it has any length.
static void check_way_out(const search_scene *s, const oct_query *query, const scene_end *end,
                          const oct_path *path, bool at_end)
{
    if (end->is_blocked && squared(end->anchor.at, end->fine) > 0) {
        SCENE_CHECK(s, query, path->lattice_count > 1, "a way out is missing");
        oct_fine on = path->lattice[at_end ? path->lattice_count - 2 : 1];
        on.z = s->dims == 3 ? on.z : end->fine.z;
        SCENE_CHECK(s, query, squared(on, end->anchor.at) == 0, "a way out is not the nearest");
    }
}

void scene_check_path(const search_scene *s, const oct_query *query, const oct_path *path)
{
    const bool reaches = path->status == OCT_PATH_FOUND;
    const scene_end from = scene_end_of(s, query->from), to = scene_end_of(s, query->to);
    check_points(s, query, path);
    check_end(s, query, query->from, path->lattice[0]);
    SCENE_CHECK(s, query, path->leaves_blocked == from.is_blocked, "leaves_blocked is wrong");
    SCENE_CHECK(s, query, path->enters_blocked == (reaches && to.is_blocked),
                "enters_blocked is wrong");
    check_way_out(s, query, &from, path, false);
    if (reaches) {
        const oct_point last = path->points[path->point_count - 1];
        SCENE_CHECK(s, query, same_point(last, flat(s, query->to)), "wrong last point");
        check_end(s, query, query->to, path->lattice[path->lattice_count - 1]);
        check_way_out(s, query, &to, path, true);
    }
    char why[200];
    SCENE_CHECK(s, query,
                exact_path_is_valid(&s->world, path->lattice, path->lattice_count,
                                    path->leaves_blocked, path->enters_blocked, why, sizeof why),
                "invalid: %s", why);
    check_measures(s, query, path);
    SCENE_CHECK(s, query, path->revision == oct_tree_revision(s->tree), "wrong revision");
}

void scene_check_no_path(const search_scene *s, const oct_query *query, const oct_path *path)
{
    SCENE_CHECK(s, query,
                path->point_count == 0 && path->lattice_count == 0 && path->length == 0.0 &&
                    path->cost == 0.0 && path->turning == 0.0 && !path->leaves_blocked &&
                    !path->enters_blocked,
                "no path, but something of one");
    SCENE_CHECK(s, query, path->revision == oct_tree_revision(s->tree), "wrong revision");
}

double scene_free_length(const search_scene *s, const oct_query *query, const oct_path *path)
{
    const scene_end from = scene_end_of(s, query->from), to = scene_end_of(s, query->to);
    double length = 0.0;
    for (uint32_t i = 1; i < path->lattice_count; i++) {
        length += oracle_distance(&s->world, path->lattice[i - 1], path->lattice[i]);
    }
    return length - oracle_distance(&s->world, from.fine, from.anchor.at) -
           oracle_distance(&s->world, to.fine, to.anchor.at);
}

// ---- results ----

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

bool scene_paths_equal(const oct_path *a, const oct_path *b)
{
    return a->status == b->status && a->leaves_blocked == b->leaves_blocked &&
           a->enters_blocked == b->enters_blocked &&
           same_bytes(&a->length, &b->length, sizeof a->length) &&
           same_bytes(&a->cost, &b->cost, sizeof a->cost) &&
           same_bytes(&a->straight, &b->straight, sizeof a->straight) &&
           same_bytes(&a->turning, &b->turning, sizeof a->turning) && a->expanded == b->expanded &&
           a->generated == b->generated && a->sight_checks == b->sight_checks &&
           a->revision == b->revision && a->point_count == b->point_count &&
           a->lattice_count == b->lattice_count && a->node_count == b->node_count &&
           a->record_count == b->record_count &&
           same_bytes(a->points, b->points, a->point_count * sizeof(oct_point)) &&
           same_bytes(a->lattice, b->lattice, a->lattice_count * sizeof(oct_fine)) &&
           same_bytes(a->nodes, b->nodes, a->node_count * sizeof(uint64_t)) &&
           same_bytes(a->records, b->records, a->record_count * sizeof(oct_record));
}

static void *copy_bytes(const void *from, size_t size)
{
    void *const copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

oct_path scene_copy_path(const oct_path *path)
{
    oct_path copy = *path;
    copy.points = copy_bytes(path->points, path->point_count * sizeof(oct_point));
    copy.lattice = copy_bytes(path->lattice, path->lattice_count * sizeof(oct_fine));
    copy.nodes = copy_bytes(path->nodes, path->node_count * sizeof(uint64_t));
    copy.records = copy_bytes(path->records, path->record_count * sizeof(oct_record));
    return copy;
}

// free() of what was handed out as const.
static void drop(const void *bytes)
{
    void *taken;
    memcpy(&taken, &bytes, sizeof taken);
    free(taken);
}

void scene_free_copy(oct_path *copy)
{
    drop(copy->points);
    drop(copy->lattice);
    drop(copy->nodes);
    drop(copy->records);
    *copy = (oct_path){.status = OCT_PATH_NONE};
}

oct_planner *scene_planner(const search_scene *s, const oct_allocator *allocator)
{
    oct_planner_def def = oct_planner_def_default();
    def.tree = s->tree;
    def.lab = oct_lab();
    def.allocator = allocator;
    oct_planner *planner;
    assert_int_equal(oct_planner_create(&def, &planner), OCT_OK);
    return planner;
}

oct_path scene_plan(const search_scene *s, oct_planner *planner, const oct_query *query)
{
    oct_path path;
    const oct_result result = oct_planner_plan(planner, query, &path);
    SCENE_CHECK(s, query, result == OCT_OK, "refused: %s", oct_result_text(result));
    return path;
}
