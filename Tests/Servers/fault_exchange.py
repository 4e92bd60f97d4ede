"""One request and its reply on their way through the fault proxy."""

import threading
import time
import urllib.parse

from http_stream import BLOCK, Cut, Headers, chunk, without_end

EMPTY_STATUSES = {204, 304}


class Early(Exception):
    """The server closed the connection while the body was being sent."""


class LateRequest:
    """A request that is forwarded late if its client goes away before that."""

    def __init__(self, exchange):
        self.client = exchange.client
        # What it changes.
        self.target = urllib.parse.urlsplit(exchange.headers.get("destination", exchange.path)).path
        # The number of the GET of another client that was answered meanwhile.
        self.read = None
        self.due = threading.Event()
        self.ended = threading.Event()


class Exchange:
    """One request with its reply."""

    def __init__(self, proxy, client, upstream, first, headers):
        self.proxy, self.client, self.upstream = proxy, client, upstream
        self.method, self.path, self.version = (first.split(" ") + ["", ""])[:3]
        self.headers = headers
        self.rules = proxy.rules.matching(self.method, self.path, headers)
        self.record = proxy.note(self)
        self.keep = "close" not in headers.get("connection", "").lower() and self.version == "HTTP/1.1"

    def having(self, action, stage=None):
        return [
            rule for rule in self.rules
            if rule["action"] == action and (stage is None or rule.get("stage", "request") == stage)
        ]  # fmt: skip

    def one(self, action):
        return next(iter(self.having(action)), None)

    def wait(self, rule):
        """Holds until released; ends the connection when the client gives up, and in any case after a hang."""
        while not rule["released"].wait(0.05):
            if self.client.gone():
                raise Cut()
        if rule["action"] == "hang":
            raise Cut()

    def stage(self, name):
        for rule in self.rules:
            if rule["action"] == "delay" and rule.get("stage", "reply") == name:
                time.sleep(rule["seconds"])
            if rule["action"] in ("hold", "hang") and rule.get("stage", "request") == name:
                self.wait(rule)

    def run(self):
        """Returns whether both connections can serve another request."""
        self.forward_due()
        self.outlive()
        abandoned = self.abandoned()
        self.stage("request")
        status = self.one("status")
        if status and status.get("stage", "request") == "request":
            if "expect" in self.headers:
                self.keep = False
            else:
                self.take_body(lambda block: None)
            self.answer(status)
            return self.keep
        swap = self.swap_target()
        self.send_request()
        if self.one("dropReply"):
            self.read_reply_head()
            raise Cut(self.one("dropReply").get("reset", False))
        if status:
            self.read_reply_head()
            self.answer(status)
            self.upstream.close()
            return False
        self.pass_reply(swap)
        if self.record["upstreamStatus"] == 200:
            for late in abandoned:
                late.read = self.record["number"]
        return self.keep

    # The request.

    def swap_target(self):
        """Requests another document instead; returns the fields that the requested one would have."""
        rule = self.one("swap")
        if not rule:
            return {}
        original = {}
        if rule.get("etag", "own") == "asked":
            head = Headers(
                [f"{name}:{value}" for name, value in self.headers.lines if name.lower() in ("host", "authorization")])
            self.upstream.send(head.encoded(f"HEAD {self.path} HTTP/1.1"))
            _, reply = self.read_reply_head()
            original = {name: reply.get(name.lower()) for name in ("ETag", "Last-Modified")}
        self.path = rule["with"]
        self.headers.change(dict.fromkeys(("If-Match", "If-Range", "If-None-Match", "If-Unmodified-Since")))
        return original

    def send_request(self):
        expects = "expect" in self.headers
        self.headers.change({"Expect": None})
        framing = self.headers.framing()
        try:
            self.upstream.send(self.headers.encoded(f"{self.method} {self.path} HTTP/1.1"))
            if expects:
                self.client.send(b"HTTP/1.1 100 Continue\r\n\r\n")

            def forward(block):
                try:
                    self.upstream.send(chunk(block) if framing == "chunked" else block)
                except OSError:
                    raise Early() from None

            if framing:
                self.take_body(forward)
            if framing == "chunked":
                self.upstream.send(b"0\r\n\r\n")
        except Early:
            # The server answered before it had everything: its answer is passed on, the connection is not reused.
            self.keep = False

    def take_body(self, use):
        framing = self.headers.framing() or 0
        for block in self.shaped(self.client.body(framing, self.block("request")), "request"):
            use(block)

    # The reply.

    def read_reply_head(self):
        while True:
            lines = self.upstream.head()
            if lines is None:
                raise Cut()
            status = int(lines[0].split(" ")[1])
            self.record["upstreamStatus"] = status
            if status >= 200:
                return lines[0], Headers(lines[1:])

    def answer(self, rule):
        body = rule.get("body", "").encode()
        if "bodyFile" in rule:
            with open(rule["bodyFile"], "rb") as file:
                body = file.read()
        headers = Headers([f"Content-Length: {len(body)}"])
        if "retryAfter" in rule:
            headers.change({"Retry-After": rule["retryAfter"]})
        headers.change(rule.get("headers", {}))
        if not self.keep:
            headers.change({"Connection": "close"})
        self.record["status"] = rule["status"]
        self.stage("reply")
        self.client.send(headers.encoded(f"HTTP/1.1 {rule['status']} Injected"))
        if self.method != "HEAD":
            self.client.send(body)
            self.record["responseBytes"] += len(body)

    def pass_reply(self, original):
        first, headers = self.read_reply_head()
        self.stage("reply")
        status = self.record["upstreamStatus"]
        framing = headers.framing()
        if self.method == "HEAD" or status in EMPTY_STATUSES:
            framing = 0
        elif framing is None:
            framing = "close"
            self.keep = False
        if "close" in headers.get("connection", "").lower():
            self.keep = False
        headers.change({name: value for name, value in original.items() if value})
        for rule in self.having("headers"):
            headers.change(rule["headers"])
        chunked = framing == "chunked"
        wrong = self.one("wrongLength")
        if wrong and wrong.get("chunked"):
            chunked = True
            headers.change({"Content-Length": None, "Transfer-Encoding": "chunked"})
        elif wrong:
            headers.change({"Transfer-Encoding": None, "Content-Length": (headers.framing() or 0) + wrong["delta"]})
            self.keep = False
        truncate = self.one("truncate")
        self.record["status"] = status
        self.client.send(headers.encoded(first))
        blocks = self.upstream.body(framing, self.block("response"))
        if truncate:
            blocks = without_end(blocks, truncate.get("bytes", 1))
        elif wrong and wrong.get("chunked"):
            blocks = without_end(blocks, max(0, -wrong["delta"]))
        for block in self.shaped(blocks, "response"):
            self.client.send(chunk(block) if chunked else block)
        if wrong and wrong.get("chunked") and wrong["delta"] > 0:
            self.client.send(chunk(bytes(wrong["delta"])))
        if wrong and not wrong.get("chunked") and wrong["delta"] < 0:
            # Everything was sent, more than was declared.
            pass
        if chunked:
            self.client.send(b"0\r\n\r\n")
        elif truncate:
            raise Cut(truncate.get("reset", False))

    # Both bodies.

    def block(self, direction):
        """Small blocks where a rule acts in the middle of them."""
        for rule in self.having("throttle"):
            if rule.get("stage", "response") == direction:
                return max(1, min(BLOCK, int(rule["rate"] / 20)))
        return BLOCK

    def shaped(self, blocks, direction):
        """The blocks after the rules were applied, counted."""
        count = direction + "Bytes"
        cut = self.one("cutRequest" if direction == "request" else "cutResponse")
        holds = [rule for rule in self.rules
                 if rule["action"] in ("hold", "hang") and rule.get("stage") == direction + "Body"]  # fmt: skip
        corrupt = self.one("corrupt")
        if corrupt and corrupt.get("stage", "response") != direction:
            corrupt = None
        rate = next((r["rate"] for r in self.having("throttle") if r.get("stage", "response") == direction), None)
        if cut and cut.get("after", 0) == 0:
            raise Cut(cut.get("reset", False))
        for block in blocks:
            while len(block):
                offset = self.record[count]
                limits = [rule.get("after", 0) - offset for rule in [*holds, *([cut] if cut else [])]]
                for rule in [rule for rule in holds if rule.get("after", 0) <= offset]:
                    holds.remove(rule)
                    self.wait(rule)
                piece = block[: min([len(block), *(limit for limit in limits if limit > 0)])]
                block = block[len(piece) :]
                if corrupt and offset <= corrupt["offset"] < offset + len(piece):
                    changed = bytearray(piece)
                    changed[corrupt["offset"] - offset] ^= 0xFF
                    piece = memoryview(changed)
                size = len(piece)
                yield piece
                self.record[count] += size
                if rate:
                    time.sleep(size / rate)
                if cut and self.record[count] >= cut["after"]:
                    raise Cut(cut.get("reset", False))

    # Late requests.

    def outlive(self):
        """Holds for some seconds. If the client goes away meanwhile, its request is forwarded before the first request
        after the answer to a GET of what it changes."""
        rule = self.one("late")
        if not rule:
            return
        late = LateRequest(self)
        with self.proxy.lock:
            self.proxy.late.append(late)
        try:
            end = time.monotonic() + rule["seconds"]
            while not self.client.gone():
                if time.monotonic() >= end or rule["released"].wait(0.01):
                    return
            while not late.due.wait(0.05):
                if rule["released"].is_set():
                    raise Cut()
            self.record["late"] = late.read
            self.send_request()
            self.read_reply_head()
            raise Cut()
        finally:
            with self.proxy.lock:
                self.proxy.late.remove(late)
            late.ended.set()

    def forward_due(self):
        """Forwards the late requests that are due, and waits for the server's answers."""
        with self.proxy.lock:
            due = [late for late in self.proxy.late if late.read is not None]
        for late in due:
            late.due.set()
            late.ended.wait(60)

    def abandoned(self):
        """The late requests for what this request reads, whose clients have gone."""
        if self.method != "GET":
            return []
        with self.proxy.lock:
            return [late for late in self.proxy.late if late.target == self.path and late.client.gone()]
