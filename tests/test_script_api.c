// SPDX-License-Identifier: MIT
// Every function that scripts have, by what it does in a room with a door, a panel and a target.
#define _POSIX_C_SOURCE 200809L
#include "script_support.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const passing[] = {
    // going
    "return close_to{6.27, 3.77, 8.77, tolerance = 0.4}",
    "return SEQ{close_to{x = 6.27, y = 3.77, z = 8.77}, CHECK('there', function(a) return "
    "a:distance{6.27, 3.77, 8.77} < 0.6 end)}",
    "return SEQ{close_to_block{type = 'lamp', side = 'right', tolerance = 0.6}, CHECK('near', "
    "function(a) return a:distance 'Lamp' < 3.5 end)}",
    "return SEQ{interacted 'Panel', close_to_block 'Target'}",
    "return smart_close_to_block{name = 'Target', side = 'front'}",
    "return SEQ{explore(), CHECK('seen', function(a) return #a:entities{type = 'lamp'} == 1 end)}",
    "return explore_to{8.77, 3.77, 8.77}",
    "return SEQ{explore_to_find 'Lamp', CHECK('known', function(a) return a:entity('Lamp').name == "
    "'Lamp' end)}",
    "return explore_to_find{id = 4}",
    "return explore_to_find{at = {3.77, 3.77, 3.77}, type = 'lamp', where = function(e) return "
    "e.type == 'lamp' end}",
    // buttons
    "return SEQ{close_to_button 'Panel', press_button('Panel', 0), wait_until('open', function(a) "
    "return a:entity('Door').is_open end, 10)}",
    "return SEQ{close_to_button{name = 'Panel', button = 0}, press_button{name = 'Panel', button = "
    "0}, wait_until('open', function(a) return a:entity('Door').opening == 1 end)}",
    "return SEQ{interacted('Panel', 0), wait_until('open', function(a) return "
    "a:entity('Door').changes > 0 and a:entity('Door').before.opening < 1 end, 10)}",
    "return opens_only('Panel', {'Door'})",
    "return SEQ{toggles('Panel', 'Door'), CHECK('it does', function(a) return a:toggles('Panel', "
    "'Door') and a:opens('Panel', 0, 'Door') and a:links()[1].kind == 'toggles' end)}",
    "return SEQ{opens({'Panel', 0}, 'Door'), CHECK('the other does not', function(a) "
    "return a:toggles('Panel', 1, 'Door') ~= true end)}",
    "return links_are{Panel = {'Door', opens = {}, shuts = {}}}",
    "return opens_only('Panel:1', {})",
    "return opens_only({'Panel', 1}, {})",
    "return SEQ{links_are{Panel = {'Door'}, ['Panel:1'] = {}}, CHECK('learned', function(a) local "
    "l "
    "= a:links() return #l == 1 and l[1].panel == 'Panel' and l[1].door == 'Door' and l[1].button "
    "== 0 and a:link('Panel', 'Door') == 'yes' and a:link('Panel', 1, 'Door') == 'no' end)}",
    "return CHECK('open', function(a) return a:link('Panel', 'Door') == 'open' and "
    "a:link('Nobody', 'Door') == 'open' end)",
    // what is known for certain
    "return SEQ{explore_to_find 'Door', CHECK('shut', function(a) return not "
    "a:entity('Door').is_open end)}",
    "return CHECK('not seen', function(a) return a:sees 'Target' == nil and a:sees 'Nobody' == nil "
    "end)",
    "return SEQ{explore_to_find 'Lamp', CHECK('seen', function(a) return a:sees('Lamp').name == "
    "'Lamp' end)}",
    "return SEQ{wait_until('a while', function(a) return a.tick > 100 end), CHECK('now', "
    "function(a) "
    "return a:sees('Panel').last == a.time end)}",
    "invariant('now', function(a) local e = a:sees 'Panel' return not e or e.last == a.time end) "
    "return wait_until('a while', function(a) return a.tick > 100 end)",
    "invariant('lit', ltl.eventually(function(a) local l = a:entity 'Lamp' return l and "
    "l.integrity == 20 end)) return explore_to_find 'Lamp'",
    "return SEQ{interacted 'Panel', close_to_block 'Target', CHECK('there', function(a) return "
    "a:entity('Lamp').integrity == 20 and a:distance('Lamp') > 3 and "
    "a:distance(a:entity('Lamp')) > 3 end)}",
    // looking
    "return SEQ{face_towards{3.77, 3.77, 20}, CHECK('turned', function(a) return a.forward.z > 0.9 "
    "end)}",
    "return SEQ{explore_to_find 'Lamp', face_towards 'Lamp'}",
    "return entity_in_range{type = 'lamp', distance = 6}",
    "return SEQ{explore_to_find 'Lamp', block_ok{name = 'Lamp', share = 0.9}, block_ok 'Lamp'}",
    "return SEQ{explore_to_find 'Lamp', invariant_checked{name = 'Lamp', check = 'whole', test = "
    "function(e) return e.integrity == 20 and not e.gone and e.kind == 'solid' end}}",
    "return check_all{type = 'lamp', check = 'whole', test = function(e) return e.integrity == 20 "
    "end}",
    // tools
    "return SEQ{equipped 'welder', CHECK('held', function(a) return a.held == 'welder' end), "
    "equipped 'grinder'}",
    "return SEQ{ground_down 'Lamp', CHECK('gone', function(a) return a:entity('Lamp').gone and "
    "#a:entities{name = 'Lamp'} == 0 end)}",
    // combinators
    "return FIRSTof{FAIL 'no', SUCCESS()}",
    "return ANYof{FAIL 'no', SUCCESS()}",
    "local n = 0 return SEQ{REPEAT(CHECK('third', function() n = n + 1 return n == 3 end)), "
    "CHECK('n', function() return n == 3 end)}",
    "local n = 0 return REPEATuntil(FAIL 'x', function() n = n + 1 return n == 4 end)",
    "local n = 0 return SEQ{WHILE(function() n = n + 1 return n < 4 end, FAIL 'x'), CHECK('n', "
    "function() return n == 4 end)}",
    "return SEQ{IF(function() return true end, SUCCESS(), FAIL 'x'), IF(function() return false "
    "end, "
    "FAIL 'x', SUCCESS()), IF(function() return false end, FAIL 'x')}",
    "return SEQ{DEPLOY(function(a) return CHECK('c', function(b) return a == b end) end), "
    "DEPLOY('named', function() return SUCCESS() end)}",
    "local n, k = 0, 0 return SEQ{REPEATuntil(DEPLOYonce('once', function() n = n + 1 return "
    "SUCCESS() end), function() k = k + 1 return k == 3 end), CHECK('once', function() return n == "
    "1 end)}",
    "local n = 0 return INTERRUPTIBLE(wait_until('later', function(a) return a.time > 1 and n == 1 "
    "end), {HANDLE('once', function(a) if a.time > 0.5 and n == 0 then n = 1 return true end end, "
    "FAIL 'x')})",
    "return FIRSTof{wait_until('never', function() return false end):limit{turns = 5}:named 'w', "
    "SEQ{SUCCESS()}}",
    "return FIRSTof{explore():limit{seconds = 0.1}, CHECK('time', function(a) return a.time < 1 "
    "end)}",
    // own goals and tactics
    "local n = 0 return SEQ{goal{name = 'own', solved = function(a) return n == 3 end, tactic = "
    "FIRSTof{ACTION{name = 'never', guard = function() return false end, run = function() return "
    "ABORT end}, ACTION{name = 'count', run = function(a) n = n + 1 return n < 2 and MORE or DONE "
    "end}}}, CHECK('n', function() return n == 3 end)}",
    "local d, begun = 3, 0 return goal{name = 'own', epsilon = 0.5, begin = function() begun = "
    "begun + 1 return true end, open = function() return true end, distance = function() return d "
    "end, tactic = ACTION{name = 'x', run = function() d = d - 1 return DONE end}}",
    "return FIRSTof{goal{name = 'own', begin = function() return false end, tactic = "
    "tactic.wait(1)}, SUCCESS()}",
    "return SEQ{goal{name = 'go', solved = function(a) return a:distance{6.27, 3.77, 8.77} < 0.6 "
    "end, tactic = FIRSTof{tactic.navigate_to{6.27, 3.77, 8.77}, tactic.explore_to{6.27, 3.77, "
    "8.77}, ABORT 'no way'}}}",
    "return goal{name = 'e', solved = function(a) return a:entity 'Lamp' end, tactic = "
    "ANYof{tactic.explore(), tactic.wait(0.1)}}",
    "return SEQ{close_to_button 'Panel', goal{name = 'p', tactic = tactic.interact('Panel', 0)}, "
    "goal{name = 'f', tactic = tactic.face 'Panel'}, goal{name = 'f', tactic = tactic.face{0, 3, "
    "0}}, wait_until('o', function(a) return a:entity('Door').is_open end, 9)}",
    "return SEQ{goal{name = 'm', tactic = tactic.act{verb = 'move', move = {0, 0, -1}, ticks = "
    "10}}, CHECK('moves', function(a) local v = a.velocity return v.x > 0.1 and a:came() == 'done' "
    "end)}",
    "return SEQ{goal{name = 'm', tactic = SEQ{tactic.move{rotate = {0, 1, 0}, seconds = 0.2}, "
    "tactic.tool(false)}}, goal{name = 'w', tactic = tactic.wait(0.5)}, CHECK('turned', "
    "function(a) "
    "return a.forward.x < 0.9 end)}",
    "return SEQ{close_to_button 'Panel', goal{name = 'use', tactic = ACTION{name = 'u', run = "
    "function(a) a:act{verb = 'use', target = 'Panel', button = 0} return DONE end}}, "
    "wait_until('o', function(a) return a:entity{kind = nil, name = 'Door'}.label == 'open' end, "
    "9)}",
    // the agent
    "return CHECK('fields', function(a) return a.position.y < a.centre[2] and a.velocity.x == 0 "
    "and "
    "a.up.y == 1 and a.gravity.y == 0 and a.health == 1 and a.held == nil and a.flies ~= nil and "
    "a.stands ~= nil and a.time == 0 and a.tick == 0 and a.turns == 0 and a.name == 'agent' and "
    "a.seed == 1 and tostring(a) == 'agent agent' end)",
    "return CHECK('entity', function(a) local e = a:entity 'Lamp' return e.id == 4 and "
    "e.position.x "
    "> e.min.x and e.max.x > e.min.x and e.velocity.x == 0 and e.in_sight and e.first == 0 and "
    "e.last == 0 and e.changed == 0 and e.changes == 0 and e.before == nil and a:distance(e) == "
    "a:distance(e.position) and a:entity(e).id == 4 end)",
    "return goal{name = 'g', tactic = ACTION{name = 'a', run = function(a) assert(a:entity "
    "'Nobody' "
    "== nil and a:distance 'Nobody' == nil) return DONE end}}",
    "return CHECK('said', function(a) a:note('noted') a:think('thought') return true end)",
    // several agents
    "agent('one', {role = 'sender'}, SEQ{CHECK('send', function(a) a:send{to = 'two', topic = 't', "
    "text = 'hi', number = 3} a:send{role = 'taker', topic = 'r'} a:send{topic = 'all'} return "
    "true "
    "end)}) local got = 0 agent('two', {role = 'taker', start = {6.27, 2.87, 6.27}, cell = "
    "0.4}, wait_until('got', function(a) local m = a:take 't' if m then assert(m.from == 'one' "
    "and m.text == 'hi' and m.number == 3) end local n = a:take() while n do got = got + 1 n = "
    "a:take() end return got == 2 end, 5))",
    // formulas
    "invariant('whole', function(a) return a.health == 1 end) invariant('seen', "
    "ltl.eventually(function(a) return a:entity 'Lamp' end)) local yes = function() return true "
    "end "
    "local no = function() return false end invariant('all', ltl.always(ltl.both(yes, "
    "ltl.either(no, ltl.negate(no))))) invariant('next', ltl.both(ltl.weak_next(yes), "
    "ltl.implies(no, ltl.next(no)))) invariant('till', ltl.both(ltl.till(yes, yes), "
    "ltl.weak_till(yes, no))) return close_to{6.27, 3.77, 8.77}",
    // libraries
    "local k = {} for key in pairs{b = 1, a = 2, [3] = 1, [1.5] = 2, [true] = 3} do k[#k + 1] = "
    "tostring(key) end assert(table.concat(k, ' ') == 'true 1.5 3 a b', table.concat(k, ' ')) "
    "assert(next({}) == nil and next{x = 1} == 'x' and tostring{} == 'table') assert(('%s %5.1f "
    "%s'):format({}, 2, true) == 'table   2.0 true') local t = {3, 1, 2} table.sort(t) "
    "assert(table.concat(t) == '123') table.sort(t, function(a, b) return a > b end) "
    "assert(table.concat(t) == '321') assert(('k=v'):match('^(%w+)=(%w*)$') == 'k') "
    "assert(('a b'):gsub('%s', '') == 'ab') assert(select('#', table.unpack{1, 2}) == 2) "
    "assert(math.random(5) <= 5 and utf8.len 'é' == 1 and ('x'):rep(3) == 'xxx') "
    "assert(select(2, xpcall(error, function(m) return 'got ' .. m end, 'it')) == 'got it') return "
    "SUCCESS()",
};

static void everything_does_what_it_says(void **state)
{
    for (size_t i = 0; i < COUNT(passing); i++) {
        script_passes(*state, passing[i]);
    }
}

// ---- what goes wrong ----

static const struct {
    const char *body;
    oct_verdict verdict;
    const char *reason;
} failing[] = {
    {"return FAIL 'so'", OCT_VERDICT_FAIL, "so"},
    {"return CHECK('c', function(a) a:because 'of this' return false end)", OCT_VERDICT_FAIL,
     "of this"},
    {"return CHECK('c', function(a) a:because('of that', true) return false end)",
     OCT_VERDICT_INCONCLUSIVE, "of that"},
    {"return goal{name = 'g', tactic = ABORT 'no way'}", OCT_VERDICT_FAIL, "no way"},
    {"return goal{name = 'g', tactic = ACTION{name = 'x', run = function() return ABORT 'why' "
     "end}}",
     OCT_VERDICT_FAIL, "why"},
    {"return close_to_block 'Target'", OCT_VERDICT_FAIL, "Target"},
    {"return press_button 'Panel'", OCT_VERDICT_INCONCLUSIVE, "out of reach"},
    {"return equipped{block = 'gold'}", OCT_VERDICT_FAIL, "there is no gold"},
    {"return placed{type = 'gold', against = 'Lamp', side = 'right'}", OCT_VERDICT_FAIL, "gold"},
    {"return opens_only('Panel:1', {'Door'})", OCT_VERDICT_FAIL, "Door"},
    {"return links_are{}", OCT_VERDICT_FAIL, "Panel"},
    {"return toggles('Panel:1', 'Door')", OCT_VERDICT_FAIL,
     "missing link: button 1 of Panel does not toggle Door"},
    {"return links_are{Panel = {opens = {'Door'}}}", OCT_VERDICT_FAIL,
     "another link: button 0 of Panel toggles Door, and does not open it"},
    {"return CHECK('known', function(a) return a:toggles('Panel', 'Door') end)",
     OCT_VERDICT_INCONCLUSIVE, "toggles"},
    {"return check_all{type = 'lamp', check = 'gone', test = function(e) return false end}",
     OCT_VERDICT_FAIL, "gone does not hold"},
    {"invariant('early', function(a) return a.time < 1 end) return goal{name = 'g', tactic = "
     "tactic.wait(5)}",
     OCT_VERDICT_FAIL, "early did not hold"},
    {"invariant('once', ltl.eventually(function() return false end)) return SUCCESS()",
     OCT_VERDICT_FAIL, "once did not hold when the run ended"},
    {"agent('one', SUCCESS()) agent('two', FAIL 'no')", OCT_VERDICT_FAIL, "two: no"},
    {"return wait_until('never', function() return false end)", OCT_VERDICT_INCONCLUSIVE,
     "out of time"},
    {"return within(0.5, wait_until('never', function() return false end))", OCT_VERDICT_FAIL,
     "not done within 0.5 s by this agent (waiting for never)"},
    {"return FIRSTof{within(0.5, wait_until('never', function() return false end)), "
     "wait_until('nor this', function() return false end):limit{turns = 3}}",
     OCT_VERDICT_INCONCLUSIVE, "out of budget: 3 turns"},
    {"return DEPLOY(function() end)", OCT_VERDICT_FAIL, ""},
    // what is not known
    {"return CHECK('c', function(a) return a:entity 'Target' end)", OCT_VERDICT_INCONCLUSIVE,
     "whether c holds is not known: Target was not seen yet"},
    {"return CHECK('c', function(a) return not a:entity 'Target' end)", OCT_VERDICT_INCONCLUSIVE,
     "Target was not seen yet"},
    {"return IF(function(a) return a:entity 'Target' end, SUCCESS(), FAIL 'no')",
     OCT_VERDICT_INCONCLUSIVE, "whether IF holds is not known"},
    {"return WHILE(function(a) return a:entity 'Target' end, SUCCESS())", OCT_VERDICT_INCONCLUSIVE,
     "whether WHILE holds is not known"},
    {"return CHECK('c', function(a) return a:distance 'Target' end)", OCT_VERDICT_INCONCLUSIVE,
     "Target was not seen yet"},
    {"return CHECK('c', function(a) a:because 'of this' return a:entity 'Target' end)",
     OCT_VERDICT_INCONCLUSIVE, "of this (not certain: Target was not seen yet)"},
    {"return wait_until('w', function(a) return not a:entity 'Target' end, 1)",
     OCT_VERDICT_INCONCLUSIVE, "out of time: 1.0 s (Target was not seen yet)"},
    {"return CHECK('c', function(a) return #a:entities() > 100 end)", OCT_VERDICT_INCONCLUSIVE,
     "there may be more that was not seen yet"},
    {"invariant('i', function(a) return not a:entity 'Target' end) return SUCCESS()",
     OCT_VERDICT_INCONCLUSIVE, "whether i held is not known since 0.0 s: Target was not seen yet"},
    // errors, with the line, and where the agent was
    {"return CHECK('c', function(a) return a.nothing end)", OCT_VERDICT_ERROR,
     "test.lua:2: agent: there is no field 'nothing'; there are position, centre, velocity"},
    {"return CHECK('c', function(a) return a:entty('x') end)", OCT_VERDICT_ERROR,
     ", ... (at 3.8, 3.8, 6.3 after 0.0 s"},
    {"return CHECK('c', function(a) return a:entity('Panel').is_opne end)", OCT_VERDICT_ERROR,
     "test.lua:2: entity: there is no field 'is_opne'; there are id, name, type, kind"},
    {"return CHECK('c', function(a) return a:entity('Target').is_open end)", OCT_VERDICT_ERROR,
     "Target was not seen yet: ask whether it is nil first (at 3.8, 3.8, 6.3 after 0.0 s"},
    {"return CHECK('c', function(a) error {} end)", OCT_VERDICT_ERROR,
     "test.lua:2: an error that is a table"},
    {"return CHECK('c', function(a) error() end)", OCT_VERDICT_ERROR,
     "test.lua:2: an error without a message"},
    {"return CHECK('c', function(a) return ('%d'):format('x') end)", OCT_VERDICT_ERROR,
     "test.lua:2: bad argument #2 to 'string.format'"},
    {"return CHECK('c', function(a) return nil + 1 end)", OCT_VERDICT_ERROR, "test.lua:2: attempt"},
    {"return CHECK('c', function(a) error('mine', 0) end)", OCT_VERDICT_ERROR, "test.lua:2: mine"},
    {"return CHECK('c', function(a) a.time = 3 end)", OCT_VERDICT_ERROR, "an agent is not changed"},
    {"return goal{name = 'g', tactic = ACTION{name = 'x', run = function() end}}",
     OCT_VERDICT_ERROR,
     "test.lua:2: ACTION: run must return DONE, STEP, MORE or ABORT 'why', not nil"},
    {"return goal{name = 'g', distance = function() return 'x' end, tactic = tactic.wait(1)}",
     OCT_VERDICT_ERROR, "test.lua:2: goal: distance must return a number, not 'x'"},
    {"return DEPLOY(function() return 3 end)", OCT_VERDICT_ERROR,
     "test.lua:2: DEPLOY: what is returned must be a goal, not 3"},
    {"local g = SUCCESS() local d = DEPLOY(function() return g end) "
     "return REPEATuntil(d, function() return false end)",
     OCT_VERDICT_ERROR, "DEPLOY: what is returned was taken before: make another one"},
    {"local g = SUCCESS() return DEPLOY(function() return REPEAT(g) end), REPEATuntil(g, print)",
     OCT_VERDICT_ERROR, "is part of something else since line 2"},
    {"return explore_to_find{where = function(e) return e.x.y end}", OCT_VERDICT_ERROR,
     "test.lua:2: entity: there is no field 'x'"},
    {"return CHECK('c', function(a) a:send{to = 'nobody'} end)", OCT_VERDICT_ERROR,
     "there is no agent 'nobody'"},
    {"return CHECK('c', function(a) a:act{verb = 'fly'} end)", OCT_VERDICT_ERROR,
     "verb must be 'keep', 'wait'"},
    {"return CHECK('c', function(a) a:act{verb = 'use', target = 'Nobody'} end)", OCT_VERDICT_ERROR,
     "the target is not known"},
    {"return CHECK('c', function(a) a.entity('x') end)", OCT_VERDICT_ERROR, "call it as a:entity"},
    {"return 3", OCT_VERDICT_ERROR, "its body must return a goal, not 3"},
    {"return tactic.wait(1)", OCT_VERDICT_ERROR, "must return a goal, not a tactic"},
    {"return HANDLE('h', print, SUCCESS())", OCT_VERDICT_ERROR, "a goal, not a HANDLE"},
    {"return ltl.always(print)", OCT_VERDICT_ERROR, "must return a goal, not a formula"},
    {"agent('a', SUCCESS()) return SUCCESS()", OCT_VERDICT_ERROR, "returns a goal too"},
    {"agent('a', SUCCESS()) agent('a', SUCCESS())", OCT_VERDICT_ERROR, "an agent 'a' already"},
    {"agent('a', SUCCESS()) agent('b', {start = {18.7, 6, 1.2}}, SUCCESS())", OCT_VERDICT_ERROR,
     "no room for agent 'b'"},
    {"agent('a', {start = {18.7, 6, 1.2}}, SUCCESS())", OCT_VERDICT_ERROR,
     "there is no room for a body at the start, 18.7, 6, 1.2"},
    {"agent('a', {bounds = {90, 90, 90, 91, 91, 91}}, explore())", OCT_VERDICT_ERROR,
     "agent 'a' starts outside of its bounds, at 3.8, 3.8, 6.3"},
    {"agent('a', {cell = 0.01}, explore())", OCT_VERDICT_ERROR, "more than 512 cells of 0.01 m"},
    {"agent('a', {rule = 'x'}, SUCCESS())", OCT_VERDICT_ERROR, "there is no field 'rule'"},
    {"world 'x'", OCT_VERDICT_ERROR, "only outside of tests"},
    {"include 'x.lua'", OCT_VERDICT_ERROR, "only outside of tests"},
    {"test('x', print)", OCT_VERDICT_ERROR, "only outside of tests"},
};

static void what_goes_wrong_has_its_reason(void **state)
{
    for (size_t i = 0; i < COUNT(failing); i++) {
        script_body(*state, failing[i].body, failing[i].verdict, failing[i].reason);
    }
}

// Door3 is far from Button1: whether that moves it is not known. Each shows as much as CHECK does.
static const char *const undecided[] = {
    "DEPLOY('d', function(a) return is_open(a) and SUCCESS() or FAIL 'shut' end)",
    "DEPLOY('d', function(a) return is_open(a) and FAIL 'open' or SUCCESS() end)",
    "goal{name = 'g', tactic = FIRSTof{ACTION{name = 'a', guard = is_open, run = function() "
    "return DONE end}, ABORT 'shut'}}",
    "goal{name = 'g', tactic = FIRSTof{ACTION{name = 'a', guard = is_open, run = function() "
    "return DONE end}, ABORT()}}",
    "goal{name = 'g', tactic = FIRSTof{ACTION{name = 'a', guard = function(a) return not "
    "is_open(a) "
    "end, run = function() return DONE end}, ABORT 'open'}}",
    "goal{name = 'g', tactic = SEQ{ACTION{name = 'a', guard = function(a) return not is_open(a) "
    "end, "
    "run = function() return DONE end}, ACTION{name = 'b', run = function() return DONE end}}}",
    "goal{name = 'g', tactic = FIRSTof{ACTION{name = 'a', guard = is_open, run = function() "
    "return DONE end}, ACTION{name = 'b', run = function() return DONE end}}}",
    "goal{name = 'g', tactic = ACTION{name = 'a', run = function(a) return is_open(a) and DONE or "
    "ABORT 'shut' end}}",
    "goal{name = 'g', tactic = ACTION{name = 'a', run = function(a) return is_open(a) and DONE or "
    "ABORT end}}",
    "goal{name = 'g', tactic = ACTION{name = 'a', run = function(a) kept = is_open(a) return DONE "
    "end}}, CHECK('c', function() return kept end)",
    "goal{name = 'g', tactic = ACTION{name = 'a', run = function(a) kept = is_open(a) return DONE "
    "end}}, IF(function() return kept end, FAIL 'open', SUCCESS())",
    "INTERRUPTIBLE(goal{name = 'w', tactic = tactic.wait(1)}, {HANDLE('h', function(a) "
    "kept = is_open(a) return false end, SUCCESS())}), CHECK('c', function() return not kept end)",
    "INTERRUPTIBLE(SEQ{goal{name = 'w', tactic = tactic.wait(1)}, wait_until('x', function() "
    "return false end, 2)}, {HANDLE('h', function(a) return not is_open(a) end, FAIL 'shut')})",
    "CHECK('c', function(a) return a:entity{name = 'Door3', where = is_shut} end)",
    "CHECK('c', function(a) return not a:entity{name = 'Door3', where = is_shut} end)",
};

static void what_is_not_known_decides_nothing(void **state)
{
    for (size_t i = 0; i < COUNT(undecided); i++) {
        char source[2048];
        assert_true((size_t)snprintf(source, sizeof source,
                                     "world '%s/worlds/three_doors.json' local kept\n"
                                     "local function is_open(a) return a:entity('Door3').is_open "
                                     "end\n"
                                     "local function is_shut(e) return not e.is_open end\n"
                                     "test('t', {view = 20, lives = 1, seconds = 60}, function()\n"
                                     "return SEQ{interacted 'Button1', %s} end)",
                                     OCT_SOURCE_DIR, undecided[i]) < sizeof source);
        script_verdict(*state, source, OCT_VERDICT_INCONCLUSIVE, "");
    }
}

// Once it was seen, what was kept is as good as what is read now.
static void what_was_seen_again_is_known(void **state)
{
    script_passes(
        *state, "local kept\n"
                "return SEQ{interacted 'Panel', goal{name = 'g', tactic = ACTION{name = 'a', run = "
                "function(a) kept = a:entity('Door') return DONE end}}, close_to_block 'Target', "
                "CHECK('c', function(a) return kept and a:entity('Door').is_open end)}");
}

// A claim that passes has its links in the notes, each with its kind.
static void links_that_are_as_claimed_are_noted(void **state)
{
    static const char *const claims[] = {
        "links_are{Panel = {'Door'}}", "opens_only('Panel', {'Door'})", "toggles('Panel', 'Door')"};
    for (size_t i = 0; i < COUNT(claims); i++) {
        char source[256];
        bool is_noted = false;
        const oct_play_options options = {.seed = 0};
        snprintf(source, sizeof source,
                 "world 'room.json' test('t', {seconds = 120}, function() return %s end)",
                 claims[i]);
        oct_script *const script = script_open(*state, source);
        oct_play_result r = script_play_with(script, 0, &options);
        assert_int_equal(r.verdict, OCT_VERDICT_PASS);
        for (size_t k = 0; k < r.note_count; k++) {
            is_noted = is_noted || strcmp(r.notes[k], "button 0 of Panel toggles Door") == 0;
        }
        assert_true(is_noted);
        oct_play_result_free(&r);
        oct_script_close(script);
    }
}

// What is wrong when a file is loaded; each stands in its second line.
static const struct {
    const char *text, *message;
} refused[] = {
    {"x = = 1", "unexpected symbol"},
    {"test('t', print)", "no world"},
    {"test(3, print)", "the name must be a text, not 3"},
    {"test('t', 3)", "the body must be a function, not 3"},
    {"test('t', 3, print)", "options must be a table, not 3"},
    {"world(3)", "the path must be a text"},
    {"world 'w' test('t', print) test('t', print)", "a test 't' already, in line 2"},
    {"world 'w' test('', print)", "the name must not be empty"},
    {"world 'w' test('t', {veiw = 3}, print)",
     "there is no field 'veiw'; there are world, view, sight"},
    {"world 'w' test('t', {padding = 11}, print)", "padding must be a number from 0.0 to 10.0"},
    {"world 'w' test('t', {3}, print)", "there is no field 1"},
    {"world 'w' test('t', {view = 'x'}, print)", "view must be a number from 0.1 to"},
    {"world 'w' test('t', {view = -1}, print)", "view must be a number"},
    {"world 'w' test('t', {view = 0/0}, print)", "view must be a number"},
    {"world 'w' test('t', {sight = 'lines'}, print)", "sight must be 'line' or 'through'"},
    {"world 'w' test('t', {structure = 'grid'}, print)", "structure"},
    {"world 'w' test('t', {seed = 1.5}, print)", "seed must be a whole number"},
    {"world 'w' test('t', {bounds = {1, 2, 3}}, print)", "bounds must be 6 numbers"},
    {"world 'w' test('t', {bounds = {1, 2, 3, 0, 3, 4}}, print)", "the smaller ones first"},
    {"world 'w' test('t', {delay = {9, 3}}, print)", "delay must be {least, most}"},
    {"world 'w' test('t', {start = 3}, print)", "start must be a point"},
    {"world 'w' test('t', {expect = 'win'}, print)", "expect must be 'pass'"},
    {"world 'w' test('t', {denies = 'pace'}, print)", "denies must be a table, not 'pace'"},
    {"world 'w' test('t', {denies = {'pase'}}, print)",
     "denies must be 'means', 'body', 'causes', 'memory', 'alone', 'delay', 'pace', 'solid', "
     "'feet', 'truth' or 'toggles', not 'pase'"},
    {"world 'w' test('t', {denies = {pace = true}}, print)", "there is no field 'pace'"},
    {"world 'w' test('t', {reason = 'x'}, print)", "reason is for tests that expect"},
    {"world 'w' test('t', {invariants = {x = 3}}, print)", "invariant 'x' must be a function"},
    {"world 'w' test('t', {invariants = {print}}, print)", "invariants must have names"},
    {"agent('a', SUCCESS())", "only in the body of a test"},
    {"invariant('a', print)", "only in the body of a test"},
    {"SEQ(3)", "SEQ: what it is made of must be a table, not 3"},
    {"SEQ{}", "SEQ: there is nothing in it"},
    {"SEQ{SUCCESS(), 3}", "SEQ: item 2 must be a goal, not 3"},
    {"SEQ{SUCCESS(), tactic.explore()}", "SEQ: item 2 must be a goal, not a tactic"},
    {"SEQ{tactic.explore(), SUCCESS()}", "SEQ: item 2 must be a tactic, not a goal"},
    {"local g = SUCCESS() SEQ{g, g}", "SEQ: item 2 is there twice"},
    {"local g = SUCCESS() SEQ{g} g:named 'x'", "is part of something else since line 2"},
    {"local g = SUCCESS() IF(print, g, g)", "IF: the same goal is there twice"},
    {"SUCCESS():limit{turn = 3}", "limit: there is no field 'turn'"},
    {"close_to 'x'", "close_to: the place must be a point such as {1, 2, 3}, not 'x'"},
    {"close_to{1, 2}", "close_to: z of the place must be a number, not nil"},
    {"close_to_block{}", "nothing says who is meant"},
    {"close_to_block{typ = 'x'}",
     "there is no field 'typ'; there are name, type, id, at, where, side, tolerance"},
    {"close_to_block{type = 'x', side = 'up'}", "side must be 'front'"},
    {"press_button('x', -1)", "button must be a whole number from 0 to 63, not -1"},
    {"press_button(3)", "who is meant must be a name or a table, not 3"},
    {"explore_to_find{id = 'x'}", "id must be a whole number, not 'x'"},
    {"check_all{type = 'x', test = print}", "check is missing"},
    {"check_all{type = 'x', check = 'x'}", "test is missing"},
    {"equipped 'hammer'", "'grinder', 'welder' or {block = type}, not 'hammer'"},
    {"placed{against = 'x'}", "type is missing"},
    {"toggles('x')", "toggles: the door must be"},
    {"toggles(3, 'x')", "toggles: the panel must be"},
    {"links_are{x = {shut = {}}}", "there is no field 'shut'; there are opens, shuts"},
    {"links_are{x = {shuts = 3}}", "the doors must be a table, not 3"},
    {"links_are{3}", "panels must be names, not 1"},
    {"links_are{x = 3}", "the doors must be a table, not 3"},
    {"goal{tactic = tactic.explore()}", "it has no name"},
    {"goal{name = 'x'}", "tactic must be a tactic, not nil"},
    {"goal{name = 'x', solved = print, distance = print, tactic = ABORT()}", "not both"},
    {"ACTION{name = 'x'}", "it has nothing to run"},
    {"ACTION{name = 'x', run = 3}", "run must be a function, not 3"},
    {"tactic.act{}", "verb is missing"},
    {"tactic.act{verb = 'use', target = 'x'}", "target must be an id or an entity"},
    {"tactic.move{rotate = {0, 2, 0}}", "rotate must be from -1 to 1"},
    {"tactic.tool(3)", "true or false, not 3"},
    {"ltl.always(3)", "ltl.always: the first part must be a function or a formula, not 3"},
    {"pairs{[{}] = 1}", "has no order"},
};

static void what_is_wrong_has_its_line(void **state)
{
    for (size_t i = 0; i < COUNT(refused); i++) {
        char text[512];
        snprintf(text, sizeof text, "-- a comment\n%s", refused[i].text);
        script_refused(*state, text, 2, refused[i].message);
    }
    script_refused(*state, "#!/usr/bin/env -S octant test\nx = = 1", 2, "unexpected symbol");
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, script_setup, script_teardown)
    const struct CMUnitTest tests[] = {
        EACH(everything_does_what_it_says),        EACH(what_goes_wrong_has_its_reason),
        EACH(what_is_not_known_decides_nothing),   EACH(what_was_seen_again_is_known),
        EACH(links_that_are_as_claimed_are_noted), EACH(what_is_wrong_has_its_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
