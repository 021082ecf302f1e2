// SPDX-License-Identifier: MIT
// Space Engineers' words for things, as worlds have them.
#include "files/engineers.h"

#include "files/world_reader.h"

#include <stdio.h>

// Buttons of a panel of which no more are wired.
#define PANEL_BUTTONS 4

typedef struct word_value {
    const char *word;
    uint8_t value;
} word_value;

// The value of a word in a list that ends with a NULL word; false where it is not there.
static bool find_word(const word_value *list, const char *word, uint8_t *value)
{
    for (; list->word; list++) {
        if (strcmp(list->word, word) == 0) {
            *value = list->value;
            return true;
        }
    }
    return false;
}

bool oct_engineers_cell(const char *word, double *edge)
{
    const bool large = strcmp(word, "Large") == 0;
    *edge = large ? 2.5 : 0.5;
    return large || strcmp(word, "Small") == 0;
}

bool oct_engineers_side(const char *word, uint8_t *side)
{
    static const word_value sides[] = {
        {"Forward", OCT_SIDE_FORWARD},
        {"Backward", OCT_SIDE_BACKWARD},
        {"Left", OCT_SIDE_LEFT},
        {"Right", OCT_SIDE_RIGHT},
        {"Up", OCT_SIDE_UP},
        {"Down", OCT_SIDE_DOWN},
        {NULL, 0},
    };
    return find_word(sides, word, side);
}

oct_wire_action oct_engineers_action(const char *word)
{
    static const word_value actions[] = {
        {"Open", OCT_WIRE_TOGGLE},
        {"Open_On", OCT_WIRE_OPEN},
        {"Open_Off", OCT_WIRE_SHUT},
        {"TriggerNow", OCT_WIRE_START},
        {"Start", OCT_WIRE_START},
        {"Stop", OCT_WIRE_STOP},
        {NULL, 0},
    };
    uint8_t action;
    return find_word(actions, word, &action) ? (oct_wire_action)action : OCT_WIRE_OTHER;
}

bool oct_engineers_id(const char *text, uint64_t *id)
{
    const bool negative = text[0] == '-';
    uint64_t size;
    if (!oct_world_parse_id(text + negative, &size) || (negative && size > UINT64_C(1) << 63)) {
        return false;
    }
    *id = negative ? UINT64_C(0) - size : size;
    return true;
}

static oct_kind kind_of(const char *type)
{
    static const word_value kinds[] = {
        {"ButtonPanel", OCT_KIND_PANEL},
        {"TimerBlock", OCT_KIND_TIMER},
        {"TargetDummyBlock", OCT_KIND_TARGET},
        {NULL, 0},
    };
    uint8_t kind;
    if (find_word(kinds, type, &kind)) {
        return (oct_kind)kind;
    }
    return strstr(type, "Door") ? OCT_KIND_DOOR : OCT_KIND_SOLID;
}

bool oct_engineers_type(const char *type, const char *subtype, char name[OCT_WORLD_NAME_MAX + 1],
                        oct_world_type *out)
{
    const int length = snprintf(name, OCT_WORLD_NAME_MAX + 1, "%s/%s", type, subtype);
    *out = oct_world_type_default();
    out->name = name;
    out->opaque = strncmp(subtype, "Window", 6) != 0; // panes of glass
    out->kind = (uint8_t)kind_of(type);
    out->buttons = out->kind == OCT_KIND_PANEL ? PANEL_BUTTONS : 0;
    return length >= 0 && length <= OCT_WORLD_NAME_MAX;
}

void oct_engineers_cell_name(uint64_t grid_id, oct_vec cell, char name[ENGINEERS_CELL_NAME])
{
    snprintf(name, ENGINEERS_CELL_NAME, "%lld/%ld,%ld,%ld", (long long)grid_id, (long)cell.x,
             (long)cell.y, (long)cell.z);
}
