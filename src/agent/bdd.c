// SPDX-License-Identifier: MIT
#include "agent/bdd.h"

// What keys of the table are of.
enum { KEY_NODE, KEY_AND };

#define EDGE_NONE UINT32_MAX

// A conjunction on its way: of two edges, over what it makes of the low sides.
typedef struct level {
    uint32_t a, b;
    uint32_t variable;
    uint32_t low; // EDGE_NONE: on its way itself
} level;

static lattice_key key_of(uint32_t x, uint32_t y, uint32_t z, uint32_t what)
{
    return (lattice_key){(int32_t)x, (int32_t)y, (int32_t)z, what};
}

static uint32_t top_of(const bdd *d, uint32_t edge)
{
    return bdd_nodes(d)[edge_node(edge)].variable;
}

// ---- nodes ----

static oct_result reserve_node(bdd *d)
{
    if (d->nodes.count >= BDD_NODES_MAX || d->places.count >= BDD_KEYS_MAX) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_key_table_reserve(&d->places, &d->allocator, 1));
    if (d->nodes.count == d->nodes.capacity) {
        OCT_TRY(oct_array_grow(&d->nodes, &d->allocator, sizeof(bdd_node)));
    }
    return oct_array_reserve(&d->notes, &d->allocator, sizeof(uint32_t), d->nodes.capacity);
}

static void push_node(bdd *d, bdd_node node)
{
    ((bdd_node *)d->nodes.items)[d->nodes.count++] = node;
    bdd_notes(d)[d->notes.count++] = 0;
}

static oct_result make_node(bdd *d, uint32_t variable, uint32_t low, uint32_t high, uint32_t *out)
{
    if (low == high) {
        *out = low;
        return OCT_OK;
    }
    const uint32_t sign = high & 1u;
    low ^= sign;
    high ^= sign;
    const lattice_key key = key_of(variable, low, high, KEY_NODE);
    const key_slot *slot = key_table_slot(&d->places, key);
    if (!key_slot_is_used(&d->places, slot)) {
        OCT_TRY(reserve_node(d));
        key_slot *const place = key_table_slot(&d->places, key);
        key_slot_fill(&d->places, place, key, (uint32_t)d->nodes.count);
        push_node(d, (bdd_node){variable, low, high});
        slot = place;
    }
    *out = slot->value << 1 | sign;
    return OCT_OK;
}

oct_result oct_bdd_init(bdd *d, const oct_allocator *allocator)
{
    *d = (bdd){.allocator = *allocator};
    OCT_TRY(reserve_node(d));
    push_node(d, (bdd_node){0, EDGE_FALSE, EDGE_FALSE});
    return OCT_OK;
}

void oct_bdd_free(bdd *d)
{
    oct_array_free(&d->nodes, &d->allocator, sizeof(bdd_node));
    oct_array_free(&d->notes, &d->allocator, sizeof(uint32_t));
    oct_array_free(&d->stack, &d->allocator, sizeof(level));
    oct_key_table_free(&d->places, &d->allocator);
}

oct_result oct_bdd_variable(bdd *d, uint32_t *variable, uint32_t *edge)
{
    if (d->variables == d->stack.capacity) {
        OCT_TRY(oct_array_grow(&d->stack, &d->allocator, sizeof(level)));
    }
    OCT_TRY(make_node(d, d->variables + 1, EDGE_FALSE, EDGE_TRUE, edge));
    *variable = ++d->variables;
    return OCT_OK;
}

// ---- functions ----

// What an edge becomes where a variable, which is its top one or above, has a value.
static uint32_t side_of(const bdd *d, uint32_t edge, uint32_t variable, bool high)
{
    const bdd_node *const node = &bdd_nodes(d)[edge_node(edge)];
    if (node->variable != variable) {
        return edge;
    }
    return (high ? node->high : node->low) ^ (edge & 1u);
}

static lattice_key and_key(uint32_t a, uint32_t b)
{
    return a < b ? key_of(a, b, 0, KEY_AND) : key_of(b, a, 0, KEY_AND);
}

// Conjunctions that need no work.
static bool and_is_known(const bdd *d, uint32_t a, uint32_t b, uint32_t *out)
{
    if (a == EDGE_FALSE || b == EDGE_FALSE || a == edge_not(b)) {
        *out = EDGE_FALSE;
        return true;
    }
    if (a == EDGE_TRUE || a == b) {
        *out = b;
        return true;
    }
    if (b == EDGE_TRUE) {
        *out = a;
        return true;
    }
    const key_slot *const slot = key_table_slot(&d->places, and_key(a, b));
    *out = slot->value;
    return key_slot_is_used(&d->places, slot);
}

// The last level has both its sides: makes it a node, and remembers.
static oct_result end_level(bdd *d, const level *at, uint32_t high, uint32_t *out)
{
    if (d->places.count >= BDD_KEYS_MAX - 1) {
        return OCT_ERROR_RANGE;
    }
    OCT_TRY(oct_key_table_reserve(&d->places, &d->allocator, 2));
    OCT_TRY(make_node(d, at->variable, at->low, high, out));
    const lattice_key key = and_key(at->a, at->b);
    key_slot_fill(&d->places, key_table_slot(&d->places, key), key, *out);
    return OCT_OK;
}

// With a stack of its own: formulas may be deep, and threads' stacks small.
oct_result oct_bdd_and(bdd *d, uint32_t a, uint32_t b, uint32_t *out)
{
    level *const stack = d->stack.items;
    size_t depth = 0;
    uint32_t result;
    for (;;) {
        while (!and_is_known(d, a, b, &result)) {
            const uint32_t top_a = top_of(d, a), top_b = top_of(d, b);
            const uint32_t top = top_a > top_b ? top_a : top_b;
            stack[depth++] = (level){a, b, top, EDGE_NONE};
            a = side_of(d, a, top, false);
            b = side_of(d, b, top, false);
        }
        while (depth > 0 && stack[depth - 1].low != EDGE_NONE) {
            OCT_TRY(end_level(d, &stack[--depth], result, &result));
        }
        if (depth == 0) {
            *out = result;
            return OCT_OK;
        }
        level *const at = &stack[depth - 1];
        at->low = result;
        a = side_of(d, at->a, at->variable, true);
        b = side_of(d, at->b, at->variable, true);
    }
}

oct_result oct_bdd_or(bdd *d, uint32_t a, uint32_t b, uint32_t *out)
{
    OCT_TRY(oct_bdd_and(d, edge_not(a), edge_not(b), out));
    *out = edge_not(*out);
    return OCT_OK;
}

oct_result oct_bdd_choose(bdd *d, uint32_t test, uint32_t low, uint32_t high, uint32_t *out)
{
    uint32_t if_true, if_false;
    OCT_TRY(oct_bdd_and(d, test, high, &if_true));
    OCT_TRY(oct_bdd_and(d, edge_not(test), low, &if_false));
    return oct_bdd_or(d, if_true, if_false, out);
}

bool oct_bdd_at_false(const bdd *d, uint32_t edge)
{
    while (!edge_is_constant(edge)) {
        edge = side_of(d, edge, top_of(d, edge), false);
    }
    return edge == EDGE_TRUE;
}

// ---- keeping it small ----

void oct_bdd_clear_notes(bdd *d)
{
    memset(d->notes.items, 0, d->notes.count * sizeof(uint32_t));
}

// Nodes stand after those below them: so one pass down finds what is in use, and one up moves it
// to the front and notes where it went.
void oct_bdd_sweep(bdd *d)
{
    bdd_node *const nodes = d->nodes.items;
    uint32_t *const notes = bdd_notes(d);
    const uint32_t count = (uint32_t)d->nodes.count;
    for (uint32_t i = count; i-- > 1;) {
        if (notes[i]) {
            bdd_note(d, nodes[i].low);
            bdd_note(d, nodes[i].high);
        }
    }
    oct_key_table_clear(&d->places);
    notes[0] = 0;
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (!notes[i]) {
            continue;
        }
        const uint32_t low = bdd_moved(d, nodes[i].low);
        const uint32_t high = bdd_moved(d, nodes[i].high);
        const lattice_key key = key_of(nodes[i].variable, low, high, KEY_NODE);
        // It held all of these before.
        const oct_result result = oct_key_table_reserve(&d->places, &d->allocator, 1);
        OCT_ASSERT(result == OCT_OK);
        (void)result;
        key_slot_fill(&d->places, key_table_slot(&d->places, key), key, kept);
        nodes[kept] = (bdd_node){nodes[i].variable, low, high};
        notes[i] = kept++;
    }
    d->nodes.count = kept;
    d->notes.count = kept;
}
