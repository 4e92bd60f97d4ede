#!/usr/bin/env python3
"""A user's session with a key in it, as a target for a hostile client.

    session.py PLAN PROGRAM [ARGUMENT...]

Creates a session keyring, adds a key that any program of the user may read and change if it knows its number, writes
number and name into the plan, changes further inherited attributes, runs the program, and finally prints the key's value.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys

from kernel import ADD_KEY, JOIN, KEYCTL, LIBRARY, READ, SESSION, USER, call
from wire import say

SETPERM, UNLINK, EVERYTHING = 5, 9, 0x3F3F0000
ADDRESSES_AS_THEY_ARE = 0x0040000


def main():
    path, command = sys.argv[1], sys.argv[2:]
    name = f"docent-test-{os.getpid()}"
    call(KEYCTL, JOIN, name.encode())
    serial = call(ADD_KEY, b"user", name.encode(), b"secret", 6, SESSION)
    call(KEYCTL, SETPERM, serial, EVERYTHING)
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**plan, "key": serial, "name": name}, file)
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
