-- Nothing opens the door.
world "unwired.json"
test("a button that is not wired", function()
  return smart_close_to_block { type = "TargetDummy" }
end)
