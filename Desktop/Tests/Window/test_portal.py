"""Programs that open and save through the portal."""

import json
import os
import pathlib
import subprocess
import time
import unicodedata

from gi.repository import Gio, GLib

from portal import BACKEND, Found, PortalTest, windows
from window import CONTROLS, HERE, Atspi, eventually


class Portal(PortalTest):
    def selects(self, name):
        eventually(lambda: Atspi.StateType.SELECTED in self.states(name), f"the selection of {name}")

    def test_a_file_is_opened(self):
        client = self.open()
        self.shows("A program asks")
        self.shows('It says: "Choose what to send"')
        self.choose("a.txt")
        self.assertEqual(
            self.answer(client), {"response": 0, "uris": [self.uri("a.txt")]})
        eventually(lambda: not windows(), "the end of the window")

    def test_the_person_cancels(self):
        client = self.open()
        self.shows("a.txt")
        self.press("Cancel")
        self.assertEqual(self.answer(client)["response"], 1)

    def test_several_files_are_opened(self):
        client = self.open(", 'multiple': <true>")
        self.shows("b.txt")
        self.focus()
        # The folder comes first.
        self.keys("Down", "Down", "shift+Down")
        self.selects("b.txt")
        self.press("Open")
        self.assertEqual(self.answer(client)["uris"], [self.uri("a.txt"), self.uri("b.txt")])

    def test_a_folder_is_opened(self):
        client = self.open(", 'directory': <true>")
        self.shows("picture.png")
        self.focus()
        self.keys("Down")
        self.selects("Folder")
        self.press("Choose")
        self.assertEqual(self.answer(client)["uris"], [self.uri("Folder")])

    def test_a_filter_dims_and_another_one_can_be_chosen(self):
        client = self.open(
            ", 'filters': <[('Pictures', [(uint32 1, 'image/*')]), ('Texts', [(0, '*.TXT')])]>"
            ", 'current_filter': <('Texts', [(uint32 0, '*.TXT')])>")
        self.shows("picture.png")

        def row(name):
            return eventually(lambda: [
                node for node in self.nodes() if node.name == name and node.role == Atspi.Role.LIST_ITEM], name)[0]

        self.assertNotIn(Atspi.StateType.SENSITIVE, row("picture.png").states)
        self.assertIn(Atspi.StateType.SENSITIVE, row("a.txt").states)
        self.focus()
        # To the filter, and up to the first of its options.
        self.keys("Down", "Tab")
        # The button within the list of options has the focus.
        eventually(lambda: self.focused("GtkToggleButton"), "the filter")
        self.keys("space")
        self.keys("Up", "Return")
        eventually(lambda: Atspi.StateType.SENSITIVE in row("picture.png").states, "the other filter")
        self.focus()
        self.keys("shift+Tab")
        self.keys("shift+Tab")
        self.press_row("picture.png")
        self.press("Open")
        answer = self.answer(client)
        self.assertEqual(answer["uris"], [self.uri("picture.png")])
        self.assertEqual(answer["current_filter"], ["Pictures", [[1, "image/*"]]])

    def press_row(self, name):
        """Selects a row as a click does."""
        def select():
            for node in self.nodes():
                if node.name == name and node.role == Atspi.Role.LIST_ITEM:
                    place = node.node.get_extents(Atspi.CoordType.WINDOW)
                    subprocess.run(
                        ["xdotool", "mousemove", "--window", self.identifier(), str(place.x + place.width // 2),
                         str(place.y + place.height // 2), "click", "1"], check=False)
                    time.sleep(0.2)
                    return self.buttons("Open")
            return None

        eventually(select, name)

    def test_questions_are_answered(self):
        client = self.open(
            ", 'choices': <[('encoding', 'Encoding', [('utf8', 'Unicode'), ('latin', 'Western')], 'latin'),"
            " ('reencode', 'Reencode', [], 'false')]>")
        self.shows("a.txt")
        self.assertTrue(self.shown('"Encoding"'))
        self.type("a.txt")
        eventually(lambda: self.rows() == ["a.txt"], "a.txt")
        self.keys("Down")
        self.go_to('"Reencode"')
        self.keys("space")
        eventually(lambda: Atspi.StateType.CHECKED in self.states('"Reencode"'), "the mark")
        self.press("Open")
        self.assertEqual(self.answer(client)["choices"], [["encoding", "latin"], ["reencode", "true"]])

    def test_a_screenshot_for_the_documents(self):
        self.open(
            ", 'filters': <[('Texts', [(uint32 0, '*.txt')]), ('All files', [(uint32 0, '*')])]>, 'choices': <["
            "('encoding', 'Encoding', [('utf8', 'Unicode'), ('latin', 'Western')], 'utf8')]>")
        self.shows("a.txt")
        self.keys("Down", "Down")
        self.armed("Open")
        self.picture("picker-portal.png")

    def save(self, options):
        folder = "".join(f"0x{byte:02x}, " for byte in os.fsencode(self.place.name + "/files") + b"\0")
        client = self.ask("SaveFile", "{'current_folder': <[byte " + folder.rstrip(", ") + "]>" + options + "}")
        self.find()
        return client

    def test_a_file_is_saved_under_a_new_name(self):
        client = self.save(", 'current_name': <'new file.txt'>")
        self.shows("a.txt")
        self.press("Save")
        self.assertEqual(self.answer(client)["uris"], [self.uri("new%20file.txt")])
        self.assertFalse(pathlib.Path(self.place.name, "files/new file.txt").exists())

    def test_a_file_is_replaced_only_when_that_was_confirmed(self):
        client = self.save(", 'current_name': <'a.txt'>")
        self.shows("b.txt")
        self.press("Save")
        self.shows("exists, with 5 B")
        self.press("Replace")
        self.assertEqual(self.answer(client)["uris"], [self.uri("a.txt")])

    def test_several_files_are_saved(self):
        def bytes_of(text):
            return "[byte " + ", ".join(f"0x{byte:02x}" for byte in text.encode() + b"\0") + "]"

        client = self.ask(
            "SaveFiles", "{'files': <[" + bytes_of("copy.txt") + ", " + bytes_of("new.txt") + ", "
            + bytes_of("copy.txt") + "]>, 'current_folder': <" + bytes_of(self.place.name + "/files") + ">}")
        self.find()
        self.shows('Saves "copy.txt", "new.txt"')
        self.shows("picture.png")
        self.press("Save")
        self.assertEqual(
            self.answer(client)["uris"],
            [self.uri("copy%20%281%29.txt"), self.uri("new.txt"), self.uri("copy%20%282%29.txt")])

    def test_a_document_of_an_account_has_its_path_in_the_view(self):
        client = self.ask("OpenFile", "@a{sv} {}")
        self.find()
        self.shows("This computer")
        self.open_account("ready")
        self.choose("minutes.txt")
        self.assertEqual(self.answer(client)["uris"], [f"file://{self.place.name}/view/minutes.txt"])
        # Nothing was mounted: the window did that.
        self.assertEqual(
            pathlib.Path(self.place.name, "docent-calls").read_text().splitlines(),
            ["path -- org.example.Ready:/minutes.txt", "mount", "path -- org.example.Ready:/minutes.txt"])

    def test_the_home_folder_is_there_without_a_daemon(self):
        self.daemon.kill()
        client = self.ask("OpenFile", "@a{sv} {}")
        self.find()
        self.shows("This computer")
        self.focus()
        self.keys("Down", "Return")
        self.choose("b.txt")
        self.assertEqual(self.answer(client)["uris"], [self.uri("b.txt")])

    def test_a_window_that_crashes_is_a_cancelled_dialog(self):
        client = self.open()
        self.shows("a.txt")
        self.picker.kill()
        self.assertEqual(self.answer(client)["response"], 2)
        # And the next one is shown.
        client = self.open()
        self.choose("a.txt")
        self.assertEqual(self.answer(client)["response"], 0)

    def test_a_back_end_that_crashes_is_a_cancelled_dialog(self):
        client = self.open()
        self.shows("a.txt")
        self.end_backend()
        self.assertEqual(self.answer(client)["response"], 2)
        client = self.open()
        self.choose("a.txt")
        self.assertEqual(self.answer(client)["response"], 0)

    def test_a_program_closes_its_dialog(self):
        client = self.open()
        self.shows("a.txt")
        client.stdin.write("\n")
        client.stdin.flush()
        self.assertEqual(self.answer(client), {"closed": True})
        eventually(lambda: not windows(), "the end of the window")

    def test_a_program_that_ends_takes_its_dialog_with_it(self):
        client = self.open()
        self.shows("a.txt")
        client.kill()
        eventually(lambda: not windows(), "the end of the window")

    def test_a_second_request_of_a_program_waits_and_another_program_does_not(self):
        # Both requests come from one connection: this test's own.
        bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)

        def ask():
            bus.call_sync(
                "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                "org.freedesktop.portal.FileChooser", "OpenFile", GLib.Variant("(ssa{sv})", ("", "Mine", {})), None, 0,
                -1, None)

        ask()
        self.find()
        self.shows("This computer")
        first = self.picker.pid
        for _ in range(5):
            ask()
        self.shows("5 other requests wait.")
        self.assertEqual(windows(), [first])
        # Another program has a window of its own.
        client = self.ask("OpenFile", "@a{sv} {}")
        eventually(lambda: len(windows()) == 2, "the window of another program")
        self.picker = Found([pid for pid in windows() if pid != first][0])
        self.shows("This computer")
        self.press("Cancel")
        self.assertEqual(self.answer(client)["response"], 1)
        self.picker = Found(first)
        self.press("Cancel")
        eventually(lambda: windows() and windows() != [first], "the next request")
        self.find()
        self.shows("4 other requests wait.")
        bus.close_sync()
        eventually(lambda: not windows(), "the end of the windows")

    def test_words_of_programs_are_harmless(self):
        evil = "x\u202e\n\x1b[2J\"\U0001242b\ufdfd" * 100
        text = GLib.Variant("s", evil).print_(False)
        client = self.open(
            f", 'accept_label': <'_Cancel'>, 'filters': <[({text}, [(uint32 0, '*')])]>, 'choices': <["
            f"('a', {text}, [('x', {text}), ('y', 'y')], 'x'), ('b', {text}, [], 'true'), ('c', 'c', [], 'false'), "
            "('d', 'd', [], ''), ('e', 'e', [], ''), ('f', 'f', [], ''), ('g', 'g', [], 'true')]>")
        self.shows("a.txt")
        nodes = self.nodes()
        for node in nodes:
            if node.role in CONTROLS and node.is_shown:
                self.assertTrue(node.name, f"a control without a name: {node.role}")
            text = node.name + node.description
            hidden = [character for character in text if unicodedata.category(character) in ("Cc", "Cf")]
            self.assertFalse(hidden, node.name)
        self.assertFalse(self.shown('x"'))
        self.focus()
        width, height = self.size()
        self.assertLessEqual((width, height), (900, 700))
        self.assertEqual(len(self.buttons("Cancel")), 1)
        self.choose("a.txt")
        answer = self.answer(client)
        self.assertEqual([choice[0] for choice in answer["choices"]], list("abcdefg"))
        self.assertEqual(answer["choices"][-1], ["g", "true"])
        self.assertEqual(answer["current_filter"][0], evil)

    def test_what_is_no_request_is_refused(self):
        for method, options in [
                ("SaveFiles", {}), ("SaveFiles", {"files": GLib.Variant("aay", [b"../../etc/passwd\0"])}),
                ("SaveFiles", {"files": GLib.Variant("aay", [b"a\0"] * 1001)})]:
            answer = self.bus.call_sync(
                BACKEND, "/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.FileChooser", method,
                GLib.Variant("(osssa{sv})", ("/org/example/request", "", "", "", options)), None, 0, -1, None)
            self.assertEqual(answer.unpack(), (2, {}))
        self.assertEqual(windows(), [])

    def test_only_who_has_asked_may_end_a_request(self):
        self.open()
        self.shows("a.txt")
        other = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        tree = other.call_sync(
            BACKEND, "/org/freedesktop/portal/desktop/request", "org.freedesktop.DBus.Introspectable", "Introspect",
            None, None, 0, -1, None).unpack()[0]
        name = tree.split('<node name="')[1].split('"')[0]
        with self.assertRaises(GLib.Error):
            other.call_sync(
                BACKEND, f"/org/freedesktop/portal/desktop/request/{name}/docent",
                "org.freedesktop.impl.portal.Request", "Close", None, None, 0, -1, None)
        self.assertTrue(self.shown("a.txt"))
        other.close_sync()


class Confined(PortalTest):
    """A program in a sandbox, as Flatpak starts it: it sees no file of the user."""

    def confine(self):
        place = pathlib.Path(self.place.name)
        (place / "info").write_text(
            "[Application]\nname=org.example.Confined\nruntime=runtime/org.example/x/1\n\n[Instance]\ninstance-id=1\n")
        documents = os.environ["XDG_RUNTIME_DIR"] + "/doc"
        bus = os.environ["DBUS_SESSION_BUS_ADDRESS"].split("path=")[1].split(",")[0]
        own = os.environ["XDG_RUNTIME_DIR"] + "/own"
        os.makedirs(own + "/doc", exist_ok=True)
        # Until the document portal is there, its folder is no mount.
        self.call_bus("StartServiceByName", GLib.Variant("(su)", ("org.freedesktop.portal.Documents", 0)))
        eventually(lambda: os.path.ismount(documents), "the document portal")
        links = [word for name in ["bin", "lib", "lib64", "sbin"] for word in ["--symlink", f"usr/{name}", f"/{name}"]]
        return [
            "bwrap", "--unshare-pid", "--die-with-parent", "--ro-bind", "/usr", "/usr", *links, "--proc", "/proc",
            "--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind", bus, bus, "--ro-bind", str(HERE), str(HERE),
            "--bind", documents + "/by-app/org.example.Confined", documents,
            "--ro-bind", str(place / "info"), "/.flatpak-info", "--setenv", "READ", str(place / "files/a.txt")]

    def ask_confined(self, *arguments):
        client = self.run_program(
            [*self.confine(), "/usr/bin/python3", str(HERE / "portal_client.py"), *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.assertIn("asked", json.loads(client.stdout.readline()))
        self.find()
        self.shows("This computer")
        return client

    def choose_from_home(self):
        self.focus()
        self.keys("Down", "Return")
        self.shows("a.txt")
        self.type("a.txt")
        eventually(lambda: self.rows() == ["a.txt"], "a.txt")
        self.keys("Down")

    def test_a_confined_program_gets_one_file(self):
        client = self.ask_confined("OpenFile", "@a{sv} {}")
        self.shows('"org.example.Confined" asks')
        self.choose_from_home()
        self.press("Open")
        answer = self.answer(client)
        self.assertEqual(answer["content"], "a.txt")
        self.assertTrue(answer["path"].startswith(os.environ["XDG_RUNTIME_DIR"] + "/doc/"))
        self.assertFalse(answer["seen"])
        self.assertNotIn("error", answer)
        self.assertEqual(pathlib.Path(self.place.name, "files/a.txt").read_text(), "a.txt and more")

    def test_a_person_gives_a_file_only_for_reading(self):
        client = self.ask_confined("OpenFile", "@a{sv} {}")
        self.choose_from_home()
        self.go_to("Only reading")
        self.keys("space")
        eventually(lambda: Atspi.StateType.CHECKED in self.states("Only reading"), "the mark")
        self.press("Open")
        answer = self.answer(client)
        self.assertEqual(answer["content"], "a.txt")
        self.assertIn("error", answer)
        self.assertEqual(pathlib.Path(self.place.name, "files/a.txt").read_text(), "a.txt")

    def test_a_confined_program_gets_a_document_of_an_account(self):
        (pathlib.Path(self.place.name) / "view/minutes.txt").write_text("Minutes")
        client = self.ask_confined("OpenFile", "@a{sv} {}")
        self.open_account("ready")
        self.choose("minutes.txt")
        self.assertEqual(self.answer(client)["content"], "Minutes")


class Toolkits(PortalTest):
    """The dialogs of GTK and Qt."""

    def check(self, toolkit, **variables):
        for verb, button in [("open", "Open"), ("save", "Save")]:
            with self.subTest(toolkit + verb):
                client = self.ask(toolkit, verb, **variables)
                self.find()
                self.go_home()
                if verb == "open":
                    self.choose("a.txt")
                else:
                    self.shows("b.txt")
                    self.press(button)
                name = "a.txt" if verb == "open" else "saved.txt"
                self.assertEqual(self.answer(client), {"response": 0, "path": f"{self.place.name}/files/{name}"})
                eventually(lambda: not windows(), "the end of the window")
                pathlib.Path(self.place.name, "docent/picker.json").unlink(missing_ok=True)

    def go_home(self):
        """To the files of the test, unless the program has asked for them."""
        eventually(lambda: self.shown("This computer") or self.shown("picture.png"), "a place")
        if self.shown("This computer"):
            self.focus()
            self.keys("Down", "Return")

    def test_gtk_3(self):
        self.check("gtk3", GTK_USE_PORTAL="1")

    def test_gtk_4(self):
        self.check("gtk4", GDK_DEBUG="portals")

    def test_qt_5(self):
        # It loses an answer that comes in the moment of its question.
        self.check("qt5", QT_QPA_PLATFORMTHEME="xdgdesktopportal")

    def test_qt_6(self):
        self.check("qt6", QT_QPA_PLATFORMTHEME="xdgdesktopportal")

    def test_a_window_belongs_to_that_of_the_program(self):
        client = self.ask("gtk3", "open", GTK_USE_PORTAL="1")
        self.find()
        self.shows("This computer")
        owner = subprocess.run(
            ["xprop", "-id", self.identifier(), "WM_TRANSIENT_FOR"], stdout=subprocess.PIPE, text=True, check=True)
        number = subprocess.run(
            ["xdotool", "search", "--name", "The program"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(int(owner.stdout.split("# ")[1], 16), [int(line) for line in number.split()])
        self.press("Cancel")
        self.assertEqual(self.answer(client)["response"], 1)
