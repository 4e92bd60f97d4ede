#!/usr/bin/python3
"""Generates the tables of docs/environment.md from Sources/DocentInterfaces/EnvironmentVariable.swift.

`--check` writes nothing and fails when the page is not up to date.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST, PAGE = ROOT / "Sources/DocentInterfaces/EnvironmentVariable.swift", ROOT / "docs/environment.md"
STRING = r'(?:"""\n(?P<{0}Lines>.*?)\n\s*"""|"(?P<{0}>(?:[^"\\\n]|\\.)*)")'
ENTRY = re.compile(
    r"\.init\(\s*\[(?P<names>[^\]]*)\], \.(?P<audience>\w+),\s*" + STRING.format("meaning")
    + r"(?:,\s*otherwise:\s*" + STRING.format("otherwise") + r")?\)",
    re.DOTALL,
)
HEAD = "| variable | meaning | if unset |\n|---|---|---|\n"


def text(entry, name):
    lines = entry[name + "Lines"]
    if lines is not None:
        # A backslash at the end of a line of a Swift literal joins it with the next line.
        joined = re.sub(r"\\\n\s*", "", lines.strip())
    else:
        joined = entry[name] or ""
    return re.sub(r"\\(.)", r"\1", joined)


def variables():
    source = LIST.read_text()
    listed = source[source.index("static let all"):]
    entries = list(ENTRY.finditer(listed))
    if len(entries) != listed.count(".init("):
        sys.exit(f"{LIST.name}: {listed.count('.init(')} entries, and {len(entries)} can be read")
    for entry in entries:
        names = re.findall(r'"([A-Z_]+)"', entry["names"])
        yield entry["audience"], names, text(entry, "meaning"), text(entry, "otherwise")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    rows = {}
    for audience, names, meaning, otherwise in variables():
        cells = ", ".join(f"`{name}`" for name in names), meaning, otherwise
        rows.setdefault(audience, []).append("| " + " | ".join(cells) + " |\n")
    page = PAGE.read_text()
    tables = re.compile(r"<!-- variables: (\w+) -->\n(?:\|[^\n]*\n)*<!-- end -->")
    shown = tables.findall(page)
    if sorted(shown) != sorted(rows):
        sys.exit(f"{PAGE.name} has tables for {sorted(shown)}, and the variables are for {sorted(rows)}")
    wanted = tables.sub(lambda found: f"<!-- variables: {found[1]} -->\n{HEAD}{''.join(rows[found[1]])}<!-- end -->", page)
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(wanted)
    elif wanted != page:
        sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), wanted.splitlines(True), PAGE.name, LIST.name))
        sys.exit(f"{PAGE.name} is not up to date: run Scripts/generate-environment.py")


main()
