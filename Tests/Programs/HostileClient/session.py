#!/usr/bin/env python3
"""A user's session with a key in it, as a target for a hostile client.

    session.py PLAN PROGRAM [ARGUMENT...]

Creates a session keyring, adds a key that any program of the user may read and change if it knows its number, writes
number and name into the plan with what identifies this session, changes what else is inherited as far as an ordinary user
can, runs the program, and finally prints the key's value.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys

from kernel import ADD_KEY, DISK_PRIORITY_SET, JOIN, KEYCTL, LIBRARY, READ, SESSION, USER, call
from wire import say

SETPERM, UNLINK, EVERYTHING = 5, 9, 0x3F3F0000
ADDRESSES_AS_THEY_ARE = 0x0040000
LOWEST_BEST_EFFORT = 2 << 13 | 7


def restrict():
    """Changes everything that restricts a program and that an ordinary user may change."""
    os.nice(5)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    call(DISK_PRIORITY_SET, 1, 0, LOWEST_BEST_EFFORT)
    with open("/proc/self/oom_score_adj", "r+", encoding="utf-8") as file:
        worse = max(int(file.read()), 300)
        file.seek(0)
        file.write(str(worse))
    os.umask(0o027)
    resource.setrlimit(resource.RLIMIT_MSGQUEUE, (4096, 8192))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))


def main():
    path, command = sys.argv[1], sys.argv[2:]
    name = f"docent-test-{os.getpid()}"
    call(KEYCTL, JOIN, name.encode())
    serial = call(ADD_KEY, b"user", name.encode(), b"secret", 6, SESSION)
    call(KEYCTL, SETPERM, serial, EVERYTHING)
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**plan, "key": serial, "name": name, "starter": {"session": os.getsid(0), "group": os.getpgrp()},
                   "namespace": os.readlink("/proc/self/ns/pid")}, file)
    restrict()
    LIBRARY.personality(ctypes.c_ulong(ADDRESSES_AS_THEY_ARE))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    code = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
    content = ctypes.create_string_buffer(64)
    length = call(KEYCTL, READ, serial, ctypes.addressof(content), 64)
    try:
        # This succeeds only if the attack did.
        call(KEYCTL, UNLINK, serial, USER)
    except OSError:
        pass
    say("key afterwards", name, content.raw[:length].decode())
    sys.exit(code)


main()
