-- A maze in three dimensions whose passages are no wider than a block.
world "worlds/tight.json"

test("the target can be reached", function()
  return SEQ {
    close_to_button "Panel", press_button "Panel",
    close_to_block { type = "TargetDummy" },
  }
end)

test("the agent finds the button itself", function()
  return smart_close_to_block { type = "TargetDummy" }
end)
