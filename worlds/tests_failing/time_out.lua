-- The target can be reached, but not in time.
world "sound.json"
test("two seconds are not enough", function()
  return within(2, smart_close_to_block { type = "TargetDummy" })
end)
test("a button takes too long", function()
  return SEQ {
    within(0.5, close_to_button "Panel2"),
    press_button "Panel2",
  }
end)
