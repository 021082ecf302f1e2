-- The target is not there. Whether that is certain depends on what was explored.
world "no_target.json"
test("a target that is nowhere", function()
  return smart_close_to_block { type = "TargetDummy" }
end)
test("a target that was not found in ten turns", { turns = 10 }, function()
  return smart_close_to_block { type = "TargetDummy" }
end)
test("a target that was not found within bounds", { bounds = { 0, 0, 0, 9, 7.5, 9 } }, function()
  return smart_close_to_block { type = "TargetDummy" }
end)
