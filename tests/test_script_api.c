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
    "return opens_only('Panel:1', {})",
    "return opens_only({'Panel', 1}, {})",
    "return SEQ{links_are{Panel = {'Door'}, ['Panel:1'] = {}}, CHECK('learned', function(a) local "
    "l "
    "= a:links() return #l == 1 and l[1].panel == 'Panel' and l[1].door == 'Door' and l[1].button "
    "== 0 and a:link('Panel', 'Door') == 'yes' and a:link('Panel', 1, 'Door') == 'no' end)}",
    "return CHECK('open', function(a) return a:link('Panel', 'Door') == 'open' and "
    "a:link('Nobody', 'Door') == 'open' end)",
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
    "a:distance(e.position) and a:entity(e).id == 4 and a:entity 'Nobody' == nil and a:distance "
    "'Nobody' == nil end)",
    "return CHECK('said', function(a) a:note('noted') a:think('thought') return true end)",
    // several agents
    "agent('one', {role = 'sender'}, SEQ{CHECK('send', function(a) a:send{to = 'two', topic = 't', "
    "text = 'hi', number = 3} a:send{role = 'taker', topic = 'r'} a:send{topic = 'all'} return "
    "true "
    "end)}) local got = 0 agent('two', {role = 'taker', start = {6.27, 2.87, 6.27}, structure = "
    "'grid'}, wait_until('got', function(a) local m = a:take 't' if m then assert(m.from == 'one' "
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

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, script_setup, script_teardown)
    const struct CMUnitTest tests[] = {EACH(everything_does_what_it_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
