// SPDX-License-Identifier: MIT
// Draws how an agent solves a world file that it has never seen, as an SVG picture on stdout:
//   agent_svg three_doors.json
// the plan, the way that it took, where it pressed what, and what it had learned at the end. The
// picture in the README is made by it.
// Files are read by src/io, which is not installed: this is built in the tree of Octant alone.
#include "files/files_internal.h"
#include "svg.h"
#include <octant/play.h>

#include <math.h>

#define METRE 18         // pixels
#define CUT 3.8          // height at which blocks are drawn, metres
#define SECONDS_MAX 3600 // of the game
#define POINTS_MAX 20000
#define PRESSES_MAX 16
#define LINE 24 // of the list, pixels
#define LIST_WIDTH 300

enum { TONES = 6 };
static const char *const tones[TONES] = {"#3b528b", "#21918c", "#e07a3f",
                                         "#c0392b", "#7d5ba6", "#5ec962"};

typedef struct press {
    uint64_t panel, tick;
    uint32_t button;
    size_t point; // of the track
} press;

typedef struct run {
    const oct_world *world;
    oct_game *game;
    oct_agent *agent;
    oct_point at[POINTS_MAX];
    size_t points;
    press presses[PRESSES_MAX];
    size_t press_count;
    oct_verdict verdict;
} run;

static void check(bool is_well)
{
    if (!is_well) {
        fprintf(stderr, "agent_svg: no run\n");
        exit(1);
    }
}

// ---- playing ----

static void keep_press(run *r)
{
    oct_action last;
    const bool is_press =
        oct_agent_came(r->agent, &last) == OCT_ACT_DONE && last.verb == OCT_VERB_USE;
    const press *const before = r->press_count > 0 ? &r->presses[r->press_count - 1] : NULL;
    if (is_press && r->press_count < PRESSES_MAX && (!before || before->point + 1 < r->points)) {
        r->presses[r->press_count++] =
            (press){last.target, oct_game_tick(r->game), last.button, r->points - 1};
    }
}

static void play(run *r)
{
    check(oct_block_world_create(&(oct_block_world_def){.world = r->world}, &r->game) == OCT_OK);
    oct_agent_def def = oct_agent_def_default();
    def.game = r->game;
    check(oct_agent_create(&def, &r->agent) == OCT_OK);
    const oct_pick target = {.type = "TargetDummy"};
    oct_goal *const goal = oct_goal_smart_close_to_block(NULL, &target, OCT_SIDE_ANY, 0.0);
    check(oct_agent_pursue(r->agent, oct_goal_limit(goal, 0, SECONDS_MAX * OCT_BLOCK_WORLD_RATE)) ==
          OCT_OK);
    while (!oct_agent_has_ended(r->agent)) {
        oct_goal_status status;
        check(oct_agent_turn(r->agent, &status) == OCT_OK && r->points < POINTS_MAX);
        oct_self self;
        check(oct_game_self(r->game, 0, &self) == OCT_OK);
        r->at[r->points++] = self.centre;
        keep_press(r);
    }
    const char *reason;
    r->verdict = oct_agent_verdict(r->agent, &reason);
}

// ---- drawing ----

static const char *name_of(const run *r, uint64_t id)
{
    size_t index;
    return oct_world_find(r->world, id, &index) ? oct_world_get(r->world, index).name : "?";
}

// The plan has x to the right and z down.
static void draw_blocks(const run *r, oct_point corner)
{
    static const char *const fills[OCT_KIND_COUNT] = {"#2f4858", "#f3b9c0", "#f5cdb0", "#c3b3da",
                                                      "#a8dcb8"};
    printf("<g shape-rendering='crispEdges'>\n");
    for (size_t i = 0; i < oct_world_blocks(r->world); i++) {
        const oct_world_block block = oct_world_get(r->world, i);
        const oct_bounds b = block.box;
        if (b.min.y <= CUT && CUT < b.max.y) {
            printf("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>\n",
                   (b.min.x - corner.x) * METRE, (b.min.z - corner.z) * METRE,
                   (b.max.x - b.min.x) * METRE, (b.max.z - b.min.z) * METRE,
                   fills[oct_world_get_type(r->world, block.type).kind]);
        }
    }
    printf("</g>\n");
}

static void draw_names(const run *r, oct_point corner)
{
    printf("<g font-size='12' text-anchor='middle'>\n");
    for (size_t i = 0; i < oct_world_blocks(r->world); i++) {
        const oct_world_block block = oct_world_get(r->world, i);
        const uint8_t kind = oct_world_get_type(r->world, block.type).kind;
        if (kind != OCT_KIND_SOLID && kind != OCT_KIND_TIMER) {
            printf("<text x='%.1f' y='%.1f'>%s</text>\n",
                   ((block.box.min.x + block.box.max.x) / 2 - corner.x) * METRE,
                   ((block.box.min.z + block.box.max.z) / 2 - corner.z) * METRE + 5, block.name);
        }
    }
    printf("</g>\n");
}

// From press to press in a tone of its own.
static void draw_track(const run *r, oct_point corner)
{
    printf("<g fill='none' stroke-width='3' stroke-linejoin='round' stroke-linecap='round'>\n");
    size_t from = 0;
    for (size_t leg = 0; leg <= r->press_count; leg++) {
        const size_t to = leg < r->press_count ? r->presses[leg].point : r->points - 1;
        printf("<polyline stroke='%s' points='", tones[leg % TONES]);
        for (size_t i = from; i <= to; i++) {
            printf("%.1f,%.1f ", (r->at[i].x - corner.x) * METRE, (r->at[i].z - corner.z) * METRE);
        }
        printf("'/>\n");
        from = to;
    }
    printf("</g>\n<circle cx='%.1f' cy='%.1f' r='7'/>\n", (r->at[0].x - corner.x) * METRE,
           (r->at[0].z - corner.z) * METRE);
    for (size_t i = 0; i < r->press_count; i++) {
        const oct_point at = r->at[r->presses[i].point];
        const double x = (at.x - corner.x) * METRE, y = (at.z - corner.z) * METRE;
        printf("<circle cx='%.1f' cy='%.1f' r='10' fill='%s' stroke='#ffffff' stroke-width='2'/>"
               "<text x='%.1f' y='%.1f' font-size='13' fill='#ffffff' text-anchor='middle'>%zu"
               "</text>\n",
               x, y, tones[i % TONES], x, y + 4.5, i + 1);
    }
}

// ---- the list ----

static int line(int y, const char *colour, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("<text y='%d' fill='%s'>", y, colour);
    vprintf(format, values);
    printf("</text>\n");
    va_end(values);
    return y + LINE;
}

static int list_links(const run *r, int y)
{
    const oct_links *const links = oct_belief_links(oct_agent_belief(r->agent));
    for (uint32_t i = 0; i < oct_links_buttons(links); i++) {
        const oct_button button = oct_links_button(links, i);
        for (uint32_t k = 0; k < oct_links_doors(links); k++) {
            if (oct_links_get(links, i, k) == OCT_LINK_YES) {
                y = line(y, "#22323c", "%s toggles %s", name_of(r, button.panel),
                         name_of(r, oct_links_door(links, k)));
            }
        }
    }
    return y;
}

static void draw_list(const run *r)
{
    int y = line(14, "#22323c", "<tspan font-weight='bold'>What it did</tspan>");
    for (size_t i = 0; i < r->press_count; i++) {
        const press *const p = &r->presses[i];
        y = line(y, tones[i % TONES], "%zu  after %.1f s it pressed %s", i + 1,
                 (double)p->tick / OCT_BLOCK_WORLD_RATE, name_of(r, p->panel));
    }
    y = line(y, tones[r->press_count % TONES], "%s after %.1f s, %llu turns",
             oct_verdict_name(r->verdict), (double)oct_game_tick(r->game) / OCT_BLOCK_WORLD_RATE,
             (unsigned long long)oct_agent_turns(r->agent));
    y = line(y + LINE / 2, "#22323c", "<tspan font-weight='bold'>What it is certain of</tspan>");
    (void)list_links(r, y);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "agent_svg WORLD.json\n");
        return 2;
    }
    oct_world *world;
    oct_error error = {.line = 0};
    if (oct_world_load(argv[1], NULL, NULL, &world, NULL, &error) != OCT_OK) {
        fprintf(stderr, "%s:%u:%u: %s\n", argv[1], error.line, error.column, error.message);
        return 1;
    }
    static run r;
    r = (run){.world = world};
    play(&r);
    const oct_bounds all = oct_world_extent(world);
    const int width = (int)ceil((all.max.x - all.min.x) * METRE);
    const int height = (int)ceil((all.max.z - all.min.z) * METRE);
    svg_begin(width + LIST_WIDTH + 3 * SVG_GAP, height + 2 * SVG_GAP);
    svg_enter(SVG_GAP, SVG_GAP);
    draw_blocks(&r, all.min);
    draw_track(&r, all.min);
    draw_names(&r, all.min);
    svg_leave();
    svg_enter(width + 2 * SVG_GAP, SVG_GAP);
    draw_list(&r);
    svg_leave();
    svg_end();
    oct_agent_destroy(r.agent);
    oct_game_destroy(r.game);
    oct_world_destroy(world);
    return 0;
}
