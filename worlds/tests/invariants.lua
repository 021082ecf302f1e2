-- What has to hold all the time, beside the goal.
world "worlds/three_doors.json"

local function is_seen_open(name)
  return function(a)
    local door = a:sees(name)
    return door and door.is_open
  end
end

test("nobody gets hurt on the way", {
  view = 20,
  invariants = {
    ["health is full"] = function(a) return a.health == 1 end,
    ["not faster than allowed"] = function(a)
      local v = a.velocity
      return v.x * v.x + v.y * v.y + v.z * v.z <= 20.01 * 20.01
    end,
  },
}, function()
  return smart_close_to_block { type = "TargetDummy", side = "back" }
end)

-- Formulas say when: until Door1 was seen open nobody sees Door3 open, and in the end it is.
test("Door3 opens after Door1", { view = 20 }, function()
  invariant("Door1 comes first", ltl.weak_till(ltl.negate(is_seen_open "Door3"), is_seen_open "Door1"))
  invariant("Door3 opens", ltl.eventually(is_seen_open "Door3"))
  return SEQ {
    interacted "Button1", interacted "Button3", interacted "Button4",
    close_to_block { type = "TargetDummy", side = "back" },
  }
end)
