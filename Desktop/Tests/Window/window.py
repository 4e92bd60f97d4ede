"""The window as a person uses it: keys are typed, buttons are pressed, and what a screen reader says is read.

Scripts/desktop-test.sh runs these tests on a display and a session bus of their own. PICKER is the program.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

PICKER = os.environ["PICKER"]
HERE = pathlib.Path(__file__).parent
# Long enough for a machine that does something else; never what is tested.
PATIENCE = float(os.environ.get("PATIENCE", 60))


def eventually(look, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"in vain: {what}")


# What a screen reader finds at one moment; `is_shown` if every part of the window around it is visible too.
Seen = collections.namedtuple("Seen", "name description role states is_shown node")


def walk(node, is_shown=True):
    states = set(node.get_state_set().get_states())
    is_shown = is_shown and Atspi.StateType.VISIBLE in states
    yield Seen(node.get_name() or "", node.get_description() or "", node.get_role(), states, is_shown, node)
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from walk(child, is_shown)


BUTTONS = {Atspi.Role.PUSH_BUTTON, Atspi.Role.BUTTON} if hasattr(Atspi.Role, "BUTTON") else {Atspi.Role.PUSH_BUTTON}
CONTROLS = BUTTONS | {
    Atspi.Role.TEXT, Atspi.Role.ENTRY, Atspi.Role.LIST, Atspi.Role.LIST_ITEM, Atspi.Role.TOGGLE_BUTTON,
    Atspi.Role.CHECK_BOX, Atspi.Role.COMBO_BOX, Atspi.Role.PROGRESS_BAR,
}


def wait_for_bus():
    """Waits until the bus of screen readers is there: a program that starts earlier is never shown on it."""
    if getattr(wait_for_bus, "is_done", False):
        return
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        Atspi.get_desktop(0)
        with subprocess.Popen([PICKER], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as picker:
            picker.stdin.write(b'{"mode": "open"}')
            picker.stdin.close()
            started = time.monotonic()
            while time.monotonic() < started + 5:
                desktop = Atspi.get_desktop(0)
                desktop.clear_cache()
                children = [desktop.get_child_at_index(index) for index in range(desktop.get_child_count())]
                if any(child is not None and child.get_process_id() == picker.pid for child in children):
                    picker.kill()
                    wait_for_bus.is_done = True
                    return
                time.sleep(0.05)
            picker.kill()
    raise AssertionError("in vain: the bus of screen readers")


class PickerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        wait_for_bus()

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.socket = self.place.name + "/socket"
        self.daemon = subprocess.Popen([sys.executable, HERE / "played_daemon.py", self.socket])
        self.picker = None
        eventually(lambda: os.path.exists(self.socket), "the daemon's socket")

    def tearDown(self):
        result = self._outcome.result
        if self.picker is not None and any(test is self for test, _ in result.failures + result.errors):
            self.report()
        for process in [self.picker, self.daemon]:
            if process is not None:
                process.kill()
                process.wait()
        if self.picker is not None:
            self.picker.stdout.close()

    def report(self):
        """What a failed test saw."""
        if self.picker.poll() is not None:
            print(f"  it has ended with {self.picker.returncode}", file=sys.stderr)
            return
        for node in self.nodes():
            if node.is_shown:
                states = sorted(state.value_nick for state in node.states)
                print(f"  {node.role.value_nick} {node.name!r} {' '.join(states)}", file=sys.stderr)
        if "SCREENSHOTS" in os.environ:
            subprocess.run(["import", "-window", "root", f"{os.environ['SCREENSHOTS']}/{self.id()}.png"], check=False)

    def start(self, request, *arguments, **environment):
        given = os.environ | {"DOCENT_SOCKET": self.socket, "XDG_STATE_HOME": self.place.name} | environment
        self.picker = subprocess.Popen(
            [PICKER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=given)
        self.picker.stdin.write(request if isinstance(request, bytes) else json.dumps(request).encode())
        self.picker.stdin.close()

    def end(self):
        return self.picker.wait(PATIENCE), self.picker.stdout.read()

    def application(self):
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child is not None and child.get_process_id() == self.picker.pid:
                return child
        return None

    def nodes(self):
        """Everything in the window; waits until it does not change while it is read."""

        def look():
            try:
                application = self.application()
                if application is None:
                    return None
                # Without a main loop, nobody hears that something has changed.
                application.clear_cache()
                window = application.get_child_at_index(0)
                return list(walk(window)) if window is not None else None
            except gi.repository.GLib.GError:
                # Something went away meanwhile.
                return None

        return eventually(look, "a window")

    def shown(self, text):
        return [node for node in self.nodes() if node.is_shown and text in node.name]

    def shows(self, text):
        return eventually(lambda: self.shown(text), text)

    def hides(self, text):
        eventually(lambda: not self.shown(text), f"the end of {text}")

    def buttons(self, name, is_ready=True):
        return [
            node for node in self.nodes() if node.name == name and node.role in BUTTONS and node.is_shown
            and (Atspi.StateType.SENSITIVE in node.states) == is_ready]

    def focused(self, name):
        return [node for node in self.nodes() if node.name == name and Atspi.StateType.FOCUSED in node.states]

    def press(self, name):
        eventually(lambda: self.buttons(name), name)[0].node.do_action(0)

    def picture(self, name):
        """A picture of the window for docs/images, if SCREENSHOTS names a folder for it."""
        if "SCREENSHOTS" in os.environ:
            # The window draws at its own time.
            time.sleep(0.5)
            subprocess.run(
                ["import", "-window", self.identifier(), "-strip", "+dither", "-colors", "32",
                 f"PNG8:{os.environ['SCREENSHOTS']}/{name}"], check=True)

    def named_windows(self):
        try:
            application = self.application()
            if application is None:
                return []
            application.clear_cache()
            return [
                application.get_child_at_index(index).get_name() for index in range(application.get_child_count())]
        except (gi.repository.GLib.GError, AttributeError):
            return None

    def identifier(self):
        def look():
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--pid", str(self.picker.pid)],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.split()
            return found and found[-1]

        return eventually(look, "the window")

    def size(self):
        shown = subprocess.run(
            ["xdotool", "getwindowgeometry", "--shell", self.identifier()], stdout=subprocess.PIPE, text=True,
            check=True)
        values = dict(line.split("=", 1) for line in shown.stdout.split())
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def focus(self):
        eventually(
            lambda: subprocess.run(
                ["xdotool", "windowfocus", "--sync", self.identifier()], stderr=subprocess.DEVNULL, check=False
            ).returncode == 0, "the window")

    def keys(self, *keys):
        subprocess.run(["xdotool", "key", "--delay", "30", *keys], check=True)

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "30", text], check=True)

    def open_account(self, name):
        self.shows("signed out")
        self.focus()
        self.type(name)
        self.hides("Out" if name != "out" else "Away")
        self.keys("Return")

    def rows(self):
        return [node.name for node in self.nodes() if node.role == Atspi.Role.LIST_ITEM and node.is_shown]

    def armed(self, name):
        """Waits until the confirming button counts."""
        eventually(lambda: self.buttons(name), name)

    def chosen(self):
        status, answer = self.end()
        self.assertEqual(status, 0)
        return json.loads(answer)

    def go_to(self, name):
        """Presses Tab until the control has the focus."""
        for _ in range(20):
            if Atspi.StateType.FOCUSED in self.states(name):
                return
            self.keys("Tab")
            time.sleep(0.1)
        self.fail(f"Tab does not lead to {name}")

    def states(self, name):
        return set().union(*[node.states for node in self.nodes() if node.name.startswith(name)])
