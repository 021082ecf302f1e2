// SPDX-License-Identifier: MIT
// An agent's insides, shared by the files that move it, that pick what it is after, and that think.
#ifndef OCTANT_AGENT_INTERNAL_H
#define OCTANT_AGENT_INTERNAL_H

#include "agent/belief_internal.h"
#include "agent/navigator.h"
#include "base/base_internal.h"
#include "octant/proof.h"
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
    uint64_t turn;    // in which it was last taken up
    oct_array path;   // of oct_point
    oct_pilot_status status;
} journey;

// A way that the body could set out on. All zero has no path; who owns one frees it.
typedef struct planned_way {
    oct_allocator allocator; // of the path; its owner sets it
    journey_kind kind;       // NONE: it is there
    bool goes_on;            // it is the journey under way
    oct_point to;            // as of a journey
    oct_vec frontier;
    oct_array path; // of oct_point
} planned_way;

// Where to explore, as long as nothing was learned since.
typedef struct explore_answer {
    bool is;
    uint64_t turn, looks, revision; // when it was asked: of the agent, the belief, the map
    oct_explore_status status;
    planned_way way;
} explore_answer;

// A place that cannot be reached, whatever the unknown is, until something opens.
typedef struct closed_place {
    oct_point at;
    uint64_t openings; // of the belief
    bool is;
} closed_place;

#define CLOSED_PLACES 16

// Turning towards a direction, see hand.h.
typedef struct aiming {
    uint64_t turn; // in which it turned last,
    oct_point towards;
    double missing; // and what was missing then, radians
} aiming;

// Turning around, see turn_around.h.
#define TURN_AROUND_WORDS 3
typedef struct turn_around {
    bool is_turning;
    oct_point towards;
    aiming aim;
    bool has_place, has_looked; // from `at` it looked at all that is worth it
    oct_point at;
    uint64_t made[TURN_AROUND_WORDS]; // looks from there, a bit each
    uint64_t doors;                   // that were looked for from there, since:
    size_t presses;                   // of the history
    uint64_t openings;                // of the belief
    bool is_unsettled;
} turn_around;

typedef struct demand {
    char *name;
    oct_ltl *formula;
    // Since when it depends on something that was undecided, ticks, and on what.
    bool is_open;
    uint64_t since;
    char doubt[OCT_REASON_MAX / 2];
} demand;

// How often a door was to be seen because of a press, while so much was known.
typedef struct agent_try {
    uint32_t door; // of the belief's entities
    uint32_t count;
    uint64_t knowledge;
} agent_try;

// A place that was looked for, and what had opened by then.
typedef struct agent_lookout {
    oct_point at;
    uint64_t openings;
    uint32_t tries;
} agent_lookout;

// A button that was chosen to be pressed, and what was known then.
typedef struct agent_press {
    uint32_t button; // of the links
    uint64_t situation;
} agent_press;

// An entity of which something was read that was not certain, and may have been kept: until it is
// seen again nothing that is asked is certain.
typedef struct agent_unsure {
    uint32_t known; // of the belief's entities
    uint64_t last;  // when it was last seen then
} agent_unsure;

// Something that is claimed for certain.
typedef struct agent_proof {
    oct_proof *proof;
    size_t presses; // of the history then
    size_t events;  // looks and acts of the log then
    size_t upheld;  // those until which it was found to hold
    bool has_thing;
    uint64_t thing; // what it is about, if that is something that was told
} agent_proof;

struct oct_agent {
    oct_allocator allocator;
    oct_game *game;
    uint32_t who;
    char *name;
    oct_post *post;
    uint32_t box; // of the post office
    oct_belief *belief;
    navigator navigator; // what it knows of space
    oct_box bounds;      // of exploring
    oct_strategy strategy;
    uint64_t seed;
    bool is_bounded;
    oct_pilot *pilot;
    oct_mind *mind;
    uint32_t ticks; // most of an action
    uint32_t brief; // and of this turn's, where that is less; 0 = not
    oct_clock_fn *clock;
    void *clock_ctx;

    journey journey;
    planned_way way;                    // of the journey that was last set out on
    explore_answer to_see;              // the last answer where to explore
    closed_place closed[CLOSED_PLACES]; // the last ones
    uint32_t next_closed;
    oct_action action; // of this turn
    char do_name[64];  // of it
    bool has_action;
    oct_action last;      // of the last turn
    oct_act came;         // and what came of it
    char refusal[128];    // in the game's words; "" where there are none
    uint64_t busy_until;  // the tick at which it acts again
    uint64_t alone_until; // and, as it takes its turn, at which another one acts
    uint64_t turns;
    uint64_t heard;        // events that were known when demands were last asked
    uint64_t news;         // and the turn before: from there on they are of this turn
    uint64_t looked;       // the tick of the last look around
    oct_point looked_from; // and from where
    bool is_curious;       // it has done something that may change what is around it
    // It would give up, and waits for the others, who may change that.
    bool waits;
    uint64_t waited_for; // how much was known then
    bool others_work;    // not all others have ended or wait
    bool gave_up;        // on something that is not excluded from the start
    bool must_look;      // before it does anything else
    bool is_off_noted;   // that its body moves otherwise than it is described
    turn_around turning;
    aiming aiming;
    const char *life_ended; // why its life is over; NULL = it is not
    bool saw_unsettled;     // effects of presses could still come at the last look
    oct_array tries;        // of agent_try
    oct_array lookouts;     // of agent_lookout
    oct_array experiments;  // of experiment_try
    oct_array pressed;      // of agent_press
    oct_array unsure;       // of agent_unsure: what was read while it acted
    oct_array demands;      // of demand
    uint64_t all_asked;     // looks when it was last asked whether it knows all there is
    bool knows_all;         // and the answer
    // Of two buttons that are pressed in a row the second, while the first was pressed.
    bool has_second, has_second_place;
    oct_button second;
    oct_point second_place;
    oct_array proofs; // of agent_proof: all that was claimed
    uint64_t relies;  // a pass: on which of them; see oct_ground
    // What has happened that was excluded, in words; "" = nothing.
    char contradiction[256];
    oct_array notes;  // of char *
    oct_array survey; // of char *: notes of the last time that it gave up
    char thought[128];

    bool has_ended;
    oct_verdict verdict;
    oct_ground ground; // of a FAIL
    char reason[OCT_REASON_MAX];
    char decides[OCT_REASON_MAX];    // what would decide it, as was said last,
    char decides_of[OCT_REASON_MAX]; // and of which reason
    oct_result failed;               // of the game or memory
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

// How many of the game's units are a metre: what lengths in the code are of.
static inline double agent_metre(const oct_agent *a)
{
    return belief_metre(oct_belief_info(a->belief));
}

// Half of its body's height: a body that stands there holds a point so far above or below.
static inline double oct_agent_half(const oct_agent *a)
{
    return oct_belief_body(a->belief)->height / 2.0;
}

// Whether a tool of its is at work.
static inline bool agent_works(const oct_agent *a)
{
    const oct_self *const self = agent_self(a);
    return oct_property_number(self->props, self->prop_count, "works", 0.0) != 0.0;
}

// ---- agent*.c ----

// A last resort, once: takes what is turned as it is, in cells half as wide. Until then its upright
// box stands for it, which shuts passages that lie across the cells. False where nothing turned was
// seen, or where it was done before. Plain navigators keep their cells.
bool oct_agent_refine(oct_agent *agent);

bool oct_agent_rests(const oct_agent *a);
// Whether others are still at work: then it waits, and this turn is over.
bool oct_agent_waits(oct_agent *a);
// How much all agents have pressed and seen together.
uint64_t oct_agent_known_by_all(const oct_agent *a);
// Doubts what is left of what was read while it acted; see agent_unsure.
void oct_agent_recall(oct_agent *a);
// Whether it gave up something, in this run, that is not excluded from the start.
bool oct_agent_gave_up(const oct_agent *a);
// Withdraws the verdict of an agent that has ended, where it no longer holds: what was seen or done
// since, by anybody, speaks against what it rests on.
void oct_agent_review(oct_agent *a);
// Whether this turn began with a look around; else the next one will, as soon as can be. For
// actions that conclude something from what is not to be seen.
bool oct_agent_has_looked(oct_agent *a);
// Looks now, unless this turn has looked: true where it did.
bool oct_agent_look_again(oct_agent *a);
// The first event of this turn, see oct_belief_event.
uint64_t oct_agent_news(const oct_agent *a);
// This turn's action is to take no longer than so many ticks: something is watched closely. Only in
// a game that is stepped.
void oct_agent_be_brief(oct_agent *a, uint32_t ticks);
// Ends the run: something that is not the world's failed. Returns the result.
oct_result oct_agent_break(oct_agent *a, oct_result result);
// What it gave up for certain in this run, or claimed of all there is: the last proof about each
// target.
size_t oct_agent_proofs(const oct_agent *a);
const oct_proof *oct_agent_proof(const oct_agent *a, size_t index);
void oct_agent_think(oct_agent *a, const char *format, ...) OCT_FORMAT(2, 3);
void oct_agent_forget_survey(oct_agent *a);

// ---- journey.c: going somewhere ----

typedef enum journey_state {
    JOURNEY_THERE,  // there, and at rest
    JOURNEY_GOING,  // the turn's action was chosen
    JOURNEY_NO_WAY, // TO: no known way; TOWARDS: none, whatever the unknown is; EXPLORE: nothing is
                    // left to see
    JOURNEY_BOUNDED, // EXPLORE: nothing within the bounds
    JOURNEY_BROKEN   // memory
} journey_state;

// Ways for guards and plans: asking changes nothing. THERE and GOING fill `out`. `tolerance` is how
// near is there, metres.
journey_state oct_way_to(oct_agent *a, oct_point to, double tolerance, planned_way *out);
journey_state oct_way_towards(oct_agent *a, oct_point to, planned_way *out);
journey_state oct_way_explore(oct_agent *a, planned_way *out);
void oct_way_free(planned_way *w);

// For actions: makes a way the journey under way; false where memory is short. oct_journey_step
// then chooses the turn's action.
bool oct_journey_set_out(oct_agent *a, const planned_way *w);
void oct_journey_step(oct_agent *a);
// Both the way and setting out, for actions.
journey_state oct_journey_to(oct_agent *a, oct_point to, double tolerance);
journey_state oct_journey_explore(oct_agent *a);
// Whether it is on its way towards a place through what is not known, and that is still so.
bool oct_journey_is_towards(const oct_agent *a, oct_point to);
// THERE: there is a known way; GOING: there may be one, through what is not known; NO_WAY. How long
// it is (GOING: the known part), metres.
journey_state oct_journey_ask(oct_agent *a, oct_point to, double *length);
// Whether there is a known way, and how long it is, metres.
bool oct_journey_reaches(oct_agent *a, oct_point to, double *length);
void oct_journey_free(oct_agent *a);

// What stayed unknown, as oct_explorer_remains.
oct_result oct_agent_remains(const oct_agent *agent, oct_remains *out);

// Adds what another one spent.
void oct_agent_times_add(oct_agent_times *sum, const oct_agent_times *times);

oct_agent_times oct_agent_spent(const oct_agent *agent);

#endif
