// SPDX-License-Identifier: MIT
// Moving AI voxel maps: a line `voxel W H D`, then a line `x y z` for every BLOCKED cell. A map
// that starts with `rev_voxel` lists the OPEN cells instead.
//
// The tree is built in one sweep, not edited cell by cell: the list is divided in place among the
// children of a node, as a quicksort with eight ways would, until a brick's cells lie together and
// are set as bits. Nodes without listed cells are one leaf, save along the faces of the box.
#include "octant/formats.h"
#include "octant/tree.h"
#include "octree/formats_internal.h"

// Along the faces of its declared box a map needs nodes even where it lists no cell. This many at
// most, some 80 MB: enough for every box of 4096 cells a side, and for larger ones that lie well.
#define FACE_NODES_MAX (UINT64_C(1) << 22)

typedef struct voxels {
    oct_tree *tree; // being built
    rel *cells;     // as listed
    size_t count;
    rel size;               // of the declared box
    span box;               // the declared box
    uint32_t listed, other; // states
} voxels;

// ---- reading ----

static int root_level(rel size)
{
    const int level = (int)oct_bit_length((size.x - 1u) | (size.y - 1u) | (size.z - 1u));
    return level > BRICK_LEVEL_3D ? level : BRICK_LEVEL_3D;
}

// How many nodes below the root the far faces of the box cut. The near ones lie on its hull.
static uint64_t face_nodes(rel size)
{
    uint64_t nodes = 0;
    for (int level = BRICK_LEVEL_3D; level < root_level(size); level++) {
        const uint32_t last = (1u << level) - 1u;
        const uint64_t nx = (size.x + last) >> level;
        const uint64_t ny = (size.y + last) >> level;
        const uint64_t nz = (size.z + last) >> level;
        nodes += (size.x & last ? ny * nz : 0u) + (size.y & last ? nx * nz : 0u) +
                 (size.z & last ? nx * ny : 0u);
    }
    return nodes;
}

static oct_result read_header(text *in, voxels *out, oct_error *error)
{
    const bool blocked_listed = oct_text_word(in, "voxel");
    if (!blocked_listed && !oct_text_word(in, "rev_voxel")) {
        return TEXT_REFUSE(in, error, "expected `voxel W H D` or `rev_voxel W H D`");
    }
    out->listed = blocked_listed ? STATE_KNOWN | STATE_BLOCKED : STATE_KNOWN;
    out->other = out->listed ^ STATE_BLOCKED;
    OCT_TRY(oct_text_edge(in, &out->size.x, error));
    OCT_TRY(oct_text_edge(in, &out->size.y, error));
    OCT_TRY(oct_text_edge(in, &out->size.z, error));
    if (face_nodes(out->size) > FACE_NODES_MAX) {
        return TEXT_REFUSE(in, error, "the box is too large: its faces alone need over %u nodes",
                           (unsigned)FACE_NODES_MAX);
    }
    if (!text_line_end(in)) {
        return TEXT_REFUSE(in, error, "expected the end of the line after the sizes");
    }
    out->box.hi = (rel){out->size.x - 1u, out->size.y - 1u, out->size.z - 1u};
    return OCT_OK;
}

OCT_NO_INLINE static oct_result refuse_coordinate(const text *in, char axis, uint32_t size,
                                                  oct_error *error)
{
    return TEXT_REFUSE(in, error, "expected %c of a cell, from 0 to %u", axis,
                       (unsigned)(size - 1u));
}

OCT_FORCE_INLINE oct_result read_coordinate(text *in, char axis, uint32_t size, uint32_t *out,
                                            oct_error *error)
{
    const char *from = in->at;
    if (OCT_LIKELY(text_number(in, out) && *out < size)) {
        return OCT_OK;
    }
    in->at = from;
    return refuse_coordinate(in, axis, size, error);
}

static oct_result read_cells(text *in, voxels *map, oct_error *error)
{
    while (in->at < in->end && !text_is_space(*in->at)) {
        rel *cell = &map->cells[map->count++];
        OCT_TRY(read_coordinate(in, 'x', map->size.x, &cell->x, error));
        text_blanks(in);
        OCT_TRY(read_coordinate(in, 'y', map->size.y, &cell->y, error));
        text_blanks(in);
        OCT_TRY(read_coordinate(in, 'z', map->size.z, &cell->z, error));
        if (!text_line_end(in)) {
            return TEXT_REFUSE(in, error, "expected the end of the line after a cell");
        }
    }
    return oct_text_end(in, error);
}

// Divides cells among the children of their node, in place: child i gets those from ends[i - 1] to
// ends[i]. A cell is carried to its child, then the one it displaces there to its own, and so on.
static void divide(rel *cells, size_t count, int level, size_t ends[8])
{
    size_t next[8] = {0};
    for (size_t i = 0; i < count; i++) {
        next[child_at(3, level, cells[i])]++;
    }
    size_t start = 0;
    for (uint32_t child = 0; child < 8; child++) {
        ends[child] = start + next[child];
        next[child] = start;
        start = ends[child];
    }
    for (uint32_t child = 0; child < 8; child++) {
        while (next[child] < ends[child]) {
            rel carried = cells[next[child]];
            for (uint32_t home; (home = child_at(3, level, carried)) != child;) {
                rel *there = &cells[next[home]++];
                const rel displaced = *there;
                *there = carried;
                carried = displaced;
            }
            cells[next[child]++] = carried;
        }
    }
}

static brick gather_brick(const voxels *map, rel at, const rel *cells, size_t count)
{
    uint64_t listed = 0;
    for (size_t i = 0; i < count; i++) {
        listed |= UINT64_C(1) << morton_index(3, cells[i].x, cells[i].y, cells[i].z);
    }
    const uint64_t inside = span_mask(3, &map->box, at);
    return (brick){inside, map->listed & STATE_BLOCKED ? listed : inside & ~listed};
}

// Builds the node of `level` at `at` from the listed cells in it.
static oct_result build(const voxels *map, rel at, int level, rel *cells, size_t count,
                        uint32_t *word)
{
    const rel last = map->box.hi;
    if (at.x > last.x || at.y > last.y || at.z > last.z) {
        *word = word_leaf(0);
        return OCT_OK;
    }
    if (count == 0 && span_covers(3, &map->box, at, level)) {
        *word = word_leaf(map->other);
        return OCT_OK;
    }
    if (level == BRICK_LEVEL_3D) {
        return oct_tree_pack(map->tree, gather_brick(map, at, cells, count), word);
    }
    size_t ends[8];
    divide(cells, count, level, ends);
    uint32_t children[8];
    for (uint32_t child = 0; child < 8; child++) {
        const size_t start = child > 0 ? ends[child - 1] : 0;
        OCT_TRY(build(map, child_position(3, at, level, child), level - 1, cells + start,
                      ends[child] - start, &children[child]));
    }
    return oct_tree_join(map->tree, children, word);
}

static oct_result read_and_build(text *in, voxels *map, oct_error *error)
{
    OCT_TRY(read_cells(in, map, error));
    const int level = root_level(map->size);
    uint32_t word;
    OCT_TRY(build(map, (rel){0, 0, 0}, level, map->cells, map->count, &word));
    oct_tree_plant(map->tree, word, level, (corner){0, 0, 0});
    return OCT_OK;
}

oct_result oct_read_3dmap(input in, const oct_tree_def *def, oct_tree **tree, oct_tree_info *info,
                          oct_error *error)
{
    text scanner = text_open(in);
    voxels map = {0};
    OCT_TRY(read_header(&scanner, &map, error));
    oct_tree_def own = *def;
    own.dims = 3;
    OCT_TRY(oct_tree_create(&own, tree));
    map.tree = *tree;
    info->box.max = (oct_vec){(int32_t)map.size.x, (int32_t)map.size.y, (int32_t)map.size.z};

    // The shortest line, "0 0 0" and its end, has six bytes; the last may lack the end.
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    const size_t capacity = (size_t)(scanner.end - scanner.at) / 6u + 1u;
    size_t size;
    if (!oct_size_mul(capacity, sizeof *map.cells, &size)) {
        return OCT_ERROR_MEMORY;
    }
    map.cells = oct_alloc(&allocator, size, _Alignof(rel));
    if (!map.cells) {
        return OCT_ERROR_MEMORY;
    }
    const oct_result result = read_and_build(&scanner, &map, error);
    oct_free(&allocator, map.cells, size);
    return result;
}

// ---- writing ----

typedef struct cell_writer {
    const oct_tree *tree;
    oct_vec origin;
    oct_box row; // the cells being written
    oct_labels listed;
    sink *out;
} cell_writer;

static bool stop(void *ctx, const oct_leaf *leaf)
{
    (void)ctx;
    (void)leaf;
    return false;
}

// Writes the part of a leaf that lies in the row.
static bool write_run(void *ctx, const oct_leaf *leaf)
{
    const cell_writer *job = ctx;
    const int64_t leaf_end = (int64_t)leaf->z + (INT64_C(1) << leaf->level);
    const int32_t end = leaf_end < job->row.max.z ? (int32_t)leaf_end : job->row.max.z;
    for (int32_t z = leaf->z > job->row.min.z ? leaf->z : job->row.min.z; z < end; z++) {
        oct_sink_number(job->out, (uint64_t)((int64_t)job->row.min.x - job->origin.x));
        sink_byte(job->out, ' ');
        oct_sink_number(job->out, (uint64_t)((int64_t)job->row.min.y - job->origin.y));
        sink_byte(job->out, ' ');
        oct_sink_number(job->out, (uint64_t)((int64_t)z - job->origin.z));
        sink_byte(job->out, '\n');
    }
    return !job->out->failed;
}

// Writes the listed cells of a box in the order of x, then y, then z: x is halved down to one plane
// before y is halved down to one row, and what lists nothing is passed over whole. The leaves along
// a row come in Morton order, which is the order of z.
static void write_cells(cell_writer *job, oct_box box)
{
    if (job->out->failed || oct_tree_leaves(job->tree, box, job->listed, stop, NULL)) {
        return;
    }
    oct_box low = box, high = box;
    if (box.max.x - box.min.x > 1) {
        low.max.x = high.min.x = box.min.x + (box.max.x - box.min.x) / 2;
    } else if (box.max.y - box.min.y > 1) {
        low.max.y = high.min.y = box.min.y + (box.max.y - box.min.y) / 2;
    } else {
        job->row = box;
        oct_tree_leaves(job->tree, box, job->listed, write_run, job);
        return;
    }
    write_cells(job, low);
    write_cells(job, high);
}

oct_result oct_write_3dmap(const oct_tree *tree, const oct_tree_info *info, sink *out,
                           oct_error *error)
{
    const oct_box box = info->box;
    OCT_TRY(oct_check_text_box(tree, box, error));
    uint64_t counts[3];
    OCT_TRY(oct_tree_count(tree, box, counts));
    const bool blocked_listed = counts[OCT_BLOCKED] <= counts[OCT_OPEN];
    const int32_t sizes[3] = {box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z};
    oct_sink_text(out, blocked_listed ? "voxel" : "rev_voxel");
    for (int axis = 0; axis < 3; axis++) {
        sink_byte(out, ' ');
        oct_sink_number(out, (uint64_t)sizes[axis]);
    }
    sink_byte(out, '\n');
    cell_writer job = {tree, box.min, box, blocked_listed ? OCT_HAS_BLOCKED : OCT_HAS_OPEN, out};
    write_cells(&job, box);
    return OCT_OK;
}
