#!/usr/bin/env python3
"""Checks which code of the daemon reaches files by the text of a path.

    swift package dump-package | check-paths.py

A provider can put a link at any path inside its container, so the daemon reaches what is in there only by descriptors
(`Directory`, `OwnPath`). Each source file below uses the text of a path for something that no provider can write. A
source file that is not listed must not do that; one that is listed and no longer does is reported too. The files of a
module are those of every module that the daemon consists of.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = "docentd"

KERNEL = "files of the kernel: /proc, /sys, control groups"
OWN = "a folder of Docent's own that is out of reach for every sandbox"
SYSTEM = "programs, libraries, manifests and data of the system or the user; no provider can write there"
COMPARED = "a path of the user's; only its identity is examined, to be compared with what a descriptor shows"
NAMED = "a file that the user names, opened without blocking and examined by its descriptor"
SHARED = "a folder that the user shares, opened component by component without following links"

ALLOWED = {
    "DaemonCore/Daemon/DaemonControl.swift": OWN,
    "DaemonCore/Daemon/DaemonSocket.swift": OWN,
    "docentd/DaemonProgram.swift": KERNEL,
    "ExtensionHosting/Extensions/LibraryClosure.swift": SYSTEM,
    "ExtensionHosting/Extensions/ShownFolders.swift": COMPARED,
    "ExtensionHosting/Limits/ContainerUsage.swift": KERNEL,
    "ExtensionHosting/Limits/ControlGroup.swift": KERNEL,
    "ExtensionHosting/Limits/ControlGroups.swift": KERNEL,
    "ExtensionHosting/Limits/UnlinkedFiles.swift": KERNEL,
    "ExtensionHosting/Providers/InstalledManifests.swift": SYSTEM,
    "ExtensionHosting/Providers/ProviderRegistry.swift": COMPARED,
    "ExtensionHosting/Sandbox/PathLookup.swift": SYSTEM,
    "ExtensionHosting/Sandbox/SandboxProbe.swift": SYSTEM,
    "ExtensionHosting/Sandbox/SystemLayout.swift": SYSTEM,
    "ExtensionManifest/EntitlementsFile.swift": SYSTEM,
    "ExtensionManifest/FileFingerprint.swift": SYSTEM,
    "ExtensionManifest/FileInspector.swift": SYSTEM,
    "ExtensionManifest/ManifestDiscovery.swift": SYSTEM,
    "ExtensionManifest/Paths.swift": SYSTEM,
    "ExtensionManifest/ProviderBundle.swift": SYSTEM,
    "ExtensionManifest/ReadAhead.swift": SYSTEM,
    "ExtensionManifest/SharedLibrary.swift": SYSTEM,
    "HostCore/Claims/CoordinationParty.swift": KERNEL,
    "HostCore/Identity/FlatpakRecognition.swift": SYSTEM,
    "HostCore/Identity/IdentityCheck.swift": KERNEL,
    "HostCore/Identity/ProcessDirectory.swift": KERNEL,
    "HostServices/Bookmarks/BookmarkKeyFile.swift": OWN,
    "HostServices/Search/PowerState.swift": KERNEL,
    "HostServices/Thumbnails/InstalledThumbnailers.swift": SYSTEM,
    "Keyring/EncryptedCollection.swift": OWN,
    "Keyring/EncryptedFileRung.swift": KERNEL,
    "Keyring/FileLock.swift": OWN,
    "Keyring/KeyringIdentity.swift": KERNEL,
    "Keyring/PrivateFile.swift": OWN,
    "Keyring/SystemdRung.swift": SYSTEM,
    "ProcessLaunching/ProcessTree.swift": KERNEL,
    "Records/Search/SearchIndex.swift": OWN,
    "RemoteDocuments/SignIn/CredentialSource.swift": NAMED,
    "Rights/Database/FileSystemKind.swift": KERNEL,
    "Rights/Database/HostDatabase+Opening.swift": OWN,
    "Storage/Directory.swift": OWN,
    "Storage/FolderOwner.swift": OWN,
    "Storage/InstanceLock.swift": OWN,
    "Storage/SharedFolder.swift": SHARED,
    "UniformTypes/SharedMimeDatabase.swift": SYSTEM,
}

# What reaches a file by the text of a path, in Swift's and C's libraries and in our own bindings.
CALLS = re.compile(
    r"FileManager|\bclinux_open\(|CLINUX_AT_FDCWD|\bAT_FDCWD"
    r"|\bcontentsOfFile:|\bcontentsOf: URL|\.write\(to(?:File)?: (?:URL|path)"
    r"|(?<![\w.])(?:opendir|fopen|l?stat|unlink|rename|mkdir|rmdir|readlink|chmod|l?chown|symlink|realpath|creat"
    r"|truncate|mkfifo|mknod|statv?fs|utimensat|scandir)\((?!\))"
    r"|(?<![\w.])open\([^)]*\bO_[A-Z]+|(?<![\w.])access\([^)]*\b[RWXF]_OK")


def modules(targets):
    """The modules of this package that the daemon's program is made of."""
    by_name = {target["name"]: target for target in targets}
    found, waiting = set(), [PROGRAM]
    while waiting:
        name = waiting.pop()
        if name in found or name not in by_name:
            continue
        found.add(name)
        for dependency in by_name[name]["dependencies"]:
            waiting.append((dependency.get("byName") or dependency.get("target") or [None])[0])
    return sorted(found)


def uses(path):
    """The numbers of the lines of a source file that reach a file by its path."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).partition("//")[0]
        if "func " not in code and CALLS.search(code):
            yield number


def main():
    bad, seen = 0, set()
    for module in modules(json.load(sys.stdin)["targets"]):
        for path in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            name = str(path.relative_to(ROOT / "Sources"))
            numbers = list(uses(path))
            if not numbers:
                continue
            seen.add(name)
            if name not in ALLOWED:
                for number in numbers:
                    print(
                        f"Sources/{name}:{number}: error: the daemon reaches a file by the text of its path. Use "
                        "Directory and OwnPath, or name the file and the reason in Scripts/check-paths.py.")
                bad += 1
    for name in sorted(set(ALLOWED) - seen):
        print(f"Scripts/check-paths.py: error: {name} reaches nothing by the text of a path; remove it from the list.")
        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
