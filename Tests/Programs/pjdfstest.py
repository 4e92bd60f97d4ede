"""Runs pjdfstest in a folder, as an ordinary user, and compares what fails with a list.

    pjdfstest.py SUITE FOLDER LIST [--account NAME] [--only REGEX] [--results FILE]

SUITE is what Scripts/pjdfstest.sh printed. What also fails in a folder of this machine's own, without the privileges
of root, says nothing about FOLDER and is left out. LIST names what else fails, and why:

    = A reason, in one sentence.
    chown/00.t 3,7-9
    link/*.t
    = [WebDAV] A reason that only counts for accounts of this name.

Those after a question mark may fail or not: `rmdir/00.t ?8`. So may all of a file without numbers.
Ends with a status other than 0 if anything else fails, or if something of the list does not.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

# For other systems.
LEFT_OUT = ("chflags/", "granular/", "posix_fallocate/")
# Seconds for one file of tests.
PATIENCE = 1200


def run(suite, test, folder):
    """The failed assertions of a file of tests, by number."""
    # Its tests take the name of their folder apart at spaces.
    link = tempfile.mkdtemp(prefix="pjdfstest-")
    work = os.path.join(link, "w")
    os.symlink(folder, work)
    place = os.path.join(work, "t" + re.sub(r"\W", "", test))
    os.mkdir(place)
    try:
        outcome = subprocess.run(
            ["/bin/sh", os.path.join(suite, "tests", test)], cwd=place, env={**os.environ, "PWD": place},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        text = outcome.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        text = (error.stdout or b"").decode(errors="replace") + "\nnot ok 0 - did not end\n"
    finally:
        # Some leave files behind whose modes forbid that.
        subprocess.run(["chmod", "-R", "u+rwX", place], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(link, ignore_errors=True)
    failed = {int(m[1]): m[2].strip(" -") for m in re.finditer(r"^not ok (\d+)(.*)$", text, re.M)}
    done = {int(m[1]) for m in re.finditer(r"^(?:not )?ok (\d+)", text, re.M)}
    plan = re.search(r"^1\.\.(\d+)", text, re.M)
    for number in range(1, int(plan[1]) + 1 if plan else 2):
        if number not in done:
            failed[number] = "was not reached"
    return failed, len(done)


def numbers(text):
    result = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        result.update(range(int(first), int(last or first) + 1))
    return result


def read(path, account):
    """What is expected to fail: for each file of tests the numbers, or None for all; and whether they must."""
    expected, reason, is_meant = {}, None, True
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.strip()
            if line.startswith("="):
                reason = line[1:].strip()
                name = re.match(r"\[(\w+)\]", reason)
                is_meant = not name or name[1] == account
            elif line and not line.startswith("#"):
                if reason is None:
                    sys.exit(f"{path}: {line}: without a reason")
                pattern, _, which = line.partition(" ")
                if is_meant:
                    expected.setdefault(pattern, []).append(
                        (numbers(which.lstrip("?")) if which else None, which[:1] not in ("", "?")))
    return expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite")
    parser.add_argument("folder")
    parser.add_argument("list")
    parser.add_argument("--account")
    parser.add_argument("--only", default="")
    parser.add_argument("--results")
    given = parser.parse_args()
    base = os.path.join(given.suite, "tests")
    tests = sorted(
        os.path.relpath(os.path.join(place, name), base)
        for place, _, names in os.walk(base) for name in names if name.endswith(".t"))
    tests = [test for test in tests if not test.startswith(LEFT_OUT) and re.search(given.only, test)]
    expected = read(given.list, given.account)
    folder = os.path.abspath(given.folder)
    here = tempfile.mkdtemp(prefix="pjdfstest-here-")
    unknown, absent, results = [], [], {}
    total = own = listed = 0
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        locally = {test: pool.submit(run, given.suite, test, here) for test in tests}
        for test in tests:
            failed, count = run(given.suite, test, folder)
            also, _ = locally[test].result()
            total += count
            own += len(failed.keys() & also.keys())
            failed = {number: text for number, text in failed.items() if number not in also}
            results[test] = failed
            wanted, allowed, everything = set(), set(), False
            for pattern, entries in expected.items():
                if fnmatch.fnmatch(test, pattern):
                    for which, is_certain in entries:
                        everything |= which is None
                        allowed |= which or set()
                        wanted |= which if is_certain else set()
            if everything:
                listed += len(failed)
                continue
            listed += len(failed.keys() & allowed)
            unknown += [f"{test} {number}: {text}" for number, text in failed.items() if number not in allowed]
            absent += [f"{test} {number}" for number in sorted(wanted - failed.keys() - also.keys())]
    shutil.rmtree(here, ignore_errors=True)
    if given.results:
        with open(given.results, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    for line in unknown:
        print(f"fails: {line}")
    for line in absent:
        print(f"does not fail any more: {line}")
    print(f"{total} assertions of {len(tests)} files in {time.monotonic() - start:.0f} s: {own} fail on this machine's "
          f"own file system too, {listed} fail for the reasons of the list, {len(unknown)} for none")
    sys.exit(1 if unknown or absent else 0)


if __name__ == "__main__":
    main()
