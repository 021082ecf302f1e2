-- A yard full of scrap that lies at odd angles: one panel opens the hut, the one in it the shed.
world "worlds/scrapyard.json"

test("the target can be reached", function()
  return SEQ {
    close_to_button "Yard panel", press_button "Yard panel",
    close_to_button "Hut panel", press_button "Hut panel",
    close_to_block { type = "TargetDummy" },
  }
end)

-- Who presses again before the open hut was looked into takes several times as long.
test("the agent finds the buttons itself", { turns = 3300 }, function()
  return smart_close_to_block { type = "TargetDummy" }
end)
