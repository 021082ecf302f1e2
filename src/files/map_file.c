// SPDX-License-Identifier: MIT
// Maps in files: which format a file has, and our own compressed one.
//
// The checksum covers header and compressed bytes, so damage is found before zstd sees it. It keeps
// no enemy out: what zstd gives is read piece by piece, so that memory is taken for the tree that
// comes out, and for nothing that is refused.
#include "files/files_internal.h"
#include "octant/formats.h"
#include "octant/tree.h"

#include "base/hash.h"
#include "octree/formats_internal.h"

#include <zstd.h>

// The largest file that is read: of our own, and of the others, which are text, or small. The
// largest tree in a map file: 64 million bricks and as many blocks, all there can be, fit.
#define FILE_SIZE_MAX (UINT64_C(1) << 32)
#define OTHER_SIZE_MAX (UINT64_C(1) << 30)
#define CONTENT_SIZE_MAX (UINT64_C(1) << 31)

// What is read of a file to tell its format.
#define START_SIZE 4096

// Bytes that zstd gives at a time, and the largest window that it may look back into: files are
// written with one of 2 MiB.
#define PIECE_SIZE ((size_t)1 << 14)
#define WINDOW_LOG_MAX 23

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

// One zstd frame of exactly `content` bytes, as it is unpacked.
typedef struct unpacker {
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer in;
    uint64_t content; // bytes that the header says
    uint64_t count;   // bytes so far
    bool has_ended;
    uint8_t piece[PIECE_SIZE];
} unpacker;

// Nothing may follow the frame, and nothing may be missing.
static oct_result check_end(const unpacker *u, oct_error *error)
{
    return u->in.pos == u->in.size && u->count == u->content
               ? OCT_OK
               : OCT_REFUSE(error, OCT_MAP_FILE_HEADER + u->in.pos,
                            "not one zstd frame of the size that the header says");
}

static oct_result unpack_more(void *ctx, input *here, oct_error *error)
{
    unpacker *const u = ctx;
    OCT_ASSERT(here->size < sizeof u->piece);
    memmove(u->piece, here->data, here->size);
    ZSTD_outBuffer to = {u->piece, sizeof u->piece, here->size};
    while (to.pos == here->size && !u->has_ended) {
        const size_t read = u->in.pos;
        const size_t left = ZSTD_decompressStream(u->zstd, &to, &u->in);
        if (ZSTD_isError(left)) {
            return OCT_REFUSE(error, OCT_MAP_FILE_HEADER + u->in.pos, "zstd: %s",
                              ZSTD_getErrorName(left));
        }
        if (left != 0 && to.pos == here->size && u->in.pos == read) {
            return OCT_REFUSE(error, OCT_MAP_FILE_HEADER + u->in.pos,
                              "the compressed data end too early");
        }
        u->has_ended = left == 0;
    }
    u->count += to.pos - here->size;
    if (u->count > u->content) {
        return OCT_REFUSE(error, OCT_MAP_FILE_HEADER + u->in.pos,
                          "more content than the header says");
    }
    *here = (input){u->piece, to.pos};
    return u->has_ended ? check_end(u, error) : OCT_OK;
}

oct_result oct_map_file_decode(const void *data, size_t size, const oct_tree_def *def,
                               oct_tree **tree, oct_tree_info *info, oct_error *error)
{
    *tree = NULL;
    uint64_t content;
    OCT_TRY(check_header(data, size, &content, error));
    unpacker u = {
        .zstd = ZSTD_createDCtx(),
        .in = {(const uint8_t *)data + OCT_MAP_FILE_HEADER, size - OCT_MAP_FILE_HEADER, 0},
        .content = content};
    if (!u.zstd) {
        return oct_io_out_of_memory(error);
    }
    ZSTD_DCtx_setParameter(u.zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    const oct_result result = oct_tree_read_pieces(unpack_more, &u, def, tree, info, error);
    ZSTD_freeDCtx(u.zstd);
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

// Which format a file has, by its first bytes, or by its name; NULL where it is refused.
static const map_kind *find_kind(const char *path, const oct_array *start, oct_error *error)
{
    if (start->count == 0) {
        (void)OCT_REFUSE(error, 0, "the file is empty");
        return NULL;
    }
    const map_kind *found = kind_by_start(start);
    found = found ? found : kind_by_path(path);
    if (!found) {
        (void)OCT_REFUSE(error, 0, "not a map: neither its name nor its first bytes are known");
    }
    return found;
}

static oct_result parse(const map_kind *kind, const oct_array *file, const oct_tree_def *def,
                        oct_tree **tree, oct_tree_info *info, oct_error *error)
{
    return kind == &kinds[0]
               ? oct_map_file_decode(file->items, file->count, def, tree, info, error)
               : oct_tree_read(kind->format, file->items, file->count, def, tree, info, error);
}

// Whether the first bytes are those of the kind's files. Where they are not, the reader refuses
// them, and need not see the rest.
static bool starts_right(const map_kind *kind, const oct_array *start)
{
    bool is_right = false;
    for (size_t i = 0; i < 2 && kind->starts[i]; i++) {
        // Another blank may follow the first word of a text.
        const size_t size = strlen(kind->starts[i]) - (kind->format != OCT_FORMAT_TREE);
        is_right =
            is_right || (start->count >= size && memcmp(start->items, kind->starts[i], size) == 0);
    }
    return is_right;
}

// The first bytes of a file: all of one that is no longer.
static oct_result read_start(oct_file *file, const oct_allocator *allocator, oct_array *out,
                             oct_error *error)
{
    size_t got = 1;
    if (oct_array_reserve(out, allocator, 1, START_SIZE) != OCT_OK) {
        return oct_io_out_of_memory(error);
    }
    while (got > 0 && out->count < START_SIZE) {
        OCT_TRY(oct_file_next(file, (uint8_t *)out->items + out->count, START_SIZE - out->count,
                              &got, error));
        out->count += got;
    }
    return OCT_OK;
}

static oct_result load(const char *path, oct_file *file, oct_array *bytes,
                       const oct_allocator *allocator, const map_kind **kind, oct_error *error)
{
    OCT_TRY(read_start(file, allocator, bytes, error));
    *kind = find_kind(path, bytes, error);
    if (!*kind) {
        return OCT_ERROR_FORMAT;
    }
    if (!starts_right(*kind, bytes)) {
        return OCT_OK;
    }
    // A pipe has no size: it ends, or it is refused, with what is read of it.
    file->largest = *kind == &kinds[0] && file->size > 0 ? FILE_SIZE_MAX : OTHER_SIZE_MAX;
    if (file->size > file->largest) {
        return OCT_REFUSE(error, 0, "a .%s file has at most 1 GiB", (*kind)->name);
    }
    return oct_file_rest(file, allocator, bytes, error);
}

oct_result oct_tree_load(const char *path, const oct_tree_def *def, oct_tree **tree,
                         oct_tree_info *info, const char **kind, oct_error *error)
{
    *tree = NULL;
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    const map_kind *found = NULL;
    oct_array bytes = {0};
    oct_file file;
    OCT_TRY(oct_file_open(path, FILE_SIZE_MAX, &file, error));
    oct_result result = load(path, &file, &bytes, &allocator, &found, error);
    oct_file_close(&file);
    if (result == OCT_OK) {
        if (kind) {
            *kind = found->name;
        }
        result = parse(found, &bytes, def, tree, info, error);
    }
    oct_array_free(&bytes, &allocator, 1);
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

static oct_result write_boxes(void *ctx, oct_write_fn *write, void *file, oct_error *error)
{
    const map_job *job = ctx;
    const oct_result result = oct_mesh_write_boxes(job->tree, job->info->box, write, file);
    if (result == OCT_ERROR_ARGUMENT) {
        oct_error_set(error, 0, 0, 0, "only maps of three dimensions are written as .obj");
    }
    return result;
}

oct_result oct_tree_save(const char *path, const oct_tree *tree, const oct_tree_info *info,
                         uint64_t *size, oct_error *error)
{
    map_job job = {kind_by_path(path), tree, info};
    const char *const mesh = oct_mesh_kind(path);
    if (!job.kind && mesh && strcmp(mesh, "obj") == 0) {
        return oct_file_replace(path, write_boxes, &job, size, error);
    }
    if (!job.kind) {
        oct_error_set(error, 0, 0, 0, "maps are written as .octant, .3dmap, .map, .bt or .obj");
        return OCT_ERROR_ARGUMENT;
    }
    return oct_file_replace(path, write_map, &job, size, error);
}
