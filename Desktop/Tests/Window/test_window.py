"""The window as a person uses it: keys are typed, buttons are pressed, and what a screen reader says is read.

Scripts/desktop-test.sh runs this on a display and a session bus of its own. PICKER is the program.
"""

import collections
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


def setUpModule():
    """Waits until the bus of screen readers is there: a program that starts earlier is never shown on it."""
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
                    return
                time.sleep(0.05)
            picker.kill()
    raise AssertionError("in vain: the bus of screen readers")


class PickerTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.socket = self.place.name + "/socket"
        self.daemon = subprocess.Popen([sys.executable, HERE / "daemon.py", self.socket])
        self.picker = None
        eventually(lambda: os.path.exists(self.socket), "the daemon's socket")

    def tearDown(self):
        if self.picker is not None and self.picker.poll() is None and not self._outcome.success:
            self.report()
        for process in [self.picker, self.daemon]:
            if process is not None:
                process.kill()
                process.wait()
        if self.picker is not None:
            self.picker.stdout.close()
        self.place.cleanup()

    def report(self):
        """What a failed test saw."""
        for node in self.nodes():
            if node.is_shown:
                states = sorted(state.value_nick for state in node.states)
                print(f"  {node.role.value_nick} {node.name!r} {' '.join(states)}", file=sys.stderr)
        if "SCREENSHOTS" in os.environ:
            subprocess.run(["import", "-window", "root", f"{os.environ['SCREENSHOTS']}/{self.id()}.png"], check=False)

    def start(self, request, *arguments, **environment):
        given = dict(os.environ, DOCENT_SOCKET=self.socket, XDG_STATE_HOME=self.place.name, **environment)
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


class Window(PickerTest):
    """A request on standard input, an answer on standard output."""

    def test_a_document_is_chosen_by_keyboard_alone(self):
        self.start({"mode": "open", "types": ["public.text"]})
        self.open_account("ready")
        self.shows("minutes.txt")
        self.type("minutes")
        self.hides("Papers")
        self.keys("Down")
        self.armed("Open")
        self.keys("Return")
        self.assertEqual(self.chosen(), {"locations": ["org.example.Ready:/minutes.txt"], "replaces": False})

    def test_the_way_to_a_folder_and_back_by_keyboard_alone(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/"})
        self.shows("Papers")
        self.focus()
        self.keys("Down", "Return")
        self.shows("plan.txt")
        self.keys("alt+Up")
        self.shows("minutes.txt")
        # What is typed among the rows filters.
        self.keys("Down", "Down")
        self.type("photo")
        self.hides("minutes.txt")
        self.assertEqual(self.rows(), ["photo.png"])
        self.keys("alt+Left")
        self.shows("signed out")
        self.keys("Escape")
        self.assertEqual(self.end(), (7, b""))

    def test_tab_leaves_ten_thousand_rows(self):
        self.start({"mode": "export", "currentName": "a.txt", "currentFolder": "org.example.Ready:/Many"})
        self.shows("entry-00000.txt")
        self.focus()

        def focused(name):
            return [node for node in self.nodes() if node.name == name and Atspi.StateType.FOCUSED in node.states]

        self.keys("Down")
        eventually(lambda: not focused("Filter"), "the rows")
        self.keys("Tab")
        eventually(lambda: focused("Name"), "the name")
        self.focus()
        self.keys("shift+Tab", "shift+Tab")
        eventually(lambda: focused("Filter"), "the filter")

    def test_escape_cancels(self):
        self.start({"mode": "open"})
        self.shows("Ready")
        self.focus()
        self.keys("Escape")
        self.assertEqual(self.end(), (7, b""))

    def test_a_folder_is_chosen(self):
        self.start({"mode": "folder", "currentFolder": "org.example.Ready:/Papers"})
        self.shows("plan.txt")
        self.press("Choose")
        self.assertEqual(self.chosen(), {"locations": ["org.example.Ready:/Papers"], "replaces": False})

    def test_several_documents_are_chosen(self):
        self.start({
            "mode": "open", "multiple": True, "types": ["public.text"], "currentFolder": "org.example.Ready:/Here"})
        self.shows("third.txt")
        self.focus()
        self.keys("Down", "shift+Down", "shift+Down")
        self.press("Open")
        names = ["first", "second", "third"]
        self.assertEqual(self.chosen()["locations"], [f"org.example.Ready:/Here/{name}.txt" for name in names])

    def test_a_copy_is_fetched_before_it_is_chosen(self):
        self.start({"mode": "import", "currentFolder": "org.example.Ready:/Papers"})
        self.shows("plan.txt")
        self.focus()
        self.keys("Down")
        self.press("Import")
        self.assertEqual(self.chosen()["locations"], ["org.example.Ready:/Papers/plan.txt"])

    def test_a_link_leads_to_its_folder(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/"})
        self.shows("Shortcut")
        self.focus()
        self.type("shortcut")
        self.hides("minutes.txt")
        self.keys("Down")
        self.armed("Open")
        self.keys("Return")
        self.shows("org.example.Ready:/Shortcut")

    def test_a_download_shows_its_progress_and_can_be_stopped(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/Slow"})
        self.shows("long.txt")
        self.focus()
        self.type("long")
        self.keys("Down")
        self.press("Open")
        self.shows(" of 20.0 kB, ")
        self.assertTrue([node for node in self.nodes() if node.role == Atspi.Role.PROGRESS_BAR and node.is_shown])
        self.press("Stop")
        self.hides("Fetching")
        self.assertIsNone(self.picker.poll())
        # And once more, with the key.
        self.press("Open")
        self.shows(" of 20.0 kB, ")
        self.keys("Escape")
        self.hides("Fetching")
        self.press("Cancel")
        self.assertEqual(self.end(), (7, b""))

    def test_a_window_is_closed_in_the_middle_of_a_download(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/Slow"})
        self.shows("long.txt")
        self.focus()
        self.type("long")
        self.keys("Down")
        self.press("Open")
        self.shows(" of 20.0 kB, ")
        self.press("Cancel")
        self.assertEqual(self.end(), (7, b""))

    def test_a_download_that_fails_says_why_and_what_is_possible(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/Slow"})
        self.shows("broken.txt")
        self.focus()
        self.type("broken")
        self.keys("Down")
        self.press("Open")
        self.shows("The service has gone away.")
        self.assertFalse(self.buttons("Use the Copy Here"))
        self.press("Try Again")
        self.shows("The service has gone away.")
        self.keys("alt+Up")
        self.shows("minutes.txt")

    def test_the_copy_that_is_here_can_be_used(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/Slow"})
        self.shows("the newest will be downloaded")
        self.focus()
        self.type("stale")
        self.keys("Down")
        self.press("Open")
        self.shows("The service has gone away.")
        self.press("Use the Copy Here")
        self.assertEqual(self.chosen()["locations"], ["org.example.Ready:/Slow/stale.txt"])

    def test_what_is_not_of_the_asked_type_is_dimmed(self):
        self.start({"mode": "open", "types": ["public.text"], "currentFolder": "org.example.Ready:/"})

        def row(name):
            return eventually(lambda: [
                node for node in self.nodes() if node.name == name and node.role == Atspi.Role.LIST_ITEM], name)[0]

        self.assertNotIn(Atspi.StateType.SENSITIVE, row("photo.png").states)
        self.assertIn(Atspi.StateType.SENSITIVE, row("minutes.txt").states)
        self.assertEqual(row("minutes.txt").description, "1.2 kB, will be downloaded")
        self.focus()
        self.type("photo")
        self.hides("minutes.txt")
        self.keys("Down", "Return")
        self.assertTrue(self.buttons("Open", is_ready=False))

    def test_an_account_that_is_offline_says_so(self):
        self.start({"mode": "open"})
        self.open_account("away")
        self.shows("The service cannot be reached.")
        self.press("Try Again")
        self.shows("The service cannot be reached.")

    def test_an_account_that_is_signed_out_says_how_to_sign_in(self):
        self.start({"mode": "open"})
        self.open_account("out")
        self.shows("docent login org.example.Out")

    def test_an_empty_folder_and_a_filter_without_matches(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/Empty"})
        self.shows("Nothing is here.")
        self.focus()
        self.type("x")
        self.shows("No name contains what you typed.")

    def test_ten_thousand_entries(self):
        self.start({"mode": "open", "downloads": False, "currentFolder": "org.example.Ready:/Many"})
        self.shows("entry-00000.txt")
        self.focus()
        self.type("09999")
        self.shows("entry-09999.txt")
        self.hides("entry-00000.txt")
        self.keys("Down")
        self.armed("Open")
        self.keys("Return")
        self.assertEqual(self.chosen()["locations"], ["org.example.Ready:/Many/entry-09999.txt"])

    def test_a_document_is_saved_under_a_new_name(self):
        self.start({"mode": "export", "currentFolder": "org.example.Ready:/Papers", "currentName": "copy.txt"})
        self.shows("plan.txt")
        self.press("Save")
        self.assertEqual(self.chosen(), {"locations": ["org.example.Ready:/Papers/copy.txt"], "replaces": False})

    def test_a_document_is_replaced_only_when_that_was_confirmed(self):
        self.start({"mode": "export", "currentFolder": "org.example.Ready:/", "currentName": "minutes.txt"})
        self.shows("minutes.txt")
        self.press("Save")
        self.shows("exists, with 1.2 kB")
        self.assertIsNone(self.picker.poll())
        self.press("Replace")
        self.assertEqual(self.chosen(), {"locations": ["org.example.Ready:/minutes.txt"], "replaces": True})

    def test_nothing_is_moved_over_a_document_or_saved_over_a_folder(self):
        self.start({"mode": "move", "currentFolder": "org.example.Ready:/", "currentName": "minutes.txt"})
        self.shows("minutes.txt")
        self.press("Move")
        self.shows("exists. Type another name.")
        self.assertFalse(self.buttons("Replace"))
        self.press("Cancel")
        self.end()
        self.picker.stdout.close()
        self.start({"mode": "export", "currentFolder": "org.example.Ready:/", "currentName": "Papers"})
        self.shows("minutes.txt")
        self.press("Save")
        self.shows("is a folder. Type another name.")
        self.assertFalse(self.buttons("Replace"))

    def test_the_folder_of_the_last_time_is_remembered_for_each_program(self):
        self.start({"mode": "folder", "program": "a", "currentFolder": "org.example.Ready:/Papers"})
        self.shows("plan.txt")
        self.press("Choose")
        self.chosen()
        self.picker.stdout.close()
        self.start({"mode": "open", "program": "a"})
        self.shows("plan.txt")
        self.press("Cancel")
        self.end()
        self.picker.stdout.close()
        self.start({"mode": "open", "program": "b"})
        self.shows("signed out")

    def test_words_of_others_are_harmless_and_every_control_has_a_name(self):
        evil = "x\u202e\n\x1b[2J\"" * 400
        self.start({
            "mode": "export", "currentFolder": "org.example.Ready:/", "program": evil, "reason": evil, "title": evil,
            "acceptLabel": evil, "currentName": "minutes.txt"})
        self.shows("minutes.txt")
        self.assertFalse(self.shown('x"'))
        nodes = self.nodes()
        for node in nodes:
            if node.role in CONTROLS and node.is_shown:
                self.assertTrue(node.name, f"a control without a name: {node.role}")
            text = node.name + node.description
            hidden = [character for character in text if unicodedata.category(character) in ("Cc", "Cf")]
            self.assertFalse(hidden, node.name)
        self.assertTrue([node for node in nodes if node.role in CONTROLS])
        # However long they are, the window keeps its size, and so its buttons stay on the screen.
        self.focus()
        width, height = self.size()
        self.assertLessEqual((width, height), (900, 700))
        self.press("Cancel")
        self.assertEqual(self.end(), (7, b""))

    def test_a_screenshot_for_the_documents(self):
        self.start({
            "mode": "open", "types": ["public.text"], "program": "org.example.Editor", "reason": "to count the words",
            "currentFolder": "org.example.Ready:/Reports"})
        self.shows("plan.txt")
        self.focus()
        self.keys("Down", "Down", "Down", "Down")
        self.armed("Open")
        self.picture("picker-window.png")

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


class Requests(PickerTest):
    """The requests of programs, one after the other."""

    def ask(self, *requests):
        place = pathlib.Path(self.place.name)
        (place / "asked").write_text(json.dumps(list(requests)))
        os.replace(place / "asked", place / "requests")

    def request(self, identifier, **members):
        return {
            "identifier": identifier, "clientKind": "flatpak", "client": "org.example.Editor", "strength": "enforced",
            "process": 4711, "mode": "open", "access": "readWrite", "since": float(identifier)} | members

    def answers(self, count):
        def look():
            try:
                lines = pathlib.Path(self.place.name, "answers").read_text().splitlines()
            except FileNotFoundError:
                return None
            return [json.loads(line) for line in lines] if len(lines) >= count else None

        return eventually(look, "an answer")

    def listen(self, *requests):
        self.ask(*requests)
        self.start(b"", "--requests")

    def choose(self, folder, name):
        """From the accounts to a document."""
        self.shows("signed out")
        self.focus()
        self.type("ready")
        self.keys("Return")
        self.shows("minutes.txt")
        self.type(folder)
        self.keys("Return")
        self.shows(name)
        self.type(name)
        self.keys("Down")

    def test_a_request_says_who_asks_and_is_answered(self):
        self.listen(self.request(
            "1", types=["public.text"], reason="to count the words", companions=["{stem}.srt"]))
        self.shows("org.example.Editor (enforced, process 4711) asks to change it")
        self.shows('It says: "to count the words"')
        self.assertFalse(self.shown("other request"))
        self.choose("reports", "2025.txt")
        self.armed("Open")
        self.picture("picker-request.png")
        self.press("Open")
        self.assertEqual(self.answers(1), [{
            "identifier": "1",
            "location": {"provider": "org.example.Ready", "domain": "", "path": "/Reports/2025.txt"}}])
        eventually(lambda: self.named_windows() == [], "the end of the window")
        # The next one is shown when it comes.
        self.ask(self.request("2", mode="export", name="copy.txt", access=None))
        self.shows("Choose Where to Save")
        self.assertIsNone(self.picker.poll())

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

    def test_a_person_gives_less_than_was_asked_for(self):
        self.listen(self.request("1", companions=["{stem}.srt"]))
        self.choose("here", "first.txt")
        for name in ["Only reading", "With what is beside it"]:
            self.go_to(name)
            self.keys("space")
            eventually(lambda: Atspi.StateType.CHECKED in self.states(name), f"the mark of {name}")
        self.press("Open")
        answer = self.answers(1)[0]
        self.assertEqual(answer["access"], "read")
        self.assertNotIn("expires", answer)
        self.assertEqual(answer["companions"], ["{stem}.srt"])

    def test_several_requests_are_one_window_and_one_line(self):
        self.listen(*[self.request(str(number)) for number in range(1, 8)])
        self.shows("6 other requests wait.")
        self.assertEqual(len(self.named_windows()), 1)
        self.press("Refuse")
        self.shows("5 other requests wait.")
        self.assertEqual(self.answers(1), [{"identifier": "1"}])
        # More do not take the place of the one that is shown.
        self.ask(*[self.request(str(number)) for number in range(2, 20)], self.request("0.5", client="org.other"))
        self.shows("18 other requests wait.")
        self.assertTrue(self.shown("org.example.Editor (enforced, process 4711) asks"))

    def test_a_request_that_is_withdrawn_closes_its_window(self):
        self.listen(self.request("1"), self.request("2", client="org.other"))
        self.shows("org.example.Editor")
        self.ask(self.request("2", client="org.other"))
        self.shows("org.other (enforced, process 4711) asks")
        self.ask()
        eventually(lambda: self.named_windows() == [], "the end of the window")
        self.assertFalse(pathlib.Path(self.place.name, "answers").exists())
        self.assertIsNone(self.picker.poll())

    def test_an_answer_that_fails_is_said_in_the_window(self):
        self.listen(self.request("1"))
        self.choose("slow", "broken.txt")
        self.press("Open")
        self.shows("The service has gone away.")
        self.assertTrue(self.shown("asks to change it"))
        self.press("Try Again")
        self.shows("The service has gone away.")
        self.press("Refuse")
        self.assertEqual(self.answers(1), [{"identifier": "1"}])

    def test_a_request_to_move_something_names_its_place(self):
        self.listen(self.request("1", mode="move", name="report.txt", access="readWrite"))
        self.shows("signed out")
        self.focus()
        self.type("ready")
        self.keys("Return")
        self.shows("minutes.txt")
        self.press("Move")
        self.assertEqual(self.answers(1), [{
            "identifier": "1", "location": {"provider": "org.example.Ready", "domain": "", "path": "/"},
            "name": "report.txt"}])

    def test_it_ends_with_the_daemon(self):
        self.listen()
        time.sleep(0.2)
        self.daemon.kill()
        self.assertEqual(self.end()[0], 5)


class Install(unittest.TestCase):
    def test_what_is_installed_is_removed_and_nothing_else(self):
        script = HERE.parents[2] / "Scripts/desktop-install.sh"
        with tempfile.TemporaryDirectory() as place:
            binaries = pathlib.Path(place, "built")
            binaries.mkdir()
            (binaries / "docent-picker").write_bytes(pathlib.Path(PICKER).read_bytes())
            prefix = pathlib.Path(place, "prefix")
            given = dict(os.environ, PREFIX=str(prefix), DOCENT_INSTALL_BINARIES=str(binaries))

            def run(verb):
                return subprocess.run([script, verb], env=given, capture_output=True, text=True, check=False).returncode

            def files():
                return sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file())

            # Twice: the second run replaces what the first has installed.
            for _ in range(2):
                self.assertEqual(run("install"), 0)
            self.assertEqual(files(), [
                "bin/docent-picker", "share/docent/desktop-manifest.txt", "share/man/man1/docent-picker.1",
                "share/systemd/user/docent-picker.service"])
            unit = (prefix / "share/systemd/user/docent-picker.service").read_text()
            self.assertIn(f"ExecStart={prefix}/bin/docent-picker --requests\n", unit)
            bad = subprocess.run([prefix / "bin/docent-picker"], input=b"{}", capture_output=True, check=False)
            self.assertEqual(bad.returncode, 64)
            other = prefix / "bin/other"
            other.write_text("")
            self.assertEqual(run("uninstall"), 0)
            self.assertEqual(files(), ["bin/other"])
            # A program of somebody else stays what it is.
            (prefix / "bin/docent-picker").write_text("mine")
            self.assertEqual(run("install"), 73)
            self.assertEqual(run("uninstall"), 0)
            self.assertEqual((prefix / "bin/docent-picker").read_text(), "mine")


BUTTONS = {Atspi.Role.PUSH_BUTTON, Atspi.Role.BUTTON} if hasattr(Atspi.Role, "BUTTON") else {Atspi.Role.PUSH_BUTTON}
CONTROLS = BUTTONS | {
    Atspi.Role.TEXT, Atspi.Role.ENTRY, Atspi.Role.LIST, Atspi.Role.LIST_ITEM, Atspi.Role.TOGGLE_BUTTON,
    Atspi.Role.CHECK_BOX, Atspi.Role.COMBO_BOX, Atspi.Role.PROGRESS_BAR,
}

if __name__ == "__main__":
    unittest.main(verbosity=2)
