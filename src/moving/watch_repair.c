// SPDX-License-Identifier: MIT
// A path is repaired: where its owner is on it, how short it could be, what is searched anew.
//
// What bounds the shortest path from below. Let the path have been the shortest one then, of length
// l, and its owner be w along it and d beside it now. A path from here to the goal that was free
// then is at least l - w - d long, since the owner could have gone back to the start. One that was
// not free then leads through something opened since. (If the way beside the path does, so that
// nobody could have gone back along it, the opened box is within d of the owner: hence 2 d less for
// the way over a box.) After a repair the bound counts from now, with the path that is free now.
#include "moving/watch_internal.h"
#include "search/planner.h"

// A way around may take as many expansions as the last whole search did, and so many at least.
#define EXPANSIONS_LEAST 128

typedef struct job {
    oct_watch *watch;
    oct_planner *planner;
    watched *path;
    uint32_t id;
    oct_point at;
    oct_fine at_fine, to_fine;
    anchor from, to;
    uint32_t next;   // first point of the path that is ahead
    double walked;   // from its first one, cells
    double beside;   // from the path to where the owner is, cells
    double least;    // no path is shorter, cells
    double length;   // of the chain; HUGE_VAL where there is none
    oct_repair kind; // how the chain was made
    oct_path *out;
} job;

// ---- where ----

static oct_result locate(const view *v, oct_point at, oct_fine *fine, oct_vec *cell)
{
    if (!oct_tree_fine_at(v->tree, at, fine) || !oct_tree_cell_at(v->tree, at, cell)) {
        return OCT_ERROR_RANGE;
    }
    if (v->dims == 2) {
        fine->z = FLAT_Z;
        cell->z = 0;
    }
    return view_holds(v, *cell) ? OCT_OK : OCT_ERROR_RANGE;
}

// The ends of the path to be; *has_ends: there is something free for both.
static oct_result find_ends(job *j, bool *has_ends)
{
    const view *const v = &j->watch->map;
    oct_vec from, to;
    OCT_TRY(locate(v, j->at, &j->at_fine, &from));
    OCT_TRY(locate(v, j->path->to, &j->to_fine, &to));
    *has_ends = oct_view_anchor(v, j->at_fine, from, &j->from) &&
                oct_view_anchor(v, j->to_fine, to, &j->to);
    return OCT_OK;
}

// The nearest point of a leg, on the sub-lattice.
static oct_fine nearest_on_leg(oct_fine a, oct_fine b, oct_fine at)
{
    const double x = (double)(b.x - a.x), y = (double)(b.y - a.y), z = (double)(b.z - a.z);
    const double square = x * x + y * y + z * z;
    const double along =
        ((double)(at.x - a.x) * x + (double)(at.y - a.y) * y + (double)(at.z - a.z) * z) /
        (square > 0.0 ? square : 1.0);
    const double part = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    return (oct_fine){a.x + (int64_t)floor(x * part + 0.5), a.y + (int64_t)floor(y * part + 0.5),
                      a.z + (int64_t)floor(z * part + 0.5)};
}

// Where the owner is on its path: at the nearest place, the last one of several.
static oct_fine find_place(job *j)
{
    const watched *const path = j->path;
    const oct_fine *const points = watched_points(path);
    const oct_fine at = j->from.place.at;
    oct_fine best = points[path->last];
    double along = 0.0;
    j->next = path->last;
    j->beside = HUGE_VAL;
    for (uint32_t i = path->first; i < path->last; i++) {
        const oct_fine near = nearest_on_leg(points[i], points[i + 1], at);
        const double apart = oct_fine_distance(near, at);
        if (apart <= j->beside) {
            best = near;
            j->beside = apart;
            j->walked = along + oct_fine_distance(points[i], near);
            j->next = i + 1;
        }
        along += oct_fine_distance(points[i], points[i + 1]);
    }
    if (path->first == path->last) {
        j->beside = oct_fine_distance(best, at);
        j->walked = 0.0;
    }
    return best;
}

// ---- how short ----

// Whether the owner could go back to its path, and the goal is where it was.
static bool is_on_path(const job *j, oct_fine place)
{
    const view *const v = &j->watch->map;
    const watched *const path = j->path;
    const oct_vec cell = j->to.cell;
    if (!fine_equal(watched_points(path)[path->last], j->to.place.at) ||
        cell.x != path->goal_cell.x || cell.y != path->goal_cell.y || cell.z != path->goal_cell.z) {
        return false;
    }
    const spot there = {place, oct_view_octants(v, place)};
    const spot *const here = &j->from.place;
    return here->octants == oct_view_octants(v, here->at) &&
           view_joined(v, there.octants & (0u - there.octants), there.octants) == there.octants &&
           oct_view_sees(v, here, &there);
}

static void find_least(job *j, oct_fine place)
{
    const oct_watch *const w = j->watch;
    const oct_fine from = j->from.place.at, to = j->to.place.at;
    const double straight = oct_fine_distance(from, to) * w->map.least_price;
    j->least = straight;
    const double before = j->path->least - j->walked - j->beside;
    if (w->map.is_priced || before <= straight || !is_on_path(j, place)) {
        return;
    }
    const double spare = 2.0 * j->beside;
    const double over =
        oct_opened_least(&w->opened, j->path->since, from, to, straight + spare) - spare;
    const double least = over < before ? over : before;
    j->least = least > straight ? least : straight;
}

// ---- what is left of it ----

// The chain: from the owner over what lies ahead to the goal.
static oct_result begin_chain(job *j)
{
    oct_watch *const w = j->watch;
    const oct_fine *const points = watched_points(j->path);
    const size_t count = j->path->last - j->next + 3u;
    OCT_TRY(oct_array_reserve(&w->chain, &w->allocator, sizeof(oct_fine), count));
    oct_fine *const chain = w->chain.items;
    w->chain.count = 1;
    chain[0] = j->from.place.at;
    for (uint32_t i = j->next; i <= j->path->last; i++) {
        if (!fine_equal(chain[w->chain.count - 1], points[i])) {
            chain[w->chain.count++] = points[i];
        }
    }
    if (!fine_equal(chain[w->chain.count - 1], j->to.place.at)) {
        chain[w->chain.count++] = j->to.place.at;
    }
    return OCT_OK;
}

static bool shall_pull(const oct_watch *w)
{
    const search_algorithm *const by = oct_search_algorithm(w->query.algorithm);
    return !w->map.squeezes &&
           (w->query.taut == OCT_TAUT_YES || (w->query.taut == OCT_TAUT_DEFAULT &&
                                              (by->is_taut || by->is_smooth || by->is_any_angle)));
}

// Takes the chain as it is now, which was followed and is free.
static oct_result accept_chain(job *j, bool is_new)
{
    oct_watch *const w = j->watch;
    if (is_new && shall_pull(w)) {
        OCT_TRY(oct_chain_pull(w));
    }
    j->length = oct_chain_cost(&w->map, w->chain.items, w->chain.count);
    return OCT_OK;
}

// ---- searching ----

static oct_result plan(job *j, oct_point from, oct_point to, uint64_t budget, oct_path *found)
{
    oct_query query = j->watch->query;
    query.from = from;
    query.to = to;
    if (budget > 0 && (query.node_budget == 0 || budget < query.node_budget)) {
        query.node_budget = budget;
    }
    OCT_TRY(oct_plan(j->planner, &query, found));
    j->out->expanded += found->expanded;
    j->out->generated += found->generated;
    j->out->sight_checks += found->sight_checks;
    return OCT_OK;
}

static bool is_one_place(const view *v, oct_fine at)
{
    const uint32_t octants = oct_view_octants(v, at);
    return view_joined(v, octants & (0u - octants), octants) == octants;
}

// Takes the chain with its broken part replaced, if it is free from there on as well.
static oct_result accept_mended(job *j, size_t legs)
{
    oct_watch *const w = j->watch;
    size_t all;
    bool is_free;
    OCT_TRY(oct_chain_follow(w, legs, j->from.place.octants, j->to.place.octants, &all, &is_free));
    return is_free ? accept_chain(j, true) : OCT_OK;
}

// Searches for a way around what is broken. *is_apart: there is none, nor any other path.
static oct_result mend(job *j, size_t legs, bool *is_apart)
{
    oct_watch *const w = j->watch;
    const view *const v = &w->map;
    const size_t tail = oct_chain_tail(w, legs, j->to.place.octants);
    const oct_fine *const chain = w->chain.items;
    const oct_fine a = chain[legs], b = chain[tail];
    j->kind = OCT_REPAIR_MENDED;
    j->length = HUGE_VAL;
    if (fine_equal(a, b)) { // it comes back there
        OCT_TRY(oct_chain_splice(w, legs, tail + 1, NULL, 0));
        return accept_mended(j, legs);
    }
    const uint64_t budget = j->path->effort > EXPANSIONS_LEAST ? j->path->effort : EXPANSIONS_LEAST;
    oct_path found;
    OCT_TRY(plan(j, oct_tree_point(v->tree, a), oct_tree_point(v->tree, b), budget, &found));
    *is_apart = found.status == OCT_STATUS_NONE && is_one_place(v, a) && is_one_place(v, b);
    if (found.status != OCT_STATUS_FOUND) {
        return OCT_OK;
    }
    const size_t between = found.lattice_count > 2 ? found.lattice_count - 2u : 0;
    OCT_TRY(oct_chain_splice(w, legs, tail, found.lattice + 1, between));
    return accept_mended(j, legs);
}

// Searches from start to goal, and takes what it finds where that is shorter than the chain.
static oct_result search_anew(job *j)
{
    oct_watch *const w = j->watch;
    const uint64_t before = j->out->expanded;
    oct_path found;
    OCT_TRY(plan(j, j->at, j->path->to, 0, &found));
    j->out->status = j->length < HUGE_VAL ? OCT_STATUS_FOUND : found.status;
    if (found.status != OCT_STATUS_FOUND) {
        return OCT_OK;
    }
    j->path->effort = j->out->expanded - before;
    const bool leaves = !fine_equal(j->at_fine, j->from.place.at) && j->from.out;
    const bool enters = !fine_equal(j->to_fine, j->to.place.at) && j->to.out;
    const oct_fine *const points = found.lattice + leaves;
    const size_t count = found.lattice_count - (size_t)leaves - (size_t)enters;
    // At two dimensions its points have another z than the chain's.
    oct_array *const lattice = &w->lattice;
    OCT_TRY(oct_array_reserve(lattice, &w->allocator, sizeof(oct_fine), count));
    oct_fine *const fresh = lattice->items;
    for (size_t i = 0; i < count; i++) {
        fresh[i] = points[i];
        fresh[i].z = w->map.dims == 2 ? FLAT_Z : points[i].z;
    }
    const double length = oct_chain_cost(&w->map, fresh, count);
    // The shorter one is what shorter paths are to be measured by from now on.
    j->least = length < j->length ? length : j->length;
    if (length < j->length) {
        j->kind = OCT_REPAIR_NEW;
        j->length = length;
        OCT_TRY(oct_array_reserve(&w->chain, &w->allocator, sizeof(oct_fine), count));
        memcpy(w->chain.items, fresh, count * sizeof *fresh);
        w->chain.count = count;
    }
    return OCT_OK;
}

// ---- what comes out ----

// The chain with the legs out of and into something.
static oct_result finish_lattice(job *j, bool *leaves, bool *enters)
{
    oct_watch *const w = j->watch;
    const oct_fine *const chain = w->chain.items;
    const size_t count = w->chain.count;
    *leaves = j->from.out && !fine_equal(j->at_fine, chain[0]);
    *enters = j->to.out && !fine_equal(j->to_fine, chain[count - 1]);
    OCT_TRY(oct_array_reserve(&w->lattice, &w->allocator, sizeof(oct_fine), count + 2));
    oct_fine *to = w->lattice.items;
    if (*leaves) {
        *to++ = j->at_fine;
    }
    memcpy(to, chain, count * sizeof *chain);
    to += count;
    if (*enters) {
        *to++ = j->to_fine;
    }
    w->lattice.count = count + (size_t)*leaves + (size_t)*enters;
    return OCT_OK;
}

static oct_result fill_out(job *j)
{
    oct_watch *const w = j->watch;
    oct_path *const out = j->out;
    const oct_point ends[2] = {j->at, j->path->to};
    OCT_TRY(oct_path_world(w->map.tree, ends, true, &w->lattice, &w->allocator, &w->points));
    oct_path_measure(&w->map, &w->lattice, &w->points, out);
    out->leaves_blocked = j->from.out;
    out->enters_blocked = j->to.out;
    out->points = w->points.items;
    out->point_count = (uint32_t)w->points.count;
    out->lattice = w->lattice.items;
    out->lattice_count = (uint32_t)w->lattice.count;
    return OCT_OK;
}

// Puts what came out in the place of the path.
static oct_result commit(job *j)
{
    oct_watch *const w = j->watch;
    watched *const path = j->path;
    bool leaves, enters;
    OCT_TRY(finish_lattice(j, &leaves, &enters));
    OCT_TRY(fill_out(j));
    const uint32_t first = leaves ? 1u : 0u, count = (uint32_t)w->lattice.count;
    const uint32_t last = count - 1u - (enters ? 1u : 0u);
    const size_t links = oct_watch_links(w, w->lattice.items, first, last);
    OCT_TRY(oct_leg_index_reserve(&w->index, &w->allocator, links));
    oct_watch_unindex(w, j->id);
    oct_array *const points = &path->points;
    const oct_result result = oct_array_reserve(points, &w->allocator, sizeof(oct_fine), count);
    if (result != OCT_OK) {
        oct_watch_index(w, j->id);
        return result;
    }
    memcpy(points->items, w->lattice.items, count * sizeof(oct_fine));
    points->count = count;
    path->first = first;
    path->last = last;
    path->goal_cell = j->to.cell;
    path->since = w->revision;
    path->least = j->least < j->length ? j->least : j->length;
    w->broken_count -= path->is_broken;
    path->is_broken = false;
    oct_watch_index(w, j->id);
    for (uint32_t i = 0; w->map.dims == 2 && i < count; i++) {
        ((oct_fine *)w->lattice.items)[i].z = 0;
    }
    return OCT_OK;
}

static oct_result make(job *j)
{
    oct_watch *const w = j->watch;
    bool has_ends, is_free, is_apart = false;
    size_t legs;
    OCT_TRY(find_ends(j, &has_ends));
    if (!has_ends) {
        return OCT_OK;
    }
    find_least(j, find_place(j));
    OCT_TRY(begin_chain(j));
    OCT_TRY(oct_chain_follow(w, 0, j->from.place.octants, j->to.place.octants, &legs, &is_free));
    OCT_TRY(is_free ? accept_chain(j, j->beside > 0.0) : mend(j, legs, &is_apart));
    j->out->status = OCT_STATUS_FOUND;
    if (is_apart) {
        j->out->status = OCT_STATUS_NONE;
    } else if (j->length > w->factor * j->least) {
        OCT_TRY(search_anew(j));
    }
    return j->out->status == OCT_STATUS_FOUND ? commit(j) : OCT_OK;
}

oct_result oct_watch_repair(oct_watch *watch, oct_planner *planner, uint32_t id, oct_point at,
                            oct_path *out, oct_repair *repair)
{
    *out = (oct_path){.status = OCT_STATUS_NONE};
    *repair = OCT_REPAIR_KEPT;
    job j = {.watch = watch,
             .planner = planner,
             .path = watch_find(watch, id),
             .id = id,
             .at = at,
             .kind = OCT_REPAIR_KEPT,
             .out = out};
    if (!j.path) {
        return OCT_ERROR_ABSENT;
    }
    if (planner->tree != watch->map.tree) {
        return OCT_ERROR_ARGUMENT;
    }
    oct_point to = j.path->to;
    if (watch->map.dims == 2) {
        at.z = to.z = 0.0;
    }
    const oct_point way = point_sub(to, at);
    out->straight = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
    out->revision = oct_tree_revision(watch->map.tree);
    if (watch->revision != out->revision) {
        out->status = OCT_STATUS_STALE;
        return OCT_OK;
    }
    const oct_result result = make(&j);
    *repair = j.kind;
    return result;
}
