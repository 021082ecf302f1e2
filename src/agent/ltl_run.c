// SPDX-License-Identifier: MIT
// Runs of formulas, by progression: after each state, what is still asked of those to come.
// (F. Bacchus and F. Kabanza, "Planning for temporally extended goals", AAAI 1996; for finite
// traces: G. De Giacomo and M. Y. Vardi, "Linear temporal logic and linear dynamic logic on finite
// traces", IJCAI 2013.)
//
// All operators come down to two: next and until, both strong; the others are these and negation,
// as weak next is not next not. A rest is a Boolean function of the formula's atoms, nexts and
// untils, kept as a decision diagram: so equal rests are the same number, and there are finitely
// many, however long the run is. What is no longer in use is swept out now and then.
//
// Where atoms are undecided there are several rests, one for each of their values. Two functions
// stand for all of them: progression goes through conjunctions and disjunctions, so the progression
// of the conjunction of all rests is the conjunction of their progressions. The first is true where
// all are, the second where one is.
#include "agent/ltl_internal.h"

// Nodes that are not worth sweeping, and how many times those in use there may be otherwise.
#define NODES_MIN 1024
#define NODES_TIMES 4
// Keys of the table, as many times the nodes.
#define KEYS_TIMES 4

static ltl_variable *variable_at(const ltl_run *run, uint32_t number)
{
    return (ltl_variable *)run->variables.items + (number - 1);
}

void oct_ltl_run_free(ltl_run *run)
{
    oct_array_free(&run->variables, &run->d.allocator, sizeof(ltl_variable));
    oct_bdd_free(&run->d);
    *run = (ltl_run){.limit = 0};
}

// ---- from parts to functions ----

static bool same_variable(const oct_ltl *formula, const ltl_variable *a, const ltl_variable *b)
{
    if (a->kind != b->kind || a->a != b->a || a->b != b->b) {
        return false;
    }
    if (a->kind != VARIABLE_ATOM) {
        return true;
    }
    // The same question is asked once, however often it was made an atom.
    const ltl_atom *const atoms = formula->atoms.items;
    return atoms[a->atom].ask == atoms[b->atom].ask &&
           atoms[a->atom].hook.ctx == atoms[b->atom].hook.ctx;
}

static oct_result find_variable(oct_ltl *formula, ltl_variable wanted, uint32_t *edge)
{
    ltl_run *const run = &formula->run;
    for (uint32_t i = 1; i <= run->variables.count; i++) {
        if (same_variable(formula, variable_at(run, i), &wanted)) {
            *edge = variable_at(run, i)->edge;
            return OCT_OK;
        }
    }
    uint32_t number;
    OCT_TRY(oct_bdd_variable(&run->d, &number, &wanted.edge));
    *edge = wanted.edge;
    OCT_TRY(oct_array_push(&run->variables, &run->d.allocator, sizeof wanted, &wanted));
    if (wanted.kind != VARIABLE_ATOM) {
        return OCT_OK;
    }
    ltl_variable choice = {.kind = VARIABLE_CHOICE};
    OCT_TRY(oct_bdd_variable(&run->d, &number, &choice.edge));
    return oct_array_push(&run->variables, &run->d.allocator, sizeof choice, &choice);
}

// True where a state comes and the function is true; itself where it is false without one.
static oct_result when_more(oct_ltl *formula, uint32_t edge, uint32_t *out)
{
    *out = edge;
    const ltl_run *const run = &formula->run;
    return oct_bdd_at_false(&run->d, edge)
               ? oct_bdd_and(&formula->run.d, variable_at(run, 1)->edge, edge, out)
               : OCT_OK;
}

static oct_result next_edge(oct_ltl *formula, uint32_t a, uint32_t *out)
{
    if (a == EDGE_FALSE) {
        *out = EDGE_FALSE;
        return OCT_OK;
    }
    ltl_variable next = {.kind = VARIABLE_NEXT};
    OCT_TRY(when_more(formula, a, &next.a));
    return find_variable(formula, next, out);
}

static oct_result until_edge(oct_ltl *formula, uint32_t a, uint32_t b, uint32_t *out)
{
    if (edge_is_constant(b) || a == EDGE_FALSE) {
        return when_more(formula, b, out);
    }
    return find_variable(formula, (ltl_variable){.kind = VARIABLE_UNTIL, .a = a, .b = b}, out);
}

static oct_result temporal_edge(oct_ltl *formula, part_kind kind, uint32_t a, uint32_t b,
                                uint32_t *out)
{
    const uint32_t not_a = edge_not(a), not_b = edge_not(b);
    uint32_t neither;
    switch (kind) {
    case PART_NEXT:
        return next_edge(formula, a, out);
    case PART_UNTIL:
        return until_edge(formula, a, b, out);
    case PART_EVENTUALLY:
        return until_edge(formula, EDGE_TRUE, a, out);
    case PART_WEAK_NEXT:
        OCT_TRY(next_edge(formula, not_a, out));
        break;
    case PART_ALWAYS:
        OCT_TRY(until_edge(formula, EDGE_TRUE, not_a, out));
        break;
    default: // weak until: never neither of the two before b
        OCT_TRY(oct_bdd_and(&formula->run.d, not_a, not_b, &neither));
        OCT_TRY(until_edge(formula, not_b, neither, out));
    }
    *out = edge_not(*out);
    return OCT_OK;
}

static oct_result part_edge(oct_ltl *formula, const ltl_part *part, uint32_t *out)
{
    bdd *const d = &formula->run.d;
    const ltl_part *const parts = formula->parts.items;
    if (part->kind == PART_ATOM) {
        return find_variable(formula, (ltl_variable){.kind = VARIABLE_ATOM, .atom = part->a}, out);
    }
    const uint32_t a = parts[part->a].edge, b = parts[part->b].edge;
    switch (part->kind) {
    case PART_TRUE:
        *out = EDGE_TRUE;
        return OCT_OK;
    case PART_FALSE:
        *out = EDGE_FALSE;
        return OCT_OK;
    case PART_NOT:
        *out = edge_not(a);
        return OCT_OK;
    case PART_AND:
        return oct_bdd_and(d, a, b, out);
    case PART_OR:
        return oct_bdd_or(d, a, b, out);
    case PART_IMPLIES:
        return oct_bdd_or(d, edge_not(a), b, out);
    default:
        return temporal_edge(formula, part->kind, a, b, out);
    }
}

static oct_result make_run(oct_ltl *formula)
{
    ltl_run *const run = &formula->run;
    OCT_TRY(oct_bdd_init(&run->d, &formula->allocator));
    uint32_t more;
    OCT_TRY(find_variable(formula, (ltl_variable){.kind = VARIABLE_MORE}, &more));
    ltl_part *const parts = formula->parts.items;
    for (size_t i = 0; i < formula->parts.count; i++) {
        OCT_TRY(part_edge(formula, &parts[i], &parts[i].edge));
        run->whole = parts[i].edge;
    }
    run->limit = NODES_MIN;
    return OCT_OK;
}

oct_result oct_ltl_begin(oct_ltl *formula)
{
    if (!formula) {
        return OCT_ERROR_ARGUMENT;
    }
    ltl_run *const run = &formula->run;
    if (!formula->is_begun) {
        const oct_result result = make_run(formula);
        if (result != OCT_OK) {
            oct_ltl_run_free(run);
            return result;
        }
        formula->is_begun = true;
    }
    run->lower = run->upper = run->whole;
    run->states = 0;
    run->decided = UINT64_MAX;
    return OCT_OK;
}

// ---- states ----

static void sweep(ltl_run *run)
{
    bdd *const d = &run->d;
    const uint32_t count = (uint32_t)run->variables.count;
    oct_bdd_clear_notes(d);
    for (uint32_t i = 1; i <= count; i++) {
        const ltl_variable *const v = variable_at(run, i);
        bdd_note(d, v->edge);
        bdd_note(d, v->a);
        bdd_note(d, v->b);
    }
    bdd_note(d, run->whole);
    bdd_note(d, run->lower);
    bdd_note(d, run->upper);
    oct_bdd_sweep(d);
    for (uint32_t i = 1; i <= count; i++) {
        ltl_variable *const v = variable_at(run, i);
        v->edge = bdd_moved(d, v->edge);
        v->a = bdd_moved(d, v->a);
        v->b = bdd_moved(d, v->b);
    }
    run->whole = bdd_moved(d, run->whole);
    run->lower = bdd_moved(d, run->lower);
    run->upper = bdd_moved(d, run->upper);
    const size_t limit = NODES_TIMES * d->nodes.count;
    run->limit = limit > NODES_MIN ? limit : NODES_MIN;
}

static uint32_t last_node(const ltl_run *run)
{
    const uint32_t lower = edge_node(run->lower), upper = edge_node(run->upper);
    return lower > upper ? lower : upper;
}

// Notes the nodes whose rests are needed for those of the two functions: those below them, and what
// untils are made of. Each stands before what needs it.
static void note_needed(ltl_run *run)
{
    bdd *const d = &run->d;
    const bdd_node *const nodes = bdd_nodes(d);
    oct_bdd_clear_notes(d);
    bdd_note(d, run->lower);
    bdd_note(d, run->upper);
    for (uint32_t i = last_node(run); i > 0; i--) {
        if (!bdd_notes(d)[i]) {
            continue;
        }
        bdd_note(d, nodes[i].low);
        bdd_note(d, nodes[i].high);
        const ltl_variable *const v = variable_at(run, nodes[i].variable);
        if (v->kind == VARIABLE_UNTIL) {
            bdd_note(d, v->a);
            bdd_note(d, v->b);
        }
    }
    bdd_notes(d)[0] = EDGE_FALSE;
}

// The rest of a function, where its node's was noted.
static uint32_t rest_of(const bdd *d, uint32_t edge)
{
    return bdd_notes(d)[edge_node(edge)] ^ (edge & 1u);
}

// One that is undecided stands for itself until the whole is known.
static uint32_t ask_atom(oct_ltl *formula, ltl_variable *v, void *state)
{
    const ltl_atom *const atom = (const ltl_atom *)formula->atoms.items + v->atom;
    ltl_variable *const choice = v + 1;
    oct_truth truth = atom->ask(atom->hook.ctx, state);
    if (truth == OCT_UNDECIDED && formula->refresh && formula->refresh(state)) {
        truth = atom->ask(atom->hook.ctx, state);
    }
    switch (truth) {
    case OCT_FALSE:
        return EDGE_FALSE;
    case OCT_TRUE:
        return EDGE_TRUE;
    case OCT_UNDECIDED:
        break;
    }
    choice->stepped = formula->run.steps;
    formula->run.was_undecided = true;
    return choice->edge;
}

static oct_result step_variable(oct_ltl *formula, ltl_variable *v, void *state)
{
    ltl_run *const run = &formula->run;
    if (v->stepped == run->steps) {
        return OCT_OK;
    }
    switch (v->kind) {
    case VARIABLE_MORE:
        v->rest = EDGE_TRUE;
        break;
    case VARIABLE_ATOM:
        v->rest = ask_atom(formula, v, state);
        break;
    case VARIABLE_CHOICE: // no rest is made of them
        OCT_ASSERT(false);
        break;
    case VARIABLE_NEXT:
        v->rest = v->a;
        break;
    case VARIABLE_UNTIL:
        OCT_TRY(oct_bdd_and(&run->d, rest_of(&run->d, v->a), v->edge, &v->rest));
        OCT_TRY(oct_bdd_or(&run->d, rest_of(&run->d, v->b), v->rest, &v->rest));
        break;
    }
    v->stepped = run->steps;
    return OCT_OK;
}

// What a function becomes where a variable has a value.
static oct_result restrict_edge(ltl_run *run, uint32_t edge, uint32_t variable, bool value,
                                uint32_t *out)
{
    bdd *const d = &run->d;
    oct_bdd_clear_notes(d);
    bdd_note(d, edge);
    for (uint32_t i = edge_node(edge); i > 0; i--) {
        if (bdd_notes(d)[i]) {
            bdd_note(d, bdd_nodes(d)[i].low);
            bdd_note(d, bdd_nodes(d)[i].high);
        }
    }
    bdd_notes(d)[0] = EDGE_FALSE;
    for (uint32_t i = 1; i <= edge_node(edge); i++) {
        if (!bdd_notes(d)[i]) {
            continue;
        }
        const bdd_node node = bdd_nodes(d)[i];
        uint32_t rest = rest_of(d, value ? node.high : node.low);
        if (node.variable != variable) {
            OCT_TRY(oct_bdd_choose(d, variable_at(run, node.variable)->edge, rest_of(d, node.low),
                                   rest_of(d, node.high), &rest));
        }
        bdd_notes(d)[i] = rest;
    }
    *out = rest_of(d, edge);
    return OCT_OK;
}

// Both values of all that is undecided in this state, in place of it.
static oct_result take_both(ltl_run *run, uint32_t *lower, uint32_t *upper)
{
    for (uint32_t i = 1; i <= run->variables.count && run->was_undecided; i++) {
        const ltl_variable *const v = variable_at(run, i);
        if (v->kind != VARIABLE_CHOICE || v->stepped != run->steps) {
            continue;
        }
        uint32_t one, other;
        OCT_TRY(restrict_edge(run, *lower, i, false, &one));
        OCT_TRY(restrict_edge(run, *lower, i, true, &other));
        OCT_TRY(oct_bdd_and(&run->d, one, other, lower));
        OCT_TRY(restrict_edge(run, *upper, i, false, &one));
        OCT_TRY(restrict_edge(run, *upper, i, true, &other));
        OCT_TRY(oct_bdd_or(&run->d, one, other, upper));
    }
    return OCT_OK;
}

// From the nodes below to those above: what each variable asks of the states to come in its place.
static oct_result progress(oct_ltl *formula, void *state, uint32_t *lower, uint32_t *upper)
{
    ltl_run *const run = &formula->run;
    bdd *const d = &run->d;
    note_needed(run);
    run->steps++;
    run->was_undecided = false;
    const uint32_t last = last_node(run);
    for (uint32_t i = 1; i <= last; i++) {
        if (!bdd_notes(d)[i]) {
            continue;
        }
        const bdd_node node = bdd_nodes(d)[i];
        ltl_variable *const v = variable_at(run, node.variable);
        OCT_TRY(step_variable(formula, v, state));
        uint32_t rest;
        OCT_TRY(oct_bdd_choose(d, v->rest, rest_of(d, node.low), rest_of(d, node.high), &rest));
        bdd_notes(d)[i] = rest;
    }
    *lower = rest_of(d, run->lower);
    *upper = rest_of(d, run->upper);
    return take_both(run, lower, upper);
}

oct_result oct_ltl_step(oct_ltl *formula, void *state, oct_ltl_verdict *out)
{
    if (!formula || !formula->is_begun) {
        return OCT_ERROR_ARGUMENT;
    }
    ltl_run *const run = &formula->run;
    if (oct_ltl_now(formula) == OCT_LTL_OPEN) {
        if (run->d.nodes.count > run->limit || run->d.places.count > KEYS_TIMES * run->limit) {
            sweep(run);
        }
        uint32_t lower, upper;
        OCT_TRY(progress(formula, state, &lower, &upper));
        run->lower = lower;
        run->upper = upper;
        run->decided = oct_ltl_now(formula) != OCT_LTL_OPEN ? run->states : UINT64_MAX;
    }
    run->states++;
    if (out) {
        *out = oct_ltl_now(formula);
    }
    return OCT_OK;
}

oct_ltl_verdict oct_ltl_now(const oct_ltl *formula)
{
    const ltl_run *const run = &formula->run;
    return !formula->is_begun         ? OCT_LTL_OPEN
           : run->lower == EDGE_TRUE  ? OCT_LTL_SATISFIED
           : run->upper == EDGE_FALSE ? OCT_LTL_VIOLATED
                                      : OCT_LTL_OPEN;
}

bool oct_ltl_is_split(const oct_ltl *formula)
{
    return formula->is_begun && formula->run.lower != formula->run.upper;
}

bool oct_ltl_may_be_violated(const oct_ltl *formula)
{
    return formula->is_begun && formula->run.lower == EDGE_FALSE;
}

oct_ltl_verdict oct_ltl_end(const oct_ltl *formula)
{
    if (!formula->is_begun) {
        return OCT_LTL_OPEN;
    }
    const ltl_run *const run = &formula->run;
    return oct_bdd_at_false(&run->d, run->lower)    ? OCT_LTL_SATISFIED
           : !oct_bdd_at_false(&run->d, run->upper) ? OCT_LTL_VIOLATED
                                                    : OCT_LTL_UNDECIDED;
}

uint64_t oct_ltl_states(const oct_ltl *formula)
{
    return formula->is_begun ? formula->run.states : 0;
}

uint64_t oct_ltl_decided(const oct_ltl *formula)
{
    return formula->is_begun ? formula->run.decided : UINT64_MAX;
}
