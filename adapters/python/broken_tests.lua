-- SPDX-License-Identifier: MIT
-- octant test broken_tests.lua --game 'exec:python3 broken_game.py'
world "rooms"

-- Fails: somebody has lost the wire between the button and the door.
test("the coin can be taken", function()
  return took "Coin"
end)
