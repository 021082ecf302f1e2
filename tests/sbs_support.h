// SPDX-License-Identifier: MIT
// What the tests of saves share: pieces of saves, and reading them from memory.
#ifndef OCTANT_TESTS_SBS_SUPPORT_H
#define OCTANT_TESTS_SBS_SUPPORT_H

#include "world_support.h"

#include "files/world_sbs.h"

// ---- saves ----

#define XSI "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
#define SAVE_HEAD "<?xml version=\"1.0\"?>\n<MyObjectBuilder_Sector " XSI "><SectorObjects>\n"
#define SAVE_TAIL "</SectorObjects></MyObjectBuilder_Sector>\n"
#define SAVE(objects) SAVE_HEAD objects SAVE_TAIL
#define ENTITY(type, content)                                                                      \
    "<MyObjectBuilder_EntityBase xsi:type=\"MyObjectBuilder_" type "\">" content                   \
    "</MyObjectBuilder_EntityBase>\n"
#define POSE_AT(x, y, z)                                                                           \
    "<PositionAndOrientation><Position x=\"" x "\" y=\"" y "\" z=\"" z "\"/>"                      \
    "<Forward x=\"0\" y=\"-0\" z=\"-1\"/><Up x=\"0\" y=\"1\" z=\"0\"/></PositionAndOrientation>"
#define ID(id) "<EntityId>" id "</EntityId>"
#define LARGE "<GridSizeEnum>Large</GridSizeEnum>"
#define BLOCKS(blocks) "<CubeBlocks>" blocks "</CubeBlocks>"
#define GRID(id, blocks, more)                                                                     \
    ENTITY("CubeGrid", ID(id) POSE_AT("0", "0", "0") LARGE BLOCKS(blocks) more)
#define BLOCK(type, content)                                                                       \
    "<MyObjectBuilder_CubeBlock xsi:type=\"MyObjectBuilder_" type "\">" content                    \
    "</MyObjectBuilder_CubeBlock>\n"
#define SUBTYPE(name) "<SubtypeName>" name "</SubtypeName>"
#define MIN(x, y, z) "<Min x=\"" #x "\" y=\"" #y "\" z=\"" #z "\"/>"
#define TURN(forward, up) "<BlockOrientation Forward=\"" forward "\" Up=\"" up "\"/>"
#define NAMED(name) "<CustomName>" name "</CustomName>"
#define TOOLBAR(slots) "<Toolbar><Slots>" slots "</Slots></Toolbar>"
#define SLOT(index, data) "<Slot><Index>" index "</Index><Item/>" data "</Slot>"
#define ON_BLOCK(action, id)                                                                       \
    "<Data xsi:type=\"MyObjectBuilder_ToolbarItemTerminalBlock\"><Action>" action                  \
    "</Action><BlockEntityId>" id "</BlockEntityId></Data>"
#define ON_GROUP(action, group)                                                                    \
    "<Data xsi:type=\"MyObjectBuilder_ToolbarItemTerminalGroup\"><Action>" action                  \
    "</Action><BlockEntityId>99</BlockEntityId><GroupName>" group "</GroupName></Data>"
#define GROUPS(groups) "<BlockGroups>" groups "</BlockGroups>"
#define GROUP(name, cells)                                                                         \
    "<MyObjectBuilder_BlockGroup><Name>" name "</Name><Blocks>" cells                              \
    "</Blocks></MyObjectBuilder_BlockGroup>"
#define CELL(x, y, z) "<Vector3I><X>" #x "</X><Y>" #y "</Y><Z>" #z "</Z></Vector3I>"

// Everything that is read, in one save.
#define FULL_SAVE                                                                                  \
    SAVE(ENTITY("VoxelMap", ID("5") POSE_AT("1", "2", "3")) ENTITY(                                \
        "CubeGrid",                                                                                \
        ID("77") POSE_AT("10", "20.5", "-3e1") LARGE BLOCKS(                                       \
            BLOCK("CubeBlock", SUBTYPE("LargeBlockArmorBlock") "<ColorMaskHSV x=\"0\"/>") BLOCK(   \
                "CubeBlock", SUBTYPE("Window1x1Flat") ID("12") MIN(-3, 4, 19) TURN(                \
                                 "Backward", "Right") "<IntegrityPercent>0.75</IntegrityPercent>") \
                BLOCK("AirtightSlideDoor",                                                         \
                      SUBTYPE("LargeBlockSlideDoor") ID("13") MIN(1, 0, 0)                         \
                          NAMED("Door 1 ") "<Open>true</Open><CurrOpening>1</CurrOpening>")        \
                    BLOCK("ButtonPanel",                                                           \
                          SUBTYPE("ButtonPanelLarge") ID("-14") MIN(2, 0, 0) TOOLBAR(              \
                              SLOT("0", ON_BLOCK("Open", "13")) SLOT("2",                          \
                                                                     ON_GROUP("Open_Off", "All"))  \
                                  SLOT("3",                                                        \
                                       "<Data xsi:type=\"MyObjectBuilder_ToolbarItemEmote\"/>")))  \
                        BLOCK("TimerBlock",                                                        \
                              SUBTYPE("TimerBlockLarge") ID("15") MIN(3, 0, 0) TOOLBAR(            \
                                  SLOT("80", ON_BLOCK("Start", "15"))) "<Delay>1500</Delay>")      \
                            BLOCK("TargetDummyBlock",                                              \
                                  SUBTYPE("TargetDummy") ID("16") MIN(4, 0, 0) NAMED("")))         \
            GROUPS(GROUP(                                                                          \
                "All",                                                                             \
                CELL(1, 0, 0) CELL(0, 0, 0) CELL(                                                  \
                    9, 9,                                                                          \
                    9))) "<DisplayName>Base &amp; more</DisplayName><IsStatic>true</IsStatic>")    \
             ENTITY("Character", ID("88") POSE_AT("9.5", "-5.25", "54") "<HeadAngle x=\"1\"/>")    \
                 ENTITY("FloatingObject", ID("89")) ENTITY(                                        \
                     "CubeGrid",                                                                   \
                     ID("-5") "<PositionAndOrientation><Position x=\"0\" y=\"0\" z=\"0\"/>"        \
                              "<Forward x=\"1\" y=\"0\" z=\"0\"/><Up x=\"0\" y=\"0\" z=\"1\"/>"    \
                              "</PositionAndOrientation><GridSizeEnum>Small</"                     \
                              "GridSizeEnum>" BLOCKS(BLOCK("CubeBlock", MIN(2, 3, 4)))))

// Sizes of two types.
#define SIZES                                                                                      \
    "[{\"id\": \"MyObjectBuilder_Refinery\", \"type\": \"LargeRefinery\", \"cubeSize\": "          \
    "\"Large\","                                                                                   \
    " \"size\": [2, 4, 3]},\n"                                                                     \
    " {\"id\": \"MyObjectBuilder_Door\", \"type\": \"\", \"size\": [1, 1, 1], \"more\": null}]\n"

// ---- reading ----

// What a reader warned of, a line each.
typedef struct warnings {
    char text[4096];
} warnings;

static inline void note_warning(void *ctx, const char *message)
{
    warnings *const all = ctx;
    const size_t used = strlen(all->text);
    assert_true(used + strlen(message) + 2 < sizeof all->text);
    snprintf(all->text + used, sizeof all->text - used, "%s\n", message);
}

// Reads a save in pieces of so many bytes, each in memory of exactly its size.
static inline oct_result read_pieces(const char *text, size_t size, size_t piece,
                                     const oct_world_extras *extras, oct_world **world,
                                     oct_error *error)
{
    save_reader *const save = oct_save_create(extras, NULL, NULL);
    assert_non_null(save);
    oct_result result;
    *error = (oct_error){.line = 0};
    do {
        const size_t now = size < piece ? size : piece;
        char *const copy = malloc(now > 0 ? now : 1);
        assert_non_null(copy);
        memcpy(copy, text, now);
        result = oct_save_feed(save, copy, now, now == size, world, error);
        free(copy);
        text += now;
        size -= now;
    } while (result == OCT_OK && size > 0);
    oct_save_destroy(save);
    assert_int_equal(result == OCT_OK, *world != NULL);
    return result;
}

// Reads what must be a save; the warnings may be NULL.
static inline oct_world *read_save(const char *text, const oct_world *sizes, warnings *all)
{
    warnings own = {""};
    const oct_world_extras extras = {sizes, note_warning, all ? all : &own};
    oct_world *world;
    oct_error error;
    if (all) {
        all->text[0] = '\0';
    }
    if (read_pieces(text, strlen(text), SIZE_MAX, &extras, &world, &error) != OCT_OK) {
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    }
    return world;
}

static inline oct_world *read_sizes(const char *text)
{
    oct_world *types;
    oct_error error = {.line = 0};
    if (oct_block_sizes_decode(text, strlen(text), NULL, &types, &error) != OCT_OK) {
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    }
    return types;
}

#endif
