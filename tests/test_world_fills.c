// SPDX-License-Identifier: MIT
// Boxes of blocks in world files: compared with painting a plain array, cell by cell; and that a
// short file cannot ask for much.
#include "world_support.h"

#define HEAD                                                                                       \
    "{\"format\": \"octant-world\", \"version\": 1, \"grids\": [{\"id\": 7, \"position\": "        \
    "[0, 0, 0]}, {\"id\": 9, \"position\": [50, 0, 0], \"forward\": [0, 0, 1]}], "                 \
    "\"types\": [{\"name\": \"a\"}, {\"name\": \"b\", \"opaque\": false}, {\"name\": \"long\", "   \
    "\"size\": [2, 1, 3]}, {\"name\": \"huge\", \"size\": [64, 64, 64]}], "
#define FILLS(fills) HEAD "\"blocks\": [], \"fills\": [" fills "]}"

// ---- a plain array ----

enum { EDGE = 8, LEAST = -4, TYPES = 2 };

typedef struct plain {
    int type[2][EDGE][EDGE][EDGE]; // by grid, z, y, x; + 1; 0 = clear
    bool painted[2][EDGE][EDGE][EDGE];
    struct {
        uint32_t grid;
        oct_vec cell;
    } order[2 * EDGE * EDGE * EDGE];
    size_t count;
} plain;

typedef struct box {
    int from[3], to[3];
} box;

static bool is_on_shell(const box *b, const int cell[3])
{
    for (int i = 0; i < 3; i++) {
        if (cell[i] == b->from[i] || cell[i] == b->to[i]) {
            return true;
        }
    }
    return false;
}

static void paint(plain *p, uint32_t grid, const box *b, bool hollow, int type)
{
    for (int z = b->from[2]; z <= b->to[2]; z++) {
        for (int y = b->from[1]; y <= b->to[1]; y++) {
            for (int x = b->from[0]; x <= b->to[0]; x++) {
                if (hollow && !is_on_shell(b, (const int[]){x, y, z})) {
                    continue;
                }
                bool *const painted = &p->painted[grid][z - LEAST][y - LEAST][x - LEAST];
                if (type > 0 && !*painted) {
                    *painted = true;
                    p->order[p->count].grid = grid;
                    p->order[p->count++].cell = (oct_vec){x, y, z};
                }
                p->type[grid][z - LEAST][y - LEAST][x - LEAST] = type;
            }
        }
    }
}

// ---- random files ----

typedef struct text {
    char bytes[8192];
    size_t size;
} text;

OCT_FORMAT(2, 3)
static void say(text *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length =
        vsnprintf(out->bytes + out->size, sizeof out->bytes - out->size, format, values);
    va_end(values);
    assert_true(length >= 0 && (size_t)length < sizeof out->bytes - out->size);
    out->size += (size_t)length;
}

// Blocks of 2 x 1 x 3 cells that look forward or left, and what they cover.
static size_t say_blocks(text *out, oct_random *random, box *covered, uint32_t *grids)
{
    const size_t count = (size_t)oct_random_below(random, 4);
    say(out, "\"blocks\": [");
    for (size_t i = 0; i < count; i++) {
        const bool left = oct_random_below(random, 2);
        const int size[3] = {left ? 3 : 2, 1, left ? 2 : 3};
        grids[i] = (uint32_t)oct_random_below(random, 2);
        for (int j = 0; j < 3; j++) {
            covered[i].from[j] = (int)oct_random_range(random, LEAST, LEAST + EDGE - size[j]);
            covered[i].to[j] = covered[i].from[j] + size[j] - 1;
        }
        say(out, "%s{\"id\": %zu, \"type\": \"long\", \"grid\": %u, \"cell\": [%d, %d, %d]%s}",
            i > 0 ? ", " : "", i, grids[i], covered[i].from[0], covered[i].from[1],
            covered[i].from[2], left ? ", \"forward\": \"left\"" : "");
    }
    // One that stands on no grid covers no cells.
    say(out, "%s{\"id\": 99, \"type\": \"a\", \"box\": [0, 0, 0, 9, 9, 9]}]",
        count > 0 ? ", " : "");
    return count;
}

static void say_fills(text *out, oct_random *random, plain *p)
{
    static const char *const types[] = {"", ", \"type\": \"a\"", ", \"type\": \"b\""};
    const uint64_t count = oct_random_below(random, 13);
    say(out, ", \"fills\": [");
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t grid = (uint32_t)oct_random_below(random, 2);
        const bool hollow = oct_random_below(random, 2);
        const int type = (int)oct_random_below(random, TYPES + 1);
        box b;
        for (int j = 0; j < 3; j++) {
            b.from[j] = (int)oct_random_range(random, LEAST, LEAST + EDGE - 1);
            b.to[j] = (int)oct_random_range(random, b.from[j], LEAST + EDGE - 1);
        }
        say(out, "%s{\"from\": [%d, %d, %d], \"to\": [%d, %d, %d], \"grid\": %u%s%s}",
            i > 0 ? ", " : "", b.from[0], b.from[1], b.from[2], b.to[0], b.to[1], b.to[2], grid,
            types[type], hollow ? ", \"hollow\": true" : "");
        paint(p, grid, &b, hollow, type);
    }
    say(out, "]}");
}

// Compares what follows the listed blocks; the number of them.
static size_t compare(const oct_world *world, size_t listed, const plain *p)
{
    size_t next = listed;
    for (size_t i = 0; i < p->count; i++) {
        const oct_vec cell = p->order[i].cell;
        const uint32_t grid = p->order[i].grid;
        const int type = p->type[grid][cell.z - LEAST][cell.y - LEAST][cell.x - LEAST];
        if (type == 0) {
            continue;
        }
        assert_true(next < oct_world_blocks(world));
        const oct_world_block block = oct_world_get(world, next++);
        assert_true(block.id == oct_world_cell_id(grid == 0 ? 7 : 9, cell));
        assert_string_equal(block.name, "");
        assert_int_equal(block.type, type - 1);
        assert_int_equal(block.grid, grid);
        assert_int_equal(block.label, OCT_BLOCKED);
        assert_true(block.placed && block.forward == OCT_SIDE_FORWARD && block.up == OCT_SIDE_UP);
        ASSERT_SAME(block.cell, cell);
        assert_true(block.damage == 0 && block.delay == 0);
    }
    assert_int_equal(next, oct_world_blocks(world));
    return next - listed;
}

static void fills_paint_as_one_would_a_plain_array(void **state)
{
    (void)state;
    static plain p;
    static text out;
    size_t filled = 0, clear = 0;
    const uint64_t rounds = test_rounds(1500);
    printf("seeds 1 to %llu\n", (unsigned long long)rounds);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        oct_random random = oct_random_seed(seed);
        box covered[4];
        uint32_t grids[4];
        memset(&p, 0, sizeof p);
        out.size = 0;
        say(&out, "%s", HEAD);
        const size_t blocks = say_blocks(&out, &random, covered, grids);
        say_fills(&out, &random, &p);
        for (size_t i = 0; i < blocks; i++) {
            paint(&p, grids[i], &covered[i], false, 0);
        }
        oct_world *world = decoded(out.bytes);
        const size_t found = compare(world, blocks + 1, &p);
        filled += found;
        clear += p.count - found;
        oct_world_destroy(world);
    }
    assert_true(filled > 20 * rounds && clear > rounds);
}

// ---- limits ----

static void a_short_file_cannot_ask_for_much(void **state)
{
    (void)state;
    static const char much[] = "fill 0: more than 4194304 cells in fills and blocks";
    // Clearing what is not there takes no room: as many cells as there may be.
    static const char *const allowed[] = {
        FILLS("{\"from\": [0, 0, 0], \"to\": [127, 127, 255]}"),
        FILLS("{\"from\": [-1048576, 0, 0], \"to\": [1048575, 0, 0]}, "
              "{\"from\": [0, -1048576, 0], \"to\": [0, 1048575, 0]}"),
        FILLS("{\"from\": [0, 0, 0], \"to\": [799, 799, 799], \"hollow\": true}"),
        FILLS(""),
    };
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        oct_world *world = decoded(allowed[i]);
        assert_int_equal(oct_world_blocks(world), 0);
        oct_world_destroy(world);
    }
    static const refusal cases[] = {
        {FILLS("{\"from\": [0, 0, 0], \"to\": [127, 127, 256]}"), "{\"from", much},
        {FILLS("{\"from\": [0, 0, 0], \"to\": [799, 799, 799]}"), "{\"from", much},
        {FILLS("{\"from\": [0, 0, 0], \"to\": [850, 850, 850], \"hollow\": true}"), "{\"from",
         much},
        {FILLS("{\"from\": [-1048576, -1048576, -1048576], \"to\": [1048575, 1048575, 1048575], "
               "\"type\": \"a\"}"),
         "{\"from", much},
        {FILLS("{\"from\": [0, 0, 0], \"to\": [127, 127, 255]},\n{\"from\": [0, 0, 0], \"to\": "
               "[0, 0, 0], \"type\": \"a\"}"),
         NULL, "fill 1: more than 4194304 cells in fills and blocks"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
}

// What listed blocks cover counts, where there are fills; without them it is not looked at.
static void cells_of_blocks_count_with_those_of_fills(void **state)
{
    (void)state;
    static text out;
    for (int blocks = 15; blocks <= 16; blocks++) {
        out.size = 0;
        say(&out, HEAD "\"blocks\": [");
        for (int i = 0; i < blocks; i++) {
            say(&out, "%s{\"id\": %d, \"type\": \"huge\", \"cell\": [0, 0, 0]}", i > 0 ? "," : "",
                i);
        }
        const size_t before = out.size;
        say(&out, "],\n \"fills\": [{\"type\": \"a\", \"from\": [5, 5, 5], \"to\": [5, 5, 5]},"
                  "{\"from\": [5, 5, 5], \"to\": [5, 5, 5]}]}");
        if (blocks == 16) {
            assert_refused(out.bytes, "{\"type\": \"a\", \"from",
                           "more than 4194304 cells in fills and blocks");
            out.size = before;
            say(&out, "]}");
        }
        oct_world *world = decoded(out.bytes);
        assert_int_equal(oct_world_blocks(world), blocks);
        oct_world_destroy(world);
    }
}

// ---- refusals ----

static void what_is_wrong_with_a_fill_is_named(void **state)
{
    (void)state;
#define BOX "\"from\": [0, 0, 0], \"to\": [1, 1, 1]"
    static const char bad_from[] = "fill 0: from must be 3 whole numbers from -1048576 to 1048575";
    static const char bad_to[] = "fill 0: to must be 3 whole numbers from -1048576 to 1048575";
    static const refusal cases[] = {
        {HEAD "\"blocks\": [], \"fills\": 7}", "7}", "fills must be a list"},
        {FILLS("\n7"), NULL, "fill 0: it must be an object"},
        {FILLS("\n{}"), NULL, "fill 0: from is missing"},
        {FILLS("\n{\"from\": [0, 0, 0]}"), NULL, "fill 0: to is missing"},
        {FILLS("\n{" BOX ", \"colour\": 1}"), NULL, "fill 0: unknown key 'colour'"},
        {FILLS("\n{\"from\": [0, 0], \"to\": [1, 1, 1]}"), NULL, bad_from},
        {FILLS("\n{\"from\": [0, 0, 0.5], \"to\": [1, 1, 1]}"), NULL, bad_from},
        {FILLS("\n{\"from\": [0, -1048577, 0], \"to\": [1, 1, 1]}"), NULL, bad_from},
        {FILLS("\n{\"from\": [0, 0, 0], \"to\": [1, 1, 1048576]}"), NULL, bad_to},
        {FILLS("\n{\"from\": [0, 0, 0], \"to\": 1}"), NULL, bad_to},
        {FILLS("\n{\"from\": [1, 0, 0], \"to\": [0, 1, 1]}"), NULL,
         "fill 0: from and to are inside out"},
        {FILLS("\n{\"from\": [0, 1, 0], \"to\": [1, 0, 1]}"), NULL,
         "fill 0: from and to are inside out"},
        {FILLS("\n{\"from\": [0, 0, 1], \"to\": [1, 1, 0]}"), NULL,
         "fill 0: from and to are inside out"},
        {FILLS("\n{" BOX ", \"hollow\": 1}"), NULL, "fill 0: hollow must be true or false"},
        {FILLS("\n{" BOX ", \"grid\": 2}"), NULL, "fill 0: there is no grid 2"},
        {FILLS("\n{" BOX ", \"grid\": -1}"), NULL,
         "fill 0: grid must be a whole number below 2^32"},
        {FILLS("\n{" BOX ", \"type\": 3}"), NULL, "fill 0: type must be a string"},
        {FILLS("\n{" BOX ", \"type\": \"c\"}"), NULL, "fill 0: there is no type 'c'"},
        {FILLS("\n{" BOX ", \"type\": \"long\"}"), NULL,
         "fill 0: its type must have the size of one cell"},
        // The id that a cell has is taken.
        {HEAD "\"blocks\": [{\"id\": 1, \"type\": \"a\", \"cell\": [3, 3, 3]}, "
              "{\"id\": \"9798220811874647894\", \"type\": \"a\", \"cell\": [5, 5, 5]}],\n "
              "\"fills\": [{" BOX
              "},\n  {\"type\": \"a\", \"from\": [1, 0, 0], \"to\": [1, 2, 2]}]}",
         "{\"type\": \"a\", \"from", "fill 1 (cell 1 2 2): the id is that of block 1"},
    };
    refuse_all(cases, sizeof cases / sizeof cases[0]);
    assert_refused("{\"format\": \"octant-world\", \"version\": 1, \"grids\": [{\"id\": 7, "
                   "\"position\": [1e308, 0, 0], \"cell\": 1e308}], \"types\": [{\"name\": "
                   "\"a\"}], \"blocks\": [],\n \"fills\": [{\"type\": \"a\", \"from\": [0, 0, 0], "
                   "\"to\": [2, 2, 2]}]}",
                   "{\"type\": \"a\"", "fill 0 (cell 1 0 0): its box is beyond all numbers");
}

static void reading_survives_every_failing_allocation(void **state)
{
    (void)state;
    char some[] = FILLS("{\"type\": \"a\", \"from\": [0, 0, 0], \"to\": [4, 4, 4]}, {\"type\": "
                        "\"b\", \"grid\": 1, \"from\": [0, 0, 0], \"to\": [4, 4, 4]}");
    assert_true(test_each_failure(decode_with, some) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_paint_as_one_would_a_plain_array),
        cmocka_unit_test(a_short_file_cannot_ask_for_much),
        cmocka_unit_test(cells_of_blocks_count_with_those_of_fills),
        cmocka_unit_test(what_is_wrong_with_a_fill_is_named),
        cmocka_unit_test(reading_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
