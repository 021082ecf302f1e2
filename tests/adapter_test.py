# SPDX-License-Identifier: MIT
"""The adapter for Python keeps the protocol: a client speaks every request, good and bad."""
import contextlib
import json
import math
import os
import random
import socket
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(TESTS, "../adapters/python")
EXAMPLE = os.path.join(PYTHON, "example_game.py")
sys.path.insert(0, PYTHON)
import octant

HELLO = {"do": "hello", "octant": 1, "client": "adapter_test"}


class Client:
    """Speaks lines to a port, or to whoever connects."""

    def __init__(self, link):
        self.link = link
        self.link.settimeout(20)
        self.file = link.makefile("rb")
        self.n = 0

    def send(self, line):
        self.link.sendall(line if isinstance(line, bytes) else line.encode())

    def line(self):
        line = self.file.readline()
        return json.loads(line) if line else None

    def raw(self, line):
        self.send(line + (b"\n" if isinstance(line, bytes) else "\n"))
        return self.line()

    def ask(self, do, **fields):
        self.n += 1
        answer = self.raw(json.dumps({"n": self.n, "do": do, **fields}))
        assert answer.pop("n") == self.n, answer
        return answer

    def close(self):
        self.file.close()
        self.link.close()


class GameTest(unittest.TestCase):
    """A game in a process of its own, that listens."""

    game = [EXAMPLE]

    def setUp(self):
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, *self.game], stdout=subprocess.PIPE, stderr=self.output, text=True,
            env={**os.environ, "OCTANT_PORT": "0", "OCTANT_CONNECT": ""})
        words = self.process.stdout.readline()
        self.assertRegex(words, r"^octant: listening on 127\.0\.0\.1:\d+$")
        self.port = int(words.rpartition(":")[2])
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.close()
        self.assertIsNone(self.process.poll(), "the game has died")
        self.process.kill()
        self.process.communicate()
        self.output.seek(0)
        self.assertEqual(self.output.read(), self.expected_output())
        self.output.close()

    def expected_output(self):
        return ""

    def connect(self):
        client = Client(socket.create_connection(("127.0.0.1", self.port)))
        self.clients.append(client)
        return client

    def greet(self):
        client = self.connect()
        client.ask(**HELLO)
        return client

    def refused(self, answer, code, text=None):
        self.assertEqual(set(answer) - {"n"}, {"error", "text"})
        self.assertEqual(answer["error"], code, answer)
        if text:
            self.assertIn(text, answer["text"])


class Lines(GameTest):
    def test_no_object_is_answered_without_n(self):
        client = self.greet()
        for line in ("{", "}", "[1]", "7", '"hello"', "null", "nonsense", '{"n":1,"do":}', "{]",
                     '{"n":1 "do":"self"}', '{"n":1,"do":"self"} x', '{"n":NaN,"do":"self"}',
                     '{"n":1,"do":"act","verb":"move","move":[0,Infinity,0]}', "{'n':1}",
                     '{"n":01}', " ", "\t", "\0"):
            answer = client.raw(line)
            self.assertEqual(answer, {"error": "syntax", "text": "the line is no JSON object"})
        for line in (b'{"n":1,"do":"\xff\xfe"}', b"\x80", b"\xef\xbb\xbf{}",
                     b'{"a":"\xed\xa0\x80"}'):
            self.refused(client.raw(line), "syntax")
        self.assertEqual(client.ask("self")["tick"], 0)

    def test_lines_may_end_with_cr_lf_and_empty_ones_are_passed_over(self):
        client = self.greet()
        client.send('\n\r\n\n{"n":5,"do":"step","ticks":1}\r\n')
        self.assertEqual(client.line(), {"tick": 1, "n": 5})

    def test_a_line_that_is_too_long_is_range_once(self):
        client = self.greet()
        for size in (65 * 1024, 1024 * 1024):
            self.refused(client.raw('{"n":1,"x":"' + "y" * size + '"}'), "range")
        client.send(b"[" * 300000)
        self.refused(client.line(), "range")
        client.send(b"x" * 300000 + b'\n{"n":9,"do":"step","ticks":1}\n')
        self.assertEqual(client.line(), {"tick": 1, "n": 9})
        # 64 KiB to the byte are allowed, one more is not.
        start = '{"n":1,"do":"step","ticks":1,"x":"'
        longest = start + "y" * (65536 - len(start) - 2) + '"}'
        self.assertEqual(client.raw(longest), {"tick": 2, "n": 1})
        self.refused(client.raw(longest[:-2] + 'y"}'), "range")
        self.assertEqual(client.ask("self")["tick"], 2)

    def test_a_line_that_is_too_deep_is_range(self):
        client = self.greet()
        for deep in (9, 100, 20000):
            text = '{"n":1,"do":"step","ticks":1,"x":' + "[" * (deep - 1) + "]" * (deep - 1) + "}"
            self.refused(client.raw(text), "range")
            self.refused(client.raw("[" * deep), "range")
            self.refused(client.raw('{"a":' * deep), "range")
        deepest = '{"n":1,"do":"step","ticks":1,"x":' + "[" * 7 + "]" * 7 + "}"
        self.assertEqual(client.raw(deepest), {"tick": 1, "n": 1})
        in_text = '{"n":1,"do":"step","ticks":1,"x":"' + '[{\\"[' * 100 + '","y":[[],[],[],[],[]]}'
        self.assertEqual(client.raw(in_text), {"tick": 2, "n": 1})

    def test_requests_may_be_sent_ahead_and_in_pieces(self):
        client = self.greet()
        client.send("".join(f'{{"n":{i},"do":"step","ticks":1}}\n' for i in range(500)))
        for i in range(500):
            self.assertEqual(client.line(), {"tick": i + 1, "n": i})
        for byte in b'{"n":7,"do":"step","ticks":2}\n':
            client.send(bytes([byte]))
        self.assertEqual(client.line(), {"tick": 502, "n": 7})

    def test_n_is_repeated(self):
        client = self.greet()
        for n, told in (("0", 0), ("3.0", 3), ("3e0", 3), ("9007199254740991", 2**53 - 1),
                        ("-0", 0)):
            answer = client.raw(f'{{"n":{n},"do":"hash"}}')
            self.assertIs(type(answer["n"]), int)
            self.assertEqual(answer["n"], told)
        for n in ("-1", "0.5", '"1"', "true", "[]", "{}", "9007199254740992", "1e999", "9" * 5000):
            answer = client.raw(f'{{"n":{n},"do":"hash"}}')
            self.refused(answer, "argument", "'n'")
            self.assertNotIn("n", answer)
        for line in ('{"do":"hash"}', '{"n":null,"do":"hash"}'):
            self.assertEqual(set(client.raw(line)), {"hash"})
        self.assertEqual(client.raw('{"n":8,"do":"what"}')["n"], 8)

    def test_text_is_sent_as_utf8(self):
        client = self.greet()
        client.send('{"n":1,"do":"reset","world":"caf\\u00e9 \\ud83d\\ude00 \\ud800"}\n')
        line = client.file.readline()
        self.assertIn("café 😀".encode(), line)
        self.assertNotIn(b"\\u", line)
        self.refused(json.loads(line), "range")

    def test_garbage_is_survived(self):
        client = self.greet()
        draw = random.Random(1)
        good = ['{"n":1,"do":"turn","verb":"move","move":[0,0,-1],"ticks":3,"since":1}',
                '{"n":2,"do":"reset","world":"rooms","start":[{"position":[0,0,1]}],"seed":4}',
                '{"n":3,"do":"turn","verb":"use","target":12,"button":0}', '{"n":4,"do":"observe"}',
                '{"n":5,"do":"geometry","from":0}', '{"n":6,"do":"act","verb":"do","name":"x"}']
        pieces = ["null", "-1", "1e999", "[]", "{}", '"', "true", "0.5", "[[[[[[[[[[", "NaN", ",",
                  ":", "\\"]
        for _ in range(1000):
            line = draw.choice(good)
            for _ in range(draw.randint(1, 3)):
                at, to = sorted(draw.choices(range(len(line) + 1), k=2))
                piece = draw.choice([*pieces, "", line[at:to] * 2])
                line = line[:at] + piece + line[min(to, at + 9):]
            if line.strip():
                answer = client.raw(line.replace("\n", " "))
                self.assertIn(answer.get("error", "syntax"),
                              ("syntax", "unknown", "argument", "player", "range"), (line, answer))
        self.assertEqual(client.ask("reset"), {"tick": 0})


class Requests(GameTest):
    def test_hello_comes_first(self):
        client = self.connect()
        for do in ("describe", "observe", "self", "step", "bye", "nothing", "reset"):
            self.refused(client.ask(do), "unknown", "hello")
        self.refused(client.raw('{"n":1}'), "unknown")
        self.refused(client.ask("hello"), "argument", "'octant'")
        self.refused(client.ask("hello", octant="1"), "argument", "'octant'")
        self.refused(client.ask("hello", octant=0), "version")
        self.refused(client.ask("describe"), "unknown", "hello")
        first = client.ask("hello", octant=99)
        self.assertEqual(first["octant"], 1)
        self.assertEqual((first["game"], first["rate"], first["time"]), ("Rooms", 60, "stepped"))
        self.assertEqual(first["exact"], ["start", "reset"])
        self.assertEqual(set(first["can"]), {"geometry", "self", "turn", "hash", "reset", "since"})
        client.ask("step", ticks=5)
        self.assertEqual(client.ask(**HELLO), first)
        self.assertEqual(client.ask("self")["tick"], 5)

    def test_unknown_requests(self):
        client = self.greet()
        for do in ("", "Hello", "navmesh", "join", "leave", "begin", "can", "__init__", 5, None, [],
                   {}):
            self.refused(client.ask(do), "unknown")

    def test_describe(self):
        client = self.greet()
        told = client.ask("describe")
        self.assertEqual((told["up"], told["world"], told["game"]), ("z", "rooms", "Rooms"))
        player, = told["players"]
        self.assertEqual((player["id"], player["name"], player["gait"], player["shape"]),
                         (1, "Drone", "fly", "ball"))
        self.assertEqual(told["rules"]["view"], 20)

    def test_observe(self):
        client = self.greet()
        told = client.ask("observe")
        self.assertEqual((told["tick"], told["rev"]), (0, 1))
        self.assertNotIn("since", told)
        self.assertEqual({e["id"]: e["name"] for e in told["entities"]},
                         {11: "Door", 12: "Button", 13: "Fire", 14: "Coin"})
        self.assertEqual(told["self"]["position"], [-3, 0, 0.5])
        self.assertEqual(client.ask("self"), {"self": told["self"], "tick": 0})
        self.assertEqual(client.ask("observe", who=0, since=None)["rev"], 2)

    def test_who(self):
        client = self.greet()
        for do in ("observe", "self"):
            self.refused(client.ask(do, who=1), "player")
            self.refused(client.ask(do, who=2**53 - 1), "player")
            for who in (-1, 0.5, "0", True, [0], 2**53):
                self.refused(client.ask(do, who=who), "argument", "'who'")
        self.refused(client.ask("act", who=1, verb="wait"), "player")
        self.refused(client.ask("turn", who=1, verb="wait"), "player")

    def test_step(self):
        client = self.greet()
        for ticks in (None, 0, -1, -3600, 3601, 1.5, "1", True, [1], {}, 1e300):
            self.refused(client.ask("step", ticks=ticks), "argument", "'ticks'")
        self.assertEqual(client.ask("step", ticks=3600), {"tick": 3600})
        self.assertEqual(client.raw('{"do":"step","ticks":2e0}'), {"tick": 3602})

    def test_arguments_of_act(self):
        client = self.greet()
        for do in ("act", "turn"):
            for verb in (None, "", "fly", "Move", 1, ["move"]):
                self.refused(client.ask(do, verb=verb), "argument", "'verb'")
            for move in ([1, 2], [1, 2, 3, 4], [1, 2, "3"], 1, "x", {}, [1, 2, None], [[1], 2, 3],
                         [True, 0, 0]):
                self.refused(client.ask(do, verb="move", move=move), "argument",
                             "'move' must be three finite numbers")
            for rotate in ([1.01, 0, 0], [0, -2, 0], [0, 0], "x"):
                self.refused(client.ask(do, verb="move", rotate=rotate), "argument", "'rotate'")
            answer = client.raw(f'{{"do":"{do}","verb":"move","move":[1e999,0,0]}}')
            self.refused(answer, "argument")
            for ticks in (0, -1, 3601, "1"):
                self.refused(client.ask(do, verb="move", ticks=ticks), "argument", "'ticks'")
            for target in (-1, 1.5, "Button", [12]):
                self.refused(client.ask(do, verb="use", target=target), "argument", "'target'")
            self.refused(client.ask(do, verb="use", button=-1), "argument", "'button'")
            for name in (None, "", 5):
                self.refused(client.ask(do, verb="do", name=name), "argument", "'name'")
            self.refused(client.ask(do, verb="do", name="x", on=1), "argument", "'on'")
            self.refused(client.ask(do, verb="do", name="x", number="1"), "argument", "'number'")
        self.refused(client.ask("turn", verb="wait", since=-1), "argument", "'since'")
        self.refused(client.ask("turn", verb="use", target=12, ticks=0), "argument", "'ticks'")
        # After all that the game is as it was.
        self.assertEqual(client.ask("self")["tick"], 0)

    def test_what_comes_of_acts(self):
        client = self.greet()
        self.assertEqual(client.ask("act", verb="use", target=12)["came"], "too far")
        self.assertEqual(client.ask("act", verb="use", target=999)["came"], "no target")
        self.assertEqual(client.ask("act", verb="use")["came"], "no target")
        self.assertEqual(client.ask("act", verb="use", target=14)["came"], "no button")
        self.assertEqual(client.ask("act", verb="use", target=12, button=1)["came"], "no button")
        for fields in ({"verb": "jump"}, {"verb": "do", "name": "dance"},
                       {"verb": "do", "name": "use"}):
            answer = client.ask("act", **fields)
            self.assertEqual(answer["came"], "refused")
            self.assertIn("cannot", answer["text"])
        self.assertEqual(client.ask("act", verb="wait")["came"], "done")
        self.assertEqual(client.ask("act", verb="keep", ticks=5), {"came": "done", "tick": 0})
        # A turn passes its ticks whatever comes of it.
        self.assertEqual(client.ask("turn", verb="jump", ticks=7)["tick"], 7)
        self.assertEqual(client.ask("turn", verb="keep")["tick"], 8)

    def test_moving(self):
        client = self.greet()
        self.assertEqual(client.ask("act", verb="move", move=[0, 0, -7], ticks=60)["came"], "done")
        self.assertEqual(client.ask("self")["self"]["ticks"], 60)
        client.ask("step", ticks=30)
        me = client.ask("self")["self"]
        self.assertEqual((me["ticks"], me["velocity"]), (30, [4, 0, 0]))
        client.ask("act", verb="keep", ticks=1)
        self.assertEqual(client.ask("self")["self"]["ticks"], 30)
        client.ask("turn", verb="wait", ticks=60)
        self.assertEqual(client.ask("self")["self"]["velocity"], [0, 0, 0])
        # Yaw to the left is positive; pitch turns the eye alone.
        client.ask("turn", verb="move", rotate=[0.5, 0.5, 0], ticks=30)
        me = client.ask("self")["self"]
        self.assertGreater(me["forward"][1], 0.5)
        self.assertEqual(me["forward"][2], 0)
        self.assertGreater(me["look"][2], 0.5)

    def test_differences(self):
        client = self.greet()
        client.ask("reset", start=[{"position": [-1.5, 1.8, 1.0]}])
        self.assertEqual(client.ask("observe")["rev"], 1)
        told = client.ask("observe", since=1)
        self.assertEqual((told["rev"], told["since"]), (2, 1))
        self.assertEqual((told["entities"], told["gone"]), ([], []))
        told = client.ask("turn", verb="use", target=12, since=2)
        self.assertEqual((told["came"], told["rev"]), ("done", 3))
        changes = {e["id"]: e for e in told["entities"]}
        self.assertEqual(changes[12], {"id": 12, "props": {"presses": 1}})
        self.assertEqual(set(changes[11]), {"id", "opening", "box"})
        # Only the last revision is known; another one is answered with everything.
        told = client.ask("observe", since=2)
        self.assertNotIn("since", told)
        self.assertEqual((told["rev"], len(told["entities"])), (4, 4))
        self.assertEqual(client.ask("observe", since=12345)["rev"], 5)
        rebuilt = {e["id"]: e for e in client.ask("observe")["entities"]}
        for i in range(10):
            told = client.ask("turn", verb="wait", ticks=7, since=6 + i)
            for change in told["entities"]:
                rebuilt.setdefault(change["id"], {}).update(change)
        self.assertEqual(list(rebuilt.values()), client.ask("observe")["entities"])
        self.assertEqual(rebuilt[11]["opening"], 1)

    def test_what_was_taken_is_gone(self):
        client = self.greet()
        client.ask("reset", start=[{"position": [3.0, 2.6, 1.0], "forward": [1, 0, 0],
                                    "up": [0, 0, 1]}])
        client.ask("observe")
        told = client.ask("turn", verb="move", move=[0, 0, -1], ticks=60, since=1)
        self.assertEqual(told["gone"], [14])
        self.assertEqual(told["self"]["props"], {"coins": 1})
        event, = told["events"]
        self.assertEqual((event["what"], event["id"]), ("taken", 14))
        self.assertLess(event["tick"], 60)
        self.assertNotIn("events", client.ask("observe", since=2))

    def test_the_fire_hurts_and_ends_the_game(self):
        client = self.greet()
        client.ask("reset", start=[{"position": [3.0, -2.5, 0.2]}])
        told = client.ask("turn", verb="wait", ticks=60)
        self.assertEqual([e["what"] for e in told["events"]], ["hurt"])
        self.assertEqual(told["self"]["health"], 0.5)
        told = client.ask("turn", verb="wait", ticks=61)
        self.assertEqual((told["over"], told["self"]["health"]), ("lost", 0))
        self.assertEqual(client.ask("act", verb="move")["came"], "not now")
        self.assertEqual(client.ask("reset"), {"tick": 0})
        self.assertNotIn("over", client.ask("observe"))

    def test_geometry(self):
        client = self.greet()
        told = client.ask("geometry")
        self.assertEqual((told["count"], [p["id"] for p in told["parts"]]), (9, list(range(2, 11))))
        self.assertNotIn("next", told)
        for start in (1, 9, 2**53 - 1, -1, "0", 0.5):
            self.refused(client.ask("geometry", **{"from": start}), "argument", "'from'")

    def test_reset(self):
        client = self.greet()
        client.ask("turn", verb="move", move=[0, 0, -1], ticks=20)
        before = client.ask("self")
        self.refused(client.ask("reset", world="castle"), "range", "castle")
        self.refused(client.ask("reset", start=[{"position": [0.2, 0, 1]}]), "range", "no room")
        for fields in ({"world": 1}, {"seed": -1}, {"start": {}}, {"start": [1]}, {"start": [{}]},
                       {"start": [{"position": [0, 0]}]}, {"options": []}, {"view": "far"},
                       {"view": -1}, {"sight": "x"},
                       {"start": [{"position": [0, 0, 0], "up": [0, 0, 0]}]}):
            self.refused(client.ask("reset", **fields), "argument")
        self.assertEqual(client.ask("self"), before)
        self.assertEqual(client.ask("hash"), client.ask("hash"))
        self.assertEqual(client.ask("reset", world="rooms", seed=7, delay=[0, 0],
                                    options={"x": [1]}, start=[], unknown=1), {"tick": 0})
        self.assertEqual(client.ask("observe", since=1)["rev"], 1)
        client.ask("reset", view=3, sight="through")
        rules = client.ask("describe")["rules"]
        self.assertEqual((rules["view"], rules["sight"]), (3, "through"))
        self.assertEqual([e["name"] for e in client.ask("observe")["entities"]], [])
        client.ask("reset")
        self.assertEqual(len(client.ask("observe")["entities"]), 4)

    def test_the_same_requests_have_the_same_answers(self):
        def play(client):
            lines = []
            draw = random.Random(3)
            rev = 0
            for _ in range(150):
                verb = draw.choice(("move", "move", "move", "use", "wait"))
                answer = client.ask("turn", verb=verb, ticks=draw.randint(1, 30), since=rev,
                                    move=[draw.uniform(-1, 1) for _ in range(3)],
                                    rotate=[draw.uniform(-1, 1) for _ in range(3)], target=12)
                rev = answer["rev"]
                lines.append(answer)
            return lines + [client.ask("hash")["hash"]]

        client = self.greet()
        first = play(client)
        self.assertRegex(first[-1], "^[0-9a-f]{16}$")
        client.ask("reset")
        self.assertEqual(play(client), first)
        client.ask("bye")
        self.assertEqual(play(self.greet()), first)

    def test_bye_and_the_next_client(self):
        client = self.greet()
        client.ask("step", ticks=10)
        self.assertEqual(client.ask("bye"), {})
        self.assertIsNone(client.line())
        client = self.greet()
        self.assertEqual(client.ask("self")["tick"], 0)
        client.ask("step", ticks=10)
        client.send('{"do":"turn",')
        client.close()  # without a bye, in the middle of a line
        self.assertEqual(self.greet().ask("self")["tick"], 0)

    def test_a_second_client_is_turned_away(self):
        client = self.greet()
        for _ in range(40):
            other = self.connect()
            with contextlib.suppress(OSError):
                other.send('{"n":1,"do":"hello","octant":1}\n')
            self.assertEqual(other.line(), {"error": "game", "text": "busy"})
            self.assertIsNone(other.line())
        self.assertEqual(client.ask("step", ticks=1), {"tick": 1})


# Three players, many parts, things that tremble, a game that breaks.
ODD = '''
import octant

class Odd(octant.Game):
    name = "Odd"
    def reset(self, level, seed, starts, options):
        self.number = self.scene = 0
        if level == "breaks":
            raise RuntimeError("no such thing")
        if options.get("said"):
            self.event("said", "Player1", "hello")
    def describe(self):
        verbs = ["move", "nudge"]
        return {"up": "y", "players": [{"name": f"Player{i}", "verbs": verbs} for i in range(3)]}
    def geometry(self):
        return [{"name": f"Part {i}", "v": [0.5] * 300, "t": [0, 1, 2]} for i in range(3000)]
    def entities(self, who):
        n = self.number
        told = [{"name": "Crate", "box": (n, 0, 0, n + 1, 1, 1),
                 "props": {"n": n} if n < 5 else None},
                {"name": "Turned", "obb": (1, 1, 1, .5, .5, .5, 0, 0, n, 1 - n)},
                {"id": ("any", "key"), "boxes": [{"box": (n, 0, 0, 1, 1, 1)}]}]
        if n == 9:
            told.append({"name": "Crate", "box": (0, 0, 0, 1, 1, 1)})
        if n == 8:
            told[0]["box"] = (float("nan"), 0, 0, 1, 1, 1)
        return told
    def self_of(self, who):
        return {"position": (0, 0, who), "forward": (0, 0, -1), "up": (0, 1, 0), "on": "Crate"}
    def act(self, who, action):
        if action.verb == "do":
            self.number = action.number or 0
            self.event("note", text=f"player {who}")
        return {6: None, 7: ("refused", "too late")}.get(self.number, "done")
    def tick(self):
        pass

octant.run(Odd)
'''


class OddGame(GameTest):
    breaks = ""

    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write(f"import sys\nsys.path.insert(0, {PYTHON!r})\n" + ODD)
        self.addCleanup(os.remove, file.name)
        self.game = [file.name]
        super().setUp()

    def expected_output(self):
        self.output.seek(0)
        output = self.output.read()
        self.assertIn(self.breaks, output)
        return output if self.breaks else ""

    def nudge(self, client, number, **fields):
        return client.ask("turn", verb="do", name="nudge", number=number, **fields)

    def test_pages(self):
        client = self.greet()
        start, ids = 0, []
        while start is not None:
            page = client.ask("geometry", **{"from": start})
            self.assertEqual(page["count"], 3000)
            ids += [part["id"] for part in page["parts"]]
            previous, start = start, page.get("next")
            self.refused(client.ask("geometry", **{"from": previous + 1}), "argument", "'from'")
        self.assertEqual(ids, list(range(4, 3004)))
        self.assertGreater(previous, 0)

    def test_each_player_has_revisions_and_events_of_its_own(self):
        client = self.greet()
        client.ask("reset", options={"said": True})
        for who in range(3):
            told = client.ask("observe", who=who)
            self.assertEqual((told["rev"], told["self"]["id"]), (1, who + 1))
            self.assertEqual(told["events"],
                             [{"tick": 0, "what": "said", "id": 2, "text": "hello"}])
            self.assertEqual(told["self"]["on"], 3004)
        self.assertEqual(client.ask("observe", who=1)["rev"], 2)
        told = self.nudge(client, 0, who=2, since=1)
        self.assertEqual(told["since"], 1)
        self.assertEqual(told["events"], [{"tick": 0, "what": "note", "text": "player 2"}])
        self.assertEqual(len(client.ask("observe", who=1)["events"]), 1)
        self.assertNotIn("since", client.ask("observe", since=2))

    def test_shapes_are_told_when_they_have_moved_and_once_more_at_rest(self):
        client = self.greet()
        client.ask("observe")
        boxes = []
        for i, number in enumerate((0.003, 0.0049, 0.0052, 0.006, 0.007, 0.007, 0.007, 0.0071,
                                    0.0071)):
            told = self.nudge(client, number, since=i + 1)
            boxes.append([e["box"][0] for e in told["entities"] if "box" in e])
        self.assertEqual(boxes, [[], [], [0.0052], [], [], [0.007], [], [], [0.0071]])

    def test_a_field_that_is_no_longer_told_is_null(self):
        client = self.greet()
        client.ask("observe")
        changes = self.nudge(client, 5, since=1)["entities"]
        crate, = [e for e in changes if e["id"] == 3004]
        self.assertIsNone(crate["props"])
        self.assertEqual(crate["box"][0], 5)

    def test_turned_boxes_and_keys_of_any_kind(self):
        client = self.greet()
        client.ask("observe")
        ids = [e["id"] for e in self.nudge(client, 0.5, since=1)["entities"]]
        self.assertEqual(ids, [3004, 3005, 3006])

    def test_refusals(self):
        client = self.greet()
        told = self.nudge(client, 7)
        self.assertEqual((told["came"], told["text"]), ("refused", "too late"))

    def test_a_game_that_breaks_ends_the_link_and_says_why(self):
        self.breaks = "Traceback"
        for number, text in ((6, "must return one of"), (8, "not JSON compliant"),
                             (9, "same name")):
            client = self.greet()
            client.n += 1
            answer = client.raw(
                f'{{"n":5,"do":"turn","verb":"do","name":"nudge","number":{number}}}')
            self.assertEqual((answer["error"], answer["n"]), ("game", 5))
            self.assertIn(text, answer["text"])
            self.assertIsNone(client.line())
        client = self.greet()
        self.assertEqual(client.ask("reset", world="breaks"),
                         {"error": "game", "text": "RuntimeError: no such thing"})
        self.assertIsNone(client.line())
        self.assertEqual(self.greet().ask("step", ticks=1), {"tick": 1})


class Faults(GameTest):
    """tests/faulty_game.py has each fault that it is asked for, and no other."""

    def setUp(self):
        pass  # each fault is a game of its own

    def tearDown(self):
        pass

    def life(self, client, beside_button=False):
        client.ask("reset", world="rooms",
                   start=[{"position": [-1.5, 1.8, 1.0]}] if beside_button else [])
        return client.ask("observe")

    def look_at_flight(self, client):
        """Positions of a flight tick by tick, and what is wrong with it."""
        body, = client.ask("describe")["players"]
        self.life(client)
        client.ask("act", verb="move", move=[0, 0, 1], ticks=70)
        places, faults = [], set()
        for _ in range(70):
            client.ask("step", ticks=1)
            me = client.ask("self")["self"]
            places.append(me["position"])
            if octant.length(me["velocity"]) > 1.05 * body["speed"]:
                faults.add("too_fast")
            if len(places) > 1 and me["bumps"] == 0:
                way = octant.add(places[-1], places[-2], -1.0)
                if octant.length(octant.add(way, me["velocity"], -1.0 / 60)) > 1e-5:
                    faults.add("tick_differs")
        if places[0] == places[-1]:
            faults.add("act_ignored")
        return places, faults

    def look_at_differences(self, client):
        told = self.life(client, beside_button=True)
        ids = {e["name"]: e["id"] for e in told["entities"]}
        faults, known = set(), {e["id"]: e for e in told["entities"]}
        for i in range(70):
            told = client.ask("turn", verb="keep" if i else "use", target=ids["Button"],
                              since=told["rev"])
            for e in told["entities"]:
                before = known.setdefault(e["id"], {}).get("box")
                if before and e.get("box") and octant.length(
                        octant.add(e["box"][:3], before[:3], -1.0)) > 0.5:
                    faults.add("entities_jump")
                known[e["id"]].update(e)
        if list(known.values()) != client.ask("observe")["entities"]:
            faults.add("since_lost")
        return faults

    def look(self, client):
        faults = set()
        if "geometry" not in client.ask(**HELLO)["can"]:
            faults.add("no_geometry")
        lives = [self.life(client) for _ in range(2)]
        ids = [{e["name"]: e["id"] for e in life["entities"]} for life in lives]
        if ids[0] != ids[1]:
            faults.add("ids_change")
        parts = [] if "no_geometry" in faults else client.ask("geometry")["parts"]
        boxes = [thing["box"] for thing in lives[0]["entities"] + parts]
        if any(box[i] > box[i + 3] for box in boxes for i in range(3)):
            faults.add("inside_out")
        first, wrong = self.look_at_flight(client)
        second, _ = self.look_at_flight(client)
        if first != second:
            faults.add("reset_differs")
        return faults | wrong | self.look_at_differences(client)

    def test_each_has_its_fault_and_no_other(self):
        for fault in ("none", "ids_change", "entities_jump", "tick_differs", "no_geometry",
                      "inside_out", "too_fast", "since_lost", "act_ignored", "reset_differs",
                      "silent"):
            self.game = [os.path.join(TESTS, "faulty_game.py"), "--fault", fault]
            super().setUp()
            client = self.connect()
            client.link.settimeout(2)
            try:
                faults = self.look(client)
            except socket.timeout:
                faults = {"silent"}
            client.close()
            self.clients.clear()
            super().tearDown()
            self.assertEqual(faults, {fault} - {"none"})


class Starting(unittest.TestCase):
    def start(self, **variables):
        return subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, timeout=20,
                              env={**os.environ, "OCTANT_PORT": "", "OCTANT_CONNECT": "",
                                   **variables})

    def test_without_a_variable_nothing_happens(self):
        done = self.start()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_variables_that_make_no_sense(self):
        for variables in ({"OCTANT_PORT": "x"}, {"OCTANT_PORT": "70000"}, {"OCTANT_PORT": "-1"},
                          {"OCTANT_CONNECT": "x"}, {"OCTANT_CONNECT": "127.0.0.1:x"},
                          {"OCTANT_CONNECT": "127.0.0.1:1"}, {"OCTANT_CONNECT": "127.0.0.1:70000"}):
            done = self.start(**variables)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"^octant: cannot .*\n$")

    def test_it_connects_and_ends_with_the_link(self):
        for ends in ("bye", "close"):
            with socket.create_server(("127.0.0.1", 0)) as server:
                process = subprocess.Popen([sys.executable, EXAMPLE], env={
                    **os.environ, "OCTANT_CONNECT": f"127.0.0.1:{server.getsockname()[1]}"})
                server.settimeout(20)
                client = Client(server.accept()[0])
                self.assertEqual(client.ask(**HELLO)["game"], "Rooms")
                if ends == "bye":
                    self.assertEqual(client.ask("bye"), {})
                    self.assertIsNone(client.line())
                client.close()
                self.assertEqual(process.wait(20), 0)


class Helpers(unittest.TestCase):
    def test_a_flyer_keeps_to_what_it_describes_and_out_of_boxes(self):
        draw = random.Random(5)
        boxes = [(-9, -9, -1, 9, 9, 0), (-9, -9, 3, 9, 9, 4),
                 (-4, -9, 0, -3, 9, 3), (3, -9, 0, 4, 9, 3),
                 (-9, 3, 0, 9, 4, 3), (-9, -4, 0, 9, -3, 3), (0, 0, 0, 1, 1, 1)]
        drone = octant.Flyer("Drone", (-1, -1, 1))
        for tick in range(20000):
            if tick % 20 == 0:
                drone.act(octant.Action("move", 15, tuple(draw.uniform(-1, 1) for _ in range(3)),
                                        tuple(draw.uniform(-1, 1) for _ in range(3))))
            before = drone.position
            drone.tick(60, boxes)
            way = octant.length(octant.add(drone.position, before, -1.0))
            self.assertLessEqual(way, drone.speed / 60 + 1e-5)
            for box in boxes:
                self.assertGreaterEqual(octant.distance(box, drone.centre()), drone.size / 2 - 1e-4)
        self.assertAlmostEqual(octant.length(drone.forward), 1.0, 9)

    def test_a_flyer_begins_upright(self):
        for forward, level in (((0, 1, 0), (0, 1, 0)), ((0, 0.6, 0.8), (0, 1, 0))):
            self.assertEqual(octant.Flyer("Drone", (0, 0, 0), forward=forward).forward, level)
        drone = octant.Flyer("Drone", (0, 0, 0), forward=(0, 0, 1))
        self.assertEqual(octant.dot(drone.forward, drone.up), 0)
        self.assertTrue(drone.has_room([(-1, -1, -1, 1, 1, 0.01)]))
        self.assertFalse(drone.has_room([(-1, -1, -1, 1, 1, 0.03)]))

    def test_a_flyer_thrusts_and_brakes(self):
        drone = octant.Flyer("Drone", (0, 0, 0))
        drone.act(octant.Action("move", 600, (0, 0, -1)))
        for _ in range(30):
            drone.tick(60, [])
        self.assertAlmostEqual(drone.velocity[1], 4.0)
        for _ in range(570):
            drone.tick(60, [])
        self.assertAlmostEqual(drone.velocity[1], drone.speed)
        for _ in range(45):
            drone.tick(60, [])
        self.assertAlmostEqual(drone.velocity[1], 0.0)

    def test_a_walker_keeps_out_of_boxes_and_to_its_speed(self):
        draw = random.Random(6)
        boxes = [(-9, -9, -1, 9, 9, 0), (-9, -9, 3, 9, 9, 4),
                 (-4, -9, 0, -3, 9, 3), (3, -9, 0, 4, 9, 3),
                 (-9, 3, 0, 9, 4, 3), (-9, -4, 0, 9, -3, 3), (0, 0, 0, 1, 1, 0.25),
                 (-2, -2, 0, -1, -1, 0.6), (1, 1, 0, 2, 2, 1.0)]
        walker = octant.Walker("Walker", (-1.5, 1.5, 0))
        highest, has_stepped = 0.0, False
        for tick in range(20000):
            if tick % 20 == 0:
                walker.act(octant.Action("move", 15, tuple(draw.uniform(-1, 1) for _ in range(3)),
                                         tuple(draw.uniform(-1, 1) for _ in range(3))))
            if tick % 150 == 0 and walker.stands:
                self.assertEqual(walker.act(octant.Action("jump")), "done")
            before = walker.position
            walker.tick(60, boxes)
            way = [a - b for a, b in zip(walker.position, before)]
            self.assertLessEqual(math.hypot(way[0], way[1]), walker.speed / 60 + 1e-5)
            self.assertTrue(walker.is_free(walker.position, boxes))
            self.assertGreaterEqual(walker.position[2], -1e-9)
            highest = max(highest, walker.position[2])
            has_stepped = has_stepped or (walker.stands and walker.position[2] == 0.25)
        self.assertTrue(has_stepped and 0.6 < highest < 0.25 + 0.6 + 0.82)

    def test_a_walker_jumps_as_high_as_it_should_and_falls_off_edges(self):
        walker = octant.Walker("Walker", (0, 0, 2))
        floor = [(-9, -9, -1, 9, 9, 0), (-1, -1, 0, 1, 1, 2)]
        walker.act(octant.Action("jump"))
        heights = []
        for _ in range(60):
            walker.tick(60, floor)
            heights.append(walker.position[2])
        self.assertAlmostEqual(max(heights), 2 + 4.0 * 4.0 / 19.6, 1)
        self.assertTrue(walker.stands and walker.position == (0, 0, 2))
        self.assertEqual(walker.act(octant.Action("move", 60, (0, 0, -1))), "done")
        for _ in range(120):
            walker.tick(60, floor)
        self.assertTrue(walker.stands and walker.position[2] == 0)
        walker.stands = False
        self.assertEqual(walker.act(octant.Action("jump")), "not now")

    def test_a_door_waits_for_who_is_in_its_way(self):
        door = octant.Door("Door", (0, 0, 0, 1, 1, 1), (0, 1, 0), ticks=10)
        drone = octant.Flyer("Drone", (0.5, 0.5, 0.2))
        door.toggle()
        for _ in range(20):
            door.tick()
        self.assertEqual((door.tell()["opening"], door.box()[1]), (1, 1))
        door.toggle()
        for _ in range(20):
            door.tick([drone])
        self.assertGreater(door.done, 5)
        drone.position = (9, 9, 9)
        for _ in range(20):
            door.tick([drone])
        self.assertEqual(door.box(), (0, 0, 0, 1, 1, 1))

    def test_reach(self):
        box = (0, 0, 0, 1, 1, 1)
        self.assertEqual(octant.reach((3, 0.5, 0.5), 2.0, box), "done")
        self.assertEqual(octant.reach((3.1, 0.5, 0.5), 2.0, box), "too far")
        between, behind = (1.5, 0, 0, 1.6, 1, 1), (-1, -1, -1, 0, 2, 2)
        self.assertEqual(octant.reach((3, 0.5, 0.5), 2.0, box, [between]), "in the way")
        self.assertEqual(octant.reach((3, 0.5, 0.5), 2.0, box, [behind, box]), "done")


if __name__ == "__main__":
    unittest.main()
