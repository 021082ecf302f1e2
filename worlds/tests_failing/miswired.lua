-- The button opens another door.
world "miswired.json"
test("a button that opens another door", function()
  return SEQ {
    close_to_button "Panel1", press_button "Panel1",
    close_to_block { type = "TargetDummy" },
  }
end)
test("a button that does not what its links say", function()
  return opens_only("Panel1", { "Door1" })
end)
