// SPDX-License-Identifier: MIT
// The terms of travel, and the map as a query on those terms sees it.
#include "octant/line.h"
#include "octant/tree.h"
#include "search/graph_internal.h"

#define TERMS_COOKIE 0x7465726du

oct_terms oct_terms_default(void)
{
    return (oct_terms){
        .unknown = OCT_UNKNOWN_BLOCKED, .unknown_price = 2.0, .cookie = TERMS_COOKIE};
}

// False for what is no number as well.
static bool price_is_valid(double price)
{
    return price >= OCT_PRICE_MIN && price <= OCT_PRICE_MAX;
}

oct_result oct_terms_check(const oct_terms *terms)
{
    if (terms->cookie != TERMS_COOKIE || (uint32_t)terms->unknown > OCT_UNKNOWN_PRICED ||
        (terms->priced_count > 0 && !terms->priced)) {
        return OCT_ERROR_ARGUMENT;
    }
    if (terms->priced_count > OCT_PRICED_BOXES_MAX || !price_is_valid(terms->unknown_price)) {
        return OCT_ERROR_RANGE;
    }
    for (uint32_t i = 0; i < terms->priced_count; i++) {
        if (!price_is_valid(terms->priced[i].price)) {
            return OCT_ERROR_RANGE;
        }
    }
    const oct_box lattice = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                             {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const oct_box bounds = terms->bounds ? box_common(*terms->bounds, lattice) : lattice;
    return box_is_empty(2, &bounds) ? OCT_ERROR_ARGUMENT : OCT_OK;
}

// The lowest price that a metre may have: where all that are below 1 come together.
static double least_price(const oct_terms *terms)
{
    double least = 1.0;
    for (uint32_t i = 0; i < terms->priced_count; i++) {
        least *= terms->priced[i].price < 1.0 ? terms->priced[i].price : 1.0;
    }
    const bool unknown = terms->unknown == OCT_UNKNOWN_PRICED && terms->unknown_price < 1.0;
    return unknown ? least * terms->unknown_price : least;
}

void oct_view_init(view *v, const oct_tree *tree, const oct_terms *terms)
{
    const oct_box lattice = {{-OCT_RANGE, -OCT_RANGE, -OCT_RANGE},
                             {OCT_RANGE, OCT_RANGE, OCT_RANGE}};
    const oct_terms plain = oct_terms_default();
    terms = terms ? terms : &plain;
    *v = (view){.tree = tree,
                .dims = (int)oct_tree_dims(tree),
                .free = terms->unknown == OCT_UNKNOWN_BLOCKED ? OCT_HAS_OPEN
                                                              : OCT_HAS_OPEN | OCT_HAS_UNKNOWN,
                .bounds = terms->bounds ? box_common(*terms->bounds, lattice) : lattice,
                .terms = *terms,
                .least_price = least_price(terms),
                .is_priced = terms->priced_count > 0 || terms->unknown == OCT_UNKNOWN_PRICED};
    v->blocked = OCT_HAS_ANY & ~v->free;
    if (v->dims == 2) {
        v->bounds.min.z = 0;
        v->bounds.max.z = 1;
    }
}

double oct_tree_line_cost(const oct_tree *tree, const oct_terms *terms, oct_fine a, oct_fine b)
{
    view v;
    oct_view_init(&v, tree, terms);
    if (v.dims == 2) {
        a.z = b.z = FLAT_Z;
    }
    return v.is_priced ? oct_view_price(&v, a, b) : oct_fine_distance(a, b);
}
