-- Test 2 of Hoekzema 2024 on its own world, CR3_3_3_M of the Lab Recruits contest. A panel has four
-- buttons: button 2 of Button3 starts a timer that toggles all doors, button 3 of Button4 Door1.
world "shared/data/space_engineers/worlds/test2_CR3_3_3_M.json"

test("world 2: the dummy can be reached in the known order", { view = 20 }, function()
  return SEQ {
    close_to_button "Button1", press_button("Button1", 0),
    close_to_button "Button3", press_button("Button3", 2),
    close_to_button "Button4", press_button("Button4", 3),
    close_to_block { type = "TargetDummy", side = "back" },
  }
end)

test("world 2: the agent finds the order itself", { view = 20 }, function()
  return smart_close_to_block { type = "TargetDummy", side = "back" }
end)
