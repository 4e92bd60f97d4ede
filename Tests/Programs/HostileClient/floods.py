"""T4: exceeding one's share. Each attack runs until its time is over and reports its result."""

import os
import resource
import signal
import socket
import time

from wire import DOCUMENTS, SERVICE, Closed, Wire, operation, say, session, settle


def raise_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def opens(plan):
    """Opens a document 100,000 times and closes nothing, in as many processes as its own limit requires."""
    wanted, limit = plan.get("opens", 100_000), raise_limit()
    share = max(64, limit - 64)
    children, pipes = [], []
    for first in range(0, min(wanted, 200 * share), share):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.write(writer, "{} {}".format(*open_many(plan, min(share, wanted - first))).encode())
            os.close(writer)
            signal.pause()
            os._exit(0)
        os.close(writer)
        children.append(child)
        pipes.append(reader)
    held, told = 0, set()
    for reader in pipes:
        count, _, came = os.read(reader, 100).decode().partition(" ")
        os.close(reader)
        held += int(count or 0)
        told.add(came)
    say("open and never close", f"{wanted} times", " ".join(sorted(told)), held=held, processes=len(children), limit=limit)
    return children


def open_many(plan, wanted):
    """Opens that often; returns the number of held descriptors, and the reason why there are no more."""
    wire = None
    try:
        wire = session()
        text = Wire.message(DOCUMENTS + "Open", reference=plan["references"]["contained"])
        asked = 0
        while asked < wanted:
            # Concurrently: the number of held ones matters, not each round trip.
            batch = min(4, wanted - asked)
            wire.send(text * batch)
            asked += batch
            errors = [reply["error"] for reply in (wire.receive() for _ in range(batch)) if "error" in reply]
            if errors or len(wire.descriptors) < asked:
                return len(wire.descriptors), errors[0].rpartition(".")[2] if errors else "its own limit"
    except (Closed, OSError, RuntimeError) as error:
        return len(wire.descriptors) if wire else 0, type(error).__name__
    OPENED.append(wire)
    return asked, "enough"


# Held until the process ends.
OPENED = []


def in_flight(plan):
    """Descriptors in unread sockets.

    The kernel counts them per user, over all programs, and refuses another one to a program whose limit of open files is
    lower, above all to a provider. Each connection requests `depth` opens; the daemon has to bound the unread ones.
    """
    raise_limit()
    one = session()
    text = Wire.message(DOCUMENTS + "Open", reference=plan["references"]["contained"], lease=True) * plan.get("depth", 200)
    one.drop()
    wires = []
    ended = "all"
    try:
        for _ in range(plan.get("connections", 400)):
            wire = Wire(timeout=5)
            wire.socket.setblocking(False)
            try:
                wire.socket.send(text)
            except BlockingIOError:
                pass
            wires.append(wire)
    except (OSError, Closed) as error:
        ended = type(error).__name__
    time.sleep(plan.get("seconds", 3))
    alive = sum(1 for wire in wires if is_open(wire))
    say("descriptors in flight", f"{len(wires)} connections", ended, open=alive)
    return wires


def is_open(wire):
    """Whether the daemon still has the other end open. Reads one byte."""
    try:
        wire.socket.setblocking(False)
        return wire.socket.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def connections(plan):
    """10,000 connections that send nothing."""
    wanted, limit = plan.get("connections", 10_000), raise_limit()
    made, failed, wires, children = 0, {}, [], []
    while made < wanted:
        try:
            wires.append(Wire(timeout=5))
            made += 1
        except OSError as error:
            failed[type(error).__name__] = failed.get(type(error).__name__, 0) + 1
            time.sleep(0.01)
            if sum(failed.values()) > 200:
                break
        if len(wires) > limit - 64:
            # Its own descriptors are used up: a child keeps these, and it continues.
            child = os.fork()
            if child == 0:
                signal.pause()
                os._exit(0)
            children.append(child)
            for wire in wires:
                wire.socket.close()
            wires = []
    time.sleep(0.5)
    alive = sum(1 for wire in wires if is_open(wire))
    say("connections", f"{wanted}", "made" if made >= wanted else "refused", made=made, failed=failed, open=alive, kept=len(wires))
    return children, wires


def crowd(plan):
    """Connections of many processes, each with as many as one may have; all of the same client."""
    raise_limit()
    children, made = [], 0
    for _ in range(plan.get("processes", 40)):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            wires = []
            try:
                for _ in range(64):
                    wire = Wire(timeout=5)
                    wire.call(SERVICE + "GetInfo")
                    wires.append(wire)
            except (OSError, Closed, RuntimeError):
                pass
            os.write(writer, b"%d" % len(wires))
            os.close(writer)
            signal.pause()
            os._exit(0)
        os.close(writer)
        children.append(child)
        made += int(os.read(reader, 20) or 0)
        os.close(reader)
    say("connections of many processes", f"{len(children)} processes", "made", made=made)
    return children


def halves(plan):
    """Messages that are begun and never finished; and some that arrive byte by byte."""
    wires = []
    for number in range(40):
        wire = Wire(timeout=60)
        try:
            wire.send(b'{"method":"org.docent.Documents.Info","parameters":{"x":"' + b"a" * (number * 20_000))
        except Closed:
            continue
        wires.append(wire)
    deadline = time.monotonic() + plan.get("patience", 60)
    while time.monotonic() < deadline and any(is_open(wire) for wire in wires):
        for wire in wires[::4]:
            try:
                wire.send(b"a")
            except (Closed, OSError):
                pass
        time.sleep(1)
    say("half messages", f"{len(wires)}", "still open" if any(is_open(wire) for wire in wires) else "closed")


def messages(plan):
    """As many calls as possible, of the most expensive kind, without reading an answer."""
    text = Wire.message(DOCUMENTS + "List", reference=plan["references"]["folder"]) * 500
    wires, sent = [], 0
    end = time.monotonic() + plan.get("seconds", 5)
    while time.monotonic() < end:
        if len(wires) < 60:
            try:
                wire = Wire(timeout=5)
                wire.socket.setblocking(False)
                wires.append(wire)
            except OSError:
                pass
        for wire in list(wires):
            try:
                sent += wire.socket.send(text)
            except BlockingIOError:
                pass
            except OSError:
                wires.remove(wire)
        time.sleep(0.005)
    say("message flood", f"{plan.get('seconds', 5)} s", "sent", bytes=sent, connections=len(wires))


def claims(plan):
    """Claims that are never released, for reading, and presenters that never answer, until they are refused."""
    told, wires = {}, []
    for number in range(plan.get("claims", 1_200)):
        try:
            wire = Wire(timeout=20)
            flags = {"more": True}
            place = {"reference": plan["references"]["write"]}
            if number % 2:
                reply = wire.reply(DOCUMENTS + "Coordinate", flags=flags, operation=operation(),
                                   accesses=[{"place": place, "writing": False}])
            else:
                reply = wire.reply(DOCUMENTS + "Present", flags=flags, place=place, presenter=operation())
            came = reply["error"].rpartition(".")[2] if "error" in reply else "worked"
        except Closed:
            came = "closed"
        except OSError as error:
            came = type(error).__name__
        told[came] = told.get(came, 0) + 1
        if came == "worked":
            wires.append(wire)
        elif told.get(came, 0) > 20:
            break
    say("claims never released", f"{sum(told.values())}", " ".join(sorted(told)), counts=told)
    return wires


def unread(plan):
    """Presents a folder and stops reading the notifications, while the folder changes."""
    wires = []
    for _ in range(30):
        wire = Wire(timeout=20)
        wire.send(Wire.message(DOCUMENTS + "Present", {"more": True}, place={"reference": plan["references"]["folder"]},
                               presenter=operation()))
        wire.receive()
        wires.append(wire)
    writer = session()
    worked = 0
    for number in range(plan.get("changes", 200)):
        mine = operation()
        if writer.came(DOCUMENTS + "BeginWrite", reference=plan["references"]["write"], replacing=True, operation=mine) != "worked":
            break
        os.write(writer.descriptors.pop(), b"change %d" % number)
        if writer.came(DOCUMENTS + "CommitWrite", operation=mine) == "worked":
            worked += 1
    say("stream that nobody reads", f"{len(wires)} streams", "changed", changes=worked)
    writer.drop()
    return wires


def storm(plan, number):
    """One process of many: takes as much of one resource as it gets, releases some, and takes more, until it is killed."""
    references = plan["references"]

    def half(wire):
        wire.send(b'{"method":"org.docent.Documents.Info","parameters":{"x":"' + b"a" * 150_000)

    def fragments(wire):
        wire.send(b'{"method":"', [0] * 8)

    def claim(wire):
        wire.send(Wire.message(DOCUMENTS + "Coordinate", {"more": True}, operation=operation(),
                               accesses=[{"place": {"reference": references["write"]}, "writing": True}]))

    def pick(wire):
        wire.send(Wire.message(DOCUMENTS + "RequestPick", {"more": True}, mode="open", operation=operation(), reason="flood"))

    def opens(wire):
        wire.send(Wire.message(DOCUMENTS + "Open", reference=references["contained"]) * 4)

    def stage(wire):
        if wire.came(DOCUMENTS + "BeginWrite", reference=references["write"], replacing=True, operation=operation()) == "worked":
            os.write(wire.descriptors[-1], b"s" * (1 << 16))

    def silent(wire):
        """Sends nothing: even a refused connection may stay open until its first request."""
        wire.socket.setblocking(False)

    keeps = number % 2 == 1
    act = silent if keeps else (half, fragments, claim, pick, opens, stage)[number // 2 % 6]
    held = []
    while True:
        if keeps and len(held) >= 60:
            for gone in [wire for wire in held if has_heard(wire)]:
                held.remove(gone)
                gone.drop()
            time.sleep(0.1)
            continue
        wire = None
        try:
            wire = Wire(timeout=2)
            act(wire)
            held.append(wire)
        except (OSError, Closed, RuntimeError, ValueError):
            if wire:
                wire.drop()
        if len(held) > 24 and not keeps:
            for old in held[:12]:
                old.drop()
            held = held[12:]
        time.sleep(0.005 if keeps else 0.03)


def has_heard(wire):
    """Whether a silent connection was closed, or got the reason for its closing."""
    try:
        wire.socket.recv(4096)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def everything(plan):
    """Every flood at once, of one client in many processes."""
    raise_limit()
    children = []
    for number in range(plan.get("processes", 60)):
        child = os.fork()
        if child == 0:
            try:
                storm(plan, number)
            finally:
                os._exit(1)
        children.append(child)

    def is_refused():
        try:
            wire = Wire(timeout=5)
            came = wire.came(SERVICE + "GetInfo")
            wire.drop()
            return came != "worked"
        except OSError:
            return True

    say("every flood at once", f"{len(children)} processes", "refused in the end" if settle(is_refused, 120) else "never refused")
    return children


ATTACKS = {"everything": everything, "opens": opens, "in-flight": in_flight, "connections": connections, "crowd": crowd,
           "halves": halves, "messages": messages,
           "claims": claims, "unread": unread}


def run(plan):
    held = ATTACKS[plan["flood"]](plan)
    # The resources are held until the test outside ends the time.
    if plan.get("shared"):
        with open(plan["shared"] + "/holding", "w"):
            pass
        settle(lambda: os.path.exists(plan["shared"] + "/over"), 300)
    children = held if isinstance(held, list) else (held or ([], []))[0]
    for child in children:
        if isinstance(child, int):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
