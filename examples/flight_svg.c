// SPDX-License-Identifier: MIT
// Draws two flights through a world file, as an SVG picture on stdout:
//   flight_svg door_and_button.json
// to the panel, and through the door that it opens to the target; stepped, and with delays of 20 to
// 500 ms. The picture in docs/internals/flight.md is made by it.
// It uses src/agent and src/files, which are not installed: it is built in the tree of Octant
// alone.
#include "agent/look.h"
#include "files/files_internal.h"
#include "svg.h"
#include <octant/play.h>

#include <math.h>

#define METRE 12       // pixels
#define TICKS_MAX 3600 // of a flight
#define ACTIONS_MAX 400
#define CUT 3.8          // height at which blocks are drawn, metres
#define CHART 110        // height of the curve of speed, pixels
#define CHART_SPEED 16.0 // at its upper side, m/s
#define CHART_TIME 18.0  // at its right, seconds
#define CHART_ABOVE 40
#define BELOW 60

enum { PANEL = 2, DOOR = 1 }; // ids in the world
static const oct_point before_panel = {33.8, 3.77, 3.77}, before_target = {6.4, 3.77, 8.77};

enum { TONES = 6 };
static const char *const tones[TONES] = {"#3b528b", "#21918c", "#5ec962",
                                         "#f2c12e", "#e07a3f", "#c0392b"};
#define TONE_SPEED 2.5 // m/s from one to the next

typedef struct flight {
    const oct_world *world;
    oct_game *game;
    oct_map *map;
    look_state look;
    oct_planner *planner;
    oct_pilot *pilot;
    uint32_t delay_min, delay_max; // ticks
    oct_random random;
    oct_point at[TICKS_MAX]; // where it was after each tick
    double speed[TICKS_MAX];
    uint32_t ticks;
    uint32_t actions[ACTIONS_MAX]; // the ticks in which they began
    uint32_t action_count;
    oct_point path[64]; // both of them
    uint32_t path_count;
    uint64_t bumps;
} flight;

static void check(bool is_well)
{
    if (!is_well) {
        fprintf(stderr, "flight_svg: no flight\n");
        exit(1);
    }
}

// ---- flying ----

static void begin(flight *f)
{
    check(oct_block_world_create(&(oct_block_world_def){.world = f->world}, &f->game) == OCT_OK);
    oct_map_def def = oct_map_def_default();
    def.cell_size = 0.3;
    def.padding = (oct_point){0.95, 0.95, 0.95};
    const oct_bounds all = oct_world_extent(f->world);
    check(oct_map_create(&def, &f->map) == OCT_OK &&
          oct_map_set_world_box(f->map, all, OCT_COVER_INSIDE, OCT_MARK_KNOWN) == OCT_OK &&
          oct_world_add_to(f->world, f->map, NULL) == OCT_OK);
    oct_planner_def planner = oct_planner_def_default();
    planner.tree = oct_map_tree(f->map);
    check(oct_planner_create(&planner, &f->planner) == OCT_OK);
    oct_game_info info = *oct_game_describe(f->game);
    info.delay_min = f->delay_min;
    info.delay_max = f->delay_max;
    oct_pilot_def pilot = oct_pilot_def_default();
    pilot.info = &info;
    check(oct_game_body(f->game, 0, &pilot.body) == OCT_OK);
    pilot.map = f->map;
    check(oct_pilot_create(&pilot, &f->pilot) == OCT_OK);
}

static void end(flight *f)
{
    const oct_allocator heap = oct_allocator_default();
    oct_look_free(&f->look, &heap);
    oct_pilot_destroy(f->pilot);
    oct_planner_destroy(f->planner);
    oct_map_destroy(f->map);
    oct_game_destroy(f->game);
}

// Lets time pass, and writes down where it is.
static void pass(flight *f, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        oct_self self;
        check(f->ticks < TICKS_MAX && oct_game_step(f->game, 1) == OCT_OK &&
              oct_game_self(f->game, 0, &self) == OCT_OK);
        const oct_point v = self.velocity;
        f->at[f->ticks] = self.centre;
        f->speed[f->ticks++] = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        f->bumps = self.bumps;
    }
}

// What oct_game_turn does, tick by tick: with delays the game runs on before an action begins.
static void turn(flight *f, const oct_action *action)
{
    if (f->delay_max > 0) {
        const uint64_t spread = f->delay_max - f->delay_min + 1u;
        pass(f, f->delay_min + (uint32_t)oct_random_below(&f->random, spread));
    }
    oct_act came;
    check(f->action_count < ACTIONS_MAX && oct_game_act(f->game, 0, action, &came) == OCT_OK &&
          came == OCT_ACT_DONE);
    f->actions[f->action_count++] = f->ticks;
    if (f->delay_max == 0) {
        pass(f, action->ticks > 0 ? action->ticks : 1);
    }
}

static void fly(flight *f, oct_point to)
{
    oct_self self;
    oct_query query = oct_query_default();
    oct_path path;
    check(oct_game_self(f->game, 0, &self) == OCT_OK);
    query.from = self.centre;
    query.to = to;
    check(oct_planner_plan(f->planner, &query, &path) == OCT_OK && path.status == OCT_PATH_FOUND &&
          f->path_count + path.point_count <= 64 &&
          oct_pilot_follow(f->pilot, path.points, path.point_count) == OCT_OK);
    memcpy(f->path + f->path_count, path.points, path.point_count * sizeof *path.points);
    f->path_count += path.point_count;
    for (;;) {
        oct_action action;
        check(oct_game_self(f->game, 0, &self) == OCT_OK);
        const oct_pilot_status status = oct_pilot_next(f->pilot, &self, &action);
        if (status == OCT_PILOT_ARRIVED) {
            return;
        }
        check(status == OCT_PILOT_FLYING);
        turn(f, &action);
    }
}

static void press_and_wait(flight *f)
{
    turn(f, &(oct_action){.verb = OCT_VERB_USE, .target = PANEL, .button = 0});
    for (oct_thing door; oct_map_thing(f->map, DOOR, &door) && door.label != OCT_OPEN;) {
        const oct_allocator heap = oct_allocator_default();
        oct_observation seen;
        turn(f, &(oct_action){.verb = OCT_VERB_KEEP, .ticks = 6});
        check(oct_look_around(&f->look, &heap, f->game, 0, oct_game_describe(f->game), f->map,
                              &seen) == OCT_OK);
    }
}

// ---- drawing ----

// The plan has x to the right and z down.
static void draw_blocks(const oct_world *world, oct_point corner)
{
    static const char *const fills[OCT_KIND_COUNT] = {"#2f4858", "#d1495b", "#e07a3f", "#7d5ba6",
                                                      "#2a9d4f"};
    printf("<g shape-rendering='crispEdges'>\n");
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        const oct_bounds b = block.box;
        if (b.min.y <= CUT && CUT < b.max.y) {
            printf("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>\n",
                   (b.min.x - corner.x) * METRE, (b.min.z - corner.z) * METRE,
                   (b.max.x - b.min.x) * METRE, (b.max.z - b.min.z) * METRE,
                   fills[oct_world_get_type(world, block.type).kind]);
        }
    }
    printf("</g>\n<g font-size='13' paint-order='stroke' stroke='#ffffff' stroke-width='4'>\n");
    for (size_t i = 0; i < oct_world_blocks(world); i++) {
        const oct_world_block block = oct_world_get(world, i);
        if (oct_world_get_type(world, block.type).kind != OCT_KIND_SOLID) {
            printf("<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n",
                   ((block.box.min.x + block.box.max.x) / 2 - corner.x) * METRE,
                   (block.box.max.z - corner.z) * METRE + 16, block.name);
        }
    }
    printf("</g>\n");
}

static int tone_of(double speed)
{
    const int tone = (int)(speed / TONE_SPEED);
    return tone < TONES ? tone : TONES - 1;
}

static void draw_track(const flight *f, oct_point corner)
{
    printf("<g fill='none' stroke-width='5' stroke-linecap='round' stroke-linejoin='round'>\n");
    for (uint32_t i = 0; i + 1 < f->ticks;) {
        const int tone = tone_of(f->speed[i]);
        printf("<polyline stroke='%s' points='", tones[tone]);
        for (bool goes_on = true; goes_on; i++) {
            printf("%.1f,%.1f ", (f->at[i].x - corner.x) * METRE, (f->at[i].z - corner.z) * METRE);
            goes_on = i + 1 < f->ticks && tone_of(f->speed[i]) == tone;
        }
        printf("'/>\n");
        i--; // the next one begins where this one ends
    }
    printf("</g>\n<polyline fill='none' stroke='#22323c' points='");
    for (uint32_t i = 0; i < f->path_count; i++) {
        printf("%.1f,%.1f ", (f->path[i].x - corner.x) * METRE, (f->path[i].z - corner.z) * METRE);
    }
    printf("'/>\n<g fill='#22323c'>\n");
    for (uint32_t i = 0; i < f->action_count; i++) {
        const oct_point at = f->at[f->actions[i] > 0 ? f->actions[i] - 1 : 0];
        printf("<circle cx='%.1f' cy='%.1f' r='2.2'/>\n", (at.x - corner.x) * METRE,
               (at.z - corner.z) * METRE);
    }
    printf("</g>\n");
}

// Speed over time.
static void draw_chart(const flight *f, double width)
{
    const double second = width / CHART_TIME, metre = CHART / CHART_SPEED;
    printf("<g stroke='#c9d1d6'>");
    for (int speed = 0; speed <= (int)CHART_SPEED; speed += 5) {
        printf("<line x2='%.1f' y1='%.1f' y2='%.1f'/>", width, CHART - speed * metre,
               CHART - speed * metre);
    }
    printf("</g>\n<g font-size='12'>");
    for (int time = 0; time <= (int)CHART_TIME; time += 3) {
        const char *const anchor = time == 0 ? "start" : time < (int)CHART_TIME ? "middle" : "end";
        printf("<text x='%.1f' y='%d' text-anchor='%s'>%d%s</text>", time * second, CHART + 17,
               anchor, time, time == 0 ? " s" : "");
    }
    for (int speed = 5; speed <= (int)CHART_SPEED; speed += 5) {
        printf("<text x='%.1f' y='%.1f' text-anchor='end'>%d m/s</text>", width,
               CHART - speed * metre - 3, speed);
    }
    printf("</g>\n<polyline fill='none' stroke='#22323c' stroke-width='1.5' points='");
    for (uint32_t i = 0; i < f->ticks; i++) {
        printf("%.1f,%.1f ", (i + 1.0) / OCT_BLOCK_WORLD_RATE * second,
               CHART - f->speed[i] * metre);
    }
    printf("'/>\n");
}

static void draw_legend(double y)
{
    printf("<g font-size='13' transform='translate(0,%.0f)'>", y);
    for (int i = 0; i < TONES; i++) {
        printf("<rect x='%d' y='-11' width='34' height='12' fill='%s'/><text x='%d' y='0'>%g%s"
               "</text>",
               i * 92, tones[i], i * 92 + 40, i * TONE_SPEED, i == 0 ? " m/s" : "");
    }
    printf("<line x1='580' x2='614' y1='-5' y2='-5' stroke='#22323c'/><text x='622'>the path</text>"
           "<circle cx='720' cy='-5' r='2.2'/><text x='730'>an action begins</text></g>\n");
}

static void draw(const flight *f, const char *title)
{
    const oct_bounds all = oct_world_extent(f->world);
    const double width = (all.max.x - all.min.x) * METRE;
    const double height = (all.max.z - all.min.z) * METRE;
    char text[128];
    snprintf(text, sizeof text, "%s: %.1f s, %u actions", title,
             (double)f->ticks / OCT_BLOCK_WORLD_RATE, f->action_count);
    svg_title(text);
    draw_blocks(f->world, all.min);
    draw_track(f, all.min);
    printf("<g transform='translate(0,%.0f)'>\n", height + CHART_ABOVE);
    draw_chart(f, width);
    svg_leave();
}

static void fly_and_draw(const oct_world *world, uint32_t delay_min, uint32_t delay_max,
                         const char *title)
{
    static flight f;
    f = (flight){.world = world,
                 .delay_min = delay_min,
                 .delay_max = delay_max,
                 .random = oct_random_seed(1)};
    begin(&f);
    fly(&f, before_panel);
    press_and_wait(&f);
    fly(&f, before_target);
    check(f.bumps == 0);
    draw(&f, title);
    end(&f);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "flight_svg WORLD.json\n");
        return 2;
    }
    oct_world *world;
    oct_error error = {.line = 0};
    if (oct_world_load(argv[1], NULL, NULL, &world, NULL, &error) != OCT_OK) {
        fprintf(stderr, "%s:%u:%u: %s\n", argv[1], error.line, error.column, error.message);
        return 1;
    }
    const oct_bounds all = oct_world_extent(world);
    const int width = (int)ceil((all.max.x - all.min.x) * METRE);
    const int height = (int)ceil((all.max.z - all.min.z) * METRE) + CHART_ABOVE + CHART;
    svg_begin(2 * width + 3 * SVG_GAP, height + SVG_ABOVE + BELOW);
    svg_enter(SVG_GAP, SVG_ABOVE);
    fly_and_draw(world, 0, 0, "Stepped");
    draw_legend(height + 45.0);
    svg_leave();
    svg_enter(width + 2 * SVG_GAP, SVG_ABOVE);
    fly_and_draw(world, 2, 30, "Delays of 20 to 500 ms");
    svg_leave();
    svg_end();
    oct_world_destroy(world);
    return 0;
}
