"""I1, I2: interfaces and identities that do not belong to a confined client."""

import itertools
import re

from wire import ADMINISTRATION, DOCUMENTS, PICKER, SERVICE, Closed, Wire, attempt, operation, say, session


def methods(interface):
    """The methods of an interface and the names of their parameters, as described by the daemon."""
    wire = Wire()
    text = wire.call(SERVICE + "GetInterfaceDescription", interface=interface.rstrip("."))["description"]
    wire.drop()
    text = "\n".join(line.partition("#")[0] for line in text.splitlines())
    for name, parameters in re.findall(r"method\s+(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text):
        yield name, re.findall(r"(\w+)\s*:\s*([^,]+)", parameters)


def sample(kind, plan):
    """A valid value of a type, so that the call fails only because of the caller."""
    kind = kind.strip().lstrip("?")
    if kind.startswith("[]"):
        return [sample(kind[2:], plan)]
    if kind.startswith("[string]"):
        return {}
    known = {
        "string": "x", "int": 0, "float": 1.0, "bool": True, "Location": plan["location"],
        "ItemReference": plan["references"]["secret"],
        "Domain": {"provider": "LocalFolder", "identifier": "planted", "displayName": "Planted", "folder": "/etc"},
        "Credential": {"kind": "password", "source": "session", "secret": "x"},
    }
    return known.get(kind, {})


def run(plan):
    for interface in (PICKER, ADMINISTRATION):
        for name, parameters in methods(interface):
            if name in plan.get("skip", []):
                continue
            descriptors = [open("/proc/self/exe", "rb").fileno()] if any(n == "source" for n, _ in parameters) else []
            whole = {n: sample(k, plan) for n, k in parameters}
            whole.update(plan.get("values", {}).get(name, {}))
            # Also without parameters and with invalid ones: an unauthorized caller learns nothing about the valid ones.
            # Also as the first call of a connection, which has no session then.
            for more, values, first in itertools.product(
                ({}, {"more": True}), (whole, {}, {n: [[]] for n in whole}), (False, True)
            ):
                wire = Wire() if first else session("org.docent.cli")
                if descriptors and values is whole:
                    file = open("/proc/self/exe", "rb")
                    descriptors = [file.fileno()]
                try:
                    given = descriptors if values is whole else []
                    reply = wire.reply(interface + name, given, flags=more, **values)
                    came = reply["error"].rpartition(".")[2] if "error" in reply else "worked"
                except Closed:
                    came = "closed"
                say(f"{interface}{name}", "with more" if more else "plainly", came)
                wire.drop()

    wire = session("org.gnome.TextEditor")
    say("state another identifier", "org.gnome.TextEditor", wire.principal["kind"] + " " + wire.principal["identifier"])
    say("state another kind", "parameters kind and principal",
        wire.reply(DOCUMENTS + "OpenSession", client="flatpak:org.gnome.TextEditor", kind="flatpak",
                   principal={"kind": "unconfined", "identifier": "x"})
        .get("parameters", {}).get("principal", {}).get("kind", "error"))
    for name, token in plan["tokens"].items():
        other = Wire()
        say(f"join the session of {name}", "JoinSession", other.came(DOCUMENTS + "JoinSession", token=token))
        # It still has only its own identity.
        say(f"open as {name}", "Open", other.came(DOCUMENTS + "Open", reference=plan["references"]["secret"]))
        other.drop()
    for token in ("", "x", "\0", "../", plan["tokens"]["other"][:-1], plan["tokens"]["other"].upper(), "x" * 100_000):
        other = Wire()
        say("join by a made-up token", repr(token[:20]), other.came(DOCUMENTS + "JoinSession", token=token))
        other.drop()
    for name, number in plan.get("operations", {}).items():
        for method in ("Cancel", "Outcome", "CommitWrite", "AbandonWrite", "ReleaseClaim"):
            reply = wire.reply(DOCUMENTS + method, operation=number)
            told = reply.get("parameters", {})
            came = reply["error"].rpartition(".")[2] if "error" in reply else str(told.get("found", told.get("state")))
            say(f"{method} of {name}'s operation", number, came)
    wire.drop()
    wire = session()
    say("control: its own document", "Open", wire.came(DOCUMENTS + "Open", reference=plan["references"]["contained"]))
    say("control: its own session", "JoinSession", joined(wire))
    wire.drop()
    for path in plan.get("sockets", []):
        say("the common socket", path, attempt(lambda path=path: Wire(path=path).drop()))


def joined(wire):
    other = Wire()
    try:
        return other.came(DOCUMENTS + "JoinSession", token=wire.token)
    finally:
        other.drop()
