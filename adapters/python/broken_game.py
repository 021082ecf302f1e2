# SPDX-License-Identifier: MIT
"""The example game after somebody has lost a wire: the button is there, and does nothing.

    octant test broken_tests.lua --game 'exec:python3 broken_game.py'
"""
import octant
from example_game import Rooms


class BrokenRooms(Rooms):
    def reset(self, level, seed, starts, options):
        super().reset(level, seed, starts, options)
        self.wires = {}


if __name__ == "__main__":
    octant.run(BrokenRooms)
