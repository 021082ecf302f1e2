# SPDX-License-Identifier: MIT
"""A client of octant view that keeps no rule: wrong tokens, foreign origins, paths that climb,
messages that are none, and answers that nobody reads.

view_client.py URL PID
"""

import base64
import json
import os
import random
import socket
import struct
import sys
import time
from urllib.parse import urlsplit

url = urlsplit(sys.argv[1])
server = sys.argv[2]
host, port, path = url.hostname, url.port, url.path
assert host == "127.0.0.1" and len(path) == 34, sys.argv[1]


def connect(receive=None):
    s = socket.socket()
    if receive:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    s.settimeout(10)
    s.connect((host, port))
    return s


def get(target, headers=""):
    """The status of a request, 0 where the connection ends without one, and all that came."""
    s = connect()
    s.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}:{port}\r\n{headers}Connection: close\r\n\r\n".encode())
    data = b""
    try:
        while chunk := s.recv(65536):
            data += chunk
    except (ConnectionResetError, socket.timeout):
        pass
    s.close()
    return (int(data.split(b" ", 2)[1]) if data.startswith(b"HTTP/") else 0), data


class Page:
    """A WebSocket, by hand."""

    def __init__(self, target=None, origin=None, host_name=None, protocol="octant", receive=None):
        self.s = connect(receive)
        name = f"{host}:{port}"
        key = base64.b64encode(os.urandom(16)).decode()
        origin_line = "" if origin == "" else f"Origin: {origin or 'http://' + name}\r\n"
        self.s.sendall(
            f"GET {target or path + 'ws'} HTTP/1.1\r\nHost: {host_name or name}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {protocol}\r\n{origin_line}\r\n".encode()
        )
        head = b""
        self.rest = b""
        try:
            while b"\r\n\r\n" not in head:
                chunk = self.s.recv(4096)
                if not chunk:
                    break
                head += chunk
        except (ConnectionResetError, socket.timeout):
            pass
        self.is_open = b" 101 " in head.split(b"\r\n")[0]
        if self.is_open:
            self.rest = head.split(b"\r\n\r\n", 1)[1]

    def send(self, data, opcode=1, final=True):
        mask = os.urandom(4)
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else (
            bytes([0xFE]) + struct.pack(">H", size) if size < 65536 else bytes([0xFF]) + struct.pack(">Q", size))
        self.s.sendall(bytes([(0x80 if final else 0) | opcode]) + length + mask + body)

    def take(self, count):
        while len(self.rest) < count:
            chunk = self.s.recv(65536)
            if not chunk:
                raise ConnectionError
            self.rest += chunk
        out, self.rest = self.rest[:count], self.rest[count:]
        return out

    def receive(self):
        data, kind = b"", 0
        while True:
            first, second = self.take(2)
            size = second & 127
            size = struct.unpack(">H", self.take(2))[0] if size == 126 else (
                struct.unpack(">Q", self.take(8))[0] if size == 127 else size)
            body = self.take(size)
            if first & 15 == 8:
                raise ConnectionError
            if first & 15 in (9, 10):
                continue
            kind = kind or first & 15
            data += body
            if first & 128:
                return json.loads(data) if kind == 1 else data

    def ask(self, ask, **more):
        self.send(json.dumps({"id": 7, "ask": ask, **more}).encode())
        return self.receive()


def check(what, good):
    if not good:
        print("FAILED:", what)
        sys.exit(1)
    print("ok:", what)


# ---- the laboratory: questions that are wrong in every part ----

if sys.argv[3:] in (["lab"], ["quadtree"]):
    random.seed(2)
    values = [None, True, -1, 0, 1, 3, 32, 33, 1e300, 2**31, 2**60, "", "x", "theta", "block:9", "astar,astar", "8,,", "nan", [], [0, 0],
              [32, 32], [1e99, 0], [0, 0, 1, 1], [0, 0, 33, 1], [31, 31, 1, 1], [0, 0, 1, 2], [0] * 4000, {}, "{", "type octile\nheight 1\n"]
    keys = ["width", "height", "size", "coverage", "clustering", "seed", "runs", "from", "to", "algorithms", "heuristic", "squeeze",
            "kind", "text", "offset", "last", "index", "sizes", "coverages", "clusterings", "maps", "tasks", "edge", "at", "units",
            "move", "goal", "wall", "remove", "forget", "radius", "line", "algorithm"]
    asks = ["lab", "lab_rows", "lab_new", "lab_generate", "lab_edit", "lab_run", "lab_file", "lab_load", "lab_batch", "lab_sees",
            "divided", "scene", "lines"] if sys.argv[3] == "lab" else ["quadtree", "quadtree_leaves", "lab", "hello", "lines"]
    page = Page()
    page.s.settimeout(60)
    answered, count = 0, 3000 if sys.argv[3] == "lab" else 200
    for i in range(count):
        if i % 90 == 0:
            page = Page()  # before it has sent too many
            page.s.settimeout(60)
        question = {key: random.choice(values) for key in random.sample(keys, random.randrange(len(keys)))}
        question.pop("tasks" if question.get("tasks") in (32, 33) else "", None)
        answer = page.ask(random.choice(asks), item=0, **question)
        answered += isinstance(answer, bytes) or "error" not in answer
    check(f"{answered} of {count} wild questions have an answer", answered > count / 30)
    answer = Page().ask("lab" if sys.argv[3] == "lab" else "quadtree", item=0)
    check("it is all there", "error" not in answer)
    sys.exit(0)

# ---- files ----

status, page = get(path)
check("the page is there", status == 200 and b"content-security-policy" in page.lower())
check("its script is there", get(path + "app.js")[0] == 200)
wrong = "/" + "0" * 32 + "/"
for what, target in [("no token", "/"), ("a wrong token", wrong), ("a wrong token's script", wrong + "app.js"),
                     ("half a token", path[:17] + "/"), ("a longer token", path[:-1] + "0/"),
                     ("another file", path + "etc"), ("a path that climbs", path + "../../../etc/passwd"),
                     ("one that is escaped", path + "..%2f..%2f..%2fetc%2fpasswd"),
                     ("one that is escaped twice", path + "%252e%252e/app.js"),
                     ("a NUL", path + "app.js%00.css"), ("a long name", path + "a" * 3000)]:
    status, data = get(target)
    check(f"{what} is refused", status != 200 and b"root:" not in data)
s = connect()
s.sendall(f"GET {path} HTTP/1.1\r\nHost: octant.example:{port}\r\nConnection: close\r\n\r\n".encode())
check("a foreign host is refused", b" 200 " not in s.recv(4096).split(b"\r\n")[0])
s.close()

# ---- who may connect ----

check("a foreign origin is refused", not Page(origin="http://octant.example").is_open)
check("a foreign port is refused", not Page(origin=f"http://127.0.0.1:{port + 1}").is_open)
check("https is another origin", not Page(origin=f"https://127.0.0.1:{port}").is_open)
check("no origin is refused", not Page(origin="").is_open)
check("a foreign host is refused", not Page(host_name=f"octant.example:{port}").is_open)
check("a wrong token is refused", not Page(target=wrong + "ws").is_open)
check("another protocol is refused", not Page(protocol="chat").is_open)
good = Page()
check("the page may connect", good.is_open)
hello = good.ask("hello")
check("it is answered", hello["id"] == 7 and hello["items"][0]["kind"] == "map")


def is_undisturbed():
    start = time.monotonic()
    answer = good.ask("leaf", item=0, at=[0, 0, 0])
    return "label" in answer and time.monotonic() - start < 5


# ---- messages that are none ----

random.seed(1)
LIMIT_MB = 400 if "OCTANT_TEST_SAMPLE" in os.environ else 64  # sanitizers keep what was freed
plain = [b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"id":1}', b'{"ask":"hello"}', b'{"id":-1,"ask":"hello"}',
         b'{"id":1,"ask":"nothing"}', b'{"id":1,"ask":"chunk"}', b'{"id":1,"ask":"chunk","item":9}',
         b'{"id":1,"ask":"chunk","item":0,"lod":99,"at":[0,0,0]}', b'{"id":1,"ask":"chunk","item":0,"lod":0,"at":[1e99,0,0]}',
         b'{"id":1,"ask":"slice","item":0,"axis":7,"cell":0}', b'{"id":1,"ask":"paths","item":0,"algorithms":["x"]}',
         b'{"id":1,"ask":"paths","item":0,"algorithms":["portal"],"from":[1,2],"to":[0,0,0]}',
         b'{"id":1,"ask":"pick","item":0,"labels":[true,true,true],"from":[1e300,0,0],"to":[0,0,0]}',
         b'{"id":1,"ask":"lines","item":0,"offset":0}', b"[" * 60000]
sent = dropped = 0
while sent < 1000:
    bad = Page()
    check("a new client", bad.is_open) if sent == 0 else None
    try:
        while sent < 1000:
            kind = random.random()
            data = random.choice(plain) if kind < 0.6 else random.randbytes(random.randrange(300))
            sent += 1
            bad.send(data, opcode=1 if kind < 0.8 else 2)
            answer = bad.receive()
            check("what is no question is no question", "error" in answer) if "error" not in answer else None
    except (ConnectionError, OSError):
        dropped += 1
    bad.s.close()
check(f"1000 malformed messages, {dropped} clients dropped", dropped > 3)
check("the good page is undisturbed", is_undisturbed())

# Frames that keep no rule of WebSockets: lengths beyond all, unknown kinds, no mask, endless parts.
for what, frame in [("a frame of 2^60 bytes", b"\x81\xff" + struct.pack(">Q", 1 << 60) + b"abcd" + b"x" * 100),
                    ("an unknown kind", b"\x8f\x81abcdx"), ("no mask", b"\x81\x05hello"),
                    ("reserved bits", b"\xf1\x81abcdx")]:
    bad = Page()
    bad.s.sendall(frame)
    bad.s.settimeout(0.3)
    try:
        bad.s.recv(4096)
    except (OSError, ConnectionError):
        pass
    bad.s.close()
    check(f"{what}: the good page is undisturbed", is_undisturbed())
bad = Page()
try:
    for i in range(40):
        bad.send(b"x" * 8000, opcode=1 if i == 0 else 0, final=False)
    bad.receive()
    check("a message without an end is dropped", False)
except (ConnectionError, OSError):
    check("a message without an end is dropped", True)

# ---- one that never reads ----



def megabytes():
    with open(f"/proc/{server}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


before = megabytes()
lazy = Page(receive=4096)
lazy.s.setblocking(False)
question = json.dumps({"id": 1, "ask": "slice", "item": 0, "axis": 2, "cell": 3}).encode()
asked = 0
try:
    for asked in range(20000):
        lazy.send(question)
except (BlockingIOError, ConnectionError, OSError):
    pass
check("the good page is undisturbed", is_undisturbed())
more = megabytes() - before
check(f"a client that never reads costs little memory: {asked} questions, {more:.0f} MB more", more < LIMIT_MB)
lazy.s.setblocking(True)
lazy.s.settimeout(40)
started = time.monotonic()
try:
    while time.monotonic() - started < 40:
        lazy.s.sendall(b"")
        time.sleep(0.5)
        with open(f"/proc/{server}/net/tcp") as table:
            mine = f":{lazy.s.getsockname()[1]:04X} "
            if not any(mine in row and row.split()[3] == "01" and f":{port:04X}" in row.split()[1] for row in table):
                break
except (ConnectionError, OSError):
    pass
check(f"it is dropped after {time.monotonic() - started:.0f} s", time.monotonic() - started < 40)
pages = [Page() for _ in range(20)]
check("there are not too many clients", 0 < sum(p.is_open for p in pages) < 16)
check("the good page is undisturbed", is_undisturbed())
