-- SPDX-License-Identifier: MIT
-- What must hold over a whole run, whatever the goal is.
world "worlds/three_doors.json"

local function speed(a)
  local v = a.velocity
  return math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
end

local function is_open(name)
  return function(a)
    local door = a:entity(name)
    return door ~= nil and door.is_open
  end
end

local solve = function()
  return smart_close_to_block { type = "TargetDummy", side = "back" }
end

-- A predicate is asked after every look, and must always be true.
test("nobody is hurt, and nobody is too fast", {
  invariants = {
    ["health is full"] = function(a) return a.health == 1 end,
    ["no more than 20 m/s"] = function(a) return speed(a) <= 20.001 end,
  },
}, solve)

-- A formula can say when: Door3 is not seen open before Door1 was.
test("doors open in their order", {
  invariants = {
    ["Door1 before Door3"] = ltl.weak_till(ltl.negate(is_open "Door3"), is_open "Door1"),
    ["all were open once"] = ltl.both(ltl.eventually(is_open "Door1"),
      ltl.both(ltl.eventually(is_open "Door2"), ltl.eventually(is_open "Door3"))),
  },
}, solve)

-- What does not hold ends the run, with its name.
test("Door1 stays shut: it does not", {
  invariants = { ["Door1 stays shut"] = ltl.always(ltl.negate(is_open "Door1")) },
  expect = "fail", reason = "Door1 stays shut did not hold",
}, solve)
