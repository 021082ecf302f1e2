// SPDX-License-Identifier: MIT
// An agent's insides, shared by the files that move it, that pick what it is after, and that think.
#ifndef OCTANT_AGENT_INTERNAL_H
#define OCTANT_AGENT_INTERNAL_H

#include "base/base_internal.h"
#include "octant/tactics.h"

// A body this slow is at rest, m/s.
#define AGENT_AT_REST 0.05

// Where it is going, and why.
typedef enum journey_kind {
    JOURNEY_NONE,
    JOURNEY_TO,      // to a point, all of the way being known
    JOURNEY_TOWARDS, // towards a point, to where the way enters what is not known
    JOURNEY_EXPLORE  // to a place of the frontier
} journey_kind;

typedef struct journey {
    journey_kind kind;
    oct_point to;     // TO, TOWARDS: what was asked for
    oct_vec frontier; // TOWARDS, EXPLORE: the cell that it goes to
    uint64_t turn;    // in which it was last asked for
    const void *by;   // whose guard asked; NULL = of plain exploring
    oct_array path;   // of oct_point
    oct_pilot_status status;
} journey;

// A place that cannot be reached, whatever the unknown is, until something opens.
typedef struct closed_place {
    oct_point at;
    uint64_t openings; // of the belief
    bool is;
} closed_place;

#define CLOSED_PLACES 16

typedef struct demand {
    char *name;
    oct_ltl *formula;
} demand;

// How often a door was to be seen because of a press, while so much was known.
typedef struct agent_try {
    uint32_t door; // of the belief's entities
    uint32_t count;
    uint64_t knowledge;
} agent_try;

struct oct_agent {
    oct_allocator allocator;
    oct_game *game;
    uint32_t who;
    char *name;
    oct_post *post;
    uint32_t box; // of the post office
    oct_belief *belief;
    oct_explorer *explorer;
    oct_box bounds; // of exploring
    bool is_bounded;
    oct_pilot *pilot;
    oct_mind *mind;
    uint32_t ticks; // most of an action
    oct_clock_fn *clock;
    void *clock_ctx;

    journey journey;
    closed_place closed[CLOSED_PLACES]; // the last ones
    uint32_t next_closed;
    bool is_hidden;    // the last way to a place may be there, but nothing shows it
    oct_action action; // of this turn
    bool has_action;
    oct_action last;     // of the last turn
    oct_act came;        // and what came of it
    uint64_t busy_until; // the tick at which it acts again
    uint64_t turns;
    uint64_t looked;       // the tick of the last look around
    oct_point looked_from; // and from where
    bool is_curious;       // it has done something that may change what is around it
    oct_array tries;       // of agent_try
    oct_array demands;     // of demand
    oct_array notes;       // of char *
    char thought[128];

    bool has_ended;
    oct_verdict verdict;
    char reason[OCT_REASON_MAX];
    oct_result failed; // of the game or memory
    oct_agent_times times;
};

static inline uint64_t agent_now(const oct_agent *a)
{
    return a->clock ? a->clock(a->clock_ctx) : 0;
}

static inline const oct_self *agent_self(const oct_agent *a)
{
    return oct_belief_self(a->belief);
}

// ---- belief.c ----

// Gives a thing of the map a label for a question of the kind "what if"; whoever supposes something
// supposes what was there again before the next look.
oct_result oct_belief_suppose(oct_belief *belief, uint64_t id, oct_label label);

// ---- agent.c ----

bool oct_agent_rests(const oct_agent *a);
// Looks around now.
oct_result oct_agent_look(oct_agent *a);
// Ends the run: something that is not the world's failed. Returns the result.
oct_result oct_agent_break(oct_agent *a, oct_result result);
void oct_agent_think(oct_agent *a, const char *format, ...) OCT_FORMAT(2, 3);

// ---- journey.c: going somewhere ----

typedef enum journey_state {
    JOURNEY_THERE,  // there, and at rest
    JOURNEY_GOING,  // the turn's action was chosen
    JOURNEY_NO_WAY, // TO: no known way; TOWARDS: none, whatever the unknown is; EXPLORE: nothing is
                    // left to see
    JOURNEY_BOUNDED, // EXPLORE: nothing within the bounds
    JOURNEY_BROKEN   // memory
} journey_state;

// Each makes sure that it is the journey under way; oct_journey_step then chooses the turn's
// action. `tolerance` is how near is there, metres.
journey_state oct_journey_to(oct_agent *a, oct_point to, double tolerance);
journey_state oct_journey_towards(oct_agent *a, oct_point to);
journey_state oct_journey_explore(oct_agent *a);
void oct_journey_step(oct_agent *a);
// Whether it is on its way towards a place through what is not known, and that is still so.
bool oct_journey_is_towards(const oct_agent *a, oct_point to);
// THERE: there is a known way; GOING: there may be one, through what is not known; NO_WAY. How long
// it is (GOING: the known part), metres.
journey_state oct_journey_ask(oct_agent *a, oct_point to, double *length);
// Whether there is a known way, and how long it is, metres.
bool oct_journey_reaches(oct_agent *a, oct_point to, double *length);
void oct_journey_free(oct_agent *a);

oct_explorer *oct_agent_explorer(const oct_agent *agent);

// Adds what another one spent.
void oct_agent_times_add(oct_agent_times *sum, const oct_agent_times *times);

oct_agent_times oct_agent_spent(const oct_agent *agent);

#endif
