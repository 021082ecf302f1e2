-- SPDX-License-Identifier: MIT
-- Tests of levels of the lab world, one for each feature. They are played in the simulation, or in
-- a running Lab Recruits:
--   octant test worlds/lab/lab.lua
--   octant test worlds/lab/lab.lua --game lab:127.0.0.1:8053

-- The program of section 6 of Prasetya et al. 2020.
test("the button opens the door", { world = "button_and_door.csv", seconds = 60 }, function()
  return SEQ {
    interacted "button1",
    entity_in_range { name = "door1", distance = 10 },
    property("door1", "isOpen", true),
  }
end)

test("the latch shuts an open fence", { world = "closing_fence.csv", seconds = 60 }, function()
  return SEQ {
    property("fence", "isOpen", true),
    interacted "latch",
    property("fence", "isOpen", false),
  }
end)

test("colours mix on the screen", { world = "colours.csv", seconds = 120 }, function()
  return SEQ {
    interacted "red",
    property("screen", "colour", "#ff0000"),
    interacted "blue",
    property("screen", "colour", "#ff00ff"),
  }
end)

test("a character walks around the corridors", { world = "patrol.csv", seconds = 60 }, function()
  return explore_to_find { type = "npc" }
end)

test("the first door of the tower opens", { world = "tower.csv", seconds = 60 }, function()
  return SEQ { interacted "button1", property("door1", "isOpen", true) }
end)

test("the press that wakes the enemy opens the door", {
  world = "guarded.csv", seconds = 60,
}, function()
  return SEQ { interacted "button1", property("door1", "isOpen", true) }
end)
