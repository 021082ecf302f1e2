-- SPDX-License-Identifier: MIT
-- Two agents in one game: one stays at the panel, the other goes through the door, and says so.
world "worlds/door_and_button.json"

-- A message that was taken is gone: what it said is kept.
local function has_heard(topic)
  local heard = false
  return function(a)
    heard = heard or a:take(topic) ~= nil
    return heard
  end
end

local function say(topic)
  return CHECK("say " .. topic, function(a)
    a:send { role = "tester", topic = topic, text = a.name .. " at " .. a.time .. " s" }
    return true
  end)
end

test("one opens, the other goes through", { view = 20 }, function()
  agent("opener", {}, SEQ {
    wait_until("the runner is ready", has_heard "ready", 300),
    interacted "Panel", say "pressed",
    wait_until("the runner is there", has_heard "there", 300),
  })
  agent("runner", { start = { 21.27, 2.87, 33.77 } }, SEQ {
    close_to_button "Panel", say "ready",
    wait_until("the door was told to open", has_heard "pressed", 300),
    wait_until("it is open", function(a) return a:entity("Door1").is_open end, 10),
    close_to_block { type = "TargetDummy", side = "front" }, say "there",
  })
end)
