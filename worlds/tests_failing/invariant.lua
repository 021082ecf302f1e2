-- The goal is reached, but something was not as it should be on the way.
world "sound.json"
test("the closet stays shut", {
  invariants = {
    ["Door2 is shut"] = function(a)
      local door = a:entity("Door2")
      return not door or door.opening == 0
    end,
  },
}, function()
  return SEQ {
    interacted "Panel2",
    interacted "Panel1",
    close_to_block { type = "TargetDummy" },
  }
end)
