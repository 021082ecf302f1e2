// SPDX-License-Identifier: MIT
#include "agent/survey.h"
#include "agent/belief_internal.h"
#include "agent/dead_end.h"
#include "agent/diagnosis.h"
#include "agent/evidence.h"
#include "agent/goals_internal.h"
#include "agent/link_kind.h"
#include "base/print.h"
#include "geom/geom_internal.h"
#include "octant/tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// How many of each are told one by one.
#define DOORS_TOLD 6u
#define LINKS_TOLD 3u
#define NAMES_TOLD 4u
#define NAME_SIZE (OCT_REASON_MAX / 4)

OCT_FORMAT(2, 3) static void add(oct_agent *a, const char *format, ...)
{
    char text[2 * OCT_REASON_MAX];
    va_list args;
    va_start(args, format);
    (void)oct_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *const copy = oct_copy_text(&a->allocator, text);
    oct_result result = OCT_ERROR_MEMORY;
    if (copy) {
        result = oct_array_push(&a->survey, &a->allocator, sizeof copy, &copy);
    }
    if (oct_agent_break(a, result) != OCT_OK) {
        oct_free_text(&a->allocator, copy);
    }
}

// Appends ", more" to a list; what does not fit is left out.
static void list_add(char *list, size_t size, const char *more)
{
    const size_t used = strlen(list);
    (void)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", more);
}

static void list_end(char *list, size_t size, size_t count)
{
    char more[32];
    if (count > NAMES_TOLD) {
        const size_t used = strlen(list);
        (void)snprintf(more, sizeof more, " and %zu more", count - NAMES_TOLD);
        (void)snprintf(list + used, size - used, "%s", more);
    }
}

// ---- doors ----

// Whether a press is the first of its button.
static bool is_first(const oct_history *h, size_t index)
{
    const history_press *const all = h->presses.items;
    for (size_t i = 0; i < index; i++) {
        if (all[i].button.panel == all[index].button.panel &&
            all[i].button.number == all[index].button.number) {
            return false;
        }
    }
    return true;
}

// "Panel1 0 (nothing), Panel2 0 (undecided)": all that was pressed, by anybody and in any life.
static void list_tried(const oct_agent *a, uint64_t door, char *out, size_t size)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const history_press *const all = h->presses.items;
    char name[NAME_SIZE], item[2 * NAME_SIZE];
    size_t count = 0;
    out[0] = '\0';
    for (size_t i = 0; i < h->presses.count; i++) {
        if (is_first(h, i) && ++count <= NAMES_TOLD) {
            (void)oct_belief_name_of(a->belief, all[i].button.panel, name, sizeof name);
            (void)snprintf(item, sizeof item, "%s %u (%s)", name, all[i].button.number,
                           oct_link_kind_name(oct_agent_link(a, all[i].button, door)));
            list_add(out, size, item);
        }
    }
    list_end(out, size, count);
    if (count == 0) {
        (void)snprintf(out, size, "nothing");
    }
}

static void survey_doors(oct_agent *a)
{
    char name[NAME_SIZE], tried[OCT_REASON_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        const oct_known *const k = oct_belief_get(a->belief, i);
        if (k->gone || k->now.kind != OCT_ENTITY_DOOR ||
            oct_entity_door(&k->now) != OCT_DOOR_SHUT || ++count > DOORS_TOLD) {
            continue;
        }
        (void)oct_belief_name(a->belief, k, name, sizeof name);
        list_tried(a, k->now.thing.id, tried, sizeof tried);
        add(a, "%s was last seen at %.1f s, shut; tried on it: %s", name,
            (double)k->last / oct_belief_info(a->belief)->rate, tried);
    }
    if (count > DOORS_TOLD) {
        add(a, "last seen shut besides: %zu", count - DOORS_TOLD);
    }
}

// ---- panels and links ----

static void survey_panels(oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const history_thing *const all = h->things.items;
    char name[NAME_SIZE], names[OCT_REASON_MAX] = "";
    size_t count = 0;
    for (size_t i = 0; i < h->things.count; i++) {
        if (all[i].told.use_count > 0 && oct_diagnosis_is_out_of_reach(a, &all[i]) &&
            ++count <= NAMES_TOLD) {
            (void)oct_belief_name_of(a->belief, all[i].told.thing.id, name, sizeof name);
            list_add(names, sizeof names, name);
        }
    }
    list_end(names, sizeof names, count);
    if (count > 0) {
        add(a, "seen, but no way to press it is known: %s", names);
    }
}

static void note_link(oct_agent *a, oct_button button, uint64_t door, size_t count)
{
    char panel[NAME_SIZE], name[NAME_SIZE], need[OCT_REASON_MAX];
    if (count <= LINKS_TOLD) {
        (void)oct_belief_name_of(a->belief, button.panel, panel, sizeof panel);
        (void)oct_belief_name_of(a->belief, door, name, sizeof name);
        add(a, "undecided: what button %u of %s does to %s; decided by %s", button.number, panel,
            name, oct_evidence_needed(a, button, door, need, sizeof need));
    }
}

// Those that matter for the answer; where it stands, all that are known of.
static void survey_links(oct_agent *a, const possible_answer *answer)
{
    const oct_links *const links = oct_belief_links(a->belief);
    size_t count = 0;
    for (size_t i = 0; i < answer->undecided_count; i++) {
        note_link(a, answer->undecided[i].button, answer->undecided[i].door, ++count);
    }
    const uint32_t buttons = answer->undecided_count > 0 ? 0 : oct_links_buttons(links);
    for (uint32_t b = 0; b < buttons; b++) {
        for (uint32_t d = 0; d < oct_links_doors(links); d++) {
            const oct_button button = oct_links_button(links, b);
            const uint64_t door = oct_links_door(links, d);
            if (oct_agent_link(a, button, door) == OCT_LINK_KIND_UNDECIDED) {
                note_link(a, button, door, ++count);
            }
        }
    }
    if (count > LINKS_TOLD) {
        add(a, "undecided besides: %zu", count - LINKS_TOLD);
    }
}

// ---- space ----

typedef struct nearest_dark {
    const oct_tree *tree;
    oct_point from, at;
    double distance; // HUGE_VAL = none was found
} nearest_dark;

static bool visit_dark(void *ctx, const oct_leaf *leaf)
{
    nearest_dark *const n = ctx;
    const double size = oct_tree_cell_size(n->tree), edge = (double)(1 << leaf->level) * size;
    const oct_point o = oct_tree_origin(n->tree);
    const oct_point min = {o.x + leaf->x * size, o.y + leaf->y * size, o.z + leaf->z * size};
    const oct_point at = {fmin(fmax(n->from.x, min.x), min.x + edge),
                          fmin(fmax(n->from.y, min.y), min.y + edge),
                          fmin(fmax(n->from.z, min.z), min.z + edge)};
    const double distance = point_length(point_sub(at, n->from));
    if (distance < n->distance) {
        n->distance = distance;
        n->at = at;
    }
    return true;
}

// "at 1.0, 2.0, 3.0", "beyond Door1": where one could go on, else behind doors, else behind walls.
static void find_dark(oct_agent *a, const possible_answer *answer, char *out, size_t size)
{
    const oct_tree *const tree = oct_map_tree(oct_belief_map(a->belief));
    oct_exploration next;
    nearest_dark n = {.tree = tree, .from = agent_self(a)->centre, .distance = HUGE_VAL};
    out[0] = '\0';
    if (answer->status == POSSIBLE_UNSEEN && answer->unseen.count > 0) {
        n.at = answer->unseen.at[0];
    } else if (a->navigator.kind->explore(a->navigator.self, n.from, &next) == OCT_OK &&
               next.status == OCT_EXPLORE_GO) {
        n.at = oct_tree_centre(tree, next.frontier);
    } else if (oct_diagnosis_name_dark(a, out, size)) {
        return;
    } else {
        oct_point ends[DEAD_ENDS_MAX];
        n.from = oct_agent_dead_ends(a, ends) > 0 ? ends[0] : n.from;
        (void)(a->is_bounded &&
               oct_tree_leaves(tree, a->bounds, 1u << OCT_UNKNOWN, visit_dark, &n));
        if (n.distance == HUGE_VAL) {
            return;
        }
    }
    (void)oct_snprintf(out, size, "at %.1f, %.1f, %.1f", n.at.x, n.at.y, n.at.z);
}

static void survey_space(oct_agent *a, const possible_answer *answer)
{
    char seen[OCT_REASON_MAX], dark[OCT_REASON_MAX / 2];
    oct_remains left;
    if (a->navigator.kind->remains(a->navigator.self, agent_self(a)->centre, &left) != OCT_OK) {
        return;
    }
    const double size =
        oct_tree_cell_size(oct_map_tree(oct_belief_map(a->belief))) / agent_metre(a);
    (void)oct_agent_has_seen_all(a, seen, sizeof seen);
    find_dark(a, answer, dark, sizeof dark);
    add(a, "%s; there are %.0f m3 for the body%s%s", seen, (double)left.open * size * size * size,
        dark[0] ? "; what was not seen begins " : "", dark);
}

void oct_agent_survey(oct_agent *a, const possible_answer *answer)
{
    oct_agent_forget_survey(a);
    if (oct_belief_history(a->belief)) {
        survey_doors(a);
        survey_panels(a);
        survey_links(a, answer);
    }
    survey_space(a, answer);
}
