-- SPDX-License-Identifier: MIT
-- What make demo plays: our versions of the four worlds of Hoekzema 2024. Nobody tells the agent where
-- anything is, which button does what, or in which order; it sees 20 m far.
for _, name in ipairs { "door_and_button", "three_doors", "glass_box", "glass_maze" } do
  test(name, { world = "worlds/" .. name .. ".json", view = 20 }, function()
    return smart_close_to_block { type = "TargetDummy", side = name == "three_doors" and "back" or "front" }
  end)
end
