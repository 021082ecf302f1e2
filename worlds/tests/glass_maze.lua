-- Test 4 of Hoekzema 2024: the glass box, filled with walls and obstacles. Everything is found from scratch.
world "worlds/glass_maze.json"

test("the target can be reached", { view = 20 }, function()
  return SEQ {
    close_to_button "Panel", press_button "Panel",
    close_to_block { type = "TargetDummy" },
  }
end)

test("the agent finds the button itself", { view = 20 }, function()
  return smart_close_to_block { type = "TargetDummy" }
end)
