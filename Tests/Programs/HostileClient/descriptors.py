"""S4: changes to a document through a descriptor for reading."""

import ctypes
import fcntl
import mmap
import os
import struct

from wire import DOCUMENTS, attempt, operation, say, session

LIBC = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, AT_EMPTY_PATH, AT_SYMLINK_FOLLOW = -100, 0x1000, 0x400
FS_IOC_SETFLAGS, FICLONE, F_ADD_SEALS = 0x40086602, 0x40049409, 1033
PAYLOAD = b"changed by a hostile client"


def checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def attempts(descriptor, scratch):
    """Every way to change a file, or to reach another, from one descriptor. Each reports its name and runs."""
    way = f"/proc/self/fd/{descriptor}"

    def reopen(flags, act=None):
        other = os.open(way, flags)
        try:
            (act or (lambda _: os.pwrite(other, PAYLOAD, 0)))(other)
        finally:
            os.close(other)

    def map_writable():
        with mmap.mmap(descriptor, 1, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE) as page:
            page[0] = page[0] ^ 0x20
            page.flush()

    def upgrade_map():
        LIBC.mmap.restype, LIBC.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p] + [ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        page = LIBC.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, 0)
        if page == ctypes.c_void_p(-1).value:
            checked(-1)
        checked(LIBC.mprotect(page, 4096, mmap.PROT_READ | mmap.PROT_WRITE))

    def handle():
        # A handle of the file, opened again over its mount: needs CAP_DAC_READ_SEARCH in the first user namespace.
        buffer, mount = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128)), ctypes.c_int()
        checked(LIBC.name_to_handle_at(descriptor, b"", buffer, ctypes.byref(mount), AT_EMPTY_PATH))
        os.close(checked(LIBC.open_by_handle_at(descriptor, buffer, os.O_RDWR)))

    def link(source_directory, source, flags):
        name = f"{scratch}/link-{flags}"
        checked(LIBC.linkat(source_directory, source, AT_FDCWD, os.fsencode(name), flags))
        with open(name, "r+b") as file:
            file.write(PAYLOAD)

    def copy_into():
        with open("/proc/self/exe", "rb") as source:
            os.copy_file_range(source.fileno(), descriptor, 64, 0, 0)

    yield "write", lambda: os.pwrite(descriptor, PAYLOAD, 0)
    yield "map writable", map_writable
    yield "make a map writable", upgrade_map
    yield "reopen for writing", lambda: reopen(os.O_WRONLY)
    yield "reopen for both", lambda: reopen(os.O_RDWR)
    yield "reopen to append", lambda: reopen(os.O_WRONLY | os.O_APPEND, lambda other: os.write(other, PAYLOAD))
    yield "reopen truncating", lambda: reopen(os.O_WRONLY | os.O_TRUNC, lambda _: None)
    yield "ftruncate", lambda: os.ftruncate(descriptor, 1)
    yield "fallocate", lambda: os.posix_fallocate(descriptor, 0, 1 << 16)
    yield "copy into", copy_into
    yield "clone into", lambda: fcntl.ioctl(descriptor, FICLONE, os.open("/proc/self/exe", os.O_RDONLY))
    yield "fchmod", lambda: os.fchmod(descriptor, 0o777)
    yield "chmod by path", lambda: os.chmod(way, 0o666)
    yield "fchown", lambda: os.fchown(descriptor, os.getuid(), os.getgid())
    yield "setxattr", lambda: os.setxattr(descriptor, "user.hostile", b"x")
    yield "setxattr by path", lambda: os.setxattr(way, "user.hostile.path", b"x")
    yield "futimens", lambda: os.utime(descriptor, (1, 1))
    yield "utimes by path", lambda: os.utime(way, (2, 2))
    yield "set flags", lambda: fcntl.ioctl(descriptor, FS_IOC_SETFLAGS, struct.pack("l", 0x40))
    yield "seal", lambda: fcntl.fcntl(descriptor, F_ADD_SEALS, 0x8)
    yield "link by descriptor", lambda: link(descriptor, b"", AT_EMPTY_PATH)
    yield "link by path", lambda: link(AT_FDCWD, way.encode(), AT_SYMLINK_FOLLOW)
    yield "open by handle", handle
    yield "above", lambda: os.close(os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=descriptor))
    yield "change to it", lambda: os.fchdir(descriptor)
    yield "above by path", lambda: os.close(os.open(way + "/..", os.O_RDONLY | os.O_DIRECTORY))
    yield "truncate by path", lambda: os.truncate(way, 0)


def attack(name, descriptor, scratch):
    os.makedirs(scratch, exist_ok=True)
    for what, act in attempts(descriptor, scratch):
        say(f"{name}: {what}", f"descriptor {descriptor}", attempt(act))


def run(plan):
    scratch = plan["scratch"]
    # The controls: its own file can be changed in most of these ways, and in all of them when it is opened for writing.
    for name, flags in (("control", os.O_RDONLY), ("writable control", os.O_RDWR)):
        with open(scratch + "/" + name, "wb") as file:
            file.write(b"a file of its own" * 600)
        attack(name, os.open(scratch + "/" + name, flags), scratch + "/links-" + name)
    for name in plan["open"]:
        wire = session()
        reference = plan["references"][name]
        answer = wire.call(DOCUMENTS + "Open", reference=reference, lease=True)
        attack(name, wire.descriptors[answer["file"]], scratch + "/links-" + name)
        if "lease" in answer:
            attack(name + " lease", wire.descriptors[answer["lease"]], scratch + "/links-lease-" + name)
        imported = wire.call(DOCUMENTS + "Import", reference=reference, operation=operation())
        for descriptor in wire.descriptors:
            status = os.fstat(descriptor)
            say(f"{name}: kind", "fstat", "folder" if status.st_mode & 0o170000 == 0o040000 else "file")
        say(f"{name}: told path", "Import", imported.get("path") or "none")
        wire.drop()
