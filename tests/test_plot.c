// SPDX-License-Identifier: MIT
// Plots: well-formed SVG whatever the numbers, ticks where people expect them, the same bytes.
#include "support.h"

#include "bench/plot_axis.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- making ----

// The picture as a string, the caller's to free.
static char *svg_of(const oct_plot *plot)
{
    const oct_allocator allocator = oct_allocator_default();
    oct_array out = {0};
    assert_int_equal(oct_plot_svg(plot, &allocator, &out), OCT_OK);
    char *const text = test_calloc(out.count + 1, 1);
    memcpy(text, out.items, out.count);
    assert_int_equal(strlen(text), out.count);
    oct_array_free(&out, &allocator, 1);
    return text;
}

static oct_plot plot_of(const oct_plot_series *series, size_t count)
{
    return (oct_plot){.title = "Title",
                      .x = {"across", OCT_PLOT_LINEAR},
                      .y = {"up", OCT_PLOT_LINEAR},
                      .series = series,
                      .series_count = count};
}

static oct_plot plot_of_points(oct_plot_series *series, const oct_plot_point *points, size_t count)
{
    *series = (oct_plot_series){"one", points, count};
    return plot_of(series, 1);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

// ---- reading ----

static const char *skip_name(const char *at)
{
    assert_true(isalpha((unsigned char)*at));
    while (isalnum((unsigned char)*at) || *at == '-') {
        at++;
    }
    return at;
}

static void check_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    bool is_known = false;
    for (int i = 0; i < 4; i++) {
        is_known = is_known || strncmp(at, known[i], strlen(known[i])) == 0;
    }
    assert_true(is_known);
}

// The attributes of a tag; returns where it ends: at '>' or "/>".
static const char *check_attributes(const char *at)
{
    while (*at == ' ') {
        at = skip_name(at + 1);
        assert_int_equal(at[0], '=');
        assert_int_equal(at[1], '"');
        for (at += 2; *at != '"'; at++) {
            assert_true(*at != '\0' && *at != '<');
        }
        at++;
    }
    return at;
}

// Every tag is closed by its own, attributes are quoted, and no text has a bare & or <.
static void check_xml(const char *text)
{
    struct {
        const char *name;
        size_t length;
    } open[16];
    size_t depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '&') {
            check_entity(at);
        }
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        if (*at != '<') {
            assert_int_not_equal(*at, '>');
            continue;
        }
        const bool is_end = at[1] == '/';
        const char *const name = at + 1 + is_end;
        at = skip_name(name);
        const size_t length = (size_t)(at - name);
        if (is_end) {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(length, open[depth].length);
            assert_memory_equal(name, open[depth].name, length);
        } else {
            at = check_attributes(at);
            assert_true(depth < 16);
            open[depth].name = name;
            open[depth].length = length;
            depth += *at != '/';
            at += *at == '/';
        }
        assert_int_equal(*at, '>');
    }
    assert_int_equal(depth, 0);
}

// The numbers of every attribute of a name are within 0 ... limit.
static void check_numbers(const char *text, const char *attribute, double limit)
{
    for (const char *at = text; (at = strstr(at, attribute)) != NULL;) {
        for (at += strlen(attribute); *at != '"';) {
            char *end;
            const double value = strtod(at, &end);
            assert_true(end > at && value >= 0.0 && value <= limit);
            at = *end == ' ' ? end + 1 : end;
        }
    }
}

// What holds for every picture.
static void check_svg(const char *text)
{
    int width, height, used = 0;
    check_xml(text);
    assert_int_equal(count_of(text, "nan"), 0);
    assert_int_equal(count_of(text, "inf"), 0);
    const char *const box = strstr(text, "viewBox=\"0 0 ");
    assert_non_null(box);
    assert_int_equal(sscanf(box, "viewBox=\"0 0 %d %d\"%n", &width, &height, &used), 2);
    assert_true(used > 0 && width >= 560 && height >= 380);
    static const char *const across[] = {" x=\"", " x1=\"", " x2=\""};
    static const char *const up[] = {" y=\"", " y1=\"", " y2=\""};
    for (int i = 0; i < 3; i++) {
        check_numbers(text, across[i], width);
        check_numbers(text, up[i], height);
    }
    // Points and markers lie in the frame, and the legend beside it.
    for (const char *at = text; (at = strstr(at, " points=\"")) != NULL;) {
        for (at += strlen(" points=\""); *at != '"'; at += *at == ' ') {
            double x, y;
            assert_int_equal(sscanf(at, "%lf %lf%n", &x, &y, &used), 2);
            assert_true(x >= 72.0 && x <= 512.0 && y >= 40.0 && y <= 336.0);
            at += used;
        }
    }
    for (const char *at = text; (at = strstr(at, "<path class=\"marker\"")) != NULL; at++) {
        double x, y;
        assert_int_equal(sscanf(strstr(at, " d=\"M"), " d=\"M%lf %lf", &x, &y), 2);
        assert_true(x >= 72.0 && x <= 512.0 && y >= 40.0 && y <= 336.0);
    }
}

// The labels of an axis' ticks in their order, with blanks between them.
static void check_ticks(const char *text, const char *axis, const char *expected)
{
    char found[512] = "";
    char opening[64];
    snprintf(opening, sizeof opening, "<g class=\"%s ticks\"", axis);
    const char *at = strstr(text, opening);
    assert_non_null(at);
    const char *const end = strstr(at, "</g>");
    while ((at = strstr(at, "<text ")) != NULL && at < end) {
        const char *const label = strchr(at, '>') + 1;
        const char *const close = strstr(label, "</text>");
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%.*s", length ? " " : "",
                 (int)(strcspn(label, "<")), label);
        length = strlen(found);
        const char *const exponent = strstr(label, "<tspan");
        if (exponent && exponent < close) {
            const char *const digits = strchr(exponent, '>') + 1;
            snprintf(found + length, sizeof found - length, "^%.*s", (int)strcspn(digits, "<"),
                     digits);
        }
        at = close;
    }
    assert_string_equal(found, expected);
}

// ---- tests ----

static void a_plot_has_its_texts_lines_and_markers(void **state)
{
    (void)state;
    static const oct_plot_point first[] = {{0, 1}, {1, 2}, {2, (double)NAN}, {3, 4}, {4, 5}};
    static const oct_plot_point second[] = {{0, 3}, {4, 2}, {5, (double)INFINITY}, {6, 1}};
    static const oct_plot_series series[] = {{"A* & \"co\"", first, 5}, {"<Theta*>", second, 4}};
    oct_plot plot = plot_of(series, 2);
    plot.title = "Time < length > 3 & more";
    plot.note = "a note\twith a tab";
    char *text = svg_of(&plot);
    check_svg(text);
    // Two runs, and a run with one point alone.
    assert_int_equal(count_of(text, "<polyline"), 2 + 1);
    assert_int_equal(count_of(text, "class=\"marker\""), 4 + 3);
    assert_int_equal(count_of(text, "class=\"series\""), 2);
    assert_int_equal(count_of(text, ">Time &lt; length &gt; 3 &amp; more</text>"), 1);
    assert_int_equal(count_of(text, ">A* &amp; &quot;co&quot;</text>"), 1);
    assert_int_equal(count_of(text, ">&lt;Theta*&gt;</text>"), 1);
    assert_int_equal(count_of(text, ">a note with a tab</text>"), 1);
    assert_int_equal(count_of(text, ">across</text>"), 1);
    assert_int_equal(count_of(text, ">up</text>"), 1);
    assert_int_equal(count_of(text, "<rect width="), 1); // a background of its own
    check_ticks(text, "x", "0 1 2 3 4 5 6");
    check_ticks(text, "y", "0 1 2 3 4 5");
    // The corners of what is shown.
    assert_int_equal(count_of(text, "points=\"72.00 276.80 145.33 217.60\""), 1);
    assert_int_equal(count_of(text, "d=\"M512.00 276.80"), 1);
    test_free(text);
}

static void the_same_plot_is_the_same_bytes(void **state)
{
    (void)state;
    static const oct_plot_point points[] = {{64, 0.0123}, {128, 0.4}, {256, 1.7}, {4096, 900.5}};
    oct_plot_series series;
    oct_plot plot = plot_of_points(&series, points, 4);
    plot.x.scale = OCT_PLOT_LOG2;
    plot.y.scale = OCT_PLOT_LOG10;
    char *once = svg_of(&plot), *twice = svg_of(&plot);
    assert_string_equal(once, twice);
    // At every optimisation level and with every compiler.
    assert_int_equal(oct_hash_bytes(once, strlen(once)), UINT64_C(0xc0fc0cf5cb7dea96));
    test_free(once);
    test_free(twice);
}

typedef struct tick_case {
    oct_plot_scale scale;
    double least, largest;
    const char *ticks;
} tick_case;

static const tick_case tick_cases[] = {
    {OCT_PLOT_LINEAR, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
    {OCT_PLOT_LINEAR, 0, 0.3, "0.00 0.05 0.10 0.15 0.20 0.25 0.30"},
    {OCT_PLOT_LINEAR, 3, 97, "0 20 40 60 80 100"},
    {OCT_PLOT_LINEAR, -3, 97, "-20 0 20 40 60 80 100"},
    {OCT_PLOT_LINEAR, 60, 97, "60 70 80 90 100"},
    {OCT_PLOT_LINEAR, 1.0, 1.0004, "1.0000 1.0001 1.0002 1.0003 1.0004"},
    {OCT_PLOT_LINEAR, 0, 123456789, "0 2e7 4e7 6e7 8e7 1e8 1.2e8 1.4e8"},
    {OCT_PLOT_LINEAR, 0, 2.5e6, "0 5e5 1e6 1.5e6 2e6 2.5e6"},
    {OCT_PLOT_LINEAR, 0, 0.00003, "0 5e-6 1e-5 1.5e-5 2e-5 2.5e-5 3e-5"},
    {OCT_PLOT_LINEAR, -1e300, 1e300, "-1e300 -5e299 0 5e299 1e300"},
    {OCT_PLOT_LINEAR, 7, 7, "6.0 6.5 7.0 7.5 8.0"},
    {OCT_PLOT_LINEAR, 0, 0, "0.0 0.2 0.4 0.6 0.8 1.0"},
    {OCT_PLOT_LINEAR, -0.3, -0.1, "-0.30 -0.25 -0.20 -0.15 -0.10"},
    {OCT_PLOT_LINEAR, 0, 700000, "0 100000 200000 300000 400000 500000 600000 700000"},
    {OCT_PLOT_LINEAR, 0, 0.0002, "0.00000 0.00005 0.00010 0.00015 0.00020"},
    {OCT_PLOT_LOG10, 1, 10, "1 2 5 10"},
    {OCT_PLOT_LOG10, 2, 5, "2 5"},
    {OCT_PLOT_LOG10, 1.9, 5.1, "1 2 5 10"},
    {OCT_PLOT_LOG10, 0.003, 0.4, "0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5"},
    {OCT_PLOT_LOG10, 0.5, 9000, "0.1 1 10 100 1000 10000"},
    {OCT_PLOT_LOG10, 1e-6, 1e6, "10^-6 10^-4 0.01 1 100 10000 10^6"},
    {OCT_PLOT_LOG10, 1e-300, 1e300,
     "10^-300 10^-233 10^-166 10^-99 10^-32 10^35 10^102 10^169 10^236"},
    {OCT_PLOT_LOG10, 3, 3, "2 5"},
    {OCT_PLOT_LOG10, 1, 1, "0.5 1 2"},
    {OCT_PLOT_LOG2, 64, 4096, "64 128 256 512 1024 2048 4096"},
    {OCT_PLOT_LOG2, 0.3, 5, "1/4 1/2 1 2 4 8"},
    {OCT_PLOT_LOG2, 8, 8, "4 8 16"},
    {OCT_PLOT_LOG2, 16384, 1048576, "16384 32768 65536 2^17 2^18 2^19 2^20"},
    {OCT_PLOT_LOG2, 1, 1099511627776.0, "1 32 1024 32768 2^20 2^25 2^30 2^35 2^40"},
};

static void ticks_are_round_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tick_cases / sizeof tick_cases[0]; i++) {
        const tick_case *const c = &tick_cases[i];
        const oct_plot_point across[] = {{c->least, 1}, {c->largest, 2}};
        const oct_plot_point up[] = {{1, c->least}, {2, c->largest}};
        oct_plot_series series;
        oct_plot plot = plot_of_points(&series, across, 2);
        plot.x.scale = c->scale;
        char *text = svg_of(&plot);
        check_svg(text);
        check_ticks(text, "x", c->ticks);
        test_free(text);
        plot = plot_of_points(&series, up, 2);
        plot.y.scale = c->scale;
        text = svg_of(&plot);
        check_svg(text);
        check_ticks(text, "y", c->ticks);
        test_free(text);
    }
}

static void a_value_is_where_its_tick_is(void **state)
{
    (void)state;
    static const oct_plot_point points[] = {{64, 0.1}, {512, 2}, {4096, 50}};
    oct_plot_series series;
    oct_plot plot = plot_of_points(&series, points, 3);
    plot.x.scale = OCT_PLOT_LOG2;
    plot.y.scale = OCT_PLOT_LOG10;
    char *text = svg_of(&plot);
    check_svg(text);
    check_ticks(text, "y", "0.1 0.2 0.5 1 2 5 10 20 50");
    // Half of six powers of two; log10(20) / log10(500) of the height.
    assert_non_null(strstr(text, "points=\"72.00 336.00 292.00 193.31 512.00 40.00\""));
    assert_non_null(strstr(text, "<line x1=\"292.00\" y1=\"40\" x2=\"292.00\" y2=\"336\"/>"));
    assert_non_null(strstr(text, "<line x1=\"72\" y1=\"193.31\" x2=\"512\" y2=\"193.31\"/>"));
    test_free(text);
}

static void logarithms_are_right_to_the_last_digits(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(9);
    for (int i = 0; i < 2000; i++) {
        const double value =
            ldexp(1.0 + oct_random_unit(&random), oct_random_range(&random, -990, 990));
        const double two = log2(value), ten = log10(value);
        assert_true(fabs(oct_plot_scaled(OCT_PLOT_LOG2, value) - two) <= 1e-15 * (1 + fabs(two)));
        assert_true(fabs(oct_plot_scaled(OCT_PLOT_LOG10, value) - ten) <= 1e-15 * (1 + fabs(ten)));
    }
}

static void a_range_that_ends_on_ticks_is_not_widened(void **state)
{
    (void)state;
    static const int digits[] = {1, 2, 5};
    for (int i = 0; i < 3 * 40; i++) {
        char text[32];
        snprintf(text, sizeof text, "%de%d", digits[i % 3], i / 3 - 20);
        const double least = strtod(text, NULL);
        snprintf(text, sizeof text, "%de%d", digits[i / 3 % 3], i / 3 - 18);
        const double largest = strtod(text, NULL);
        const oct_plot_point points[] = {{1, least}, {2, largest}};
        oct_plot_series series;
        oct_plot plot = plot_of_points(&series, points, 2);
        plot.y.scale = OCT_PLOT_LOG10;
        char *picture = svg_of(&plot);
        check_svg(picture);
        assert_non_null(strstr(picture, " 336.00 512.00 40.00\""));
        test_free(picture);
    }
}

static void what_cannot_be_shown_is_left_out(void **state)
{
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e301, -1e301};
    static const double bad_log[] = {0.0, -1.0, -0.0, 1e-310};
    for (int i = 0; i < 9; i++) {
        const double value = i < 5 ? bad[i] : bad_log[i - 5];
        for (int scale = i < 5 ? OCT_PLOT_LINEAR : OCT_PLOT_LOG10; scale <= OCT_PLOT_LOG2;
             scale++) {
            for (int axis = 0; axis < 2; axis++) {
                const oct_plot_point points[] = {{1, 1},
                                                 axis ? (oct_plot_point){1.5, value}
                                                      : (oct_plot_point){value, 1.5},
                                                 {2, 2}};
                oct_plot_series series;
                oct_plot plot = plot_of_points(&series, points, 3);
                plot.x.scale = plot.y.scale = (oct_plot_scale)scale;
                char *text = svg_of(&plot);
                check_svg(text);
                assert_int_equal(count_of(text, "class=\"marker\""), 2);
                assert_int_equal(count_of(text, "<polyline"), 0);
                test_free(text);
            }
        }
    }
}

static void nothing_and_next_to_nothing_are_plots(void **state)
{
    (void)state;
    static const oct_plot_point one[] = {{5, 7}};
    static const oct_plot_point gaps[] = {{(double)NAN, 7}, {5, (double)NAN}};
    for (int scale = OCT_PLOT_LINEAR; scale <= OCT_PLOT_LOG2; scale++) {
        const oct_plot_series cases[] = {{"", NULL, 0}, {"one", one, 1}, {"gaps", gaps, 2}};
        for (size_t i = 0; i < 4; i++) {
            oct_plot plot = plot_of(i < 3 ? &cases[i] : NULL, i < 3);
            plot.x.scale = plot.y.scale = (oct_plot_scale)scale;
            char *text = svg_of(&plot);
            check_svg(text);
            assert_int_equal(count_of(text, "class=\"marker\""), i == 1);
            assert_int_equal(count_of(text, "<polyline"), 0);
            test_free(text);
        }
    }
}

static void twelve_series_differ_in_colour_dashes_or_marker(void **state)
{
    (void)state;
    oct_plot_point points[OCT_PLOT_SERIES_MAX][2];
    oct_plot_series series[OCT_PLOT_SERIES_MAX + 1];
    for (int i = 0; i < OCT_PLOT_SERIES_MAX; i++) {
        points[i][0] = (oct_plot_point){0, i};
        points[i][1] = (oct_plot_point){1, 2 * i};
        series[i] = (oct_plot_series){"a name that is rather long for a legend", points[i], 2};
    }
    oct_plot plot = plot_of(series, OCT_PLOT_SERIES_MAX);
    char *text = svg_of(&plot);
    check_svg(text);
    char looks[OCT_PLOT_SERIES_MAX][256];
    const char *at = strstr(text, "<g class=\"legend\">");
    for (int i = 0; i < OCT_PLOT_SERIES_MAX; i++) {
        char colour[16], dashes[16], marker[64];
        at = strstr(at, "<path fill=\"none\"");
        assert_int_equal(sscanf(strstr(at, "stroke=\""), "stroke=\"%15[^\"]", colour), 1);
        assert_int_equal(sscanf(strstr(at, "dasharray=\""), "dasharray=\"%15[^\"]", dashes), 1);
        at = strstr(at, "<path fill=\"#ffffff\"");
        assert_int_equal(sscanf(strstr(at, " d=\"M"), " d=\"M%*d %*d%63[^\"]", marker), 1);
        snprintf(looks[i], sizeof looks[i], "%s|%s|%s", colour, dashes, marker);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(looks[i], looks[j]);
        }
    }
    test_free(text);

    series[OCT_PLOT_SERIES_MAX] = series[0];
    plot.series_count++;
    const oct_allocator allocator = oct_allocator_default();
    oct_array out = {0};
    assert_int_equal(oct_plot_svg(&plot, &allocator, &out), OCT_ERROR_ARGUMENT);
    assert_int_equal(out.count, 0);
}

// What is not drawn is not in the legend, and the others keep their colours.
static void the_legend_lists_what_is_drawn(void **state)
{
    (void)state;
    static const oct_plot_point shown[] = {{1, 1}, {2, 10}}, hidden[] = {{1, 0}, {2, -1}};
    const oct_plot_series series[] = {
        {"first", shown, 2}, {"none of it can be drawn", hidden, 2}, {"last", shown, 2}};
    oct_plot plot = plot_of(series, 3);
    char *const linear = svg_of(&plot);
    plot.y.scale = OCT_PLOT_LOG10;
    char *const text = svg_of(&plot);
    check_svg(text);
    assert_non_null(strstr(linear, ">none of it can be drawn<"));
    assert_null(strstr(text, ">none of it can be drawn<"));
    const char *const first = strstr(text, ">first<"), *const last = strstr(text, ">last<");
    assert_true(first && last && first < last);
    char colour[2][16];
    const char *const texts[2] = {linear, text};
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(texts[i], "<g class=\"legend\">"), *next = at;
        while ((next = strstr(next + 1, "<path fill=\"none\""))) {
            at = next; // the last one's
        }
        assert_int_equal(sscanf(at, "<path fill=\"none\" stroke=\"%15[^\"]", colour[i]), 1);
    }
    assert_string_equal(colour[0], colour[1]);
    test_free(linear);
    test_free(text);
}

// Values of any size and sign.
static double any_value(oct_random *random)
{
    const int exponent = oct_random_range(random, -1030, 1023);
    const double value = ldexp(oct_random_unit(random), oct_random_below(random, 2) ? exponent : 3);
    return oct_random_below(random, 4) == 0 ? -value : value;
}

static void random_points_make_sound_pictures(void **state)
{
    (void)state;
    oct_random random = oct_random_seed(3);
    for (uint64_t round = 0; round < test_rounds(900); round++) {
        oct_plot_point points[6];
        for (int i = 0; i < 6; i++) {
            points[i] = (oct_plot_point){any_value(&random), any_value(&random)};
        }
        oct_plot_series series;
        oct_plot plot = plot_of_points(&series, points, oct_random_below(&random, 7));
        plot.x.scale = (oct_plot_scale)oct_random_below(&random, 3);
        plot.y.scale = (oct_plot_scale)oct_random_below(&random, 3);
        char *text = svg_of(&plot);
        check_svg(text);
        test_free(text);
    }
}

static oct_result plot_once(const oct_allocator *allocator, void *ctx)
{
    oct_array out = {0};
    OCT_TRY(oct_array_push(&out, allocator, 1, "!"));
    const oct_result result = oct_plot_svg(ctx, allocator, &out);
    assert_int_equal(*(const char *)out.items, '!');
    assert_true(result == OCT_OK ? out.count > 1000 : out.count == 1);
    oct_array_free(&out, allocator, 1);
    return result;
}

static void running_out_of_memory_leaves_the_array_as_it_was(void **state)
{
    (void)state;
    static const oct_plot_point points[] = {{1, 2}, {3, 4}};
    oct_plot_series series;
    oct_plot plot = plot_of_points(&series, points, 2);
    assert_true(test_each_failure(plot_once, &plot) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plot_has_its_texts_lines_and_markers),
        cmocka_unit_test(the_same_plot_is_the_same_bytes),
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(a_value_is_where_its_tick_is),
        cmocka_unit_test(logarithms_are_right_to_the_last_digits),
        cmocka_unit_test(a_range_that_ends_on_ticks_is_not_widened),
        cmocka_unit_test(what_cannot_be_shown_is_left_out),
        cmocka_unit_test(nothing_and_next_to_nothing_are_plots),
        cmocka_unit_test(the_legend_lists_what_is_drawn),
        cmocka_unit_test(twelve_series_differ_in_colour_dashes_or_marker),
        cmocka_unit_test(random_points_make_sound_pictures),
        cmocka_unit_test(running_out_of_memory_leaves_the_array_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
