#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hours of the lab world under random commands, over a socket, at --speed max: nobody enters a wall,
nobody is stuck, and the server's memory does not grow.
    recruits_soak.py PORT PID HOURS LEVEL..."""
import json
import math
import random
import re
import socket
import sys

TICKS = 3  # of each command
port, pid, hours = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
random.seed(7)
link = socket.create_connection(("127.0.0.1", port), timeout=60)
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
lines = link.makefile("rb")
state = re.compile(rb'"position":{"x":([^,]*),"y":([^,]*),"z":([^}]*)}.*?"health":(\d+)')


def ask(request):
    link.sendall((json.dumps(request) + "\n").encode())
    return lines.readline()


def memory():
    with open("/proc/%s/status" % pid) as f:
        return int(re.search(r"VmRSS:\s*(\d+)", f.read()).group(1))


class Level:
    def __init__(self, path):
        self.path = path
        pieces = [p for p in open(path).read().split("|") if p.strip()]
        sheets = [[row.split(",") for row in p.splitlines() if row] for p in pieces]
        if len(pieces) > 1 and sheets[0][0][0] not in ("", "w", "f"):
            sheets = sheets[1:]
        self.walls, self.agents, self.buttons = set(), [], []
        for y, sheet in enumerate(sheets):
            for z, row in enumerate(sheet):
                for x, cell in enumerate(row):
                    self.add(x, y, z, cell)

    def add(self, x, y, z, cell):
        for part in cell.split(":"):
            symbol = re.split("[>#^]", part)[0]
            if symbol in ("w", "wf", "ce", "cl"):
                self.walls.add((x, y, z))
            elif symbol == "a":
                self.agents.append(part.split("^")[1])
            elif symbol in ("b", "cb"):
                self.buttons.append(part.split("^")[1])

    def is_in_wall(self, at):
        x0, z0 = math.floor(at[0] + 0.5), math.floor(at[2] + 0.5)
        for y in range(math.floor(at[1] + 0.35), math.floor(at[1] + 1.35) + 1):
            for x in (x0 - 1, x0, x0 + 1):
                for z in (z0 - 1, z0, z0 + 1):
                    if (x, y, z) in self.walls:
                        beside = (max(abs(at[0] - x) - 0.5, 0), max(abs(at[2] - z) - 0.5, 0))
                        if math.hypot(*beside) < 0.3199:
                            return True
        return False

    def begin(self):
        self.still = dict.fromkeys(self.agents, 0)
        self.at = dict.fromkeys(self.agents, (0.0, 0.0, 0.0))
        ask({"cmd": "INIT", "arg": {"level_path": self.path}})

    def command(self):
        agent = random.choice(self.agents)
        choice = random.random()
        arg = {"cmd": "DONOTHING", "agentId": agent, "targetId": agent, "arg": None}
        if choice < 0.7:
            x, y, z = self.at[agent]
            to = {"x": x + random.uniform(-2, 2), "y": y + 0.2, "z": z + random.uniform(-2, 2)}
            arg.update(cmd="MOVETOWARD", arg={"object1": to, "object2": False})
        elif choice < 0.9 and self.buttons:
            arg.update(cmd="INTERACT", targetId=random.choice(self.buttons))
        found = state.search(ask({"cmd": "AGENTCOMMAND", "arg": arg}))
        at = tuple(float(found.group(i)) for i in (1, 2, 3))
        self.still[agent] = self.still[agent] + 1 if math.dist(at, self.at[agent]) < 1e-4 else 0
        self.at[agent] = at
        if self.is_in_wall(at):
            sys.exit("%s: %s is in a wall at %s" % (self.path, agent, at))
        if self.still[agent] > 500:
            sys.exit("%s: %s is stuck at %s" % (self.path, agent, at))
        return int(found.group(4)) > 0


levels = [Level(path) for path in sys.argv[4:]]
commands, deaths, first = 0, 0, 0
wanted = int(hours * 3600 * 50 / TICKS)
while commands < wanted:
    level = random.choice(levels)
    level.begin()
    for _ in range(20000):
        commands += 1
        if not level.command():
            deaths += 1
            break
    first = first or (memory() if commands > wanted // 20 else 0)
last = memory()
print("%d commands, %.1f hours of the game, %d deaths, %d KiB after a twentieth, %d KiB at the end" %
      (commands, commands * TICKS / 50 / 3600, deaths, first, last))
if last > first + 2048:
    sys.exit("the server's memory grows")
