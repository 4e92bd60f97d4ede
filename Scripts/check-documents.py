#!/usr/bin/env python3
"""Checks the Markdown files of this tree: links, length of lines, and wording.

Every relative link must lead to a file and a heading of this tree. In pages for readers, prose wraps at 120 columns and
avoids the phrases below. Tables, code and lines that cannot be broken may be longer. Every test that the threat model
names must exist.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 120

# The history is not rewritten.
LINKS_ONLY = {"CHANGELOG.md"}

# Patterns that no sentence may contain, each with the reason.
PHRASES = [
    (r"(?:^|[.!?:] )(?:Of|Whose) [a-z]", "begins with Of or Whose: name the thing first"),
    (r"\bWhence\b", "Whence"),
    (r"(?:^|[.!?] )What [^.,:;?]*, that\b", "What …, that …"),
    (r"\b(?:Those|those) that nobody\b", "Those that nobody …"),
    (r"\b(?:is|are|was|were|be|been|not|never) (?:told|heard)\b", "told, heard: write reported, notified, ignored"),
    (r"\bfarewell\b", "farewell: write close"),
    (r"\bof no (?:weight|use|avail)\b", "of no …: write irrelevant, or what does not work"),
    (r"\bfor your word\b", "word: write answer"),
    (r"\bgoes? on\b", "goes on: write continues"),
    (r"\b(?:lies?|lying) (?:in|beside|below|there|here|where|on)\b", "lies: write is"),
    (r"[“”„«»]", "write straight quotation marks"),
]


def pages():
    """The Markdown files that belong to the tree, by their paths in it."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    try:
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.md")]
    return sorted(name for name in names if name and ".build" not in name and (ROOT / name).is_file())


def prose(text):
    """The lines outside code, with their numbers."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fence = None if fence else mark.group(1)
        elif not fence:
            yield number, line


def paragraphs(text):
    """Each paragraph, item of a list or row of a table as one line, with the number of its first."""
    start, words = 0, []
    for number, line in list(prose(text)) + [(0, "")]:
        stripped = line.strip()
        isNew = not stripped or re.match(r"([-*+] |\d+\. |\||#|<!--)", stripped)
        if isNew and words:
            yield start, " ".join(words)
            words = []
        if stripped and not stripped.startswith(("#", "<!--")):
            if not words:
                start = number
            words.append(re.sub(r"^(?:[-*+] |\d+\. )", "", stripped))


def anchor(heading):
    """The name that a heading has in links."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.lstrip("#").strip().lower())
    return "".join("-" if c == " " else c for c in heading if c.isalnum() or c in " -_")


def anchors(path):
    found = set()
    for _, line in prose(path.read_text(encoding="utf-8")):
        if line.startswith("#"):
            name = anchor(line)
            number = 0
            while name + (f"-{number}" if number else "") in found:
                number += 1
            found.add(name + (f"-{number}" if number else ""))
    return found


def links(name, text):
    for number, line in prose(text):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if "://" in target or target.startswith("mailto:"):
                continue
            path, _, heading = target.partition("#")
            place = (ROOT / name).parent / path if path else ROOT / name
            if not place.exists():
                yield number, f"links to {target}, which is not there"
            elif heading and place.suffix == ".md" and heading not in anchors(place):
                yield number, f"links to {target}, but there is no such heading"


def lengths(text):
    for number, line in prose(text):
        stripped = line.strip()
        if len(line) <= COLUMNS or stripped.startswith(("|", "#", "<!--")) or line.startswith("    "):
            continue
        # A link or a code span is not broken.
        if " " in re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", "x", stripped)[:-1].lstrip("-*+ "):
            yield number, f"has {len(line)} columns"


def wording(text):
    for number, line in paragraphs(text):
        plain = re.sub(r"`[^`]*`|\*\*?|_", "", line)
        for sentence in plain.split(" | ") if line.startswith("|") else [plain]:
            for pattern, why in PHRASES:
                found = re.search(pattern, sentence.strip("| "))
                if found:
                    yield number, f'"{found.group(0).strip()}": {why}'


def named_tests(text):
    """The tests that the tables of a page name and that the tree does not have."""
    suites = {}
    for path in (ROOT / "Tests").rglob("*.swift"):
        source = path.read_text(encoding="utf-8")
        for suite in re.findall(r"(?:struct|class|actor|enum|extension) (\w+)", source):
            suites.setdefault(suite, set()).update(re.findall(r"func (\w+)", source))
        # Tests of a suite may be in extensions of another file, and an attack's own name is a string of a test.
        suites.setdefault(path.stem, set()).update(re.findall(r"func (\w+)", source))
        suites[path.stem].update(re.findall(r'"([\w-]+)"', source))
    for number, line in prose(text):
        if not line.startswith("|"):
            continue
        suite = None
        for name in re.findall(r"`([^`]+)`", line.rstrip("| ").rpartition("|")[2]):
            if " " in name:
                continue
            parts = name.split(".")
            if parts[0].endswith("Tests"):
                suite = parts[-2] if len(parts) > 1 and parts[-2].endswith("Tests") else parts[0]
                if parts[-1].endswith("Tests"):
                    suite = parts[-1]
                if suite not in suites:
                    yield number, f"there are no tests {suite}"
            if not parts[-1].endswith("Tests") and suite in suites and parts[-1] not in suites[suite]:
                yield number, f"{suite} has no test {parts[-1]}"


def main():
    findings = []
    for name in pages():
        text = (ROOT / name).read_text(encoding="utf-8")
        found = list(links(name, text)) if not name.startswith("Templates/") else []
        if name == "docs/threat-model.md":
            found += list(named_tests(text))
        if name not in LINKS_ONLY and not name.startswith("Sources/"):
            found += list(lengths(text)) + list(wording(text))
        findings += [f"{name}:{number}: {why}" for number, why in sorted(found)]
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
