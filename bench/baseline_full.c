// SPDX-License-Identifier: MIT
#include "bench/baseline_full.h"

#include <math.h>
#include <stdlib.h>

#define DEPTH_MAX 7

static full_node *find(const full_tree *tree, uint32_t code)
{
    uint32_t at = code * 2654435769u & (tree->table_size - 1u);
    while (tree->table[at].code != code && tree->table[at].code != 0) {
        at = (at + 1u) & (tree->table_size - 1u);
    }
    return &tree->table[at];
}

static void make_nodes(full_tree *tree, uint32_t code, int depth)
{
    find(tree, code)->code = code;
    tree->node_count++;
    for (uint32_t child = 0; child < 8 && depth < tree->depth; child++) {
        make_nodes(tree, code << 3 | child, depth + 1);
    }
}

oct_result oct_full_init(full_tree *tree, oct_point min, double size, int depth, uint32_t obstacles)
{
    if (depth < 0 || depth > DEPTH_MAX || !(size > 0.0)) {
        return OCT_ERROR_ARGUMENT;
    }
    uint64_t nodes = 0;
    for (int i = 0; i <= depth; i++) {
        nodes = nodes * 8u + 1u;
    }
    uint32_t slots = 1;
    while (slots < nodes + nodes / 2u) {
        slots *= 2u;
    }
    *tree = (full_tree){.min = min,
                        .size = size,
                        .depth = depth,
                        .table_size = slots,
                        .obstacle_capacity = obstacles + 1u};
    tree->table = calloc(slots, sizeof *tree->table);
    tree->obstacles = calloc(obstacles + 1u, sizeof *tree->obstacles);
    if (!tree->table || !tree->obstacles) {
        oct_full_free(tree);
        return OCT_ERROR_MEMORY;
    }
    make_nodes(tree, 1, 0);
    return OCT_OK;
}

void oct_full_free(full_tree *tree)
{
    free(tree->table);
    free(tree->obstacles);
    *tree = (full_tree){0};
}

// Goes down while the obstacle fits into a child's outer bounds, which are twice its size.
static uint32_t place_of(const full_tree *tree, oct_point at, double size)
{
    oct_point middle = {tree->min.x + tree->size / 2.0, tree->min.y + tree->size / 2.0,
                        tree->min.z + tree->size / 2.0};
    uint32_t code = 1;
    double edge = tree->size;
    for (int level = 0; level < tree->depth && size <= edge; level++) {
        edge /= 2.0;
        const uint32_t child =
            (at.x > middle.x ? 1u : 0u) | (at.y > middle.y ? 2u : 0u) | (at.z > middle.z ? 4u : 0u);
        middle.x += child & 1u ? edge / 2.0 : -edge / 2.0;
        middle.y += child & 2u ? edge / 2.0 : -edge / 2.0;
        middle.z += child & 4u ? edge / 2.0 : -edge / 2.0;
        code = code << 3 | child;
    }
    return code;
}

static void enter(full_tree *tree, uint32_t obstacle)
{
    full_obstacle *o = &tree->obstacles[obstacle];
    o->code = place_of(tree, o->middle, o->size);
    full_node *node = find(tree, o->code);
    o->next = node->first;
    node->first = obstacle;
    for (uint32_t code = o->code; code > 1u; code >>= 3) {
        find(tree, code >> 3)->below |= (uint8_t)(1u << (code & 7u));
    }
}

static void leave(full_tree *tree, uint32_t obstacle)
{
    const full_obstacle *o = &tree->obstacles[obstacle];
    full_node *node = find(tree, o->code);
    uint32_t *link = &node->first;
    while (*link != obstacle) {
        link = &tree->obstacles[*link].next;
    }
    *link = o->next;
    for (uint32_t code = o->code; code > 1u; code >>= 3) {
        if (node->first || node->below) {
            return;
        }
        node = find(tree, code >> 3);
        node->below &= (uint8_t) ~(1u << (code & 7u));
    }
}

uint32_t oct_full_add(full_tree *tree, oct_point middle, double size)
{
    if (tree->obstacle_count + 1u >= tree->obstacle_capacity) {
        return 0;
    }
    const uint32_t obstacle = ++tree->obstacle_count;
    tree->obstacles[obstacle] = (full_obstacle){.middle = middle, .size = size};
    enter(tree, obstacle);
    return obstacle;
}

void oct_full_remove(full_tree *tree, uint32_t obstacle)
{
    leave(tree, obstacle);
}

static oct_point node_middle(const full_tree *tree, uint32_t code, double *edge)
{
    oct_point middle = {tree->min.x + tree->size / 2.0, tree->min.y + tree->size / 2.0,
                        tree->min.z + tree->size / 2.0};
    *edge = tree->size;
    for (int shift = (int)oct_bit_length(code) - 4; shift >= 0; shift -= 3) {
        const uint32_t child = code >> shift & 7u;
        *edge /= 2.0;
        middle.x += child & 1u ? *edge / 2.0 : -*edge / 2.0;
        middle.y += child & 2u ? *edge / 2.0 : -*edge / 2.0;
        middle.z += child & 4u ? *edge / 2.0 : -*edge / 2.0;
    }
    return middle;
}

void oct_full_put(full_tree *tree, uint32_t obstacle, oct_point at)
{
    leave(tree, obstacle);
    tree->obstacles[obstacle].middle = at;
    enter(tree, obstacle);
}

void oct_full_move(full_tree *tree, uint32_t obstacle, oct_point at)
{
    full_obstacle *o = &tree->obstacles[obstacle];
    o->middle = at;
    double edge;
    const oct_point middle = node_middle(tree, o->code, &edge);
    const double x = at.x - middle.x, y = at.y - middle.y, z = at.z - middle.z;
    if (sqrt(x * x + y * y + z * z) > edge) {
        oct_full_put(tree, obstacle, at);
    }
}

bool oct_full_holds(const full_tree *tree, uint32_t code)
{
    const full_node *node = find(tree, code);
    return node->first || node->below;
}

size_t oct_full_bytes(const full_tree *tree)
{
    return tree->table_size * sizeof *tree->table +
           tree->obstacle_capacity * sizeof *tree->obstacles;
}

uint32_t oct_full_count(const full_tree *tree, uint32_t code)
{
    const full_node *node = find(tree, code);
    uint32_t count = 0;
    for (uint32_t o = node->first; o; o = tree->obstacles[o].next) {
        count++;
    }
    for (uint32_t child = 0; child < 8; child++) {
        if (node->below >> child & 1u) {
            count += oct_full_count(tree, code << 3 | child);
        }
    }
    return count;
}
