"""A daemon for the tests of the window: it lists what the test wants, on the socket that is its argument."""

import json
import os
import socket
import sys
import threading

FOLDERS = {
    "/": [("Papers", True), ("minutes.txt", False), ("photo.png", False), ("evil\u202e\n\x1bname.txt", False)],
    "/Papers": [("plan.txt", False)],
    "/Many": [(f"entry-{number:05}.txt", False) for number in range(10_000)],
}


def item(provider, folder, name, is_folder):
    kind = "public.folder" if is_folder else "public.png" if name.endswith(".png") else "public.plain-text"
    path = folder.rstrip("/") + "/" + name
    return {
        "reference": {"provider": provider, "domain": "", "identifier": path},
        "name": name, "path": path, "contentType": kind, "size": None if is_folder else 1234,
        "isFolder": is_folder, "isDownloaded": False, "isUploaded": True,
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
        return {"items": [item(location["provider"], path, *entry) for entry in FOLDERS.get(path, [])]}
    if name == "GetItem":
        folder, _, last = path.rpartition("/")
        for entry in FOLDERS.get(folder or "/", []):
            if entry[0] == last:
                return {"item": item(location["provider"], folder or "/", *entry)}
        return {"error": "org.docent.Documents.NotFound", "message": "There is no such document."}
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
            result = answer(call["method"], call.get("parameters", {}))
            reply = {"parameters": result}
            if "error" in result:
                reply = {"error": result.pop("error"), "parameters": result}
            connection.sendall(json.dumps(reply).encode() + b"\0")


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


main()
