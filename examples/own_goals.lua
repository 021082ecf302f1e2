-- SPDX-License-Identifier: MIT
-- Goals and tactics of one's own, and goals that are made of what the agent has seen by then.
world "worlds/door_and_button.json"

-- A leaf: what it is to be there, and a tactic. The tactic's first part that is enabled has its turn.
local function at_height(y)
  return goal {
    name = "at height " .. y,
    distance = function(a) return a.centre.y - y end,
    epsilon = 0.3,
    tactic = FIRSTof {
      ACTION {
        name = "rise",
        guard = function(a) return a.centre.y < y end,
        run = function(a)
          a:act { verb = "move", move = { 0, 0.5, 0 }, ticks = 6 }
          return DONE
        end,
      },
      ACTION {
        name = "sink",
        run = function(a)
          a:act { verb = "move", move = { 0, -0.5, 0 }, ticks = 6 }
          return DONE
        end,
      },
    },
  }
end

test("a goal of one's own", { seconds = 60 }, function()
  return SEQ { at_height(5), at_height(3.5):limit { turns = 100 } }
end)

-- DEPLOY asks when it begins: by then panels are known that nobody named in the script.
local function press_nearest_panel()
  return DEPLOY("press the nearest panel", function(a)
    local best
    for _, panel in ipairs(a:entities { where = function(e) return e.kind == "button" end }) do
      if not best or a:distance(panel) < a:distance(best) then
        best = panel
      end
    end
    if best then
      a:note("the nearest panel is " .. best.name)
      return interacted(best)
    end
    a:because("no panel was seen")
  end)
end

test("what to press is decided on the way", function()
  return SEQ {
    explore(),
    press_nearest_panel(),
    wait_until("Door1 is open", function(a) return a:entity("Door1").is_open end, 30),
    close_to_block { type = "TargetDummy", side = "front" },
  }
end)

-- The same goal for several worlds is a loop. A predicate is asked of every entity of that type, again
-- and again: in a large level a type beside it saves most of the time.
for _, name in ipairs { "door_and_button", "tight" } do
  test("a panel can be reached: " .. name, { world = "worlds/" .. name .. ".json" }, function()
    return close_to_button { type = "panel", where = function(e) return e.integrity > 0 end }
  end)
end
