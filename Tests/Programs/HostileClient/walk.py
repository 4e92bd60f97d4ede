"""The files that can be read inside: walks everything and reports what opens; then the granted documents."""

import hashlib
import os
import stat

from wire import DOCUMENTS, say, session

# The system's own files, read-only in every sandbox, and the kernel's views; then the attacker's own files.
SYSTEM = ("/usr", "/opt", "/proc", "/sys", "/dev", "/hostile", "/shared")


def files(skip, top="/"):
    """Every readable file, once each. Links are not followed: their targets are walked themselves."""
    for folder, folders, names in os.walk(top, followlinks=False):
        folders[:] = [n for n in folders if os.path.join(folder, n) not in skip]
        for name in names:
            path = os.path.join(folder, name)
            if path == "/plan.json":
                continue
            try:
                if not stat.S_ISREG(os.lstat(path).st_mode):
                    continue
                with open(path, "rb") as file:
                    yield path, file.read(1 << 20)
            except OSError:
                continue


def digest(data):
    return hashlib.sha256(data).hexdigest()


def run(plan):
    for path, data in files((*SYSTEM, *plan.get("skip", []))):
        if not os.path.join(path, "").startswith(plan["scratch"]):
            say("file", path, digest(data))
    # Over the daemon's interface: every identifier ever used, and every listing call.
    wire = session()
    known = {(r["provider"], r["domain"], r["identifier"]) for r in plan["references"].values()}
    known |= {tuple(one) for one in plan.get("everything", [])}
    reply = wire.reply(DOCUMENTS + "Granted")
    page = reply.get("parameters", {})
    for one in page.get("items", []):
        known.add(tuple(one["reference"][k] for k in ("provider", "domain", "identifier")))
    done = set()
    while known - done:
        for key in sorted(known - done):
            done.add(key)
            reference = dict(zip(("provider", "domain", "identifier"), key))
            listed = wire.reply(DOCUMENTS + "List", reference=reference)
            for item in listed.get("parameters", {}).get("items", []):
                known.add(tuple(item["reference"][k] for k in ("provider", "domain", "identifier")))
            wire.descriptors.clear()
            opened = wire.reply(DOCUMENTS + "Open", reference=reference)
            if "error" not in opened:
                data = os.pread(wire.descriptors[opened["parameters"]["file"]], 1 << 20, 0)
                say("document", opened["parameters"]["item"]["name"], digest(data))
            for descriptor in wire.descriptors:
                os.close(descriptor)
            wire.descriptors.clear()
    wire.drop()
