#!/usr/bin/env python3
"""Checks that each target declares the modules that it imports; the compiler accepts what a dependency brings along.

    swift package dump-package | check-imports.py

Prints each undeclared import and exits with 1 if there are any.
"""

import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMPORT = re.compile(
    r"^(?:@\w+ )*(?:(?:public|package|internal|fileprivate|private) )?"
    r"import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)")


def declared(target):
    """The modules that a target may import: its own, and what it depends on directly."""
    names = {target["name"]}
    for dependency in target["dependencies"]:
        names.add((dependency.get("byName") or dependency.get("product") or dependency.get("target"))[0])
    return names


def imports(target):
    """(file, line number, module) of each import of a target."""
    folder = os.path.join(ROOT, target.get("path") or os.path.join("Sources", target["name"]))
    for directory, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(directory, name) not in target["others"]]
        for name in files:
            if not name.endswith(".swift"):
                continue
            path = os.path.join(directory, name)
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    found = IMPORT.match(line)
                    if found:
                        yield os.path.relpath(path, ROOT), number, found[1]


def main():
    targets = json.load(sys.stdin)["targets"]
    # Modules of the system are nobody's to declare.
    known = set().union(*(declared(target) for target in targets))
    bad = 0
    for target in targets:
        target["others"] = {
            os.path.join(ROOT, other["path"]) for other in targets if other.get("path") and other is not target
        }
        for path, number, module in imports(target):
            if module in known and module not in declared(target):
                print(f"{path}:{number}: error: the target {target['name']} does not declare {module} in Package.swift")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
