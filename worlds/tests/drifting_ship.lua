-- A ship drifts to and fro through a box. Its panel, and one on the shore, open a vault.
world "worlds/drifting_ship.json"

test("the target can be reached from the shore", function()
  return SEQ {
    close_to_button "Shore panel", press_button "Shore panel",
    close_to_block { type = "TargetDummy", side = "front" },
  }
end)

test("the agent finds a button itself", function()
  return smart_close_to_block { type = "TargetDummy", side = "front" }
end)
