// SPDX-License-Identifier: MIT
// Maps in files: which format a file has, our own compressed one, and replacing a file at once.
//
// The checksum covers header and compressed bytes, so damage is found before zstd sees it. It keeps
// no enemy out: sizes are limits to check against, and memory grows with what really comes out.

// For fsync, fchmod, realpath and the like.
#define _XOPEN_SOURCE 700

#include "io/io_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

static oct_result out_of_memory(oct_error *error)
{
    oct_error_set(error, 0, 0, 0, "%s", oct_result_text(OCT_ERROR_MEMORY));
    return OCT_ERROR_MEMORY;
}

// What the operating system refused, and why.
static oct_result system_error(oct_error *error, const char *what, int code)
{
    char why[96];
    if (strerror_r(code, why, sizeof why) != 0) {
        snprintf(why, sizeof why, "error %d", code);
    }
    oct_error_set(error, 0, 0, 0, "%s: %s", what, why);
    return OCT_ERROR_FILE;
}

// ---- the checksum ----

// Eight bytes at a time are mixed in by a multiplication and a shift. Each step is one to one, so
// that a change in one place is never lost; the shift lets high bits reach low ones, so that two
// changes do not cancel. The last bytes are filled up with zeros: the header states their number.
static uint64_t mix(uint64_t sum, const uint8_t *data, size_t size)
{
    for (; size >= 8; size -= 8, data += 8) {
        sum = (sum ^ oct_load_little(data, 8)) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    if (size > 0) {
        sum = (sum ^ oct_load_little(data, (int)size)) * UINT64_C(0x9e3779b97f4a7c15);
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
                               oct_tree **tree, oct_map_info *info, oct_error *error)
{
    *tree = NULL;
    uint64_t content;
    OCT_TRY(check_header(data, size, &content, error));
    ZSTD_DCtx *zstd = ZSTD_createDCtx();
    if (!zstd) {
        return out_of_memory(error);
    }
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_array bytes = {0};
    const ZSTD_inBuffer in = {(const uint8_t *)data + OCT_MAP_FILE_HEADER,
                              size - OCT_MAP_FILE_HEADER, 0};
    oct_result result = unpack(zstd, in, content, &allocator, &bytes, error);
    ZSTD_freeDCtx(zstd);
    if (result == OCT_OK) {
        result = oct_map_read(OCT_FORMAT_TREE, bytes.items, bytes.count, def, tree, info, error);
    } else if (result == OCT_ERROR_MEMORY) {
        out_of_memory(error);
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

static oct_result encode(packer *job, const oct_tree *tree, const oct_map_info *info,
                         oct_error *error)
{
    oct_array *out = job->out;
    const size_t start = out->count;
    OCT_TRY(oct_array_reserve(out, job->allocator, 1, start + (1u << 16)));
    out->count += OCT_MAP_FILE_HEADER;
    ZSTD_CCtx_setParameter(job->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    const oct_result result = oct_map_write(OCT_FORMAT_TREE, tree, info, pack_part, job, error);
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

oct_result oct_map_file_encode(const oct_tree *tree, const oct_map_info *info,
                               const oct_allocator *allocator, oct_array *out, oct_error *error)
{
    const size_t start = out->count;
    packer job = {ZSTD_createCCtx(), allocator, out, 0, OCT_OK};
    const oct_result result = job.zstd ? encode(&job, tree, info, error) : OCT_ERROR_MEMORY;
    ZSTD_freeCCtx(job.zstd);
    if (result != OCT_OK) {
        out->count = start;
    }
    return result == OCT_ERROR_MEMORY ? out_of_memory(error) : result;
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

static oct_result too_large(oct_error *error)
{
    oct_error_set(error, 0, 0, 0, "the file is larger than 4 GiB");
    return OCT_ERROR_FILE;
}

static oct_result read_all(int fd, const oct_allocator *allocator, oct_array *out, oct_error *error)
{
    for (;;) {
        if (out->count == out->capacity && oct_array_grow(out, allocator, 1) != OCT_OK) {
            return out_of_memory(error);
        }
        const ssize_t got =
            read(fd, (uint8_t *)out->items + out->count, out->capacity - out->count);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return system_error(error, "cannot read", errno);
        }
        if (got == 0) {
            return OCT_OK;
        }
        out->count += (size_t)got;
        if (out->count > FILE_SIZE_MAX) {
            return too_large(error);
        }
    }
}

static oct_result read_file(const char *path, const oct_allocator *allocator, oct_array *out,
                            oct_error *error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return system_error(error, "cannot open", errno);
    }
    struct stat about;
    oct_result result = OCT_OK;
    if (fstat(fd, &about) != 0) {
        result = system_error(error, "cannot read", errno);
    } else if (S_ISDIR(about.st_mode)) {
        result = system_error(error, "cannot read", EISDIR);
    } else if (about.st_size > (off_t)FILE_SIZE_MAX) {
        result = too_large(error);
    } else if (about.st_size > 0 &&
               oct_array_reserve(out, allocator, 1, (size_t)about.st_size + 1u) != OCT_OK) {
        result = out_of_memory(error);
    } else {
        result = read_all(fd, allocator, out, error);
    }
    close(fd);
    return result;
}

static oct_result parse(const char *path, const oct_array *file, const oct_tree_def *def,
                        oct_tree **tree, oct_map_info *info, const char **kind, oct_error *error)
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
               : oct_map_read(found->format, file->items, file->count, def, tree, info, error);
}

oct_result oct_map_load(const char *path, const oct_tree_def *def, oct_tree **tree,
                        oct_map_info *info, const char **kind, oct_error *error)
{
    *tree = NULL;
    const oct_allocator allocator = oct_allocator_or_default(def->allocator);
    oct_array file = {0};
    oct_result result = read_file(path, &allocator, &file, error);
    if (result == OCT_OK) {
        result = parse(path, &file, def, tree, info, kind, error);
    }
    oct_array_free(&file, &allocator, 1);
    return result;
}

// ---- files out ----

// A file in the making, beside the one that it will replace.
typedef struct draft {
    char *target;    // with links followed
    char *temporary; // NULL where there is none
    int fd;
    uint64_t size;
    int code; // errno of a write that failed, or 0
} draft;

static oct_result draft_open_beside(draft *file, mode_t mode, oct_error *error)
{
    const size_t room = strlen(file->target) + sizeof ".tmp99";
    char *name = malloc(room);
    if (!name) {
        return out_of_memory(error);
    }
    // A number is taken where a crash, or another writer, left a file behind.
    for (int number = 0; number < 100 && file->fd < 0; number++) {
        snprintf(name, room, "%s.tmp%d", file->target, number);
        file->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file->fd < 0 && errno != EEXIST) {
            break;
        }
    }
    if (file->fd < 0) {
        const int code = errno;
        free(name);
        return system_error(error, "cannot create a file beside it", code);
    }
    file->temporary = name;
    return OCT_OK;
}

static oct_result draft_open(draft *file, const char *path, oct_error *error)
{
    *file = (draft){.fd = -1};
    struct stat old;
    const bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        oct_error_set(error, 0, 0, 0, "cannot replace what is not a regular file");
        return OCT_ERROR_FILE;
    }
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (!file->target) {
        return system_error(error, "cannot find the file", errno);
    }
    const oct_result result = draft_open_beside(file, 0666, error);
    if (result == OCT_OK && exists) {
        fchmod(file->fd, old.st_mode & 07777);
    }
    return result;
}

static bool draft_write(void *ctx, const void *data, size_t size)
{
    draft *file = ctx;
    const uint8_t *at = data;
    while (size > 0) {
        const ssize_t put = write(file->fd, at, size);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            file->code = errno;
            return false;
        }
        at += put;
        size -= (size_t)put;
        file->size += (uint64_t)put;
    }
    return true;
}

// The bytes must be on the disk before the name points to them.
static oct_result draft_publish(draft *file, oct_error *error)
{
    if (fsync(file->fd) != 0) {
        return system_error(error, "cannot write", errno);
    }
    const int closed = close(file->fd);
    file->fd = -1;
    if (closed != 0 || rename(file->temporary, file->target) != 0) {
        return system_error(error, "cannot replace the file", errno);
    }
    free(file->temporary);
    file->temporary = NULL;
    return OCT_OK;
}

// Frees everything and removes what was not published.
static void draft_close(draft *file)
{
    if (file->fd >= 0) {
        close(file->fd);
    }
    if (file->temporary) {
        unlink(file->temporary);
    }
    free(file->temporary);
    free(file->target);
}

static oct_result write_map_file(draft *file, const oct_tree *tree, const oct_map_info *info,
                                 oct_error *error)
{
    const oct_allocator allocator = oct_allocator_default();
    oct_array bytes = {0};
    oct_result result = oct_map_file_encode(tree, info, &allocator, &bytes, error);
    if (result == OCT_OK && !draft_write(file, bytes.items, bytes.count)) {
        result = OCT_ERROR_FILE;
    }
    oct_array_free(&bytes, &allocator, 1);
    return result;
}

oct_result oct_map_save(const char *path, const oct_tree *tree, const oct_map_info *info,
                        uint64_t *size, oct_error *error)
{
    const map_kind *kind = kind_by_path(path);
    if (!kind) {
        oct_error_set(error, 0, 0, 0, "maps are written as .octant, .3dmap, .map or .bt");
        return OCT_ERROR_ARGUMENT;
    }
    draft file;
    oct_result result = draft_open(&file, path, error);
    if (result == OCT_OK) {
        result = kind == &kinds[0]
                     ? write_map_file(&file, tree, info, error)
                     : oct_map_write(kind->format, tree, info, draft_write, &file, error);
        if (file.code != 0) {
            result = system_error(error, "cannot write", file.code);
        }
    }
    if (result == OCT_OK) {
        result = draft_publish(&file, error);
    }
    if (result == OCT_OK && size) {
        *size = file.size;
    }
    draft_close(&file);
    return result;
}
