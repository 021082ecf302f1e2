// SPDX-License-Identifier: MIT
// The reader of Lab Recruits levels: sheets between '|', rows, cells between ',', parts between
// ':'. The game counts the cells of a sheet through, so that a row of another length shifts all
// that follows; so does this reader.
#include "world/recruits_level.h"

#include "base/print.h"
#include "base/text.h"
#include "base/words.h"

// A stretch of the file.
typedef struct span {
    const char *at, *end;
} span;

typedef struct reader {
    oct_recruits_level *level;
    recruits_warnings warnings;
    oct_error *error;
    uint32_t line, cell; // where it is
} reader;

// ---- symbols ----

typedef struct symbol {
    char word[5];
    uint8_t kind;
    bool is_open;
} symbol;

static const symbol symbols[] = {
    {"w", OCT_RECRUITS_WALL, false},      {"f", OCT_RECRUITS_FLOOR, false},
    {"a", OCT_RECRUITS_AGENT, false},     {"g", OCT_RECRUITS_FLAG, false},
    {"d", OCT_RECRUITS_DOOR, false},      {"b", OCT_RECRUITS_BUTTON, false},
    {"t", OCT_RECRUITS_TABLE, false},     {"p2", OCT_RECRUITS_DESK, false},
    {"p3", OCT_RECRUITS_FUSE_BOX, false}, {"npc", OCT_RECRUITS_NPC, false},
    {"npc3", OCT_RECRUITS_NPC, false},    {"npc5", OCT_RECRUITS_NPC, false},
    {"ng", OCT_RECRUITS_WAYPOINT, false}, {"r", OCT_RECRUITS_RAMP, false},
    {"cs", OCT_RECRUITS_SCREEN, false},   {"cb", OCT_RECRUITS_COLOUR_BUTTON, false},
    {"c", OCT_RECRUITS_CHAIR, false},     {"wf", OCT_RECRUITS_WALL, false},
    {"bc", OCT_RECRUITS_BOOKCASE, false}, {"ce", OCT_RECRUITS_WALL, false},
    {"cl", OCT_RECRUITS_WALL, false},     {"dhf", OCT_RECRUITS_FIRE, false},
    {"dhn", OCT_RECRUITS_FIRE, false},    {"od", OCT_RECRUITS_DOOR, true},
    {"m", OCT_RECRUITS_ENEMY, false}};

static bool span_is(span s, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(s.end - s.at) == length && memcmp(s.at, word, length) == 0;
}

static const symbol *find_symbol(span s)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (span_is(s, symbols[i].word)) {
            return &symbols[i];
        }
    }
    return NULL;
}

const char *oct_recruits_kind_name(oct_recruits_kind kind)
{
    static const char *const names[OCT_RECRUITS_KIND_COUNT] = {
        "floor",     "wall",   "ramp",  "agent", "button",   "colour button",
        "door",      "screen", "flag",  "fire",  "enemy",    "npc",
        "way-point", "chair",  "table", "desk",  "fuse box", "bookcase"};
    return (uint32_t)kind < OCT_RECRUITS_KIND_COUNT ? names[kind] : NULL;
}

// ---- telling ----

void oct_recruits_warn(recruits_warnings *to, uint32_t line, uint32_t cell, const char *format, ...)
{
    char message[400];
    va_list values;
    if (to->count > OCT_RECRUITS_WARNINGS_MAX || !to->how.warn) {
        return;
    }
    if (++to->count > OCT_RECRUITS_WARNINGS_MAX) {
        to->how.warn(to->how.ctx, 0, 0, "there is more of this kind");
        return;
    }
    va_start(values, format);
    (void)oct_vsnprintf(message, sizeof message, format, values);
    va_end(values);
    to->how.warn(to->how.ctx, line, cell, message);
}

static oct_result refuse(reader *r, const char *what)
{
    oct_error_set(r->error, 0, r->line, r->cell, "%s", what);
    return OCT_ERROR_RANGE;
}

// What stands in the file, as it can be shown.
typedef struct shown {
    char text[64];
} shown;

static shown show(span s)
{
    shown out;
    char raw[200];
    size_t length = (size_t)(s.end - s.at);
    length = length < sizeof raw ? length : sizeof raw - 1;
    memcpy(raw, s.at, length);
    raw[length] = '\0';
    oct_words_copy(raw, out.text, sizeof out.text);
    return out;
}

// ---- stretches ----

static span trim(span s)
{
    while (s.at < s.end && text_is_space(*s.at)) {
        s.at++;
    }
    while (s.end > s.at && text_is_space(s.end[-1])) {
        s.end--;
    }
    return s;
}

// Takes off what stands before a mark, or all where there is none; false where nothing is left.
static bool take_until(span *rest, char mark, span *out)
{
    if (!rest->at) {
        return false;
    }
    const char *const end = memchr(rest->at, mark, (size_t)(rest->end - rest->at));
    *out = (span){rest->at, end ? end : rest->end};
    rest->at = end ? end + 1 : NULL;
    return true;
}

// The next row that is not empty.
static bool take_row(reader *r, span *rest, span *out)
{
    while (take_until(rest, '\n', out)) {
        r->line++;
        if (out->end > out->at && out->end[-1] == '\r') {
            out->end--;
        }
        if (out->end > out->at) {
            return true;
        }
    }
    return false;
}

// Cuts off what follows a mark.
static bool cut_at(span *s, char mark, span *tail)
{
    const char *const at = memchr(s->at, mark, (size_t)(s->end - s->at));
    if (!at) {
        return false;
    }
    *tail = trim((span){at + 1, s->end});
    *s = trim((span){s->at, at});
    return true;
}

static oct_result copy(reader *r, span s, const char **out)
{
    const size_t length = (size_t)(s.end - s.at);
    if (length > OCT_RECRUITS_NAME_MAX) {
        return refuse(r, "a name has at most 200 bytes");
    }
    char *const name = oct_arena_alloc(&r->level->texts, length + 1, 1);
    if (!name) {
        return OCT_ERROR_MEMORY;
    }
    memcpy(name, s.at, length);
    name[length] = '\0';
    *out = name;
    return OCT_OK;
}

// ---- parts ----

static bool digit_of(char c, uint32_t *out)
{
    const char lower = (char)(c | 0x20);
    *out = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : (uint32_t)(lower - 'a') + 10u;
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f');
}

static void read_colour(reader *r, span s, oct_recruits_part *part)
{
    const size_t length = (size_t)(s.end - s.at);
    bool is_fine = length == 6 || length == 8;
    for (size_t i = 0; is_fine && i < length; i++) {
        uint32_t digit;
        is_fine = digit_of(s.at[i], &digit);
        if (is_fine && i < 6) {
            part->colour[i / 2] = (uint8_t)(part->colour[i / 2] * 16u + digit);
        }
    }
    part->has_colour = is_fine;
    if (!is_fine) {
        memset(part->colour, 0, sizeof part->colour);
        oct_recruits_warn(&r->warnings, r->line, r->cell,
                          "'#%s' is no colour: six digits or a to f; it is left out", show(s).text);
    }
}

static void read_turn(reader *r, span s, oct_recruits_part *part)
{
    static const char letters[] = "wsen";
    const char *const at = s.at < s.end ? strchr(letters, *s.at) : NULL;
    if (at && *at) {
        part->turn = (uint8_t)(at - letters);
    } else {
        oct_recruits_warn(&r->warnings, r->line, r->cell,
                          "'>%s' is none of >w >s >e >n; w is taken", show(s).text);
    }
}

// `p` is a symbol of the game for which it has nothing to show.
static void warn_unknown(reader *r, span word)
{
    oct_recruits_warn(&r->warnings, r->line, r->cell,
                      span_is(word, "p") ? "the game has no object for '%s'; it is left out"
                                         : "there is no symbol '%s'; it is left out",
                      show(word).text);
}

static oct_result read_part(reader *r, span s, oct_recruits_part *part)
{
    span id, colour, turn;
    s = trim(s);
    if (s.at == s.end) {
        return OCT_OK;
    }
    const bool has_id = cut_at(&s, '^', &id);
    const bool has_colour = cut_at(&s, '#', &colour);
    const bool has_turn = cut_at(&s, '>', &turn);
    const symbol *const found = find_symbol(s);
    if (!found) {
        warn_unknown(r, s);
        return OCT_OK;
    }
    part->id = "";
    part->kind = (oct_recruits_kind)found->kind;
    part->is_open = found->is_open;
    part->line = r->line;
    part->cell = r->cell;
    if (has_id) {
        OCT_TRY(copy(r, id, &part->id));
    }
    if (has_colour) {
        read_colour(r, colour, part);
    }
    if (has_turn) {
        read_turn(r, turn, part);
    }
    if (r->level->parts.count == OCT_RECRUITS_PARTS_MAX) {
        return refuse(r, "a level has at most 4194304 parts");
    }
    return oct_array_push(&r->level->parts, &r->level->allocator, sizeof *part, part);
}

static oct_result read_cell(reader *r, span cell, uint32_t sheet, uint32_t place)
{
    span s;
    while (take_until(&cell, ':', &s)) {
        oct_recruits_part part = {
            .x = place % r->level->width, .y = sheet, .z = place / r->level->width};
        OCT_TRY(read_part(r, s, &part));
    }
    return OCT_OK;
}

// ---- sheets ----

static uint32_t count_cells(span row)
{
    uint32_t count = 1;
    for (const char *at = row.at; at < row.end; at++) {
        count += *at == ',';
    }
    return count;
}

static oct_result check_size(reader *r, uint32_t sheet, uint32_t place)
{
    oct_recruits_level *const level = r->level;
    const uint32_t row = place / level->width;
    if (row >= OCT_RECRUITS_DEPTH_MAX) {
        return refuse(r, "a sheet has at most 4096 rows");
    }
    level->depth = row + 1 > level->depth ? row + 1 : level->depth;
    level->sheets = sheet + 1;
    return (uint64_t)level->width * level->depth * level->sheets > OCT_RECRUITS_CELLS_MAX
               ? refuse(r, "a level has at most 4194304 cells")
               : OCT_OK;
}

static oct_result read_row(reader *r, span row, uint32_t sheet, uint32_t *place)
{
    oct_recruits_level *const level = r->level;
    const uint32_t cells = count_cells(row);
    r->cell = 0;
    if (level->width == 0) {
        if (cells > OCT_RECRUITS_WIDTH_MAX) {
            return refuse(r, "a row has at most 4096 cells");
        }
        level->width = cells;
    }
    if (cells != level->width) {
        oct_recruits_warn(&r->warnings, r->line, 0,
                          "the row has %lu cells, the first one %lu: all that follows in this "
                          "sheet is shifted",
                          (unsigned long)cells, (unsigned long)level->width);
    }
    for (span cell; take_until(&row, ',', &cell);) {
        r->cell++;
        OCT_TRY(check_size(r, sheet, *place));
        OCT_TRY(read_cell(r, cell, sheet, (*place)++));
    }
    return OCT_OK;
}

// ---- links ----

static oct_result read_link_row(reader *r, span row)
{
    oct_recruits_link link = {.source = OCT_RECRUITS_NONE, .target = OCT_RECRUITS_NONE};
    bool has_source = false, has_target = false;
    r->cell = 0;
    for (span cell; take_until(&row, ',', &cell);) {
        r->cell++;
        cell = trim(cell);
        if (cell.at == cell.end) {
            continue;
        }
        if (r->cell == 1) {
            OCT_TRY(copy(r, cell, &link.source_id));
            has_source = true;
            continue;
        }
        has_target = true;
        if (!has_source) {
            continue;
        }
        link.line = r->line;
        link.cell = r->cell;
        OCT_TRY(copy(r, cell, &link.target_id));
        if (r->level->links.count == OCT_RECRUITS_LINKS_MAX) {
            return refuse(r, "a level has at most 1048576 links");
        }
        OCT_TRY(oct_array_push(&r->level->links, &r->level->allocator, sizeof link, &link));
    }
    if (has_target && !has_source) {
        oct_recruits_warn(&r->warnings, r->line, 1, "the row of links names no source");
    }
    return OCT_OK;
}

// The first piece holds links where its first cell is neither empty nor a symbol.
static bool has_links(span piece)
{
    span row, cell, part, tail;
    do {
        if (!take_until(&piece, '\n', &row)) {
            return false;
        }
        row = trim(row);
    } while (row.at == row.end);
    (void)take_until(&row, ',', &cell);
    (void)take_until(&cell, ':', &part);
    part = trim(part);
    (void)cut_at(&part, '^', &tail);
    (void)cut_at(&part, '#', &tail);
    (void)cut_at(&part, '>', &tail);
    return part.at < part.end && !find_symbol(part);
}

// ---- the whole ----

static bool has_rows(span piece)
{
    for (const char *at = piece.at; at < piece.end; at++) {
        if (*at != '\n' && *at != '\r') {
            return true;
        }
    }
    return false;
}

static oct_result read_piece(reader *r, span piece, bool is_links, uint32_t sheet)
{
    uint32_t place = 0;
    // A row that stands on the line of a '|' is on the line of the piece before it.
    r->line--;
    for (span row; take_row(r, &piece, &row);) {
        OCT_TRY(is_links ? read_link_row(r, row) : read_row(r, row, sheet, &place));
    }
    return OCT_OK;
}

static oct_result read_pieces(reader *r, span file)
{
    uint32_t sheet = 0, pieces = 0;
    const bool is_many = memchr(file.at, '|', (size_t)(file.end - file.at)) != NULL;
    r->line = 1;
    for (span piece; take_until(&file, '|', &piece);) {
        if (!has_rows(piece)) {
            for (const char *at = piece.at; at < piece.end; at++) {
                r->line += *at == '\n';
            }
            continue;
        }
        const bool is_links = pieces++ == 0 && is_many && has_links(piece);
        if (!is_links && sheet == OCT_RECRUITS_SHEETS_MAX) {
            return refuse(r, "a level has at most 64 sheets");
        }
        OCT_TRY(read_piece(r, piece, is_links, sheet));
        sheet += !is_links;
    }
    return OCT_OK;
}

static oct_result read_all(reader *r, const char *data, size_t size)
{
    span file = {data, data + size};
    r->line = 1;
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        file.at += 3;
    }
    const char *const zero = memchr(file.at, 0, (size_t)(file.end - file.at));
    if (zero) {
        oct_error_set_at(r->error, data, size, (size_t)(zero - data), "there is a byte 0: no text");
        return OCT_ERROR_FORMAT;
    }
    OCT_TRY(read_pieces(r, file));
    if (r->level->width == 0) {
        oct_recruits_warn(&r->warnings, 0, 0, "the level has no sheet");
    }
    return oct_recruits_connect(r->level, &r->warnings);
}

oct_result oct_recruits_level_read(const void *data, size_t size, const oct_recruits_reading *how,
                                   oct_recruits_level **out, oct_error *error)
{
    const oct_recruits_reading plain = {0};
    const oct_allocator own = oct_allocator_or_default(how ? how->allocator : NULL);
    oct_recruits_level *const level = oct_alloc(&own, sizeof *level, _Alignof(oct_recruits_level));
    *out = NULL;
    if (!level) {
        return OCT_ERROR_MEMORY;
    }
    *level = (oct_recruits_level){.allocator = own};
    oct_arena_init(&level->texts, &own);
    reader r = {.level = level, .warnings = {.how = how ? *how : plain}, .error = error};
    const oct_result result = read_all(&r, size > 0 ? data : "", size);
    if (result != OCT_OK) {
        oct_recruits_level_destroy(level);
        return result;
    }
    *out = level;
    return OCT_OK;
}

void oct_recruits_level_destroy(oct_recruits_level *level)
{
    if (!level) {
        return;
    }
    const oct_allocator own = level->allocator;
    oct_index_table_free(&level->ids, &own);
    oct_array_free(&level->links, &own, sizeof(oct_recruits_link));
    oct_array_free(&level->parts, &own, sizeof(oct_recruits_part));
    oct_arena_free(&level->texts);
    oct_free(&own, level, sizeof *level);
}

uint32_t oct_recruits_level_width(const oct_recruits_level *level)
{
    return level->width;
}

uint32_t oct_recruits_level_depth(const oct_recruits_level *level)
{
    return level->depth;
}

uint32_t oct_recruits_level_sheets(const oct_recruits_level *level)
{
    return level->sheets;
}

const oct_recruits_part *oct_recruits_level_parts(const oct_recruits_level *level, size_t *count)
{
    *count = level->parts.count;
    return level->parts.items;
}

const oct_recruits_link *oct_recruits_level_links(const oct_recruits_level *level, size_t *count)
{
    *count = level->links.count;
    return level->links.items;
}
