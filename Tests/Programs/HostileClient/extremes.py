"""T4: numbers and strings at the limits of their ranges, in every parameter of every method."""

import json
import os
import socket

from surface import methods, sample
from wire import DOCUMENTS, Closed, Wire, operation, say, session

NUMBERS = ["-1", "0", "-0", "2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616",
           "1e19", "-1e19", "1e300", "-1e300", "1e-300", "1e309", "0.1", "9007199254740993"]
TEXTS = ["", "\0", "\ud7ff\U0010ffff", "a" * 100_000, "\u202etxt.exe", "%s%n%d", "{stem}", "*", "../" * 100, "\r\n\t\x1b[31m"]


def run(plan):
    told = {}
    for name, parameters in methods(DOCUMENTS):
        for parameter, kind in parameters:
            kind = kind.strip()
            if "int" in kind or "float" in kind:
                values = NUMBERS
            elif "string" in kind:
                values = [json.dumps(text) for text in TEXTS]
            else:
                continue
            if kind.lstrip("?").startswith("[]"):
                values = [f"[{','.join([value] * count)}]" for value in values for count in (1, 2000)]
            elif kind.lstrip("?").startswith("[string]"):
                values = [f"{{{json.dumps(text)}:{json.dumps(other)}}}" for text in TEXTS for other in TEXTS[:3]]
            for value in values:
                came = once(plan, name, parameters, parameter, value)
                told.setdefault((name, parameter, came), []).append(value[:30])
    for (name, parameter, came), values in told.items():
        say(f"{DOCUMENTS}{name} {parameter}", values[:20], came)
    wire = session()
    say("control: a good message", "Info", wire.came(DOCUMENTS + "Info", reference=plan["references"]["folder"]))
    wire.drop()


def once(plan, name, parameters, parameter, value):
    """One call with a single wrong parameter."""
    wire = session(timeout=8)
    values, descriptors = {}, []
    for other, kind in parameters:
        kind = kind.strip()
        if other != parameter and not kind.startswith("?"):
            values[other] = {"reference": plan["references"]["write"], "newReference": plan["references"]["write"],
                             "place": {"reference": plan["references"]["write"]}, "operation": operation(),
                             "accesses": [{"place": {"reference": plan["references"]["write"]}, "writing": False}],
                             }.get(other, sample(kind, plan))
    if name in ("CommitWrite", "StageAttributes", "StageElement") and parameter != "operation":
        values["operation"] = operation()
        wire.came(DOCUMENTS + ("BeginPackage" if name == "StageElement" else "BeginWrite"), replacing=True,
                  reference=plan["references"]["package" if name == "StageElement" else "write"],
                  operation=values["operation"])
    text = json.dumps({"method": DOCUMENTS + name, "more": True, "parameters": values})
    member = f"{json.dumps(parameter)}:{value}"
    text = text[:-2] + ("," if values else "") + member + "}}"
    if parameter in ("file", "source", "thumbnail"):
        descriptors = [os.open("/proc/self/exe", os.O_RDONLY)]
    try:
        wire.send(text.encode() + b"\0", descriptors)
        reply = wire.receive()
        came = reply["error"].rpartition(".")[2] if "error" in reply else "worked"
    except Closed:
        came = "closed"
    except socket.timeout:
        came = "no answer"
    for descriptor in descriptors:
        os.close(descriptor)
    wire.drop()
    return came
