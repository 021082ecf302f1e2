// SPDX-License-Identifier: MIT
#include "agent/experiment.h"
#include "agent/belief_internal.h"
#include "agent/doorway.h"
#include "agent/goals_internal.h"
#include "agent/link_kind.h"
#include "agent/links_internal.h"
#include "agent/lookout.h"

#include "geom/geom_internal.h"

// How often something is tried for a link while nothing new follows from it.
#define TRIES_MAX 3u
// Doors that a place to press from is chosen for, at most.
#define WATCHED_MAX 16u

static effect_rules rules_of(const oct_agent *a)
{
    return oct_effect_rules_of(oct_belief_info(a->belief));
}

static bool is_delayed(const oct_agent *a)
{
    return rules_of(a).settle > 0;
}

// ---- when ----

// The tick from which on nothing that was pressed moves a door; 0 where nothing was.
static uint64_t quiet_from(const oct_agent *a)
{
    const effect_rules rules = rules_of(a);
    uint64_t last;
    if (!oct_history_last_press(oct_belief_history(a->belief), &last)) {
        return 0;
    }
    const uint64_t links = rules.toggles ? oct_links_settled(oct_belief_links(a->belief)) : 0;
    const uint64_t effects = last + rules.settle + rules.slide;
    return links > effects ? links : effects;
}

bool oct_experiment_is_quiet(const oct_agent *a)
{
    return agent_self(a)->tick >= quiet_from(a);
}

// Whether a press now would be isolated from those before it.
static bool is_isolated(const oct_agent *a)
{
    const effect_rules rules = rules_of(a);
    uint64_t last;
    return oct_experiment_is_quiet(a) &&
           (!oct_history_last_press(oct_belief_history(a->belief), &last) ||
            agent_self(a)->tick >= last + oct_effects_spell(&rules));
}

// ---- what is known of a door ----

static const oct_known *known_of(const oct_agent *a, uint64_t id)
{
    uint32_t index;
    const oct_known *const k =
        oct_belief_find(a->belief, id, &index) ? oct_belief_get(a->belief, index) : NULL;
    return k && !k->gone ? k : NULL;
}

typedef enum door_news {
    DOOR_UNSEEN, // not at rest, with nobody in its way, in this life
    DOOR_SEEN,   // so, but presses may have moved it since
    DOOR_CERTAIN
} door_news;

static door_news news_of(const oct_agent *a, uint64_t id, bool *is_open)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const history_thing *const thing = oct_history_find(h, id);
    if (!known_of(a, id) || !thing || thing->door == 0) {
        return DOOR_UNSEEN;
    }
    const oct_array *const runs = &((const history_door *)h->doors.items + thing->door - 1)->runs;
    const door_run *const last =
        runs->count > 0 ? (const door_run *)runs->items + runs->count - 1 : NULL;
    *is_open = last && last->opening >= 1.0;
    if (!last || last->life != h->life || last->is_held || (last->opening > 0.0 && !*is_open)) {
        return DOOR_UNSEEN;
    }
    return last->last >= h->offset + quiet_from(a) ? DOOR_CERTAIN : DOOR_SEEN;
}

// ---- what was tried ----

static bool is_same(oct_button a, oct_button b)
{
    return a.panel == b.panel && a.number == b.number;
}

// What was tried for a link counts anew when something was learned; what was forgotten (a press
// that came soon after makes another one worthless) and learned again is not new. NULL where memory
// is short.
static experiment_try *try_of(oct_agent *a, const possible_link *link)
{
    experiment_try *const all = a->experiments.items;
    for (size_t i = 0; i < a->experiments.count; i++) {
        if (is_same(all[i].button, link->button) && all[i].door == link->door &&
            all[i].then.panel == 0) {
            all[i].count = (all[i].left & ~link->effects) == 0 ? all[i].count : 0;
            all[i].left &= link->effects;
            return &all[i];
        }
    }
    const experiment_try new = {
        .button = link->button, .door = link->door, .left = link->effects, .presses = SIZE_MAX};
    if (oct_agent_break(a, oct_array_push(&a->experiments, &a->allocator, sizeof new, &new)) !=
        OCT_OK) {
        return NULL;
    }
    return (experiment_try *)a->experiments.items + a->experiments.count - 1;
}

static bool may_try(oct_agent *a, const possible_link *link, uint32_t most)
{
    const experiment_try *const tried = try_of(a, link);
    return tried && tried->count < most;
}

static void note_try(oct_agent *a, const possible_link *link)
{
    experiment_try *const tried = try_of(a, link);
    if (tried) {
        tried->count++;
    }
}

// ---- looking ----

// A door whose state is not certain; each is looked for once after each press.
static bool chooses_look(oct_agent *a, const possible_link *links, size_t count, experiment *out)
{
    const size_t presses = oct_belief_history(a->belief)->presses.count;
    for (size_t i = 0; i < count; i++) {
        const uint64_t id = links[i].door;
        const oct_known *const door = known_of(a, id);
        bool is_open;
        if (!door || news_of(a, id, &is_open) == DOOR_CERTAIN ||
            !may_try(a, &links[i], TRIES_MAX)) {
            continue;
        }
        experiment_try *const looks = try_of(a, &(possible_link){.door = id});
        if (!looks || looks->presses == presses) {
            continue;
        }
        looks->presses = presses;
        *out = (experiment){.phase = EXPERIMENT_LOOK, .door = id};
        if (oct_lookout_find_door(a, door, &out->place)) {
            return true;
        }
    }
    return false;
}

// ---- where to press from ----

// Doors that are to be seen from a place near a panel, and the best place.
typedef struct place_search {
    oct_agent *agent;
    const oct_known *panel;
    const possible_link *watched[WATCHED_MAX]; // by their doors
    uint32_t count;
    bool must_see; // one of them
    uint32_t seen; // from the best place, of them
    uint32_t first;
    double away; // that place; HUGE_VAL where there is none
    oct_point at;
    sight_hint hint;
} place_search;

static void try_place(place_search *s, oct_point at)
{
    const oct_agent *const a = s->agent;
    const double away = point_length(point_sub(at, agent_self(a)->centre));
    uint32_t seen = 0, first = 0;
    if ((s->seen == s->count && away >= s->away) || !oct_hand_reaches(a, s->panel, at) ||
        !oct_lookout_is_place(a, at) ||
        !oct_known_is_free(a, s->panel, oct_hand_eye(a, at), s->panel->now.thing.id)) {
        return;
    }
    for (uint32_t i = s->count; i-- > 0;) {
        oct_thing door[ENTITY_THINGS_MAX];
        (void)oct_entity_things(&known_of(a, s->watched[i]->door)->now, door);
        if (oct_lookout_holds(a, at, door)) {
            return;
        }
        if (oct_lookout_sees(a, at, door, &s->hint)) {
            seen++;
            first = i;
        }
    }
    if (s->must_see && seen == 0) {
        return;
    }
    if (s->away == HUGE_VAL || seen > s->seen || (seen == s->seen && away < s->away)) {
        s->seen = seen;
        s->first = first;
        s->away = away;
        s->at = at;
    }
}

// Tries places all around the panel, so many cells apart.
static void try_places(place_search *s, double cells)
{
    const oct_map *const map = oct_belief_map(s->agent->belief);
    const double step = cells * oct_tree_cell_size(oct_map_tree(map));
    const oct_bounds *const box = &s->panel->now.thing.box;
    const oct_point middle = oct_known_centre(s->panel);
    const double reach = oct_hand_most(s->agent);
    const int x = (int)((box->max.x - middle.x + reach) / step);
    const int y = (int)((box->max.y - middle.y + reach) / step);
    const int z = (int)((box->max.z - middle.z + reach) / step);
    for (int i = -x; i <= x; i++) {
        for (int j = -y; j <= y; j++) {
            for (int k = -z; k <= z; k++) {
                try_place(s, point_add(middle, (oct_point){i * step, j * step, k * step}));
            }
        }
    }
}

// Straight before the sides, where it need not see anything; else wherever it can press.
static bool find_place(place_search *s)
{
    s->away = HUGE_VAL;
    for (oct_side side = OCT_SIDE_FORWARD; side < OCT_SIDE_ANY; side++) {
        oct_point at;
        if (oct_approach_side(s->agent, s->panel, side, APPROACH_HAND, &at) == APPROACH_OPEN) {
            try_place(s, at);
        }
    }
    for (double cells = 2.0; cells >= 1.0 && s->seen < s->count; cells -= 1.0) {
        if (s->away == HUGE_VAL || (cells > 1.0 && s->must_see)) {
            try_places(s, cells);
        }
    }
    return s->away < HUGE_VAL;
}

// ---- pressing ----

// Whether a press of a link's button tells something, the door being as it was last seen. Where it
// should be watched and is not, that is tried once: only a door that has changed tells something.
static bool would_tell(oct_agent *a, const possible_link *link, bool is_watched)
{
    bool is_open;
    const door_news news = news_of(a, link->door, &is_open);
    const uint32_t most = is_watched || !is_delayed(a) ? TRIES_MAX : 1;
    return news >= (is_watched ? DOOR_SEEN : DOOR_CERTAIN) &&
           oct_effects_tell(link->effects, is_open) && may_try(a, link, most);
}

static bool is_first_of_button(const possible_link *links, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (is_same(links[i].button, links[index].button)) {
            return false;
        }
    }
    return true;
}

// The place where a button's press tells most. False where there is none.
static bool search_button(oct_agent *a, const possible_link *links, size_t count, size_t index,
                          place_search *s)
{
    const oct_button button = links[index].button;
    s->panel = known_of(a, button.panel);
    for (size_t i = index; i < count && s->count < WATCHED_MAX; i++) {
        if (is_same(links[i].button, button) && would_tell(a, &links[i], s->must_see)) {
            s->watched[s->count++] = &links[i];
        }
    }
    return s->panel && s->count > 0 && find_place(s);
}

// The press that tells most, of those the nearest; what is avoided comes last.
static bool chooses_press(oct_agent *a, const possible_link *links, size_t count, bool is_watched,
                          experiment *out)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const possible_link *best = NULL;
    bool is_avoided = true;
    uint32_t tells = 0;
    double away = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        place_search s = {.agent = a, .must_see = is_watched};
        if (!is_first_of_button(links, i) || !search_button(a, links, count, i, &s)) {
            continue;
        }
        const bool avoids = oct_history_avoids(h, links[i].button);
        const uint32_t told = is_watched ? s.seen : s.count;
        if (!best || avoids < is_avoided ||
            (avoids == is_avoided && (told > tells || (told == tells && s.away < away)))) {
            best = s.watched[s.first];
            is_avoided = avoids;
            tells = told;
            away = s.away;
            *out = (experiment){.phase = EXPERIMENT_PRESS,
                                .button = best->button,
                                .door = best->door,
                                .is_watched = is_watched,
                                .place = s.at};
        }
    }
    if (best) {
        note_try(a, best);
    }
    return best != NULL;
}

// ---- bringing a door into another state ----

// Another button that moves the door away from how it is: certainly, or else perhaps.
static bool finds_mover(oct_agent *a, const possible_link *link, bool is_open, experiment *out)
{
    const oct_links *const links = oct_belief_links(a->belief);
    bool is_found = false, is_sure = false;
    for (uint32_t i = 0; i < oct_links_buttons(links) && !is_sure; i++) {
        const oct_button button = oct_links_button(links, i);
        const possible_link other = {button, link->door, oct_agent_effects(a, button, link->door)};
        const uint32_t changing = other.effects & oct_effects_changing(is_open);
        place_search s = {
            .agent = a, .panel = known_of(a, button.panel), .watched = {link}, .count = 1};
        if (changing == 0 || !s.panel || (is_found && changing != other.effects) ||
            !may_try(a, &other, TRIES_MAX) || !find_place(&s)) {
            continue;
        }
        is_found = true;
        is_sure = changing == other.effects;
        *out = (experiment){
            .phase = EXPERIMENT_PRESS, .button = button, .door = link->door, .place = s.at};
    }
    if (is_found) {
        const possible_link mover = {out->button, link->door,
                                     oct_agent_effects(a, out->button, link->door)};
        note_try(a, is_sure ? link : &mover);
    }
    return is_found;
}

static bool chooses_mover(oct_agent *a, const possible_link *links, size_t count, experiment *out)
{
    for (size_t i = 0; i < count; i++) {
        bool is_open;
        if (news_of(a, links[i].door, &is_open) == DOOR_CERTAIN &&
            may_try(a, &links[i], TRIES_MAX) && !oct_effects_tell(links[i].effects, is_open) &&
            finds_mover(a, &links[i], is_open, out)) {
            return true;
        }
    }
    return false;
}

// ---- making it ----

static bool end(experiment *e)
{
    e->phase = EXPERIMENT_NONE;
    return false;
}

// Rests with open eyes: a door that is in sight is watched where that matters.
static bool rest(oct_agent *a, const char *what)
{
    const oct_action wait = {.verb = OCT_VERB_WAIT,
                             .ticks = a->ticks < WATCH_GAP ? a->ticks : WATCH_GAP};
    oct_agent_think(a, "%s", what);
    oct_agent_act(a, &wait);
    a->must_look = a->must_look || is_delayed(a);
    a->is_curious = true;
    return true;
}

// Goes to its place; false where it is there, or cannot get there.
static bool goes(oct_agent *a, experiment *e, const char *what)
{
    const double near = e->phase == EXPERIMENT_PRESS
                            ? oct_hand_tolerance(a, e->button.panel, e->place)
                            : PRESS_TOLERANCE * agent_metre(a);
    const journey_state state = oct_journey_to(a, e->place, near);
    if (state == JOURNEY_GOING) {
        oct_agent_think(a, "%s", what);
        oct_journey_step(a);
        return true;
    }
    e->phase = state == JOURNEY_THERE ? e->phase : EXPERIMENT_NONE;
    return false;
}

static bool look(oct_agent *a, experiment *e)
{
    bool is_open;
    if (news_of(a, e->door, &is_open) == DOOR_CERTAIN) {
        return end(e);
    }
    if (goes(a, e, "going to look at a door")) {
        return true;
    }
    if (e->phase == EXPERIMENT_NONE) {
        return false;
    }
    // There: what is seen now counts.
    return !oct_agent_has_looked(a) || end(e);
}

static bool press(oct_agent *a, experiment *e)
{
    if (goes(a, e, "going to press in order to be certain")) {
        return true;
    }
    if (e->phase == EXPERIMENT_NONE) {
        return false;
    }
    if (!is_isolated(a)) {
        return rest(a, "waiting until nothing is pending");
    }
    if (!oct_agent_has_looked(a)) {
        return true;
    }
    // What is to be watched must be in sight now, and as it was when this was chosen.
    const possible_link link = {e->button, e->door, oct_agent_effects(a, e->button, e->door)};
    bool is_open;
    const oct_known *const door = known_of(a, e->door);
    if (e->is_watched &&
        !(door && door->in_sight && news_of(a, e->door, &is_open) == DOOR_CERTAIN &&
          oct_effects_tell(link.effects, is_open))) {
        return end(e);
    }
    oct_agent_think(a, "pressing in order to be certain");
    if (oct_hand_use(a, e->button)) {
        e->phase = EXPERIMENT_WAIT;
        a->has_second = e->has_then;
        a->has_second_place = false;
        a->second = e->then;
    }
    a->must_look = true;
    return true;
}

// ---- two in a row ----

#define PAIRS_MAX 12u // of one agent

// A place to press a button from, the nearest to where it is.
static bool find_stand(oct_agent *a, oct_button button, oct_point *out)
{
    place_search s = {.agent = a, .panel = known_of(a, button.panel)};
    if (!s.panel || !find_place(&s)) {
        return false;
    }
    *out = s.at;
    return true;
}

bool oct_experiment_press_second(oct_agent *a)
{
    experiment e = {.phase = EXPERIMENT_PRESS, .button = a->second, .place = a->second_place};
    if (!a->has_second) {
        return false;
    }
    // The place is chosen where it is by now.
    a->has_second = a->has_second_place || find_stand(a, a->second, &a->second_place);
    a->has_second_place = a->has_second;
    e.place = a->second_place;
    if (a->has_second &&
        goes(a, &e, "going to press another button before the first has done all")) {
        return true;
    }
    a->has_second = a->has_second && e.phase != EXPERIMENT_NONE;
    if (!a->has_second) {
        return false;
    }
    oct_agent_think(a, "pressing another button before the first has done all");
    a->has_second = !oct_hand_use(a, a->second); // it may have to turn there first
    a->must_look = true;
    return true;
}

// How many pairs were tried, and whether this one was.
static uint32_t count_pairs(const oct_agent *a, oct_button first, oct_button second,
                            bool *was_tried)
{
    const experiment_try *const all = a->experiments.items;
    uint32_t count = 0;
    *was_tried = false;
    for (size_t i = 0; i < a->experiments.count; i++) {
        count += all[i].then.panel != 0;
        *was_tried = *was_tried || (is_same(all[i].button, first) && is_same(all[i].then, second));
    }
    return count;
}

static bool begin_pair(oct_agent *a, oct_button first, oct_button second, experiment *out)
{
    const experiment_try new = {.button = first, .then = second};
    oct_point at;
    *out =
        (experiment){.phase = EXPERIMENT_PRESS, .button = first, .has_then = true, .then = second};
    if (!find_stand(a, second, &at) || !find_stand(a, first, &out->place) ||
        oct_agent_break(a, oct_array_push(&a->experiments, &a->allocator, sizeof new, &new)) !=
            OCT_OK) {
        return end(out);
    }
    return press(a, out) || end(out);
}

bool oct_experiment_press_two(oct_agent *a, experiment *out)
{
    const oct_history *const h = oct_belief_history(a->belief);
    const oct_links *const links = oct_belief_links(a->belief);
    const uint32_t buttons = oct_links_buttons(links);
    const bool is_described = oct_belief_info(a->belief)->has_settle && is_delayed(a);
    for (int is_other = 0; is_described && is_other < 2; is_other++) {
        for (uint32_t i = 0; i < buttons * buttons; i++) {
            const oct_button first = oct_links_button(links, i / buttons);
            const oct_button second = oct_links_button(links, i % buttons);
            bool was_tried;
            if (is_same(first, second) || (first.panel != second.panel) != (is_other == 1) ||
                oct_history_avoids(h, first) || oct_history_avoids(h, second) ||
                count_pairs(a, first, second, &was_tried) >= PAIRS_MAX || was_tried) {
                continue;
            }
            if (begin_pair(a, first, second, out)) {
                return true;
            }
        }
    }
    return end(out);
}

// ---- watching ----

static bool watch(oct_agent *a, experiment *e)
{
    const effect_rules rules = rules_of(a);
    const uint64_t now = agent_self(a)->tick;
    if (oct_agent_has_watched(a, e->door) || (e->until > 0 && now >= e->until)) {
        return end(e);
    }
    if (goes(a, e, "going to watch a door")) {
        return true;
    }
    if (e->phase == EXPERIMENT_NONE) {
        return false;
    }
    // Two looks more than it takes, from when nothing is pending.
    const uint64_t from = now > quiet_from(a) ? now : quiet_from(a);
    e->until = e->until > 0 ? e->until
                            : from + rules.settle + 2 * WATCH_GAP +
                                  (uint64_t)oct_belief_info(a->belief)->rate;
    return rest(a, "watching whether a door moves by itself");
}

bool oct_experiment_watch(oct_agent *a, const uint64_t *doors, size_t count, experiment *out)
{
    for (size_t i = 0; i < count; i++) {
        const oct_known *const door = known_of(a, doors[i]);
        const possible_link as = {.button = {.number = 1}, .door = doors[i]};
        if (!door || oct_agent_has_watched(a, doors[i]) || !may_try(a, &as, TRIES_MAX)) {
            continue;
        }
        note_try(a, &as);
        *out = (experiment){.phase = EXPERIMENT_WATCH, .door = doors[i]};
        if (oct_lookout_find_door(a, door, &out->place) && watch(a, out)) {
            return true;
        }
    }
    return end(out);
}

bool oct_experiment_step(oct_agent *a, experiment *e)
{
    switch (e->phase) {
    case EXPERIMENT_WATCH:
        return watch(a, e);
    case EXPERIMENT_LOOK:
        return look(a, e);
    case EXPERIMENT_PRESS:
        return press(a, e);
    case EXPERIMENT_WAIT:
        // A press that anybody makes sooner would spoil it.
        return (!is_isolated(a) && rest(a, "waiting for what the press does")) ||
               !oct_agent_has_looked(a) || end(e);
    case EXPERIMENT_NONE:
        break;
    }
    return false;
}

bool oct_experiment_begin(oct_agent *a, const possible_link *links, size_t count, experiment *e)
{
    // What a press may be watched for tells more than what is found later.
    const bool watches = is_delayed(a);
    if (!oct_experiment_is_quiet(a)) {
        e->phase = EXPERIMENT_WAIT;
        return oct_experiment_step(a, e);
    }
    while ((!watches && chooses_look(a, links, count, e)) ||
           chooses_press(a, links, count, watches, e) ||
           (watches &&
            (chooses_look(a, links, count, e) || chooses_press(a, links, count, false, e))) ||
           chooses_mover(a, links, count, e)) {
        if (oct_experiment_step(a, e)) {
            return true;
        }
    }
    return end(e);
}
