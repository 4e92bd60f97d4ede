"""Ways out of the folder with what was granted (`docent run --view`): paths, links, descriptors, races and mounts."""

import ctypes
import errno
import os
import threading
import time

from wire import say

LIBRARY = ctypes.CDLL(None, use_errno=True)


def outcome(action):
    """What an attempt had as its result: the errno, or "worked"."""
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    return "worked"


def call(function, *arguments):
    if getattr(LIBRARY, function)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), function)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, flags=os.O_WRONLY):
    descriptor = os.open(path, flags)
    try:
        os.write(descriptor, b"hostile")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def paths(top, account):
    """Everything that `..` and names of others lead to is the sandbox's own."""
    for name in ("secret.txt", "victim.txt", "folder/../secret.txt", "../secret.txt", "folder/../../LocalFolder/secret.txt",
                 "./././secret.txt", "folder//../secret.txt", ".root", "docent://org.docent.LocalFolder/.root"):
        say("path", name, outcome(lambda: read(os.path.join(account, name))))
    folder = os.open(account + "/folder", os.O_PATH)
    say("path", "dirfd", outcome(lambda: os.open("../secret.txt", os.O_RDONLY, dir_fd=folder)))
    # The parent of the view is the sandbox's runtime directory.
    above = os.open(top, os.O_PATH)
    entries = sorted(os.listdir("/proc/self/fd/%d/.." % above))
    say("above", "..", "own" if set(entries) <= {"docent", "documents", "granted", "programs"} else str(entries))


def links(account):
    for name in ("link", ".link.swp"):
        say("link", name, outcome(lambda: os.symlink("/etc/passwd", account + "/folder/" + name)))
        say("link", name, outcome(lambda: os.link(account + "/read.txt", account + "/folder/" + name)))
    say("link", "node", outcome(lambda: os.mknod(account + "/folder/null", 0o020666, os.makedev(1, 3))))


def descriptors(account):
    """A descriptor for reading does not become one for writing."""
    file = os.open(account + "/read.txt", os.O_RDONLY)
    place = os.open(account + "/read.txt", os.O_PATH)
    for number in (file, place):
        for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_APPEND):
            say("descriptor", flags, outcome(lambda: write("/proc/self/fd/%d" % number, flags)))
    say("descriptor", "write", outcome(lambda: os.write(file, b"x")))
    say("descriptor", "truncate", outcome(lambda: os.ftruncate(file, 0)))
    # Modes belong to the view: whoever changes them changes nothing.
    os.fchmod(file, 0o666)
    say("descriptor", "after chmod", outcome(lambda: write(account + "/read.txt")))
    say("descriptor", "attribute", outcome(lambda: os.setxattr(account + "/read.txt", "user.docent.identifier", b"x")))
    for name in ("socket", "process", "location", "refused"):
        say("attribute", name, outcome(lambda: os.getxattr(os.path.dirname(account), "user.docent." + name)))


def races(account, seconds=2):
    """While names change, what is read is one of those that may be read, and nothing is written elsewhere."""
    folder = account + "/folder/"
    one, other = folder + "race one.txt", folder + "race other.txt"
    with open(one, "w", encoding="utf-8") as file:
        file.write("raced")
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            for source, target in ((one, other), (other, one)):
                try:
                    os.rename(source, target)
                except OSError:
                    pass

    def out():
        while not stop.is_set():
            for target in (account + "/read.txt", account + "/taken.txt", account + "/../taken.txt"):
                for source in (one, other):
                    if outcome(lambda: os.rename(source, target)) == "worked":
                        say("race", "rename to " + os.path.basename(target), "worked")

    threads = [threading.Thread(target=swap), threading.Thread(target=out)]
    for thread in threads:
        thread.start()
    met = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name in (one, other):
            try:
                met.add(read(name))
            except OSError:
                pass
    stop.set()
    for thread in threads:
        thread.join()
    say("race", "content", "own" if met <= {b"raced"} else repr(sorted(met))[:200])
    for name in (one, other):
        outcome(lambda: os.unlink(name))


def mounts(top):
    """Neither the mount nor the kernel's connection can be reached."""
    say("mount", "/dev/fuse", outcome(lambda: os.open("/dev/fuse", os.O_RDWR)))
    say("mount", "connections", outcome(lambda: os.listdir("/sys/fs/fuse/connections")))
    target = top.encode()
    say("mount", "umount", outcome(lambda: call("umount2", target, 2)))
    say("mount", "over", outcome(lambda: call("mount", b"none", target, b"tmpfs", 0, None)))
    say("mount", "remount", outcome(lambda: call("mount", b"none", target, None, 32, None)))
    say("mount", "move", outcome(lambda: os.rename(top, top + "-2")))
    say("mount", "remove", outcome(lambda: os.rmdir(top)))
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        options = [line.split()[5] for line in file if line.split()[4] == top]
    say("options", "own mount", "closed" if options and {"nosuid", "nodev"} <= set(options[0].split(",")) else str(options))


def run(plan):
    top = os.environ["DOCENT_VIEW_FOLDER"]
    account = top + "/LocalFolder"
    say("honest", "read", outcome(lambda: read(account + "/read.txt")))
    say("honest", "write", outcome(lambda: write(account + "/write.txt", os.O_WRONLY | os.O_TRUNC)))
    paths(top, account)
    links(account)
    descriptors(account)
    races(account)
    mounts(top)
    say("honest", "read again", outcome(lambda: read(account + "/read.txt")))
