"""Prints what inotify reports of files and folders: one line for each event, with the path as given, the events and the
name. The first line is "ready".

Use: watch_folder.py PATH...
"""

import ctypes
import os
import struct
import sys

EVENTS = {
    0x2: "MODIFY", 0x4: "ATTRIB", 0x8: "CLOSE_WRITE", 0x40: "MOVED_FROM", 0x80: "MOVED_TO", 0x100: "CREATE",
    0x200: "DELETE", 0x400: "DELETE_SELF", 0x40000000: "ISDIR",
}

libc = ctypes.CDLL(None, use_errno=True)
inotify = libc.inotify_init1(0o2000000)
watches = {}
for path in sys.argv[1:]:
    watch = libc.inotify_add_watch(inotify, os.fsencode(path), 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400)
    if watch < 0:
        sys.exit(f"{path}: {os.strerror(ctypes.get_errno())}")
    watches[watch] = path
print("ready", flush=True)
while True:
    data = os.read(inotify, 65536)
    while data:
        watch, mask, _, length = struct.unpack_from("iIII", data)
        name = data[16:16 + length].rstrip(b"\0").decode()
        data = data[16 + length:]
        events = "|".join(text for bit, text in EVENTS.items() if mask & bit)
        print(watches.get(watch, "?"), events, name, flush=True)
