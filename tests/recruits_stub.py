#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for Lab Recruits, written from the description of its protocol alone, with the habits
of the real game: it wants each request in one piece and alone, answers nothing to what it does not
know, numbers things as the engine does, and lets its world run on while nobody asks. One room, a
button, a door, a fire. It prints its port, then every breach of what the game stands.
    recruits_stub.py [SPEED] [FAULT AFTER]    faults: hang, close, garbage, twice, index, huge"""
import json
import math
import socket
import sys
import time

SPEED = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
FAULT = sys.argv[2] if len(sys.argv) > 2 else ""
AFTER = int(sys.argv[3]) if len(sys.argv) > 3 else 0
STEP = 0.13
WIDTH, DEPTH = 9, 5


def vector(x, y, z):
    return {"x": x, "y": y, "z": z}


class World:
    """A room of 7 x 3 cells, with a door in the middle of its wall to the right."""

    def __init__(self, name):
        self.is_empty = name == ""
        self.began = time.monotonic()
        self.ticks = 0
        self.feet = [1.0, 1.0]
        self.target = None
        self.on = False
        self.swing = 0.0
        self.pressed = -10 ** 9
        self.health = 100
        self.score = 0
        self.in_fire = False

    def mesh(self):
        if self.is_empty:
            return {"vertices": [], "indices": []}
        low, right, far = 0.74, WIDTH - 1.74, DEPTH - 1.74
        points = [(low, low), (right, low), (right, far), (low, far)]
        return {"vertices": [vector(x, 0.06, z) for x, z in points], "indices": [0, 1, 2, 0, 2, 3]}

    def run(self):
        due = int((time.monotonic() - self.began) * 50 * SPEED)
        while self.ticks < due:
            self.ticks += 1
            self.tick()

    def tick(self):
        self.swing += max(-0.02, min(0.02, (1.0 if self.on else 0.0) - self.swing))
        if self.target and self.health > 0:
            way = [self.target[0] - self.feet[0], self.target[2] - self.feet[1]]
            far = math.hypot(*way)
            if far * far + self.target[1] ** 2 < 0.1:
                self.target = None
            elif far > 0:
                for i, most in ((0, WIDTH - 2), (1, DEPTH - 2)):
                    at = self.feet[i] + STEP * way[i] / far
                    self.feet[i] = max(0.82, min(most + 0.5 - 0.32, at))
        burns = max(abs(self.feet[0] - 4), abs(self.feet[1] - 3)) < 0.57
        if burns and not self.in_fire:
            self.health -= 5
        self.in_fire = burns

    def sees(self, x, z):
        return 0.22 < math.hypot(self.feet[0] - x, self.feet[1] - z) < 10

    def press(self):
        near = math.hypot(self.feet[0] - 6, self.feet[1] - 1) <= 1.5
        if near and self.ticks - self.pressed > 25:
            self.pressed = self.ticks
            self.on = not self.on
            self.score += 10 if self.on and self.score < 10 else 0

    def objects(self):
        angle = self.swing * math.pi / 2
        # The hinge of a door to the right, and its panel around it.
        hinge = (7.4, 1.5)
        off = (0.05, 0.5)
        panel = (hinge[0] + off[0] * math.cos(angle) + off[1] * math.sin(angle),
                 hinge[1] + off[0] * math.sin(angle) + off[1] * math.cos(angle))
        if self.swing == 0:
            panel = (7.45, 2.0)
        if self.swing == 1:
            panel = (6.9, 1.55)
        size = (0.3, 1.5) if self.swing < 0.5 else (1.5, -0.3)
        never = "0001-01-01T00:00:00"
        things = [
            {"name": "b1", "tag": "Switch", "id": -1234, "lastTouched": never, "extra": [1, {}],
             "transform": {"position": vector(6, 0, 1), "rotation": vector(0, 0, 0),
                           "scale": vector(1, 1, 1)},
             "colliders": [{"center": vector(6, 0.08, 1), "size": vector(1, 0.3, 1)}],
             "Interactable": {"interactable": True, "interactionCooldown": 0.5,
                              "timeSinceInteraction": 3.40282347e+38},
             "Toggleable": {"isActive": self.on}},
            {"name": "d1", "tag": "Door", "id": -77, "lastTouched": never,
             "transform": {"position": vector(7, 0, 2), "rotation": vector(0, 0, 0),
                           "scale": vector(1, 1, 1)},
             "colliders": [{"center": vector(panel[0], 1, panel[1]),
                            "size": vector(size[0], 2, size[1])}],
             "Toggleable": {"isActive": self.on}},
            {"name": "FireHazard(Clone)", "tag": "Dynamic", "id": 991, "lastTouched": never,
             "transform": {"position": vector(4, 0, 3), "rotation": vector(0, 0, 0),
                           "scale": vector(1, 1, 1)},
             "colliders": [{"center": vector(4, 0.375, 3), "size": vector(0.5, 0.5, 0.5)}],
             "FireHazard": {}},
            {"name": "Thing(Clone)", "tag": "Untagged", "id": 5, "lastTouched": never,
             "transform": None, "colliders": []}]
        return [t for t in things if t["transform"] is None or
                self.sees(t["transform"]["position"]["x"], t["transform"]["position"]["z"])]

    def observation(self, did_nothing):
        return {"meta": {"tick": self.ticks * 3, "time": "2023-05-01T17:44:35.12+02:00",
                         "gameover": self.health <= 0},
                "agent": {"id": "agent0", "position": vector(self.feet[0], 0.0011, self.feet[1]),
                          "velocity": vector(0, 0, 0), "didNothing": did_nothing,
                          "health": self.health, "score": self.score, "mood": "Hmm..."},
                "objects": self.objects(), "navMeshIndices": [0, 1, 2, 3]}


def command(world, arg):
    """What the game answers; None = nothing at all."""
    if arg["agentId"] != "agent0" or world.is_empty:
        return None
    if arg["cmd"] == "MOVETOWARD":
        seen = world.observation(False)
        point = arg["arg"]["object1"]
        world.target = (point["x"], point["y"], point["z"])
        return seen
    if arg["cmd"] == "INTERACT" and arg["targetId"] == "b1":
        world.press()
    return world.observation(arg["cmd"] == "DONOTHING")


def faulty(answer, count):
    """The bytes of an answer, spoiled where that was asked for; None = hang, b"" = close."""
    line = (json.dumps(answer) + "\n").encode()
    if not FAULT or count <= AFTER:
        return line
    if FAULT == "index" and "navMeshIndices" in answer:
        answer["navMeshIndices"] = [4]
        line = (json.dumps(answer) + "\n").encode()
    return {"hang": None, "close": b"", "garbage": b"{\"meta\": \n", "twice": line + line,
            "huge": b"[" * 2000000 + b"\n"}.get(FAULT, line)


def serve(link):
    world = World("")
    count = 0
    while True:
        data = link.recv(1024)
        if not data:
            return
        if data.count(b"\n") != 1 or not data.endswith(b"\n"):
            print("breach: a request in pieces, or more than one: %r" % data[:200], flush=True)
            return
        request = json.loads(data)
        if sorted(request) != ["arg", "cmd"]:
            print("breach: a request has other keys: %r" % sorted(request), flush=True)
        if request["cmd"] == "INIT":
            world = World(request["arg"]["level_path"])
            answer = world.mesh()
        elif request["cmd"] == "AGENTCOMMAND":
            world.run()
            count += 1
            answer = command(world, request["arg"])
        else:
            answer = True
        if answer is None:
            continue
        line = faulty(answer, count) if request["cmd"] == "AGENTCOMMAND" else \
            (json.dumps(answer) + "\n").encode()
        if line == b"":
            return
        for part in range(0, len(line or b""), 700):  # as it comes over a network
            link.sendall(line[part:part + 700])


listener = socket.create_server(("127.0.0.1", 0))
print("listening on 127.0.0.1:%d" % listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        serve(connection)
    except (ConnectionError, ValueError, KeyError) as error:
        print("breach: %r" % error, flush=True)
    connection.close()
