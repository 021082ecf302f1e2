// SPDX-License-Identifier: MIT
// The bounds of a level whose game tells geometry and no bounds: the hull of its parts and of what
// is told around its players as it begins, grown by the view. They count as told: what lies beyond
// them later speaks against what rests on them, as with any other bounds.
#include "link/client_internal.h"
#include "link/link_shape.h"

// All that was met so far; nothing yet while `is_empty`.
typedef struct hull {
    oct_bounds box;
    bool is_empty;
} hull;

static void add_box(hull *h, const oct_bounds *box)
{
    h->box = h->is_empty ? *box : oct_link_join_boxes(h->box, *box);
    h->is_empty = false;
}

static oct_result add_geometry(link_client *c, hull *h)
{
    size_t from = 0;
    do {
        oct_scenery_page page;
        OCT_TRY(oct_link_scenery(c, from, &page));
        for (size_t i = 0; i < page.count; i++) {
            const oct_shape *const shape = &page.parts[i].shape;
            for (size_t j = 0; j < shape->count; j++) {
                add_box(h, &shape->pieces[j].box);
            }
        }
        from = page.next;
    } while (from > 0);
    return OCT_OK;
}

static void add_told(const client_player *p, hull *h)
{
    const oct_entity *const view = p->view.items;
    add_box(h, &(oct_bounds){p->self.centre, p->self.centre});
    for (size_t i = 0; i < p->view.count; i++) {
        add_box(h, &view[i].thing.box);
        if (view[i].has_gap) {
            add_box(h, &view[i].gap);
        }
    }
}

static oct_bounds grown(oct_bounds b, double by)
{
    return (oct_bounds){{b.min.x - by, b.min.y - by, b.min.z - by},
                        {b.max.x + by, b.max.y + by, b.max.z + by}};
}

static oct_result find(link_client *c)
{
    hull h = {.is_empty = true};
    OCT_TRY(add_geometry(c, &h));
    if (h.is_empty) {
        return OCT_OK; // its walls are entities: what is not in view yet may be anywhere
    }
    for (uint32_t i = 0; i < c->players.count; i++) {
        OCT_TRY(oct_link_peek(c, i));
        add_told(oct_link_player(c, i), &h);
    }
    c->bounds = grown(h.box, c->now.info.view);
    c->has_bounds = true;
    c->now.info.bounds = c->bounds;
    c->now.info.has_bounds = c->facts.has_own_bounds = true;
    return OCT_OK;
}

oct_result oct_link_find_bounds(link_client *c)
{
    if (c->now.info.has_bounds || !c->facts.can_geometry || c->players.count == 0) {
        return OCT_OK;
    }
    // A link that is lost by this says so at the next call.
    return find(c) == OCT_ERROR_MEMORY ? OCT_ERROR_MEMORY : OCT_OK;
}
