// SPDX-License-Identifier: MIT
// Links with the sightings that they follow from; and of a proof what can be drawn: the space that
// the body may ever be in, the doors that shut it in, and what is out of it.
#include "report/trace_learned.h"
#include "agent/belief_internal.h"
#include "agent/links_internal.h"
#include "base/words.h"
#include "report/trace_parts.h"

#include <stdio.h>

#define SIGHTINGS_MAX 8
#define BOXES_MAX 1500 // of a proof's space
#define PROOFS_MAX 4

// ---- links ----

typedef struct listing {
    sink *out; // NULL: they are hashed, and not written
    const oct_agent *agent;
    uint64_t hash;
    size_t count;
} listing;

static void put_sightings(sink *out, const oct_links *links, uint32_t button, uint32_t door)
{
    static const char *const states[] = {"shut", "open", "moving"};
    oct_sighting seen[SIGHTINGS_MAX];
    const size_t all = oct_links_evidence(links, button, door, seen, SIGHTINGS_MAX);
    oct_trace_count(out, "sightings", all);
    oct_trace_key(out, "seen");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < all && i < SIGHTINGS_MAX; i++) {
        oct_sink_text(out, i > 0 ? ", {\"tick\": " : "{\"tick\": ");
        oct_sink_number(out, seen[i].tick);
        oct_trace_word(out, "state", seen[i].state <= OCT_DOOR_MOVING ? states[seen[i].state] : "");
        if (seen[i].is_earlier) {
            oct_trace_count(out, "earlier", 1);
        }
        oct_sink_text(out, "}");
    }
    oct_sink_text(out, "]");
}

// What a press does to a door, for certain or as the agent acts on it; NULL = nothing, or not
// known.
static const char *how_of(const listing *l, uint32_t button, uint32_t door)
{
    const oct_links *const links = oct_belief_links(oct_agent_belief(l->agent));
    const oct_link_kind kind =
        oct_agent_link(l->agent, oct_links_button(links, button), oct_links_door(links, door));
    if (kind == OCT_LINK_KIND_UNDECIDED) {
        return oct_links_get(links, button, door) == OCT_LINK_YES ? "likely toggles" : NULL;
    }
    return kind == OCT_LINK_KIND_NOTHING ? NULL : oct_link_kind_name(kind);
}

static void put_link(listing *l, uint32_t button, uint32_t door, const char *how)
{
    const oct_belief *const belief = oct_agent_belief(l->agent);
    const oct_links *const links = oct_belief_links(belief);
    const oct_button which = oct_links_button(links, button);
    const uint64_t id = oct_links_door(links, door);
    char name[96];
    oct_sink_text(l->out, l->count > 0 ? ", {\"panel\": " : "{\"panel\": ");
    oct_trace_id(l->out, which.panel);
    oct_trace_count(l->out, "button", which.number);
    (void)oct_belief_name_of(belief, which.panel, name, sizeof name);
    oct_trace_word(l->out, "name", name);
    oct_trace_key(l->out, "door");
    oct_trace_id(l->out, id);
    (void)oct_belief_name_of(belief, id, name, sizeof name);
    oct_trace_word(l->out, "to", name);
    oct_trace_word(l->out, "how", how);
    put_sightings(l->out, links, button, door);
    oct_sink_text(l->out, "}");
}

static void list_links(listing *l)
{
    const oct_links *const links = oct_belief_links(oct_agent_belief(l->agent));
    for (uint32_t b = 0; b < oct_links_buttons(links); b++) {
        if (oct_links_presses(links, b) == 0) {
            continue;
        }
        for (uint32_t d = 0; d < oct_links_doors(links); d++) {
            const char *const how = how_of(l, b, d);
            if (!how) {
                continue;
            }
            if (l->out) {
                put_link(l, b, d, how);
            }
            const uint64_t words[] = {b, d, (uint64_t)how[0]};
            l->hash = l->hash * 31u + oct_hash_words(words, 3);
            l->count++;
        }
    }
}

void oct_trace_links(sink *out, size_t index, const oct_agent *agent, uint64_t *last)
{
    listing l = {.agent = agent};
    list_links(&l);
    if (l.hash == *last) {
        return;
    }
    *last = l.hash;
    l.count = 0;
    l.out = out;
    oct_sink_text(out, "{\"event\": \"links\"");
    oct_trace_count(out, "agent", index);
    oct_trace_count(out, "tick", oct_belief_self(oct_agent_belief(agent))->tick);
    oct_trace_key(out, "links");
    oct_sink_text(out, "[");
    list_links(&l);
    oct_sink_text(out, "]}\n");
}

// ---- the proof ----

static void put_assumptions(sink *out, uint32_t assumes)
{
    const char *between = "[";
    oct_trace_key(out, "assumes");
    for (int i = 0; i < OCT_ASSUME_COUNT; i++) {
        if (assumes & 1u << i) {
            oct_sink_text(out, between);
            oct_words_json(out, oct_assumption_name((oct_assumption)i));
            between = ", ";
        }
    }
    oct_sink_text(out, "]");
}

static bool is_reached(const oct_proof *p, const oct_proof_leaf *leaf, uint32_t least)
{
    return leaf->part < p->part_count && p->parts[leaf->part].is_reached && leaf->level >= least;
}

static size_t count_reached(const oct_proof *p, uint32_t least)
{
    size_t count = 0;
    for (size_t i = 0; i < p->leaf_count; i++) {
        count += is_reached(p, &p->leaves[i], least);
    }
    return count;
}

// The space in which the body may be: large leaves first; small ones are left out where there are
// too many.
static void put_reached(sink *out, const oct_proof *p)
{
    const size_t all = count_reached(p, 0);
    uint32_t least = 0;
    size_t told = all;
    while (told > BOXES_MAX) {
        told = count_reached(p, ++least);
    }
    oct_trace_count(out, "leaves", all);
    oct_trace_key(out, "reached");
    oct_sink_text(out, "[");
    for (size_t i = 0, done = 0; i < p->leaf_count; i++) {
        const oct_proof_leaf *const leaf = &p->leaves[i];
        if (!is_reached(p, leaf, least)) {
            continue;
        }
        const double edge = p->cell_size * (double)(UINT32_C(1) << leaf->level);
        const double from[3] = {p->origin.x + leaf->at.x * edge, p->origin.y + leaf->at.y * edge,
                                p->origin.z + leaf->at.z * edge};
        oct_sink_text(out, done++ > 0 ? ", [" : "[");
        for (int k = 0; k < 3; k++) {
            oct_sink_decimal(out, from[k] + 0.0); // never -0
            oct_sink_text(out, ", ");
        }
        oct_sink_decimal(out, edge);
        oct_sink_text(out, "]");
    }
    oct_sink_text(out, "]");
}

static void put_doors(sink *out, const oct_proof *p)
{
    const char *between = "";
    oct_trace_key(out, "shut");
    oct_sink_text(out, "[");
    for (size_t i = 0; i < p->door_count; i++) {
        if (!p->doors[i].is_free && !p->doors[i].is_loose) {
            oct_sink_text(out, between);
            oct_trace_id(out, p->doors[i].id);
            between = ", ";
        }
    }
    oct_sink_text(out, "]");
}

static void put_proof(sink *out, const oct_proof *p, bool is_first)
{
    oct_sink_text(out, is_first ? "{\"kind\": " : ", {\"kind\": ");
    oct_words_json(out, oct_proof_name(p->kind));
    if (p->target.is_known) {
        oct_trace_bounds(out, "target", p->target.box);
    }
    oct_trace_count(out, "states", p->state_count);
    put_doors(out, p);
    put_reached(out, p);
    oct_sink_text(out, "}");
}

void oct_trace_proof(sink *out, const oct_play_result *result)
{
    if (result->proof != OCT_PROOF_NONE) {
        oct_trace_word(out, "proof", oct_proof_name(result->proof));
        put_assumptions(out, result->assumes);
    }
    if (result->decides && result->decides[0]) {
        oct_trace_word(out, "decides", result->decides);
    }
    if (result->ground_count > 0) {
        oct_trace_key(out, "proofs");
        oct_sink_text(out, "[");
        for (size_t i = 0; i < result->ground_count && i < PROOFS_MAX; i++) {
            put_proof(out, result->proofs[i], i == 0);
        }
        oct_sink_text(out, "]");
    }
}
