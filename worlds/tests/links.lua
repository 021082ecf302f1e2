-- What buttons do: found by pressing them and looking at the doors.
world "worlds/tests/workshop.json"

-- "Red panel" is its button 0, "Red panel:1" its button 1. No other button may toggle any door.
test("the workshop is wired as designed", function()
  return links_are {
    ["Red panel"] = { "Left door" },
    ["Red panel:1"] = { "Middle door" },
    ["Blue panel"] = { "Left door", "Middle door" },
    ["Blue panel:1"] = { "Right door" },
  }
end)

test("one button opens one door, after two seconds", function()
  return opens_only({ "Blue panel", 1 }, { "Right door" })
end)

-- The same test for every door: which button opens it, and that it can be passed.
local opener = {
  ["Left door"] = { "Red panel", 0 },
  ["Middle door"] = { "Red panel", 1 },
  ["Right door"] = { "Blue panel", 1 },
}
for _, door in ipairs { "Left door", "Middle door", "Right door" } do
  local panel, button = table.unpack(opener[door])
  test(panel .. " " .. button .. " opens the " .. door:lower(), { seconds = 60 }, function()
    return SEQ {
      close_to_button(panel), press_button(panel, button),
      wait_until(door .. " is open", function(a)
        local d = a:entity(door)
        return d and d.is_open
      end, 10),
    }
  end)
end

-- In this world nobody can tell what Button1 does to Door2: one only sees that door where Button1
-- was pressed an odd number of times. What can be told is.
world "worlds/three_doors.json"
test("links that cannot be learned stay open", { view = 20, expect = "inconclusive", reason = "not certain" },
  function()
    return opens_only("Button1", { "Door1" })
  end)
test("Button4 opens the way back", { view = 20 }, function()
  return SEQ {
    smart_close_to_block { type = "TargetDummy", side = "back" },
    CHECK("Button4 toggles Door1", function(a) return a:link("Button4", "Door1") == "yes" end),
  }
end)
