"""G2, G7: names used as rights, and moves used to extend a right to another item."""

from wire import DOCUMENTS, Closed, Wire, operation, say, session


def calls(reference):
    """All requests about one item."""
    yield "Info", {}
    yield "List", {}
    yield "Watch", {}
    yield "Open", {}
    yield "Download", {"operation": operation()}
    yield "Import", {"operation": operation()}
    yield "CreateBookmark", {}
    yield "TakeAccess", {}
    yield "NarrowAccess", {"access": "read"}
    yield "BeginWrite", {"replacing": True, "operation": operation()}
    yield "BeginPackage", {"replacing": True, "operation": operation()}
    yield "Move", {"name": "stolen", "operation": operation()}
    yield "ResolveConflict", {"versions": []}
    yield "Versions", {}
    yield "Versions", {"unresolved": True}
    yield "OpenVersion", {"version": "current"}
    yield "OpenVersion", {"version": "current", "path": "TXT.rtf"}
    yield "VersionElements", {"version": "current"}
    yield "RestoreVersion", {"version": "current", "operation": operation()}
    yield "RemoveVersions", {}
    yield "Delete", {"operation": operation()}


def everything(reference):
    """The distinct answers to all of them."""
    answers = {}
    for method, more in calls(reference):
        wire = session()
        answers.setdefault(wire.came(DOCUMENTS + method, reference=reference, **more), []).append(method)
        wire.drop()
    wire = session()
    try:
        reply = wire.reply(DOCUMENTS + "StartAccessing", reference=reference)
        started = reply.get("parameters", {}).get("started")
        answers.setdefault("started" if started else "not started", []).append("StartAccessing")
        wire = session()
        reply = wire.reply(DOCUMENTS + "Values", references=[reference])
        value = (reply.get("parameters", {}).get("values") or [{}])[0]
        came = reply["error"].rpartition(".")[2] if "error" in reply else value.get("failure") or "worked"
        answers.setdefault(came, []).append("Values")
        wire = session()
        reply = wire.reply(DOCUMENTS + "Watch", flags={"more": True}, reference=reference)
        answers.setdefault(reply["error"].rpartition(".")[2] if "error" in reply else "worked", []).append("Watch")
        for method, place in (("Coordinate", None), ("Present", None)):
            wire = session()
            at = {"reference": reference}
            more = {"accesses": [{"place": at, "writing": False}], "operation": operation()} if method == "Coordinate" \
                else {"place": at, "presenter": "p"}
            reply = wire.reply(DOCUMENTS + method, flags={"more": True}, **more)
            came = reply["error"].rpartition(".")[2] if "error" in reply else "worked"
            answers.setdefault(came, []).append(method)
    except Closed:
        answers.setdefault("closed", []).append("the connection")
    wire.drop()
    return answers


def tell(attack, reference):
    answers = everything(reference)
    shown = {key: value if len(str(value)) < 200 else str(value)[:60] + "…" for key, value in reference.items()}
    say(attack, shown, " ".join(sorted(answers)), methods=answers)


def run(plan):
    own, secret = plan["references"]["write"], plan["references"]["secret"]

    def named(identifier, base=own):
        return dict(base, identifier=identifier)

    tell("another item of the same folder", secret)
    for identifier in [
        "../" + plan["paths"]["secret"].rpartition("/")[2], "../../../../etc/passwd", "/etc/passwd", "..", ".", "/",
        "./" + own["identifier"], own["identifier"] + "/..", own["identifier"] + "/../secret.txt",
        own["identifier"] + "\0", "\0", "", own["identifier"] + "/", own["identifier"].upper() + "é",
        "file:///etc/passwd", "%2e%2e/secret.txt", "/proc/self/fd/0", "/proc/self/root/etc/passwd",
        plan["paths"]["container"], plan["paths"]["secret"], plan["paths"]["database"], ".root", ".trash", ".tombstone",
        "\u202e", "\ud7ff\U0010ffff", "x" * 4096, "x" * 200_000,
    ]:
        tell("identifier", named(identifier))
    for domain in ["..", "../", "other", "\0", "x" * 10_000, "/"]:
        tell("domain", dict(own, domain=domain))
    for provider in ["..", "", "org.docent.LocalFolder/..", "docent", "\0", own["provider"] + "\0", plan["otherProvider"]]:
        tell("provider", dict(own, provider=provider))
    wire = session()
    say("control: its own name", own, wire.came(DOCUMENTS + "Info", reference=own))
    wire.drop()


def moves(plan):
    own, secret, folder = (plan["references"][name] for name in ("write", "secret", "folder"))

    def came(attack, method, **parameters):
        wire = session()
        say(attack, {"method": method, **{k: v for k, v in parameters.items() if k != "operation"}},
            wire.came(DOCUMENTS + method, **parameters))
        wire.drop()

    for name in ["..", ".", "", "../secret.txt", "a/b", "/etc/passwd", "a\0b", "x" * 1000]:
        came("rename to", "Move", reference=own, name=name, operation=operation())
    came("rename over another", "Move", reference=own, name=plan["paths"]["secret"].rpartition("/")[2], operation=operation())
    came("move into a folder without right", "Move", reference=own, parent=plan["references"]["root"], operation=operation())
    came("move another's item into its folder", "Move", reference=secret, parent=folder, operation=operation())
    came("move a folder into itself", "Move", reference=folder, parent=folder, operation=operation())
    came("move to another provider", "Move", reference=own, parent=dict(folder, provider="org.example.Fault"),
         operation=operation())
    came("delete another's item", "Delete", reference=secret, operation=operation())
    came("did move without a claim", "DidMove", claim=operation(), reference=own, newReference=secret)

    holder = session()
    claim = operation()
    reply = holder.reply(DOCUMENTS + "Coordinate", flags={"more": True}, operation=claim, accesses=[
        {"place": {"reference": own}, "writing": True, "options": ["forMoving"]}])
    second = Wire()
    second.call(DOCUMENTS + "JoinSession", token=holder.token)
    say("control: a claim of its own", "Coordinate", "worked" if "error" not in reply else reply["error"])
    say("did move to another's item", "DidMove",
        second.came(DOCUMENTS + "DidMove", claim=claim, reference=own, newReference=secret))
    second.drop()
    holder.drop()
    for name in ["..", "../secret.txt", "a/b", "\0", "/etc/passwd", "x" * 1000]:
        for method in ("Coordinate", "Present"):
            wire = session()
            place = {"reference": folder, "name": name}
            more = {"accesses": [{"place": place, "writing": True, "options": ["forReplacing"]}], "operation": operation()} \
                if method == "Coordinate" else {"place": place, "presenter": "p"}
            reply = wire.reply(DOCUMENTS + method, flags={"more": True}, **more)
            say("a place's name", {"method": method, "name": name[:40]},
                reply["error"].rpartition(".")[2] if "error" in reply else "worked")
            wire.drop()
    tell("after all that: another item", secret)
