"""A service that rclone's back end `hidrive` accepts, for tests of token renewal: hidrive.py --port N.

It has one folder with one document. An access token is valid for some seconds, a refresh token once. README.md has the addresses.
"""

import argparse
import http.server
import json
import threading
import time
import urllib.parse

LIFETIME = 3600
CONTENT = b"from the service"
FOLDER = {"type": "dir", "id": "folder", "name": "", "path": "/", "nmembers": 1, "mtime": 1700000000}
DOCUMENT = {"type": "file", "id": "document", "name": "note.txt", "path": "/note.txt", "size": len(CONTENT), "mtime": 1700000000}


class State:
    """The valid tokens."""

    def __init__(self):
        self.lock = threading.Lock()
        self.number = 0
        self.ends = 0.0
        self.refused = 0

    def renew(self, token):
        """New tokens for a refresh token; None if it is not the last one."""
        with self.lock:
            if token != f"hush-refresh-{self.number}":
                self.refused += 1
                return None
            self.number += 1
            self.ends = time.time() + LIFETIME
            return {
                "access_token": f"hush-access-{self.number}",
                "refresh_token": f"hush-refresh-{self.number}",
                "token_type": "Bearer",
                "expires_in": LIFETIME,
            }

    def knows(self, token):
        with self.lock:
            return self.number > 0 and token == f"Bearer hush-access-{self.number}" and time.time() < self.ends


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body):
        bytes_ = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(bytes_)))
        self.end_headers()
        self.wfile.write(bytes_)

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        if self.path != "/token" or form.get("grant_type") != ["refresh_token"]:
            return self.answer(404, {"code": 404, "msg": "not here"})
        tokens = STATE.renew(form.get("refresh_token", [""])[0])
        self.answer(200 if tokens else 400, tokens or {"error": "invalid_grant"})

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(address.query)
        if address.path == "/state":
            return self.answer(200, {"renewed": STATE.number, "refused": STATE.refused})
        if not STATE.knows(self.headers.get("Authorization")):
            return self.answer(401, {"code": 401, "msg": "Unauthorized"})
        path = "/" + query.get("path", ["/"])[0].strip("/")
        known = {"/": FOLDER, "/note.txt": DOCUMENT}.get(path)
        if known is None:
            return self.answer(404, {"code": 404, "msg": "Not Found"})
        if address.path == "/api/meta":
            return self.answer(200, known)
        if address.path == "/api/dir" and known is FOLDER:
            return self.answer(200, FOLDER | {"members": [DOCUMENT]})
        if address.path == "/api/file" and known is DOCUMENT:
            return self.answer(200, CONTENT)
        self.answer(404, {"code": 404, "msg": "Not Found"})

    def log_message(self, format, *arguments):
        # Only the path: no header, no form.
        print(self.command, self.path, flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, required=True)
STATE = State()
http.server.ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
