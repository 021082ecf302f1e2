// SPDX-License-Identifier: MIT
// What the parts of a Lab Recruits level have to do with each other: names, links, floors.
#include "world/recruits_level.h"

// ---- names ----

static uint64_t key_of(const char *id)
{
    return oct_hash_bytes(id, strlen(id));
}

uint32_t oct_recruits_level_find(const oct_recruits_level *level, const char *id)
{
    uint32_t at = INDEX_TABLE_BEGIN, index;
    while (index_table_next(&level->ids, key_of(id), &at, &index)) {
        if (strcmp(recruits_part(level, index)->id, id) == 0) {
            return index;
        }
    }
    return OCT_RECRUITS_NONE;
}

// What the game finds by its name.
static bool needs_id(oct_recruits_kind kind)
{
    return kind >= OCT_RECRUITS_AGENT && kind <= OCT_RECRUITS_WAYPOINT && kind != OCT_RECRUITS_FIRE;
}

static oct_result enter_id(oct_recruits_level *level, recruits_warnings *warnings, uint32_t index,
                           bool *is_taken)
{
    const oct_recruits_part *const part = recruits_part(level, index);
    const uint32_t other = oct_recruits_level_find(level, part->id);
    *is_taken = other != OCT_RECRUITS_NONE;
    if (*is_taken) {
        oct_recruits_warn(warnings, part->line, part->cell,
                          "'%.100s' is the name of another part, in line %lu; names mean the first",
                          part->id, (unsigned long)recruits_part(level, other)->line);
        return OCT_OK;
    }
    OCT_TRY(oct_index_table_reserve(&level->ids, &level->allocator, 1));
    oct_index_table_put(&level->ids, key_of(part->id), index);
    return OCT_OK;
}

// Whether a part stays. Agents that nobody can name are of no use.
static oct_result take_part(oct_recruits_level *level, recruits_warnings *warnings, uint32_t index,
                            uint32_t agents, bool *stays)
{
    const oct_recruits_part *const part = recruits_part(level, index);
    const bool is_agent = part->kind == OCT_RECRUITS_AGENT;
    bool is_taken = false;
    *stays = true;
    if (!needs_id(part->kind)) {
        return OCT_OK;
    }
    if (is_agent && agents == OCT_RECRUITS_AGENTS_MAX) {
        oct_recruits_warn(warnings, part->line, part->cell,
                          "a level has at most 64 agents; this one is left out");
        *stays = false;
        return OCT_OK;
    }
    if (part->id[0]) {
        OCT_TRY(enter_id(level, warnings, index, &is_taken));
    } else {
        oct_recruits_warn(warnings, part->line, part->cell, "the %s has no name: nobody can use it",
                          oct_recruits_kind_name(part->kind));
    }
    *stays = !is_agent || (part->id[0] && !is_taken);
    return OCT_OK;
}

// Parts keep their order.
static oct_result enter_ids(oct_recruits_level *level, recruits_warnings *warnings)
{
    uint32_t kept = 0, agents = 0;
    for (uint32_t i = 0; i < level->parts.count; i++) {
        bool stays;
        *recruits_part(level, kept) = *recruits_part(level, i);
        OCT_TRY(take_part(level, warnings, kept, agents, &stays));
        agents += stays && recruits_part(level, kept)->kind == OCT_RECRUITS_AGENT;
        kept += stays;
    }
    level->parts.count = kept;
    if (agents == 0 && level->width > 0) {
        oct_recruits_warn(warnings, 0, 0, "the level has no agent");
    }
    return OCT_OK;
}

// ---- links ----

static bool is_button(oct_recruits_kind kind)
{
    return kind == OCT_RECRUITS_BUTTON || kind == OCT_RECRUITS_COLOUR_BUTTON;
}

// Whether the game does anything about a link.
static bool has_effect(oct_recruits_kind source, oct_recruits_kind target)
{
    if (source == OCT_RECRUITS_NPC) {
        return target == OCT_RECRUITS_WAYPOINT;
    }
    return is_button(source) && (target == OCT_RECRUITS_DOOR || target == OCT_RECRUITS_ENEMY ||
                                 target == OCT_RECRUITS_SCREEN);
}

static void warn_link(const oct_recruits_level *level, recruits_warnings *warnings,
                      const oct_recruits_link *link)
{
    if (link->source == OCT_RECRUITS_NONE || link->target == OCT_RECRUITS_NONE) {
        oct_recruits_warn(warnings, link->line, link->source == OCT_RECRUITS_NONE ? 1 : link->cell,
                          "the link from '%.100s' to '%.100s' does nothing: there is no '%.100s'",
                          link->source_id, link->target_id,
                          link->source == OCT_RECRUITS_NONE ? link->source_id : link->target_id);
        return;
    }
    const oct_recruits_kind source = recruits_part(level, link->source)->kind;
    const oct_recruits_kind target = recruits_part(level, link->target)->kind;
    if (!has_effect(source, target)) {
        oct_recruits_warn(warnings, link->line, link->cell,
                          "the link from '%.100s' to '%.100s' does nothing: a %s does nothing to a "
                          "%s",
                          link->source_id, link->target_id, oct_recruits_kind_name(source),
                          oct_recruits_kind_name(target));
    }
}

static void resolve_links(oct_recruits_level *level, recruits_warnings *warnings)
{
    oct_recruits_link *const links = level->links.items;
    for (size_t i = 0; i < level->links.count; i++) {
        links[i].source = oct_recruits_level_find(level, links[i].source_id);
        links[i].target = oct_recruits_level_find(level, links[i].target_id);
        warn_link(level, warnings, &links[i]);
    }
}

// ---- floors ----

// Whether a part bears an agent: floor or ramp in its cell, or the wall below.
static bool bears(const oct_recruits_part *part, const oct_recruits_part *agent)
{
    return part->x == agent->x && part->z == agent->z &&
           ((part->y == agent->y &&
             (part->kind == OCT_RECRUITS_FLOOR || part->kind == OCT_RECRUITS_RAMP)) ||
            (part->y + 1 == agent->y && part->kind == OCT_RECRUITS_WALL));
}

// An agent that stands on nothing falls out of the level.
static bool has_ground(const oct_recruits_level *level, const oct_recruits_part *agent)
{
    for (uint32_t i = 0; i < level->parts.count; i++) {
        if (bears(recruits_part(level, i), agent)) {
            return true;
        }
    }
    return false;
}

oct_result oct_recruits_connect(oct_recruits_level *level, recruits_warnings *warnings)
{
    OCT_TRY(enter_ids(level, warnings));
    resolve_links(level, warnings);
    for (uint32_t i = 0; i < level->parts.count; i++) {
        const oct_recruits_part *const part = recruits_part(level, i);
        if (part->kind == OCT_RECRUITS_AGENT && !has_ground(level, part)) {
            oct_recruits_warn(warnings, part->line, part->cell,
                              "there is no floor below agent '%.100s'", part->id);
        }
    }
    return OCT_OK;
}
