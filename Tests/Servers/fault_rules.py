"""The tests' rules for the fault proxy, and the requests that they apply to. README.md has the list."""

import threading
import urllib.parse

ACTIONS = {"status", "dropReply", "cutRequest", "cutResponse", "delay", "throttle", "truncate", "corrupt", "swap",
           "wrongLength", "hold", "hang", "late", "headers"}  # fmt: skip
FIELDS = {"action", "name", "method", "path", "header", "nth", "times", "stage", "after", "seconds", "rate", "status",
          "retryAfter", "headers", "body", "bodyFile", "bytes", "offset", "with", "etag", "delta", "chunked",
          "reset"}  # fmt: skip


class Rules:
    """The rules of the tests. Each request that matches a rule counts for `nth`; it ends after `times` applications."""

    def __init__(self):
        self.lock = threading.Lock()
        self.rules = []
        self.released = threading.Event()
        self.next_number = 1

    def add(self, rule):
        unknown = set(rule) - FIELDS
        if unknown or rule.get("action") not in ACTIONS:
            raise ValueError(f"unknown fields {sorted(unknown)} or action {rule.get('action')!r}")
        with self.lock:
            rule = {"times": 1, "nth": 1, **rule, "number": self.next_number, "seen": 0, "applied": 0}
            self.next_number += 1
            self.rules.append(rule)
            return rule["number"]

    def matching(self, method, path, headers):
        """The rules for this request, which are thereby applied once."""
        plain = urllib.parse.unquote(path)
        found = []
        with self.lock:
            for rule in self.rules:
                wanted = rule.get("method") or [method]
                if method not in ([wanted] if isinstance(wanted, str) else wanted):
                    continue
                if not any(rule.get("path", "") in form for form in (path, plain)):
                    continue
                if "header" in rule and rule["header"].lower() not in headers:
                    continue
                rule["seen"] += 1
                if rule["seen"] < rule["nth"]:
                    continue
                rule["applied"] += 1
                found.append(dict(rule, released=self.released))
            self.rules = [one for one in self.rules if not one["times"] or one["applied"] < one["times"]]
        return found

    def list(self):
        with self.lock:
            return [dict(rule) for rule in self.rules]

    def clear(self):
        with self.lock:
            self.rules = []

    def release(self):
        """Releases everything that is held now; later holds wait for the next release."""
        with self.lock:
            self.released.set()
            self.released = threading.Event()
