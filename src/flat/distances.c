// SPDX-License-Identifier: MIT
// Databases of local distances: how they are laid out, opened with nothing believed, and asked.
#include "flat/distances.h"
#include "base/hash.h"

#define DISTANCES_COOKIE 0x64697374u

// How many blocks of n x n cells there are, up to mirroring and turning.
static const uint32_t row_counts[OCT_DISTANCES_EDGE_MAX + 1] = {0, 0, 6, 102, 8548};

// No way inside a block of 16 cells is as long as this.
#define DISTANCE_LIMIT 64.0

// ---- points ----

uint32_t oct_distances_boundary_point(uint32_t edge, uint32_t i)
{
    OCT_ASSERT(edge >= OCT_DISTANCES_EDGE_MIN && edge <= OCT_DISTANCES_EDGE_MAX && i < 4 * edge);
    const uint32_t along = i % edge, row = edge + 1;
    switch (i / edge) {
    case 0:
        return along;
    case 1:
        return edge + row * along;
    case 2:
        return edge - along + row * edge;
    default:
        return row * (edge - along);
    }
}

uint32_t oct_distances_turn_point(uint32_t edge, uint32_t s, uint32_t point)
{
    uint32_t x = point % (edge + 1), y = point / (edge + 1);
    x = s & 1u ? edge - x : x;
    y = s & 2u ? edge - y : y;
    return s & 4u ? y + (edge + 1) * x : x + (edge + 1) * y;
}

uint32_t oct_distances_turn_code(uint32_t edge, uint32_t s, uint32_t code)
{
    uint32_t turned = 0;
    for (uint32_t cell = 0; code >> cell; cell++) {
        uint32_t x = cell % edge, y = cell / edge;
        x = s & 1u ? edge - 1 - x : x;
        y = s & 2u ? edge - 1 - y : y;
        turned |= (code >> cell & 1u) << (s & 4u ? y + edge * x : x + edge * y);
    }
    return turned;
}

// ---- layout ----

static uint32_t triangle(uint32_t n)
{
    return n * (n + 1) / 2;
}

static uint32_t count_pairs(uint32_t edge, oct_distances_kind kind, bool packed)
{
    const uint32_t points = (edge + 1) * (edge + 1), boundary = 4 * edge;
    switch (kind) {
    case OCT_DISTANCES_PLAIN:
        return packed ? triangle(boundary) : boundary * boundary;
    case OCT_DISTANCES_SEMI:
        return packed ? triangle(boundary) + (points - boundary) * boundary : points * boundary;
    default:
        return packed ? triangle(points) : points * points;
    }
}

// Packed: where the way between two ranks of an image is stored, from the lower to the higher.
static uint32_t packed_slot(uint32_t boundary, oct_distances_kind kind, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    const uint32_t reversed = a > b ? SLOT_REVERSED : 0;
    if (high < boundary || kind == OCT_DISTANCES_FULL) {
        return (triangle(high) + low) | reversed;
    }
    if (kind == OCT_DISTANCES_PLAIN || low >= boundary) {
        return SLOT_NONE;
    }
    return (triangle(boundary) + (high - boundary) * boundary + low) | reversed;
}

// Unpacked: a table of `height` by `width` points, of which one that is not square also answers
// for the pairs that it holds the other way round.
static uint32_t plain_slot(uint32_t height, uint32_t width, uint32_t a, uint32_t b)
{
    if (a < height && b < width) {
        return a * width + b;
    }
    return b < height && a < width ? (b * width + a) | SLOT_REVERSED : SLOT_NONE;
}

static void rank_points(oct_distances *d)
{
    uint32_t next = d->boundary;
    for (uint32_t i = 0; i < d->boundary; i++) {
        d->point[i] = (uint8_t)oct_distances_boundary_point(d->edge, i);
    }
    for (uint32_t y = 1; y < d->edge; y++) {
        for (uint32_t x = 1; x < d->edge; x++) {
            d->point[next++] = (uint8_t)(x + (d->edge + 1) * y);
        }
    }
    for (uint32_t i = 0; i < d->points; i++) {
        d->rank[d->point[i]] = (uint8_t)i;
    }
}

void oct_distances_set_up(oct_distances *d, uint32_t edge, oct_distances_kind kind, bool packed)
{
    d->edge = edge;
    d->points = (edge + 1) * (edge + 1);
    d->boundary = 4 * edge;
    d->pairs = count_pairs(edge, kind, packed);
    d->packed = packed;
    rank_points(d);
    d->width = kind == OCT_DISTANCES_FULL ? d->points : d->boundary;
    const uint32_t height = kind == OCT_DISTANCES_PLAIN ? d->boundary : d->points;
    for (uint32_t s = 0; s < SYMMETRIES; s++) {
        uint32_t turned[OCT_DISTANCES_POINTS_MAX]; // ranks
        for (uint32_t i = 0; i < d->points; i++) {
            const uint32_t point = oct_distances_turn_point(edge, s, d->point[i]);
            turned[i] = d->rank[point];
            d->back[s][point] = d->point[i];
        }
        for (uint32_t a = 0; a < d->points; a++) {
            for (uint32_t b = 0; b < d->points; b++) {
                d->slots[s][a][b] =
                    (uint16_t)(packed ? packed_slot(d->boundary, kind, turned[a], turned[b])
                                      : plain_slot(height, d->width, a, b));
            }
        }
    }
}

void oct_distances_lay_out(distances_header *header, const oct_distances_def *def, uint32_t ways)
{
    const uint32_t codes = 1u << def->edge * def->edge;
    const uint32_t pairs = count_pairs(def->edge, def->kind, def->packed);
    *header = (distances_header){
        .byte_order = DISTANCES_BYTE_ORDER,
        .version = DISTANCES_VERSION,
        .edge = def->edge,
        .kind = (uint32_t)def->kind,
        .packed = def->packed,
        .squeeze = def->squeeze,
        .rows = def->packed ? row_counts[def->edge] : codes,
        .pairs = pairs,
        .ways = def->packed ? ways : codes * pairs,
    };
    memcpy(header->magic, DISTANCES_MAGIC, sizeof header->magic);
    const uint64_t sizes[SECTION_COUNT] = {
        [SECTION_CODES] = def->packed ? (uint64_t)codes * sizeof(uint32_t) : 0,
        [SECTION_ENTRIES] = def->packed ? (uint64_t)header->rows * pairs * sizeof(uint16_t) : 0,
        [SECTION_DISTANCES] = (uint64_t)header->ways * sizeof(double),
        [SECTION_BENDS] = (uint64_t)header->ways * sizeof(uint32_t),
    };
    header->size = sizeof *header;
    for (int i = 0; i < SECTION_COUNT; i++) {
        header->at[i] = header->size;
        header->size += (sizes[i] + 7) / 8 * 8;
    }
}

static uint64_t mix_words(uint64_t hash, const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        hash = oct_hash_add(hash, word);
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t oct_distances_checksum(const void *bytes, size_t size)
{
    const size_t at = offsetof(distances_header, checksum), behind = sizeof(distances_header);
    const uint64_t hash = mix_words(UINT64_C(0xcbf29ce484222325), bytes, at);
    return mix_words(hash, (const uint8_t *)bytes + behind, size - behind);
}

// ---- making and opening ----

const char *oct_distances_kind_name(oct_distances_kind kind)
{
    static const char *const names[OCT_DISTANCES_KIND_COUNT] = {
        [OCT_DISTANCES_PLAIN] = "plain",
        [OCT_DISTANCES_SEMI] = "semi",
        [OCT_DISTANCES_FULL] = "full",
    };
    return (uint32_t)kind < OCT_DISTANCES_KIND_COUNT ? names[kind] : NULL;
}

oct_distances_def oct_distances_def_default(void)
{
    return (oct_distances_def){.edge = OCT_DISTANCES_EDGE_MAX,
                               .kind = OCT_DISTANCES_PLAIN,
                               .packed = true,
                               .cookie = DISTANCES_COOKIE};
}

static bool is_edge(uint32_t edge)
{
    return edge >= OCT_DISTANCES_EDGE_MIN && edge <= OCT_DISTANCES_EDGE_MAX;
}

static bool def_is_valid(const oct_distances_def *def)
{
    return def->cookie == DISTANCES_COOKIE && is_edge(def->edge) &&
           (uint32_t)def->kind < OCT_DISTANCES_KIND_COUNT &&
           (!def->executor || (def->executor->run && def->executor->workers > 0));
}

// Takes over the tables of memory that is sound.
static void begin(oct_distances *d, const void *bytes)
{
    const distances_header *const header = bytes;
    const uint8_t *const at = bytes;
    d->header = header;
    d->codes = (const void *)(at + header->at[SECTION_CODES]);
    d->entries = (const void *)(at + header->at[SECTION_ENTRIES]);
    d->distances = (const void *)(at + header->at[SECTION_DISTANCES]);
    d->bends = (const void *)(at + header->at[SECTION_BENDS]);
    oct_distances_set_up(d, header->edge, (oct_distances_kind)header->kind, header->packed);
}

oct_result oct_distances_create(const oct_distances_def *def, oct_distances **out)
{
    *out = NULL;
    if (!def_is_valid(def)) {
        return OCT_ERROR_ARGUMENT;
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_distances *const d = oct_alloc(&allocator, sizeof *d, _Alignof(oct_distances));
    if (!d) {
        return OCT_ERROR_MEMORY;
    }
    oct_distances_def with = *def;
    with.allocator = &allocator;
    void *bytes;
    size_t size;
    const oct_result result = oct_distances_make(&with, &bytes, &size);
    if (result != OCT_OK) {
        oct_free(&allocator, d, sizeof *d);
        return result;
    }
    d->allocator = allocator;
    d->own = bytes;
    begin(d, bytes);
    *out = d;
    return OCT_OK;
}

// A header must be the very one that would be written for what it says it is.
static oct_result check_header(const distances_header *header, size_t count, oct_error *error)
{
    if (count < sizeof *header) {
        return OCT_REFUSE(error, count, "the header ends too early");
    }
    if (memcmp(header->magic, DISTANCES_MAGIC, sizeof header->magic) != 0) {
        return OCT_REFUSE(error, 0, "not a database of distances");
    }
    if (header->byte_order != DISTANCES_BYTE_ORDER) {
        return OCT_REFUSE(error, offsetof(distances_header, byte_order),
                          "made on a machine with another order of bytes");
    }
    if (header->version != DISTANCES_VERSION) {
        return OCT_REFUSE(error, offsetof(distances_header, version),
                          "version %u, but only %u is known", (unsigned)header->version,
                          (unsigned)DISTANCES_VERSION);
    }
    if (!is_edge(header->edge) || header->kind >= OCT_DISTANCES_KIND_COUNT || header->packed > 1 ||
        header->squeeze > 1) {
        return OCT_REFUSE(error, offsetof(distances_header, edge), "of a kind that is not known");
    }
    distances_header expected;
    oct_distances_lay_out(&expected,
                          &(oct_distances_def){.edge = header->edge,
                                               .kind = (oct_distances_kind)header->kind,
                                               .packed = header->packed == 1,
                                               .squeeze = header->squeeze == 1},
                          header->ways);
    expected.checksum = header->checksum;
    if (memcmp(header, &expected, sizeof expected) != 0) {
        return OCT_REFUSE(error, offsetof(distances_header, rows),
                          "the header's sizes do not fit what it is of");
    }
    if (header->size != count) {
        return OCT_REFUSE(error, offsetof(distances_header, size),
                          "%llu bytes were written, but %zu are here",
                          (unsigned long long)header->size, count);
    }
    if (header->checksum != oct_distances_checksum(header, count)) {
        return OCT_REFUSE(error, offsetof(distances_header, checksum),
                          "damaged: the checksum is wrong");
    }
    return OCT_OK;
}

static oct_result check_numbers(const oct_distances *d, oct_error *error)
{
    const distances_header *const header = d->header;
    const uint32_t codes = d->packed ? 1u << d->edge * d->edge : 0;
    for (uint32_t i = 0; i < codes; i++) {
        if (d->codes[i] / SYMMETRIES >= header->rows) {
            return OCT_REFUSE(error, header->at[SECTION_CODES] + i * sizeof *d->codes,
                              "code %u is of no row", (unsigned)i);
        }
    }
    const uint32_t entries = d->packed ? header->rows * header->pairs : 0;
    for (uint32_t i = 0; i < entries; i++) {
        if (d->entries[i] >= header->ways) {
            return OCT_REFUSE(error, header->at[SECTION_ENTRIES] + i * sizeof *d->entries,
                              "entry %u is no way", (unsigned)i);
        }
    }
    return OCT_OK;
}

// Whether a list of bends is one: points inside the block, and nothing behind its end. There cannot
// be more than six of them: two bits are left, and points 0 to 3 are on the boundary.
static bool bends_are_valid(uint32_t bends, uint32_t inside)
{
    for (; bends; bends >>= BEND_BITS) {
        if (!(inside >> (bends & BEND_MASK) & 1u)) {
            return false;
        }
    }
    return true;
}

static oct_result check_ways(const oct_distances *d, oct_error *error)
{
    uint32_t inside = 0;
    for (uint32_t i = d->boundary; i < d->points; i++) {
        inside |= 1u << d->point[i];
    }
    for (uint32_t i = 0; i < d->header->ways; i++) {
        const double distance = d->distances[i];
        if (!(distance == NO_WAY || (distance >= 0.0 && distance < DISTANCE_LIMIT))) {
            return OCT_REFUSE(error, d->header->at[SECTION_DISTANCES] + i * sizeof distance,
                              "the distance of way %u is none", (unsigned)i);
        }
        if (!bends_are_valid(d->bends[i], inside)) {
            return OCT_REFUSE(error, d->header->at[SECTION_BENDS] + i * sizeof *d->bends,
                              "way %u bends where it cannot", (unsigned)i);
        }
    }
    return OCT_OK;
}

oct_result oct_distances_open(const void *bytes, size_t count, const oct_allocator *allocator,
                              oct_distances **out, oct_error *error)
{
    *out = NULL;
    if ((uintptr_t)bytes % 8 != 0) {
        oct_error_set(error, 0, 0, 0, "the bytes must be aligned to 8");
        return OCT_ERROR_ARGUMENT;
    }
    OCT_TRY(check_header(bytes, count, error));
    const oct_allocator memory = oct_allocator_or_default(allocator);
    oct_distances *const d = oct_alloc(&memory, sizeof *d, _Alignof(oct_distances));
    if (!d) {
        oct_error_set(error, 0, 0, 0, "%s", oct_result_text(OCT_ERROR_MEMORY));
        return OCT_ERROR_MEMORY;
    }
    d->allocator = memory;
    d->own = NULL;
    begin(d, bytes);
    oct_result result = check_numbers(d, error);
    result = result == OCT_OK ? check_ways(d, error) : result;
    if (result != OCT_OK) {
        oct_distances_destroy(d);
        return result;
    }
    *out = d;
    return OCT_OK;
}

void oct_distances_destroy(oct_distances *distances)
{
    if (distances) {
        const oct_allocator allocator = distances->allocator;
        oct_free(&allocator, distances->own, distances->own ? (size_t)distances->header->size : 0);
        oct_free(&allocator, distances, sizeof *distances);
    }
}

const void *oct_distances_bytes(const oct_distances *distances, size_t *count)
{
    *count = (size_t)distances->header->size;
    return distances->header;
}

oct_distances_def oct_distances_about(const oct_distances *distances)
{
    const distances_header *const header = distances->header;
    return (oct_distances_def){.edge = header->edge,
                               .kind = (oct_distances_kind)header->kind,
                               .packed = header->packed == 1,
                               .squeeze = header->squeeze == 1,
                               .cookie = DISTANCES_COOKIE};
}

// ---- asking ----

double oct_distances_between(const oct_distances *d, uint32_t code, uint32_t from, uint32_t to)
{
    OCT_ASSERT(code >> d->edge * d->edge == 0 && from < d->points && to < d->points);
    const uint32_t a = d->rank[from], b = d->rank[to];
    if (d->slots[0][a][b] == SLOT_NONE) {
        return NO_WAY;
    }
    return d->distances[distances_way(d, code, a, b)];
}

uint32_t oct_distances_bends(const oct_distances *d, uint32_t code, uint32_t from, uint32_t to,
                             uint8_t out[OCT_DISTANCES_BENDS_MAX])
{
    OCT_ASSERT(oct_distances_between(d, code, from, to) >= 0.0);
    const uint32_t a = d->rank[from], b = d->rank[to];
    const uint32_t s = d->packed ? d->codes[code] % SYMMETRIES : 0;
    uint32_t count = 0;
    for (uint32_t left = d->bends[distances_way(d, code, a, b)]; left; left >>= BEND_BITS) {
        out[count++] = d->back[s][left & BEND_MASK];
    }
    if (d->slots[s][a][b] & SLOT_REVERSED) {
        for (uint32_t i = 0; 2 * i + 1 < count; i++) {
            const uint8_t first = out[i];
            out[i] = out[count - 1 - i];
            out[count - 1 - i] = first;
        }
    }
    return count;
}

OCT_FORCE_INLINE double or_huge(double distance)
{
    return distance < 0.0 ? HUGE_COST : distance;
}

void oct_distances_matrix(const oct_distances *d, uint32_t code,
                          double out[OCT_DISTANCES_BOUNDARY_MAX][OCT_DISTANCES_BOUNDARY_MAX])
{
    OCT_ASSERT(code >> d->edge * d->edge == 0);
    const uint32_t count = d->boundary;
    if (!d->packed) {
        const double *row = d->distances + (size_t)code * d->pairs;
        for (uint32_t i = 0; i < count; i++, row += d->width) {
            for (uint32_t j = 0; j < count; j++) {
                out[i][j] = or_huge(row[j]);
            }
        }
        return;
    }
    const uint32_t image = d->codes[code];
    const uint16_t(*const slots)[OCT_DISTANCES_POINTS_MAX] = d->slots[image % SYMMETRIES];
    const uint16_t *const entries = d->entries + (size_t)(image / SYMMETRIES) * d->pairs;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            const double distance = or_huge(d->distances[entries[slots[i][j] & SLOT_NUMBER]]);
            out[i][j] = distance;
            out[j][i] = distance;
        }
    }
}
