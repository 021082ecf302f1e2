-- There is no door at all.
world "walled_in.json"
test("a target that is walled in", function()
  return smart_close_to_block { type = "TargetDummy" }
end)
