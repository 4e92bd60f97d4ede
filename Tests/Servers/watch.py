"""Ends a server's session when the test run that it belongs to is gone: watch.py PARENT SERVER [DIRECTORY].

The directory is then removed too, because no other process could do it.
"""

import os
import select
import shutil
import signal
import sys
import time

parent, server = int(sys.argv[1]), int(sys.argv[2])
try:
    server_handle = os.pidfd_open(server)
except ProcessLookupError:
    sys.exit(0)
try:
    parent_handle = os.pidfd_open(parent)
except ProcessLookupError:
    parent_handle = None

if parent_handle is not None:
    poll = select.poll()
    poll.register(server_handle, select.POLLIN)
    poll.register(parent_handle, select.POLLIN)
    ended = {handle for handle, _ in poll.poll()}
    if server_handle in ended:
        sys.exit(0)

try:
    os.killpg(server, signal.SIGKILL)
except ProcessLookupError:
    signal.pidfd_send_signal(server_handle, signal.SIGKILL)

if len(sys.argv) > 3:
    # Killed processes may still be writing.
    for _ in range(50):
        shutil.rmtree(sys.argv[3], ignore_errors=True)
        if not os.path.lexists(sys.argv[3]):
            break
        time.sleep(0.1)
