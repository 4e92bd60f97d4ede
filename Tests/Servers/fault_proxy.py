#!/usr/bin/env python3
"""An HTTP/1.1 proxy in front of a test server that delays, cuts, falsifies and refuses as a test requests, and records
every request. Standard library only. README.md lists the rules and the control commands.

    fault_proxy.py http://127.0.0.1:PORT [--port N] [--host ADDRESS] [--parent PID]

Prints `url=` (the way to the target), `control=` (HTTP: POST /rules, GET /requests, ...) and `pid=`, one per line.
"""

import argparse
import collections
import contextlib
import http.server
import json
import os
import random
import select
import socket
import sys
import threading
import time
import urllib.parse

sys.dont_write_bytecode = True
from fault_exchange import Exchange  # noqa: E402
from fault_rules import Rules  # noqa: E402
from http_stream import Cut, Headers, Stream  # noqa: E402


class Proxy:
    def __init__(self, target, port, host):
        self.set_target(target)
        self.rules = Rules()
        self.lock = threading.Lock()
        self.records = []
        self.next_record = 1
        self.late = []
        self.connections = set()
        self.listener = None
        self.port = port
        self.host = host
        self.open()

    def set_target(self, target):
        parts = urllib.parse.urlsplit(target)
        self.target = (parts.hostname, parts.port or 80)
        self.path = parts.path or "/"

    def open(self):
        """Listens on the same port as before."""
        while self.listener is None:
            # Below the ports of outgoing connections, so that it is still free when it is needed again.
            port = self.port or random.randrange(12000, 32000)
            try:
                listener = socket.create_server((self.host, port), backlog=128)
            except OSError:
                if self.port:
                    raise
                continue
            self.port, self.listener = port, listener
            threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def refuse(self):
        """Accepts no more connections, and ends the existing ones."""
        listener, self.listener = self.listener, None
        if listener:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self.cut()

    def cut(self):
        """Ends all connections at once."""
        with self.lock:
            connections = list(self.connections)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                if listener.fileno() < 0 or self.listener is not listener:
                    return
                time.sleep(0.01)
                continue
            client = Stream(connection)
            with self.lock:
                self.connections.add(client)
            # Refused since: it may have been accepted after the existing connections were ended.
            if self.listener is not listener:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        """All requests of one connection, with one connection to the server."""
        upstream = None
        reset = False
        try:
            while (lines := client.head()) is not None:
                if upstream is None or upstream.gone():
                    upstream = self.connect(upstream)
                exchange = Exchange(self, client, upstream, lines[0], Headers(lines[1:]))
                try:
                    keep = exchange.run()
                    exchange.record["complete"] = True
                finally:
                    exchange.record["finished"] = True
                if not keep:
                    break
        except Cut as cut:
            reset = cut.reset
        except (OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.connections.discard(client)
            client.close(reset)
            if upstream:
                upstream.close()

    def connect(self, old):
        if old:
            old.close()
        return Stream(socket.create_connection(self.target, timeout=None))

    def note(self, exchange):
        get = exchange.headers.get
        record = {
            "method": exchange.method, "path": exchange.path, "range": get("range"), "ifMatch": get("if-match"),
            "ifNoneMatch": get("if-none-match"), "ifRange": get("if-range"), "destination": get("destination"),
            "headers": dict(exchange.headers), "rules": [rule.get("name", rule["action"]) for rule in exchange.rules],
            "status": None, "upstreamStatus": None, "requestBytes": 0, "responseBytes": 0, "complete": False,
            "finished": False, "late": None, "connection": id(exchange.client), "time": time.time(),
        }  # fmt: skip
        with self.lock:
            record["number"] = self.next_record
            self.next_record += 1
            self.records.append(record)
        return record

    def reset(self):
        self.rules.clear()
        self.rules.release()
        with self.lock:
            self.records = []
        if self.listener is None:
            self.open()


class Control(http.server.BaseHTTPRequestHandler):
    proxy: Proxy

    def do_GET(self):  # noqa: N802
        if self.path == "/requests":
            with self.proxy.lock:
                self.reply(200, [dict(record) for record in self.proxy.records])
        elif self.path == "/rules":
            self.reply(200, self.proxy.rules.list())
        else:
            self.reply(404, {"error": f"no {self.path}"})

    def do_POST(self):  # noqa: N802
        try:
            content = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "null")
            commands = collections.defaultdict(lambda: None, {
                "/rules": lambda: [
                    self.proxy.rules.add(rule) for rule in (content if isinstance(content, list) else [content])],
                "/rules/clear": self.proxy.rules.clear,
                "/release": self.proxy.rules.release,
                "/refuse": self.proxy.refuse,
                "/accept": self.proxy.open,
                "/cut": self.proxy.cut,
                "/reset": self.proxy.reset,
                "/target": lambda: self.proxy.set_target(content["url"]),
            })  # fmt: skip
            command = commands[self.path]
            if command is None:
                self.reply(404, {"error": f"no {self.path}"})
            else:
                self.reply(200, command())
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            self.reply(400, {"error": str(error)})

    def reply(self, status, content):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def end_with(parent):
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(parent)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.poll()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--parent", type=int)
    arguments = parser.parse_args()
    if arguments.parent:
        threading.Thread(target=end_with, args=(arguments.parent,), daemon=True).start()
    Control.proxy = Proxy(arguments.target, arguments.port, arguments.host)
    control = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
    control.daemon_threads = True
    print(f"url=http://{arguments.host}:{Control.proxy.port}{Control.proxy.path}")
    print(f"control=http://127.0.0.1:{control.server_port}/")
    print(f"pid={os.getpid()}", flush=True)
    control.serve_forever()


if __name__ == "__main__":
    main()
