#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A client of Lab Recruits, written from the description of its protocol alone: what a test of the
server compares itself with. It knows nothing of the server's code.
    recruits_client.py PORT FOLDER TEST..."""
import json
import math
import os
import socket
import sys
import threading
import time
import traceback

CONFIG = {"seed": 1, "level_path": "", "level_name": "", "agent_speed": 0.13, "npc_speed": 0.11,
          "fire_spread": 0.0, "jump_force": 0.18, "view_distance": 10.0, "light_intensity": 0.6,
          "add_links": [], "remove_links": []}
port, folder = int(sys.argv[1]), sys.argv[2]


def check(condition, *what):
    if not condition:
        raise AssertionError(*what)


class Client:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""

    def send(self, request):
        self.socket.sendall((json.dumps(request) + "\n").encode())

    def read(self):
        while b"\n" not in self.bytes:
            got = self.socket.recv(65536)
            check(got, "the server has closed the connection")
            self.bytes += got
        line, self.bytes = self.bytes.split(b"\n", 1)
        return json.loads(line)

    def ask(self, cmd, arg=None):
        self.send({"cmd": cmd, "arg": arg})
        return self.read()

    def init(self, name, **more):
        path = os.path.join(folder, name) if name else ""
        self.mesh = self.ask("INIT", dict(CONFIG, level_path=path, level_name=name, **more))
        return self.mesh

    def command(self, cmd, agent, target=None, arg=None):
        return self.ask("AGENTCOMMAND", {"cmd": cmd, "agentId": agent, "targetId": target or agent,
                                         "arg": arg})

    def observe(self, agent):
        return self.command("DONOTHING", agent)

    def move(self, agent, x, y, z):
        """As the Java client: at most 2 m ahead of the middle of the body."""
        at = self.position
        way = (x - at["x"], y - (at["y"] + 0.75), z - at["z"])
        length = math.sqrt(sum(w * w for w in way))
        share = min(1.0, 2.0 / length) if length > 0 else 0.0
        target = {"serialVersionUID": 1, "x": at["x"] + share * way[0],
                  "y": at["y"] + 0.75 + share * way[1], "z": at["z"] + share * way[2]}
        return self.command("MOVETOWARD", agent, None, {"object1": target, "object2": False})

    def go(self, agent, x, z, turns=400):
        for _ in range(turns):
            seen = self.observe(agent)
            self.position = seen["agent"]["position"]
            if math.hypot(self.position["x"] - x, self.position["z"] - z) < 0.4:
                return seen
            target = {"x": x, "y": self.position["y"], "z": z}
            self.command("MOVETOWARD", agent, None, {"object1": target, "object2": False})
            time.sleep(0.002)
        raise AssertionError("%s does not come to %g %g: %s" % (agent, x, z, self.position))


def objects(seen, tag=None):
    return {o["name"]: o for o in seen["objects"] if tag is None or o["tag"] == tag}


# ---- requests ----

def test_empty_world():
    c = Client()
    check(c.init("") == {"vertices": [], "indices": []})


def test_small_requests():
    c = Client()
    c.init("square.csv")
    for cmd in ("START", "PAUSE", "MAKE_SCREENSHOT", "DISCONNECT"):
        check(c.ask(cmd) is True, cmd)


def test_observation():
    c = Client()
    mesh = c.init("square.csv")
    places = [tuple(v[k] for k in "xyz") for v in mesh["vertices"]]
    check(all(sorted(v) == ["x", "y", "z"] for v in mesh["vertices"]))
    check(len(set(places)) == len(places) and len(mesh["indices"]) % 3 == 0)
    check(set(mesh["indices"]) == set(range(len(places))))
    seen = c.observe("agent0")
    check(sorted(seen) == ["agent", "meta", "navMeshIndices", "objects"])
    check(sorted(seen["meta"]) == ["gameover", "tick", "time"])
    check(seen["meta"]["gameover"] is False and len(seen["meta"]["time"]) == 28, seen["meta"])
    agent = seen["agent"]
    check(sorted(agent) == ["didNothing", "health", "id", "mood", "position", "score", "velocity"])
    check(agent["id"] == "agent0" and agent["didNothing"] is True)
    check(type(agent["health"]) is int and agent["health"] == 100 and agent["score"] == 0)
    check(agent["velocity"] == {"x": 0, "y": 0, "z": 0})
    check(abs(agent["position"]["y"] - 0.0011) < 1e-9)
    check(set(seen["navMeshIndices"]) <= set(range(len(places))) and seen["navMeshIndices"])
    other = objects(seen, "Player")["Agent agent1"]
    check(other["colliders"] == [] and "Toggleable" not in other)
    for o in seen["objects"]:
        check({"name", "tag", "id", "transform", "lastTouched", "colliders"} <= set(o))
        check(type(o["id"]) is int and -2**31 <= o["id"] < 2**31)
        check(sorted(o["transform"]) == ["position", "rotation", "scale"])


def test_things():
    c = Client()
    c.init("things.csv")
    seen = objects(c.observe("agent0"))
    button = seen["b1"]
    check(button["tag"] == "Switch" and button["Toggleable"] == {"isActive": False})
    check(button["Interactable"]["interactable"] is True)
    check(button["Interactable"]["interactionCooldown"] == 0.5)
    check(button["Interactable"]["timeSinceInteraction"] > 3e38)
    check(button["lastTouched"] == "0001-01-01T00:00:00")
    collider = button["colliders"][0]
    check(collider["size"] == {"x": 1, "y": 0.3, "z": 1}, collider)
    check(collider["center"]["y"] == 0.08)
    door = seen["d1"]
    check(door["tag"] == "Door" and door["Toggleable"] == {"isActive": False})
    check(door["transform"]["rotation"]["y"] == 180)
    middle, size = door["colliders"][0]["center"], door["colliders"][0]["size"]
    at = door["transform"]["position"]
    check(abs(middle["x"] - at["x"] - 0.45) < 1e-9 and abs(middle["z"] - at["z"]) < 1e-9)
    check((abs(size["x"]), size["y"], abs(size["z"])) == (0.3, 2, 1.5))
    colour = seen["cb1"]
    check(colour["Colorized"]["colorCode"] == colour["Colorized"]["color"] ==
          {"r": 1, "g": 0, "b": 0})
    screen = seen["screen"]
    check(screen["tag"] == "ColorScreen" and screen["ColorScreen"]["color"]["r"] == 0)
    fire = seen["FireHazard(Clone)"]
    check(fire["tag"] == "Dynamic" and fire["FireHazard"] == {})
    check(seen["flag"]["tag"] == "Goal" and seen["guard"]["tag"] == "NPC")
    check(seen["orc"]["tag"] == "Enemy" and len(seen["orc"]) == 6)
    check(seen["ChairPrefab(Clone)"]["tag"] == "Decoration")


def test_press_and_pass():
    c = Client()
    c.init("door.csv")
    c.go("agent1", 4, 2)
    check(c.command("INTERACT", "agent1", "nothing")["agent"]["didNothing"] is False)
    seen = c.command("INTERACT", "agent1", "button1")
    button = objects(seen).get("button1")
    check(seen["agent"]["score"] == 11, seen["agent"])
    check(button is None or button["Toggleable"]["isActive"] is True)
    time.sleep(0.05)
    seen = c.go("agent1", 2, 3)
    door = objects(seen)["door1"]
    check(door["Toggleable"]["isActive"] is True)
    c.go("agent1", 2, 5)


def test_storeys():
    c = Client()
    c.init("storeys.csv")
    c.go("agent0", 6, 1)
    for _ in range(20):
        seen = c.observe("agent0")
    check(abs(seen["agent"]["position"]["y"] - 3.0011) < 1e-6, seen["agent"]["position"])


def test_fire_and_end():
    c = Client()
    c.init("fire.csv")
    check(c.go("agent0", 3, 1)["agent"]["health"] == 95)
    seen = c.go("agent0", 5, 1)
    check(seen["agent"]["health"] == 100 and seen["agent"]["score"] == 500)
    check(seen["meta"]["gameover"] is True)


def test_restart():
    c = Client()
    c.init("fire.csv")
    tick = c.go("agent0", 3, 1)["meta"]["tick"]
    c.init("fire.csv")
    seen = c.observe("agent0")
    check(seen["agent"]["health"] == 100 and seen["agent"]["position"]["x"] == 1)
    check(seen["meta"]["tick"] >= tick)


def test_several_clients():
    a, b = Client(), Client()
    a.init("square.csv")
    a.go("agent0", 3, 3)
    check(abs(b.observe("agent0")["agent"]["position"]["x"] - 3) < 0.5)
    b.go("agent1", 3, 6)
    check(abs(a.observe("agent1")["agent"]["position"]["z"] - 6) < 0.5)
    b.init("fire.csv")
    check(a.observe("agent0")["agent"]["position"]["x"] == 1)


# ---- lines in pieces ----

def test_split_and_joined():
    c = Client()
    c.init("square.csv")
    line = json.dumps({"cmd": "AGENTCOMMAND", "unknown": [1, {}], "arg": {
        "cmd": "DONOTHING", "agentId": "agent0", "targetId": "agent0", "more": 1, "arg": None}})
    for byte in (line + "\r\n").encode():
        c.socket.sendall(bytes([byte]))
    check(c.read()["agent"]["id"] == "agent0")
    c.socket.sendall((("\n" + line + "\n") * 20 + line[:30]).encode())
    for _ in range(20):
        check(c.read()["agent"]["id"] == "agent0")
    c.socket.sendall((line[30:] + "\n").encode())
    check(c.read()["agent"]["didNothing"] is True)


# ---- who disturbs ----

BAD = [b"\n", b"{}\n", b"null\n", b"[]\n", b"{\"cmd\":1}\n", b"{\"cmd\":\"INIT\"\n", b"\x00\xff\n",
       b"{\"cmd\":\"INIT\",\"arg\":{\"level_path\":\"/nothing\"}}\n", b"[" * 5000 + b"\n",
       b"{\"cmd\":\"AGENTCOMMAND\",\"arg\":null}\n", b"x" * 70000 + b"\n",
       b"{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"DONOTHING\",\"agentId\":\"nobody\"}}\n",
       b"{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"MOVETOWARD\",\"agentId\":\"agent0\"}}\n",
       b"{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"JUMP\",\"agentId\":\"agent0\"}}\n",
       b"{\"cmd\":\"UPDATE_ENVIRONMENT\",\"arg\":null}\n", b"{\"a\":" * 40 + b"1" + b"}" * 40 + b"\n",
       b"{\"cmd\":\"AGENTCOMMAND\",\"arg\":{\"cmd\":\"MOVETOWARD\",\"agentId\":\"agent0\",\"arg\":"
       b"{\"object1\":{\"x\":1e999,\"y\":\"a\",\"z\":null}}}}\n", b"GET / HTTP/1.1\r\n\r\n"]


def disturb(number, failures):
    try:
        c = Client()
        for i in range(200):
            c.socket.sendall(BAD[(i + number) % len(BAD)])
        if number % 3 == 0:
            c.socket.sendall(b"{\"cmd\":")  # and falls silent
            time.sleep(1.0)
        c.socket.settimeout(0.05)
        try:
            check(c.socket.recv(1) == b"", "a request without sense was answered")
        except socket.timeout:
            pass
    except (OSError, AssertionError) as e:
        failures.append(str(e))


def test_fifty_who_disturb():
    """10 000 malformed requests from 50 connections; the 51st is answered soon, always."""
    c = Client()
    c.init("square.csv")
    failures = []
    threads = [threading.Thread(target=disturb, args=(i, failures)) for i in range(50)]
    for t in threads:
        t.start()
    asked, longest = 0, 0.0
    while any(t.is_alive() for t in threads):
        before = time.monotonic()
        check(c.observe("agent0")["agent"]["id"] == "agent0")
        longest = max(longest, time.monotonic() - before)
        asked += 1
    check(not failures, failures[:3])
    check(asked > 0 and longest < 5.0, asked, longest)
    print("asked %d times, the longest answer took %.3f s" % (asked, longest))


def test_slow_reader():
    """One who asks for much and reads nothing holds nobody up."""
    slow, c = Client(), Client()
    c.init("square.csv")
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.socket.setblocking(False)
    line = json.dumps({"cmd": "INIT", "arg": dict(CONFIG, level_path=folder + "/square.csv")})
    sent = 0
    try:
        while sent < 20000:
            sent += 1
            slow.socket.send((line + "\n").encode())
    except BlockingIOError:
        pass
    before = time.monotonic()
    for _ in range(20):
        check(c.observe("agent0")["agent"]["id"] == "agent0")
    check(time.monotonic() - before < 5.0)


tests = sys.argv[3:] or [name for name in globals() if name.startswith("test_")]
for name in tests:
    try:
        globals()[name]()
    except (AssertionError, OSError, KeyError):
        traceback.print_exc()
        sys.exit(name + " failed")
print("%d tests passed" % len(tests))
