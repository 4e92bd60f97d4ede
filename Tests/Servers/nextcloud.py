#!/usr/bin/env python3
"""An imitation of the parts of Nextcloud that the provider uses: file numbers that survive a rename, SEARCH by number,
atomic PUT that respects If-Match and If-None-Match, chunked uploads of version 2, capabilities, the trash bin, versions,
previews. Prints `url=`, and stays until the process named by --parent is gone. Standard library only; documents are kept
in memory.

POST /control/cut N:PART: the Nth PUT or MOVE of a path with that part is executed, but its reply is lost.
GET /control/log: the methods and paths so far.
POST /control/trash off: the trash bin is gone, as if an administrator had turned it off; what is deleted is lost.
POST /control/versions off: there are no versions. thin: those that are listed have no content.
POST /control/tick N: from now on the clock is N seconds ahead.
"""

import email.utils
import hashlib
import http.server
import os
import re
import sys
import threading
import time
import urllib.parse
import zlib
from xml.sax.saxutils import escape

USER = "anna"
FILES = "/remote.php/dav/files/" + USER
UPLOADS = "/remote.php/dav/uploads/" + USER
BIN = "/remote.php/dav/trashbin/" + USER + "/trash"
VERSIONS = "/remote.php/dav/versions/" + USER + "/versions"
TARGET = "/remote.php/dav/versions/" + USER + "/restore/target"
RESTORE = "/remote.php/dav/trashbin/" + USER + "/restore/"
lock = threading.RLock()
log = []
cuts = []
bin_entries = {}
has_bin = True
versions = "on"
ahead = 0
numbers = iter(range(100, 1 << 40))


def by_number(node, number):
    if node.number == number:
        return node
    return next((f for c in (node.children or {}).values() if (f := by_number(c, number))), None)


def png(width, height):
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    pixels = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class Node:
    def __init__(self, content=None):
        self.number = next(numbers)
        self.content = content
        self.children = {} if content is None else None
        self.earlier = {}
        self.touch()

    def replace(self, content):
        """One version a second, as in the original: of several in one second the last stays."""
        self.earlier[int(self.time)] = self.content
        self.content = content
        self.touch()

    def touch(self):
        self.time = time.time() + ahead
        self.tag = hashlib.md5(f"{self.number}{time.time_ns()}".encode()).hexdigest()


tops = {FILES: Node(), UPLOADS: Node()}


def find(path):
    for top, node in tops.items():
        if path == top or path.startswith(top + "/"):
            names = [n for n in path[len(top):].split("/") if n]
            parent = None
            for i, name in enumerate(names):
                parent, node = node, (node.children or {}).get(name) if node else None
                if node is None and i < len(names) - 1:
                    return None, None, None
            return parent, node, names[-1] if names else None
    return None, None, None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            result = b""
            while size := int(self.rfile.readline(), 16):
                result += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return result
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def condition(self, node):
        tag = f'"{node.tag}"' if node else None
        if self.headers.get("If-None-Match") == "*" and node:
            return False
        if (wanted := self.headers.get("If-Match")) and wanted != tag:
            return False
        if (given := self.headers.get("If")) and (wanted := re.search(r"\[(.*)\]", given)) and wanted[1] != tag:
            return False
        return True

    def describe(self, path, node):
        kind = "<d:resourcetype><d:collection/></d:resourcetype>" if node.content is None else (
            f"<d:resourcetype/><d:getcontentlength>{len(node.content)}</d:getcontentlength>")
        slash = "/" if node.content is None else ""
        return (f"<d:response><d:href>{escape(urllib.parse.quote(path))}{slash}</d:href><d:propstat><d:prop>{kind}"
                f"<d:getlastmodified>{email.utils.formatdate(node.time, usegmt=True)}</d:getlastmodified>"
                f'<d:getetag>&quot;{node.tag}&quot;</d:getetag><oc:fileid>{node.number}</oc:fileid>'
                "<oc:permissions>RGDNVWCK</oc:permissions></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
                "<d:propstat><d:prop><d:creationdate/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
                "</d:response>")

    def multistatus(self, responses):
        self.answer(207, '<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"'
                    ' xmlns:nc="http://nextcloud.org/ns">' + "".join(responses) + "</d:multistatus>", Content_Type="application/xml; charset=utf-8")

    def trash(self, path, node, parent, name):
        """Moves what is deleted from the files to the trash bin."""
        del parent.children[name]
        if not has_bin or not path.startswith(FILES + "/"):
            return
        when = int(time.time())
        while f"{name}.d{when}" in bin_entries:
            when += 1
        bin_entries[f"{name}.d{when}"] = (node, name, path[len(FILES) + 1:], when)

    def describe_trashed(self, identifier):
        node, name, place, when = bin_entries[identifier]
        kind = "<d:resourcetype><d:collection/></d:resourcetype>" if node.content is None else (
            f"<d:resourcetype/><d:getcontentlength>{len(node.content)}</d:getcontentlength>")
        return (f"<d:response><d:href>{escape(urllib.parse.quote(BIN + '/' + identifier))}</d:href><d:propstat><d:prop>"
                f"{kind}<oc:fileid>{node.number}</oc:fileid><nc:trashbin-filename>{escape(name)}</nc:trashbin-filename>"
                f"<nc:trashbin-original-location>{escape(place)}</nc:trashbin-original-location>"
                f"<nc:trashbin-deletion-time>{when}</nc:trashbin-deletion-time></d:prop>"
                "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")

    def handle_bin(self, path):
        identifier = path[len(BIN) + 1:]
        if not has_bin or (identifier and identifier not in bin_entries):
            return self.answer(404)
        if self.command == "PROPFIND":
            top = (f"<d:response><d:href>{BIN}/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>"
                   "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")
            inner = map(self.describe_trashed, bin_entries) if self.headers.get("Depth") == "1" else []
            return self.multistatus([top, *inner])
        if self.command == "DELETE" and identifier:
            del bin_entries[identifier]
            return self.answer(204)
        if self.command == "MOVE" and identifier:
            target = urllib.parse.unquote(urllib.parse.urlsplit(self.headers["Destination"]).path)
            if not target.startswith(RESTORE):
                return self.answer(403)
            node, name, place, _ = bin_entries.pop(identifier)
            upper, _, _ = find(f"{FILES}/{place}")
            if upper is None or upper.children is None:
                upper = tops[FILES]
            while name in upper.children:
                stem, dot, ending = name.rpartition(".")
                name = f"{stem} (restored).{ending}" if dot and stem else f"{name} (restored)"
            upper.children[name] = node
            return self.changed(201)
        return self.answer(405)

    def preview(self):
        """A picture of a document that begins with "picture" or "photo"; of all others there is none."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        node = by_number(tops[FILES], int(query["fileId"]))
        if node is None or node.content is None or query.get("forceIcon") != "0":
            return self.answer(404)
        if node.content.startswith(b"picture"):
            return self.answer(200, png(int(query["x"]), int(query["y"]) // 2), Content_Type="image/png")
        if node.content.startswith(b"photo"):
            return self.answer(200, b"\xff\xd8\xff\xe0" + node.content, Content_Type="image/jpeg")
        if node.content.startswith(b"login"):
            return self.answer(200, "<html>Log in</html>", Content_Type="text/html")
        return self.answer(404)

    def numbered(self, number, node=None):
        node = node or tops[FILES]
        if str(node.number) == number:
            return node
        return next(filter(None, (self.numbered(number, child) for child in (node.children or {}).values())), None)

    def handle_versions(self, path):
        names = path[len(VERSIONS) + 1:].split("/")
        node = self.numbered(names[0])
        if versions == "off" or node is None or node.content is None or len(names) > 2:
            return self.answer(404)
        # The current one is listed too.
        all_versions = {**node.earlier, int(node.time): node.content}
        if self.command == "PROPFIND" and len(names) == 1:
            top = (f"<d:response><d:href>{path}/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>"
                   "</d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")
            return self.multistatus([top] + [
                f"<d:response><d:href>{path}/{when}</d:href><d:propstat><d:prop><d:resourcetype/>"
                f"<d:getcontentlength>{len(content)}</d:getcontentlength>"
                f"<d:getlastmodified>{email.utils.formatdate(when, usegmt=True)}</d:getlastmodified>"
                f"<nc:version-author>{USER}</nc:version-author></d:prop>"
                "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
                for when, content in all_versions.items()])
        if len(names) != 2 or not names[1].isdigit() or int(names[1]) not in all_versions or versions == "thin":
            return self.answer(404)
        content = all_versions[int(names[1])]
        if self.command == "GET":
            return self.answer(200, content)
        if self.command == "MOVE":
            target = urllib.parse.unquote(urllib.parse.urlsplit(self.headers["Destination"]).path)
            if target != TARGET:
                return self.answer(403)
            node.replace(content)
            return self.changed(204)
        return self.answer(405)

    def handle_one(self):
        global ahead, has_bin, versions
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path).rstrip("/")
        body = self.body()
        if path == "/control/cut":
            count, part = body.decode().split(":")
            cuts.append([int(count), part])
            return self.answer(204)
        if path == "/control/log":
            return self.answer(200, "\n".join(log))
        if path == "/control/trash":
            has_bin = body.decode() != "off"
            return self.answer(204)
        if path == "/control/versions":
            versions = body.decode()
            return self.answer(204)
        if path == "/control/tick":
            ahead += int(body.decode())
            return self.answer(204)
        log.append(f"{self.command} {path}")
        if path == "/ocs/v2.php/cloud/capabilities":
            if self.headers.get("OCS-APIRequest") != "true":
                return self.answer(412)
            return self.answer(200, '{"ocs":{"data":{"capabilities":{"dav":{"chunking":"1.0"}}}}}')
        if path == "/index.php/core/preview" and self.command == "GET":
            return self.preview()
        if path == BIN or path.startswith(BIN + "/"):
            return self.handle_bin(path)
        if path.startswith(VERSIONS + "/"):
            return self.handle_versions(path)
        parent, node, name = find(path)
        method = self.command
        if method == "OPTIONS":
            return self.answer(200, DAV="1, 3, extended-mkcol, access-control, nextcloud-checksum-update, nc-calendar-search")
        if method == "SEARCH":
            number = int(re.search(rb"<d:literal>(\d+)</d:literal>", body)[1])
            found = []

            def walk(path, node):
                if node.number == number:
                    found.append(self.describe(path, node))
                for name, child in (node.children or {}).items():
                    walk(f"{path}/{name}", child)

            walk(FILES, tops[FILES])
            return self.multistatus(found)
        if node is None and method in ("PROPFIND", "GET", "DELETE", "MOVE") and not path.endswith("/.file"):
            return self.answer(404)
        if method == "PROPFIND":
            responses = [self.describe(path, node)]
            if self.headers.get("Depth") == "1":
                responses += [self.describe(f"{path}/{n}", c) for n, c in (node.children or {}).items()]
            return self.multistatus(responses)
        if method == "GET":
            tag, content = f'"{node.tag}"', node.content
            if self.headers.get("If-Match", tag) != tag:
                return self.answer(412)
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if asked and self.headers.get("If-Range", tag) == tag:
                first = int(asked[1])
                if first >= len(content):
                    return self.answer(416, Content_Range=f"bytes */{len(content)}")
                last = min(int(asked[2] or len(content)), len(content) - 1)
                return self.answer(206, content[first:last + 1], ETag=tag,
                                   Content_Range=f"bytes {first}-{last}/{len(content)}")
            return self.answer(200, content, ETag=tag)
        if method == "MKCOL":
            if node or parent is None:
                return self.answer(405 if node else 409)
            parent.children[name] = Node()
            return self.answer(201)
        if method == "DELETE":
            self.trash(path, node, parent, name)
            return self.answer(204)
        if method == "PUT":
            if parent is None or parent.children is None:
                return self.answer(404)
            if not self.condition(node):
                return self.answer(412)
            if path.startswith(UPLOADS) and "OC-Total-Length" not in self.headers:
                return self.answer(400)
            if node:
                node.replace(body)
            else:
                parent.children[name] = Node(body)
            return self.changed(204 if node else 201)
        if method == "MOVE":
            target = urllib.parse.unquote(urllib.parse.urlsplit(self.headers["Destination"]).path).rstrip("/")
            new_parent, old, new_name = find(target)
            if new_parent is None:
                return self.answer(409)
            if (old and self.headers.get("Overwrite") == "F") or not self.condition(old):
                return self.answer(412)
            if path.endswith("/.file"):
                if parent is None:
                    return self.answer(404)
                content = b"".join(parent.children[n].content for n in sorted(parent.children))
                if len(content) != int(self.headers["OC-Total-Length"]):
                    return self.answer(400)
                if old:
                    old.replace(content)
                else:
                    new_parent.children[new_name] = Node(content)
                upper, _, upload = find(path.rsplit("/", 1)[0])
                del upper.children[upload]
            else:
                new_parent.children[new_name] = parent.children.pop(name)
            return self.changed(204 if old else 201)
        return self.answer(405)

    def changed(self, status):
        for cut in cuts:
            if cut[1] in urllib.parse.unquote(self.path):
                cut[0] -= 1
                if cut[0] == 0:
                    cuts.remove(cut)
                    self.close_connection = True
                    return None
        return self.answer(status)

    def handle_method(self):
        with lock:
            self.handle_one()

    do_OPTIONS = do_PROPFIND = do_GET = do_PUT = do_MKCOL = do_DELETE = do_MOVE = do_SEARCH = do_POST = handle_method


def main():
    http.server.ThreadingHTTPServer.request_queue_size = 128
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"url=http://127.0.0.1:{server.server_port}{FILES}/", flush=True)
    if os.fork():
        os._exit(0)
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    parent = int(sys.argv[2])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.path.exists(f"/proc/{parent}"):
        time.sleep(1)


main()
