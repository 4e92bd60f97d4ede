"""A daemon for the tests of the window: it lists what the test wants, on the socket that is its argument.

Beside the socket, the test writes the requests of programs to `requests`, and finds the answers in `answers`.
"""

import json
import os
import pathlib
import socket
import sys
import threading
import time

# The entries of a page, as with the real daemon: a message has a limit.
PAGE = 500
# Below this folder, everything is here already; the content of anything else arrives slowly.
HERE = "/Here"

FOLDERS = {
    "/": [
        ("Papers", True), ("Here", True), ("Slow", True), ("Shortcut", None), ("minutes.txt", False),
        ("photo.png", False), ("Reports", True),
        ("evil\u202e\n\x1bname.txt", False),
    ],
    "/Papers": [("plan.txt", False)],
    HERE: [("first.txt", False), ("second.txt", False), ("third.txt", False), ("photo.png", False)],
    "/Empty": [],
    # For the documents.
    "/Reports": [
        ("Drafts", True), ("2025.txt", False), ("budget.png", False), ("minutes.txt", False), ("plan.txt", False),
    ],
    "/Slow": [("long.txt", False), ("broken.txt", False), ("stale.txt", False)],
    "/Many": [(f"entry-{number:05}.txt", False) for number in range(10_000)],
}


def item(provider, folder, name, is_folder):
    """is_folder: None for a link."""
    kinds = {True: "public.folder", None: "public.symlink"}
    kind = kinds.get(is_folder) or ("public.png" if name.endswith(".png") else "public.plain-text")
    path = folder.rstrip("/") + "/" + name
    return {
        "reference": {"provider": provider, "domain": "", "identifier": path},
        "name": name, "path": path, "contentType": kind, "size": None if is_folder else 1234,
        "isFolder": bool(is_folder), "isUploaded": True,
        "isDownloaded": folder == HERE or name in ("stale.txt", "2025.txt"),
        "isStale": name == "stale.txt", "symbolicLinkTarget": "Papers" if is_folder is None else None,
    }


def provider(name):
    return {
        "identifier": f"org.example.{name}", "displayName": name, "enabled": True, "state": "ready",
        "modes": ["open"], "supportedTypes": ["public.item"], "domains": [""], "sandboxed": True,
        "extensions": [],
    }


def domain(name, state):
    return {"provider": f"org.example.{name}", "identifier": "", "displayName": name, "state": state}


ACCOUNTS = {"Ready": "ready", "Away": "offline", "Out": "signedOut"}


def answer(method, parameters):
    name = method.rsplit(".", 1)[1]
    if name == "OpenSession":
        principal = {"kind": "stated", "identifier": "org.docent.picker", "strength": "stated"}
        return {"token": "token", "principal": principal}
    if name == "JoinSession":
        return {"principal": {"kind": "stated", "identifier": "org.docent.picker", "strength": "stated"}}
    if name == "ListProviders":
        return {"providers": [provider(name) for name in ACCOUNTS]}
    if name == "ListDomains":
        return {"domains": [domain(name, state) for name, state in ACCOUNTS.items()]}
    location = parameters.get("location", {})
    path = location.get("path")
    if name == "ListFolder":
        if location["provider"] == "org.example.Away":
            return {"error": "org.docent.Documents.Unavailable", "message": "The service cannot be reached."}
        first = int(parameters.get("page") or 0)
        entries = FOLDERS.get(path, [])[first:first + PAGE]
        following = str(first + PAGE) if first + PAGE < len(FOLDERS.get(path, [])) else None
        return {"items": [item(location["provider"], path, *entry) for entry in entries], "nextPage": following}
    if name == "GetItem":
        folder, _, last = path.rpartition("/")
        for entry in FOLDERS.get(folder or "/", []):
            if entry[0] == last:
                if entry[1] is None and not parameters.get("link"):
                    return {"item": item(location["provider"], "/", "Papers", True)}
                return {"item": item(location["provider"], folder or "/", *entry)}
        return {"error": "org.docent.Documents.NotFound", "message": "There is no such document."}
    if name == "MakeFolder":
        folder = parameters["folder"]["path"]
        if parameters["name"] == "Papers":
            return {"error": "org.docent.Documents.AlreadyExists", "message": "There is a folder of that name."}
        FOLDERS.setdefault(folder, []).append((parameters["name"], True))
        return {"item": item(parameters["folder"]["provider"], folder, parameters["name"], True)}
    if name == "PickOpen":
        folder, _, last = path.rpartition("/")
        return {"item": item(location["provider"], folder or "/", last, False), "access": "read"}
    return {}


def download(reference, send):
    """Reports progress as long as somebody reads it, or fails."""
    name = reference["identifier"].rpartition("/")[2]
    if name in ("broken.txt", "stale.txt"):
        return {"error": "org.docent.Documents.Unavailable", "message": "The service has gone away."}
    if name == "long.txt":
        for done in range(10_000):
            send({"parameters": {"completedBytes": done + 1, "totalBytes": 20_000, "bytesPerSecond": 100.0},
                  "continues": True})
            time.sleep(0.05)
    done = {"completedBytes": 1234, "totalBytes": 1234}
    send({"parameters": done, "continues": True})
    folder = reference["identifier"].rpartition("/")[0] or "/"
    return done | {"item": item(reference["provider"], folder, name, False)}


PLACE = pathlib.Path(sys.argv[1]).parent


def requests():
    try:
        return json.loads((PLACE / "requests").read_text())
    except FileNotFoundError:
        return []


def report_requests(send):
    """Reports the requests whenever they change, until nobody listens."""
    shown = None
    while True:
        now = requests()
        if now != shown:
            send({"parameters": {"requests": now}, "continues": True})
            shown = now
        time.sleep(0.02)


def answer_request(parameters):
    """Records an answer; a request that was answered no longer waits."""
    if (parameters.get("location") or {}).get("path") == "/Slow/broken.txt":
        return {"error": "org.docent.Documents.Unavailable", "message": "The service has gone away."}
    with open(PLACE / "answers", "a", encoding="utf-8") as file:
        file.write(json.dumps(parameters) + "\n")
    left = [request for request in requests() if request["identifier"] != parameters["identifier"]]
    (PLACE / "new").write_text(json.dumps(left))
    os.replace(PLACE / "new", PLACE / "requests")
    return {}


def serve(connection):
    waiting = b""
    while chunk := connection.recv(65536):
        waiting += chunk
        while b"\0" in waiting:
            message, waiting = waiting.split(b"\0", 1)
            call = json.loads(message)
            if os.environ.get("VERBOSE"):
                print(call, file=sys.stderr, flush=True)
            parameters = call.get("parameters", {})

            def send(message):
                connection.sendall(json.dumps(message).encode() + b"\0")

            try:
                if call["method"].endswith(".Download"):
                    result = download(parameters["reference"], send)
                elif call["method"].endswith(".PickRequests"):
                    report_requests(send)
                elif call["method"].endswith(".AnswerPick"):
                    result = answer_request(parameters)
                else:
                    result = answer(call["method"], parameters)
            except OSError:
                return
            reply = {"parameters": result}
            if "error" in result:
                reply = {"error": result.pop("error"), "parameters": result}
            try:
                send(reply)
            except OSError:
                # The window has gone.
                return


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


main()
