-- SPDX-License-Identifier: MIT
-- octant test walking_tests.lua --game 'exec:python3 example_game.py'
world "on foot"

test("the coin can be taken on foot", function()
  return took "Coin"
end)

test("nobody is hurt on the way to the coin", function()
  invariant("unhurt", function(a) return a.health == 1 end)
  return took "Coin"
end)
