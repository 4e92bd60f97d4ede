"""G2 to G6: foreign, incomplete and expired bookmarks."""

import base64
import random

from wire import DOCUMENTS, say, session


def variants(token, seed):
    """The same token with one change."""
    generator = random.Random(seed)
    prefix, text = token[:3], token[3:]
    for count in (1, 2, 3, 4, 5, 8, len(text) // 2, len(text) - 1, len(text)):
        yield "truncated", prefix + text[:-count]
    yield "longer", token + "A"
    yield "longer", token + "="
    yield "twice", token + token
    yield "another version", "b1-" + text
    yield "another version", "b3-" + text
    yield "no version", text
    yield "spaces", " " + token
    yield "line", token + "\n"
    yield "NUL", token + "\0"
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for _ in range(64):
        position = generator.randrange(len(text))
        other = generator.choice([c for c in alphabet if c != text[position]])
        yield "one character", prefix + text[:position] + other + text[position + 1:]
    data = bytearray(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    for bit in sorted(generator.sample(range(len(data) * 8), 128)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        yield "one bit", prefix + base64.urlsafe_b64encode(bytes(flipped)).decode().rstrip("=")
    for size in (0, 1, 12, 28, 48, 100, 1000, 500_000):
        yield "made up", prefix + base64.urlsafe_b64encode(generator.randbytes(size)).decode().rstrip("=")
    swapped = bytearray(data)
    swapped[:12], swapped[-12:] = swapped[-12:], swapped[:12]
    yield "ends exchanged", prefix + base64.urlsafe_b64encode(bytes(swapped)).decode().rstrip("=")


def answers(wire, token):
    return {method: wire.came(DOCUMENTS + method, bookmark=token) for method in ("ResolveBookmark", "BookmarkValues")}


def run(plan):
    wire = session()
    own = wire.call(DOCUMENTS + "CreateBookmark", reference=plan["references"]["write"])["bookmark"]
    say("control: its own", "ResolveBookmark", wire.came(DOCUMENTS + "ResolveBookmark", bookmark=own))
    again = wire.call(DOCUMENTS + "CreateBookmark", reference=plan["references"]["write"])["bookmark"]
    say("two of the same document", "CreateBookmark", "same" if own == again else "different")
    for name in (plan["paths"]["secret"], plan["references"]["secret"]["identifier"], plan["references"]["write"]["identifier"]):
        data = base64.urlsafe_b64decode(own[3:] + "=" * (-len(own[3:]) % 4))
        say("readable in a bookmark", name, "read" if name.encode() in data or name in own else "sealed")
    told = {}
    for attack, token in variants(own, plan.get("seed", 5)):
        for method, came in answers(wire, token).items():
            told.setdefault((attack, method, came), 0)
            told[(attack, method, came)] += 1
    for (attack, method, came), count in told.items():
        say(f"bookmark {attack}", f"{method} {count} times", came)
    for name, token in plan["bookmarks"].items():
        for method, came in answers(wire, token).items():
            say(f"bookmark {name}", method, came)
    say("make one without right", "CreateBookmark",
        wire.came(DOCUMENTS + "CreateBookmark", reference=plan["references"]["secret"]))
    say("control: its own afterwards", "ResolveBookmark", wire.came(DOCUMENTS + "ResolveBookmark", bookmark=own))
    wire.drop()
