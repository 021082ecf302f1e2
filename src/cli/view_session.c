// SPDX-License-Identifier: MIT
#include "cli/view_session.h"
#include "cli/view_asking.h"
#include "cli/view_quadtree.h"
#include "octant/names.h"
#include "octant/tree.h"

#include <stdlib.h>
#include <string.h>

// ---- what there is ----

static bool is_trace(const char *path)
{
    const size_t length = strlen(path);
    return length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
}

static int open_map(view_item *item, const char *path, const cli_value *options)
{
    CLI_TRY(oct_cli_open_scene("view", path, options, &item->scene));
    item->stats = oct_tree_measure(item->scene.tree);
    return oct_cli_check(path,
                         oct_tree_count(item->scene.tree, item->scene.info.box, item->counts));
}

// The map of a swarm lies beside its trace.
static int open_swarm(view_item *item, const json_t *head, const cli_value *options)
{
    const char *const name = json_string_value(json_object_get(head, "map"));
    const char *const slash = strrchr(item->path, '/');
    const size_t folder = slash ? (size_t)(slash - item->path) + 1 : 0;
    if (!name || name[0] == '\0' || strchr(name, '/')) {
        return oct_cli_complain("%s:1: 'map' must be the name of a file beside it", item->path);
    }
    item->kind = VIEW_TRACE; // until there is a scene to close
    item->map_path = malloc(folder + strlen(name) + 1);
    if (!item->map_path) {
        return oct_cli_check("view", OCT_ERROR_MEMORY);
    }
    memcpy(item->map_path, item->path, folder);
    memcpy(item->map_path + folder, name, strlen(name) + 1);
    int code = open_map(item, item->map_path, options);
    item->kind = code == CLI_YES ? VIEW_SWARM : VIEW_TRACE;
    return code;
}

// A file whose first line is no trace's is refused before anybody waits for it.
static int open_trace(view_item *item, const cli_value *options)
{
    char line[4096] = "";
    FILE *const file = fopen(item->path, "rb");
    const bool is_read = file && fgets(line, sizeof line, file);
    if (file) {
        fclose(file);
    }
    if (!is_read || strncmp(line, "{\"octant_trace\": ", 17) != 0) {
        return oct_cli_complain("%s:1: this is no trace", item->path);
    }
    json_t *const head = json_loads(line, 0, NULL);
    const char *const task = json_string_value(json_object_get(head, "task"));
    const int code = task && strcmp(task, "swarm") == 0 ? open_swarm(item, head, options) : CLI_YES;
    json_decref(head);
    return code;
}

int oct_cli_view_begin(view_session *s)
{
    return oct_cli_check("view", oct_view_mesher_create(NULL, &s->mesher));
}

int oct_cli_view_add_live(view_session *s, const char *name)
{
    view_item *const item = &s->items[s->count];
    *item = (view_item){.path = name, .kind = VIEW_LIVE};
    if (pthread_mutex_init(&item->live.mutex, NULL) != 0) {
        return oct_cli_check("view", OCT_ERROR_MEMORY);
    }
    s->count++;
    return CLI_YES;
}

void oct_cli_view_append(view_live *live, const void *data, size_t size)
{
    const oct_allocator memory = oct_allocator_default();
    pthread_mutex_lock(&live->mutex);
    if (live->bytes.count + size <= VIEW_LIVE_MAX &&
        oct_array_reserve(&live->bytes, &memory, 1, live->bytes.count + size) == OCT_OK) {
        memcpy((uint8_t *)live->bytes.items + live->bytes.count, data, size);
        live->bytes.count += size;
    }
    pthread_mutex_unlock(&live->mutex);
}

int oct_cli_view_open(view_session *s, const cli_value *options, const char *const *paths,
                      size_t count)
{
    CLI_TRY(oct_cli_view_begin(s));
    if (count > VIEW_ITEMS_MAX) {
        return oct_cli_complain("view: at most %d files at a time", VIEW_ITEMS_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        view_item *const item = &s->items[i];
        *item = (view_item){.path = paths[i], .kind = is_trace(paths[i]) ? VIEW_TRACE : VIEW_MAP};
        s->count += item->kind == VIEW_TRACE; // one that fails has something to free
        CLI_TRY(item->kind == VIEW_TRACE ? open_trace(item, options)
                                         : open_map(item, item->path, options));
        s->count = i + 1;
    }
    return CLI_YES;
}

int oct_cli_view_lab(view_session *s, const char *path, cli_files *files)
{
    CLI_TRY(oct_cli_view_begin(s));
    s->items[0] = (view_item){
        .path = path ? path : "laboratory", .kind = VIEW_LAB, .lab = calloc(1, sizeof(view_lab))};
    s->count = 1;
    return s->items[0].lab ? oct_cli_lab_begin(s->items[0].lab, path, files)
                           : oct_cli_check("view", OCT_ERROR_MEMORY);
}

int oct_cli_view_quadtree(view_session *s)
{
    CLI_TRY(oct_cli_view_begin(s));
    s->items[0] = (view_item){
        .path = "quadtree", .kind = VIEW_QUADTREE, .quadtree = calloc(1, sizeof(view_quadtree))};
    s->count = 1;
    return s->items[0].quadtree ? oct_cli_quadtree_begin(s->items[0].quadtree)
                                : oct_cli_check("view", OCT_ERROR_MEMORY);
}

void oct_cli_view_close(view_session *s)
{
    for (size_t i = 0; i < s->count; i++) {
        oct_planner_destroy(s->items[i].planner);
        if (s->items[i].kind == VIEW_MAP || s->items[i].kind == VIEW_SWARM) {
            oct_cli_close_scene(&s->items[i].scene);
        }
        free(s->items[i].map_path);
        if (s->items[i].quadtree) {
            oct_cli_quadtree_close(s->items[i].quadtree);
            free(s->items[i].quadtree);
        }
        if (s->items[i].lab) {
            oct_cli_lab_close(s->items[i].lab);
            free(s->items[i].lab);
        }
        if (s->items[i].kind == VIEW_LIVE) {
            const oct_allocator memory = oct_allocator_default();
            oct_array_free(&s->items[i].live.bytes, &memory, 1);
            pthread_mutex_destroy(&s->items[i].live.mutex);
        }
    }
    oct_view_mesher_destroy(s->mesher);
}

// ---- questions ----

static bool say_hello(view_asking *a)
{
    static const char *const kind_words[] = {
        [VIEW_MAP] = "map",     [VIEW_TRACE] = "trace", [VIEW_LIVE] = "trace",
        [VIEW_SWARM] = "swarm", [VIEW_LAB] = "lab",     [VIEW_QUADTREE] = "quadtree"};
    json_t *const items = json_array();
    for (size_t i = 0; i < a->session->count; i++) {
        const view_item *const item = &a->session->items[i];
        const char *const slash = item->kind == VIEW_LIVE ? NULL : strrchr(item->path, '/');
        json_array_append_new(items, json_pack("{s:s, s:o}", "kind", kind_words[item->kind], "name",
                                               oct_cli_name_json(slash ? slash + 1 : item->path)));
    }
    return oct_cli_say_json(a, json_pack("{s:s, s:o}", "version", oct_version(), "items", items));
}

static const struct {
    const char *name;
    bool (*tell)(view_asking *a);
} questions[] = {
    {"hello", say_hello},
    {"scene", oct_cli_tell_scene},
    {"chunk", oct_cli_tell_chunk},
    {"slice", oct_cli_tell_slice},
    {"leaf", oct_cli_tell_leaf},
    {"paths", oct_cli_tell_paths},
    {"expansions", oct_cli_tell_expansions},
    {"blocks", oct_cli_tell_blocks},
    {"door", oct_cli_tell_door},
    {"pick", oct_cli_tell_pick},
    {"lines", oct_cli_tell_lines},
    {"divided", oct_cli_tell_divided},
    {"lab", oct_cli_tell_lab},
    {"lab_rows", oct_cli_tell_lab_rows},
    {"lab_new", oct_cli_tell_lab_new},
    {"lab_generate", oct_cli_tell_lab_generate},
    {"lab_edit", oct_cli_tell_lab_edit},
    {"lab_file", oct_cli_tell_lab_file},
    {"lab_load", oct_cli_tell_lab_load},
    {"lab_run", oct_cli_tell_lab_run},
    {"lab_batch", oct_cli_tell_lab_batch},
    {"lab_sees", oct_cli_tell_lab_sees},
    {"quadtree", oct_cli_tell_quadtree},
    {"quadtree_leaves", oct_cli_tell_quadtree_leaves},
};

static bool tell(view_asking *a)
{
    const char *const word = json_string_value(json_object_get(a->question, "ask"));
    const json_t *const id = json_object_get(a->question, "id");
    a->id = json_integer_value(id);
    if (!json_is_integer(id) || a->id < 0 || a->id > UINT32_MAX) {
        a->id = 0;
        return oct_cli_ask_refuse(a, "id");
    }
    for (size_t i = 0; word && i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(word, questions[i].name) == 0) {
            return questions[i].tell(a);
        }
    }
    return oct_cli_ask_refuse(a, "ask");
}

bool oct_cli_view_answer(void *session, const char *question, size_t size, view_answer *out)
{
    view_asking a = {.session = session,
                     .question = json_loadb(question, size, JSON_REJECT_DUPLICATES, NULL),
                     .out = out,
                     .why = "this is not JSON"};
    const bool good = a.question && tell(&a);
    if (!good) {
        const char *const why = a.why;
        out->bytes.count = 0;
        (void)oct_cli_say_json(&a, json_pack("{s:s}", "error", why));
    }
    json_decref(a.question);
    return good;
}
