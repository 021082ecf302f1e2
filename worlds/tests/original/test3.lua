-- Test 3 of Hoekzema 2024 on its own world, explored from scratch. Nothing in it has a name.
world "shared/data/space_engineers/worlds/test3a_Glass_box.json"

test("world 3: the dummy can be reached", { view = 20 }, function()
  return SEQ {
    close_to_button { type = "ButtonPanel" }, press_button({ type = "ButtonPanel" }, 0),
    close_to_block { type = "TargetDummyBlock" },
  }
end)

test("world 3: the agent finds the button itself", { view = 20 }, function()
  return smart_close_to_block { type = "TargetDummyBlock" }
end)
