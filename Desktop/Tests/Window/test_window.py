"""A request on standard input, an answer on standard output."""

import json
import os
import pathlib
import subprocess
import unicodedata

from window import CONTROLS, Atspi, PickerTest, eventually


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
        # The only row can be selected, though the focus was on the row of its folder.
        self.keys("Down")
        self.armed("Open")
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

        self.keys("Down")
        eventually(lambda: not self.focused("Filter"), "the rows")
        self.keys("Tab")
        eventually(lambda: self.focused("Name"), "the name")
        self.focus()
        self.keys("shift+Tab", "shift+Tab")
        eventually(lambda: self.focused("Filter"), "the filter")

    def test_a_folder_is_made(self):
        self.start({"mode": "export", "currentFolder": "org.example.Ready:/", "currentName": "a.txt"})
        self.shows("minutes.txt")
        self.focus()
        self.press("New folder")
        eventually(lambda: self.focused("Name of the new folder"), "the name of the folder")
        self.type("Papers")
        self.press("Make Folder")
        self.shows("There is a folder of that name.")
        self.keys("BackSpace", "BackSpace", "BackSpace", "BackSpace", "BackSpace", "BackSpace")
        self.type("New")
        self.keys("Return")
        self.shows("org.example.Ready:/New")
        self.shows("Nothing is here.")
        self.press("Save")
        self.assertEqual(self.chosen()["locations"], ["org.example.Ready:/New/a.txt"])

    def test_no_folder_is_made_where_documents_are_chosen(self):
        self.start({"mode": "open", "currentFolder": "org.example.Ready:/"})
        self.shows("minutes.txt")
        self.assertFalse(self.shown("New folder"))

    def test_escape_clears_the_filter_and_then_cancels(self):
        self.start({"mode": "open"})
        self.shows("signed out")
        self.focus()
        self.type("ready")
        self.hides("signed out")
        self.keys("Escape")
        self.shows("signed out")
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
        status = pathlib.Path(f"/proc/{self.picker.pid}/status").read_text()
        self.assertLess(int(status.split("VmRSS:")[1].split()[0]), 150_000, "kB in memory")
        self.keys("Down")
        self.armed("Open")
        self.keys("Return")
        self.assertEqual(self.chosen()["locations"], ["org.example.Ready:/Many/entry-09999.txt"])

    def test_a_document_is_saved_under_a_new_name(self):
        self.start({"mode": "export", "currentFolder": "org.example.Ready:/Papers", "currentName": "copy.txt"})
        self.shows("plan.txt")
        self.press("Save")
        self.assertEqual(self.chosen(), {"locations": ["org.example.Ready:/Papers/copy.txt"], "replaces": False})

    def test_a_name_is_typed_by_keyboard_alone(self):
        self.start({"mode": "export", "currentFolder": "org.example.Ready:/Papers"})
        self.shows("plan.txt")
        self.focus()
        self.keys("Down", "Tab")
        eventually(lambda: self.focused("Name"), "the name")
        self.type("typed.txt")
        self.armed("Save")
        self.keys("Return")
        self.assertEqual(self.chosen()["locations"], ["org.example.Ready:/Papers/typed.txt"])

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
