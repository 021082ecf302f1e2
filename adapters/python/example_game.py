# SPDX-License-Identifier: MIT
"""Two rooms with a door between them, a button that opens it, a coin and a fire; in the level
"on foot" the player walks.

    octant test example_tests.lua walking_tests.lua --game 'exec:python3 example_game.py'
"""
import octant

RATE = 60  # ticks per second

# x is east, y is north, z is up; metres. The rooms are 5 x 8 x 3 m.
WALLS = {
    "Floor": (-5.4, -4.4, -0.4, 5.8, 4.4, 0.0),
    "Ceiling": (-5.4, -4.4, 3.0, 5.8, 4.4, 3.4),
    "West": (-5.4, -4.4, 0.0, -5.0, 4.4, 3.0),
    "East": (5.4, -4.4, 0.0, 5.8, 4.4, 3.0),
    "South": (-5.0, -4.4, 0.0, 5.4, -4.0, 3.0),
    "North": (-5.0, 4.0, 0.0, 5.4, 4.4, 3.0),
    "Middle, south": (0.0, -4.0, 0.0, 0.4, -1.0, 3.0),
    "Middle, north": (0.0, 1.0, 0.0, 0.4, 4.0, 3.0),
    "Middle, above": (0.0, -1.0, 2.4, 0.4, 1.0, 3.0),
}
DOOR = (0.1, -1.0, 0.0, 0.3, 1.0, 2.4)
BUTTON = (-0.15, 1.6, 1.0, 0.0, 2.0, 1.4)
COIN = (4.0, 2.4, 1.0, 4.4, 2.8, 1.4)
FIRE = (2.0, -3.5, 0.0, 4.0, -1.5, 1.0)
GRAVITY = (0.0, 0.0, -9.8)  # of those who do not fly
HARM = 0.5  # share of health per second


class Rooms(octant.Game):
    name = "Rooms"
    rate = RATE
    exact = ("start", "reset")

    def reset(self, level, seed, starts, options):
        if level not in (None, "rooms", "on foot"):
            raise octant.Problem("range", f"there is no level '{level}'")
        start = starts[0] if starts else {}
        forward = start.get("forward") or (1.0, 0.0, 0.0)
        if level == "on foot":
            player = octant.Walker("Walker", start.get("position") or (-3.0, 0.0, 0.0), forward)
        else:
            player = octant.Flyer("Drone", start.get("position") or (-3.0, 0.0, 0.5), forward)
        if not player.has_room([*WALLS.values(), DOOR, BUTTON]):
            raise octant.Problem("range", "there is no room at the start")
        self.player = player
        self.door = octant.Door("Door", DOOR, slide=(0.0, 2.0, 0.0))
        self.wires = {"Button": self.door}
        self.presses = self.coins = 0
        self.burns = False

    def describe(self):
        return {"world": "rooms", "up": "z", "players": [self.player.describe()],
                "rules": {"view": 20, "gravity": GRAVITY, "settle": 1,
                          "bounds": (-5.4, -4.4, -0.4, 5.8, 4.4, 3.4),
                          "promises": ["body", "causes", "delay", "pace", "solid", "toggles"]}}

    def geometry(self):
        return [{"name": name, "box": box} for name, box in WALLS.items()]

    def entities(self, who):
        told = [self.door.tell(),
                {"name": "Button", "kind": "button", "box": BUTTON, "uses": ["press"],
                 "props": {"presses": self.presses}},
                {"name": "Fire", "kind": "hazard", "box": FIRE, "solid": False, "opaque": False,
                 "harm": HARM}]
        if not self.coins:
            told.append({"name": "Coin", "kind": "item", "box": COIN, "solid": False,
                         "opaque": False})
        return told

    def self_of(self, who):
        return self.player.tell(props={"coins": self.coins})

    def act(self, who, action):
        if action.verb != "use":
            return self.player.act(action)
        if action.target != "Button":
            return "no button" if action.target else "no target"
        if action.button != 0:
            return "no button"
        came = octant.reach(self.player.eye(), self.player.reach, BUTTON, self.solids())
        if came == "done":
            self.presses += 1
            if "Button" in self.wires:
                self.wires["Button"].toggle()
        return came

    def solids(self):
        return [*WALLS.values(), self.door.box(), BUTTON]

    def tick(self):
        self.door.tick([self.player])
        self.player.tick(RATE, self.solids())
        if not self.coins and self.player.touches(COIN):
            self.coins = 1
            self.event("taken", "Coin")
        burns = self.player.touches(FIRE)
        if burns:
            self.player.health = max(self.player.health - HARM / RATE, 0.0)
            if not self.burns:
                self.event("hurt", "Fire", "it is hot in here")
        self.burns = burns

    def over(self):
        return "lost" if self.player.health == 0 else None

    def hash(self):
        return octant.digest(self.now, sorted(vars(self.player).items()), self.door.done,
                             self.door.opens, self.presses, self.coins)


if __name__ == "__main__":
    if not octant.run(Rooms):
        print("Set OCTANT_PORT=8060, or let `octant test --game exec:...` start this game.")
