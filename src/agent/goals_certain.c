// SPDX-License-Identifier: MIT
#include "agent/goals_certain.h"
#include "agent/belief_internal.h"
#include "agent/goals_internal.h"
#include "agent/link_proof.h"
#include "agent/lookout.h"
#include "agent/monitor.h"
#include "agent/proof.h"
#include "agent/walker.h"

#include "geom/geom_internal.h"

#include <math.h>
#include <stdio.h>

// What a body may be off its place and still be there, metres.
#define OFF 0.5
// Half the edge of what stands for a point, metres.
#define POINT 0.01

static bool is_mobile(const oct_history *h, const oct_known *k)
{
    const history_thing *const t = oct_history_find(h, k->now.thing.id);
    return !t || t->is_mobile;
}

// What somebody else has seen, or in another life, that may be meant: how many there are, and the
// last of them.
static size_t find_told(const goal_target *e, const oct_agent *a, oct_known *out)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const history_thing *const all = h->things.items;
    size_t count = 0;
    for (size_t i = 0; i < h->things.count; i++) {
        const oct_known k = {.now = all[i].told};
        if (oct_goal_target_means(e, a->belief, &k)) {
            *out = k;
            count++;
        }
    }
    return count;
}

const oct_links *oct_agent_own_links(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return h->starts.count == 1 ? oct_belief_links(a->belief) : NULL;
}

// Where a body may be that is at one side: straight out from the face, or a little beside that.
static oct_bounds places_at(const oct_known *k, oct_side side, double reach)
{
    oct_point normal;
    const oct_point face = oct_known_face(k, side, &normal);
    const oct_point far = point_add(face, point_scale(normal, reach));
    const oct_point beside = {fabs(normal.x) < 0.5 ? APPROACH_BESIDE : 0.0,
                              fabs(normal.y) < 0.5 ? APPROACH_BESIDE : 0.0,
                              fabs(normal.z) < 0.5 ? APPROACH_BESIDE : 0.0};
    return (oct_bounds){{fmin(face.x, far.x) - beside.x, fmin(face.y, far.y) - beside.y,
                         fmin(face.z, far.z) - beside.z},
                        {fmax(face.x, far.x) + beside.x, fmax(face.y, far.y) + beside.y,
                         fmax(face.z, far.z) + beside.z}};
}

// Things that are meant and are asked about, at most.
#define MEANT_MAX 8u

static possible_question question_of(const oct_agent *a, bool presses)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return (possible_question){.history = h,
                               .info = oct_belief_info(a->belief),
                               .lattice = oct_belief_sights(a->belief),
                               .near = agent_self(a)->centre,
                               .links = oct_agent_own_links(a),
                               // Others may press whatever they can.
                               .presses = presses || h->starts.count > 1};
}

// Why nothing is certain that an agent gives up, or says of all there is; NULL = it may be. What is
// not excluded takes for seen whatever is in range and in sight, all around.
static const char *doubt_of(const oct_agent *a)
{
    const double fov = oct_belief_info(a->belief)->fov;
    return a->navigator.kind->doubt         ? a->navigator.kind->doubt
           : fov > 0.0 && fov < OCT_FOV_ALL ? "what it did not turn to was not seen"
                                            : NULL;
}

// Others play who write elsewhere: what they did is not known.
static bool can_tell(const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    return oct_game_players(a->game) <= h->starts.count && !doubt_of(a);
}

static size_t events_of(const oct_history *h)
{
    return h->log.looks.count + h->log.acts.count;
}

#define CLAIM_LAST 63u

uint64_t oct_agent_claim_bit(size_t index)
{
    return UINT64_C(1) << (index < CLAIM_LAST ? index : CLAIM_LAST);
}

oct_result oct_agent_keep_proof(oct_agent *a, oct_proof *proof, const oct_known *thing,
                                uint64_t *claims)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const agent_proof new = {.proof = proof,
                             .presses = h->presses.count,
                             .events = events_of(h),
                             .upheld = events_of(h),
                             .has_thing = thing,
                             .thing = thing ? thing->now.thing.id : 0};
    agent_proof *const all = a->proofs.items;
    for (size_t i = 0; i < a->proofs.count; i++) {
        if (oct_proof_is_about(all[i].proof, proof)) {
            oct_proof_destroy(all[i].proof);
            all[i] = new;
            *claims = oct_agent_claim_bit(i);
            return OCT_OK;
        }
    }
    *claims = oct_agent_claim_bit(a->proofs.count);
    return oct_array_push(&a->proofs, &a->allocator, sizeof new, &new);
}

// Claims what is excluded, unless that did happen: then it is not, and something is wrong here.
static oct_result claim(oct_agent *a, oct_proof *proof, const oct_known *thing,
                        possible_answer *out)
{
    const oct_run_log log = oct_log_view(&oct_belief_history(a->belief)->log);
    char said[MONITOR_TEXT] = "";
    proof->extent = oct_run_log_extent(&log);
    oct_result result = oct_monitor_check(proof, &log, &a->allocator, said);
    if (result == OCT_OK && said[0]) {
        (void)snprintf(a->contradiction, sizeof a->contradiction, "%s", said);
        *out = (possible_answer){.status = POSSIBLE_MAYBE};
    } else if (result == OCT_OK) {
        result = oct_agent_keep_proof(a, proof, thing, &out->claims);
        proof = result == OCT_OK ? NULL : proof;
    }
    oct_proof_destroy(proof);
    return result;
}

// `thing` is what the question is about; NULL where that is nothing that was told.
static void ask(oct_agent *a, const possible_question *asked, const oct_known *thing,
                possible_answer *out)
{
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    if (!can_tell(a)) {
        return;
    }
    oct_proof *proof = NULL;
    possible_question q = *asked;
    q.proof = &proof; // who asks and is told that something is excluded gives it up
    oct_result result = oct_possible_ask(&q, &a->allocator, out);
    result = result == OCT_OK && proof ? claim(a, proof, thing, out) : result;
    // What is too large to be looked at is not decided.
    if (result != OCT_ERROR_RANGE) {
        (void)oct_agent_break(a, result);
    }
}

oct_result oct_agent_ask_model(const oct_agent *a, const oct_allocator *allocator,
                               possible_model_fn *see, void *ctx)
{
    const possible_question q = question_of(a, true);
    const oct_result result = can_tell(a) ? oct_possible_model(&q, allocator, see, ctx) : OCT_OK;
    return result == OCT_ERROR_RANGE ? OCT_OK : result;
}

void oct_agent_ask_unseen(oct_agent *a, bool presses, possible_answer *out)
{
    const possible_question q = question_of(a, presses);
    ask(a, &q, NULL, out);
    a->relies |= out->status == POSSIBLE_EXCLUDED ? out->claims : 0;
}

// Whether something that is not meant now may be so later: how a door is, and where something is
// that may move, may change; what has gone was there at the start.
static bool may_be_meant(const goal_target *e, const oct_agent *a)
{
    const oct_history *const h = oct_belief_history(a->belief);
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        oct_known k = *oct_belief_get(a->belief, i);
        const bool may_change = k.gone || k.now.kind == OCT_ENTITY_DOOR || is_mobile(h, &k) ||
                                k.now.kind == OCT_ENTITY_PLAYER;
        k.gone = false;
        if (may_change && oct_goal_target_could_mean(e, a->belief, &k)) {
            return true;
        }
    }
    return false;
}

// Whether something that is in the way may be looked through.
static bool has_windows(const oct_history *h)
{
    const history_thing *const all = h->things.items;
    for (size_t i = 0; i < h->things.count; i++) {
        if (!all[i].told.thing.opaque && all[i].told.thing.label != OCT_OPEN) {
            return true;
        }
    }
    return false;
}

// The box of a thing along its own axes, if it is one turned box; else the upright one.
static oct_bounds own_box(const oct_entity *e, double turn[4])
{
    const oct_piece *const p = e->shape.count == 1 ? e->shape.pieces : NULL;
    if (!p || p->kind != OCT_PIECE_OBB) {
        return e->thing.box;
    }
    oct_piece axes = *p;
    axes.centre = (oct_point){0, 0, 0};
    const oct_point middle = oct_piece_own(&axes, p->centre);
    memcpy(turn, p->turn, sizeof p->turn);
    return (oct_bounds){point_sub(middle, p->half), point_add(middle, p->half)};
}

// Something not known is looked for: it would be got at, or seen, from where one may be.
static void ask_lost(const goal_target *e, oct_agent *a, possible_answer *out)
{
    possible_question q = question_of(a, e->presses);
    const oct_bounds *const bounds = &q.info->bounds;
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    if (e->has_pick && (may_be_meant(e, a) || (e->is_to_see && has_windows(q.history)))) {
        return;
    }
    // What is to be seen may be seen from afar.
    q.reach = !e->has_pick   ? 0.0
              : e->is_to_see ? point_length(point_sub(bounds->max, bounds->min))
                             : oct_goal_target_most(e, a) + oct_goal_target_tolerance(e, a) +
                                   OFF * agent_metre(a);
    ask(a, &q, NULL, out);
}

static void ask_known(const goal_target *e, oct_agent *a, const oct_known *k, possible_answer *out)
{
    possible_question q = question_of(a, e->presses);
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    if (e->is_to_see || is_mobile(q.history, k)) {
        return;
    }
    const bool is_any = e->side >= OCT_SIDE_ANY;
    const oct_side side = oct_side_by_hand(q.info, e->side);
    q.is_known = true;
    q.target = is_any ? own_box(&k->now, q.turn) : places_at(k, side, 0.0);
    q.within = is_any ? q.target : places_at(k, side, oct_goal_target_most(e, a));
    q.reach = (is_any ? oct_goal_target_most(e, a) : 0.0) + oct_goal_target_tolerance(e, a) +
              OFF * agent_metre(a);
    ask(a, &q, k, out);
}

static void ask_point(const goal_target *e, oct_agent *a, possible_answer *out)
{
    possible_question q = question_of(a, e->presses);
    const oct_point p = e->point;
    q.is_known = true;
    q.target = q.within = (oct_bounds){{p.x - POINT, p.y - POINT, p.z - POINT},
                                       {p.x + POINT, p.y + POINT, p.z + POINT}};
    if (a->navigator.kind->footing(a->navigator.self)) {
        // Who walks stands in the middle of the ground near it.
        const double half = oct_agent_half(a);
        const oct_up up = q.info->up;
        q.within.min = oct_walker_raised(q.within.min, up, -half);
        q.within.max = oct_walker_raised(q.within.max, up, half);
        q.target = q.within;
    }
    q.reach = oct_goal_target_tolerance(e, a);
    ask(a, &q, NULL, out);
}

// Of two answers the one that leaves more open; what both exclude rests on both.
static void take_weaker(possible_answer *out, const possible_answer *other)
{
    const bool are_sure = out->status == POSSIBLE_EXCLUDED && other->status == POSSIBLE_EXCLUDED;
    const bool is_exact = out->is_exact || other->is_exact;
    const uint32_t assumes = out->assumes | other->assumes;
    if (are_sure) {
        out->assumes = assumes;
        out->claims |= other->claims;
        out->is_exact = is_exact;
    } else if (out->status == POSSIBLE_EXCLUDED) {
        *out = *other;
    }
}

// What was not seen may be one more.
static void ask_others(const goal_target *e, oct_agent *a, possible_answer *out)
{
    possible_answer other;
    if (!oct_goal_target_is_one(e, a) && out->status == POSSIBLE_EXCLUDED) {
        ask_lost(e, a, &other);
        take_weaker(out, &other);
    }
}

static void ask_told(const goal_target *e, oct_agent *a, const oct_known *told,
                     possible_answer *out)
{
    ask_known(e, a, told, out);
    ask_others(e, a, out);
}

// All that are meant are asked about.
static void ask_meant(const goal_target *e, oct_agent *a, possible_answer *out)
{
    uint32_t asked = 0;
    possible_answer other;
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        const oct_known k = *oct_belief_get(a->belief, i);
        if (!oct_goal_target_means(e, a->belief, &k)) {
            continue;
        }
        if (asked++ == MEANT_MAX) {
            *out = (possible_answer){.status = POSSIBLE_MAYBE};
            return;
        }
        ask_known(e, a, &k, asked == 1 ? out : &other);
        if (asked > 1) {
            take_weaker(out, &other);
        }
        if (out->status != POSSIBLE_EXCLUDED) {
            return;
        }
    }
    ask_others(e, a, out);
}

void oct_goal_target_ask_possible(goal_target *e, oct_agent *a, possible_answer *out)
{
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    // Who may be far away may be beyond a wall: that is not looked at.
    const double half = oct_belief_body(a->belief)->width / 2.0;
    if ((e->has_pick || e->has_point) && oct_goal_target_tolerance(e, a) > half) {
        return;
    }
    oct_known told;
    const bool is_known = e->has_pick && oct_goal_target_find(e, a);
    const size_t others = e->has_pick && !is_known ? find_told(e, a, &told) : 0;
    if (others > 1) {
        return;
    }
    if (is_known) {
        ask_meant(e, a, out);
    } else if (others == 1) {
        ask_told(e, a, &told, out);
    } else if (e->has_point) {
        ask_point(e, a, out);
    } else {
        ask_lost(e, a, out);
    }
}

oct_ground oct_possible_ground(const possible_answer *answer)
{
    if (answer->status != POSSIBLE_EXCLUDED) {
        return (oct_ground){.kind = OCT_PROOF_NONE};
    }
    return (oct_ground){.kind = answer->is_exact ? OCT_PROOF_STATES : OCT_PROOF_CUT,
                        .assumes = answer->assumes,
                        .claims = answer->claims};
}

// ---- what was claimed, again ----

oct_result oct_agent_ask_again(const oct_agent *a, const agent_proof *claim, possible_answer *out)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const oct_proof_target *const target = &claim->proof->target;
    if (claim->proof->kind == OCT_PROOF_WITNESS) {
        oct_agent_ask_links_again(a, claim->proof, out);
        return OCT_OK;
    }
    const history_thing *const thing = claim->has_thing ? oct_history_find(h, claim->thing) : NULL;
    oct_game_info info = *oct_belief_info(a->belief);
    info.denies |= h->denied; // others may have looked since
    possible_question q = question_of(a, target->presses);
    q.info = &info;
    q.is_known = target->is_known;
    q.target = target->box;
    q.within = target->within;
    q.reach = target->reach;
    memcpy(q.turn, target->turn, sizeof q.turn);
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    const bool is_there = !claim->has_thing || (thing && !thing->is_mobile);
    const oct_result result =
        can_tell(a) && is_there ? oct_possible_ask(&q, &a->allocator, out) : OCT_OK;
    return result == OCT_ERROR_RANGE ? OCT_OK : result;
}

// A pass says what was there until something was pressed; a fail speaks of the start.
static bool is_over(const oct_agent *a, const agent_proof *claim)
{
    return a->verdict == OCT_VERDICT_PASS && !claim->proof->target.presses &&
           claim->presses < oct_belief_history(a->belief)->presses.count;
}

bool oct_agent_rests_on(const oct_agent *a, size_t index)
{
    const agent_proof *const claim = (const agent_proof *)a->proofs.items + index;
    const uint64_t claims = a->verdict == OCT_VERDICT_PASS ? a->relies : a->ground.claims;
    return (claims & oct_agent_claim_bit(index)) != 0 && !is_over(a, claim);
}

bool oct_agent_upholds(oct_agent *a, possible_answer *out)
{
    const oct_history *const h = oct_belief_history(a->belief);
    agent_proof *const all = a->proofs.items;
    const uint32_t denied = a->ground.assumes & h->denied;
    *out = (possible_answer){.status = POSSIBLE_MAYBE, .has_denied = denied != 0};
    while (out->has_denied && (denied >> out->denied & 1) == 0) {
        out->denied++;
    }
    bool stands = denied == 0;
    for (size_t i = 0; i < a->proofs.count && stands; i++) {
        if (oct_agent_rests_on(a, i) && all[i].upheld < events_of(h)) {
            stands = oct_agent_break(a, oct_agent_ask_again(a, &all[i], out)) == OCT_OK &&
                     out->status == POSSIBLE_EXCLUDED;
            all[i].upheld = events_of(h);
        }
    }
    return stands;
}

// ---- becoming certain ----

// Most places that are looked for.
#define LOOKOUTS_MAX 500u
// So often is one looked for: from another place it may show.
#define LOOKOUT_TRIES 3u
// One that was looked for so near counts for another, metres.
#define LOOKED_NEAR 0.5

static bool wait(oct_agent *a)
{
    const oct_action rest = {.verb = OCT_VERB_WAIT, .ticks = a->ticks};
    oct_agent_think(a, "waiting for what presses may still do");
    oct_agent_act(a, &rest);
    a->is_curious = true;
    return true;
}

// Goes to where something can be seen that was not; false where it is there, or that is of no use.
static bool goes_to_look(goal_target *e, oct_agent *a)
{
    if (!e->has_lookout) {
        return false;
    }
    if (oct_journey_to(a, e->lookout, oct_goal_target_tolerance(e, a)) == JOURNEY_GOING) {
        oct_agent_think(a, "looking at what was not seen yet");
        oct_journey_step(a);
        return true;
    }
    // There, or it does not get there: what is seen from here counts.
    e->has_lookout = false;
    return false;
}

// Notes that a place is looked for; false where that was in vain often enough, with no more open
// than now.
static bool notes_lookout(oct_agent *a, oct_point at)
{
    agent_lookout *const all = a->lookouts.items;
    const agent_lookout new = {at, oct_belief_openings(a->belief), 1};
    for (size_t i = 0; i < a->lookouts.count; i++) {
        if (all[i].openings == new.openings &&
            point_length(point_sub(all[i].at, at)) < LOOKED_NEAR) {
            return all[i].tries++ < LOOKOUT_TRIES;
        }
    }
    return a->lookouts.count < LOOKOUTS_MAX &&
           oct_agent_break(a, oct_array_push(&a->lookouts, &a->allocator, sizeof new, &new)) ==
               OCT_OK;
}

// Chooses a place from which a door (or NULL), or else a point, is in sight.
static bool chooses_lookout(goal_target *e, oct_agent *a, oct_point at, const oct_known *door)
{
    if (!notes_lookout(a, at) || !(door ? oct_lookout_find_door(a, door, &e->lookout)
                                        : oct_lookout_find(a, at, &e->lookout))) {
        return false;
    }
    e->has_lookout = true;
    return goes_to_look(e, a);
}

// Takes the nearest of the places out of those that are left; false where there is none.
static bool take_nearest_unseen(goal_target *e, const oct_agent *a, oct_point *out)
{
    unseen_places *const left = &e->unseen;
    const oct_point from = agent_self(a)->centre;
    size_t best = 0;
    for (size_t i = 1; i < left->count; i++) {
        const double away = point_length(point_sub(left->at[i], from));
        best = away < point_length(point_sub(left->at[best], from)) ? i : best;
    }
    if (left->count == 0) {
        return false;
    }
    *out = left->at[best];
    left->at[best] = left->at[--left->count];
    return true;
}

static bool was_seen(const oct_agent *a, oct_point at)
{
    const oct_tree *const lattice = oct_belief_sights(a->belief);
    oct_vec cell;
    return oct_tree_cell_at(lattice, at, &cell) &&
           oct_history_has_seen(oct_belief_history(a->belief), lattice, cell);
}

// To ask what is left costs much: one answer is good for as many looks as it has places.
static bool looks_at_unseen(goal_target *e, oct_agent *a)
{
    oct_point at;
    if (e->unseen_openings != oct_belief_openings(a->belief)) {
        e->unseen.count = 0;
    }
    while (take_nearest_unseen(e, a, &at)) {
        if (!was_seen(a, at) && chooses_lookout(e, a, at, NULL)) {
            return true;
        }
    }
    return false;
}

static bool looks_at_more(goal_target *e, oct_agent *a, const unseen_places *unseen)
{
    e->unseen = *unseen;
    e->unseen_openings = oct_belief_openings(a->belief);
    return looks_at_unseen(e, a);
}

// A door that was not seen since all that presses did is over, where that may be late.
static bool looks_at_doors(goal_target *e, oct_agent *a)
{
    const effect_rules rules = oct_effect_rules_of(oct_belief_info(a->belief));
    const oct_history *const h = oct_belief_history(a->belief);
    uint64_t last;
    if (rules.settle == 0 || !oct_history_last_press(h, &last)) {
        return false;
    }
    const uint64_t over = last + rules.settle + rules.slide;
    for (uint32_t i = 0; i < oct_belief_count(a->belief); i++) {
        const oct_known *const k = oct_belief_get(a->belief, i);
        if (!k->gone && k->now.kind == OCT_ENTITY_DOOR && k->last < over &&
            chooses_lookout(e, a, oct_known_centre(k), k)) {
            return true;
        }
    }
    return false;
}

static bool is_promised(const oct_agent *a, oct_assumption assumption)
{
    return (oct_belief_info(a->belief)->promises >> assumption & 1) != 0;
}

// Presses, where that may tell what is undecided.
static bool experiments(goal_target *e, oct_agent *a, const possible_answer *possible)
{
    if (!e->presses || possible->undecided_count == 0) {
        return false;
    }
    // Where all links are toggles, equations tell more than single presses: what can be learned
    // without holding doors was learned.
    if (is_promised(a, OCT_ASSUME_TOGGLES)) {
        const bool is_new = !e->holds;
        e->holds = true;
        return is_new && wait(a);
    }
    return oct_experiment_begin(a, possible->undecided, possible->undecided_count, &e->experiment);
}

// Others that press and see nothing new for so long may go on so for ever, seconds.
#define IDLE 60.0

// Whether others that are at work bring nothing new, and it was not asked since they do.
static bool may_decide_beside(goal_target *e, const oct_agent *a)
{
    const uint64_t known = oct_agent_known_by_all(a), now = agent_self(a)->tick;
    if (e->known_by_all != known) {
        e->known_by_all = known;
        e->known_since = now;
        e->was_asked_since = false;
    }
    return !e->was_asked_since &&
           (double)(now - e->known_since) >= IDLE * oct_belief_info(a->belief)->rate;
}

bool oct_goal_target_makes_certain(goal_target *e, oct_agent *a, possible_answer *out)
{
    *out = (possible_answer){.status = POSSIBLE_MAYBE};
    if (oct_experiment_step(a, &e->experiment) || goes_to_look(e, a)) {
        return true;
    }
    // What is excluded is so for all of them. What is not may change as long as others are at work.
    const bool is_beside = oct_agent_waits(a);
    if (is_beside && !may_decide_beside(e, a)) {
        return true;
    }
    a->waits = false;
    if (!oct_experiment_is_quiet(a)) {
        return wait(a);
    }
    if (!oct_agent_has_looked(a) || looks_at_doors(e, a) || looks_at_unseen(e, a)) {
        return true;
    }
    oct_goal_target_ask_possible(e, a, out);
    if (looks_at_more(e, a, &out->unseen)) {
        return true;
    }
    if (is_beside && out->status != POSSIBLE_EXCLUDED) {
        e->was_asked_since = true;
        return oct_agent_waits(a);
    }
    return out->status != POSSIBLE_EXCLUDED &&
           (oct_experiment_watch(a, out->unwatched, out->unwatched_count, &e->experiment) ||
            experiments(e, a, out) || (e->presses && oct_experiment_press_two(a, &e->experiment)));
}

// ---- words ----

static const char *explain_undecided(const oct_agent *a, const possible_link *link, char *out,
                                     size_t size)
{
    char panel[OCT_REASON_MAX / 4], door[OCT_REASON_MAX / 4];
    (void)oct_belief_name_of(a->belief, link->button.panel, panel, sizeof panel);
    (void)oct_belief_name_of(a->belief, link->door, door, sizeof door);
    (void)snprintf(out, size, "it is not certain what button %u of %s does to %s",
                   link->button.number, panel, door);
    return out;
}

const char *oct_possible_explain(const oct_agent *a, const possible_answer *answer, char *out,
                                 size_t size)
{
    const oct_point p = answer->unseen.at[0];
    if (answer->status != POSSIBLE_EXCLUDED && !answer->has_denied && answer->undecided_count > 0) {
        return explain_undecided(a, &answer->undecided[0], out, size);
    }
    switch (answer->status) {
    case POSSIBLE_EXCLUDED:
        (void)snprintf(out, size, "certain");
        break;
    case POSSIBLE_UNSEEN:
        if (answer->has_carrier && answer->unseen.count == 0) {
            char name[OCT_REASON_MAX / 4];
            (void)oct_belief_name_of(a->belief, answer->carrier, name, sizeof name);
            (void)snprintf(out, size, "%s moves, and what moves with it may not have been seen",
                           name);
            break;
        }
        if (answer->unseen.count == 0) {
            (void)snprintf(out, size, "something smaller than the cells of the map may be hidden");
            break;
        }
        (void)snprintf(out, size, "what is at %.1f, %.1f, %.1f was not seen", p.x, p.y, p.z);
        break;
    case POSSIBLE_MAYBE:
        if (!answer->has_denied && answer->unwatched_count > 0) {
            char door[OCT_REASON_MAX / 4];
            (void)oct_belief_name_of(a->belief, answer->unwatched[0], door, sizeof door);
            (void)snprintf(out, size, "%s may move by itself: it was not watched for long enough",
                           door);
        } else if (!answer->has_denied && answer->untold && answer->untold[0]) {
            (void)snprintf(out, size, "the game does not tell '%s' of the body", answer->untold);
        } else if (answer->has_denied) {
            (void)snprintf(out, size, "the game does not promise '%s'",
                           oct_assumption_name(answer->denied));
        } else {
            const char *const doubt = doubt_of(a);
            (void)snprintf(out, size, "%s",
                           doubt ? doubt : "a way that nobody has found is not excluded");
        }
        break;
    case POSSIBLE_LIMIT:
        (void)snprintf(out, size, "%s",
                       oct_belief_history(a->belief)->starts.count > 1
                           ? "several agents may press for each other, and such orders are not "
                             "looked at"
                           : "there are too many states of the doors to look at");
        break;
    }
    return out;
}
