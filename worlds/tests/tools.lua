-- Tools and blocks.
world "worlds/tests/workshop.json"

test("the grinder is in the toolbar", function()
  return equipped "grinder"
end)

test("a crate can be ground down", function()
  return SEQ {
    explore_to_find "Crate",
    block_ok "Crate",
    ground_down "Crate",
    CHECK("it is gone", function(a) return a:entity("Crate").gone end),
  }
end)

test("a lamp can be put on the bench", function()
  return placed { type = "lamp", against = "Bench", side = "front" }
end)

-- It is behind a door, and damaged: more than half of it is left.
test("the broken crate is not too broken", function()
  return SEQ {
    interacted("Red panel", 1),
    close_to_block { name = "Broken crate", side = "front" },
    block_ok { name = "Broken crate", share = 0.5 },
  }
end)

test("damage is noticed", { expect = "fail", reason = "only 60 % of its integrity" }, function()
  return SEQ {
    interacted("Red panel", 1),
    close_to_block "Broken crate",
    block_ok "Broken crate",
  }
end)

test("all lamps are whole", function()
  return check_all { type = "lamp", check = "it is whole", test = function(e) return e.integrity >= 20 end }
end)
