"""A minimal client of the daemon that follows no rule it can break, and the report of the results."""

import errno
import json
import os
import socket
import sys
import time

DOCUMENTS = "org.docent.Documents."
PICKER = "org.docent.Picker."
ADMINISTRATION = "org.docent.Administration."
SERVICE = "org.varlink.service."


def operation():
    return os.urandom(8).hex()


class Closed(Exception):
    """The daemon closed the connection."""


class Wire:
    """One connection. Received descriptors are in `descriptors`, in their order."""

    def __init__(self, path=None, timeout=90):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(path or os.environ["DOCENT_SOCKET"])
        self.data, self.descriptors = b"", []

    @staticmethod
    def message(method, flags=None, **parameters):
        return json.dumps({"method": method, "parameters": parameters, **(flags or {})}).encode() + b"\0"

    def send(self, data, descriptors=()):
        try:
            if descriptors:
                data = data[socket.send_fds(self.socket, [data], list(descriptors)):]
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise Closed() from None

    def receive(self):
        while b"\0" not in self.data:
            try:
                part, descriptors, _, _ = socket.recv_fds(self.socket, 1 << 16, 64)
            except ConnectionResetError:
                raise Closed() from None
            self.descriptors += descriptors
            if not part:
                raise Closed()
            self.data += part
        text, _, self.data = self.data.partition(b"\0")
        return json.loads(text)

    def reply(self, method, descriptors=(), flags=None, **parameters):
        self.send(self.message(method, flags, **parameters), descriptors)
        return self.receive()

    def call(self, method, descriptors=(), **parameters):
        """The reply's parameters; an error ends the program, because the preparation of the attack failed."""
        reply = self.reply(method, descriptors, **parameters)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply}")
        return reply.get("parameters", {})

    def came(self, method, descriptors=(), **parameters):
        """The result of a call in one word: worked, closed, or the error without its interface."""
        try:
            reply = self.reply(method, descriptors, **parameters)
        except Closed:
            return "closed"
        except socket.timeout:
            return "no answer"
        return reply["error"].rpartition(".")[2] if "error" in reply else "worked"

    def drop(self):
        """Closes the connection and all descriptors received over it."""
        self.socket.close()
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []


def session(client="org.example.stated", **more):
    """A connection with its own session. A confined client may state any identifier."""
    wire = Wire(**more)
    try:
        opened = wire.call(DOCUMENTS + "OpenSession", client=client)
    except Exception:
        wire.drop()
        raise
    wire.token, wire.principal = opened["token"], opened["principal"]
    return wire


def session_after_others(seconds=120):
    """The same, even while the daemon still counts recently closed connections."""
    made, refusals = [], []

    def attempted():
        try:
            made.append(session())
        except (Closed, RuntimeError) as refusal:
            refusals.append(refusal)
        return made

    if not settle(attempted, seconds):
        raise refusals[-1]
    return made[0]


def fresh_call(method, **parameters):
    """One call on its own connection."""
    wire = Wire()
    try:
        return wire.came(method, **parameters)
    finally:
        wire.drop()


def attempt(act):
    """The result of a system call: worked, or the name of the error."""
    try:
        act()
        return "worked"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    except ValueError as error:
        # Python's own refusal, for example of a NUL in a path: nothing was tried.
        return f"not tried: {error}"


def say(attack, tried, came, **more):
    """One line of the report."""
    print(json.dumps({"attack": attack, "tried": tried, "came": came, **more}), flush=True)


def settle(condition, seconds=60):
    """Waits for a condition; returns whether it became true."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def note(text):
    print(text, file=sys.stderr, flush=True)
