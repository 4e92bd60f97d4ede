"""Changes files in a folder at random and compares them with a model after each step.

    random_files.py FOLDER SEED SECONDS [COMMAND]

COMMAND is run by the shell from time to time, for example to kill the process that serves the folder. Ends with a status
other than 0, and the last steps on standard error, when a file differs from the model.
"""

import collections
import mmap
import os
import random
import subprocess
import sys
import time

folder, seed, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
command = sys.argv[4] if len(sys.argv) > 4 else None
random.seed(seed)
os.chdir(folder)
names = ["one", "two.txt", "three.tmp", "four~"]
model = {}
handles = []
steps = collections.deque(maxlen=60)
LARGEST = 200_000


class File:
    """An open file and the content that it shows, which all who have the same file open share."""

    def __init__(self, name, flags):
        self.fd = os.open(name, flags, 0o600)
        self.name, self.content = name, model[name]
        self.appends = bool(flags & os.O_APPEND)


def note(*what):
    steps.append(what)


def fail(why):
    for step in steps:
        print(step, file=sys.stderr)
    for file in handles:
        status = os.fstat(file.fd)
        print(f"open: {file.name} {file.fd}, inode {status.st_ino}, {status.st_size} bytes of {len(file.content)}, "
              f"{status.st_nlink} names", file=sys.stderr)
    for name in sorted(os.listdir(".")):
        status = os.stat(name)
        print(f"name: {name}, inode {status.st_ino}, {status.st_size} bytes of {len(model.get(name, b''))}",
              file=sys.stderr)
    print(f"seed {seed}: {why}", file=sys.stderr)
    sys.exit(1)


def same(found, wanted, where):
    if found == wanted:
        return
    at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
    fail(f"{where}: {len(found)} bytes instead of {len(wanted)}, different at {at}: "
         f"{found[at:at + 16]!r} instead of {wanted[at:at + 16]!r}")


def patch(content, offset, data):
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset:offset + len(data)] = data


def data():
    return random.randbytes(random.choice([1, 10, 4096, random.randint(1, 30_000)]))


def step():
    action = random.random()
    if action < 0.12 and len(handles) < 6:
        name = random.choice(names)
        flags = os.O_RDWR | random.choice([0, 0, os.O_APPEND, os.O_TRUNC])
        if name not in model:
            flags |= os.O_CREAT | os.O_EXCL
            model[name] = bytearray()
        note("open", name, flags)
        if flags & os.O_TRUNC:
            del model[name][:]
        handles.append(File(name, flags))
    elif action < 0.40 and handles:
        file, part = random.choice(handles), data()
        offset = len(file.content) if file.appends else random.randint(0, min(LARGEST, len(file.content) + 5000))
        note("write", file.name, file.fd, offset, len(part), part[:4])
        if file.appends:
            os.write(file.fd, part)
        else:
            os.pwrite(file.fd, part, offset)
        patch(file.content, offset, part)
    elif action < 0.60 and handles:
        file = random.choice(handles)
        offset, count = random.randint(0, len(file.content) + 10), random.randint(1, 50_000)
        note("read", file.name, file.fd, offset, count)
        same(os.pread(file.fd, count, offset), bytes(file.content[offset:offset + count]), f"read {file.name} {offset}")
    elif action < 0.66 and handles:
        file, size = random.choice(handles), random.choice([0, random.randint(0, LARGEST)])
        note("truncate", file.name, file.fd, size)
        os.ftruncate(file.fd, size)
        if size < len(file.content):
            del file.content[size:]
        else:
            file.content.extend(bytes(size - len(file.content)))
    elif action < 0.70 and handles:
        file = random.choice(handles)
        note("fsync", file.name, file.fd)
        os.fsync(file.fd)
    elif action < 0.74 and handles:
        file = random.choice(handles)
        if not file.content:
            return
        offset = random.randint(0, len(file.content) - 1)
        part = data()[: len(file.content) - offset]
        note("map", file.name, file.fd, offset, len(part), part[:4])
        with mmap.mmap(file.fd, len(file.content)) as area:
            area[offset:offset + len(part)] = part
            area.flush()
        file.content[offset:offset + len(part)] = part
    elif action < 0.82 and handles:
        file = handles.pop(random.randrange(len(handles)))
        note("close", file.name, file.fd)
        os.close(file.fd)
    elif action < 0.87 and model:
        old, new = random.choice(list(model)), random.choice(names)
        if old == new:
            return
        note("rename", old, new)
        os.rename(old, new)
        model[new] = model.pop(old)
        for file in handles:
            if file.name == old and file.content is model[new]:
                file.name = new
    elif action < 0.90 and model:
        name = random.choice(list(model))
        note("unlink", name)
        os.unlink(name)
        del model[name]
    elif action < 0.99 and model:
        name = random.choice(list(model))
        note("whole", name)
        with open(name, "rb") as whole:
            same(whole.read(), bytes(model[name]), f"whole {name}")
        if os.stat(name).st_size != len(model[name]):
            fail(f"size of {name}: {os.stat(name).st_size} instead of {len(model[name])}")
    else:
        note("list")
        if sorted(os.listdir(".")) != sorted(model):
            fail(f"names: {sorted(os.listdir('.'))} instead of {sorted(model)}")


end, count, last = time.monotonic() + seconds, 0, time.monotonic()
while time.monotonic() < end:
    if command and time.monotonic() - last > 2.5:
        note("command")
        subprocess.run(command, shell=True, check=False)
        last = time.monotonic()
    try:
        step()
    except (OSError, ValueError) as error:
        fail(f"{steps[-1]}: {error}")
    count += 1
for file in handles:
    os.close(file.fd)
for name, content in model.items():
    with open(name, "rb") as whole:
        same(whole.read(), bytes(content), f"at the end, {name}")
print(f"{count} steps")
