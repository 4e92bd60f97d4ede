#!/usr/bin/env python3
"""An honest client in its sandbox, which executes the orders in files of its home, one after another.

ask-N is a JSON object: `do`, and its parameters. answer-N has the result in one word, and the text that was read.
"""

import json
import os
import time

from wire import DOCUMENTS, Closed, operation, session, settle

HOME = os.environ["HOME"]
WRITES = {}


def connected():
    """A session; a killed daemon is available again after a while."""
    made = []

    def attempt():
        try:
            made.append(session())
        except (OSError, Closed):
            return False
        return True

    settle(attempt)
    return made[0]


def word(reply):
    return reply["error"].rpartition(".")[2] if "error" in reply else "worked"


def read(wire, order):
    reply = wire.reply(DOCUMENTS + "Open", reference=order["reference"])
    if "error" in reply:
        return {"came": word(reply)}
    return {"came": "worked", "text": os.pread(wire.descriptors[-1], 1 << 16, 0).decode()}


def names(wire, order):
    reply = wire.reply(DOCUMENTS + "List", reference=order["reference"])
    return {"came": word(reply), "text": " ".join(sorted(i["name"] for i in reply.get("parameters", {}).get("items", [])))}


def begin(wire, order):
    mine = operation()
    reply = wire.reply(DOCUMENTS + "BeginWrite", reference=order["reference"], replacing=True, operation=mine)
    if "error" not in reply:
        os.write(wire.descriptors[-1], order["text"].encode())
        WRITES["begun"] = (wire, mine)
    return {"came": word(reply)}


def commit(_, order):
    wire, mine = WRITES.pop("begun")
    return {"came": word(wire.reply(DOCUMENTS + "CommitWrite", operation=mine))}


def take(wire, order):
    return {"came": word(wire.reply(DOCUMENTS + "TakeAccess", reference=order["reference"]))}


def pick(wire, order):
    """Asks the user; repeatedly while no user can be asked."""
    more = {name: order[name] for name in ("access", "types", "companions") if order.get(name) is not None}
    deadline = time.monotonic() + 60
    while True:
        reply = wire.reply(DOCUMENTS + "RequestPick", flags={"more": True}, mode="open", operation=operation(), **more)
        nobody = "could ask the user" in str(reply.get("parameters", {}).get("message"))
        if not nobody or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    while reply.get("continues"):
        reply = wire.receive()
    told = reply.get("parameters", {})
    return {"came": word(reply), "text": told.get("access"), "reference": (told.get("item") or {}).get("reference")}


DO = {"read": read, "names": names, "begin": begin, "commit": commit, "take": take, "pick": pick}


def main():
    number = 0
    while True:
        path = f"{HOME}/ask-{number}"
        while not os.path.exists(path):
            time.sleep(0.02)
        with open(path, encoding="utf-8") as file:
            order = json.load(file)
        if order["do"] == "end":
            return
        try:
            answer = DO[order["do"]](connected(), order)
        except Exception as error:
            answer = {"came": f"{type(error).__name__}: {error}"}
        with open(f"{HOME}/answering", "w", encoding="utf-8") as file:
            json.dump(answer, file)
        os.rename(f"{HOME}/answering", f"{HOME}/answer-{number}")
        number += 1


main()
