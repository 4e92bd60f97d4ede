#!/usr/bin/python3
"""Writes the tallies of KillRoundTests (JSON lines on standard input) into the table of docs/durability.md.

usage: kill-table.py ROUNDS FILE
"""
import collections
import datetime
import json
import pathlib
import sys

BEGIN, END = "<!-- kill table: begin -->", "<!-- kill table: end -->"
COUNTS = ["tried", "others", "confirmed", "current", "replaced", "keptAsVersion", "leftovers"]
LISTS = ["lost", "duplicates", "mixed"]


def row(name, tallies):
    values = [len(tallies)] + [sum(tally[key] for tally in tallies) for key in COUNTS[:-1]]
    values += [sum(len(tally[key]) for tally in tallies) for key in LISTS]
    values.append(sum(tally["leftovers"] for tally in tallies))
    return f"| {name} | " + " | ".join(str(value) for value in values) + " |"


def main():
    wanted, path = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    tallies = [json.loads(line) for line in sys.stdin if line.strip()]
    if not tallies:
        sys.exit("no round has a result")
    kills = collections.Counter()
    for tally in tallies:
        kills.update(tally["killed"])
    lines = [
        BEGIN,
        f"{len(tallies)} of {wanted} rounds finished, on {datetime.date.today()}. Killed during a save or its upload: "
        + ", ".join(f"{name} {count}" for name, count in sorted(kills.items()) if name != "nobody")
        + f"; nothing was killed in {kills['nobody']} saves.",
        "",
        "| server | rounds | saves tried | changed by another client | confirmed | current on the server | replaced later "
        "| kept as a version | **lost** | **doubled** | **mixed** | temporary names left |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for server in sorted({tally["server"] for tally in tallies}):
        lines.append(row(server, [tally for tally in tallies if tally["server"] == server]))
    lines += [row("all", tallies), END]
    text = path.read_text()
    head, rest = text.split(BEGIN, 1)
    path.write_text(head + "\n".join(lines) + rest.split(END, 1)[1])
    print("\n".join(lines[1:-1]))
    if any(tally[key] for tally in tallies for key in LISTS) or len(tallies) < wanted:
        sys.exit(1)


if __name__ == "__main__":
    main()
