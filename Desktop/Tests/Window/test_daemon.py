"""The window and the real daemon. BINARIES is the folder with docent, docentd and the provider LocalFolder."""

import json
import os
import pathlib
import subprocess
import unittest

from window import HERE, PickerTest, eventually


@unittest.skipUnless("BINARIES" in os.environ, "no daemon: set BINARIES")
class Daemon(PickerTest):
    def setUp(self):
        super().setUp()
        place = pathlib.Path(self.place.name)
        for name in ["home/Documents/Papers", "run"]:
            (place / name).mkdir(parents=True, mode=0o700)
        (place / "home/Documents/Papers/minutes.txt").write_text("Minutes\n")
        (place / "home/Documents/photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        binaries = os.environ["BINARIES"]
        self.variables = {
            "HOME": str(place / "home"), "XDG_RUNTIME_DIR": str(place / "run"), "DOCENT_LIBRARY_PATH": binaries,
            "DOCENT_MANIFEST_PATH": str(HERE.parents[2] / "manifests"), "PATH": binaries + ":" + os.environ["PATH"],
            "DOCENT_DAEMON": binaries + "/docentd", "DOCENT_SOCKET": "",
        }
        self.docent("provider", "enable", "LocalFolder", "--yes")

    def tearDown(self):
        super().tearDown()
        self.docent("daemon", "stop", "--force")

    def docent(self, *arguments):
        found = subprocess.run(
            ["docent", *arguments], env=os.environ | self.variables, capture_output=True, text=True, check=False)
        self.assertEqual(found.returncode, 0, found.stderr)
        return found.stdout

    def choose(self):
        self.shows("Papers")
        self.focus()
        self.keys("Down", "Return")
        self.shows("minutes.txt")
        self.keys("Down")

    def test_a_document_is_chosen(self):
        self.start({"mode": "open", "types": ["public.text"], "currentFolder": "LocalFolder:/"}, **self.variables)
        self.choose()
        self.press("Open")
        location = self.chosen()["locations"][0]
        self.assertEqual(self.docent("cat", location), "Minutes\n")

    def test_a_document_is_replaced(self):
        self.start(
            {"mode": "export", "currentFolder": "LocalFolder:/Papers", "currentName": "minutes.txt"}, **self.variables)
        self.shows("minutes.txt")
        self.press("Save")
        self.shows("exists, with 8 B")
        self.press("Replace")
        self.assertTrue(self.chosen()["replaces"])

    def test_the_request_of_a_program_is_answered(self):
        self.start(b"", "--requests", **self.variables)
        copy = pathlib.Path(self.place.name, "copy.txt")
        command = ["docent", "picks", "ask", "import", "-o", str(copy), "--reason", "to count", "--json"]

        def ask():
            # Until the window listens, nobody can be asked.
            asking = subprocess.Popen(command, env=os.environ | self.variables, stderr=subprocess.DEVNULL)
            try:
                asking.wait(1)
            except subprocess.TimeoutExpired:
                return asking
            return None

        asking = eventually(ask, "a listener")
        self.shows('It says: "to count"')
        self.focus()
        self.keys("Return")
        self.choose()
        self.press("Import")
        self.assertEqual(asking.wait(60), 0)
        self.assertEqual(copy.read_text(), "Minutes\n")
        # A refusal.
        asking = eventually(ask, "a listener")
        self.shows('It says: "to count"')
        self.press("Refuse")
        self.assertEqual(asking.wait(60), 3)
        self.assertEqual(json.loads(self.docent("picks", "--json"))["requests"], [])
