-- The target can be reached, but not in time.
world "sound.json"
test("two seconds are not enough", { seconds = 2 }, function()
  return smart_close_to_block { type = "TargetDummy" }
end)
test("a button takes too long", function()
  return SEQ {
    close_to_button("Panel2"):limit { turns = 3 },
    press_button "Panel2",
  }
end)
