// SPDX-License-Identifier: MIT
// The reader of Lab Recruits levels.
#include "octant/recruits_level.h"
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- support ----

typedef struct told {
    char all[4096]; // every warning, a line each
    uint32_t count;
} told;

static void tell(void *ctx, uint32_t line, uint32_t cell, const char *message)
{
    told *const t = ctx;
    const size_t used = strlen(t->all);
    snprintf(t->all + used, sizeof t->all - used, "%u:%u: %s\n", line, cell, message);
    t->count++;
}

static oct_recruits_level *read_text(const char *text, told *t)
{
    oct_recruits_level *level;
    oct_error error;
    t->count = 0;
    t->all[0] = '\0';
    const oct_recruits_reading how = {.warn = tell, .ctx = t};
    assert_int_equal(oct_recruits_level_read(text, strlen(text), &how, &level, &error), OCT_OK);
    return level;
}

static const oct_recruits_part *part(const oct_recruits_level *level, const char *id)
{
    size_t count;
    const uint32_t index = oct_recruits_level_find(level, id);
    const oct_recruits_part *const parts = oct_recruits_level_parts(level, &count);
    assert_in_range(index, 0, count - 1);
    return &parts[index];
}

// ---- tests ----

static void a_level_is_read(void **state)
{
    told t;
    size_t parts, links;
    oct_recruits_level *const level = read_text("b1,d1,,d2\n"
                                                "|w,f:a^agent0,f:b^b1\n"
                                                "w,f:d>s^d1,f:od>n^d2\n"
                                                "|w,,\n"
                                                ",,f:cb#ff8000^Button 2\n",
                                                &t);
    (void)state;
    assert_int_equal(oct_recruits_level_width(level), 3);
    assert_int_equal(oct_recruits_level_depth(level), 2);
    assert_int_equal(oct_recruits_level_sheets(level), 2);
    (void)oct_recruits_level_parts(level, &parts);
    assert_int_equal(parts, 13);
    const oct_recruits_part *const door = part(level, "d1");
    assert_int_equal(door->kind, OCT_RECRUITS_DOOR);
    assert_int_equal(door->turn, 1);
    assert_false(door->is_open);
    assert_true(door->x == 1 && door->y == 0 && door->z == 1);
    assert_true(door->line == 3 && door->cell == 2);
    assert_true(part(level, "d2")->is_open && part(level, "d2")->turn == 3);
    const oct_recruits_part *const button = part(level, "Button 2");
    assert_int_equal(button->kind, OCT_RECRUITS_COLOUR_BUTTON);
    assert_true(button->x == 2 && button->y == 1 && button->z == 1);
    assert_true(button->has_colour && button->colour[0] == 255 && button->colour[1] == 128 &&
                button->colour[2] == 0);
    const oct_recruits_link *const all = oct_recruits_level_links(level, &links);
    assert_int_equal(links, 2);
    assert_int_equal(all[0].source, oct_recruits_level_find(level, "b1"));
    assert_int_equal(all[1].target, oct_recruits_level_find(level, "d2"));
    assert_string_equal(t.all, "");
    oct_recruits_level_destroy(level);
}

static void all_symbols_are_known(void **state)
{
    told t;
    size_t count;
    oct_recruits_level *const level =
        read_text("f:w:f:a^a:g^g:d^d:b^b:t:p2:p3:npc^n1:npc3^n2:npc5^n3:ng^p:r:cs^cs:cb^cb:c:wf:bc:"
                  "ce:cl:dhf:dhn:od^od:m^m",
                  &t);
    (void)state;
    (void)oct_recruits_level_parts(level, &count);
    assert_int_equal(count, 26);
    assert_string_equal(t.all, "");
    oct_recruits_level_destroy(level);
}

static void byte_order_marks_and_other_line_ends_are_taken(void **state)
{
    told t;
    oct_recruits_level *const level = read_text("\xef\xbb\xbf"
                                                "b1,d1\r\n\r\n|w,w\r\nf:a^x,f:b^b1:d^d1\r\n",
                                                &t);
    (void)state;
    assert_int_equal(oct_recruits_level_width(level), 2);
    assert_int_equal(oct_recruits_level_depth(level), 2);
    assert_int_equal(part(level, "x")->line, 4);
    assert_string_equal(t.all, "");
    oct_recruits_level_destroy(level);
}

static void without_links_the_first_piece_is_a_floor(void **state)
{
    told t;
    size_t links;
    oct_recruits_level *const level = read_text("f:a^x,f\nf,f\n|w,w\n,\n", &t);
    (void)state;
    assert_int_equal(oct_recruits_level_sheets(level), 2);
    (void)oct_recruits_level_links(level, &links);
    assert_int_equal(links, 0);
    oct_recruits_level_destroy(level);
}

static void a_row_of_another_length_shifts_what_follows(void **state)
{
    told t;
    oct_recruits_level *const level = read_text("w,w,w\nf,f\nf:a^x,f,f\n", &t);
    (void)state;
    assert_true(part(level, "x")->x == 2 && part(level, "x")->z == 1);
    assert_string_equal(t.all, "2:0: the row has 2 cells, the first one 3: all that follows in "
                               "this sheet is shifted\n");
    oct_recruits_level_destroy(level);
}

static void what_makes_no_sense_is_told_with_row_and_cell(void **state)
{
    told t;
    oct_recruits_level *const level = read_text("b1,nothing,d1\n"
                                                "gone,d1\n"
                                                ",d1\n"
                                                "d1,b1\n"
                                                "|w,q,p\n"
                                                "a^fall,f:b,f:cb#12^b1\n"
                                                "f:d>x^d1,f:d^d1,f:a^fall\n",
                                                &t);
    (void)state;
    assert_string_equal(
        t.all,
        "3:1: the row of links names no source\n"
        "5:2: there is no symbol 'q'; it is left out\n"
        "5:3: the game has no object for 'p'; it is left out\n"
        "6:3: '#12' is no colour: six digits or a to f; it is left out\n"
        "7:1: '>x' is none of >w >s >e >n; w is taken\n"
        "6:2: the button has no name: nobody can use it\n"
        "7:2: 'd1' is the name of another part, in line 7; names mean the first\n"
        "7:3: 'fall' is the name of another part, in line 6; names mean the first\n"
        "1:2: the link from 'b1' to 'nothing' does nothing: there is no 'nothing'\n"
        "2:1: the link from 'gone' to 'd1' does nothing: there is no 'gone'\n"
        "4:2: the link from 'd1' to 'b1' does nothing: a door does nothing to a colour button\n"
        "6:1: there is no floor below agent 'fall'\n");
    oct_recruits_level_destroy(level);
}

static void empty_files_are_empty_levels(void **state)
{
    told t;
    static const char *const files[] = {"", "\n\r\n", "|", "|\n||\n", "\xef\xbb\xbf"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        oct_recruits_level *const level = read_text(files[i], &t);
        assert_int_equal(oct_recruits_level_width(level), 0);
        assert_string_equal(t.all, "0:0: the level has no sheet\n");
        oct_recruits_level_destroy(level);
    }
}

static void there_are_never_more_warnings_than_promised(void **state)
{
    told t;
    char text[1000];
    memset(text, ',', sizeof text);
    for (size_t i = 0; i < sizeof text; i += 2) {
        text[i] = '?';
    }
    text[sizeof text - 1] = '\0';
    oct_recruits_level *const level = read_text(text, &t);
    (void)state;
    assert_int_equal(t.count, OCT_RECRUITS_WARNINGS_MAX + 1);
    oct_recruits_level_destroy(level);
}

// ---- refusals ----

static void refused(const char *text, size_t size, oct_result wanted, uint32_t line,
                    const char *message)
{
    oct_recruits_level *level;
    oct_error error;
    assert_int_equal(oct_recruits_level_read(text, size, NULL, &level, &error), wanted);
    assert_null(level);
    assert_string_equal(error.message, message);
    assert_int_equal(error.line, line);
}

static void what_exceeds_a_limit_is_refused(void **state)
{
    enum { SIZE = 40000 };
    char *const text = malloc(SIZE);
    (void)state;
    assert_non_null(text);
    refused("w\nw\0w", 5, OCT_ERROR_FORMAT, 2, "there is a byte 0: no text");
    memset(text, ',', 4096);
    refused(text, 4096, OCT_ERROR_RANGE, 1, "a row has at most 4096 cells");
    memset(text, 'x', 300);
    memcpy(text, "f:a^", 4);
    refused(text, 300, OCT_ERROR_RANGE, 1, "a name has at most 200 bytes");
    for (size_t i = 0; i < SIZE; i += 2) {
        memcpy(text + i, "w\n", 2);
    }
    refused(text, SIZE, OCT_ERROR_RANGE, 4097, "a sheet has at most 4096 rows");
    for (size_t i = 0; i < SIZE; i += 2) {
        memcpy(text + i, "|w", 2);
    }
    refused(text, SIZE, OCT_ERROR_RANGE, 1, "a level has at most 64 sheets");
    free(text);
}

static oct_result read_with(const oct_allocator *allocator, void *ctx)
{
    oct_recruits_level *level;
    const char *const text = ctx;
    const oct_recruits_reading how = {.allocator = allocator};
    const oct_result result = oct_recruits_level_read(text, strlen(text), &how, &level, NULL);
    oct_recruits_level_destroy(level);
    return result;
}

static void short_memory_is_a_result(void **state)
{
    char text[] = "b1,d1,m1\nb2,d1\n|w,f:a^a0,f:b^b1\nf:d^d1,f:m^m1,f:b^b2\n";
    (void)state;
    assert_true(test_each_failure(read_with, text) > 3);
}

// ---- the levels of the game ----

static size_t count_folder(const char *folder, uint32_t *warnings)
{
    char path[8192];
    size_t files = 0;
    DIR *const dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        const size_t length = strlen(e->d_name);
        if (length < 4 || strcmp(e->d_name + length - 4, ".csv") != 0) {
            continue;
        }
        told t = {.count = 0};
        size_t size;
        oct_recruits_level *level;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        void *const data = test_read_file(path, &size);
        const oct_recruits_reading how = {.warn = tell, .ctx = &t};
        assert_int_equal(oct_recruits_level_read(data, size, &how, &level, NULL), OCT_OK);
        if (t.count) {
            printf("%s: %s", e->d_name, t.all);
        }
        *warnings += t.count;
        files++;
        oct_recruits_level_destroy(level);
        free(data);
    }
    if (dir) {
        closedir(dir);
    }
    return files;
}

static void the_games_own_levels_are_read(void **state)
{
    char path[4096], folder[4096];
    uint32_t warnings = 0;
    size_t files = 0;
    (void)state;
    if (!test_data_path("labrecruits/gym/square.csv", path, sizeof path)) {
        skip();
    }
    static const char *const below[] = {"gym", "gym/contest", "demo"};
    path[strlen(path) - strlen("/gym/square.csv")] = '\0';
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        snprintf(folder, sizeof folder, "%.4000s/%s", path, below[i]);
        files += count_folder(folder, &warnings);
    }
    assert_true(files >= 53);
    // One links a screen that is not there.
    assert_int_equal(warnings, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_is_read),
        cmocka_unit_test(all_symbols_are_known),
        cmocka_unit_test(byte_order_marks_and_other_line_ends_are_taken),
        cmocka_unit_test(without_links_the_first_piece_is_a_floor),
        cmocka_unit_test(a_row_of_another_length_shifts_what_follows),
        cmocka_unit_test(what_makes_no_sense_is_told_with_row_and_cell),
        cmocka_unit_test(empty_files_are_empty_levels),
        cmocka_unit_test(there_are_never_more_warnings_than_promised),
        cmocka_unit_test(what_exceeds_a_limit_is_refused),
        cmocka_unit_test(short_memory_is_a_result),
        cmocka_unit_test(the_games_own_levels_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
