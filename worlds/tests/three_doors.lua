-- Test 2 of Hoekzema 2024: three doors, four buttons, and only one order in which they help.
world "worlds/three_doors.json"
test("the dummy can be reached in the known order", { view = 20 }, function()
  return SEQ {
    close_to_button "Button1", press_button "Button1",
    close_to_button "Button3", press_button "Button3",
    close_to_button "Button4", press_button "Button4",
    close_to_block { type = "TargetDummy", side = "back" },
  }
end)
test("the agent finds the order itself", { view = 20 }, function()
  return smart_close_to_block { type = "TargetDummy", side = "back" }
end)
