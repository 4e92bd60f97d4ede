"""The portal, the window and the real daemon with its mounted view. BINARIES is the folder with Docent's programs."""

import os
import pathlib
import subprocess
import unittest
import urllib.parse

from portal import PortalTest, windows
from window import HERE, eventually


@unittest.skipUnless("BINARIES" in os.environ, "no daemon: set BINARIES")
class MountedDocuments(PortalTest):
    def activation(self):
        place = pathlib.Path(self.place.name)
        for name in ["home/Documents/Papers", "daemon"]:
            (place / name).mkdir(parents=True, mode=0o700)
        (place / "home/Documents/Papers/minutes.txt").write_text("Minutes\n")
        binaries = os.environ["BINARIES"]
        self.variables = {
            "HOME": str(place / "home"), "XDG_RUNTIME_DIR": str(place / "daemon"), "DOCENT_LIBRARY_PATH": binaries,
            "DOCENT_MANIFEST_PATH": str(HERE.parents[2] / "manifests"), "PATH": binaries + ":" + os.environ["PATH"],
            "DOCENT_DAEMON": binaries + "/docentd", "DOCENT_VIEW": binaries + "/docent-view", "DOCENT_SOCKET": ""}
        self.docent("provider", "enable", "LocalFolder", "--yes")
        return self.variables

    def tearDown(self):
        subprocess.run(["docent", "unmount", "--force"], env=os.environ | self.variables, check=False)
        super().tearDown()
        self.docent("daemon", "stop", "--force")

    def docent(self, *arguments):
        found = subprocess.run(
            ["docent", *arguments], env=os.environ | self.variables, capture_output=True, text=True, check=False)
        self.assertEqual(found.returncode, 0, found.stderr)
        return found.stdout

    def open_papers(self):
        self.shows("This computer")
        row = eventually(lambda: [name for name in self.rows() if name != "This computer"], "the account")[0]
        self.focus()
        self.type(row)
        eventually(lambda: self.rows() == [row], row)
        self.keys("Return")
        self.shows("Papers")
        self.type("Papers")
        self.keys("Return")
        self.shows("minutes.txt")

    def test_a_document_is_opened_and_another_one_saved_in_the_mounted_folder(self):
        client = self.ask("OpenFile", "@a{sv} {}")
        self.find()
        self.open_papers()
        self.keys("Down")
        self.armed("Open")
        self.press("Open")
        uri = self.answer(client)["uris"][0]
        path = pathlib.Path(self.place.name, "home/Docent/Local Folder/Papers/minutes.txt")
        self.assertEqual(uri, "file://" + urllib.parse.quote(str(path)))
        self.assertEqual(path.read_text(), "Minutes\n")
        eventually(lambda: not windows(), "the end of the window")
        client = self.ask("SaveFile", "{'current_name': <'new.txt'>}")
        self.find()
        # It begins in the folder of the last time.
        self.shows("minutes.txt")
        self.press("Save")
        uri = self.answer(client)["uris"][0]
        self.assertEqual(uri, "file://" + urllib.parse.quote(str(path.with_name("new.txt"))))
        path.with_name("new.txt").write_text("New\n")
        self.assertEqual(self.docent("cat", "LocalFolder:/Papers/new.txt"), "New\n")
