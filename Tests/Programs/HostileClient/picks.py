"""I1: requests to the user, made to mislead the user, to exhaust the daemon, or to be answered by the asker."""

import os
import struct
import zlib

from foreign import hole, kinds
from wire import ADMINISTRATION, DOCUMENTS, Closed, Wire, attempt, operation, say, session, session_after_others, settle

# Characters that move the cursor, hide or reverse adjacent text, or begin a new line.
NASTY = "\x1b[2J\x1b[1;1H\x1b]0;title\x07docent: granted\r\n\t\x00\x7f\x9b31m\u202etxt.exe\u2066\u200b\ufeff\U000e0041\u2028x" + "\u0301" * 3000
WORDS = "NASTYWORDS " + NASTY


def ask(wire, mode="open", descriptors=(), **more):
    """Asks and does not wait for the user: returns "asked", or the error."""
    more.setdefault("operation", operation())
    try:
        reply = wire.reply(DOCUMENTS + "RequestPick", descriptors, {"more": True}, mode=mode, **more)
    except Closed:
        return "closed"
    return reply["error"].rpartition(".")[2] if "error" in reply else reply["parameters"]["state"]


def alone(mode="open", descriptors=(), **more):
    """Asks on a connection that is closed at once, with the request."""
    wire = session_after_others()
    came = ask_until_free(wire, mode, descriptors, **more)
    wire.drop()
    return came


def ask_until_free(wire, mode, descriptors=(), **more):
    """Asks, repeatedly while requests of recently closed connections have not been cancelled yet."""
    came = []

    def asked():
        came.append(ask(wire, mode, descriptors, **more))
        return came[-1] != "Unavailable"

    settle(asked)
    return came[-1]


def probe():
    wire = session_after_others()
    try:
        return ask(wire)
    finally:
        wire.drop()


def plain(plan):
    path = plan["scratch"] + "/plain"
    with open(path, "wb") as file:
        file.write(b"plain")
    return os.open(path, os.O_RDONLY)


def picture(plan, size=None):
    """The smallest possible picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    path = plan["scratch"] + "/picture.png"
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))
        if size:
            file.truncate(size)
    return os.open(path, os.O_RDONLY)


def run(plan):
    settle(lambda: probe() == "asked")
    say("control: somebody is there to ask", "open", alone())
    sources(plan)
    for name, parameters in [
        ("mode", {"mode": "administration"}), ("mode", {"mode": ""}), ("mode", {"mode": NASTY}),
        ("access", {"access": "admin"}), ("access", {"access": ""}), ("access", {"access": "readWrite "}),
        ("types", {"types": ["public.text"] * 33}), ("types", {"types": ["x" * 129]}), ("types", {"types": [NASTY]}),
        ("types", {"types": [""]}), ("types", {"types": ["../.."]}), ("companions", {"companions": ["*"]}),
        ("companions", {"companions": ["../*"]}), ("companions", {"companions": ["a*"] * 9}), ("companions", {"companions": ["/etc/*"]}),
        ("companions", {"companions": ["x" * 129]}), ("companions", {"companions": [""]}), ("operation", {"operation": ""}),
        ("operation", {"operation": "x" * 100_000}), ("source", {"source": 0}),
    ]:
        say("source index of none" if name == "source" else f"request with {name}", str(parameters)[:60], alone(**{"mode": "open", **parameters}))
    thumbnails(plan)
    flood(plan)
    words(plan)


def sources(plan):
    """Sources of every wrong kind, and numbers of missing descriptors."""
    for mode in ("export", "move"):
        say(f"control: {mode} a regular file", mode, alone(mode, [plain(plan)], source=0, name="new.txt"))
        wire = session()
        for name, descriptor in list(kinds(plan, wire)):
            came = alone(mode, [descriptor], source=0, name="new.txt") if descriptor >= 0 else "not made"
            say(f"source: {name}", mode, came)
        wire.drop()
        for name, count, source in [("beyond", 1, 1), ("below", 1, -1), ("enormous", 1, 1 << 62), ("of none", 0, 0)]:
            say(f"source index {name}", mode, alone(mode, [plain(plan) for _ in range(count)], source=source, name="new.txt"))
        say("request without source", mode, alone(mode, name="new.txt"))
        for name in ("", "x" * 256, "report\x1b[2J.pdf", "report\u202etxt.exe", "report.pdf\r\nx"):
            say("request with name", mode, alone(mode, [plain(plan)], source=0, name=name))
    made = attempt(lambda: os.close(hole(plan, 8 << 40)))
    say("source hole of 8 TiB", made, alone("export", [hole(plan, 8 << 40)], source=0, name="new.txt") if made == "worked" else "not made")


def thumbnails(plan):
    """Invalid thumbnails, and attributes outside the user namespace."""
    def stage(descriptors, number=None, **more):
        wire = session()
        mine = number or operation()
        if number is None:
            wire.call(DOCUMENTS + "BeginWrite", reference=plan["references"]["write"], replacing=True, operation=mine)
        came = wire.came(DOCUMENTS + "StageAttributes", descriptors, operation=mine, **more)
        wire.drop()
        return came

    say("control: a picture", "StageAttributes", stage([picture(plan)], thumbnail=0))
    wire = session()
    for name, descriptor in list(kinds(plan, wire)):
        say(f"thumbnail: {name}", "StageAttributes", stage([descriptor], thumbnail=0) if descriptor >= 0 else "not made")
    wire.drop()
    say("thumbnail: no picture", "StageAttributes", stage([plain(plan)], thumbnail=0))
    say("thumbnail: of a megabyte and a byte", "StageAttributes", stage([picture(plan, (1 << 20) + 1)], thumbnail=0))
    for index in (1, -1, 1 << 62):
        say("thumbnail index", index, stage([picture(plan)], thumbnail=index))
    for attributes in ({"security.capability": "AAAA"}, {"trusted.x": "AAAA"}, {"system.posix_acl_access": "AAAA"}, {"user.": "AAAA"},
                       {"user.a\0b": "AAAA"}, {"user.x": "no base 64!"}, {"user." + "x" * 300: "AAAA"}, {"user.x": "A" * 400_000},
                       {f"user.{n}": "AAAA" for n in range(65)}):
        say("attributes", str(attributes)[:60], stage([], attributes=attributes))
    for number in plan["operations"].values():
        say("another's operation: attributes", number, stage([], number, attributes={"user.planted": "AAAA"}))


def flood(plan):
    """More requests than may wait."""
    wires, told = [], {}
    for _ in range(60):
        wire = session_after_others()
        came = ask(wire, reason="flood")
        told[came] = told.get(came, 0) + 1
        wires.append(wire)
    # Over one connection, without reading an answer.
    wire = session_after_others()
    wire.send(b"".join(Wire.message(DOCUMENTS + "RequestPick", {"more": True}, mode="open", operation=operation(), reason="flood")
                       for _ in range(300)))
    wires.append(wire)
    say("requests at a time", "60", " ".join(sorted(told)), asked=told.get("asked", 0))
    say("asked at a time", "60", str(told.get("asked", 0)))
    for wire in wires:
        wire.drop()
    say("after the flood", "open", "asked" if settle(lambda: probe() == "asked") else "never asked again")


def words(plan):
    """Requests with misleading texts that stay while the test outside reads them; then attempts to answer them."""
    wires = [session_after_others() for _ in range(4)]
    said = [("open", {}), ("export", {"source": 0, "name": "x/../../planted.txt"}),
            ("export", {"source": 0, "name": "../planted.txt"}), ("open", {"access": "read", "types": ["public.item"]})]

    def all_asked():
        came = []
        for wire, (mode, more) in zip(wires, said):
            descriptors = [plain(plan)] if "source" in more else []
            came.append(ask_until_free(wire, mode, descriptors, reason=WORDS, **more))
        return came

    came = all_asked()
    say("control: requests with terrible words", "4", " ".join(sorted(set(came))))
    with open(plan["shared"] + "/holding", "w", encoding="utf-8"):
        pass
    settle(lambda: os.path.exists(plan["shared"] + "/requests"), 300)
    with open(plan["shared"] + "/requests", encoding="utf-8") as file:
        identifiers = file.read().split()
    location = {"provider": "LocalFolder", "domain": "", "path": "/secret.txt"}
    for identifier in identifiers:
        for parameters in ({"location": location, "access": "readWrite", "persist": True}, {}):
            other = session()
            say("answer its own request", identifier, other.came(ADMINISTRATION + "AnswerPick", identifier=identifier, **parameters))
            other.drop()
    other = session()
    say("listen to requests", "PickRequests", other.came(ADMINISTRATION + "PickRequests"))
    other.drop()
    with open(plan["shared"] + "/tried", "w", encoding="utf-8"):
        pass
    # The user's answer to the last one grants more than was requested.
    answer = wires[-1].receive().get("parameters", {})
    say("asked to read, answered to edit", "open", str(answer.get("access")))
    say("then it writes", "BeginWrite", wires[-1].came(
        DOCUMENTS + "BeginWrite", reference=answer["item"]["reference"], replacing=True, operation=operation()))
    say("then it keeps the right to edit", "NarrowAccess", wires[-1].came(
        DOCUMENTS + "NarrowAccess", reference=answer["item"]["reference"], access="readWrite"))
    settle(lambda: os.path.exists(plan["shared"] + "/over"), 300)
    for wire in wires:
        wire.drop()
