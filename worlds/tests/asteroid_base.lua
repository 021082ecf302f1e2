-- A base in a hollow asteroid, with gravity; a group of doors; a timer that opens the vault.
-- The script says where the panels are: nobody has to search the cave for them.
world "worlds/asteroid_base.json"

local gate = { name = "Gate panel", at = { 17.87, -12.93, 8.11 } }
local control = { name = "Control panel", at = { -7.13, -5.43, -9.39 } }
test("the vault can be reached", function()
  return SEQ {
    close_to_button(gate), press_button(gate),
    close_to_button(control), press_button(control),
    close_to_block { type = "TargetDummy", side = "front" },
  }
end)

test("the agent finds its way into the vault", function()
  return smart_close_to_block { type = "TargetDummy", side = "front" }
end)
