# SPDX-License-Identifier: MIT
"""The example game with one fault that a new adapter may have, to try `octant game check` on.

    octant game check 'exec:python3 tests/faulty_game.py --fault too_fast'

Apart from its fault it is a valid game.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../adapters/python"))
import octant
from example_game import Rooms

CRATES = ((-4.0, 3.0, 0.0, -3.4, 3.6, 0.6), (-4.0, -3.0, 0.0, -3.4, -2.4, 0.6))


class IdsChange(Rooms):
    """Every other life tells its things in another order, so that they get other ids."""

    lives = 0

    def reset(self, *arguments):
        super().reset(*arguments)
        self.lives += 1

    def entities(self, who):
        return super().entities(who)[:: 1 if self.lives % 2 else -1]


class EntitiesJump(Rooms):
    """A crate is at one end of the room, half a second later at the other."""

    def entities(self, who):
        box = CRATES[self.now // 30 % 2]
        return super().entities(who) + [{"name": "Crate", "box": box}]


class TickDiffers(Rooms):
    """Every other tick passes half the time that the rate says."""

    def tick(self):
        speeds = self.player.velocity
        super().tick()
        if self.now % 2 and speeds != (0.0, 0.0, 0.0):
            self.player.position = octant.add(self.player.position, self.player.velocity,
                                             -0.5 / self.rate)


class NoGeometry(Rooms):
    """Nobody is told of walls."""

    geometry = property()


class InsideOut(Rooms):
    """Boxes have their largest corner first."""

    def geometry(self):
        return [{**part, "box": part["box"][3:] + part["box"][:3]} for part in super().geometry()]

    def entities(self, who):
        return [{**e, "box": e["box"][3:] + e["box"][:3]} for e in super().entities(who)]


class TooFast(Rooms):
    """The drone flies twice as fast as it says."""

    def describe(self):
        told = super().describe()
        told["players"][0]["speed"] /= 2
        return told


class SinceLost(Rooms):
    """Differences do not tell what has changed."""


class SinceLostSession(octant._Session):
    def observation(self, who, since):
        answer = super().observation(who, since)
        if "since" in answer:
            answer["entities"] = []
        return answer


class ActIgnored(Rooms):
    """Moving is answered "done", and nothing moves."""

    def act(self, who, action):
        return "done" if action.verb == "move" else super().act(who, action)


class ResetDiffers(Rooms):
    """Each life has a little less thrust than the last; `exact` has reset."""

    lives = 0

    def reset(self, *arguments):
        super().reset(*arguments)
        self.player.acceleration *= 0.99**self.lives
        self.lives += 1

    def describe(self):
        told = super().describe()
        told["players"][0]["acceleration"] = 8.0
        return told


class Silent(Rooms):
    """After ten looks no look is answered any more."""


class SilentSession(octant._Session):
    looks = 0

    def answer(self, line):
        answer = super().answer(line)
        self.looks += b'"entities"' in answer
        return b"" if b'"entities"' in answer and self.looks > 10 else answer


FAULTS = {
    "none": Rooms,
    "ids_change": IdsChange,
    "entities_jump": EntitiesJump,
    "tick_differs": TickDiffers,
    "no_geometry": NoGeometry,
    "inside_out": InsideOut,
    "too_fast": TooFast,
    "since_lost": SinceLost,
    "act_ignored": ActIgnored,
    "reset_differs": ResetDiffers,
    "silent": Silent,
}
SESSIONS = {"since_lost": SinceLostSession, "silent": SilentSession}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS, default="none")
    fault = parser.parse_args().fault
    octant._Session = SESSIONS.get(fault, octant._Session)
    octant.run(FAULTS[fault])
