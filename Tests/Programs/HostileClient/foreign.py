"""F1 to F3: descriptors of every wrong kind, and packages with paths out of themselves."""

import ctypes
import os
import select
import socket
import threading
import time

from wire import DOCUMENTS, Closed, attempt, operation, say, session

LIBC = ctypes.CDLL(None, use_errno=True)


def kinds(plan, wire):
    """Descriptors that are not a regular file open for reading."""
    scratch = plan["scratch"]
    regular = scratch + "/regular"
    with open(regular, "wb") as file:
        file.write(b"x" * 4096)
    fifo = scratch + "/fifo"
    if not os.path.exists(fifo):
        os.mkfifo(fifo)
    link = scratch + "/link-to-passwd"
    if not os.path.islink(link):
        os.symlink("/etc/passwd", link)
    pair, poll = socket.socketpair(), select.epoll()
    yield "pipe", os.pipe()[0]
    yield "FIFO", os.open(fifo, os.O_RDWR)
    yield "folder", os.open(scratch, os.O_RDONLY)
    yield "O_PATH", os.open(regular, os.O_PATH)
    yield "O_PATH of a link", os.open(link, os.O_PATH | os.O_NOFOLLOW)
    yield "socket", pair[0].detach()
    yield "its own connection", os.dup(wire.socket.fileno())
    yield "memory of a process", os.open("/proc/self/mem", os.O_RDONLY)
    yield "status of a process", os.open("/proc/self/status", os.O_RDONLY)
    yield "memory map of a process", os.open("/proc/self/maps", os.O_RDONLY)
    yield "write-only", os.open(regular, os.O_WRONLY)
    yield "read-write", os.open(regular, os.O_RDWR)
    yield "device zero", os.open("/dev/zero", os.O_RDONLY)
    yield "device full", os.open("/dev/full", os.O_RDONLY)
    yield "terminal", os.open("/dev/ptmx", os.O_RDONLY | os.O_NOCTTY)
    yield "epoll", os.dup(poll.fileno())
    yield "eventfd", LIBC.eventfd(0, 0)
    yield "timer", LIBC.timerfd_create(1, 0)
    yield "namespace", os.open("/proc/self/ns/user", os.O_RDONLY)


def hole(plan, size):
    """A file of that size without any content."""
    path = plan["scratch"] + "/hole"
    with open(path, "wb") as file:
        os.ftruncate(file.fileno(), size)
    return os.open(path, os.O_RDONLY)


def stage(wire, number, descriptor, path="content.txt"):
    return wire.came(DOCUMENTS + "StageElement", [descriptor], operation=number, path=path, file=0)


def begin(plan, wire):
    number = operation()
    wire.call(DOCUMENTS + "BeginPackage", reference=plan["references"]["package"], replacing=True, operation=number)
    return number


def run(plan):
    wire = session()
    number = begin(plan, wire)
    with open(plan["scratch"] + "/plain", "wb") as file:
        file.write(b"plain")
    say("control: a regular file", "StageElement", stage(wire, number, os.open(plan["scratch"] + "/plain", os.O_RDONLY)))
    for name, descriptor in list(kinds(plan, wire)):
        if descriptor < 0:
            say(f"descriptor: {name}", "not made here", "not made")
            continue
        # On its own connection: a refusal may close it.
        other = session()
        mine = begin(plan, other)
        say(f"descriptor: {name}", "StageElement", stage(other, mine, descriptor))
        other.drop()
        os.close(descriptor)
    other = session()
    mine = begin(plan, other)
    made = attempt(lambda: os.close(hole(plan, 8 << 40)))
    say("descriptor: hole of 8 TiB", made, stage(other, mine, hole(plan, 8 << 40)) if made == "worked" else "not made")
    other.drop()
    shrinking(plan)
    for name, descriptors, parameters in [
        ("no descriptor", 0, {"file": 0}), ("two for one", 2, {"file": 0}), ("index beyond", 1, {"file": 1}),
        ("index below", 1, {"file": -1}), ("index enormous", 1, {"file": 1 << 62}), ("none declared", 1, {}),
        ("to a call that takes none", 3, {"removed": True}),
    ]:
        other = session()
        mine = begin(plan, other)
        files = [os.open(plan["scratch"] + "/plain", os.O_RDONLY) for _ in range(descriptors)]
        say(f"descriptors: {name}", parameters,
            other.came(DOCUMENTS + "StageElement", files, operation=mine, path="a.txt", **parameters))
        other.drop()
        for file in files:
            os.close(file)
    paths(plan, wire, number)
    say("control: the package is saved", "CommitWrite", wire.came(DOCUMENTS + "CommitWrite", operation=number))
    wire.drop()


def shrinking(plan):
    """A file that loses its content while it is copied, and one that never stops growing."""
    path = plan["scratch"] + "/moving"
    for name, change in [("shrinks", lambda file, turn: os.ftruncate(file, 0 if turn % 2 else 8 << 20)),
                         ("grows", lambda file, turn: os.ftruncate(file, (turn + 1) * (1 << 20)))]:
        with open(path, "wb") as file:
            file.write(b"x" * (8 << 20))
        done = threading.Event()

        def work():
            file, turn = os.open(path, os.O_RDWR), 0
            while not done.is_set():
                change(file, turn % 4096)
                turn += 1
            os.close(file)

        worker = threading.Thread(target=work)
        worker.start()
        for turn in range(10):
            other = session()
            mine = begin(plan, other)
            descriptor = os.open(path, os.O_RDONLY)
            say(f"descriptor: file that {name}", f"turn {turn}", stage(other, mine, descriptor))
            os.close(descriptor)
            other.drop()
        done.set()
        worker.join()


def paths(plan, wire, number):
    """Paths in a package that refer to something outside of it."""
    file = os.open(plan["scratch"] + "/plain", os.O_RDONLY)
    for path in ["..", ".", "", "/", "../planted.txt", "../../planted.txt", "a/../../planted.txt", "/etc/planted",
                 "a//b", "a/./b", "a/", "a\0b", "x" * 300, "/".join(["d"] * 2000), "x/" * 5000 + "y", ".docent-x"]:
        for more in ({"file": 0}, {"folder": True}, {"removed": True}):
            shown = path if len(path) < 60 else path[:20] + "…"
            say(f"package path {shown!r}", more, wire.came(
                DOCUMENTS + "StageElement", [file] if "file" in more else [], operation=number, path=path, **more))
    for source in ["..", "../secret.txt", "/etc/passwd", plan["paths"]["secret"], "a\0b", "x" * 5000]:
        say("package element from", source[:40], wire.came(
            DOCUMENTS + "StageElement", operation=number, path="stolen.txt", **{"from": source}))
    for name in ["..", "../Planted.rtfd", "a/b.rtfd", "", "\0", "x" * 300]:
        other = session()
        say("package name", name[:40], other.came(
            DOCUMENTS + "BeginPackage", reference=plan["references"]["folder"], replacing=True, operation=operation(),
            name=name, contentType=plan["packageType"]))
        other.drop()
    os.close(file)
