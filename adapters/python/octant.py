# SPDX-License-Identifier: MIT
"""Lets Octant play-test a game that is written in Python.

Copy this file beside your game. It needs Python 3.9 and nothing else. Then write a class with
these methods and hand it to run(); example_game.py is a whole game in 100 lines.

    import octant

    class MyGame(octant.Game):
        def reset(self, level, seed, starts, options): ...  # a level begins
        def describe(self): ...                             # players and rules
        def geometry(self): ...                             # walls: what never moves
        def entities(self, who): ...                        # doors, buttons, items, hazards
        def self_of(self, who): ...                         # where a player is, and how it is
        def act(self, who, action): ...                     # a player presses something
        def tick(self): ...                                 # one tick of time passes

    octant.run(MyGame)

run() does nothing unless Octant asks for it: OCTANT_CONNECT=HOST:PORT connects to Octant (which
sets it when it starts the game), OCTANT_PORT=PORT waits for Octant on the loopback (0: any free
port, which is printed). Everything that is told is plain data, with the names and the defaults of
the Octant protocol: see docs/testers/your-game.md.

The file has three parts: what a game is, helpers to write one, and the protocol.
"""
import dataclasses
import hashlib
import inspect
import json
import math
import os
import re
import select
import socket
import sys
import traceback

VERSION = 1  # of the protocol
ADDON = "0.1.0"

CAME = ("done", "no target", "no button", "too far", "in the way", "not held", "not now")


# ---- what a game is ----


class Problem(Exception):
    """Refuses a request: raise Problem("range", "there is no level 'x'") in reset()."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code
        self.text = text


@dataclasses.dataclass
class Action:
    """What a player is told to do. It begins with the next tick."""

    verb: str  # keep, wait, move, jump, use, do
    ticks: int = 1  # of keep, wait, move
    move: tuple = (0.0, 0.0, 0.0)  # right, up, back; at most 1 long
    rotate: tuple = (0.0, 0.0, 0.0)  # pitch up, yaw left, roll left; shares of the turning rate
    target: object = None  # of use: the name of an entity; None = what the player looks at
    button: int = 0  # of use: index into the entity's `uses`
    name: str = ""  # of do
    on: object = None  # of do: True, False or None
    number: object = None  # of do: a number or None


class Game:
    """A game. describe, entities, self_of, act and tick (or step) must be there.

    These may be there, and Octant is told so: geometry, reset, hash, navmesh, join, leave.
    Entities, parts of the geometry and players are known by their `name`, which must be unique in
    a level (or by an `id` of any kind that can be a key). The numbers that Octant sees are made
    from it, in the order in which they are told.
    """

    name = "A game"
    engine = ""
    rate = 60  # ticks per second
    exact = ()  # what gives the same run to the bit: "start" (a new process), "reset"
    doubt = ()  # what was guessed; Octant prints it

    now = 0  # ticks since the level began; counted by step()
    scene = 0  # a number that changes with the level

    def describe(self):
        """A dict: players (a list of dicts), up, rules. Does not change while a level is played."""
        raise NotImplementedError("describe() is missing")

    def entities(self, who):
        """A list of dicts: all things that may move, change or be used, in sight or not."""
        raise NotImplementedError("entities() is missing")

    def self_of(self, who):
        """A dict: position (of the feet), forward, up, velocity, health, props."""
        raise NotImplementedError("self_of() is missing")

    def act(self, who, action):
        """"done", another word of CAME, or ("refused", "why")."""
        raise NotImplementedError("act() is missing")

    def tick(self):
        """Lets one tick pass."""
        raise NotImplementedError("tick() is missing")

    def step(self, ticks):
        for _ in range(ticks):
            self.now += 1
            self.tick()

    def over(self):
        """None, "won" or "lost"."""
        return None

    def event(self, what, name=None, text=""):
        """Tells what happened: hurt, taken, said, fail (an assertion of your game), ..."""
        self.__dict__.setdefault("_events", []).append(
            {"tick": self.now, "what": what, "id": name, "text": text}
        )

    def events(self):
        """What happened since the last call."""
        return self.__dict__.pop("_events", [])


def digest(*state):
    """16 hex digits of everything that is given, for hash()."""
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


# ---- helpers: vectors and boxes ----
# A vector is (x, y, z); a box is (min x, min y, min z, max x, max y, max z).


def add(a, b, by=1.0):
    """a + b * by"""
    return (a[0] + b[0] * by, a[1] + b[1] * by, a[2] + b[2] * by)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(dot(a, a))


def turned(a, axis, angle):
    """a, turned around a unit axis (to the left, seen against it)."""
    c, s = math.cos(angle), math.sin(angle)
    return add(add(tuple(x * c for x in a), cross(axis, a), s), axis, dot(axis, a) * (1.0 - c))


def moved(box, by):
    return add(box[:3], by) + add(box[3:], by)


def nearest(box, point):
    """The point of a box that is nearest to a point."""
    return tuple(min(max(point[i], box[i]), box[i + 3]) for i in range(3))


def distance(box, point):
    return length(add(point, nearest(box, point), -1.0))


def is_between(box, start, end):
    """Whether a box stands between two points."""
    enter, leave = 0.0, 1.0
    for i in range(3):
        way = end[i] - start[i]
        low, high = box[i] + 1e-6, box[i + 3] - 1e-6
        if abs(way) < 1e-12:
            if not low < start[i] < high:
                return False
        else:
            a, b = (low - start[i]) / way, (high - start[i]) / way
            enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    return enter < leave


def reach(eye, far, box, others=()):
    """Whether something can be used from an eye: "done", "too far" or "in the way"."""
    point = nearest(box, eye)
    if length(add(point, eye, -1.0)) > far:
        return "too far"
    return "in the way" if any(is_between(other, eye, point) for other in others) else "done"


# ---- helpers: bodies that fly and walk, and a door that slides ----


class Flyer:
    """A small drone: a ball that flies with thrust, brakes without, and slides along boxes.

    This is what the protocol calls gait "fly" with control "thrust". Use describe() among the
    players of your describe(), tell() for self_of(), act() for keep, wait and move, and call
    tick() once per tick.
    """

    def __init__(self, name, position, forward=(0.0, 1.0, 0.0), up=(0.0, 0.0, 1.0), size=0.6,
                 speed=6.0, acceleration=8.0, brake=8.0, turn=3.0, reach=2.0,
                 verbs=("move", "use")):
        self.name, self.position, self.up = name, tuple(position), up
        level = add(forward, up, -dot(forward, up))  # it stays upright
        if length(level) < 1e-6:
            level = cross(up, (up[1], up[2], up[0]))
        self.forward = tuple(x / length(level) for x in level)
        self.size, self.speed, self.acceleration, self.brake = size, speed, acceleration, brake
        self.turn, self.reach, self.verbs = turn, reach, verbs
        self.velocity = (0.0, 0.0, 0.0)
        self.health = 1.0
        self.pitch = 0.0  # of the eye alone: the body stays upright
        self.bumps = 0
        self.ticks = 0  # left of the movement under way
        self.move = self.rotate = (0.0, 0.0, 0.0)

    def describe(self):
        return {"name": self.name, "shape": "ball", "height": self.size, "width": self.size,
                "eye": self.size / 2, "gait": "fly", "control": "thrust", "speed": self.speed,
                "acceleration": self.acceleration, "brake": self.brake, "turn": self.turn,
                "reach": self.reach, "verbs": list(self.verbs)}

    def tell(self, **more):
        return {"position": self.position, "forward": self.forward, "up": self.up,
                "look": turned(self.forward, cross(self.forward, self.up), self.pitch),
                "velocity": self.velocity, "health": self.health, "stands": False, "flies": True,
                "ticks": self.ticks, "bumps": self.bumps, **more}

    def centre(self):
        return add(self.position, self.up, self.size / 2)

    eye = centre

    def touches(self, box, within=0.0):
        x, y, z = self.centre()
        far = self.size / 2 + within
        return (box[0] - far <= x <= box[3] + far and box[1] - far <= y <= box[4] + far
                and box[2] - far <= z <= box[5] + far and distance(box, (x, y, z)) <= far)

    def has_room(self, boxes):
        """Whether it may begin here: up to 2 cm inside something it is moved out."""
        return not any(self.touches(box, -0.02) for box in boxes)

    def act(self, action):
        if self.health <= 0:
            return "not now"
        if action.verb == "move":
            self.ticks, self.move, self.rotate = action.ticks, action.move, action.rotate
        elif action.verb == "wait":
            self.ticks = 0
        return "done"

    def tick(self, rate, boxes):
        """One tick among solid boxes: it turns, changes its velocity, moves."""
        thrust, rotate = (self.move, self.rotate) if self.ticks > 0 else ((0, 0, 0), (0, 0, 0))
        self.ticks = max(self.ticks - 1, 0)
        angle = self.turn / rate
        self.forward = turned(self.forward, self.up, rotate[1] * angle)
        self.pitch = min(max(self.pitch + rotate[0] * angle, -math.pi / 2), math.pi / 2)

        long = max(length(thrust), 1.0)
        right = cross(self.forward, self.up)
        for axis, share in ((right, thrust[0]), (self.up, thrust[1]), (self.forward, -thrust[2])):
            self.velocity = add(self.velocity, axis, share / long * self.acceleration / rate)
        fast = length(self.velocity)
        wanted = min(fast, self.speed)
        if not any(thrust):
            wanted = max(fast - self.brake / rate, 0.0)
        if fast > wanted:
            self.velocity = tuple(v * wanted / fast for v in self.velocity)
        self.position = add(self.position, self.velocity, 1.0 / rate)
        self.leave(boxes)

    def leave(self, boxes):
        """Moves out of what it has run into; what is left of its velocity slides along it."""
        bumped = False
        for _ in range(4):
            hits = [box for box in boxes if self.touches(box)]
            if not hits:
                break
            centre = self.centre()
            far, box = min((distance(box, centre), box) for box in hits)
            away = add(centre, nearest(box, centre), -1.0)
            if far > 0:
                away = tuple(a / far for a in away)
            else:  # its centre is inside: out by the shortest way
                ways = [box[i] - centre[i] for i in range(3)]
                ways += [box[i + 3] - centre[i] for i in range(3)]
                far, side = min((abs(way), i) for i, way in enumerate(ways))
                sign = 1.0 if side > 2 else -1.0
                away = tuple(sign if i == side % 3 else 0.0 for i in range(3))
                far = -far
            self.position = add(self.position, away, self.size / 2 - far + 1e-6)
            into = dot(self.velocity, away)
            if into < 0:
                bumped = bumped or into < -0.05
                self.velocity = add(self.velocity, away, -into)
        self.bumps += bumped


class Walker:
    """A player on foot: an upright box that walks at once, steps up edges, jumps and falls.

    This is what the protocol calls gait "walk". It is used as a Flyer is. `up` is one of the axes;
    tell the same gravity in your rules.
    """

    def __init__(self, name, position, forward=(0.0, 1.0, 0.0), up=(0.0, 0.0, 1.0), width=0.6,
                 height=1.7, speed=4.0, step=0.3, jump=4.0, gravity=9.8, turn=6.0, reach=2.0,
                 verbs=("move", "jump", "use")):
        self.name, self.position, self.up = name, tuple(position), up
        self.axis = max(range(3), key=lambda i: up[i])
        self.sides = [i for i in range(3) if i != self.axis]
        level = add(forward, up, -dot(forward, up))
        if length(level) < 1e-6:
            level = cross(up, (up[1], up[2], up[0]))
        self.forward = tuple(x / length(level) for x in level)
        self.width, self.height, self.speed, self.step = width, height, speed, step
        self.jump, self.gravity, self.turn, self.reach = jump, gravity, turn, reach
        self.verbs = verbs
        self.velocity = (0.0, 0.0, 0.0)
        self.health = 1.0
        self.pitch = 0.0  # of the head
        self.bumps = 0
        self.ticks = 0  # left of the movement under way
        self.move = self.rotate = (0.0, 0.0, 0.0)
        self.stands = True
        self.jumps = False  # with the next tick

    def describe(self):
        return {"name": self.name, "shape": "box", "height": self.height, "width": self.width,
                "eye": 0.9 * self.height, "gait": "walk", "speed": self.speed, "step": self.step,
                "jump": self.jump, "turn": self.turn, "reach": self.reach,
                "verbs": list(self.verbs)}

    def tell(self, **more):
        return {"position": self.position, "forward": self.forward, "up": self.up,
                "look": turned(self.forward, cross(self.forward, self.up), self.pitch),
                "velocity": self.velocity, "health": self.health, "stands": self.stands,
                "flies": False, "ticks": self.ticks, "bumps": self.bumps, **more}

    def eye(self):
        return add(self.position, self.up, 0.9 * self.height)

    def box(self, position=None):
        low, high = list(position or self.position), list(position or self.position)
        for i in self.sides:
            low[i] -= self.width / 2
            high[i] += self.width / 2
        high[self.axis] += self.height
        return (*low, *high)

    def touches(self, box, within=0.0, position=None):
        own = self.box(position)
        return all(own[i] - within < box[i + 3] and own[i + 3] + within > box[i] for i in range(3))

    def has_room(self, boxes):
        """Whether it may begin here: up to 2 cm inside something it is moved out."""
        return not any(self.touches(box, -0.02) for box in boxes)

    def act(self, action):
        if self.health <= 0:
            return "not now"
        if action.verb == "move":
            self.ticks, self.move, self.rotate = action.ticks, action.move, action.rotate
        elif action.verb == "wait":
            self.ticks = 0
        elif action.verb == "jump":
            if not self.stands:
                return "not now"
            self.jumps = True
        return "done"

    def is_free(self, position, boxes):
        return not any(self.touches(box, -1e-6, position) for box in boxes)

    def shifted(self, by, axis):
        return tuple(p + (by if i == axis else 0.0) for i, p in enumerate(self.position))

    def go(self, by, axis, boxes):
        """Moves along one axis, up a step where one is in the way; False where it was stopped."""
        there = self.shifted(by, axis)
        if self.is_free(there, boxes):
            self.position = there
            return True
        raised = add(there, self.up, self.step)
        above = add(self.position, self.up, self.step)
        if self.stands and self.is_free(above, boxes) and self.is_free(raised, boxes):
            self.position = raised
            self.fall(self.step, boxes)
            return True
        return False

    def fall(self, far, boxes):
        """Moves down by so much at most; True where it came down on something."""
        there = self.shifted(-far, self.axis)
        under = [box[self.axis + 3] for box in boxes if self.touches(box, -1e-6, there)]
        under = [top for top in under if top <= self.position[self.axis] + 1e-6]
        ground = max(under, default=None)
        if ground is None:
            # Nothing that it would come to be in was below: it passes what is thinner than its way.
            self.position = there
            return False
        self.position = tuple(ground if i == self.axis else p
                              for i, p in enumerate(self.position))
        return True

    def tick(self, rate, boxes):
        """One tick among solid boxes: it turns, jumps, walks or falls."""
        wish, rotate = (self.move, self.rotate) if self.ticks > 0 else ((0, 0, 0), (0, 0, 0))
        self.ticks = max(self.ticks - 1, 0)
        angle = self.turn / rate
        self.forward = turned(self.forward, self.up, rotate[1] * angle)
        self.pitch = min(max(self.pitch + rotate[0] * angle, -math.pi / 2), math.pi / 2)
        rises = self.velocity[self.axis]
        across = add(self.velocity, self.up, -rises)
        if self.stands and self.jumps:
            rises, self.stands = self.jump, False  # as fast as it was across
        elif self.stands:
            long = max(math.hypot(wish[0], wish[2]), 1.0)
            across = add(tuple(x * wish[0] / long * self.speed
                               for x in cross(self.forward, self.up)),
                         self.forward, -wish[2] / long * self.speed)
        self.jumps = False
        was = self.position
        for axis in self.sides:
            if not self.go(across[axis] / rate, axis, boxes):
                self.bumps += abs(across[axis]) > 0.05
                across = tuple(0.0 if i == axis else x for i, x in enumerate(across))
        if self.stands:
            # Down a step, or off an edge.
            before = self.position
            rises = 0.0
            self.stands = self.fall(self.step + 0.01, boxes)
            self.position = self.position if self.stands else before
        if not self.stands:
            rises -= self.gravity / rate
            if rises > 0:
                there = self.shifted(rises / rate, self.axis)
                if self.is_free(there, boxes):
                    self.position = there
                else:
                    rises = 0.0
            elif self.fall(-rises / rate, boxes):
                self.stands, rises = True, 0.0
        moved_by = add(self.position, was, -1.0)
        across = tuple(moved_by[i] * rate if i in self.sides else 0.0 for i in range(3))
        self.velocity = add(across, self.up, rises)


class Door:
    """A door whose leaf slides out of the way, and waits while somebody is in its way."""

    def __init__(self, name, box, slide, ticks=60):
        self.name, self.gap, self.slide, self.ticks = name, tuple(box), slide, ticks
        self.done = 0  # ticks of its way: 0 = shut, self.ticks = open
        self.opens = False  # where it is going

    def toggle(self):
        self.opens = not self.opens

    def box(self, done=None):
        return moved(self.gap, tuple(s * (self.done if done is None else done) / self.ticks
                                     for s in self.slide))

    def tick(self, bodies=()):
        done = min(max(self.done + (1 if self.opens else -1), 0), self.ticks)
        if done != self.done and not any(b.touches(self.box(done), 0.01) for b in bodies):
            self.done = done

    def tell(self, **more):
        return {"name": self.name, "kind": "door", "box": self.box(), "gap": self.gap,
                "opening": self.done / self.ticks, "meets": "waits", **more}


# ---- the protocol: running ----


def run(game):
    """Lets Octant play, if the environment says so; returns whether it did.

    `game` is a class, or a function, that makes a game: a new one for each client. A game that is
    already there may be given too, if it has reset().
    """
    make = game if inspect.isclass(game) or inspect.isroutine(game) else lambda: game
    connect, port = os.environ.get("OCTANT_CONNECT"), os.environ.get("OCTANT_PORT")
    if (connect or port) and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)  # what the game prints is in the report
    if connect:
        host, _, number = connect.rpartition(":")
        try:
            client = socket.create_connection((host.strip("[]"), int(number)), timeout=30)
        except (OSError, ValueError, OverflowError) as error:
            sys.exit(f"octant: cannot connect to OCTANT_CONNECT={connect}: {error}")
        client.settimeout(None)
        _play(client, make)
        return True
    if port:
        try:
            listener = socket.create_server(("127.0.0.1", int(port)))
        except (OSError, ValueError, OverflowError) as error:
            sys.exit(f"octant: cannot listen on OCTANT_PORT={port}: {error}")
        print(f"octant: listening on 127.0.0.1:{listener.getsockname()[1]}", flush=True)
        try:
            while True:
                _play(listener.accept()[0], make, listener)
                if make is not game and not hasattr(game, "reset"):
                    return True  # the same game again would not be a new level
        except KeyboardInterrupt:
            return True
    return False


def _play(client, make, listener=None):
    """Answers one client until it leaves. Others are told that the game is busy."""
    session, lines, turned_away = _Session(make), _Lines(), []
    try:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while not session.is_over:
            waits = [client, *turned_away] + ([listener] if listener else [])
            ready = select.select(waits, [], [])[0]
            if client in ready:  # first of all: it may have gone, and the other be the next one
                data = client.recv(65536)
                session.is_over = not data
                for line in lines.take(data):
                    client.sendall(session.answer(line))
                    if session.is_over:
                        break
            elif listener in ready:
                _turn_away(listener, turned_away)
            else:
                for other in ready:
                    if not _receive(other):
                        turned_away.remove(other)
                        other.close()
    except OSError:
        pass  # it has gone without a bye
    for one in (client, *turned_away):
        one.close()


def _receive(one):
    try:
        return one.recv(65536)
    except OSError:
        return b""


def _turn_away(listener, turned_away):
    """Answers that the game is busy. To close at once could lose the answer: the other does."""
    try:
        other = listener.accept()[0]
        other.sendall(_line({"error": "game", "text": "busy"}))
        other.shutdown(socket.SHUT_WR)
        turned_away.append(other)
        if len(turned_away) > 16:
            turned_away.pop(0).close()
    except OSError:
        pass


# ---- the protocol: lines ----

LINE_MAX = 64 * 1024
DEPTH_MAX = 8
ANSWER_MAX = 16 * 1024 * 1024
PAGE = 1024 * 1024  # of geometry, about
WHOLE_MAX = 2**53 - 1
TICKS_MAX = 3600
TOO_LONG = object()


class _Lines:
    """Splits what arrives into lines; one that is too long is TOO_LONG, once."""

    def __init__(self):
        self.rest = b""
        self.skips = False

    def take(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            line = line[:-1] if line.endswith(b"\r") else line
            if self.skips:
                self.skips = False
            elif len(line) > LINE_MAX:
                yield TOO_LONG
            elif line:
                yield line
        if self.skips:
            self.rest = b""
        elif len(self.rest) > LINE_MAX + 1:
            self.rest, self.skips = b"", True
            yield TOO_LONG


def _line(answer):
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _refuse_constant(text):
    raise ValueError(text)


def _parse(line):
    """The request of a line; numbers as doubles, as every engine reads them."""
    if line is TOO_LONG:
        raise Problem("range", "the line has more than 64 KiB")
    if line.count(b"[") + line.count(b"{") > DEPTH_MAX:
        deep = 0
        for bracket in re.sub(rb'"(?:[^"\\]|\\.)*"?|[^][{}"]+', b"", line):
            deep += 1 if bracket in b"[{" else -1
            if deep > DEPTH_MAX:
                raise Problem("range", "the line is more than 8 levels deep")
    try:
        request = json.loads(line.decode("utf-8"), parse_int=float, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise Problem("syntax", "the line is no JSON object")
    return request


# ---- the protocol: fields of requests ----


def _is_number(value):
    return isinstance(value, float) and math.isfinite(value)  # not a bool


def _number(request, key):
    value = request.get(key)
    if value is not None and not _is_number(value):
        raise Problem("argument", f"'{key}' must be a finite number")
    return value


def _whole(request, key, default=None, least=0, most=WHOLE_MAX):
    value = request.get(key)
    if value is None and default is not None:
        return default
    if not _is_number(value) or value != math.floor(value) or not least <= value <= most:
        raise Problem("argument", f"'{key}' must be a whole number from {least} to {most}")
    return int(value)


def _vector(request, key, default=None):
    value = request.get(key)
    if value is None:
        return default
    if not isinstance(value, list) or len(value) != 3 or not all(map(_is_number, value)):
        raise Problem("argument", f"'{key}' must be three finite numbers")
    return tuple(value)


def _of_type(request, key, kind, words, default=None):
    value = request.get(key)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise Problem("argument", f"'{key}' must be {words}")
    return value


def _pose(request, must_have_position=True):
    """Where a player begins: position, forward and up, None where they are missing."""
    pose = {key: _vector(request, key) for key in ("position", "forward", "up")}
    if must_have_position and pose["position"] is None:
        raise Problem("argument", "'position' must be three finite numbers")
    for key in ("forward", "up"):
        if pose[key] is not None:
            size = length(pose[key])
            if not 1e-9 < size < math.inf:
                raise Problem("argument", f"'{key}' must not be zero")
            pose[key] = tuple(x / size for x in pose[key])
    return pose


# ---- the protocol: what is told ----


def _tidy(value):
    """Plain data with six decimals."""
    if isinstance(value, float):
        return round(value, 6) + 0.0  # no -0.0
    if isinstance(value, dict):
        return {key: _tidy(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [_tidy(item) for item in value]
    return value


SHAPES = ("box", "obb", "hull", "boxes", "gap")


def _points(key, shape):
    """Points that move as far as the corners of a shape do."""
    if key == "boxes":
        told = [item for piece in shape for item in piece.items() if item[0] in SHAPES]
        return [point for item in told for point in _points(*item)]
    if key in ("obb", "gap") and len(shape) == 10:
        centre, half, (x, y, z, w) = shape[:3], shape[3:6], shape[6:]
        axes = [(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
                (2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
                (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))]
        corners = [tuple(centre)]
        for axis, by in zip(axes, half):
            corners = [add(c, axis, side * by) for c in corners for side in (-1, 1)]
        return corners
    if key == "hull":
        return [tuple(shape[i:i + 3]) for i in range(0, len(shape), 3)]
    return [tuple(shape[i] for i in (a, b, c)) for a in (0, 3) for b in (1, 4) for c in (2, 5)]


def _has_moved(key, old, new):
    """Whether a corner has moved by 5 mm."""
    before, after = _points(key, old), _points(key, new)
    return len(before) != len(after) or any(
        length(add(a, b, -1.0)) >= 0.005 for a, b in zip(before, after)
    )


def _is_near(entity, eye, view):
    """Whether an upright box around its shape, or around its gap, is within the view."""
    for key in SHAPES:
        if entity.get(key):
            x, y, z = zip(*_points(key, entity[key]))
            box = (min(x), min(y), min(z), max(x), max(y), max(z))
            if distance(box, eye) <= view:
                return True
    return False


class _Told:
    """What one player was told, to tell it what has changed."""

    def __init__(self):
        self.rev = 0
        self.entities = {}  # by id: the fields as they were told
        self.seen = {}  # by id and shape: how it was last, and in which tick

    def all(self, entities):
        self.rev += 1
        self.entities = {entity["id"]: dict(entity) for entity in entities}
        self.seen = {}
        return entities

    def changes(self, entities, tick):
        self.rev += 1
        here = {entity["id"] for entity in entities}
        gone = sorted(number for number in self.entities if number not in here)
        for number in gone:
            del self.entities[number]
        self.seen = {key: seen for key, seen in self.seen.items() if key[0] in here}
        changed = []
        for entity in entities:
            number = entity["id"]
            told = self.entities.get(number)
            if told is None:
                self.entities[number] = dict(entity)
                changed.append(entity)
                continue
            fields = [key for key in {**told, **entity} if told.get(key) != entity.get(key)]
            fields = [key for key in fields if self._is_news(number, key, told, entity, tick)]
            if fields:
                changed.append({"id": number, **{key: entity.get(key) for key in fields}})
                for key in fields:
                    told[key] = entity.get(key)
        return changed, gone

    def _is_news(self, number, key, told, entity, tick):
        """What rests trembles: shapes are told when they have moved, and once more at rest."""
        old, new = told.get(key), entity.get(key)
        if key not in SHAPES or not old or not new:
            return True
        seen, when = self.seen.get((number, key), (None, -1))
        if when < tick:
            self.seen[number, key] = (new, tick)
        return _has_moved(key, old, new) or (seen == new and when < tick)


# ---- the protocol: requests ----

VERBS = ("keep", "wait", "move", "jump", "use", "do")


class _Session:
    """One client, and the game that it plays."""

    def __init__(self, make):
        self.make = make
        self.game = None  # until hello
        self.is_over = False

    def answer(self, line):
        """The answer to a line, as a line."""
        n = {}
        try:
            request = _parse(line)
            if request.get("n") is not None:
                n = {"n": _whole(request, "n")}
            answer = _line({**self.handle(request), **n})
            if len(answer) > ANSWER_MAX:
                raise Problem("range", "the answer has more than 16 MiB")
            return answer
        except Problem as problem:
            self.is_over = self.is_over or problem.code == "game"
            return _line({"error": problem.code, "text": problem.text, **n})
        except Exception as error:  # the game broke: its author wants to know where
            traceback.print_exc()
            self.is_over = True
            return _line({"error": "game", "text": f"{type(error).__name__}: {error}", **n})

    def handle(self, request):
        name = request.get("do")
        if self.game is None and name != "hello":
            raise Problem("unknown", "'hello' must be the first request")
        if name not in self.requests():
            raise Problem("unknown", f"there is no request '{str(name)[:40]}'")
        return getattr(self, "do_" + name)(request)

    def requests(self):
        must = ("hello", "describe", "observe", "act", "step", "bye")
        return must + tuple(self.can()) if self.game else must

    def can(self):
        optional = ("geometry", "navmesh", "hash", "reset", "join", "leave")
        return ["self", "turn"] + [name for name in optional if hasattr(self.game, name)]

    # -- a level begins --

    def begin(self, level, seed=0, starts=(), options=None, view=None, sight=None):
        before, self.game.now = self.game.now, 0
        self.game.events()
        try:
            if hasattr(self.game, "reset"):
                self.game.reset(level, seed, list(starts), options or {})
        except Problem:
            self.game.now = before
            raise
        self.tick = 0
        self.scene = None
        self.view, self.sight = view, sight
        self.told = {}  # by player
        self.waiting = {}  # events, by player
        self.numbers = {}  # the id of each name
        self.names = [None]  # the name of each id
        self.look_at_level()
        self.collect_events()

    def look_at_level(self):
        """Numbers everything in the order of the level; again where the level has changed."""
        self.scene = getattr(self.game, "scene", 0)
        description = _tidy(dict(self.game.describe()))
        for player in description["players"]:
            player["id"] = self.number(player)
        self.parts = list(self.game.geometry()) if hasattr(self.game, "geometry") else []
        self.pages = None  # of the parts; made when somebody asks
        for part in self.parts:
            self.number(part)
        for entity in self.game.entities(0):
            self.number(entity)
        rules = dict(description.get("rules", {}))
        rules.setdefault("view", 20)
        if self.view is not None:
            rules["view"] = self.view
        if self.sight is not None:
            rules["sight"] = self.sight
        description["rules"] = rules
        description.setdefault("game", self.game.name)
        if getattr(self.game, "doubt", ()):
            description.setdefault("doubt", list(self.game.doubt))
        self.description = description

    def number(self, thing):
        key = thing.get("id", thing.get("name"))
        if key is None:
            raise ValueError(f"it has neither a name nor an id: {thing}")
        return self.number_of(key)

    def number_of(self, key):
        if key not in self.numbers:
            self.numbers[key] = len(self.names)
            self.names.append(key)
        return self.numbers[key]

    # -- requests, in the order of the protocol --

    def do_hello(self, request):
        if _whole(request, "octant") < VERSION:
            raise Problem("version", f"this game speaks version {VERSION} of the protocol")
        if self.game is None:
            game = self.make()
            try:
                self.game = game
                self.begin(None)
            except BaseException:
                self.game = None
                raise
        return {"octant": VERSION, "addon": ADDON, "engine": self.game.engine or "Python",
                "game": self.game.name, "rate": self.game.rate, "time": "stepped",
                "exact": list(self.game.exact), "can": self.can() + ["since"]}

    def do_describe(self, request):
        return self.description

    def do_geometry(self, request):
        start = _whole(request, "from", 0)
        self.pages = self.pages or self.make_pages()
        if start not in self.pages:
            raise Problem("argument", "'from' must be 0 or the 'next' of a page")
        answer = {"count": len(self.parts), "parts": self.pages[start]}
        if start + len(self.pages[start]) < len(self.parts):
            answer["next"] = start + len(self.pages[start])
        if self.scene:
            answer["scene"] = self.scene
        return answer

    def make_pages(self):
        """The parts of each page, by the number of its first part."""
        start = size = 0
        pages = {0: []}
        for i, part in enumerate(self.parts):
            part = {**_tidy(part), "id": self.number(part)}
            size += len(_line(part))
            if size > PAGE and pages[start]:
                start, size = i, len(_line(part))
                pages[start] = []
            pages[start].append(part)
        return pages

    def do_navmesh(self, request):
        return {"meshes": _tidy(self.game.navmesh())}

    def do_observe(self, request):
        who, since = self.who(request), _whole(request, "since", 0)
        return self.observation(who, since)

    def do_self(self, request):
        return {"self": self.self_of(self.who(request)), "tick": self.tick}

    def do_act(self, request):
        who = self.who(request)
        return {**self.came(who, self.action(request)), "tick": self.tick}

    def do_step(self, request):
        self.step(_whole(request, "ticks", least=1, most=TICKS_MAX))
        return {"tick": self.tick}

    def do_turn(self, request):
        who, since = self.who(request), _whole(request, "since", 0)
        action = self.action(request)
        ticks = _whole(request, "ticks", 1, 1, TICKS_MAX)
        came = self.came(who, action)
        self.step(ticks)
        return {**came, **self.observation(who, since)}

    def do_join(self, request):
        who = self.game.join(_pose(request, must_have_position=False))
        self.look_at_level()
        return {"who": who}

    def do_leave(self, request):
        self.game.leave(self.who(request))
        self.look_at_level()
        return {}

    def do_hash(self, request):
        return {"hash": self.game.hash()}

    def do_reset(self, request):
        level = _of_type(request, "world", str, "a text")
        seed = _whole(request, "seed", 0)
        starts = []
        for start in _of_type(request, "start", list, "a list of poses", []):
            if not isinstance(start, dict):
                raise Problem("argument", "'start' must be a list of poses")
            starts.append(_pose(start))
        options = _of_type(request, "options", dict, "an object", {})
        view = _number(request, "view") or None
        if view is not None and view < 0:
            raise Problem("argument", "'view' must not be negative")
        sight = _of_type(request, "sight", str, "a text")
        if sight not in (None, "line", "through"):
            raise Problem("argument", "'sight' must be 'line' or 'through'")
        self.begin(level, seed, starts, options, view, sight)
        return {"tick": 0}

    def do_bye(self, request):
        self.is_over = True
        return {}

    # -- what they have in common --

    def who(self, request):
        who = _whole(request, "who", 0)
        if who >= len(self.description["players"]):
            raise Problem("player", f"there is no player {who}")
        return who

    def action(self, request):
        verb = request.get("verb")
        if verb not in VERBS:
            raise Problem("argument", "'verb' must be one of " + ", ".join(VERBS))
        action = Action(verb)
        if verb in ("keep", "wait", "move"):
            action.ticks = _whole(request, "ticks", 1, 1, TICKS_MAX)
        if verb == "move":
            action.move = _vector(request, "move", action.move)
            action.rotate = _vector(request, "rotate", action.rotate)
            if not all(-1 <= share <= 1 for share in action.rotate):
                raise Problem("argument", "'rotate' must be three numbers from -1 to 1")
        if verb == "use":
            action.target = _whole(request, "target", 0)
            action.button = _whole(request, "button", 0)
        if verb == "do":
            action.name = _of_type(request, "name", str, "a text", "")
            action.on = _of_type(request, "on", bool, "true or false")
            action.number = _number(request, "number")
            if not action.name:
                raise Problem("argument", "'name' must say what to do")
        return action

    def came(self, who, action):
        """What comes of an action: what the player cannot do is refused here."""
        verbs = ("keep", "wait") + tuple(self.description["players"][who].get("verbs", ()))
        word = action.name if action.verb == "do" else action.verb
        if word not in verbs or (action.verb == "do" and word in VERBS):
            return {"came": "refused", "text": f"the player cannot '{word[:40]}'"}
        if action.verb == "use" and action.target >= len(self.names):
            return {"came": "no target"}
        action.target = self.names[action.target or 0]
        came = self.game.act(who, action)
        self.collect_events()
        if isinstance(came, (tuple, list)) and len(came) == 2 and came[0] == "refused":
            return {"came": "refused", "text": str(came[1])}
        if came not in CAME:
            raise ValueError(f"act() must return one of {CAME} or ('refused', text), not {came!r}")
        return {"came": came}

    def step(self, ticks):
        self.game.step(ticks)
        self.tick += ticks
        self.collect_events()

    def collect_events(self):
        for event in self.game.events():
            event = {"tick": self.tick, **event}
            if event.get("id") is not None:
                event["id"] = self.number_of(event["id"])
            for who in range(len(self.description["players"])):
                self.waiting.setdefault(who, []).append(_tidy(event))

    def self_of(self, who):
        told = dict(self.game.self_of(who))
        if told.get("on") is not None:
            told["on"] = self.number_of(told["on"])
        return {**_tidy(told), "id": self.description["players"][who]["id"]}

    def observation(self, who, since):
        if getattr(self.game, "scene", 0) != self.scene:
            self.look_at_level()
        me = self.self_of(who)
        body = self.description["players"][who]
        up = me.get("up", (0, 1, 0) if self.description.get("up") == "y" else (0, 0, 1))
        eye = add(me["position"], up, me.get("eye", body.get("eye", 0.9 * body.get("height", 1.8))))
        view = self.description["rules"]["view"]
        entities, ids = [], set()
        for entity in self.game.entities(who):
            tidy = {**_tidy(entity), "id": self.number(entity)}
            if tidy["id"] in ids:
                raise ValueError(f"two entities have the same name or id: {entity}")
            if tidy["id"] != me["id"] and _is_near(tidy, eye, view):
                ids.add(tidy["id"])
                entities.append(tidy)
        told = self.told.setdefault(who, _Told())
        answer = {"tick": self.tick, "self": me}
        if since and since == told.rev:
            answer["entities"], answer["gone"] = told.changes(entities, self.tick)
            answer["since"] = since
        else:
            answer["entities"] = told.all(entities)
        answer["rev"] = told.rev
        events = self.waiting.pop(who, [])
        if events:
            answer["events"] = events
        if self.game.over():
            answer["over"] = self.game.over()
        if self.scene:
            answer["scene"] = self.scene
        return answer
