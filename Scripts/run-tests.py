#!/usr/bin/env python3
"""Builds the tests, runs those of a tier, and shows the progress and the remaining time.

    run-tests.py check|test|full|build [--seed N] [--filter REGEX]... [--skip REGEX]...

Called by Scripts/test.sh, which prepares the environment. The tests of a tier are those whose target lies in its folder below Tests:

    check   Tests/Check
    test    Tests/Check and Tests/System, of which some take a sample that --seed chooses
    full    Tests/Check, Tests/System and Tests/Full, everything

All output goes to a log, which is named; only a line for each finished step, the failures, the ten slowest suites and
the total are printed here.
"""

import argparse
import collections
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The folders whose tests run together, one group after another. In `full` the long tests leave processors idle that the
# others use.
TIERS = {"build": [], "check": [["Check"]], "test": [["Check"], ["System"]], "full": [["Check"], ["System", "Full"]]}
# A target names each module that it imports, so that the layers stay apart (docs/contributing/modules.md).
IMPORT_CHECK = ["--explicit-target-dependency-import-check", "error"]
# A build of its own, which is optimised: `swift build` for debugging does not undo it.
BUILD = ["--scratch-path", os.path.join(ROOT, ".build-tests"), *IMPORT_CHECK]
# The exit code of Swift Testing if no test was selected, EX_UNAVAILABLE.
NO_TESTS = 69
# The tests that give each reader of foreign bytes a minute in `make test-full`.
FUZZERS = "FuzzTests"
# Seconds without output after which something must be wrong, on the slowest machine.
SILENCE = {"Check": 5 * 60, "System": 20 * 60, "Full": 60 * 60}


def build_environment():
    # Only for the build itself: packages that tests build are built as their authors build them.
    return dict(os.environ, DOCENT_TEST_BUILD="1")


class Screen:
    """One line that is updated on a terminal; elsewhere an occasional line."""

    def __init__(self):
        self.is_terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.lock = threading.Lock()
        self.shown = ""
        self.last = 0.0
        self.interval = 0.2 if self.is_terminal else 30

    def state(self, text, now=False):
        with self.lock:
            if not now and time.monotonic() - self.last < self.interval:
                return
            self.last = time.monotonic()
            if self.is_terminal:
                width = os.get_terminal_size().columns - 1
                print("\r" + text[:width].ljust(len(self.shown)), end="", flush=True)
                self.shown = text[:width]
            else:
                print(text, flush=True)

    def line(self, text):
        with self.lock:
            if self.shown:
                print("\r" + " " * len(self.shown) + "\r", end="")
                self.shown = ""
            print(text, flush=True)


def duration(seconds):
    seconds = int(round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    return f"{seconds // 60} min {seconds % 60:02} s"


def about(seconds):
    return "less than a minute" if seconds < 50 else f"about {int(round(seconds / 60)) or 1} min"


class Memory:
    """The durations of the last run, to estimate the remaining time."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, encoding="utf-8") as file:
                self.seconds = json.load(file)
        except (OSError, ValueError):
            self.seconds = {}

    def save(self):
        try:
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(self.seconds, file)
        except OSError:
            pass


class Build:
    """swift build --build-tests, with progress from its own counter."""

    def __init__(self, swift, screen, log, arguments):
        self.swift, self.screen, self.log, self.arguments = swift, screen, log, arguments

    def run(self):
        begin = time.monotonic()
        # No pseudo-terminal is needed: the counter is printed into a pipe too.
        process = subprocess.Popen(
            [self.swift, "build", "--build-tests", *BUILD, *self.arguments], cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=build_environment())
        tail, errors = collections.deque(maxlen=60), set()
        for line in process.stdout:
            self.log.write(line)
            tail.append(line)
            counter = re.match(r"\[(\d+)/(\d+)\]", line)
            if counter:
                done, all_steps = int(counter[1]), int(counter[2])
                self.screen.state(f"==> building: {done} of {all_steps} steps, {duration(time.monotonic() - begin)} so far")
            elif re.search(r"\berror:", line) and line not in errors:
                errors.add(line)
                self.screen.line(line.rstrip())
        if process.wait() != 0:
            if not errors:
                self.screen.line("".join(tail))
            self.screen.line(f"error: the build failed; all of its output is in {self.log.name}")
            return False
        self.screen.line(f"==> built in {duration(time.monotonic() - begin)}")
        return True


class Run:
    """One process that runs tests, and its event stream."""

    def __init__(self, stage, name, arguments, environment, silence):
        self.stage, self.name, self.arguments, self.environment = stage, name, arguments, environment
        self.silence = silence
        # The processor that it runs on; None for all.
        self.processor = None
        self.begin = self.end = None
        self.functions = {}
        self.done = 0
        self.issues = []
        self.status = None
        self.last_news = None
        self.closing = ""
        # Names of functions that have started and not ended.
        self.under_way = {}
        # Where code is reported that blocks the threads of Swift's tasks, and how much of it was seen.
        self.pool_report = os.path.join(stage.folder, name + ".pool")
        self.pool_size = 0

    def start(self):
        self.begin = self.last_news = time.monotonic()
        self.events = os.path.join(self.stage.folder, self.name + ".events")
        self.output = os.path.join(self.stage.folder, self.name + ".output")
        open(self.events, "w").close()
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [*self.stage.program, "--event-stream-output-path", self.events, "--event-stream-version", "0", *self.arguments],
                cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env=dict(self.environment, DOCENT_TEST_POOL_REPORT=self.pool_report), preexec_fn=self.settle)
        self.file = open(self.events, encoding="utf-8", errors="replace")
        self.rest = ""

    def settle(self):
        if self.processor is not None:
            os.sched_setaffinity(0, {self.processor})

    def poll(self):
        """Reads new events; returns whether the process is running."""
        running = self.process.poll() is None
        text = self.rest + self.file.read()
        *lines, self.rest = text.split("\n")
        for line in lines:
            self.last_news = time.monotonic()
            try:
                record = json.loads(line)
            except ValueError:
                continue
            self.take(record)
        self.note_blocked_threads()
        if not running and self.end is None:
            self.end = time.monotonic()
            self.status = self.process.returncode
            with open(self.output, encoding="utf-8", errors="replace") as output:
                for line in output:
                    if "Test run with" in line:
                        self.closing = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
        return running

    def note_blocked_threads(self):
        """Adds to a new report which test was running; those that declare needs are in it already."""
        size = os.path.getsize(self.pool_report) if os.path.exists(self.pool_report) else 0
        if size > self.pool_size and self.processor is not None:
            with open(self.pool_report, "a", encoding="utf-8") as file:
                file.write(f"  in progress: {', '.join(sorted(self.under_way)[:20])}\n\n")
            size = os.path.getsize(self.pool_report)
        self.pool_size = size

    def take(self, record):
        payload = record.get("payload", {})
        if record.get("kind") == "test":
            if payload.get("kind") == "function":
                self.functions[payload["id"]] = payload
            return
        kind, test = payload.get("kind"), payload.get("testID")
        if kind == "testStarted" and test in self.functions:
            self.under_way[test] = True
        elif kind in ("testEnded", "testSkipped") and test in self.functions:
            self.under_way.pop(test, None)
            self.done += 1
        elif kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
            self.issue(test, payload)

    def issue(self, test, payload):
        place = payload.get("issue", {}).get("sourceLocation") or {}
        words = " ".join(message["text"] for message in payload.get("messages", []) if message.get("text"))
        # Terminal screens are mostly empty lines, which would be all that is left of a truncated log.
        words = "\n".join(line.rstrip() for line in words.split("\n") if line.strip())
        name = self.functions.get(test, {}).get("displayName") or (test or "outside of any test").rsplit("/", 1)[0]
        file = place.get("fileID", "").rsplit("/", 1)[-1]
        self.issues.append((test, f"{name}\n    {file}:{place.get('line', 0)}: {words[:1500]}"))
        self.stage.screen.line("✘ " + self.issues[-1][1])

    def last_words(self):
        """Where a process crashed, otherwise the end of its output."""
        with open(self.output, encoding="utf-8", errors="replace") as output:
            lines = output.read().split("\n")
        crash = next((number for number, line in enumerate(lines) if re.match(r"Thread .* crashed:", line)), None)
        errors = [line for line in lines if "Fatal error" in line][:3]
        shown = errors + (lines[crash:crash + 16] if crash is not None else lines[-20:])
        return "\n".join("    " + line[:240] for line in shown)

    def stop(self, why):
        self.stage.screen.line(f"✘ {why}; running: {', '.join(sorted(self.under_way)[:20])}")
        self.issues.append((None, why))
        self.process.send_signal(signal.SIGABRT)
        try:
            # Printing all threads of a busy process takes a while.
            self.process.wait(180)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Stage:
    """The runs of one tier, a limited number at a time."""

    def __init__(self, title, command, folder, program, screen, memory):
        # `make test` runs a sample of what `make test-full` runs, and takes its own time.
        self.key = f"{command}: {title}"
        self.title, self.folder, self.program, self.screen, self.memory = title, folder, program, screen, memory
        self.runs = []

    def execute(self, runs, width, processors=None):
        """Runs `width` at a time; with `processors`, each on a processor of its own."""
        self.runs, waiting, active = runs, list(runs), []
        begin = time.monotonic()
        expected = self.memory.seconds.get(self.key)
        while waiting or active:
            while waiting and len(active) < width:
                run = waiting.pop(0)
                if processors:
                    run.processor = min(set(processors) - {other.processor for other in active})
                active.append(run)
                run.start()
            time.sleep(0.1)
            for run in list(active):
                if not run.poll():
                    active.remove(run)
                    self.ended(run)
                elif time.monotonic() - run.last_news > run.silence:
                    run.stop(f"nothing happened in {run.name} for {duration(run.silence)}")
            elapsed = time.monotonic() - begin
            done, known = sum(run.done for run in runs), sum(len(run.functions) for run in runs)
            text = f"==> {self.title}: {done} of {known} tests" if not waiting else f"==> {self.title}: {done} tests"
            failed = sum(len(run.issues) for run in runs)
            if failed:
                text += f", {failed} failures"
            if expected:
                text += f", {about(max(expected - elapsed, 0))} left"
            elif not waiting and done > 20:
                text += f", {about(elapsed * (known - done) / done)} left"
            self.screen.state(text)
        elapsed = time.monotonic() - begin
        done, failed = sum(run.done for run in runs), sum(len(run.issues) for run in runs)
        self.screen.line(f"==> {self.title}: {done} tests in {duration(elapsed)}" + (f", {failed} failures" if failed else ""))
        if not failed:
            self.memory.seconds[self.key] = elapsed
        return failed == 0

    def ended(self, run):
        if run.status == NO_TESTS and not run.functions:
            # The selected ones are in another tier; main() checks whether there are any.
            return
        if run.status not in (0, 1) or (run.status == 1 and not run.issues) or not run.closing:
            how = f"signal {-run.status}" if run.status < 0 else f"status {run.status}"
            run.issues.append((None, f"{run.name} ended with {how}\n{run.last_words()}"))
            self.screen.line("✘ " + run.issues[-1][1])


def suite_of(identifier):
    """`Module.Suite` of `Module.Suite/test()/File.swift:1:2`."""
    parts = identifier.split("/")
    return "/".join(parts[:-2]) if len(parts) > 2 else parts[0]


def slowest(folder, runs):
    """Seconds of each suite: for admitted tests as measured by the support library, for others by their serial run."""
    seconds = collections.Counter()
    measured = set()
    for name in os.listdir(folder):
        if not name.endswith(".timings"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            for line in file:
                waited, took, identifier = line.rstrip("\n").split(" ", 2)
                seconds[suite_of(identifier)] += float(took)
                measured.add(identifier)
    for run in runs:
        started = {}
        with open(run.events, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    payload = json.loads(line).get("payload", {})
                except ValueError:
                    continue
                test, instant = payload.get("testID"), payload.get("instant", {}).get("absolute")
                if test not in run.functions or test in measured:
                    continue
                if payload.get("kind") == "testStarted":
                    started[test] = instant
                elif payload.get("kind") == "testEnded" and test in started:
                    seconds[suite_of(test)] += instant - started[test]
    return seconds.most_common(10)


def targets(tier):
    folder = os.path.join(ROOT, "Tests", tier)
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tier", choices=TIERS)
    parser.add_argument("--seed", default=os.environ.get("DOCENT_TEST_SEED", "0"))
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--folder", required=True, help="the folder for the log and other files")
    parser.add_argument("--swift", default="swift")
    parser.add_argument("--built", action="store_true", help="skip the build")
    parser.add_argument("--build-argument", action="append", default=[])
    arguments = parser.parse_args()

    screen = Screen()
    begin = time.monotonic()
    log_path = os.path.join(arguments.folder, "log")
    log = open(log_path, "a", encoding="utf-8")
    if not arguments.built:
        screen.line(f"==> all output goes to {log_path}")
        if not Build(arguments.swift, screen, log, arguments.build_argument).run():
            return 1
    if arguments.tier == "build":
        return 0
    products = subprocess.run(
        [arguments.swift, "build", "--show-bin-path", *BUILD, *arguments.build_argument], cwd=ROOT, capture_output=True,
        text=True, check=True, env=build_environment()).stdout.strip()
    program = [os.path.join(products, "docentPackageTests.xctest"), "--testing-library", "swift-testing"]
    memory = Memory(os.path.join(products, "test-durations.json"))
    folder = arguments.folder
    seed = "all" if arguments.tier == "full" else arguments.seed
    environment = dict(os.environ, DOCENT_TEST_SEED=seed)
    # A hanging test is ended by a signal: the log then shows what all threads wait for.
    environment["SWIFT_BACKTRACE"] = "enable=yes,threads=all,images=none,registers=none,color=no"
    chosen = [word for pattern in arguments.filter for word in ("--filter", pattern)]
    chosen += [word for pattern in arguments.skip for word in ("--skip", pattern)]
    if arguments.tier == "test":
        screen.line(f"==> seed {seed}: some tests run a sample; SEED={seed} selects the same one again")

    runs, good = [], True
    processors = sorted(os.sched_getaffinity(0))
    for group in TIERS[arguments.tier]:
        names = [name for tier in group for name in targets(tier)]
        title, silence = " and ".join(group), max(SILENCE[tier] for tier in group)
        stage = Stage(title.lower(), arguments.tier, folder, program, screen, memory)
        if group == ["Check"]:
            # Serial in each process, and a process on each processor: no test waits for another, and the pool of
            # Swift's tasks has one thread, so that code which blocks it or needs two threads is detected.
            jobs = [
                Run(stage, name, ["--no-parallel", *(chosen or ["--filter", rf"^{name}\."])], dict(environment), silence)
                for name in names
            ]
            if chosen:
                jobs = [Run(stage, "Check", ["--no-parallel", *chosen, "--skip", skipped(["System", "Full"])], dict(environment), silence)]
            # The longest first, and before any of unknown length the one that takes minutes in `make test-full`.
            jobs.sort(key=lambda run: (run.name != FUZZERS, -memory.seconds.get(run.name, 1e9)))
            width = len(processors)
        else:
            # Concurrent in one process, where the tests declare their needs and wait for them.
            environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "100000"
            words = ["--filter", "^(" + "|".join(names) + r")\."]
            if chosen:
                words = [*chosen, "--skip", skipped([other for other in ("Check", "System", "Full") if other not in group])]
            timings = os.path.join(folder, group[0] + ".timings")
            jobs = [Run(stage, group[0], words, dict(environment, DOCENT_TEST_TIMINGS=timings), silence)]
            width = 1
        good = stage.execute(jobs, width, processors if group == ["Check"] else None) and good
        for run in jobs:
            memory.seconds[run.name] = run.end - run.begin
        runs += jobs
    if not chosen:
        memory.save()
    for run in runs:
        with open(run.output, encoding="utf-8", errors="replace") as output:
            log.write(f"\n==> {run.name}\n")
            log.writelines(output)

    screen.line("==> the ten slowest suites")
    for suite, seconds in slowest(folder, runs):
        screen.line(f"    {seconds:7.1f} s  {suite}")
    for run in runs:
        if run.pool_size:
            good = False
            screen.line("error: some code blocked the threads of Swift's tasks:\n" + symbolized(run.pool_report))
    done = sum(run.done for run in runs)
    if done == 0:
        screen.line("error: no test of this tier matches")
        good = False
    failed = len({test for run in runs for test, _ in run.issues})
    for run in runs:
        if run.closing:
            screen.line(run.closing)
    # Last, since the end of a log is what people see and services keep.
    failures = [text for run in runs for _, text in run.issues]
    if failures:
        screen.line("==> failures")
        for text in failures:
            screen.line("✘ " + text)
    screen.line(f"==> {arguments.tier}: {duration(time.monotonic() - begin)} in total; the complete log is in {log_path}")
    # The details may exceed the kept part; a line for each does not.
    for heading in sorted({" ".join(text.split("\n")[:2])[:200] for text in failures}):
        screen.line("✘ " + heading)
    screen.line(f"{done - failed} passed, {failed} failed")
    return 0 if good else 1


def symbolized(path):
    """A report with functions and lines instead of `at FILE OFFSET`."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    frames = [line.split()[1:] for line in lines if line.startswith("    at ")]
    names = {}
    for image in {image for image, _ in frames}:
        offsets = sorted({offset for other, offset in frames if other == image})
        try:
            output = subprocess.run(
                ["addr2line", "-f", "-e", image, *offsets], capture_output=True, text=True, check=True).stdout.split("\n")
        except (OSError, subprocess.CalledProcessError):
            continue
        for number, offset in enumerate(offsets):
            place = output[2 * number + 1].replace(ROOT + "/", "").split(" ")[0]
            names[image, offset] = f"{output[2 * number]} {'' if place.startswith('?') else place}".rstrip()
    text = "\n".join(
        "    " + names.get(tuple(line.split()[1:]), line.strip()) if line.startswith("    at ") else line for line in lines)
    try:
        return subprocess.run(["swift", "demangle", "--simplified"], input=text, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return text


def skipped(tiers):
    names = [name for tier in tiers for name in targets(tier)]
    return "^(" + "|".join(names) + r")\." if names else "^$"


sys.exit(main())
