-- SPDX-License-Identifier: MIT
-- octant test example_tests.lua --game 'exec:python3 example_game.py'
world "rooms"

test("the coin can be taken", function()
  return took "Coin"
end)

test("the button opens the door, and nothing else", function()
  return links_are { Button = { "Door" } }
end)

test("nobody is hurt on the way to the coin", function()
  invariant("unhurt", function(a) return a.health == 1 end)
  return took "Coin"
end)
