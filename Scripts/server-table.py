#!/usr/bin/python3
"""Generates the table of WebDAV servers in docs/webdav.md from Tests/Servers/findings.json.

usage: server-table.py --check             prints the difference and exits with 1 if there is one
       server-table.py --write             writes the table into the page
       server-table.py --record <LINES     adds findings of ServerSurveyTests (JSON lines) to the file, then writes
"""
import difflib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINDINGS, PAGE = ROOT / "Tests/Servers/findings.json", ROOT / "docs/webdav.md"
BEGIN, END = "<!-- servers: begin -->\n", "<!-- servers: end -->"


def row(found):
    cells = [
        found["server"],
        f"`{found['testedBy']}`",
        found["identifier"],
        found["version"],
        ", ".join(found["replacing"]),
        "yes" if found["resumesDownloads"] else "**no**",
        "; ".join(found["cannot"]) or "–",
    ]
    return "| " + " | ".join(cells) + " |\n"


def table(findings):
    head = "| server | tested by | identifier | version | a save asks it to | downloads resumed | cannot, or is not asked to |\n|---|---|---|---|---|---|---|\n"
    return head + "".join(row(found) for found in sorted(findings.values(), key=lambda found: found["server"].lower()))


def main():
    if sys.argv[1:] not in (["--check"], ["--write"], ["--record"]):
        sys.exit(__doc__)
    findings = json.loads(FINDINGS.read_text()) if FINDINGS.exists() else {}
    if sys.argv[1] == "--record":
        for line in filter(None, map(str.strip, sys.stdin)):
            findings.update(json.loads(line))
        FINDINGS.write_text(json.dumps(findings, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    page = PAGE.read_text()
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    wanted = page[:start] + table(findings) + page[end:]
    if sys.argv[1] != "--check":
        PAGE.write_text(wanted)
    elif wanted != page:
        sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), wanted.splitlines(True), "docs/webdav.md", "findings.json"))
        sys.exit(1)


main()
