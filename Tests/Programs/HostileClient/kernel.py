"""The kernel's ways around a sandbox: keys, socket families, and alternatives to refused system calls."""

import ctypes
import errno
import mmap
import os
import platform
import resource
import signal
import socket
import tempfile

from wire import attempt, say

LIBRARY = ctypes.CDLL(None, use_errno=True)
ADD_KEY, REQUEST_KEY, KEYCTL = {"x86_64": (248, 249, 250)}.get(platform.machine(), (217, 218, 219))
IO_URING_SETUP = 425
DISK_PRIORITY_SET, DISK_PRIORITY_GET = {"x86_64": (251, 252)}.get(platform.machine(), (30, 31))
JOIN, UPDATE, LINK, SEARCH, READ = 1, 2, 8, 10, 11
SESSION, USER = -3, -4
TIOCSTI = 0x5412
KINDS = {"stream": 1, "datagram": 2, "raw": 3, "packets": 5}


def call(number, *arguments):
    """A call that the C library does not offer. Raises OSError."""
    result = LIBRARY.syscall(ctypes.c_long(number), *[
        ctypes.c_char_p(one) if isinstance(one, bytes) else ctypes.c_long(one) for one in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def keys(plan):
    serial, name = plan.get("key", 0), plan.get("name", "none").encode()
    content = ctypes.create_string_buffer(64)
    for attack, act in {
        "key search": lambda: call(KEYCTL, SEARCH, SESSION, b"user", name, 0),
        "key request": lambda: call(REQUEST_KEY, b"user", name, 0, 0),
        "key read": lambda: call(KEYCTL, READ, serial, ctypes.addressof(content), 64),
        "key update": lambda: call(KEYCTL, UPDATE, serial, b"stolen", 6),
        "key link": lambda: call(KEYCTL, LINK, serial, USER),
        "key add": lambda: call(ADD_KEY, b"user", b"docent-hostile", b"x", 1, SESSION),
        "key join": lambda: call(KEYCTL, JOIN, 0),
    }.items():
        say(attack, serial, attempt(act))
    for path in ("/proc/keys", "/proc/key-users"):
        say("key list", path, attempt(lambda path=path: open(path, "rb").read()))


def made(make):
    """The result of creating sockets of one family: made, when one of any kind was created."""
    came = set()
    for kind in KINDS.values():
        try:
            for one in make(kind):
                os.close(one.detach() if hasattr(one, "detach") else one)
            return "made"
        except OSError as error:
            came.add(errno.errorcode.get(error.errno, str(error.errno)))
    return " ".join(sorted(came))


def sockets():
    for family in range(64):
        say(f"socket {family}", "any kind", made(lambda kind: [socket.socket(family, kind)]))
        say(f"pair {family}", "any kind", made(lambda kind: pair(family, kind)))
    for protocol in (4, 15, 16):
        say("netlink protocol", protocol, attempt(lambda: socket.socket(16, 3, protocol)))


def pair(family, kind):
    ends = (ctypes.c_int * 2)()
    if LIBRARY.socketpair(family, kind, 0, ends) < 0:
        raise OSError(ctypes.get_errno(), "socketpair")
    return list(ends)


def narrow():
    """The same with the system calls of 32-bit programs, which a 64-bit program can make."""
    if platform.machine() != "x86_64":
        return
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    # push rbx; mov eax,edi; mov ebx,esi; xchg ecx,edx; int 0x80; pop rbx; movsxd rax,eax; ret
    code.write(bytes.fromhex("5389f889f387d1cd805b4863c0c3"))
    function = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_long] * 4)(
        ctypes.addressof(ctypes.c_char.from_buffer(code)))
    # MAP_32BIT: a pointer that such a call can hold.
    low = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40)
    arguments = (ctypes.c_uint32 * 3).from_buffer(low)
    arguments[:] = [16, 3, 0]
    if function(20, 0, 0, 0) < 0:
        return
    for attack, parts in {
        "narrow keyctl": (288, 0, SESSION, 0),
        "narrow socket": (359, 16, 3, 0),
        "narrow socketcall": (102, 1, ctypes.addressof(arguments), 0),
        "narrow uring": (IO_URING_SETUP, 1, 0, 0),
    }.items():
        result = function(*parts)
        say(attack, parts[0], "worked" if result >= 0 else errno.errorcode.get(-result, str(result)))


def inherited(plan):
    """The attributes that a program inherits from its starter, except its descriptors. The starter has put into the
    plan, as `starter`, its own session and group, and the `namespace` in which they have these numbers."""
    with open("/proc/self/status", encoding="utf-8") as file:
        status = dict(line.rstrip().split(":\t", 1) for line in file if ":\t" in line.rstrip())
    for field in ("CapInh", "CapPrm", "CapEff", "CapAmb", "SigBlk"):
        say(f"inherited {field}", "status", str(int(status[field], 16)))
    for field in ("NoNewPrivs", "Seccomp"):
        say(f"inherited {field}", "status", status[field])
    say("inherited securebits", "prctl", str(LIBRARY.prctl(27, 0, 0, 0, 0)))
    say("inherited personality", "personality", hex(LIBRARY.personality(ctypes.c_ulong(0xFFFFFFFF))))
    say("inherited hangup", "sigaction", signal.getsignal(signal.SIGHUP).name)
    here = os.readlink("/proc/self/ns/pid") == plan.get("namespace")
    for attack, own in (("session", os.getsid(0)), ("group", os.getpgrp())):
        # 0 is one outside this process namespace.
        is_foreign = own == 0 or here and own == plan.get("starter", {}).get(attack)
        say(f"inherited {attack}", own, "foreign" if is_foreign else "own")
    say("inherited policy", "sched", str(os.sched_getscheduler(0)))
    say("inherited nice", "nice", str(os.nice(0)))
    say("inherited affinity", "sched", str(sorted(os.sched_getaffinity(0))))
    say("inherited disk", "ioprio_get", str(call(DISK_PRIORITY_GET, 1, 0)))
    with open("/proc/self/oom_score_adj", encoding="utf-8") as file:
        say("inherited killer", "oom_score_adj", file.read().strip())
    say("inherited umask", "status", status["Umask"])
    for limit in (resource.RLIMIT_RTPRIO, 13):
        say("inherited limit", limit, str(resource.getrlimit(limit)[1]))
    say("inherited queues", "getrlimit", "%d %d" % resource.getrlimit(resource.RLIMIT_MSGQUEUE))
    say("inherited files", "getrlimit", "%d %d" % resource.getrlimit(resource.RLIMIT_NOFILE))


def run(plan):
    inherited(plan)
    keys(plan)
    sockets()
    narrow()
    room = ctypes.create_string_buffer(256)
    say("uring", "setup", attempt(lambda: call(IO_URING_SETUP, 1, ctypes.addressof(room))))
    say("log", "klogctl", attempt(lambda: log()))
    with tempfile.TemporaryFile() as file:
        for name, command in (("F_SETLEASE", 1024), ("F_SETLEASE with high bits", 1024 | 1 << 32), ("F_SETDELEG", 1040)):
            say("lease", name, attempt(lambda: lease(file.fileno(), command)))
    letter = ctypes.create_string_buffer(b"x")
    say("typing", "TIOCSTI", attempt(lambda: ioctl(TIOCSTI, letter)))
    say("typing", "TIOCSTI with high bits", attempt(lambda: ioctl(TIOCSTI | 1 << 32, letter)))


def log():
    if LIBRARY.klogctl(10, None, 0) < 0:
        raise OSError(ctypes.get_errno(), "klogctl")


def lease(descriptor, command):
    # With the system call itself: the C library truncates the command to 32 bits.
    if LIBRARY.syscall(72, descriptor, ctypes.c_ulong(command), ctypes.c_ulong(1)) < 0:
        raise OSError(ctypes.get_errno(), "fcntl")


def ioctl(request, argument):
    if LIBRARY.ioctl(0, ctypes.c_ulong(request), argument) < 0:
        raise OSError(ctypes.get_errno(), "ioctl")
