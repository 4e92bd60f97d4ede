"""HTTP/1.1 as bytes on a socket: heads, bodies and their framing."""

import contextlib
import select
import socket
import struct

BLOCK = 512 * 1024


class Cut(Exception):
    """Ends the connection; `reset` says whether with RST rather than FIN."""

    def __init__(self, reset=False):
        self.reset = reset


class Stream:
    """A socket with the bytes read too early."""

    def __init__(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = connection
        self.early = b""
        self.buffer = memoryview(bytearray(BLOCK))

    def head(self):
        """The lines up to the empty one, None at the end of the connection."""
        while b"\r\n\r\n" not in self.early:
            more = self.socket.recv(65536)
            if not more or len(self.early) > 1 << 20:
                return None
            self.early += more
        head, self.early = self.early.split(b"\r\n\r\n", 1)
        return head.decode("latin-1").split("\r\n")

    def line(self):
        while b"\r\n" not in self.early:
            more = self.socket.recv(65536)
            if not more:
                raise Cut()
            self.early += more
        line, self.early = self.early.split(b"\r\n", 1)
        return line

    def some(self, most):
        """At least one byte, unless the connection ended; valid until the next call."""
        if self.early:
            block, self.early = self.early[:most], self.early[most:]
            return memoryview(block)
        return self.buffer[: self.socket.recv_into(self.buffer[: min(most, BLOCK)])]

    def body(self, framing, block=BLOCK):
        """The content in blocks, without the marks of chunks. Cut when it ends too early."""
        if framing == "chunked":
            while size := int(self.line().split(b";")[0], 16):
                yield from self.body(size, block)
                self.line()
            while self.line():
                pass
        elif framing == "close":
            while len(piece := self.some(block)):
                yield piece
        else:
            left = framing
            while left:
                piece = self.some(min(left, block))
                if not len(piece):
                    raise Cut()
                left -= len(piece)
                yield piece

    def send(self, data):
        self.socket.sendall(data)

    def close(self, reset=False):
        with contextlib.suppress(OSError):
            if reset:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def gone(self):
        """Whether the peer has closed."""
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP | select.POLLHUP | select.POLLERR)
        return bool(poll.poll(0))


class Headers(dict):
    """By lower-case name; repeated fields are kept in `lines` only."""

    def __init__(self, lines):
        self.lines = [tuple(line.partition(":")[::2]) for line in lines]
        super().__init__((name.lower(), value.strip()) for name, value in self.lines)

    def change(self, changes):
        """Sets fields, or removes those whose value is None."""
        lower = {name.lower() for name in changes}
        self.lines = [(name, value) for name, value in self.lines if name.lower() not in lower]
        self.lines += [(name, " " + str(value)) for name, value in changes.items() if value is not None]
        for name, value in changes.items():
            if value is None:
                self.pop(name.lower(), None)
            else:
                self[name.lower()] = str(value)

    def encoded(self, first):
        return "\r\n".join([first, *(f"{name}:{value}" for name, value in self.lines), "", ""]).encode("latin-1")

    def framing(self):
        if "chunked" in self.get("transfer-encoding", "").lower():
            return "chunked"
        return int(self["content-length"]) if "content-length" in self else None


def chunk(block):
    return b"%x\r\n%b\r\n" % (len(block), block)


def without_end(blocks, length):
    """All but the last bytes."""
    kept = b""
    for block in blocks:
        kept += block
        if len(kept) > length:
            yield memoryview(kept[: len(kept) - length])
            kept = kept[len(kept) - length :]
