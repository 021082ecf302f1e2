// SPDX-License-Identifier: MIT
#include "cli/gen_level.h"

#include "cli/cli_internal.h"

bool oct_cli_level_why(const char *name, oct_level_why *why)
{
    for (int i = OCT_LEVEL_SEALED; i < OCT_LEVEL_WHY_COUNT; i++) {
        if (strcmp(name, oct_level_why_name((oct_level_why)i)) == 0) {
            *why = (oct_level_why)i;
            return true;
        }
    }
    return false;
}

int oct_cli_check_level(const oct_level_def *def, oct_result result)
{
    if (result == OCT_ERROR_ARGUMENT && def->level_class == OCT_LEVEL_AGENTS) {
        return oct_cli_complain("gen: several agents get past %s; ask for another --why",
                                oct_level_why_name(def->why));
    }
    if (result == OCT_ERROR_RANGE) {
        return oct_cli_complain("gen: there is no such level of %s; ask for other --doors or "
                                "--buttons, or for none",
                                oct_level_class_name(def->level_class));
    }
    return oct_cli_check("gen", result);
}

// ---- the truth ----

static json_t *numbers(oct_point p)
{
    return json_pack("[f, f, f]", p.x, p.y, p.z);
}

static json_t *starts_json(const oct_level_truth *truth)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < truth->agents; i++) {
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "position",
                                              numbers(truth->start[i].position), "forward",
                                              numbers(truth->start[i].forward), "up",
                                              numbers(truth->start[i].up)));
    }
    return list;
}

static json_t *open_json(const oct_level_truth *truth)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < truth->doors; i++) {
        if (truth->open[i]) {
            json_array_append_new(list, json_integer((json_int_t)truth->door[i]));
        }
    }
    return list;
}

static json_t *effects_json(const oct_level_truth *truth, uint32_t button)
{
    static const char *const actions[] = {"nothing", "toggle", "open", "shut"};
    json_t *const list = json_array();
    for (uint32_t i = 0; i < truth->doors; i++) {
        const oct_level_effect e = truth->effect[button][i];
        if (e.action != OCT_LEVEL_NOTHING) {
            json_array_append_new(list,
                                  json_pack("{s:I, s:s, s:i, s:i}", "door",
                                            (json_int_t)truth->door[i], "action", actions[e.action],
                                            "delay", (int)e.delay, "undo", (int)e.undo));
        }
    }
    return list;
}

static json_t *buttons_json(const oct_level_truth *truth)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < truth->buttons; i++) {
        json_array_append_new(list, json_pack("{s:I, s:i, s:o}", "panel",
                                              (json_int_t)truth->button[i].panel, "number",
                                              (int)truth->button[i].number, "effects",
                                              effects_json(truth, i)));
    }
    return list;
}

static json_t *steps_json(const oct_level_truth *truth)
{
    static const char *const verbs[] = {"press", "go", "pass", "hold", "wait", "reach"};
    json_t *const list = json_array();
    for (uint32_t i = 0; i < truth->steps; i++) {
        const oct_level_step step = truth->step[i];
        json_array_append_new(list, json_pack("{s:i, s:s, s:i, s:i}", "agent", (int)step.agent,
                                              "verb", verbs[step.verb], "which", (int)step.which,
                                              "ticks", (int)step.ticks));
    }
    return list;
}

static json_t *words_json(uint32_t bits)
{
    static const char *const words[] = {"means", "body", "causes", "memory", "alone",
                                        "delay", "pace", "solid",  "truth"};
    json_t *const list = json_array();
    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bits >> i & 1u) {
            json_array_append_new(list, json_string(words[i]));
        }
    }
    return list;
}

json_t *oct_cli_level_json(const oct_level_truth *truth)
{
    return json_pack("{s:s, s:b, s:b, s:s, s:i, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "class",
                     oct_level_class_name(truth->level_class), "solvable", (int)truth->solvable,
                     "alone", (int)truth->alone, "why", oct_level_why_name(truth->why), "agents",
                     (int)truth->agents, "doors", (int)truth->doors, "target",
                     (json_int_t)truth->target, "starts", starts_json(truth), "open",
                     open_json(truth), "buttons", buttons_json(truth), "steps", steps_json(truth),
                     "assumes", words_json(truth->assumes), "denies", words_json(truth->denies));
}
