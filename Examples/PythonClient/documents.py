#!/usr/bin/env python3
"""Docent from another language: lists providers and documents with the package `varlink`, and reads a document over a
plain socket, since its content travels as a descriptor beside the message.

Without an argument it lists the providers, with PROVIDER[@DOMAIN]:/PATH a folder or a document's content.
"""
import json
import os
import socket
import sys

import varlink


def socket_path():
    runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    return os.environ.get("DOCENT_SOCKET") or f"{runtime}/docent/docent.sock"


def location(text):
    authority, _, path = text.partition(":")
    provider, _, domain = authority.partition("@")
    return {"provider": provider, "domain": domain, "path": path or "/"}


class Connection:
    """A connection that takes descriptors too: a call is one JSON object and a NUL, and so is its answer."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)

    def call(self, method, **parameters):
        self.socket.sendall(json.dumps({"method": method, "parameters": parameters}).encode() + b"\0")
        data, descriptors = b"", []
        while not data.endswith(b"\0"):
            part, received, _, _ = socket.recv_fds(self.socket, 65536, 16)
            descriptors += received
            data += part or sys.exit("The daemon closed the connection.")
        reply = json.loads(data[:-1])
        if error := reply.get("error"):
            sys.exit(f"{error}: {reply.get('parameters', {}).get('message', '')}")
        return reply.get("parameters", {}), descriptors


def read(where):
    """Choosing a document grants it; the descriptor reads this very content, whatever becomes of the document."""
    connection = Connection(socket_path())
    connection.call("org.docent.Documents.OpenSession", client="org.example.PythonClient")
    operation = os.urandom(8).hex()
    chosen, _ = connection.call("org.docent.Picker.PickOpen", location=where, access="read", operation=operation)
    opened, descriptors = connection.call("org.docent.Documents.Open", reference=chosen["item"]["reference"])
    with open(descriptors[opened["file"]], "rb") as file:
        while part := file.read(1 << 16):
            sys.stdout.buffer.write(part)


def main():
    with varlink.Client("unix:" + socket_path()) as client, client.open("org.docent.Picker") as picker:
        if len(sys.argv) < 2:
            for provider in picker.ListProviders()["providers"]:
                print(provider["identifier"], provider["displayName"], *provider["modes"])
            return
        where = location(sys.argv[1])
        if not picker.GetItem(where)["item"]["isFolder"]:
            return read(where)
        page = {"nextPage": None}
        while "nextPage" in page:
            page = picker.ListFolder(where, page["nextPage"])
            for item in page["items"]:
                print(item["name"] + ("/" if item["isFolder"] else ""))


if __name__ == "__main__":
    try:
        main()
    except (OSError, varlink.VarlinkError) as error:
        sys.exit(f"{error} (is the daemon running? docent daemon start)" if isinstance(error, OSError) else f"{error}")
