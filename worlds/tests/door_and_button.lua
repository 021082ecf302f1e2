-- Test 1 of Hoekzema 2024: a door, a panel with a button that opens it, a target behind it.
world "worlds/door_and_button.json"

test("the target can be reached", { view = 20 }, function()
  return SEQ {
    close_to_button "Panel", press_button "Panel",
    close_to_block { type = "TargetDummy", side = "front" },
  }
end)

-- As Hoekzema 2024 plays it: nobody says that there is a button.
test("the agent finds out what to press", { view = 20 }, function()
  return smart_close_to_block { type = "TargetDummy", side = "front" }
end)

test("without a press there is no way", { expect = "fail", reason = "TargetDummy was not found" }, function()
  return close_to_block { type = "TargetDummy", side = "front" }
end)
