-- Wires that were forgotten, or are too many.
world "missing_link.json"
test("a missing link", function()
  return links_are { Panel1 = { "Door1" }, Panel2 = { "Door2" } }
end)
world "extra_link.json"
test("an extra link", function()
  return links_are { Panel1 = { "Door1" }, Panel2 = { "Door2" } }
end)
