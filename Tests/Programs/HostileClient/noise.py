"""T1, T4: random bytes, at every interface."""

import json
import random
import socket

from surface import methods
from wire import ADMINISTRATION, DOCUMENTS, PICKER, SERVICE, Closed, Wire, say, session

MEGABYTE = 1_000_000


def push(data, chunk=1 << 14):
    """Sends on new connections until everything is accepted; returns the numbers of connections and answers."""
    connections = answers = sent = 0
    while sent < len(data):
        wire = Wire(timeout=60)
        connections += 1
        try:
            while sent < len(data):
                sent += wire.socket.send(data[sent:sent + chunk])
                wire.socket.setblocking(False)
                try:
                    answers += wire.socket.recv(1 << 16).count(b"\0")
                except BlockingIOError:
                    pass
                wire.socket.settimeout(60)
        except (BrokenPipeError, ConnectionResetError):
            sent += 1
        wire.drop()
    return connections, answers


def value(generator, depth=0):
    """A value of any type, mostly wrong."""
    choice = generator.randrange(12 if depth < 3 else 8)
    if choice == 0:
        return None
    if choice == 1:
        return generator.choice([True, False])
    if choice == 2:
        return generator.choice([0, -1, 1 << 31, 1 << 53, 1 << 63, -(1 << 63), 1 << 64, generator.getrandbits(40)])
    if choice == 3:
        return generator.choice([0.5, -0.0, 1e308, 1e-308, 123456789.25])
    if choice < 8:
        text = generator.choice(["", "..", "/", "\0", "LocalFolder", "org.docent.LocalFolder", "read", "readWrite", ".root"])
        return text + "".join(chr(generator.randrange(0x20, 0xd000)) for _ in range(generator.choice([0, 0, 1, 8, 300])))
    if choice < 10:
        return [value(generator, depth + 1) for _ in range(generator.randrange(4))]
    return {generator.choice(["provider", "domain", "identifier", "path", "place", "reference", "name", "writing", "x"]):
            value(generator, depth + 1) for _ in range(generator.randrange(5))}


def run(plan):
    seed = plan.get("seed", 5)
    generator = random.Random(seed)
    connections, _ = push(generator.randbytes(MEGABYTE))
    say("random bytes", f"{MEGABYTE}, seed {seed}", "taken", connections=connections)
    ended = b"".join(generator.randbytes(generator.choice([1, 7, 30, 900])).replace(b"\0", b"x") + b"\0" for _ in range(4000))
    connections, _ = push(ended[:MEGABYTE])
    say("random messages", f"{MEGABYTE}, seed {seed}", "taken", connections=connections)
    for interface in (DOCUMENTS, PICKER, ADMINISTRATION, SERVICE):
        known = list(methods(interface)) if interface != SERVICE else [("GetInfo", []), ("GetInterfaceDescription", [("interface", "string")])]
        sent, told = 0, {}
        wire = Wire(timeout=90)
        while sent < MEGABYTE:
            name, parameters = generator.choice(known)
            if name in ("Delete", "Move", "NarrowAccess"):
                # It may; and then the rest would concern a removed document or right.
                continue
            values = {n: value(generator) for n, _ in parameters if generator.random() < 0.8}
            for n, kind in parameters:
                # Half of the time a valid value of the type, so that the noise gets deeper.
                if generator.random() < 0.5:
                    values[n] = {"string": "x", "?string": "x", "bool": True, "?bool": False, "int": 3, "?int": 0,
                                 "ItemReference": plan["references"]["write"]}.get(kind.strip(), value(generator))
            try:
                text = json.dumps({"method": interface + name, "parameters": values}).encode() + b"\0"
            except ValueError:
                continue
            sent += len(text)
            try:
                wire.send(text)
                reply = wire.receive()
                came = reply["error"].rpartition(".")[2] if "error" in reply else "worked"
            except Closed:
                came = "closed"
            except socket.timeout:
                came = "no answer"
            told[came] = told.get(came, 0) + 1
            if came in ("Failed", "no answer"):
                say(f"no clear answer of {interface}{name}", values, reply.get("parameters", {}).get("message", came))
            if came in ("closed", "no answer") or wire.descriptors:
                wire.drop()
                wire = Wire(timeout=90)
        wire.drop()
        say(f"random calls of {interface.rstrip('.')}", f"{sent} bytes, seed {seed}", " ".join(sorted(told)), counts=told)
    whole = b"".join(Wire.message(DOCUMENTS + "Info", reference=plan["references"]["write"]) for _ in range(3000))
    flipped = bytearray(whole[:MEGABYTE])
    for _ in range(len(flipped) // 40):
        position = generator.randrange(len(flipped))
        flipped[position] ^= 1 << generator.randrange(8)
    connections, answers = push(bytes(flipped))
    say("flipped bits in good messages", f"{len(flipped)} bytes, seed {seed}", "taken", connections=connections)
    wire = session()
    say("control: a good message", "Info", wire.came(DOCUMENTS + "Info", reference=plan["references"]["write"]))
    wire.drop()
