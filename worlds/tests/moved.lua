-- A place in a pick is where to look first. What was moved is found all the same, and the report
-- has a note of it.
world "worlds/three_doors.json"

test("Button1 is where the script says", { view = 20 }, function()
  return close_to_button { name = "Button1", at = { 18.77, 3.77, 18.77 } }
end)

test("Button1 is found although it was moved", { view = 20 }, function()
  return close_to_button { name = "Button1", at = { 3.77, 3.77, 28.77 } }
end)
