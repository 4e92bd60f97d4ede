"""A well-behaved client next to a hostile one: opens and reads its document, each time over a new connection."""

import os
import time

from wire import DOCUMENTS, say, session


def run(plan):
    wanted, answered, worst, failures = plan.get("calls", 100), 0, 0.0, []
    for _ in range(wanted):
        begun = time.monotonic()
        try:
            wire = session(timeout=60)
            opened = wire.call(DOCUMENTS + "Open", reference=plan["references"]["read"])
            os.pread(wire.descriptors[opened["file"]], 1 << 16, 0)
            wire.drop()
            answered += 1
        except Exception as error:
            failures.append(f"{type(error).__name__}: {error}"[:200])
        worst = max(worst, time.monotonic() - begun)
    say("honest calls", str(wanted), "all answered" if answered == wanted else f"{answered} of {wanted}: {failures[0]}", worst=worst)
