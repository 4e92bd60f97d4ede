"""The file dialog as other programs get it: through the xdg-desktop-portal of this machine, with docent-portal behind."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from gi.repository import Gio, GLib

from window import HERE, PICKER, Atspi, PickerTest, eventually

PORTAL = str(pathlib.Path(PICKER).parent / "docent-portal")
BACKEND = "org.freedesktop.impl.portal.desktop.docent"

# Answers as `docent path` and `docent mount` do; `mounted` is there when something is mounted.
DOCENT = """#!/bin/sh
place=@place@
echo "$@" >>"$place/docent-calls"
case $1 in
    mount) touch "$place/mounted" && echo "The documents are in $place/view." ;;
    path)
        [ -e "$place/mounted" ] || { echo "docent: Nothing is mounted." >&2; exit 5; }
        printf '%s\\n' "$place/view/${3##*:/}" ;;
esac
"""


class Found:
    """A window that the test has not started itself."""

    class Nothing:
        def close(self):
            pass

    stdout = Nothing()
    returncode = "an unknown code"

    def __init__(self, pid):
        self.pid = pid

    def kill(self, number=signal.SIGKILL):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def wait(self):
        eventually(lambda: self.poll() is not None, "the end of the window")

    def poll(self):
        try:
            return 0 if f"\nState:\tZ" in pathlib.Path(f"/proc/{self.pid}/status").read_text() else None
        except FileNotFoundError:
            return 0


def running(program):
    """The processes that run a program."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if os.readlink(folder / "exe") == program:
                    found.append(int(folder.name))
            except OSError:
                pass
    return found


def windows():
    return sorted(running(os.path.realpath(PICKER)))


class PortalTest(PickerTest):
    """Its own portal in front of docent-portal, which D-Bus starts."""

    def setUp(self):
        super().setUp()
        place = pathlib.Path(self.place.name)
        for name in ["bin", "portals", "files/Folder", "view"]:
            (place / name).mkdir(parents=True)
        (place / "bin/docent").write_text(DOCENT.replace("@place@", self.place.name))
        (place / "bin/docent").chmod(0o755)
        for name in ["a.txt", "b.txt", "picture.png", "copy.txt"]:
            (place / "files" / name).write_text(name)
        # As `docent desktop enable` does for this version: the first of those for the desktop is used.
        for name, owner in [("00-docent", BACKEND), ("gtk", "org.example.other")]:
            (place / f"portals/{name}.portal").write_text(
                f"[portal]\nDBusName={owner}\nInterfaces=org.freedesktop.impl.portal.FileChooser\nUseIn=Test\n")
        # Scripts/desktop-test.sh has made the folder before the bus was started.
        services = pathlib.Path(os.environ["XDG_RUNTIME_DIR"], "dbus-1/services")
        (services / f"{BACKEND}.service").write_text(f"[D-BUS Service]\nName={BACKEND}\nExec={PORTAL}\n")
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.call_bus("ReloadConfig")
        variables = {
            "DOCENT_SOCKET": self.socket, "XDG_STATE_HOME": self.place.name, "HOME": str(place / "files"),
            "PATH": f"{place}/bin:{os.environ['PATH']}"} | self.activation()
        self.call_bus("UpdateActivationEnvironment", GLib.Variant("(a{ss})", (variables,)))
        self.processes = []
        # Nothing of an earlier test.
        self.end_backend()
        given = os.environ | {
            "XDG_DESKTOP_PORTAL_DIR": f"{place}/portals", "XDG_CURRENT_DESKTOP": "Test", "GTK_USE_PORTAL": "0"}
        self.run_program(["/usr/libexec/xdg-desktop-portal", "-r"], env=given)
        self.eventually_owned("org.freedesktop.portal.Desktop")

    def activation(self):
        return {}

    def tearDown(self):
        super().tearDown()
        for process in reversed(self.processes):
            process.kill()
            process.wait()
            for stream in [process.stdin, process.stdout]:
                if stream is not None:
                    stream.close()
        self.end_backend()

    def end_backend(self):
        for pid in running(os.path.realpath(PORTAL)):
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: not self.owner(BACKEND), "the end of docent-portal")
        # The windows end with it.
        eventually(lambda: not windows(), "the end of the windows")

    def run_program(self, command, **options):
        process = subprocess.Popen(command, **options)
        self.processes.append(process)
        return process

    def call_bus(self, method, parameters=None):
        return self.bus.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, parameters, None, 0, -1,
            None)

    def owner(self, name):
        return self.call_bus("NameHasOwner", GLib.Variant("(s)", (name,))).unpack()[0]

    def eventually_owned(self, name):
        # The portal of an earlier test may still be going.
        def is_ours():
            if not self.owner(name):
                return False
            pid = self.call_bus("GetConnectionUnixProcessID", GLib.Variant("(s)", (name,))).unpack()[0]
            return pid == self.processes[-1].pid

        eventually(is_ours, name)

    def ask(self, *arguments, **environment):
        """Starts a program that asks."""
        client = self.run_program(
            [sys.executable, str(HERE / "portal_client.py"), *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=os.environ | environment, cwd=self.place.name + "/files")
        self.assertIn("asked", json.loads(client.stdout.readline()))
        return client

    def open(self, options=""):
        """Asks for files, and goes to those of the test. (The portal of Debian 12 passes no folder on.)"""
        client = self.ask("OpenFile", "{" + options.removeprefix(", ") + "}" if options else "@a{sv} {}")
        self.find()
        self.shows("This computer")
        self.focus()
        self.keys("Down", "Return")
        self.shows("picture.png")
        return client

    def find(self, count=1):
        """The window, if there are so many."""
        self.picker = Found(eventually(lambda: len(windows()) == count and windows(), "a window")[-1])

    def answer(self, client):
        return json.loads(client.stdout.readline())

    def uri(self, name):
        return f"file://{self.place.name}/files/{name}"

    def choose(self, name):
        self.shows(name)
        self.focus()
        self.type(name)
        eventually(lambda: self.rows() == [name], name)
        self.keys("Down")
        self.armed("Open")
        self.press("Open")
