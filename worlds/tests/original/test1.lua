-- Test 1 of Hoekzema 2024 on its own world: one door, and one button on a panel of four.
-- The worlds are not part of this repository: they lie in shared/data beside it.
world "shared/data/space_engineers/worlds/test1_myworld-3_Indoors.json"

test("world 1: the battery can be reached", { view = 20 }, function()
  return SEQ {
    close_to_button "Button Panel", press_button("Button Panel", 0),
    close_to_block { type = "LargeBlockBatteryBlock", side = "front" },
  }
end)

test("world 1: the agent finds out what to press", { view = 20 }, function()
  return smart_close_to_block { type = "LargeBlockBatteryBlock", side = "front" }
end)
