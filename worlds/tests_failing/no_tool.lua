-- What is needed is not in the toolbar.
world "no_tool.json"
test("a window cannot be ground down without a grinder", function()
  return ground_down "Window"
end)
