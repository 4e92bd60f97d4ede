#!/usr/bin/env python3
"""An honest client next to a hostile one: reads and saves its document repeatedly, and reports the times.

    victim.py SOCKET REFERENCE STOP       until the file STOP exists; prints one JSON object
"""

import json
import os
import sys
import time

from wire import DOCUMENTS, operation, session


def main():
    path, reference, stop = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
    rounds, times, failures = 0, [], []
    while True:
        last = os.path.exists(stop)
        begun = time.monotonic()
        try:
            wire = session("org.example.victim", path=path, timeout=60)
            opened = wire.call(DOCUMENTS + "Open", reference=reference)
            os.pread(wire.descriptors[opened["file"]], 1 << 16, 0)
            mine = operation()
            begun_write = wire.call(DOCUMENTS + "BeginWrite", reference=reference, replacing=True, operation=mine)
            os.write(wire.descriptors[-1 if begun_write["file"] else -1], b"round %d" % rounds)
            wire.call(DOCUMENTS + "CommitWrite", operation=mine)
            wire.drop()
            rounds += 1
        except Exception as error:
            failures.append(f"{type(error).__name__}: {error}"[:300])
        times.append(time.monotonic() - begun)
        if last:
            break
        time.sleep(0.01)
    times.sort()
    print(json.dumps({"rounds": rounds, "failures": failures[:5], "failed": len(failures), "median": times[len(times) // 2],
                      "worst": times[-1]}), flush=True)


main()
