-- Two agents: one keeps the door open, the other goes through it and says so.
world "worlds/tests/workshop.json"

test("one opens the door, the other goes through", { seconds = 120 }, function()
  agent("opener", { role = "doors" }, SEQ {
    wait_until("asked for a door", function(a) return a:take("open") ~= nil end),
    interacted("Blue panel", 1),
    wait_until("thanked", function(a) return a:take("thanks") ~= nil end),
  })
  agent("runner", { start = { 18.77, 2.87, 8.77 } }, SEQ {
    goal {
      name = "ask",
      tactic = ACTION {
        name = "send",
        run = function(a)
          a:send { role = "doors", topic = "open", text = "Right door" }
          return DONE
        end,
      },
    },
    wait_until("the door is open", function(a)
      local door = a:entity("Right door")
      return door and door.is_open
    end),
    close_to_block { type = "TargetDummy" },
    goal {
      name = "thank",
      tactic = ACTION {
        name = "send",
        run = function(a)
          a:send { to = "opener", topic = "thanks" }
          return DONE
        end,
      },
    },
  })
end)
