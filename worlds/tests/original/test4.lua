-- Test 4 of Hoekzema 2024 on its own world, explored from scratch. Nothing in it has a name.
world "shared/data/space_engineers/worlds/test4a_Glass_box_maze.json"

test("world 4: the dummy can be reached", { view = 20 }, function()
  return SEQ {
    close_to_button { type = "ButtonPanel" }, press_button({ type = "ButtonPanel" }, 0),
    close_to_block { type = "TargetDummyBlock" },
  }
end)

test("world 4: the agent finds the button itself", { view = 20 }, function()
  return smart_close_to_block { type = "TargetDummyBlock" }
end)
