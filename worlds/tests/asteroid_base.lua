-- A base in a hollow asteroid, with gravity; a group of doors; a timer that opens the vault.
world "worlds/asteroid_base.json"

test("the vault can be reached", function()
  return SEQ {
    close_to_button "Gate panel", press_button "Gate panel",
    close_to_button "Control panel", press_button "Control panel",
    close_to_block { type = "TargetDummy", side = "front" },
  }
end)

test("the agent finds its way into the vault", function()
  return smart_close_to_block { type = "TargetDummy", side = "front" }
end)
