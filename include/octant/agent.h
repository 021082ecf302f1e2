// SPDX-License-Identifier: MIT
/// \file
/// Agents: belief, goals and a body in a game.
///
/// Each turn an agent looks around, thinks (one turn of its mind) and acts: one observation and one
/// action of at most `ticks` ticks. It sees the game through its interface alone. The functions of
/// its goals and tactics find it with oct_agent_of.
///
/// A run ends with a verdict. PASS: the goal was reached and everything that was demanded held.
/// FAIL: something did not, and that is certain. INCONCLUSIVE: it was not reached, but not
/// everything was looked at either. ERROR: the game or memory failed.
///
/// Threading: agents of one game belong to one thread.
#ifndef OCTANT_AGENT_H
#define OCTANT_AGENT_H

#include "octant/belief.h"
#include "octant/explore.h"
#include "octant/flight.h"
#include "octant/ltl.h"
#include "octant/message.h"

typedef struct oct_agent oct_agent;
/// What keeps an agent's map and plans by it.
typedef struct oct_navigator_kind oct_navigator_kind;

/// What an agent spends its time on, in the unit of its clock.
typedef struct oct_agent_times {
    uint64_t all;          ///< thinking, mapping and the game
    uint64_t initialising; ///< making map, explorer, pilot; the first look
    uint64_t adding;       ///< looks: what was seen goes into belief and map
    uint64_t pathfinding;  ///< paths to where it wants to go
    uint64_t exploring;    ///< where to look next, with the path
    uint64_t steering;     ///< the pilot
    uint64_t game;         ///< the game's own steps
    uint64_t looks;        ///< how often; the first look is one of them
    uint64_t paths, explorations, steers;
    uint64_t moving_ticks; ///< of the game: in which the body moved
} oct_agent_times;

/// How an agent gets about.
typedef enum oct_move {
    OCT_MOVE_BY_BODY, ///< in tests: on foot if its body cannot fly; else it flies
    OCT_MOVE_FLY,
    OCT_MOVE_WALK ///< on foot alone; who flies switches that off where it is
} oct_move;

/// How to create an agent. Start from oct_agent_def_default().
typedef struct oct_agent_def {
    oct_game *game;            ///< borrowed; must be there
    const oct_game_info *info; ///< what it is told of the game; NULL = as that describes itself
    uint32_t who;              ///< which player it is; default 0
    const char *name;          ///< copied; default "agent"
    const char *role;          ///< copied; default "tester"
    oct_post *post;            ///< borrowed; it joins; NULL = none
    oct_belief_def belief;     ///< as by default; its info, history and clock are the agent's
    oct_facing facing;         ///< default YAW
    oct_strategy strategy;     ///< of exploring; default NEAREST
    oct_move move;             ///< default BY_BODY, which flies
    const oct_bounds *bounds;  ///< metres; what is beyond is not explored; copied; NULL = none
    const oct_navigator_kind *navigator; ///< borrowed; NULL (default) = by `move`
    uint64_t seed;                       ///< default 1
    uint32_t ticks;                      ///< most of an action; default 20
    oct_clock_fn *clock;                 ///< for the times alone; NULL = they are not taken
    void *clock_ctx;
    oct_mind_event_fn *event; ///< told of goals and actions; NULL = nobody
    void *event_ctx;
    const oct_allocator *allocator; ///< copied; NULL = malloc
    uint32_t cookie;                ///< set by the default; do not touch
} oct_agent_def;

OCT_API oct_agent_def oct_agent_def_default(void);
OCT_API oct_result oct_agent_create(const oct_agent_def *def, oct_agent **out);
OCT_API void oct_agent_destroy(oct_agent *agent);

/// Gives it a goal, which is taken; NULL is OCT_ERROR_MEMORY.
OCT_API oct_result oct_agent_pursue(oct_agent *agent, oct_goal *goal);

/// Demands that a formula over its states (each the agent itself, after each look) holds; taken,
/// NULL is OCT_ERROR_MEMORY. Violations end the run. The name is copied.
OCT_API oct_result oct_agent_demand(oct_agent *agent, const char *name, oct_ltl *formula);

/// One turn. Failures of the game come back as results; they end the run with ERROR. The status may
/// be NULL: oct_agent_has_ended says when to stop.
OCT_API oct_result oct_agent_turn(oct_agent *agent, oct_goal_status *status);

/// A turn of several agents of one game: those whose actions have ended act, in their order, then
/// time passes until the next one's has. One that would give up waits until all others have ended
/// or would give up too, or nobody has brought anything new for a minute and what it wants is
/// excluded for all.
OCT_API oct_result oct_agents_turn(oct_agent *const *agents, size_t count);

/// Whether its run has ended: the goal has concluded, a demand was violated, or the game failed.
OCT_API bool oct_agent_has_ended(const oct_agent *agent);

typedef enum oct_verdict {
    OCT_VERDICT_PASS,
    OCT_VERDICT_FAIL,
    OCT_VERDICT_INCONCLUSIVE,
    OCT_VERDICT_ERROR,
    OCT_VERDICT_COUNT
} oct_verdict;

/// "pass", "fail", "inconclusive", "error"; NULL beyond the last.
OCT_API const char *oct_verdict_name(oct_verdict verdict);

/// The verdict, and why in one line ("" for PASS). A run that has not ended is INCONCLUSIVE.
OCT_API oct_verdict oct_agent_verdict(const oct_agent *agent, const char **reason);

/// The shortest step that would decide an INCONCLUSIVE verdict; "" where nobody has said.
OCT_API const char *oct_agent_decides(const oct_agent *agent);
/// For functions of goals, after oct_mind_because: says that step, in words that go on with "Would
/// be decided by". It counts if what was said before becomes the reason of the verdict.
OCT_API void oct_agent_would_decide(oct_agent *agent, const char *format, ...) OCT_FORMAT(2, 3);

/// What a FAIL rests on; NONE for any other verdict.
OCT_API oct_ground oct_agent_ground(const oct_agent *agent);

/// Notes: what the run showed beside its verdict ("Button1 was not at ..., but at ..."), in order.
OCT_API size_t oct_agent_notes(const oct_agent *agent);
OCT_API const char *oct_agent_note(const oct_agent *agent, size_t index);
OCT_API void oct_agent_add_note(oct_agent *agent, const char *format, ...) OCT_FORMAT(2, 3);

/// What a button certainly does to a door, from all that was seen. Links (octant/links.h) are a
/// guess that agents act on; this is what they report. Only isolated presses count, with no other
/// press by anybody until the longest delay of the game has passed, unless the game promises that
/// every link toggles. UNDECIDED also for what is not known.
OCT_API oct_link_kind oct_agent_link(const oct_agent *agent, oct_button button, uint64_t door);

OCT_API oct_belief *oct_agent_belief(const oct_agent *agent);
OCT_API oct_mind *oct_agent_mind(const oct_agent *agent);
OCT_API oct_game *oct_agent_game(const oct_agent *agent);
OCT_API const char *oct_agent_name(const oct_agent *agent);
OCT_API uint64_t oct_agent_turns(const oct_agent *agent);
/// What it is about, for a line that people read: "exploring: shortest path", "flying to Door1".
OCT_API const char *oct_agent_thought(const oct_agent *agent);
/// The path that it follows; the agent's, until its next turn.
OCT_API const oct_point *oct_agent_path(const oct_agent *agent, size_t *count);

/// What is believed of an entity has several sides.
typedef enum oct_aspect {
    OCT_ASPECT_OPENING, ///< how far it is open, and so whether it is in the way
    OCT_ASPECT_BODY,    ///< where it is, how whole, and that it is there
    OCT_ASPECT_PROPS    ///< its properties, which whatever is done may change: as of a look now
} oct_aspect;

/// Whether what is believed of an entity is certain: it was in sight in a look of this tick, or
/// nothing may have changed it since it was last seen. Tests that rest on what is not say so
/// (oct_mind_doubt); atoms are OCT_UNDECIDED.
OCT_API bool oct_agent_is_sure(const oct_agent *agent, const oct_known *known, oct_aspect aspect);

// ---- for actions ----

/// The agent that a mind is part of.
OCT_API oct_agent *oct_agent_of(const oct_mind *mind);

/// What to do this turn, in place of what was said before in the same turn. An agent that says
/// nothing waits, and comes to rest.
OCT_API void oct_agent_act(oct_agent *agent, const oct_action *action);
/// What came of the last turn's action, and which it was.
OCT_API oct_act oct_agent_came(const oct_agent *agent, oct_action *action);

/// Messages: those to itself, and sending. OCT_ERROR_ABSENT without a post office.
OCT_API oct_result oct_agent_send(oct_agent *agent, const char *to, const char *role,
                                  const char *topic, const char *text, double number);
OCT_API bool oct_agent_take(oct_agent *agent, const char *topic, oct_message *out);

#endif
