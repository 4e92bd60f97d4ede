"""Kills the processes of a mounted folder in the middle of requests, and checks what becomes of each request.

    view_kills.py MOUNT FOLDER DOCUMENTS LOCK [KIND...]

MOUNT is mounted, FOLDER a folder in it, DOCUMENTS the folder of this machine that LocalFolder shows there, and LOCK the
lock file of the daemon. Prints the table of docs/view.md. Ends with a status other than 0 if a request got lost, hung,
or did something else than what was asked.

A request is caught by stopping a process that it needs: the provider, the daemon, or for what is answered from memory
the view itself. Then the victim is killed, and the stopped process goes on.
"""

import errno
import os
import signal
import subprocess
import sys
import time

mount, folder, documents, lock = sys.argv[1:5]
OLD, NEW = b"what was there before\n", b"what is written, and longer than that\n"
# More than five ends of the view in a minute unmount the folder, and three of a provider put it into quarantine.
PAUSE = {"view": 13, "provider": 21}
# Seconds after which a request counts as hung.
PATIENCE = 100


def view():
    return int(os.getxattr(mount, "user.docent.process"))


def processes():
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                continue
            yield int(name), parent, [word.decode(errors="replace") for word in words]


def holder(server):
    """The other process that has the mount."""
    for number, _, words in processes():
        if number != server and words[0].endswith("/docent-view") and mount in words:
            return number
    return None


def daemon():
    inode = os.stat(lock).st_ino
    with open("/proc/locks", encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[1] == "FLOCK" and words[5].endswith(f":{inode}"):
                return int(words[4])
    return None


def provider():
    """The process inside the sandbox that runs the provider."""
    found = {number: parent for number, parent, words in processes() if words[0].endswith("docent-extension-host")}
    everyone = {number: parent for number, parent, _ in processes()}
    owner = daemon()
    for number in sorted(found, reverse=True):
        above = number
        while above in everyone and above != owner:
            above = everyone[above]
        if above == owner and number not in found.values():
            return number
    return None


# What is done before the request, the request, whom it needs, and what must be so afterwards. In the programs, `n` is
# the name of a file.
KINDS = {
    "open": ("", "assert open(n, 'rb').read() == OLD", "daemon", "old"),
    "read": ("f = os.open(n, os.O_RDONLY)", "assert os.pread(f, 1000, 0) == OLD", "view", "old"),
    "write": ("f = os.open(n, os.O_RDWR)", "assert os.pwrite(f, NEW, 0) == len(NEW); os.close(f)", "daemon", "new"),
    "fsync": ("f = os.open(n, os.O_RDWR); os.pwrite(f, NEW, 0)", "os.fsync(f)", "daemon", "new"),
    "close": ("f = os.open(n, os.O_RDWR); os.pwrite(f, NEW, 0)", "os.close(f)", "daemon", "new"),
    "rename": ("", "os.rename(n, n + '.renamed')", "daemon", "renamed"),
    "unlink": ("", "os.unlink(n)", "daemon", "gone"),
    "mkdir": ("", "os.mkdir(n + '.folder')", "daemon", "folder"),
    "readdir": ("", "assert os.path.basename(n) in os.listdir(os.path.dirname(n))", "view", "old"),
    "setattr": ("", "os.truncate(n, 4)", "daemon", "short"),
}


def content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def holds(wanted, name):
    """Whether both the mounted folder and its provider have what should be there, and nothing else."""
    result = True
    for place in (folder, documents):
        path = os.path.join(place, name)
        others = sorted(other for other in os.listdir(place) if other.startswith(name + " ") or "recovered" in other)
        found = content(path)
        result &= {
            "old": found == OLD, "new": found == NEW, "short": found == OLD[:4], "gone": found is None,
            "renamed": found is None and content(path + ".renamed") == OLD,
            "folder": found == OLD and os.path.isdir(path + ".folder"),
        }[wanted] and not others
    return result


def attempt(kind, victim):
    before, request, needed, wanted = KINDS[kind]
    name = f"{kind}-{victim}"
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(OLD)
    server = view()
    numbers = {"view": server, "holder": holder(server), "daemon": daemon(), "provider": provider()}
    if victim in ("daemon", "provider") and needed == "daemon":
        needed = victim
    if victim in ("daemon", "provider") and needed == "view":
        needed = None
    program = (
        f"import os, sys\nn, OLD, NEW = {path!r}, {OLD!r}, {NEW!r}\n{before}\n"
        f"print('ready', flush=True)\nsys.stdin.readline()\n{request}\n")
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    child.stdout.readline()
    if needed:
        os.kill(numbers[needed], signal.SIGSTOP)
    else:
        os.kill(numbers[victim], signal.SIGKILL)
    child.stdin.write("\n")
    child.stdin.flush()
    time.sleep(0.4)
    is_caught = child.poll() is None
    if needed:
        os.kill(numbers[victim], signal.SIGKILL)
    if needed and needed != victim:
        try:
            os.kill(numbers[needed], signal.SIGCONT)
        except ProcessLookupError:
            pass
    try:
        _, errors = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        return False, "hung"
    if child.returncode != 0:
        return False, errors.strip().splitlines()[-1] if errors.strip() else f"status {child.returncode}"
    # What a program has closed is durable; a mapping or a close in the background takes a moment.
    for _ in range(100):
        if holds(wanted, name):
            return True, "done" if is_caught else "not needed" if needed is None else "done before"
        time.sleep(0.1)
    return False, "done, but not as asked"


def main():
    kinds = sys.argv[5:] or list(KINDS)
    victims = ["view", "holder", "daemon", "provider"]
    last = dict.fromkeys(victims, 0.0)
    print("| request | " + " | ".join(f"{victim} killed" for victim in victims) + " |")
    print("|---|" + "---|" * len(victims), flush=True)
    is_right = True
    for kind in kinds:
        cells = []
        for victim in victims:
            time.sleep(max(0.0, last[victim] + PAUSE.get(victim, 2) - time.monotonic()))
            try:
                good, text = attempt(kind, victim)
            except OSError as error:
                good, text = False, f"{errno.errorcode.get(error.errno, error.errno)} while preparing"
            last[victim] = time.monotonic()
            is_right &= good
            cells.append(text if good else f"**{text}**")
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    sys.exit(0 if is_right else 1)


main()
