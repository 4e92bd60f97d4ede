"""The window as a person uses it: keys are typed, buttons are pressed, and what a screen reader says is read.

Scripts/desktop-test.sh runs this on a display and a session bus of its own. PICKER is the program.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unicodedata
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


def walk(node):
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from walk(child)


class Window(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.socket = self.place.name + "/socket"
        self.daemon = subprocess.Popen([sys.executable, HERE / "daemon.py", self.socket])
        self.picker = None
        eventually(lambda: os.path.exists(self.socket), "the daemon's socket")

    def tearDown(self):
        for process in [self.picker, self.daemon]:
            if process is not None:
                process.kill()
                process.wait()
        if self.picker is not None:
            self.picker.stdout.close()
        self.place.cleanup()

    def start(self, request, **environment):
        given = dict(os.environ, DOCENT_SOCKET=self.socket, XDG_STATE_HOME=self.place.name, **environment)
        self.picker = subprocess.Popen([PICKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=given)
        self.picker.stdin.write(request if isinstance(request, bytes) else json.dumps(request).encode())
        self.picker.stdin.close()

    def end(self):
        return self.picker.wait(PATIENCE), self.picker.stdout.read()

    def application(self):
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child is not None and child.get_process_id() == self.picker.pid:
                return child
        return None

    def nodes(self):
        try:
            application = self.application()
            if application is not None:
                # Without a main loop, nobody hears that something has changed.
                application.clear_cache()
            return list(walk(application)) if application is not None else []
        except gi.repository.GLib.GError:
            # Something went away meanwhile.
            return []

    def shows(self, text):
        return eventually(lambda: [node for node in self.nodes() if text in (node.get_name() or "")], text)

    def press(self, name):
        def is_ready(node):
            states = node.get_state_set()
            return node.get_name() == name and node.get_role() in BUTTONS and states.contains(
                Atspi.StateType.SENSITIVE) and states.contains(Atspi.StateType.SHOWING)

        button = eventually(lambda: [node for node in self.nodes() if is_ready(node)], name)[0]
        button.get_action_iface().do_action(0)

    def focus(self):
        def take():
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--pid", str(self.picker.pid)],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.split()
            return found and subprocess.run(
                ["xdotool", "windowfocus", "--sync", found[-1]], stderr=subprocess.DEVNULL, check=False
            ).returncode == 0

        eventually(take, "the window")

    def keys(self, *keys):
        subprocess.run(["xdotool", "key", "--delay", "30", *keys], check=True)

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "30", text], check=True)

    def open_account(self, name):
        self.shows("signed out")
        self.focus()
        self.type(name)
        eventually(lambda: not self.named("Out" if name != "out" else "Away"), "the filter")
        self.keys("Return")

    def named(self, name):
        return [node for node in self.nodes() if node.get_name() == name]

    def test_a_document_is_chosen_by_keyboard_alone(self):
        self.start({"mode": "open", "types": ["public.text"]})
        self.open_account("ready")
        self.shows("minutes.txt")
        self.type("minutes")
        eventually(lambda: not self.named("Papers"), "the filter")
        # The button is armed when the window has been visible for half a second.
        self.shows("Open")
        time.sleep(0.6)
        self.keys("Return")
        status, answer = self.end()
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(answer), {"location": "org.example.Ready:/minutes.txt", "replaces": False})

    def test_escape_cancels(self):
        self.start({"mode": "open"})
        self.shows("Ready")
        self.focus()
        self.keys("Escape")
        self.assertEqual(self.end(), (7, b""))

    def test_what_is_not_of_the_asked_type_is_dimmed(self):
        self.start({"mode": "open", "types": ["public.text"], "currentFolder": "org.example.Ready:/"})

        def is_dimmed(name):
            return [
                node for node in self.named(name) if node.get_role() == Atspi.Role.LABEL
                and not node.get_state_set().contains(Atspi.StateType.SENSITIVE)]

        eventually(lambda: is_dimmed("photo.png"), "a dimmed picture")
        self.assertFalse(is_dimmed("minutes.txt"))

    def test_an_account_that_is_offline_says_so(self):
        self.start({"mode": "open"})
        self.open_account("away")
        self.shows("The service cannot be reached.")
        self.press("Try Again")

    def test_an_account_that_is_signed_out_says_how_to_sign_in(self):
        self.start({"mode": "open"})
        self.open_account("out")
        self.shows("docent login org.example.Out")

    def test_ten_thousand_entries(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/Many"})
        self.shows("entry-00000.txt")
        self.focus()
        self.type("09999")
        self.shows("entry-09999.txt")
        eventually(lambda: not self.named("entry-00000.txt"), "the filter")
        time.sleep(0.6)
        self.keys("Return")
        status, answer = self.end()
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(answer)["location"], "org.example.Ready:/Many/entry-09999.txt")

    def test_a_document_is_replaced_only_when_that_was_confirmed(self):
        self.start({"mode": "save", "currentFolder": "org.example.Ready:/", "currentName": "minutes.txt"})
        self.shows("minutes.txt")
        self.press("Save")
        self.shows("exists")
        self.assertIsNone(self.picker.poll())
        self.press("Replace")
        status, answer = self.end()
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(answer), {"location": "org.example.Ready:/minutes.txt", "replaces": True})

    def test_words_of_others_are_harmless_and_every_control_has_a_name(self):
        evil = "x\u202e\n\x1b[2J" * 400
        self.start({
            "mode": "open", "currentFolder": "org.example.Ready:/", "program": evil, "reason": evil, "title": evil,
            "acceptLabel": evil})
        self.shows("minutes.txt")
        nodes = self.nodes()
        for node in nodes:
            if node.get_role() in CONTROLS and node.get_state_set().contains(Atspi.StateType.SHOWING):
                self.assertTrue(node.get_name(), f"a control without a name: {node.get_role_name()}")
            hidden = [
                character for character in node.get_name() or "" if unicodedata.category(character) in ("Cc", "Cf")]
            self.assertFalse(hidden, node.get_name())
        self.assertTrue([node for node in nodes if node.get_role() in CONTROLS])

    def test_it_ends_with_its_display(self):
        reader, writer = os.pipe()
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp"], pass_fds=[writer], stderr=subprocess.DEVNULL)
        try:
            os.close(writer)
            number = os.read(reader, 16).decode().strip()
            self.start({"mode": "open"}, DISPLAY=":" + number)
            self.shows("Ready")
        finally:
            os.close(reader)
            display.kill()
            display.wait()
        self.assertNotEqual(self.end()[0], 0)

    def test_it_says_what_is_wrong(self):
        self.start(b'{"mode": "steal"}')
        self.assertEqual(self.end()[0], 64)
        self.picker.stdout.close()
        self.start({"mode": "open"}, DISPLAY="", WAYLAND_DISPLAY="")
        self.assertEqual(self.end()[0], 5)


BUTTONS = {Atspi.Role.PUSH_BUTTON, Atspi.Role.BUTTON} if hasattr(Atspi.Role, "BUTTON") else {Atspi.Role.PUSH_BUTTON}
CONTROLS = BUTTONS | {Atspi.Role.TEXT, Atspi.Role.ENTRY, Atspi.Role.LIST, Atspi.Role.LIST_ITEM, Atspi.Role.TOGGLE_BUTTON}

if __name__ == "__main__":
    unittest.main(verbosity=2)
