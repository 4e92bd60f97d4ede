"""make install-desktop."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from window import HERE, PICKER


class Install(unittest.TestCase):
    def test_what_is_installed_is_removed_and_nothing_else(self):
        script = HERE.parents[2] / "Scripts/desktop-install.sh"
        with tempfile.TemporaryDirectory() as place:
            binaries = pathlib.Path(place, "built")
            binaries.mkdir()
            for name in ["docent-picker", "docent-portal"]:
                (binaries / name).write_bytes(pathlib.Path(PICKER).with_name(name).read_bytes())
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
                "bin/docent-picker", "libexec/docent/docent-portal",
                "share/dbus-1/services/org.freedesktop.impl.portal.desktop.docent.service",
                "share/docent/desktop-manifest.txt", "share/man/man1/docent-picker.1",
                "share/systemd/user/docent-picker.service", "share/systemd/user/docent-portal.service",
                "share/xdg-desktop-portal/portals/docent.portal"])
            unit = (prefix / "share/systemd/user/docent-picker.service").read_text()
            self.assertIn(f"ExecStart={prefix}/bin/docent-picker --requests\n", unit)
            service = (prefix / "share/dbus-1/services/org.freedesktop.impl.portal.desktop.docent.service").read_text()
            self.assertIn(f"Exec={prefix}/libexec/docent/docent-portal\n", service)
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
