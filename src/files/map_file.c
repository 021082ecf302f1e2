// SPDX-License-Identifier: MIT
// Maps in files: which format a file has, and our own compressed one.
//
// The checksum covers header and compressed bytes, so damage is found before zstd sees it. It keeps
// no enemy out: sizes are limits to check against, and memory grows with what really comes out.
#include "files/files_internal.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "base/hash.h"

#include <zstd.h>

// The largest file that is read, and the largest tree in a map file: 64 million bricks and as many
// blocks, all there can be, fit.
#define FILE_SIZE_MAX (UINT64_C(1) << 32)
#define CONTENT_SIZE_MAX (UINT64_C(1) << 31)

#define ZSTD_LEVEL 3
#define MAP_FILE_VERSION 1

enum { AT_VERSION = 8, AT_FLAGS = 12, AT_CONTENT_SIZE = 16, AT_PACKED_SIZE = 24 };

// The first byte tells text from binary, the line ends find transfers that change them, and the
// control character stops a listing.
#define MAGIC "\x89OCT\r\n\x1a\n"
#define MAGIC_SIZE (sizeof MAGIC - 1)

// ---- small helpers ----

static void store_little(uint8_t *at, uint64_t value, int count)
{
    for (int i = 0; i < count; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

// ---- the checksum ----

// Eight bytes at a time are mixed in by a multiplication and a shift. Each step is one to one, so
// that a change in one place is never lost; the shift lets high bits reach low ones, so that two
// changes do not cancel. The last bytes are filled up with zeros: the header states their number.
static uint64_t mix(uint64_t sum, const uint8_t *data, size_t size)
{
    for (; size >= 8; size -= 8, data += 8) {
        sum = oct_hash_add(sum, oct_load_little(data, 8));
        sum ^= sum >> 32;
    }
    if (size > 0) {
        sum = oct_hash_add(sum, oct_load_little(data, (int)size));
        sum ^= sum >> 32;
    }
    return sum;
}

uint64_t oct_map_file_checksum(const uint8_t *data, size_t size)
{
    OCT_ASSERT(size >= OCT_MAP_FILE_HEADER);
    const uint64_t header = mix(0, data, OCT_MAP_FILE_CHECKSUM);
    return mix(header, data + OCT_MAP_FILE_HEADER, size - OCT_MAP_FILE_HEADER);
}

// ---- map file in ----

// Everything but the content itself; *content is its size.
static oct_result check_header(const uint8_t *data, size_t size, uint64_t *content,
                               oct_error *error)
{
    const size_t magic = size < MAGIC_SIZE ? size : MAGIC_SIZE;
    if (magic == 0 || memcmp(data, MAGIC, magic) != 0) {
        return OCT_REFUSE(error, 0, "not an Octant map file");
    }
    if (size < OCT_MAP_FILE_HEADER) {
        return OCT_REFUSE(error, size, "the file ends inside its header");
    }
    const uint64_t version = oct_load_little(data + AT_VERSION, 4);
    if (version != MAP_FILE_VERSION) {
        return OCT_REFUSE(error, AT_VERSION, "version %llu is not known, only version %d",
                          (unsigned long long)version, MAP_FILE_VERSION);
    }
    if (oct_load_little(data + AT_FLAGS, 4) != 0) {
        return OCT_REFUSE(error, AT_FLAGS, "flags are set that version %d does not have",
                          MAP_FILE_VERSION);
    }
    const uint64_t packed = oct_load_little(data + AT_PACKED_SIZE, 8);
    if (packed != size - OCT_MAP_FILE_HEADER) {
        return OCT_REFUSE(error, AT_PACKED_SIZE, "%llu bytes should follow the header, but %zu do",
                          (unsigned long long)packed, size - OCT_MAP_FILE_HEADER);
    }
    if (oct_load_little(data + OCT_MAP_FILE_CHECKSUM, 8) != oct_map_file_checksum(data, size)) {
        return OCT_REFUSE(error, OCT_MAP_FILE_CHECKSUM,
                          "the file is damaged: its checksum is wrong");
    }
    *content = oct_load_little(data + AT_CONTENT_SIZE, 8);
    if (*content > CONTENT_SIZE_MAX) {
        return OCT_REFUSE(error, AT_CONTENT_SIZE, "%llu bytes of content are more than the limit",
                          (unsigned long long)*content);
    }
    return OCT_OK;
}

// Unpacks one zstd frame of exactly `content` bytes. Memory doubles as bytes come, so that a header
// cannot ask for more than twice what is there.
static oct_result unpack(ZSTD_DCtx *zstd, ZSTD_inBuffer in, uint64_t content,
                         const oct_allocator *allocator, oct_array *out, oct_error *error)
{
    size_t left = 1;
    while (left != 0) {
        if (out->count == out->capacity && out->count < content) {
            const uint64_t doubled = out->capacity ? 2u * (uint64_t)out->capacity : 1u << 16;
            OCT_TRY(oct_array_reserve(out, allocator, 1,
                                      (size_t)(doubled < content ? doubled : content)));
        }
        ZSTD_outBuffer to = {out->items, out->capacity, out->count};
        const size_t read = in.pos;
        left = ZSTD_decompressStream(zstd, &to, &in);
        if (ZSTD_isError(left)) {
            return OCT_REFUSE(error, OCT_MAP_FILE_HEADER + in.pos, "zstd: %s",
                              ZSTD_getErrorName(left));
        }
        if (left != 0 && to.pos == out->count && in.pos == read) {
            return OCT_REFUSE(error, OCT_MAP_FILE_HEADER + in.pos,
                              in.pos == in.size ? "the compressed data end too early"
                                                : "more content than the header says");
        }
        out->count = to.pos;
    }
    if (in.pos != in.size || out->count != content) {
        return OCT_REFUSE(error, OCT_MAP_FILE_HEADER + in.pos,
                          "not one zstd frame of the size that the header says");
    }
    return OCT_OK;
}

oct_result oct_map_file_decode(const void *data, size_t size, const oct_tree_def *def,
                               oct_tree **tree, oct_tree_info *info, oct_error *error)
{
    *tree = NULL;
    uint64_t content;
    OCT_TRY(check_header(data, size, &content, error));
    ZSTD_DCtx *zstd = ZSTD_createDCtx();
    if (!zstd) {
        return oct_io_out_of_memory(error);
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_array bytes = {0};
    const ZSTD_inBuffer in = {(const uint8_t *)data + OCT_MAP_FILE_HEADER,
                              size - OCT_MAP_FILE_HEADER, 0};
    oct_result result = unpack(zstd, in, content, &allocator, &bytes, error);
    ZSTD_freeDCtx(zstd);
    if (result == OCT_OK) {
        result = oct_tree_read(OCT_FORMAT_TREE, bytes.items, bytes.count, def, tree, info, error);
    } else if (result == OCT_ERROR_MEMORY) {
        oct_io_out_of_memory(error);
    }
    oct_array_free(&bytes, &allocator, 1);
    return result;
}

// ---- map file out ----

typedef struct packer {
    ZSTD_CCtx *zstd;
    const oct_allocator *allocator;
    oct_array *out;
    uint64_t content; // bytes taken so far
    oct_result result;
} packer;

static oct_result pack(packer *job, const void *data, size_t size, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        if (job->out->count == job->out->capacity) {
            OCT_TRY(oct_array_reserve(job->out, job->allocator, 1, 2 * job->out->capacity));
        }
        ZSTD_outBuffer to = {job->out->items, job->out->capacity, job->out->count};
        left = ZSTD_compressStream2(job->zstd, &to, &in, directive);
        if (ZSTD_isError(left)) {
            return OCT_ERROR_MEMORY; // the only way in which compressing valid calls can fail
        }
        job->out->count = to.pos;
    } while (in.pos < in.size || (directive == ZSTD_e_end && left != 0));
    job->content += size;
    return OCT_OK;
}

static bool pack_part(void *ctx, const void *data, size_t size)
{
    packer *job = ctx;
    job->result = pack(job, data, size, ZSTD_e_continue);
    return job->result == OCT_OK;
}

static oct_result encode(packer *job, const oct_tree *tree, const oct_tree_info *info,
                         oct_error *error)
{
    oct_array *out = job->out;
    const size_t start = out->count;
    OCT_TRY(oct_array_reserve(out, job->allocator, 1, start + (1u << 16)));
    out->count += OCT_MAP_FILE_HEADER;
    ZSTD_CCtx_setParameter(job->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    const oct_result result = oct_tree_write(OCT_FORMAT_TREE, tree, info, pack_part, job, error);
    if (result != OCT_OK) {
        return job->result != OCT_OK ? job->result : result;
    }
    OCT_TRY(pack(job, NULL, 0, ZSTD_e_end));

    uint8_t *header = (uint8_t *)out->items + start;
    const size_t size = out->count - start;
    memcpy(header, MAGIC, MAGIC_SIZE);
    store_little(header + AT_VERSION, MAP_FILE_VERSION, 4);
    store_little(header + AT_FLAGS, 0, 4);
    store_little(header + AT_CONTENT_SIZE, job->content, 8);
    store_little(header + AT_PACKED_SIZE, size - OCT_MAP_FILE_HEADER, 8);
    store_little(header + OCT_MAP_FILE_CHECKSUM, oct_map_file_checksum(header, size), 8);
    return OCT_OK;
}

oct_result oct_map_file_encode(const oct_tree *tree, const oct_tree_info *info,
                               const oct_allocator *allocator, oct_array *out, oct_error *error)
{
    const size_t start = out->count;
    packer job = {ZSTD_createCCtx(), allocator, out, 0, OCT_OK};
    const oct_result result = job.zstd ? encode(&job, tree, info, error) : OCT_ERROR_MEMORY;
    ZSTD_freeCCtx(job.zstd);
    if (result != OCT_OK) {
        out->count = start;
    }
    return result == OCT_ERROR_MEMORY ? oct_io_out_of_memory(error) : result;
}

// ---- kinds of maps ----

typedef struct map_kind {
    const char *name; // the extension without its dot
    oct_format format;
    const char *starts[2]; // what its files begin with
} map_kind;

// The map file comes first: it is the one that the library does not read by itself.
static const map_kind kinds[] = {
    {"octant", OCT_FORMAT_TREE, {MAGIC, NULL}},
    {"3dmap", OCT_FORMAT_3DMAP, {"voxel ", "rev_voxel "}},
    {"map", OCT_FORMAT_MAP, {"type ", NULL}},
    {"bt", OCT_FORMAT_BT, {"# Octomap OcTree", NULL}},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static const map_kind *kind_by_path(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    for (size_t i = 0; dot && i < KIND_COUNT; i++) {
        if (strcmp(dot + 1, kinds[i].name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static const map_kind *kind_by_start(const oct_array *file)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        for (size_t j = 0; j < 2 && kinds[i].starts[j]; j++) {
            const size_t size = strlen(kinds[i].starts[j]);
            if (file->count >= size && memcmp(file->items, kinds[i].starts[j], size) == 0) {
                return &kinds[i];
            }
        }
    }
    return NULL;
}

const char *oct_map_kind(const char *path)
{
    const map_kind *kind = kind_by_path(path);
    return kind ? kind->name : NULL;
}

// ---- files in ----

static oct_result parse(const char *path, const oct_array *file, const oct_tree_def *def,
                        oct_tree **tree, oct_tree_info *info, const char **kind, oct_error *error)
{
    if (file->count == 0) {
        return OCT_REFUSE(error, 0, "the file is empty");
    }
    const map_kind *found = kind_by_start(file);
    found = found ? found : kind_by_path(path);
    if (!found) {
        return OCT_REFUSE(error, 0, "not a map: neither its name nor its first bytes are known");
    }
    if (kind) {
        *kind = found->name;
    }
    return found == &kinds[0]
               ? oct_map_file_decode(file->items, file->count, def, tree, info, error)
               : oct_tree_read(found->format, file->items, file->count, def, tree, info, error);
}

oct_result oct_tree_load(const char *path, const oct_tree_def *def, oct_tree **tree,
                         oct_tree_info *info, const char **kind, oct_error *error)
{
    *tree = NULL;
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_array file = {0};
    oct_result result = oct_file_read(path, FILE_SIZE_MAX, &allocator, &file, error);
    if (result == OCT_OK) {
        result = parse(path, &file, def, tree, info, kind, error);
    }
    oct_array_free(&file, &allocator, 1);
    return result;
}

// ---- files out ----

typedef struct map_job {
    const map_kind *kind;
    const oct_tree *tree;
    const oct_tree_info *info;
} map_job;

static oct_result write_map(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const map_job *job = ctx;
    if (job->kind != &kinds[0]) {
        return oct_tree_write(job->kind->format, job->tree, job->info, write, file, error);
    }
    const oct_allocator allocator = oct_allocator_default();
    oct_array bytes = {0};
    oct_result result = oct_map_file_encode(job->tree, job->info, &allocator, &bytes, error);
    if (result == OCT_OK && !write(file, bytes.items, bytes.count)) {
        result = OCT_ERROR_FILE;
    }
    oct_array_free(&bytes, &allocator, 1);
    return result;
}

oct_result oct_tree_save(const char *path, const oct_tree *tree, const oct_tree_info *info,
                         uint64_t *size, oct_error *error)
{
    map_job job = {kind_by_path(path), tree, info};
    if (!job.kind) {
        oct_error_set(error, 0, 0, 0, "maps are written as .octant, .3dmap, .map or .bt");
        return OCT_ERROR_ARGUMENT;
    }
    return oct_file_replace(path, write_map, &job, size, error);
}
