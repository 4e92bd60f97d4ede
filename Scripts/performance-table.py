#!/usr/bin/python3
"""Generates the table of docs/performance.md from docs/performance.json, which is the JSON of one `make bench`.

usage: performance-table.py --check           prints the difference and exits with 1 if there is one
       performance-table.py --write           writes the table into the page
       performance-table.py --record <JSON    stores a run as docs/performance.json, then writes
"""
import datetime
import difflib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES, PAGE = ROOT / "docs/performance.json", ROOT / "docs/performance.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->"


def text(value, unit):
    """As the benchmarks print it."""
    number = str(int(value)) if not unit else f"{value:.2f}" if value < 10 else f"{value:.1f}"
    return number + "×" if unit == "times" else f"{number} {unit}".rstrip()


def row(finding):
    parts = {part["name"]: part for part in finding["parts"]}
    low, high = parts.pop("lowest ratio", None), parts.pop("highest ratio", None)
    rounds = f"{text(low['value'], 'times')} to {text(high['value'], 'times')}" if low and high else "-"
    goal = finding.get("goal")
    met = "" if goal is None or finding["value"] <= goal else ", **missed**"
    cells = [
        finding["what"],
        text(finding["value"], finding["unit"]),
        rounds,
        "-" if goal is None else f"≤ {text(goal, finding['unit'])}{met}",
        ", ".join(f"{name} {text(part['value'], part['unit'])}" for name, part in parts.items()) or "-",
    ]
    return "| " + " | ".join(cells) + " |\n"


def table(run):
    out = (f"\nOne run of `make bench` on {run['date']}: {run['rounds']} rounds or more, load average "
           f"{run['loadAverage']:.1f} at the start.\n\n")
    out += "| what | median | rounds | goal | made of |\n|---|---|---|---|---|\n"
    out += "".join(row(finding) for finding in run["findings"])
    for failure in run["failures"]:
        out += f"\n`{failure['name']}` failed: {failure['why']}\n"
    return out + "\n"


def main():
    if sys.argv[1:] not in (["--check"], ["--write"], ["--record"]):
        sys.exit(__doc__)
    if sys.argv[1] == "--record":
        run = {"date": datetime.date.today().isoformat()} | json.load(sys.stdin)
        FIGURES.write_text(json.dumps(run, indent=2, ensure_ascii=False) + "\n")
    page = PAGE.read_text()
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    wanted = page[:start] + table(json.loads(FIGURES.read_text())) + page[end:]
    if sys.argv[1] != "--check":
        PAGE.write_text(wanted)
    elif wanted != page:
        sys.stdout.writelines(difflib.unified_diff(
            page.splitlines(True), wanted.splitlines(True), "docs/performance.md", "docs/performance.json"))
        sys.exit(1)


main()
